"""Random orders of a topic's relevant documents (Golbus et al. 2013, section 7.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from polyseme.collection.lists import Lists
from polyseme.collection.relevance import Relevance
from polyseme.errors import PolysemeError
from polyseme.groups import Floats, Ints, offsets

Drawing = Literal["uniform", "intent-first"]
DRAWINGS: tuple[str, ...] = get_args(Drawing)
#: how orders come about, for those who read the numbers
DRAWN = {
    "uniform": "all orders of the relevant documents are equally likely",
    "intent-first": "each rank first chooses an intent by its probability, then one of the most "
    "relevant documents left for it",
}


@dataclass(frozen=True, eq=False)
class RelevantDocuments:
    """The relevant documents of one topic."""

    topic: int
    #: their rows in the judgments, ascending
    rows: Ints
    #: grades of documents x intents, 0 where not relevant
    grades: Ints
    probability: Floats

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def covers(self) -> Ints:
        return (self.grades > 0).astype(np.int64)


def relevant_documents(relevance: Relevance) -> Iterator[RelevantDocuments]:
    """Topic by topic, those that have a relevant document."""
    rows = np.flatnonzero(relevance.relevant_intents > 0)
    topic_of = relevance.judged.topic_of_row[rows]
    for topic in np.unique(topic_of).tolist():
        mine = rows[topic_of == topic]
        first, last = relevance.intent_start[topic], relevance.intent_start[topic + 1]
        grades = np.zeros((len(mine), int(last - first)), dtype=np.int64)
        for place, row in enumerate(mine.tolist()):
            span = slice(int(relevance.start[row]), int(relevance.start[row + 1]))
            grades[place, relevance.intent[span] - first] = relevance.grade[span]
        yield RelevantDocuments(topic, mine, grades, relevance.probability[first:last])


def random_orders(
    documents: RelevantDocuments, number: int, depth: int, seed: int, drawing: Drawing = "uniform"
) -> Ints:
    """``number`` orders of a topic's relevant documents, as far as ``depth``: orders x ranks.

    A topic's orders depend on the seed, on its place among the topics and on its documents.
    """
    if drawing not in DRAWINGS:
        raise PolysemeError(f"drawing must be {' or '.join(DRAWINGS)}. Got {drawing!r} instead.")
    rng = np.random.Generator(np.random.Philox(key=np.array([seed, documents.topic], np.uint64)))
    draw: Callable[..., Ints] = _uniform if drawing == "uniform" else _intent_first
    return draw(rng, documents, number, min(depth, len(documents)))


def _uniform(
    rng: np.random.Generator, documents: RelevantDocuments, number: int, depth: int
) -> Ints:
    """Fisher and Yates's shuffle, stopped at the depth; all orders take each step together."""
    count = len(documents)
    luck = rng.random((depth, number))
    order = np.tile(np.arange(count), (number, 1)).T.copy()
    each = np.arange(number)
    for rank in range(depth):
        other = rank + (luck[rank] * (count - rank)).astype(np.int64)
        taken = order[other, each]
        order[other, each] = order[rank]
        order[rank] = taken
    first: Ints = order[:depth].T.copy()
    return first


def _intent_first(
    rng: np.random.Generator, documents: RelevantDocuments, number: int, depth: int
) -> Ints:
    """An intent by its probability among those with documents left, then the best of these."""
    grades, covers = documents.grades, documents.covers
    left = np.ones((number, len(documents)), dtype=np.int64)
    order = np.zeros((number, depth), dtype=np.int64)
    each = np.arange(number)
    for rank in range(depth):
        luck = rng.random((2, number))
        open_intents = left @ covers > 0
        weight = open_intents * documents.probability
        # intents of probability 0 are served last, all alike
        weight = np.where(weight.sum(axis=1, keepdims=True) > 0, weight, open_intents)
        intent = _chosen(weight, luck[0])
        worth = grades.T[intent] * left
        best = (worth == worth.max(axis=1, keepdims=True)) & (worth > 0)
        order[:, rank] = _chosen(best.astype(np.float64), luck[1])
        left[each, order[:, rank]] = 0
    return order


def _chosen(weight: Floats, luck: Floats) -> Ints:
    """In each row one column, with probability proportional to its weight."""
    reached = np.cumsum(weight, axis=1)
    below = reached <= (luck * reached[:, -1])[:, None]
    chosen: Ints = np.minimum(below.sum(axis=1), _last(weight))
    return chosen


def _last(weight: Floats) -> Ints:
    """The last column with any weight, for luck that rounds up to 1."""
    place: Ints = weight.shape[1] - 1 - np.argmax(weight[:, ::-1] > 0, axis=1)
    return place


def as_lists(documents: RelevantDocuments, order: Ints) -> Lists:
    """Orders as lists of retrieved documents, a run each."""
    number, depth = order.shape
    return Lists(
        run=np.arange(number),
        topic=np.full(number, documents.topic),
        length=np.full(number, depth),
        hit_start=offsets(np.full(number, depth)),
        rank=np.tile(np.arange(1, depth + 1), number),
        row=documents.rows[order.reshape(-1)],
    )
