from __future__ import annotations

from fractions import Fraction
from math import fsum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.partitioned.sums import exact_totals, quotient, ratio

numbers = st.lists(st.floats(allow_nan=False, allow_infinity=False, width=64), max_size=40)
UNIT = Fraction(1, 2**1126)


def column(values: list[float]) -> np.ndarray:
    return np.array(values, dtype=np.float64).reshape(-1, 1)


@given(numbers)
def test_a_total_is_the_sum_of_fractions(values: list[float]) -> None:
    assert exact_totals(column(values))[0] * UNIT == sum(map(Fraction, values))


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40), st.randoms())
def test_totals_do_not_hang_on_order_or_division(values: list[float], random: object) -> None:
    whole = exact_totals(column(values))[0]
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    cut = len(values) // 3
    parts = [exact_totals(column(part))[0] for part in (shuffled[:cut], shuffled[cut:])]
    assert sum(parts) == whole
    assert quotient(whole, 1) == fsum(values)


def test_columns_are_summed_each_for_itself() -> None:
    values = np.array([[0.1, 1.0, 0.0], [0.2, 2.0, 0.0], [0.3, 1e-300, 0.0]])
    assert [quotient(total, 1) for total in exact_totals(values)] == [
        fsum([0.1, 0.2, 0.3]),
        3.0,
        0.0,
    ]


def test_a_mean_is_rounded_once() -> None:
    total = exact_totals(column([0.1] * 10))[0]
    assert quotient(total, 10) == 0.1
    assert ratio(exact_totals(column([0.3]))[0], exact_totals(column([0.1]))[0]) == float(
        Fraction(0.3) / Fraction(0.1)
    )


def test_what_is_not_finite_has_no_sum() -> None:
    with pytest.raises(ValueError, match="not finite"):
        exact_totals(column([1.0, float("nan")]))
