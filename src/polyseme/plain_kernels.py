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

from polyseme.groups import offsets, owners, totals
from polyseme.plain_greedy import greedy

__all__ = [
    "at_depth",
    "greedy",
    "grouped",
    "ranked",
    "running_product",
    "running_sum",
    "spread",
    "sums",
]

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
    start = offsets(np.bincount(group, minlength=number))
    return np.argsort(group, kind="stable"), start


def ranked(
    group: NDArray[np.int64], number: int, gain: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Members by group, in each the largest gain first, the later member first among equals."""
    start = offsets(np.bincount(group, minlength=number))
    return np.lexsort((-np.arange(len(group)), -gain, group)), start


def sums(
    values: NDArray[np.float64],
    factors: NDArray[np.float64] | None,
    start: NDArray[np.int64],
    rank: NDArray[np.float64] | None,
    deepest: float,
) -> NDArray[np.float64]:
    """The sum of each segment's values times their factors, as far as ranks are within reach."""
    segment = owners(start)
    terms = values if factors is None else values * factors
    if rank is not None:
        inside = rank <= deepest
        segment, terms = segment[inside], terms[inside]
    return totals(segment, terms, len(start) - 1)


def at_depth(
    cumulated: NDArray[np.float64],
    start: NDArray[np.int64],
    of_segment: NDArray[np.int64],
    segment_start: NDArray[np.int64],
    rank: NDArray[np.float64],
) -> NDArray[np.float64]:
    """For each member of a segment the cumulated value of a list, so many steps down."""
    mine = np.repeat(of_segment, np.diff(segment_start))
    first = start[:-1][mine]
    depth = np.minimum(rank.astype(np.int64), start[1:][mine] - first)
    before = np.concatenate([[0.0], cumulated])
    return np.where(depth > 0, before[first + depth], 0.0)


def spread(
    row: NDArray[np.int64],
    hit_start: NDArray[np.int64],
    base: NDArray[np.int64],
    pair_start: NDArray[np.int64],
    intent: NDArray[np.int64],
    gain: NDArray[np.float64],
    number: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Hits by list and intent: where each group begins, and its hits and gains."""
    if len(row) and not (row.min() >= 0 and row.max() < len(pair_start) - 1):
        raise ValueError("a hit lies outside the judgments")
    size = np.diff(pair_start)[row]
    begin = np.cumsum(size) - size
    hit = np.repeat(np.arange(len(row)), size)
    pair = np.arange(len(hit)) + np.repeat(pair_start[row] - begin, size)
    positive = gain[pair] > 0
    hit, pair = hit[positive], pair[positive]
    group = np.repeat(base, np.diff(hit_start))[hit] + intent[pair]
    if len(group) and not (group.min() >= 0 and group.max() < number):
        raise ValueError("a hit lies outside the judgments")
    order, start = grouped(group, number)
    return start, hit[order], gain[pair][order]


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
