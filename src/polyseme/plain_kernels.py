"""The kernels in NumPy: for where nothing was compiled, and what the compiled ones must equal.

A segment's sum or product is accumulated from its first element to its last, one operation at a
time, as the compiled loops do; `numpy.cumsum` along a row does just that. So the segments become
the rows of a padded array, in blocks of segments of nearly equal length, and the results are equal
to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["grouped", "running_product", "running_sum"]

BLOCK_CELLS = 1 << 17
"""The most cells of a padded block, unless one segment is longer: a block fits in the cache."""


def running_sum(values: NDArray[np.float64], start: NDArray[np.int64]) -> NDArray[np.float64]:
    """Inclusive running sums of the segments `values[start[i]:start[i + 1]]`."""
    sums = np.empty(len(values))
    with np.errstate(all="ignore"):
        for rows, inside in _blocks(start):
            padded = np.where(inside, values[rows], 0.0)
            sums[rows[inside]] = np.cumsum(padded, axis=1)[inside]
    return sums


def running_product(values: NDArray[np.float64], start: NDArray[np.int64]) -> NDArray[np.float64]:
    """Exclusive running products of the segments: 1 at the first element of each."""
    products = np.empty(len(values))
    with np.errstate(all="ignore"):
        for rows, inside in _blocks(start):
            padded = np.ones(rows.shape)
            padded[:, 1:] = np.where(inside[:, 1:], values[rows[:, :-1]], 1.0)
            products[rows[inside]] = np.cumprod(padded, axis=1)[inside]
    return products


def grouped(group: NDArray[np.int64], number: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the members of each group are, in their order, and where each group begins."""
    start = np.zeros(number + 1, dtype=np.int64)
    np.cumsum(np.bincount(group, minlength=number), out=start[1:])
    return np.argsort(group, kind="stable"), start


def _blocks(start: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.int64], NDArray[np.bool_]]]:
    """Segments as rows of positions, with a mask of the cells that lie inside their segment.

    Longest first, so that the rows of a block are of nearly one length. Empty segments are left
    out. A cell outside its segment repeats the segment's last position.
    """
    lengths = np.diff(start)
    order = np.argsort(-lengths, kind="stable")
    order = order[: np.count_nonzero(lengths)]
    done = 0
    while done < len(order):
        longest = lengths[order[done]]
        block = order[done : done + max(1, BLOCK_CELLS // int(longest))]
        offset = np.arange(longest)
        inside = offset < lengths[block, np.newaxis]
        rows = start[block, np.newaxis] + np.minimum(offset, lengths[block, np.newaxis] - 1)
        yield rows, inside
        done += len(block)
