"""Ideal lists: what a list is compared with. They are Lists like all others."""

from __future__ import annotations

import numpy as np

from polyseme.collection.lists import Lists, joker
from polyseme.collection.relevance import Relevance
from polyseme.groups import Floats, Ints, counts, offsets
from polyseme.kernels import greedy, ranked
from polyseme.values import Value

#: how a topic's intents are weighed: "probability", "uniform", "one", "smr", or a file's name
Weighting = str


class Best(Value):
    """Documents by gain, the best first."""


class Greedy(Value):
    """At each rank the document that adds most, as alpha-nDCG's authors build it.

    Ties go to the document that comes last by its identifier.
    """

    alpha: float = 0.5
    weights: Weighting = "probability"


class Jokers(Value):
    """Documents relevant to every intent, at every rank: ndeval's "ideal ideal"."""

    grade: int = 1


Ideal = Best | Greedy | Jokers


def best_lists(relevance: Relevance, gain_of_row: Floats) -> Lists:
    """Each topic's documents with a gain, the largest first."""
    rows = np.flatnonzero(gain_of_row > 0)
    topic = relevance.judged.topic_of_row[rows]
    order, _ = ranked(topic, len(relevance.topics), gain_of_row[rows])
    return lists_of_topics(relevance, topic, rows[order])


def joker_lists(relevance: Relevance, depth: int, grade: int) -> Lists:
    """For each topic ``depth`` documents relevant to all its intents."""
    count = len(relevance.topics)
    topic = np.repeat(np.arange(count), depth)
    return lists_of_topics(relevance, topic, np.full(len(topic), joker(grade)))


def greedy_lists(
    relevance: Relevance, gain: Floats, weight: Floats, alpha: float, depth: int | None
) -> Lists:
    """The greedy ideal of every topic, ``depth`` documents long (else all relevant ones).

    ``gain`` belongs to the relevant (row, intent) pairs, ``weight`` to the intents. Documents
    of equal gains for all intents are one pattern, of which the last by identifier comes first;
    a pattern's value at each step is a sum over intents in ascending order of running products,
    so that rounding decides ties as it does in ndeval.
    """
    judged = relevance.judged
    number, rows = greedy(
        judged.document_start,
        relevance.start,
        relevance.intent_start,
        relevance.intent,
        gain * weight[relevance.intent],
        1.0 - alpha,
        depth,
    )
    return lists_of_topics(relevance, np.repeat(np.arange(len(number)), number), rows)


def lists_of_topics(relevance: Relevance, topic: Ints, row: Ints) -> Lists:
    """One list for each topic, holding the rows that are named in rank order."""
    count = len(relevance.topics)
    length = counts(topic, count)
    start = offsets(length)
    return Lists(
        run=np.zeros(count, dtype=np.int64),
        topic=np.arange(count),
        length=length,
        hit_start=start,
        rank=np.arange(len(row)) - start[:-1][topic] + 1,
        row=row,
    )
