"""Triplets of a topic and two result lists, chosen so that people can see a difference.

Sakai and Zeng 2019, section 6.1: of all triplets those whose lists differ clearly in relevance
(P) and in diversity (I-rec), without topics for which a run is short, and without lists that
cannot be shown as people would see them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np

from polyseme.errors import PolysemeError
from polyseme.results import Result
from polyseme.scores import Scores, check_several
from polyseme.tables import Column, Report, Row, Table, labels

Short = Literal["topic", "triplet"]
#: what a list that is too short removes: its whole topic, or its own triplets
SHORT: tuple[str, ...] = get_args(Short)
CUTOFF = 10
DIFFERENCE = 0.1
#: a difference of .1 is no more than .1, however it was computed
SLACK = 1e-9


@dataclass(frozen=True, order=True)
class Triplet:
    """A topic and the two runs whose lists are compared; the first is the left one."""

    topic: str
    run_a: str
    run_b: str

    @property
    def name(self) -> str:
        """What columns of matrices call it."""
        return f"{self.topic}/{self.run_a}/{self.run_b}"


@dataclass(frozen=True)
class Step:
    """What one step of choosing left."""

    name: str
    triplets: int
    #: what was asked of a triplet to stay
    meaning: str


@dataclass(frozen=True)
class Choice(Result):
    """The chosen triplets, how far apart their lists are, and how the choice went."""

    triplets: tuple[Triplet, ...]
    measures: tuple[str, ...]
    #: of each triplet: the first run's value less the second's, by each measure
    differences: tuple[tuple[float, ...], ...]
    steps: tuple[Step, ...]
    #: topics and what was wrong with them
    notes: tuple[str, ...] = ()
    made: Mapping[str, Any] = field(default_factory=dict)

    @property
    def columns(self) -> tuple[str, ...]:
        """A name for each measure's differences."""
        return difference_columns(self.measures)

    def report(self) -> Report:
        rows: list[Row] = [
            (each.topic, each.run_a, each.run_b, *differences)
            for each, differences in zip(self.triplets, self.differences, strict=True)
        ]
        data = Table((*labels("topic", "run_a", "run_b"), *map(Column, self.columns)), rows)
        return Report(
            data,
            notes=(*self._told(), *self.notes),
            provenance=self.made,
            facts={"funnel": [{"step": s.name, "triplets": s.triplets} for s in self.steps]},
        )

    def funnel(self) -> Funnel:
        """How many triplets each step left."""
        return Funnel(self.steps, self.notes, self.made)

    def _told(self) -> Iterator[str]:
        counts = " → ".join(f"{step.triplets:,} {step.name}" for step in self.steps)
        topics = len({each.topic for each in self.triplets})
        yield f"{len(self.triplets):,} triplets of {topics} topics: {counts}"


@dataclass(frozen=True)
class Funnel(Result):
    """How many triplets each step left."""

    steps: tuple[Step, ...]
    notes: tuple[str, ...] = ()
    made: Mapping[str, Any] = field(default_factory=dict)

    def report(self) -> Report:
        rows: list[Row] = [(step.name, step.triplets) for step in self.steps]
        seen: list[Row] = [
            (step.name, step.triplets, before - step.triplets if number else None, step.meaning)
            for number, (step, before) in enumerate(
                zip(self.steps, [0, *(s.triplets for s in self.steps)], strict=False)
            )
        ]
        columns = (*labels("step"), Column("triplets"))
        more = (Column("removed"), Column("kept are", "prose"))
        return Report(
            Table(columns, rows),
            tables=(Table((*columns, *more), seen),),
            notes=self.notes,
            provenance=self.made,
        )


@dataclass(frozen=True)
class Shown:
    """What judges would be shown: each run's first documents, and what is known of these."""

    #: run -> topic -> its first documents
    lists: Mapping[str, Mapping[str, Sequence[str]]]
    #: the title of a document, None where it has none; not known at all: no such step
    title: Callable[[str], str | None] | None = None
    #: whether a document's text can be read as text
    decodable: Callable[[str], bool] | None = None
    #: how many documents a list must have
    cutoff: int = CUTOFF

    def documents(self, run: str, topic: str) -> Sequence[str]:
        """What a judge sees of a run."""
        return self.lists.get(run, {}).get(topic, ())[: self.cutoff]


def choose_triplets(
    scores: Scores,
    shown: Shown | None = None,
    *,
    difference: float = DIFFERENCE,
    short: Short = "topic",
) -> Choice:
    """Triplets whose lists differ by more than ``difference`` in every measure of the scores.

    Then, as far as ``shown`` knows, topics for which a run has fewer documents than judges are to
    see are removed (``short="triplet"``: only triplets with such a list), and triplets with a
    document that has no title, or whose title or text cannot be decoded.
    """
    if short not in SHORT:
        raise PolysemeError(f"short must be topic or triplet. Got {short!r} instead.")
    if not 0 <= difference < np.inf:
        raise PolysemeError(f"difference must be a number of 0 or more. Got {difference} instead.")
    check_several(scores.runs, "compare")
    every = list(_all(scores))
    measures = " and in ".join(scores.measures)
    steps = [Step("all", len(every), "topics x pairs of runs")]
    kept = [(t, gaps) for t, gaps in every if all(abs(gap) > difference + SLACK for gap in gaps)]
    steps.append(Step("different", len(kept), f"more than {difference:g} apart in {measures}"))
    notes: list[str] = []
    if shown is None:
        notes.append(
            "the lists are not at hand: whether runs are short, titles are there and texts can be "
            "decoded was not looked at"
        )
    else:
        for name, meaning, keeps in _filters(scores, shown, short, notes):
            kept = [(t, gaps) for t, gaps in kept if keeps(t)]
            steps.append(Step(name, len(kept), meaning))
    return Choice(
        tuple(triplet for triplet, _ in kept),
        scores.measures,
        tuple(gaps for _, gaps in kept),
        tuple(steps),
        tuple(notes),
        {**scores.provenance, "difference": difference, "short": short},
    )


def _all(scores: Scores) -> Iterator[tuple[Triplet, tuple[float, ...]]]:
    for place, topic in enumerate(scores.topics):
        values = scores.values[:, place]
        held = scores.entered[:, place] & np.isfinite(values).all(axis=1)
        for a, b in combinations(np.flatnonzero(held).tolist(), 2):
            gaps = (values[a] - values[b]).tolist()
            yield Triplet(topic, scores.runs[a], scores.runs[b]), tuple(gaps)


Filter = tuple[str, str, Callable[[Triplet], bool]]


def _filters(scores: Scores, shown: Shown, short: Short, notes: list[str]) -> Iterator[Filter]:
    lacking = {
        topic: [r for r in scores.runs if len(shown.documents(r, topic)) < shown.cutoff]
        for topic in scores.topics
    }
    lacking = {topic: runs for topic, runs in lacking.items() if runs}
    if lacking:
        topic, runs = max(lacking.items(), key=lambda item: len(item[1]))
        notes.append(
            f"topics for which a run has fewer than {shown.cutoff} documents: {len(lacking)} "
            f"(most runs: {len(runs)}, topic {topic})"
        )
    if short == "topic":
        yield (
            "long",
            f"of topics for which every run has {shown.cutoff} documents",
            lambda triplet: triplet.topic not in lacking,
        )
    else:
        yield (
            "long",
            f"of two lists of {shown.cutoff} documents",
            lambda triplet: (
                not {triplet.run_a, triplet.run_b} & set(lacking.get(triplet.topic, ()))
            ),
        )
    title, decodable = shown.title, shown.decodable
    if title is None:
        notes.append("titles were not looked at: none were given")
    else:
        yield "titled", "all documents have a title", _all_documents(shown, _has_title(title))
    if title is not None or decodable is not None:
        yield (
            "decodable",
            "all titles and texts can be decoded",
            _all_documents(shown, _is_decodable(title, decodable)),
        )


def _all_documents(shown: Shown, holds: Callable[[str], bool]) -> Callable[[Triplet], bool]:
    """Whether something holds of all documents of both lists; asked once a document."""
    known: dict[str, bool] = {}

    def of(document: str) -> bool:
        if document not in known:
            known[document] = holds(document)
        return known[document]

    return lambda triplet: all(
        of(document)
        for run in (triplet.run_a, triplet.run_b)
        for document in shown.documents(run, triplet.topic)
    )


def _has_title(title: Callable[[str], str | None]) -> Callable[[str], bool]:
    return lambda document: bool((title(document) or "").strip())


def _is_decodable(
    title: Callable[[str], str | None] | None, decodable: Callable[[str], bool] | None
) -> Callable[[str], bool]:
    def holds(document: str) -> bool:
        # what a program wrote where it could not decode
        broken = title is not None and "\ufffd" in (title(document) or "")
        return not broken and (decodable is None or decodable(document))

    return holds


def difference_columns(measures: Collection[str]) -> tuple[str, ...]:
    """``difference_p`` for P@10 and so on; whole names of measures where short ones clash."""
    short = [re.sub(r"[^a-z0-9]", "", name.partition("@")[0].lower()) for name in measures]
    if len(set(short)) < len(short):
        short = list(measures)
    return tuple(f"difference_{name}" for name in short)
