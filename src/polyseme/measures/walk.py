"""A walk down ranked lists: the columns that the parts of a measure are written in.

The names are the papers': at rank ``r`` stands a gain ``g``; ``I`` is 1 where it is relevant,
``C`` counts relevant documents so far, ``cg`` and ``cg_star`` cumulate the gains of the list and
of the ideal list, ``alive`` is the chance that a cascading user comes this far. ``R``, ``gmax``
and ``length`` belong to a whole row.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from polyseme.groups import Bools, Floats, Ints, offsets, owners
from polyseme.kernels import at_depth, running_product, running_sum, sums


@dataclass(frozen=True, eq=False)
class Walk:
    """Steps down rows; a row is a list, or a list as one intent sees it.

    A walk over hits has a step for each relevant document only, one over ranks a step for every
    rank: parts that vanish where nothing relevant stands give the same sums on both.
    """

    #: row n owns the steps start[n]:start[n + 1], ascending by rank
    start: Ints
    r: Floats
    g: Floats
    #: 1 or 0; None where every step is a relevant document
    relevant: Floats | None
    #: of each row: relevant documents in the ideal list, largest possible gain, retrieved documents
    R: Floats
    gmax: Floats
    length: Floats
    #: the ideal lists once they are wanted, and which is each row's; an ideal walk has itself
    ideal: Callable[[], Walk] | None = None
    ideal_row: Ints | None = None
    _columns: dict[Hashable, Floats] = field(default_factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.start) - 1

    @cached_property
    def row(self) -> Ints:
        """The row of each step."""
        return owners(self.start)

    @cached_property
    def I(self) -> Floats:
        return np.ones(len(self.r)) if self.relevant is None else self.relevant

    @cached_property
    def C(self) -> Floats:
        if self.relevant is None:
            return np.arange(1.0, len(self.r) + 1) - self.start[:-1][self.row]
        return running_sum(self.relevant, self.start)

    @cached_property
    def cg(self) -> Floats:
        return running_sum(self.g, self.start)

    @cached_property
    def s(self) -> Floats:
        """The chance that the document satisfies a cascading user: g / (gmax + 1)."""
        return self.g / self.of_step(self.gmax + 1.0)

    @cached_property
    def alive(self) -> Floats:
        return running_product(1.0 - self.s, self.start)

    @cached_property
    def cg_star(self) -> Floats:
        ideal, ideal_row = self.best
        return at_depth(ideal.cg, ideal.start, ideal_row, self.start, self.r)

    @property
    def best(self) -> tuple[Walk, Ints]:
        """The ideal lists, best gain first, and the one that belongs to each row."""
        if self.ideal is None or self.ideal_row is None:
            return self, np.arange(len(self))
        return self.ideal(), self.ideal_row

    @property
    def _against(self) -> tuple[Callable[[], Walk], Ints]:
        """The same, for other walks down the same lists."""
        if self.ideal is None or self.ideal_row is None:
            return lambda: self, np.arange(len(self))
        return self.ideal, self.ideal_row

    def of_step(self, column: Floats) -> Floats:
        """A row's value at each of its steps."""
        return column[self.row]

    def by_rank(self, function: Callable[[Floats], Floats]) -> Floats:
        """What depends on the rank alone: worked out once for each rank there is, if that pays."""
        deepest = int(self.r.max(initial=0.0))
        if deepest > len(self.r):
            return function(self.r)
        return function(np.arange(deepest + 1.0))[self._rank]

    @cached_property
    def _rank(self) -> Ints:
        return self.r.astype(np.int64)

    def column(self, key: Hashable, function: Callable[[], Floats]) -> Floats:
        """A column that several measures may want: it is made when it is wanted first."""
        held = self._columns.get(key)
        if held is None:
            held = self._columns[key] = function()
        return held

    def total(self, values: Floats, cutoff: int | None, factors: Floats | None = None) -> Floats:
        """Add up a column (times another) over each row, down to the cutoff."""
        if cutoff is None:
            return sums(values, self.start, factors)
        return sums(values, self.start, factors, self.r, cutoff)

    def begun(self, cutoff: int | None) -> Bools:
        """Rows with a relevant document down to the cutoff."""
        if self.relevant is not None:
            return self.total(self.relevant, cutoff) > 0
        some = self.start[1:] > self.start[:-1]
        if cutoff is not None:
            some[some] = self.r[self.start[:-1][some]] <= cutoff
        return some

    def peak(self, values: Floats, cutoff: int | None) -> Floats:
        """The largest value of each row down to the cutoff, 0 where there is none."""
        inside = np.ones(len(self.r), np.bool_) if cutoff is None else self.r <= cutoff
        largest = np.zeros(len(self))
        np.maximum.at(largest, self.row[inside], values[inside])
        return largest

    def within(self, cutoff: int | None) -> Floats:
        """How many relevant documents count at the most: min(l, R)."""
        return self.R if cutoff is None else np.minimum(self.R, cutoff)

    def every_rank(self, cutoff: int | None) -> Walk:
        """The same rows with a step for every rank down to the cutoff (else to the list's end)."""
        depth = self.length if cutoff is None else np.full(len(self), float(cutoff))
        start = offsets(depth.astype(np.int64))
        row = owners(start)
        r = np.arange(1.0, float(start[-1]) + 1.0) - start[:-1][row]
        inside = self.r <= depth[self.row]
        place = start[:-1][self.row[inside]] + self.r[inside].astype(np.int64) - 1
        g = np.zeros(len(r))
        g[place] = self.g[inside]
        relevant = np.zeros(len(r))
        relevant[place] = self.I[inside]
        ideal, ideal_row = self._against
        return replace(
            self, start=start, r=r, g=g, relevant=relevant, ideal=ideal, ideal_row=ideal_row
        )

    def end(self, cutoff: int | None) -> Walk:
        """The same rows with one step, at the cutoff (else at the list's end)."""
        depth = self.length if cutoff is None else np.full(len(self), float(cutoff))
        ideal, ideal_row = self._against
        return _End(
            start=np.arange(len(self) + 1),
            r=depth,
            g=np.zeros(len(self)),
            relevant=np.zeros(len(self)),
            R=self.R,
            gmax=self.gmax,
            length=self.length,
            ideal=ideal,
            ideal_row=ideal_row,
            steps=self,
            depth=cutoff,
        )


@dataclass(frozen=True, eq=False)
class _End(Walk):
    """One step a row, which knows what was counted on the way."""

    steps: Walk | None = None
    depth: int | None = None

    @cached_property
    def C(self) -> Floats:
        assert self.steps is not None
        return self.steps.total(self.steps.I, self.depth)

    @cached_property
    def cg(self) -> Floats:
        assert self.steps is not None
        return self.steps.total(self.steps.g, self.depth)
