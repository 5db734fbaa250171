"""Sums and products over the segments of an array, compiled where that was possible.

A batch of lists keeps the hits of all its lists one after the other; `start` says where each list
begins, with the total as a last entry. So list `i` is `values[start[i]:start[i + 1]]`.

`COMPILED` says which versions are in use. The results are equal to the last bit; setting the
environment variable `POLYSEME_PLAIN=1` before polyseme is imported forces the NumPy ones.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "COMPILED",
    "at_depth",
    "greedy",
    "grouped",
    "keep_memory",
    "ranked",
    "running_product",
    "running_sum",
    "spread",
    "sums",
]

try:
    if os.environ.get("POLYSEME_PLAIN", "0") not in {"", "0"}:
        raise ImportError("POLYSEME_PLAIN asks for the NumPy kernels")
    from polyseme import _kernels as _chosen

    COMPILED = True
except ImportError:
    from polyseme import plain_kernels as _chosen  # type: ignore[no-redef]

    COMPILED = False


def keep_memory() -> None:
    """For a process of our own: let freed memory be used again, not returned and cleared."""
    if COMPILED:
        _chosen.keep_memory()


def running_sum(values: ArrayLike, start: ArrayLike) -> NDArray[np.float64]:
    """Inclusive running sum of each segment: at an element, the sum of all up to and with it."""
    return _chosen.running_sum(*_checked(values, start))


def running_product(values: ArrayLike, start: ArrayLike) -> NDArray[np.float64]:
    """Exclusive running product of each segment: at an element, the product of all before it.

    The first element of a segment gets 1. This is the cascade: with the probabilities of going on
    as values, what comes out is the chance of arriving at each element.
    """
    return _chosen.running_product(*_checked(values, start))


def grouped(group: ArrayLike, number: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Members by group, in their order: their places, and where each of the groups begins."""
    return _chosen.grouped(_groups(group, number), number)


def ranked(
    group: ArrayLike, number: int, gain: ArrayLike
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The same by gain within a group, the largest first, and the later of equal ones."""
    groups = _groups(group, number)
    return _chosen.ranked(groups, number, _alike(gain, groups))


def _groups(group: ArrayLike, number: int) -> NDArray[np.int64]:
    groups = np.ascontiguousarray(group, dtype=np.int64)
    if np.ndim(group) != 1:
        raise ValueError("group must have one dimension")
    if len(groups) and not (groups.min() >= 0 and groups.max() < number):
        raise ValueError(f"groups must be numbers from 0 and below {number}")
    return groups


def greedy(
    document_start: ArrayLike,
    pair_start: ArrayLike,
    intent_start: ArrayLike,
    intent: ArrayLike,
    value: ArrayLike,
    left: float,
    depth: int | None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The greedy ideal of each topic: how many documents it has, and these, the best first.

    Topic t owns the documents document_start[t]:document_start[t + 1] and likewise intents; a
    document owns pairs of an intent, ascending, and what it is worth there. Each document before it
    with a value for an intent leaves only a share of that. At each step comes the document that
    adds most, the last of them if there are several; in the end those that add nothing. Documents
    of no pair are not relevant, and left out.
    """
    values, pairs = _checked(value, pair_start)
    intents = _alike(intent, values, np.int64)
    documents = _bounds(document_start, len(pairs) - 1)
    owned = _bounds(intent_start, int(np.ravel(intent_start)[-1]) if np.size(intent_start) else 0)
    if len(owned) != len(documents):
        raise ValueError("documents and intents must be of as many topics")
    topic = np.repeat(np.arange(len(documents) - 1), np.diff(pairs[documents]))
    if not ((intents >= owned[topic]) & (intents < owned[topic + 1])).all():
        raise ValueError("the intents of a document must be those of its topic")
    return _chosen.greedy(
        documents, pairs, owned, intents, values, left, -1 if depth is None else depth
    )


def sums(
    values: ArrayLike,
    start: ArrayLike,
    factors: ArrayLike | None = None,
    rank: ArrayLike | None = None,
    deepest: float | None = None,
) -> NDArray[np.float64]:
    """The sum of each segment, its members added up one by one from the first.

    With ``factors``, each member is multiplied by its own first; with ``deepest``, only members
    whose ``rank`` is no greater count: ranks ascend within a segment.
    """
    numbers, bounds = _checked(values, start)
    if (rank is None) != (deepest is None):
        raise ValueError("rank and deepest go together")
    return _chosen.sums(
        numbers,
        None if factors is None else _alike(factors, numbers),
        bounds,
        None if rank is None else _alike(rank, numbers),
        np.inf if deepest is None else float(deepest),
    )


def at_depth(
    cumulated: ArrayLike,
    start: ArrayLike,
    of_segment: ArrayLike,
    segment_start: ArrayLike,
    rank: ArrayLike,
) -> NDArray[np.float64]:
    """For each member of a segment the cumulated value of another list, ``rank`` steps down.

    Segment ``n`` asks list ``of_segment[n]``; below its end a list has what it ends with.
    """
    numbers, bounds = _checked(cumulated, start)
    ranks, segments = _checked(rank, segment_start)
    asked = np.ascontiguousarray(of_segment, dtype=np.int64)
    if len(asked) != len(segments) - 1 or (
        len(asked) and not (asked.min() >= 0 and asked.max() < len(bounds) - 1)
    ):
        raise ValueError("every segment must ask one of the lists")
    return _chosen.at_depth(numbers, bounds, asked, segments, ranks)


def spread(
    row: ArrayLike,
    hit_start: ArrayLike,
    base: ArrayLike,
    pair_start: ArrayLike,
    intent: ArrayLike,
    gain: ArrayLike,
    number: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Hits by list and intent: where each of ``number`` groups begins, its hits and their gains.

    The rows of the judgments own pairs of an intent and a gain, row d those from pair_start[d] on;
    a hit of list n on row d is in the group base[n] + intent for each of its pairs whose gain is
    positive. Hits keep their order within a group.
    """
    rows = np.ascontiguousarray(row, dtype=np.int64)
    gains, pairs = _checked(gain, pair_start)
    intents = _alike(intent, gains, np.int64)
    bounds = _bounds(hit_start, len(rows))
    bases = np.ascontiguousarray(base, dtype=np.int64)
    if len(bases) != len(bounds) - 1:
        raise ValueError("there must be one base for each list")
    return _chosen.spread(rows, bounds, bases, pairs, intents, gains, number)


def _checked(values: ArrayLike, start: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The arguments as the kernels need them; they trust `start` not to point outside `values`."""
    numbers = np.ascontiguousarray(values, dtype=np.float64)
    if np.ndim(values) != 1:
        raise ValueError("values and start must have one dimension each")
    return numbers, _bounds(start, len(numbers))


def _bounds(start: ArrayLike, number: int) -> NDArray[np.int64]:
    bounds = np.ascontiguousarray(start, dtype=np.int64)
    if np.ndim(start) != 1:
        raise ValueError("values and start must have one dimension each")
    if not len(bounds) or bounds[0] != 0 or bounds[-1] != number:
        raise ValueError(
            f"start must begin with 0 and end with the number of values, {number}. "
            f"Got {bounds[:1].tolist() + bounds[-1:].tolist()} instead."
        )
    if np.any(bounds[1:] < bounds[:-1]):
        raise ValueError("start must not descend")
    return bounds


def _alike(values: ArrayLike, other: NDArray[Any], kind: type = np.float64) -> NDArray[Any]:
    """An array as long as another."""
    numbers: NDArray[Any] = np.ascontiguousarray(values, dtype=kind)
    if np.ndim(values) != 1 or len(numbers) != len(other):
        raise ValueError(f"there must be {len(other)} of them. Got {numbers.size} instead.")
    return numbers
