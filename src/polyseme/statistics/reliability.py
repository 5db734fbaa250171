"""How far judges agree: Krippendorff's alpha, and it without each judge; Pearson's correlation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from polyseme.errors import PolysemeError
from polyseme.groups import Floats

#: of the normal distribution, for intervals of 95%
_NORMAL = 1.959964

NOTHING_TO_COMPARE = "no item has answers of two judges"
ALL_EQUAL = "all answers are equal, so that nobody can tell agreement from habit"


@dataclass(frozen=True)
class Alpha:
    """Krippendorff's alpha, or why there is none."""

    #: NaN where it is undefined
    value: float
    #: why it is undefined; empty where it is not
    undefined: str = ""


def krippendorff_alpha(answers: npt.ArrayLike) -> Alpha:
    """Krippendorff's alpha of nominal answers, judges x items; NaN where a judge gave none.

    1 - observed disagreement / expected disagreement, over the items that two judges or more have
    answered. Where all their answers are equal both are 0, and alpha is undefined.
    """
    held = _matrix(answers)
    answered = ~np.isnan(held)
    pairable = held[:, answered.sum(axis=0) >= 2]
    values = np.unique(pairable[~np.isnan(pairable)])
    if not len(values):
        return Alpha(math.nan, NOTHING_TO_COMPARE)
    if len(values) == 1:
        return Alpha(math.nan, ALL_EQUAL)
    import krippendorff

    return Alpha(
        float(
            krippendorff.alpha(
                reliability_data=pairable, value_domain=values, level_of_measurement="nominal"
            )
        )
    )


def leave_one_out_alphas(answers: npt.ArrayLike) -> list[Alpha]:
    """Of each judge: alpha of all others. Where it is highest, the judge agrees the least."""
    held = _matrix(answers)
    return [krippendorff_alpha(np.delete(held, judge, axis=0)) for judge in range(len(held))]


def _matrix(answers: npt.ArrayLike) -> Floats:
    held: Floats = np.asarray(answers, dtype=np.float64)
    if held.ndim != 2:
        raise PolysemeError(
            f"answers must be a matrix, judges x items. Got {held.ndim} dimensions instead."
        )
    if np.isinf(held).any():
        raise PolysemeError("an answer is infinite: answers are categories, or NaN")
    return held


@dataclass(frozen=True)
class Pearson:
    """Pearson's correlation and its 95% interval; NaN where it is undefined."""

    r: float
    low: float
    high: float
    #: over how many pairs of values
    n: int


def pearson(x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> Pearson:
    """Pearson's correlation with Fisher's interval: tanh(atanh r -+ 1.959964 / sqrt(n - 3)).

    Undefined where one side does not vary; without an interval where n is no more than 3.
    """
    first = np.asarray(x, dtype=np.float64)
    second = np.asarray(y, dtype=np.float64)
    if first.ndim != 1 or first.shape != second.shape:
        raise PolysemeError(
            "a correlation is of two lists of the same length. "
            f"Got {first.shape} and {second.shape} instead."
        )
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise PolysemeError("a value to be correlated is not finite")
    n = len(first)
    if n < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return Pearson(math.nan, math.nan, math.nan, n)
    a, b = first - first.mean(), second - second.mean()
    r = float(np.clip((a @ b) / math.sqrt(float(a @ a) * float(b @ b)), -1.0, 1.0))
    if n <= 3:
        return Pearson(r, math.nan, math.nan, n)
    if abs(r) == 1.0:
        return Pearson(r, r, r, n)
    middle, half = math.atanh(r), _NORMAL / math.sqrt(n - 3)
    return Pearson(r, math.tanh(middle - half), math.tanh(middle + half), n)
