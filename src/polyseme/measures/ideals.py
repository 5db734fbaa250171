"""Ideal lists: what a list is compared with. They are Lists like all others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polyseme.collection.lists import Lists, joker
from polyseme.collection.relevance import Relevance
from polyseme.groups import Floats, Ints, counts, offsets
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
    order = np.lexsort((-rows, -gain_of_row[rows], topic))
    return lists_of_topics(relevance, topic[order], rows[order])


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
    patterns = _Patterns.of(relevance, gain, weight)
    topics: list[Ints] = []
    rows: list[Ints] = []
    for block in patterns.blocks():
        topic, row = block.greedy(alpha, depth)
        topics.append(topic)
        rows.append(row)
    none = [np.zeros(0, dtype=np.int64)]
    topic, row = np.concatenate(topics or none), np.concatenate(rows or none)
    order = np.argsort(topic, kind="stable")
    return lists_of_topics(relevance, topic[order], row[order])


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


@dataclass(frozen=True, eq=False)
class _Patterns:
    """Relevant documents grouped by topic and by their gains for all intents."""

    #: of each pattern: its topic, and its documents, the last identifier first
    topic: Ints
    member_start: Ints
    member: Ints
    #: (pattern, local intent) weighed gains, 0 where not relevant
    value: Floats

    @classmethod
    def of(cls, relevance: Relevance, gain: Floats, weight: Floats) -> _Patterns:
        widest = int(relevance.intent_count.max(initial=0))
        rows = np.flatnonzero(np.diff(relevance.start) > 0)
        place = np.zeros(len(relevance.start) - 1, dtype=np.int64)
        place[rows] = np.arange(len(rows))
        topic = relevance.judged.topic_of_row[rows]
        value = np.zeros((len(rows), widest))
        local = (
            relevance.intent - relevance.intent_start[relevance.topic_of_intent[relevance.intent]]
        )
        value[place[relevance.row], local] = gain * weight[relevance.intent]
        distinct, pattern = _patterns_of(topic, value)
        order = np.lexsort((-rows, pattern))
        return cls(
            topic=topic[distinct],
            member_start=offsets(counts(pattern, len(distinct))),
            member=rows[order],
            value=value[distinct],
        )

    def blocks(self, size: int = 2_000_000) -> list[_Block]:
        """Topics of like size side by side, padded to one width, in bounded memory."""
        if not len(self.topic):
            return []
        start = np.flatnonzero(np.diff(self.topic, prepend=-1))
        count = np.diff(np.append(start, len(self.topic)))
        order = np.argsort(count, kind="stable")
        blocks: list[_Block] = []
        first = 0
        while first < len(order):
            # widths ascend, so the last topic of a block decides how many fit
            last = first + 1
            while last < len(order) and (
                (last + 1 - first) * int(count[order[last]]) * self.value.shape[1] <= size
            ):
                last += 1
            blocks.append(_Block(self, start[order[first:last]], count[order[first:last]]))
            first = last
        return blocks


#: no number of a pattern may be larger
_LARGEST = 1 << 62


def _patterns_of(topic: Ints, value: Floats) -> tuple[Ints, Ints]:
    """A document of each pattern, patterns ascending by topic and values, and each one's pattern.

    Column by column: sorting numbers is much quicker than sorting rows.
    """
    pattern, size = topic, int(topic.max(initial=0)) + 1
    for column in value.T:
        levels, level = np.unique(column, return_inverse=True)
        if size * len(levels) > _LARGEST:
            pattern = np.unique(pattern, return_inverse=True)[1]
            size = len(pattern)
        pattern, size = pattern * len(levels) + level, size * len(levels)
    _, first, pattern = np.unique(pattern, return_index=True, return_inverse=True)
    return first, pattern


@dataclass(frozen=True, eq=False)
class _Block:
    patterns: _Patterns
    start: Ints
    count: Ints

    def greedy(self, alpha: float, depth: int | None) -> tuple[Ints, Ints]:
        patterns, width = self.patterns, int(self.count.max())
        slot = np.minimum(np.arange(width), self.count[:, None] - 1) + self.start[:, None]
        real = np.arange(width) < self.count[:, None]
        value = np.where(real[:, :, None], patterns.value[slot], 0.0)
        following = patterns.member_start[slot].copy()
        stop = np.where(real, patterns.member_start[slot + 1], following)
        documents = stop.sum(axis=1) - following.sum(axis=1)
        steps = int(documents.max()) if depth is None else min(depth, int(documents.max()))
        state = np.ones((len(self.start), value.shape[2]))
        here = np.arange(len(self.start))
        topic_of_pattern = patterns.topic[self.start]
        topics: list[Ints] = []
        rows: list[Ints] = []
        for _ in range(steps):
            worth = np.zeros(value.shape[:2])
            for intent in range(value.shape[2]):
                worth += value[:, :, intent] * state[:, None, intent]
            open_ = following < stop
            head = np.where(
                open_, patterns.member[np.minimum(following, len(patterns.member) - 1)], -1
            )
            worth = np.where(open_, worth, -1.0)
            most = worth.max(axis=1)
            chosen = np.where(worth == most[:, None], head, -1).argmax(axis=1)
            row = head[here, chosen]
            alive = row >= 0
            topics.append(topic_of_pattern[alive])
            rows.append(row[alive])
            following[here[alive], chosen[alive]] += 1
            state *= np.where(value[here, chosen] > 0, 1.0 - alpha, 1.0)
        none = [np.zeros(0, dtype=np.int64)]
        return np.concatenate(topics or none), np.concatenate(rows or none)
