"""Sums without rounding: the same whatever the order, and however they were divided.

A double is a whole number of 2^-1126; so is any sum of doubles, and Python's integers hold it. A
mean is rounded once, when it is divided.
"""

from __future__ import annotations

import numpy as np

from polyseme.groups import Floats

#: every double is a multiple of two to this power
_UNIT = -1126
_DIGITS = 53
_HALF = 27
#: numbers summed at once: halves of so many mantissas add up to no more than doubles hold exactly
_ROWS = 1 << 20


def exact_totals(values: Floats) -> list[int]:
    """The sum of every column, in units of 2^-1126."""
    columns = values.shape[1]
    totals = [0] * columns
    for low in range(0, len(values), _ROWS):
        for column, total in enumerate(_totals(values[low : low + _ROWS], columns)):
            totals[column] += total
    return totals


def _totals(values: Floats, columns: int) -> list[int]:
    if not np.isfinite(values).all():
        raise ValueError("a value is not finite, so there is no sum")
    mantissa, exponent = np.frexp(values)
    whole = np.ldexp(mantissa, _DIGITS).astype(np.int64)
    lowest = int(exponent.min(initial=0))
    span = int(exponent.max(initial=0)) - lowest + 1
    place = (exponent - lowest + span * np.arange(columns)).reshape(-1)
    halves = [
        np.bincount(place, weights=half.reshape(-1), minlength=span * columns)
        .reshape(columns, span)
        .astype(np.int64)
        for half in (whole >> _HALF, whole & ((1 << _HALF) - 1))
    ]
    found = []
    for high, low in zip(*(half.tolist() for half in halves), strict=True):
        total = 0
        for power, (above, below) in enumerate(zip(high, low, strict=True), lowest):
            if above or below:
                total += ((above << _HALF) + below) << (power - _DIGITS - _UNIT)
        found.append(total)
    return found


def quotient(total: int, divisor: int) -> float:
    """A sum divided by a whole number, rounded once."""
    return total / (divisor << -_UNIT)


def ratio(total: int, divisor: int) -> float:
    """One sum divided by another, rounded once."""
    return total / divisor
