"""Runs without their unjudged documents, as lists that any program orders in the same way."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from polyseme.collection.judgments import Judged
from polyseme.collection.runs import (
    BY_SCORE,
    Ordered,
    Ordering,
    Retrieved,
    Run,
    in_order,
    warn_of_order,
)
from polyseme.errors import InputError


@dataclass
class Condensed:
    """One run's condensed lists, and what became of it."""

    name: str
    lists: list[Retrieved] = field(default_factory=list)
    #: documents that were retrieved for judged topics
    retrieved: int = 0
    #: topics that are not judged, left out
    unjudged: list[str] = field(default_factory=list)
    #: topics without any judged document: nothing is left to write
    emptied: list[str] = field(default_factory=list)
    #: lists whose scores were made anew, so that they descend strictly
    rescored: int = 0

    @property
    def kept(self) -> int:
        """How many documents are left."""
        return sum(len(one.documents) for one in self.lists)


def condense(
    run: Run, judged: Judged, how: Ordering = BY_SCORE, *, depth: int | None = None
) -> Condensed:
    """The run without unjudged documents (Sakai 2007), ``depth`` of each topic at most.

    Ranks are numbered anew. A topic keeps its scores where they descend strictly even in single
    precision, so that sorting by score, by rank or not at all gives one order, whatever a program
    does with ties; elsewhere scores count down to 1. Documents retrieved again are left out.
    """
    made = Condensed(run.name)
    disagreeing = topics = 0
    for retrieved in run.topics():
        topics += 1
        ordered = in_order(retrieved, how, path=run.path)
        disagreeing += ordered.scores_disagree
        topic = judged.topic_index.get(retrieved.topic)
        if topic is None:
            made.unjudged.append(retrieved.topic)
            continue
        made.retrieved += len(ordered.documents)
        known = judged.rows_of(topic)
        kept = [
            place
            for place, document in enumerate(ordered.documents)
            if document in known and place not in ordered.blank
        ][:depth]
        if not kept:
            made.emptied.append(retrieved.topic)
            continue
        made.lists.append(_list(retrieved, ordered, kept, made))
    if not made.lists:
        raise InputError(
            f"the run {run.name!r} holds no judged document",
            path=run.path,
            expected=f"topics of the judgments, such as {', '.join(judged.topics[:3])}, "
            "and documents that they name",
            remedy="give the run of the same topics and documents, spelled the same way",
        )
    warn_of_order({run.name: disagreeing}, how.order)
    return made


def _list(
    retrieved: Retrieved, ordered: Ordered, kept: Sequence[int], made: Condensed
) -> Retrieved:
    documents = [ordered.documents[place] for place in kept]
    iterations: list[int] | None = None
    if ordered.iteration_ends is not None:
        iterations = [bisect_right(ordered.iteration_ends, place) for place in kept]
    scores = _scores_of(retrieved, documents)
    if not _descends(scores):
        made.rescored += 1
        scores = [float(count) for count in range(len(documents), 0, -1)]
    return Retrieved(
        retrieved.topic, documents, scores, list(range(1, len(documents) + 1)), iterations
    )


def _scores_of(retrieved: Retrieved, documents: Sequence[str]) -> list[float]:
    """The documents' own scores; none where there are none, or two for one document."""
    if retrieved.scores is None or len(set(retrieved.documents)) < len(retrieved.documents):
        return []
    known = dict(zip(retrieved.documents, retrieved.scores, strict=True))
    return [known[document] for document in documents]


def _descends(scores: Sequence[float]) -> bool:
    with np.errstate(over="ignore"):
        single = np.asarray(scores, dtype=np.float32)
    return (
        bool(scores)
        and bool(np.isfinite(single).all())
        and all(sooner > later for sooner, later in pairwise(single))
    )


def told(condensed: Condensed) -> Iterator[str]:
    """Sentences on what a reader of the files should know."""
    name = condensed.name
    if condensed.unjudged:
        yield f"{name}: {len(condensed.unjudged)} topics are not judged and left out"
    if condensed.emptied:
        yield (
            f"{name}: {len(condensed.emptied)} topics (the first: {condensed.emptied[0]}) hold no "
            "judged document and have no line; means over retrieved topics leave them out"
        )
