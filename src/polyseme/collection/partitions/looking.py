"""A first look at files: are their topics in one order, and where in the file is which?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from polyseme.collection.formats.places import open_for_reading
from polyseme.collection.formats.topic_lines import (
    BLOCK,
    Key,
    TopicOrder,
    key_of,
    line_start,
    topic_scan,
)
from polyseme.collection.partitions.inputs import Input, Piece
from polyseme.collection.partitions.rows import RowScan, batches, row_groups

_ORDERS: tuple[TopicOrder, ...] = ("ascending", "numbered")
#: bytes from one mark to the next
_STRETCH = 1 << 18


@dataclass(frozen=True)
class Looked:
    """What a piece holds."""

    first: bytes
    last: bytes
    records: int
    #: how often another topic begins
    topics: int
    #: the orders that its topics are in
    orders: tuple[TopicOrder, ...]
    #: topics, and the places where they begin
    marks: tuple[tuple[bytes, int], ...]
    runs: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Bytes stand as the letters of the same numbers."""
        return {
            "first": self.first.decode("latin-1"),
            "last": self.last.decode("latin-1"),
            "records": self.records,
            "topics": self.topics,
            "orders": self.orders,
            "marks": [(topic.decode("latin-1"), place) for topic, place in self.marks],
            "runs": self.runs,
        }

    @classmethod
    def from_json(cls, held: Mapping[str, Any]) -> Looked:
        return cls(
            held["first"].encode("latin-1"),
            held["last"].encode("latin-1"),
            held["records"],
            held["topics"],
            tuple(held["orders"]),
            tuple((topic.encode("latin-1"), place) for topic, place in held["marks"]),
            tuple(held["runs"]),
        )


@dataclass(frozen=True)
class Looking:
    """Looks at pieces of the inputs."""

    inputs: tuple[Input, ...]

    def __call__(self, piece: Piece) -> dict[str, Any]:
        given = self.inputs[piece.input]
        return (_look_at_rows if given.format == "parquet" else _look_at_lines)(
            given, piece
        ).to_json()


def _look_at_lines(given: Input, piece: Piece) -> Looked:
    with open_for_reading(piece.path) as stream:
        start = line_start(stream, piece.start)
        end = given.stamp.size if piece.end is None else line_start(stream, piece.end)
        scan = topic_scan(start, _STRETCH)
        stream.seek(start)
        at = start
        while at < end and (block := stream.read(min(BLOCK, end - at))):
            scan.feed(block)
            at += len(block)
        scan.finish()
    return _looked(scan.found())


def _look_at_rows(given: Input, piece: Piece) -> Looked:
    assert piece.end is not None
    sizes = row_groups(piece.path)
    scan = RowScan(sum(sizes[: piece.start]))
    columns = [name for name in ("topic", "run") if name in given.columns]
    for batch in batches(piece.path, columns, range(piece.start, piece.end)):
        if not scan.add(batch):
            return Looked(b"", b"", 0, 0, (), ())
    return _looked(scan.found(), tuple(scan.runs))


def _looked(found: Any, runs: tuple[str, ...] = ()) -> Looked:
    first, last, records, topics, ascending, numbered, marks = found
    orders = zip(_ORDERS, (ascending, numbered), strict=True)
    held = tuple(name for name, holds in orders if holds)
    return Looked(first, last, records, topics, held, tuple(marks), runs)


def common_order(pieces: Sequence[Piece], looked: Sequence[Looked]) -> TopicOrder | None:
    """The order that the topics of all files are in."""
    for order in _ORDERS:
        last: dict[int, Key] = {}
        holds = True
        for piece, found in zip(pieces, looked, strict=True):
            if not found.records and found.orders:
                continue
            holds = (
                holds
                and order in found.orders
                and last.get(piece.input, (0, b"")) <= key_of(found.first, order)
            )
            last[piece.input] = key_of(found.last, order)
        if holds:
            return order
    return None
