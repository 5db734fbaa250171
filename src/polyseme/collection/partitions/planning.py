"""Which topics make a partition: as many as the memory of a worker can hold."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from polyseme.collection.formats.topic_lines import Key, TopicOrder, key_of
from polyseme.collection.partitions.inputs import Input, Piece, Role
from polyseme.collection.partitions.looking import Looked
from polyseme.collection.partitions.parts import Partition

#: about how many bytes of memory a byte of text takes while it is worked on
EXPANDS: dict[Role, float] = {
    "judgments": 14.0,
    "adhoc": 40.0,
    "probabilities": 40.0,
    "run": 3.0,
}
#: what it takes besides where topics are mixed, so that all lists are kept until the end
_MIXED: dict[Role, float] = {"judgments": 40.0, "adhoc": 0.0, "probabilities": 0.0, "run": 15.0}
#: about what a list takes, and each of its values
_LIST, _VALUE = 300, 24
#: about how many bytes a row is as a line, and how many bytes a list where nobody counted them
_ROW, _LIST_BYTES = 40, 400
#: buckets for each partition, so that they can be filled evenly
_FINE = 8
_BUCKETS = (16, 4096)


@dataclass(frozen=True)
class _Mark:
    topic: bytes
    input: int
    #: a line's or a row's place
    place: int
    #: what all before it in this file weighs
    weight: float


def in_order(
    inputs: Sequence[Input],
    pieces: Sequence[Piece],
    looked: Sequence[Looked],
    order: TopicOrder,
    room: float,
    measures: int,
) -> list[Partition]:
    """Stretches of topics in order, each of so many bytes of memory."""
    marks = _marks(inputs, pieces, looked, measures)
    marks.sort(key=lambda mark: key_of(mark.topic, order))
    weights = [0.0] * len(inputs)
    cuts: list[bytes] = []
    begun = total = 0.0
    for mark in marks:
        total += mark.weight - weights[mark.input]
        weights[mark.input] = mark.weight
        if total - begun > room:
            # the same topic is not divided, and none comes before the first
            if not cuts or cuts[-1] != mark.topic:
                cuts.append(mark.topic)
            begun = total
    bounds: list[bytes | None] = [None, *cuts, None]
    found = [
        _places(
            [(key_of(mark.topic, order), mark.place) for mark in marks if mark.input == place],
            [None if topic is None else key_of(topic, order) for topic in bounds],
            _end(given, pieces, looked, place),
        )
        for place, given in enumerate(inputs)
    ]
    return [
        Partition(number, low, high, None, tuple(each[number] for each in found))
        for number, (low, high) in enumerate(pairwise(bounds))
    ]


def _marks(
    inputs: Sequence[Input], pieces: Sequence[Piece], looked: Sequence[Looked], measures: int
) -> list[_Mark]:
    marks = []
    for piece, found in zip(pieces, looked, strict=True):
        given = inputs[piece.input]
        each = EXPANDS[given.role] * (_ROW if given.format == "parquet" else 1)
        if given.role == "run" and found.marks:
            # lists are spread evenly over what was looked at
            size = found.records if given.format == "parquet" else _size(given, piece)
            lists = found.topics * max(1, len(found.runs))
            each += (_LIST + _VALUE * measures) * lists / max(1, size)
        marks += [_Mark(topic, piece.input, at, at * each) for topic, at in found.marks]
    return marks


def _size(given: Input, piece: Piece) -> int:
    return (given.stamp.size if piece.end is None else piece.end) - piece.start


def _places(
    marks: Sequence[tuple[Key, int]], bounds: Sequence[Key | None], end: int
) -> list[tuple[int, int]]:
    """Of one file, for any two bounds the places between which the topics between them are."""
    keys = [key for key, _ in marks]
    starts, ends = [], []
    for bound in bounds:
        at = 0 if bound is None else bisect_left(keys, bound)
        # what is wanted may begin anywhere behind the mark before it
        starts.append(marks[at - 1][1] if at else 0)
        ends.append(end if bound is None or at == len(marks) else marks[at][1])
    return list(zip(starts[:-1], ends[1:], strict=True))


def _end(given: Input, pieces: Sequence[Piece], looked: Sequence[Looked], place: int) -> int:
    if given.format != "parquet":
        return given.stamp.size
    return sum(
        found.records for piece, found in zip(pieces, looked, strict=True) if piece.input == place
    )


def _expands(given: Input, measures: int) -> float:
    lists = (_LIST + _VALUE * measures) / _LIST_BYTES if given.role == "run" else 0
    return EXPANDS[given.role] + _MIXED[given.role] + lists


def buckets_for(inputs: Sequence[Input], room: float, measures: int) -> int:
    """Into how many buckets to divide what is in no order."""
    weight = sum(each.weight * _expands(each, measures) for each in inputs)
    low, high = _BUCKETS
    return int(min(max(_FINE * weight / room, low), high))


def in_buckets(
    inputs: Sequence[Input],
    pieces: Sequence[Piece],
    sizes: Sequence[Sequence[int]],
    room: float,
    measures: int,
) -> list[Partition]:
    """Buckets that follow one another, as many as there is memory for."""
    count = len(sizes[0])
    weights = [0.0] * count
    for piece, mine in zip(pieces, sizes, strict=True):
        each = _expands(inputs[piece.input], measures)
        for bucket, size in enumerate(mine):
            weights[bucket] += size * each
    bounds, held = [0], 0.0
    for bucket, weight in enumerate(weights):
        if held and held + weight > room:
            bounds.append(bucket)
            held = 0.0
        held += weight
    bounds.append(count)
    return [
        Partition(number, buckets=(bounds[number], bounds[number + 1]))
        for number in range(len(bounds) - 1)
    ]
