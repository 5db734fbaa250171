"""Lists as files that other people's programs read: each list is the one run's list of a topic."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Literal, TextIO

import numpy as np

from polyseme.atomic import write_atomically
from polyseme.collection.judgments import Judged
from polyseme.collection.lists import Lists
from polyseme.errors import PolysemeError

#: judgments intent by intent, or one grade a document, for programs that know no intents
Judgments = Literal["intents", "adhoc"]
Place = TextIO | str | os.PathLike[str]
TAG = "polyseme"


def documents_of(lists: Lists, judged: Judged) -> Iterator[list[str]]:
    """The identifiers of each list's documents; unjudged ones get names of their own."""
    if (lists.row < 0).any():
        raise PolysemeError(
            "a document that stands for every intent cannot be written as judgments: programs "
            "would put it into their ideal lists too\n"
            "  to mend it: take no terminal document with grades above 0"
        )
    names = list(judged.documents)
    starts = lists.hit_start.tolist()
    ranks, rows = lists.rank.tolist(), lists.row.tolist()
    for number, length in enumerate(lists.length.tolist()):
        found = [""] * length
        for hit in range(starts[number], starts[number + 1]):
            found[ranks[hit] - 1] = names[rows[hit]]
        yield [name or f"unjudged_{rank}" for rank, name in enumerate(found, 1)]


def write_lists(
    lists: Lists, judged: Judged, qrels: Place, run: Place, *, judgments: Judgments = "intents"
) -> None:
    """Write lists as topics 1, 2, ... of one run, with the judgments of each one's topic.

    An empty list has judgments and no line in the run.
    """
    with ExitStack() as stack:
        graded, ranked = (
            stack.enter_context(write_atomically(each))
            if isinstance(each, str | os.PathLike)
            else each
            for each in (qrels, run)
        )
        pieces = {
            topic: _judgments(judged, topic, judgments) for topic in np.unique(lists.topic).tolist()
        }
        for number, topic in enumerate(lists.topic.tolist(), 1):
            before = f"{number} "
            graded.writelines(before + line for line in pieces[topic])
        for number, documents in enumerate(documents_of(lists, judged), 1):
            most = len(documents)
            ranked.writelines(
                f"{number} Q0 {name} {rank} {most + 1 - rank} {TAG}\n"
                for rank, name in enumerate(documents, 1)
            )


def _judgments(judged: Judged, topic: int, judgments: Judgments) -> list[str]:
    """Lines of judgments of one topic, but for the topic's name."""
    name = judged.topics[topic]
    lines: Iterable[tuple[str, str, int]]
    lines = [(intent, doc, grade) for t, intent, doc, grade in judged.lines() if t == name]
    if judgments == "adhoc":
        highest: dict[str, int] = {}
        for _, document, grade in lines:
            highest[document] = max(grade, highest.get(document, grade))
        lines = [("0", document, grade) for document, grade in highest.items()]
    return [f"{intent} {document} {grade}\n" for intent, document, grade in lines]
