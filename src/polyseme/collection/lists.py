"""Ranked lists reduced to what judgments know of them: the one shape that every measure reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from polyseme.groups import Bools, Floats, Ints, offsets, owners


def joker(grade: int) -> int:
    """The row that stands for a document relevant to every intent of its topic, with ``grade``."""
    return ~grade


@dataclass(frozen=True, eq=False)
class Lists:
    """A batch of ranked lists: for each its topic, its length and its hits in rank order.

    A hit is a document that the judgments know, relevant or not: its rank (from 1), its row in
    the judgments (or :func:`joker`), and the weight of its gains (1 but in discounted views).
    """

    #: which run each list comes from; an index into whatever the caller counts
    run: Ints
    topic: Ints
    #: how many documents were retrieved
    length: Ints
    hit_start: Ints
    rank: Ints
    row: Ints
    #: None where every weight is 1
    weight: Floats | None = None
    #: list n went through the iterations that end at the ranks
    #: iteration_end[iteration_start[n]:iteration_start[n + 1]]; None where there are none
    iteration_start: Ints | None = None
    iteration_end: Ints | None = None

    def __len__(self) -> int:
        return len(self.topic)

    @cached_property
    def list_of_hit(self) -> Ints:
        return owners(self.hit_start)

    def keep_hits(self, keep: Bools) -> Lists:
        """The same lists with some hits forgotten; ranks and lengths stay."""
        return replace(
            self,
            hit_start=offsets(keep)[self.hit_start],
            rank=self.rank[keep],
            row=self.row[keep],
            weight=None if self.weight is None else self.weight[keep],
        )

    def known_to(self, judged_rows: Bools) -> Lists:
        """The same lists as judgments see them that judge only some of the rows."""
        if judged_rows.all():
            return self
        return self.keep_hits((self.row < 0) | judged_rows[np.maximum(self.row, 0)])

    def top(self, depth: int) -> Lists:
        """The lists as far as ``depth``, hits below it forgotten; lengths stay."""
        inside = self.rank <= depth
        return self if inside.all() else self.keep_hits(inside)

    def cut(self, depth: int) -> Lists:
        """The lists cut at ``depth``: shorter lists, as if nothing more had been retrieved."""
        ends = self.iteration_end
        return replace(
            self.top(depth),
            length=np.minimum(self.length, depth),
            iteration_end=None if ends is None else np.minimum(ends, depth),
        )

    def part(self, chosen: slice | Ints | Bools) -> Lists:
        """Some of the lists."""
        if isinstance(chosen, slice) and chosen.step in (None, 1) and self.iteration_start is None:
            return self._stretch(*chosen.indices(len(self))[:2])
        index = np.arange(len(self))[chosen]
        hits, hit_start = _spans(self.hit_start, index)
        ends: Ints | None = None
        iteration_start: Ints | None = None
        if self.iteration_start is not None and self.iteration_end is not None:
            spans, iteration_start = _spans(self.iteration_start, index)
            ends = self.iteration_end[spans]
        return Lists(
            run=self.run[index],
            topic=self.topic[index],
            length=self.length[index],
            hit_start=hit_start,
            rank=self.rank[hits],
            row=self.row[hits],
            weight=None if self.weight is None else self.weight[hits],
            iteration_start=iteration_start,
            iteration_end=ends,
        )

    def _stretch(self, first: int, last: int) -> Lists:
        """Lists that follow one another; nothing is copied."""
        low, high = self.hit_start[first], self.hit_start[max(first, last)]
        return Lists(
            run=self.run[first:last],
            topic=self.topic[first:last],
            length=self.length[first:last],
            hit_start=self.hit_start[first : max(first, last) + 1] - low,
            rank=self.rank[low:high],
            row=self.row[low:high],
            weight=None if self.weight is None else self.weight[low:high],
        )


def _spans(start: Ints, index: Ints) -> tuple[Ints, Ints]:
    """The members of chosen groups, one after another, and where each group now starts."""
    sizes = start[index + 1] - start[index]
    moved = offsets(sizes)
    members = np.arange(moved[-1]) + np.repeat(start[index] - moved[:-1], sizes)
    return members, moved


def joined(batches: Sequence[Lists]) -> Lists:
    """Several batches as one."""
    if len(batches) == 1:
        return batches[0]
    iterations = any(batch.iteration_start is not None for batch in batches)
    weights = any(batch.weight is not None for batch in batches)
    starts: list[npt.NDArray[np.int64]] = []
    ends: list[npt.NDArray[np.int64]] = []
    for batch in batches:
        if batch.iteration_start is not None and batch.iteration_end is not None:
            starts.append(np.diff(batch.iteration_start))
            ends.append(batch.iteration_end)
        else:
            starts.append(np.ones(len(batch), dtype=np.int64))
            ends.append(batch.length)
    none = [np.zeros(0, dtype=np.int64)]

    def together(pieces: list[Ints]) -> Ints:
        return np.concatenate(pieces or none)

    return Lists(
        run=together([batch.run for batch in batches]),
        topic=together([batch.topic for batch in batches]),
        length=together([batch.length for batch in batches]),
        hit_start=offsets(together([np.diff(batch.hit_start) for batch in batches])),
        rank=together([batch.rank for batch in batches]),
        row=together([batch.row for batch in batches]),
        weight=np.concatenate(
            [
                np.ones(len(batch.rank)) if batch.weight is None else batch.weight
                for batch in batches
            ]
        )
        if weights
        else None,
        iteration_start=offsets(together(starts)) if iterations else None,
        iteration_end=together(ends) if iterations else None,
    )


_NONE = np.zeros(0, dtype=np.int64)
#: a batch without a single list
NO_LISTS = Lists(
    run=_NONE, topic=_NONE, length=_NONE, hit_start=offsets(_NONE), rank=_NONE, row=_NONE
)
