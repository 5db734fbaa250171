"""Lists held against a yardstick, as the formulas see them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from polyseme.collection.lists import Lists
from polyseme.groups import Bools, Floats, Ints, counts, offsets, owners, totals
from polyseme.kernels import spread, sums
from polyseme.measures.formulas import Formula
from polyseme.measures.ideals import Ideal, Weighting
from polyseme.measures.rounding import Rounding, written
from polyseme.measures.walk import Walk
from polyseme.measures.yardstick import Asked, Standard, Yardstick

#: how many lists are scored at once, and how many (hit, intent) pairs: worth an array's while,
#: and little memory
CHUNK = 4096
CHUNK_PAIRS = 3 << 14


@dataclass(frozen=True, eq=False)
class Batch:
    """Some lists and their yardstick; walks and values are computed once, when asked for."""

    held: Lists
    yardstick: Yardstick
    _overall: dict[Rounding | None, Walk] = field(default_factory=dict, repr=False)
    _cut: dict[int, Batch] = field(default_factory=dict, repr=False)
    _values: dict[tuple[Formula, int | None], Floats] = field(default_factory=dict, repr=False)
    _weights: dict[Weighting, Floats] = field(default_factory=dict, repr=False)

    def value(self, formula: Formula, cutoff: int | None) -> Floats:
        """A formula's value for every list."""
        key = (formula, cutoff)
        if key not in self._values:
            self._values[key] = formula.lists(self, cutoff)
        return self._values[key]

    def on_ideal(self, formula: Formula, ideal: Ideal, cutoff: int | None) -> Floats:
        """A formula's value on the ideal list of each list's topic."""
        kept, asked = self.yardstick.kept, (formula, ideal, cutoff)
        if asked not in kept:
            answer(self.yardstick, [asked])
        return kept[asked][self.held.topic]

    def cut(self, depth: int) -> Batch:
        """The same lists cut at a depth."""
        if depth not in self._cut:
            self._cut[depth] = Batch(self.held.cut(depth), self.yardstick)
        return self._cut[depth]

    # ---- lists ----------------------------------------------------------------------------------

    @cached_property
    def length(self) -> Floats:
        return self.held.length.astype(np.float64)

    @cached_property
    def intent_count(self) -> Ints:
        return self.yardstick.relevance.intent_count[self.held.topic]

    def _gained(self, gain_of_row: Floats, gmax: Floats, jokers: Floats) -> Floats:
        """The gain of each hit; a joker's is its grade's, no more than gmax allows."""
        lists = self.held
        gained = (
            gain_of_row[np.maximum(lists.row, 0)] if len(gain_of_row) else np.zeros(len(lists.row))
        )
        wild = lists.row < 0
        if wild.any():
            gained = np.where(wild, np.minimum(jokers, gmax[lists.list_of_hit]), gained)
        return gained

    @cached_property
    def _joker_gain(self) -> Floats:
        return self.yardstick.gain(np.maximum(~self.held.row, 0))

    # ---- walks ----------------------------------------------------------------------------------

    def overall(self, rounding: Rounding | None = None) -> Walk:
        """Each list as the global gain sees it."""
        if rounding not in self._overall:
            standard = self.yardstick.overall(rounding)
            gain_of_row = self.yardstick.overall_gain(rounding)
            if rounding is not None:
                gain_of_row = written(gain_of_row, rounding.system)
            gmax = standard.gmax[self.held.topic]
            gained = self._gained(gain_of_row, gmax, self._overall_joker_gain)
            self._overall[rounding] = self._walk(gained, standard)
        return self._overall[rounding]

    @property
    def _overall_joker_gain(self) -> Floats:
        if not (self.held.row < 0).any():
            return self._joker_gain
        relevance = self.yardstick.relevance
        total = totals(relevance.topic_of_intent, relevance.probability, len(relevance.topics))
        return self._joker_gain * total[self.held.topic[self.held.list_of_hit]]

    @cached_property
    def adhoc(self) -> Walk:
        """Each list as ad hoc judgments see it."""
        standard = self.yardstick.adhoc
        gmax = standard.gmax[self.held.topic]
        gained = self._gained(self.yardstick.adhoc_gain, gmax, self._adhoc_joker_gain)
        return self._walk(gained, standard)

    @property
    def _adhoc_joker_gain(self) -> Floats:
        """A joker of the highest grade bounds all that there could be; others have one grade."""
        grade = np.maximum(~self.held.row, 0)
        if not grade.any():
            return self._joker_gain
        intents = self.intent_count[self.held.list_of_hit]
        gained = self.yardstick.gain(self.yardstick.adhoc_grade_of(grade, intents))
        return np.where(grade < self.yardstick.relevance.highest_grade, gained, np.inf)

    def _walk(self, gained: Floats, standard: Standard) -> Walk:
        lists = self.held
        kept = (gained > 0) | (lists.row < 0)
        g = gained[kept] if lists.weight is None else (gained * lists.weight)[kept]
        return Walk(
            start=offsets(kept)[lists.hit_start],
            r=lists.rank[kept].astype(np.float64),
            g=g,
            relevant=None,
            R=standard.R[lists.topic],
            gmax=standard.gmax[lists.topic],
            length=self.length,
            ideal=lambda: standard.best,
            ideal_row=lists.topic,
        )

    @cached_property
    def intent_start(self) -> Ints:
        """Where each list's rows begin in the walk over intents."""
        return offsets(self.intent_count)

    @cached_property
    def list_of_row(self) -> Ints:
        return owners(self.intent_start)

    @cached_property
    def intent_of_row(self) -> Ints:
        first = self.yardstick.relevance.intent_start[self.held.topic]
        return np.arange(self.intent_start[-1]) + np.repeat(
            first - self.intent_start[:-1], self.intent_count
        )

    @cached_property
    def navigational(self) -> Bools:
        return self.yardstick.relevance.navigational[self.intent_of_row]

    @cached_property
    def intents(self) -> Walk:
        """Each list as each intent of its topic sees it: a row for every list and intent."""
        standard, lists = self.yardstick.intents, self.held
        start, hit, gained = self._hits_of_intents()
        if lists.weight is not None:
            gained = gained * lists.weight[hit]
        return Walk(
            start=start,
            r=lists.rank[hit].astype(np.float64),
            g=gained,
            relevant=None,
            R=standard.R[self.intent_of_row],
            gmax=standard.gmax[self.intent_of_row],
            length=self.length[self.list_of_row],
            ideal=lambda: standard.best,
            ideal_row=self.intent_of_row,
        )

    def _hits_of_intents(self) -> tuple[Ints, Ints, Floats]:
        """Where each walk row begins, and its hits and gains; a joker hits all intents."""
        relevance, lists = self.yardstick.relevance, self.held
        wild = lists.row < 0
        if wild.all() and len(wild):
            return self._hits_of_jokers()
        if wild.any():
            return self._hits_of_both(wild)
        return spread(
            lists.row,
            lists.hit_start,
            self._first_row,
            relevance.start,
            relevance.intent,
            self.yardstick.gains,
            len(self.intent_of_row),
        )

    @cached_property
    def _first_row(self) -> Ints:
        """What to add to an intent's number to find its row in each list."""
        return self.intent_start[:-1] - self.yardstick.relevance.intent_start[self.held.topic]

    def _hits_of_jokers(self) -> tuple[Ints, Ints, Floats]:
        """Where nothing else is hit: every intent has all of a list's hits."""
        lists = self.held
        size = np.diff(lists.hit_start)[self.list_of_row]
        start = offsets(size)
        begin = lists.hit_start[:-1][self.list_of_row] - start[:-1]
        hit = np.arange(start[-1]) + np.repeat(begin, size)
        gmax = np.repeat(self.yardstick.intents.gmax[self.intent_of_row], size)
        return start, hit, np.minimum(self._joker_gain[hit], gmax)

    def _hits_of_both(self, wild: Bools) -> tuple[Ints, Ints, Floats]:
        known = Batch(self.held.keep_hits(~wild), self.yardstick)._hits_of_intents()
        jokers = Batch(self.held.keep_hits(wild), self.yardstick)._hits_of_jokers()
        parts = ((known, np.flatnonzero(~wild)), (jokers, np.flatnonzero(wild)))
        rows = np.concatenate([owners(start) for (start, _, _), _ in parts])
        hits = np.concatenate([place[hit] for (_, hit, _), place in parts])
        gained = np.concatenate([gained for (_, _, gained), _ in parts])
        order = np.lexsort((hits, rows))
        start = offsets(counts(rows, len(self.intent_of_row)))
        return start, hits[order], gained[order]

    # ---- intents --------------------------------------------------------------------------------

    def weights(self, weighting: Weighting) -> Floats:
        if weighting not in self._weights:
            self._weights[weighting] = self.yardstick.weights(weighting)[self.intent_of_row]
        return self._weights[weighting]

    def over_intents(self, values: Floats, weights: Floats | None = None) -> Floats:
        """Add up the rows of each list, each times its weight."""
        return sums(values, self.intent_start, weights)


@dataclass(frozen=True, eq=False)
class Asking(Batch):
    """No list at all: what formulas ask of ideal lists is only written down."""

    asked: dict[Asked, None] = field(default_factory=dict)

    def on_ideal(self, formula: Formula, ideal: Ideal, cutoff: int | None) -> Floats:
        self.asked[formula, ideal, cutoff] = None
        return np.zeros(len(self.held))

    def cut(self, depth: int) -> Batch:
        return self


def answer(yardstick: Yardstick, asked: Sequence[Asked]) -> None:
    """Work out what formulas are worth on ideal lists, together where the lists are the same."""
    by_lists: dict[Lists, list[Asked]] = {}
    # the deepest first, so that each ideal is built once
    for each in sorted(asked, key=lambda each: -np.inf if each[2] is None else -each[2]):
        by_lists.setdefault(yardstick.ideal_lists(each[1], each[2]), []).append(each)
    for lists, members in by_lists.items():
        found = {each: np.empty(len(lists)) for each in members}
        for chunk in chunks(lists, yardstick):
            batch = Batch(lists.part(chunk), yardstick)
            for each in members:
                formula, _, cutoff = each
                assert isinstance(formula, Formula)
                found[each][chunk] = batch.value(formula, cutoff)
        yardstick.kept.update(found)


def chunks(lists: Lists, yardstick: Yardstick) -> Iterator[slice]:
    """Runs of lists, each with a bounded number of hits unless a single list has more."""
    relevance = yardstick.relevance
    pairs = len(relevance.intent) / max(len(relevance.start) - 1, 1)
    most = int(CHUNK_PAIRS / max(pairs, 1.0))
    first = 0
    while first < len(lists):
        hits = int(lists.hit_start[first]) + most
        last = int(np.searchsorted(lists.hit_start, hits, side="right")) - 1
        last = min(max(last, first + 1), first + CHUNK, len(lists))
        yield slice(first, last)
        first = last
