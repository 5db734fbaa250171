"""Views of a list: other lists, made from what is judged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from polyseme.collection.lists import Lists, joker
from polyseme.groups import Bools, Ints, offsets


def condensed(lists: Lists, judged_rows: Bools, delta: float | None = None) -> Lists:
    """The lists without their unjudged documents (Sakai 2007).

    With ``delta``, a promoted document's gains are multiplied by delta for each rank promoted.
    """
    known = lists.known_to(judged_rows)
    counts = np.diff(known.hit_start)
    rank = np.arange(len(known.rank)) - known.hit_start[:-1][known.list_of_hit] + 1
    weight = known.weight
    if delta is not None:
        promoted = (known.rank - rank).astype(np.float64)
        discount = delta**promoted
        weight = discount if weight is None else weight * discount
    ends: Ints | None = None
    if known.iteration_start is not None and known.iteration_end is not None:
        owner = np.repeat(np.arange(len(known)), np.diff(known.iteration_start))
        ends = _hits_until(known, owner, known.iteration_end)
    return replace(known, length=counts, rank=rank, weight=weight, iteration_end=ends)


def _hits_until(lists: Lists, owner: Ints, rank: Ints) -> Ints:
    """How many hits each of some lists has at a rank or above it."""
    wide = int(lists.length.max(initial=0)) + 1
    keys = lists.list_of_hit * wide + lists.rank
    return np.searchsorted(keys, owner * wide + rank, side="right") - lists.hit_start[owner]


def with_jokers(lists: Lists, judged_rows: Bools, grade: int, depth: int | None) -> Lists:
    """The lists with every unjudged document replaced by one relevant to all intents."""
    known = lists.known_to(judged_rows)
    length = known.length if depth is None else np.minimum(known.length, depth)
    start = offsets(length)
    owner = np.repeat(np.arange(len(known)), length)
    rank = np.arange(start[-1]) - start[:-1][owner] + 1
    row = np.full(len(rank), joker(grade))
    inside = known.rank <= length[known.list_of_hit]
    row[start[:-1][known.list_of_hit[inside]] + known.rank[inside] - 1] = known.row[inside]
    return replace(known, hit_start=start, rank=rank, row=row, weight=None)
