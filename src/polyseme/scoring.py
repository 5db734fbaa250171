"""Lists and relevance to values: one number for every list and measure."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from polyseme.collection.judgments import Judged
from polyseme.collection.lists import NO_LISTS, Lists
from polyseme.collection.relevance import Relevance, RelevanceRules, relevance
from polyseme.engine import map_partitions
from polyseme.errors import PolysemeWarning
from polyseme.groups import Bools, Floats
from polyseme.measures.batch import Asking, Batch, answer, chunks
from polyseme.measures.formulas import IA, AdHoc, Formula, Geometric, IRec
from polyseme.measures.gains import AdHocRule, Gain, Gmax
from polyseme.measures.measure import Measure
from polyseme.measures.views import condensed, with_jokers
from polyseme.measures.yardstick import Yardstick
from polyseme.policies import Policies


@dataclass(frozen=True)
class _Measured:
    """What a measure wants to be held against."""

    rules: RelevanceRules
    gain: Gain
    gmax: Gmax
    adhoc: AdHocRule


@dataclass(frozen=True)
class _Viewed:
    """How a measure sees lists; those that see them alike share their walks."""

    measured: _Measured
    primes: int
    delta: float | None
    view: str | None
    #: ad hoc judgments of their own judge other documents
    by_adhoc: bool
    whole: bool

    @property
    def reshapes(self) -> bool:
        """Do documents change their ranks, or do more become hits?"""
        return bool(self.primes) or self.view is not None


@dataclass(frozen=True, eq=False)
class Scorer:
    """Scores lists by measures under policies; what the judgments alone decide is kept."""

    judged: Judged
    measures: Sequence[Measure]
    policies: Policies
    weight_files: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)
    #: rows that count as unjudged
    without: Bools | None = None
    _relevances: dict[RelevanceRules, Relevance] = field(default_factory=dict, repr=False)
    _yardsticks: dict[_Measured, Yardstick] = field(default_factory=dict, repr=False)
    _prepared: list[bool] = field(default_factory=list, repr=False)

    def score(self, lists: Lists) -> Floats:
        """Values of every list (first axis) by every measure (second)."""
        self.prepare(1)
        values = np.zeros((len(lists), len(self.measures)))
        for viewed, members in self._groups.items():
            depth = self._depth(viewed)
            # what stands deeper than a group looks is left out first, so that a chunk is many lists
            held = lists if depth is None or viewed.reshapes else lists.top(depth)
            for chunk in chunks(held, self.yardstick(viewed.measured)):
                batch = self.batch(held.part(chunk), viewed)
                for index in members:
                    values[chunk, index] = self._value(batch, index)
        return values

    def _value(self, batch: Batch, index: int) -> Floats:
        measure = self.policies.meant(self.measures[index])
        return batch.value(measure.formula, measure.cutoff)

    def prepare(self, jobs: int) -> None:
        """Work out what the judgments alone decide, in threads of their own if there are any.

        What all measures ask of ideal lists is asked together, and kept.
        """
        if self._prepared:
            return
        together: dict[Yardstick, list[int]] = {}
        for viewed, members in self._groups.items():
            together.setdefault(self.yardstick(viewed.measured), []).extend(members)

        def work(yardstick: Yardstick) -> None:
            asking = Asking(NO_LISTS, yardstick)
            for index in together[yardstick]:
                self._value(asking, index)
            answer(yardstick, [each for each in asking.asked if each not in yardstick.kept])

        for _ in map_partitions(work, list(together), "threads", jobs):
            pass
        self._prepared.append(True)

    def score_intents(self, lists: Lists, index: int) -> tuple[Batch, Floats] | None:
        """Values of every list for every intent, where the measure has such values."""
        measure = self.measures[index]
        each = per_intent(self.policies.meant(measure).formula)
        if each is None:
            return None
        batch = self.seen_by(measure, lists)
        return batch, each.each(batch, measure.cutoff)

    @cached_property
    def _groups(self) -> dict[_Viewed, list[int]]:
        groups: dict[_Viewed, list[int]] = {}
        for index, measure in enumerate(self.measures):
            groups.setdefault(self._viewed(measure), []).append(index)
        return groups

    def _viewed(self, measure: Measure) -> _Viewed:
        keeps, policies = measure.keeps, self.policies

        def chosen(own: Any, policy: Any) -> Any:
            return policy if own is None else own

        adhoc = chosen(keeps.adhoc, policies.adhoc)
        if policies.adhoc == "own" and measure["adhoc"] is None:
            # judgments of their own come before a program's way to make them from intents
            adhoc = "own"
        measured = _Measured(
            chosen(keeps.rules, policies.rules),
            chosen(keeps.gain, policies.gain),
            chosen(keeps.gmax, policies.gmax),
            adhoc,
        )
        return _Viewed(
            measured,
            measure.primes,
            measure["delta"] if measure.primes == 2 else None,
            measure.view,
            isinstance(measure.formula, AdHoc) and adhoc == "own",
            measure.depth is None,
        )

    def relevance(self, rules: RelevanceRules) -> Relevance:
        """Relevance under some rules."""
        if rules not in self._relevances:
            self._relevances[rules] = relevance(self.judged, rules, without=self.without)
        return self._relevances[rules]

    @property
    def command_relevance(self) -> Relevance:
        """Relevance under the command's own policies, which decide on topics."""
        return self.relevance(self.policies.rules)

    def yardstick(self, measured: _Measured) -> Yardstick:
        if measured not in self._yardsticks:
            depths = [
                self.measures[index].depth
                for viewed, members in self._groups.items()
                if viewed.measured == measured
                for index in members
            ]
            self._yardsticks[measured] = Yardstick(
                self.relevance(measured.rules),
                measured.gain,
                measured.gmax,
                measured.adhoc,
                self.weight_files,
                max((depth for depth in depths if depth is not None), default=1),
            )
        return self._yardsticks[measured]

    def highest_adhoc(self) -> dict[tuple[str, int], int]:
        """The highest ad hoc grades that measures ask for, by their rules."""
        yardsticks = [self.yardstick(viewed.measured) for viewed in self._groups]
        return {
            (each.adhoc_rule, each.relevance.bar): each.highest_adhoc
            for each in yardsticks
            if each.adhoc_rule != "own" or self.judged.adhoc is not None
        }

    def seen_by(self, measure: Measure, lists: Lists) -> Batch:
        """Lists as one of the measures sees them."""
        return self.batch(lists, self._viewed(measure))

    def batch(self, lists: Lists, viewed: _Viewed) -> Batch:
        """Lists as a group of measures sees them."""
        yardstick = self.yardstick(viewed.measured)
        known = yardstick.adhoc_judged if viewed.by_adhoc else yardstick.relevance.is_judged
        depth = self._depth(viewed)
        if viewed.primes:
            seen = condensed(lists, known, viewed.delta)
        elif viewed.view == "upper":
            seen = with_jokers(lists, known, yardstick.relevance.highest_grade, depth)
        else:
            seen = lists.known_to(known)
        return Batch(seen if depth is None else seen.top(depth), yardstick)

    def _depth(self, viewed: _Viewed) -> int | None:
        """How deep a group of measures reads."""
        if viewed.whole:
            return None
        cutoffs = (self.measures[index].depth for index in self._groups[viewed])
        return max((cutoff for cutoff in cutoffs if cutoff is not None), default=None)


def per_intent(formula: Formula) -> IA | IRec | Geometric | None:
    """The part of a formula that has a value for each intent of its own."""
    return formula if isinstance(formula, IA | IRec | Geometric) else None


def warn_of_measures(only_relevant: bool, measures: Sequence[Measure]) -> None:
    """Say what a reader of these measures' numbers should know."""
    condensing = [measure for measure in measures if measure.primes]
    if condensing and only_relevant:
        warnings.warn(
            "the judgments hold no non-relevant document, so a condensed list "
            f"({condensing[0]}) keeps relevant documents only and scores too high",
            PolysemeWarning,
            stacklevel=2,
        )
    unchanged = [m for m in measures if m.primes == 2 and not m.family.traits.uses_grades]
    if unchanged:
        warnings.warn(
            f"{unchanged[0]} counts relevant documents and no gains, so discounting promoted "
            "gains changes nothing: it equals the measure with one prime",
            PolysemeWarning,
            stacklevel=2,
        )
    upper = [m for m in measures if m.view == "upper" and m.family.traits.needs_ideal]
    if upper:
        warnings.warn(
            f"{upper[0]}: the ideal list stays that of the known judgments, so an upper bound "
            "may exceed 1",
            PolysemeWarning,
            stacklevel=2,
        )
