"""The greedy ideal in NumPy, as `polyseme._kernels` builds it: every topic's next document at once.

Documents with equal values for all intents are one pattern, so a step looks at patterns only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polyseme.groups import Floats, Ints, counts, offsets, owners

__all__ = ["greedy"]

#: no number of a pattern may be larger
_LARGEST = 1 << 62


def greedy(
    document_start: Ints,
    pair_start: Ints,
    intent_start: Ints,
    intent: Ints,
    value: Floats,
    left: float,
    depth: int,
) -> tuple[Ints, Ints]:
    """For each topic its relevant documents, at each step the one that adds most."""
    patterns = _Patterns.of(document_start, pair_start, intent_start, intent, value)
    topics = [np.zeros(0, dtype=np.int64)]
    rows = [np.zeros(0, dtype=np.int64)]
    for block in patterns.blocks():
        topic, row = block.greedy(left, depth)
        topics.append(topic)
        rows.append(row)
    topic, row = np.concatenate(topics), np.concatenate(rows)
    order = np.argsort(topic, kind="stable")
    return counts(topic, len(document_start) - 1), row[order]


@dataclass(frozen=True, eq=False)
class _Patterns:
    """Relevant documents grouped by topic and by their values for all intents."""

    #: of each pattern: its topic, and its documents, the last identifier first
    topic: Ints
    member_start: Ints
    member: Ints
    #: (pattern, local intent) values, 0 where not relevant
    value: Floats

    @classmethod
    def of(
        cls,
        document_start: Ints,
        pair_start: Ints,
        intent_start: Ints,
        intent: Ints,
        given: Floats,
    ) -> _Patterns:
        widest = int(np.diff(intent_start).max(initial=0))
        rows = np.flatnonzero(np.diff(pair_start) > 0)
        place = np.zeros(len(pair_start) - 1, dtype=np.int64)
        place[rows] = np.arange(len(rows))
        topic = owners(document_start)[rows]
        value = np.zeros((len(rows), widest))
        local = intent - intent_start[owners(intent_start)[intent]]
        value[place[owners(pair_start)], local] = given
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

    def greedy(self, left: float, depth: int) -> tuple[Ints, Ints]:
        patterns, width = self.patterns, int(self.count.max())
        slot = np.minimum(np.arange(width), self.count[:, None] - 1) + self.start[:, None]
        real = np.arange(width) < self.count[:, None]
        value = np.where(real[:, :, None], patterns.value[slot], 0.0)
        following = patterns.member_start[slot].copy()
        stop = np.where(real, patterns.member_start[slot + 1], following)
        documents = stop.sum(axis=1) - following.sum(axis=1)
        steps = int(documents.max()) if depth < 0 else min(depth, int(documents.max()))
        state = np.ones((len(self.start), value.shape[2]))
        here = np.arange(len(self.start))
        topic_of_pattern = patterns.topic[self.start]
        topics = [np.zeros(0, dtype=np.int64)]
        rows = [np.zeros(0, dtype=np.int64)]
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
            state *= np.where(value[here, chosen] > 0, left, 1.0)
        return np.concatenate(topics), np.concatenate(rows)
