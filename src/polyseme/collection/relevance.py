"""What is relevant to what, once the policies on intents, grades and probabilities have spoken."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from polyseme.collection.judgments import JUDGED_ONLY, Judged
from polyseme.errors import PolysemeWarning
from polyseme.groups import Bools, Floats, Ints, counts, offsets, owners, totals


@dataclass(frozen=True)
class RelevanceRules:
    """What counts as relevant, to which intents, and how intents are weighed."""

    keep_empty_intents: bool = False
    relevant_from: int = 1
    #: make probabilities add up to 1; else they stay as they were typed
    renormalise: bool = True
    #: decimals to which uniform probabilities are typed, for a program that reads them so
    typed_decimals: int | None = None
    #: is a document that has negative grades only a judged one?
    negative_is_judged: bool = True


@dataclass(frozen=True, eq=False)
class Relevance:
    """Relevant documents only, intent by intent; rows are those of :class:`Judged`.

    Grades are kept, gains are made later: a measure may carry its own gain. The highest grades
    belong to the whole collection, also where documents or topics have been left out.
    """

    judged: Judged
    intent_start: Ints
    intents: tuple[str, ...]
    #: weights of a topic's intents; they add up to 1 unless the policy keeps them as typed
    probability: Floats
    navigational: Bools
    #: row d is relevant to intent[start[d]:start[d + 1]], ascending, with these grades
    start: Ints
    intent: Ints
    grade: Ints
    #: rows that count as judged for the intents' own measures
    is_judged: Bools
    highest_grade: int
    #: the lowest relevant grade, and the rows that were left out
    bar: int
    without: Bools | None

    @property
    def topics(self) -> tuple[str, ...]:
        return self.judged.topics

    @cached_property
    def row(self) -> Ints:
        """The row of every relevant (row, intent) pair."""
        return owners(self.start)

    @cached_property
    def relevant_intents(self) -> Ints:
        """To how many intents each row is relevant."""
        return np.diff(self.start)

    @cached_property
    def topic_of_intent(self) -> Ints:
        return owners(self.intent_start)

    @cached_property
    def intent_count(self) -> Ints:
        return np.diff(self.intent_start)

    @cached_property
    def relevant_to(self) -> Ints:
        """R_i: how many documents are relevant to each intent."""
        return counts(self.intent, len(self.intents))

    @cached_property
    def relevant_in(self) -> Ints:
        """R_T: how many documents of each topic are relevant to any intent."""
        relevant = np.diff(self.start) > 0
        return counts(self.judged.topic_of_row[relevant], len(self.topics))

    def intents_of(self, topic: int) -> tuple[str, ...]:
        return self.intents[self.intent_start[topic] : self.intent_start[topic + 1]]


def relevance(
    judged: Judged, rules: RelevanceRules = RelevanceRules(), *, without: Bools | None = None
) -> Relevance:
    """Apply the policies to judgments, ``without`` some rows (as if nobody had judged them)."""
    bar = max(rules.relevant_from, 1)
    counted = judged.line_grade >= bar
    is_judged = judged.listed
    if not rules.negative_is_judged:
        is_judged = is_judged & (
            counts(judged.row_of_line[judged.line_grade >= 0], len(judged.documents)) > 0
        )
    if without is not None:
        counted = counted & ~without[judged.row_of_line]
        is_judged = is_judged & ~without
    kept = _kept_intents(judged, counted, rules.keep_empty_intents)
    moved = np.cumsum(kept) - 1
    counted = counted & kept[judged.line_intent]
    topic_of_kept = judged.topic_of_intent[kept]
    relevant_lines = counts(judged.row_of_line[counted], len(judged.documents))
    return Relevance(
        judged=judged,
        intent_start=offsets(counts(topic_of_kept, len(judged.topics))),
        intents=tuple(name for name, keep in zip(judged.intents, kept, strict=True) if keep),
        probability=_probabilities(judged, kept, rules),
        navigational=judged.navigational[kept],
        start=offsets(relevant_lines),
        intent=moved[judged.line_intent[counted]],
        grade=judged.line_grade[counted],
        is_judged=is_judged,
        highest_grade=judged.highest_grade if judged.highest_grade >= bar else 0,
        bar=bar,
        without=without,
    )


def _kept_intents(judged: Judged, counted: Bools, keep_empty: bool) -> Bools:
    relevant = counts(judged.line_intent[counted], len(judged.intents)) > 0
    if not keep_empty:
        return relevant
    judged_only = np.array([name == JUDGED_ONLY for name in judged.intents], dtype=np.bool_)
    return ~judged_only | relevant


def _probabilities(judged: Judged, kept: Bools, rules: RelevanceRules) -> Floats:
    """Resolve what was given: uniform where nothing was, 0 for an intent left out, sums of 1."""
    topics = judged.topic_of_intent[kept]
    count = len(judged.topics)
    given = judged.given_probability[kept]
    said = counts(judged.topic_of_intent[~np.isnan(judged.given_probability)], count) > 0
    silent = np.isnan(given) & said[topics]
    if silent.any():
        intent = int(np.flatnonzero(silent)[0])
        names = [name for name, keep in zip(judged.intents, kept, strict=True) if keep]
        warnings.warn(
            f"{int(silent.sum())} intents have no probability in topics that have some "
            f"(the first: intent {names[intent]} of topic {judged.topics[topics[intent]]}); "
            "they count 0, but still in I-rec",
            PolysemeWarning,
            stacklevel=2,
        )
    weight = np.where(np.isnan(given), 0.0, given)
    total = totals(topics, weight, count)
    number = counts(topics, count)
    nothing_left = said & (total <= 0) & (number > 0)
    if nothing_left.any():
        names_left = [judged.topics[index] for index in np.flatnonzero(nothing_left)]
        warnings.warn(
            f"every intent with a relevant document has probability 0 in {len(names_left)} topics "
            f"(the first: {names_left[0]}); uniform probabilities are used there",
            PolysemeWarning,
            stacklevel=2,
        )
    uniform = (~said | nothing_left)[topics]
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = weight / total[topics] if rules.renormalise else weight
        alike = 1.0 / number[topics]
    if rules.typed_decimals is not None:
        alike = np.round(alike, rules.typed_decimals)
    return np.where(uniform, alike, shares)
