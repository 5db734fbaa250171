"""What lists are held against: relevance under one gain, and the ideal lists that follow."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from polyseme.collection.difficulty import miss_rate_weights
from polyseme.collection.lists import Lists
from polyseme.collection.relevance import Relevance
from polyseme.errors import InputError, MeasureError
from polyseme.groups import Bools, Floats, Ints, counts, totals
from polyseme.kernels import ranked
from polyseme.measures.gains import AdHocRule, Gain, Gmax
from polyseme.measures.ideals import (
    Best,
    Greedy,
    Ideal,
    Jokers,
    Weighting,
    best_lists,
    greedy_lists,
    joker_lists,
)
from polyseme.measures.rounding import Rounding, written
from polyseme.measures.walk import Walk

#: a formula, the ideal lists that it is asked of, and a cutoff
Asked = tuple[Hashable, Ideal, int | None]


@dataclass(frozen=True, eq=False)
class Standard:
    """How much there is to gain in each group of documents: for an intent, or in a topic."""

    #: relevant documents, and the largest possible gain
    R: Floats
    gmax: Floats
    #: documents with a gain: their groups and gains
    _group: Ints = field(repr=False)
    _gains: Floats = field(repr=False)

    @cached_property
    def best(self) -> Walk:
        """The ideal lists: the largest gain first, the last identifier first among equals."""
        order, start = ranked(self._group, len(self.R), self._gains)
        r = np.arange(1.0, len(order) + 1) - np.repeat(start[:-1], np.diff(start))
        return Walk(start, r, self._gains[order], None, R=self.R, gmax=self.gmax, length=self.R)


@dataclass(frozen=True, eq=False)
class Yardstick:
    """Relevance with gains. Whatever does not depend on the lists is computed once, here."""

    relevance: Relevance
    gain: Gain = field(default_factory=Gain)
    gmax: Gmax = field(default_factory=Gmax)
    adhoc_rule: AdHocRule = "pseudo"
    #: weights of intents that came from files, by the files' names
    weight_files: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)
    #: the deepest cutoff that will be asked of an ideal, so that it is built once
    depth: int = 1
    #: what a formula is worth on each topic's ideal list, down to a cutoff
    kept: dict[Asked, Floats] = field(default_factory=dict, repr=False)
    _overall: dict[Rounding | None, Floats] = field(default_factory=dict, repr=False)
    _standards: dict[Rounding | None, Standard] = field(default_factory=dict, repr=False)
    _ideals: dict[Ideal, tuple[int | None, Lists]] = field(default_factory=dict, repr=False)

    # ---- gains of judged documents --------------------------------------------------------------

    @cached_property
    def gains(self) -> Floats:
        """The gain of every relevant (row, intent) pair."""
        return self.gain(self.relevance.grade)

    def overall_gain(self, rounding: Rounding | None = None) -> Floats:
        """G(d) = sum_i Pr(i) g_i(d) of every row."""
        if rounding not in self._overall:
            relevance = self.relevance
            weighed = self.gains * relevance.probability[relevance.intent]
            if rounding is not None:
                weighed = written(weighed, rounding.sum)
            total = totals(relevance.row, weighed, len(relevance.start) - 1)
            self._overall[rounding] = total if rounding is None else written(total, rounding.sum)
        return self._overall[rounding]

    @cached_property
    def adhoc_grade(self) -> Ints:
        """One grade for every row, whatever the intent (SPEC: ad hoc judgments from intents)."""
        without = self.relevance.without
        return self._all_adhoc_grades if without is None else self._all_adhoc_grades * ~without

    @cached_property
    def _all_adhoc_grades(self) -> Ints:
        """The same, also of rows that were left out: they may hold the highest grade."""
        judged, bar = self.relevance.judged, self.relevance.bar
        if self.adhoc_rule == "own":
            if judged.adhoc is None:
                raise InputError(
                    "the measure wants ad hoc judgments of their own, and none were given",
                    remedy="give a file with --adhoc FILE, or say --adhoc pseudo, max or sum",
                )
            return judged.adhoc.grade * (judged.adhoc.grade >= bar)
        grade, row = judged.line_grade * (judged.line_grade >= bar), judged.row_of_line
        if self.adhoc_rule == "max":
            highest = np.zeros(len(judged.documents), dtype=np.int64)
            np.maximum.at(highest, row, grade)
            return highest
        total = totals(row, grade, len(judged.documents)).astype(np.int64)
        if self.adhoc_rule == "sum":
            return total
        return _pseudo(total)

    @property
    def highest_adhoc(self) -> int:
        """The highest ad hoc grade of the whole collection."""
        whole = self.relevance.judged.whole
        if whole is not None:
            return whole.highest_adhoc[self.adhoc_rule, self.relevance.bar]
        return int(self._all_adhoc_grades.max(initial=0))

    def adhoc_grade_of(self, grade: Ints, intents: Ints) -> Ints:
        """The one grade of documents that have ``grade`` for each of so many intents."""
        if self.adhoc_rule in ("sum", "pseudo"):
            grade = grade * intents
        return _pseudo(grade) if self.adhoc_rule == "pseudo" else grade

    @cached_property
    def adhoc_gain(self) -> Floats:
        return self.gain(self.adhoc_grade)

    @property
    def adhoc_judged(self) -> Bools:
        """Rows that count as judged for ad hoc measures."""
        adhoc = self.relevance.judged.adhoc
        if self.adhoc_rule == "own" and adhoc is not None:
            without = self.relevance.without
            return adhoc.listed if without is None else adhoc.listed & ~without
        return self.relevance.is_judged

    # ---- what there is to gain ------------------------------------------------------------------

    def overall(self, rounding: Rounding | None = None) -> Standard:
        """Each topic's documents by their global gain."""
        if rounding not in self._standards:
            gains = self.overall_gain(rounding)
            if rounding is not None:
                gains = written(gains, rounding.ideal)
            highest = self.relevance.highest_grade
            self._standards[rounding] = self._standard_of_topics(gains, highest)
        return self._standards[rounding]

    @cached_property
    def adhoc(self) -> Standard:
        """Each topic's documents by their one gain."""
        highest = int(self._all_adhoc_grades.max(initial=0))
        return self._standard_of_topics(self.adhoc_gain, highest)

    @cached_property
    def intents(self) -> Standard:
        """Each intent's documents; pairs ascend by row."""
        relevance, gains = self.relevance, self.gains
        return self._standard(
            relevance.intent, gains, len(relevance.intents), relevance.highest_grade
        )

    def _standard_of_topics(self, gain_of_row: Floats, highest_grade: int) -> Standard:
        judged = self.relevance.judged
        return self._standard(
            judged.topic_of_row, gain_of_row, len(self.relevance.topics), highest_grade
        )

    def _standard(self, group: Ints, gains: Floats, number: int, highest_grade: int) -> Standard:
        some = gains > 0
        if not some.all():
            group, gains = group[some], gains[some]
        R = counts(group, number).astype(np.float64)
        return Standard(R, self._largest(highest_grade, group, gains, number), group, gains)

    def _largest(self, highest_grade: int, group: Ints, gains: Floats, number: int) -> Floats:
        """gmax of each group: the gain of the highest grade, or the largest of its own."""
        if self.gmax.rule == "topic":
            largest = np.zeros(number)
            np.maximum.at(largest, group, gains)
            return largest
        if self.gmax.rule == "collection":
            return np.full(number, self.gain.of(highest_grade))
        value = self.gain.of(self.gmax.grade)
        found = float(gains.max(initial=0.0))
        if found > value * (1 + 1e-12):
            raise MeasureError(
                f"gmax={self.gmax} says that no gain is above {value:g}, "
                f"but the judgments hold a gain of {found:g}\n"
                "  to mend it: say --gmax collection, or a grade as high as the judgments' highest"
            )
        return np.full(number, value)

    # ---- ideal lists ----------------------------------------------------------------------------

    def ideal_lists(self, ideal: Ideal, cutoff: int | None) -> Lists:
        """The ideal lists of all topics, at least down to the cutoff."""
        held = self._ideals.get(ideal)
        if held is not None and (held[0] is None or (cutoff is not None and cutoff <= held[0])):
            return held[1]
        depth = None if cutoff is None else max(cutoff, self.depth)
        lists = self._build_ideal(ideal, depth)
        self._ideals[ideal] = (depth, lists)
        return lists

    def _build_ideal(self, ideal: Ideal, depth: int | None) -> Lists:
        if isinstance(ideal, Greedy):
            return greedy_lists(
                self.relevance, self.gains, self._greedy_weight(ideal.weights), ideal.alpha, depth
            )
        if isinstance(ideal, Jokers):
            if depth is None:
                raise MeasureError("a list of jokers has no end: the measure needs a cutoff")
            return joker_lists(self.relevance, depth, ideal.grade)
        assert isinstance(ideal, Best)
        return best_lists(self.relevance, self.overall_gain())

    def _greedy_weight(self, weighting: Weighting) -> Floats:
        """Weights as they are, but 1 where a topic's are all alike.

        As in ndeval, which has none: rounding then lets ties fall there as here.
        """
        weight, topic = self.weights(weighting), self.relevance.topic_of_intent
        least = np.full(len(self.relevance.topics), np.inf)
        most = np.zeros(len(self.relevance.topics))
        np.minimum.at(least, topic, weight)
        np.maximum.at(most, topic, weight)
        return np.where((least == most)[topic], 1.0, weight)

    # ---- weights of intents ---------------------------------------------------------------------

    def weights(self, weighting: Weighting) -> Floats:
        """One weight for every intent."""
        relevance = self.relevance
        if weighting == "probability":
            return relevance.probability
        if weighting == "one":
            return np.ones(len(relevance.intents))
        if weighting == "uniform":
            return 1.0 / relevance.intent_count[relevance.topic_of_intent]
        if weighting == "smr":
            return self._miss_rate_weights
        return self._weights_from(weighting)

    @cached_property
    def _miss_rate_weights(self) -> Floats:
        return miss_rate_weights(self.relevance)

    def _weights_from(self, name: str) -> Floats:
        given = self.weight_files.get(name)
        if given is None:
            raise MeasureError(f"no weights were read from {name!r}")
        relevance = self.relevance
        topics = relevance.topic_of_intent
        weight = np.array(
            [
                given.get(relevance.topics[topic], {}).get(intent, 0.0)
                for topic, intent in zip(topics.tolist(), relevance.intents, strict=True)
            ]
        )
        total = totals(topics, weight, len(relevance.topics))
        if (total[topics] <= 0).any():
            missing = relevance.topics[int(topics[total[topics] <= 0][0])]
            raise InputError(
                f"the intents of topic {missing} have no weights",
                path=name,
                expected="lines `topic intent weight` for every judged topic",
                remedy="add the topic's intents",
            )
        return weight / total[topics]


def _pseudo(total: Ints) -> Ints:
    """floor(log2(S + 1)): the exponent of S + 1 as frexp gives it, less one."""
    exponent: Ints = np.frexp(total.astype(np.float64) + 1.0)[1].astype(np.int64) - 1
    return exponent
