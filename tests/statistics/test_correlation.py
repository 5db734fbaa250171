from __future__ import annotations

import math
import warnings
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from polyseme.errors import PolysemeError
from polyseme.statistics import (
    agreement,
    correlation,
    kendall_tau,
    symmetric_tau_ap,
    tau_ap,
)
from polyseme.statistics.correlation import tau_interval

scores = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 6), min_size=n, max_size=n),
        st.lists(st.integers(0, 6), min_size=n, max_size=n),
    )
)


@given(scores)
def test_tau_b_is_scipys(pair: tuple[list[int], list[int]]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = stats.kendalltau(*pair).statistic
    assert kendall_tau(*pair) == pytest.approx(float(expected), nan_ok=True, abs=1e-12)


@given(scores)
def test_tau_a_counts_all_pairs(pair: tuple[list[int], list[int]]) -> None:
    x, y = pair
    total = 0
    for i in range(len(x)):
        for j in range(i):
            product = (x[i] - x[j]) * (y[i] - y[j])
            total += (product > 0) - (product < 0)
    assert kendall_tau(x, y, "a") == pytest.approx(total / math.comb(len(x), 2))


def slow_tau_ap(estimate: tuple[int, ...], truth: tuple[int, ...]) -> float:
    """As Yilmaz et al. write it, for rankings without ties; scores, the highest first."""
    order = sorted(range(len(estimate)), key=lambda system: -estimate[system])
    total = 0.0
    for place in range(1, len(order)):
        right = sum(truth[above] > truth[order[place]] for above in order[:place])
        total += right / place
    return 2 / (len(order) - 1) * total - 1


@pytest.mark.parametrize("estimate", list(permutations(range(4))))
def test_tau_ap_without_ties_is_the_papers_sum(estimate: tuple[int, ...]) -> None:
    for truth in permutations(range(4)):
        assert tau_ap(estimate, truth) == pytest.approx(slow_tau_ap(estimate, truth))


# Data and values of the tests of the R package ircor 1.0 (Urbano and Marrero), to four decimals.
IRCOR = [
    (
        [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
        [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
        [0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1],
        [0.8, 0.4, 0.8, 1, 0.7, 0.1, 0.4, 0.5, 0.6, 1],
        (0.8519, 0.8333, 0.7321),
    ),
    (
        [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
        [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
        [0.3, 0.6, 0.2, 0.9, 0.6, 0.2, 0.7, 0.8, 0.7, 0.4],
        [0.3, 0.8, 0.7, 0.9, 0.1, 0.1, 0.5, 0.6, 1, 0.6],
        (0.2504, 0.2880, 0.2970),
    ),
    (
        [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
        [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
        [0.2, 0.6, 0.9, 0.1, 0.5, 0.6, 0.8, 0.4, 1, 0.4],
        [0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0, 0.2],
        (-0.6971, -0.6680, -0.7047),
    ),
]


@pytest.mark.parametrize(("x", "y", "x_ties", "y_ties", "expected"), IRCOR)
def test_tau_ap_is_ircors_with_ties_and_without(
    x: list[float],
    y: list[float],
    x_ties: list[float],
    y_ties: list[float],
    expected: tuple[float, float, float],
) -> None:
    one_way, both, tied = expected
    assert tau_ap(y, x) == pytest.approx(one_way, abs=5e-5)
    assert symmetric_tau_ap(x, y) == pytest.approx(both, abs=5e-5)
    assert symmetric_tau_ap(x_ties, y_ties) == pytest.approx(tied, abs=5e-5)


@given(scores)
def test_symmetric_tau_ap_is_symmetric_and_within_its_bounds(
    pair: tuple[list[int], list[int]],
) -> None:
    x, y = pair
    found = symmetric_tau_ap(x, y)
    assert found == pytest.approx(symmetric_tau_ap(y, x), nan_ok=True)
    assert math.isnan(found) or -1 <= found <= 1


def test_a_ranking_of_ties_only_correlates_with_nothing() -> None:
    assert math.isnan(kendall_tau([1, 1, 1], [1, 2, 3]))
    assert math.isnan(tau_ap([1, 1, 1], [1, 2, 3]))
    assert math.isnan(tau_ap([1, 2, 3], [1, 1, 1]))
    assert kendall_tau([1, 1, 1], [1, 2, 3], "a") == 0


def test_what_rounding_tells_apart_is_tied() -> None:
    assert kendall_tau([0.1 + 0.2, 0.3, 1], [2, 2, 3]) == 1


def test_intervals_are_long_and_cliffs() -> None:
    low, high = tau_interval(0.8, 20)
    half = 1.959964 * math.sqrt(0.437 / 16)
    assert (math.atanh(low), math.atanh(high)) == pytest.approx(
        (math.atanh(0.8) - half, math.atanh(0.8) + half)
    )
    assert tau_interval(1.0, 20) == (1.0, 1.0)
    assert all(map(math.isnan, tau_interval(0.5, 4)))


def test_agreement_with_preferences_is_a_tau_of_as_many_pairs() -> None:
    tau, low, high = agreement(750, 250)
    assert tau == 0.5
    assert (low, high) == tau_interval(0.5, (1 + math.sqrt(8001)) / 2)
    assert math.isnan(agreement(0, 0).tau)


def test_a_correlation_is_a_row() -> None:
    found = correlation([1, 2, 3, 4, 5, 6], [1, 3, 2, 4, 5, 6], names=("x", "y"))
    assert found.table().names == ("a", "b", "tau", "low", "high", "tau_ap")
    assert found.systems == 6
    assert found.tau == pytest.approx(13 / 15)


def test_rankings_of_different_systems_are_refused() -> None:
    with pytest.raises(PolysemeError, match="same systems"):
        kendall_tau([1, 2], [1, 2, 3])
    with pytest.raises(PolysemeError, match="not finite"):
        tau_ap([1, math.nan], [1, 2])
    with pytest.raises(PolysemeError, match="variant must be a or b"):
        kendall_tau([1], [1], "c")  # type: ignore[arg-type]
