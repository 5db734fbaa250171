"""Arrays whose members belong to groups that stand one after another."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def offsets(counts: npt.ArrayLike) -> Ints:
    """Where each group starts, and where the last one ends."""
    sizes = np.asarray(counts, dtype=np.int64)
    start = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=start[1:])
    return start


def owners(start: Ints) -> Ints:
    """The group of each member."""
    return np.repeat(np.arange(len(start) - 1), np.diff(start))


def counts(group: Ints, number: int) -> Ints:
    """How many members each of ``number`` groups has."""
    return np.bincount(group, minlength=number)


def totals(group: Ints, values: npt.NDArray[np.generic], number: int) -> Floats:
    """The sum of each group's values, added up one by one in their order."""
    return np.bincount(group, weights=values, minlength=number).astype(np.float64, copy=False)
