from __future__ import annotations

import math
from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import pearsonr

from polyseme.errors import PolysemeError
from polyseme.groups import Floats
from polyseme.statistics import krippendorff_alpha, leave_one_out_alphas, pearson

nan = math.nan

# The example of Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), section C:
# four observers, twelve units, nominal data with missing values; alpha is .743 there.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, nan, nan, nan],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, nan, 3],
    [nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, nan],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, nan],
]


def by_coincidences(answers: Floats) -> float:
    """Alpha from the matrix of coincidences, counted pair by pair; NaN where it is undefined."""
    coincidences: Counter[tuple[float, float]] = Counter()
    for unit in answers.T:
        values = [value for value in unit.tolist() if not math.isnan(value)]
        for a, b in permutations(range(len(values)), 2):
            coincidences[values[a], values[b]] += 1 / (len(values) - 1)  # type: ignore[assignment]
    totals: Counter[float] = Counter()
    for (a, _), number in coincidences.items():
        totals[a] += number
    n = sum(totals.values())
    observed = sum(number for (a, b), number in coincidences.items() if a != b)
    expected = sum(totals[a] * totals[b] for a in totals for b in totals if a != b)
    return 1 - (n - 1) * observed / expected if expected else nan


def test_alpha_of_a_published_table() -> None:
    assert round(krippendorff_alpha(OBSERVERS).value, 3) == 0.743


def test_alpha_of_a_table_worked_out_by_hand() -> None:
    # Two judges and four items: 1-1, 3-3, 1-3, 2-. The coincidences are 2 of 1-1, 2 of 3-3, and one
    # each of 1-3 and 3-1; 1 and 3 stand 3 times each among n = 6.
    # alpha = 1 - (n - 1) * 2 / (2 * 3 * 3) = 1 - 10/18 = 4/9.
    found = krippendorff_alpha([[1, 3, 1, 2], [1, 3, 3, nan]])
    assert found.value == pytest.approx(4 / 9)
    assert found.undefined == ""


answer_matrices = arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(1, 9)),
    elements=st.sampled_from([1.0, 2.0, 3.0, nan]),
)


@given(answer_matrices)
def test_alpha_is_that_of_the_coincidences(answers: Floats) -> None:
    found = krippendorff_alpha(answers)
    expected = by_coincidences(answers)
    assert math.isnan(found.value) == math.isnan(expected) == bool(found.undefined)
    if not math.isnan(expected):
        assert found.value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_alpha_is_that_of_evalica(seed: int) -> None:
    evalica = pytest.importorskip("evalica")
    import pandas as pd

    rng = np.random.default_rng(seed)
    answers = rng.choice([1, 2, 3, nan], (15, 60), p=[0.5, 0.1, 0.35, 0.05])
    expected = evalica.alpha(pd.DataFrame(answers), distance="nominal").alpha
    assert krippendorff_alpha(answers).value == pytest.approx(expected, abs=1e-12)


def test_where_alpha_is_undefined_it_is_said_why() -> None:
    equal = krippendorff_alpha([[3, 3, 3], [3, 3, nan]])
    assert math.isnan(equal.value)
    assert "all answers are equal" in equal.undefined
    # what nobody else has judged does not count, so these are all equal too
    assert "equal" in krippendorff_alpha([[3, 3, 1], [3, 3, nan]]).undefined
    for lonely in ([[1, nan], [nan, 3]], [[1, 2, 3]], [[nan], [nan]]):
        found = krippendorff_alpha(lonely)
        assert math.isnan(found.value)
        assert "two judges" in found.undefined


def test_each_judge_is_left_out_in_turn() -> None:
    answers = np.array(OBSERVERS)
    found = leave_one_out_alphas(answers)
    assert len(found) == 4
    for judge, alpha in enumerate(found):
        rest = np.array([row for place, row in enumerate(OBSERVERS) if place != judge])
        assert alpha.value == pytest.approx(by_coincidences(rest))


def test_the_judge_who_disagrees_most_leaves_the_highest_alpha_behind() -> None:
    rng = np.random.default_rng(4)
    truth = rng.choice([1.0, 3.0], 80)
    answers = np.stack([np.where(rng.random(80) < 0.1, 4 - truth, truth) for _ in range(6)])
    answers[2] = rng.choice([1.0, 3.0], 80)
    values = [alpha.value for alpha in leave_one_out_alphas(answers)]
    assert values.index(max(values)) == 2


@pytest.mark.parametrize("answers", [[1, 2, 3], [[[1]]], [[1, math.inf], [1, 2]]])
def test_what_is_no_matrix_of_answers_is_refused(answers: object) -> None:
    with pytest.raises(PolysemeError, match=r"matrix|infinite"):
        krippendorff_alpha(answers)  # type: ignore[arg-type]


# ---- Pearson ------------------------------------------------------------------------------------


def test_the_interval_of_the_paper() -> None:
    # Sakai and Zeng 2019, section 6.2: .898 over 1,127 triplets, 95% CI [.886, .909]
    rng = np.random.default_rng(0)
    x, noise = rng.normal(size=(2, 1127))
    x -= x.mean()
    noise -= noise.mean()
    noise -= x * (x @ noise) / (x @ x)
    y = 0.898 * x / np.sqrt(x @ x) + math.sqrt(1 - 0.898**2) * noise / np.sqrt(noise @ noise)
    found = pearson(x, y)
    assert found.r == pytest.approx(0.898)
    assert (round(found.low, 3), round(found.high, 3), found.n) == (0.886, 0.909, 1127)


@pytest.mark.parametrize("seed", range(5))
def test_pearson_is_that_of_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(-15, 16, 40).astype(float)
    y = x + rng.integers(-9, 10, 40)
    found, known = pearson(x, y), pearsonr(x, y)
    assert found.r == pytest.approx(known.statistic)
    low, high = known.confidence_interval()
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-6)


def test_pearson_where_little_is_known() -> None:
    assert math.isnan(pearson([1, 1, 1, 1], [1, 2, 3, 4]).r)
    assert math.isnan(pearson([], []).r)
    few = pearson([1, 2, 4], [1, 2, 3])
    assert few.r > 0.9
    assert math.isnan(few.low)
    same = pearson([1, 2, 3, 4, 5], [2, 4, 6, 8, 10])
    assert (same.r, same.low, same.high) == (1, 1, 1)
    with pytest.raises(PolysemeError, match="same length"):
        pearson([1, 2], [1, 2, 3])
    with pytest.raises(PolysemeError, match="finite"):
        pearson([1, nan], [1, 2])
