"""Lines that begin with a topic: are topics in order, and which lines belong to which bucket?

The compiled `_topic_scan` does the same, sooner.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import IO, Any, Literal

from polyseme.collection.formats import scanning

#: topics ascend by their letters, or as numbers do: the shorter first
TopicOrder = Literal["ascending", "numbered"]
Key = tuple[int, bytes]

BLOCK = 1 << 20
_NEAR = 1 << 12
_MARK = b"\xef\xbb\xbf"
_FNV_START, _FNV_PRIME, _64 = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1


def key_of(topic: bytes, order: TopicOrder) -> Key:
    """What topics are compared by."""
    return (len(topic) if order == "numbered" else 0, topic)


def bucket_of(topic: bytes, count: int) -> int:
    """Which of so many buckets a topic belongs to, on every machine the same."""
    mixed = _mixed(topic)
    return (mixed ^ (mixed >> 32)) % count


@lru_cache(1 << 14)
def _mixed(topic: bytes) -> int:
    mixed = _FNV_START
    for letter in topic:
        mixed = ((mixed ^ letter) * _FNV_PRIME) & _64
    return mixed


def topic_of(line: bytes) -> bytes:
    """The first field; nothing for blank lines and comments."""
    start = line.lstrip(b" \t")
    for place, letter in enumerate(start):
        if letter in b" \t\r\n":
            start = start[:place]
            break
    return b"" if start.startswith(b"#") else start


class _Lines:
    """Whole lines out of blocks."""

    def __init__(self) -> None:
        self._kept = b""

    def feed(self, block: bytes) -> int:
        """Read a block."""
        *lines, self._kept = (self._kept + block).split(b"\n")
        self._lines([line + b"\n" for line in lines])
        return 0

    def finish(self) -> int:
        """After the last block."""
        if self._kept:
            self._lines([self._kept + b"\n"])
            self._kept = b""
        return 0

    def _lines(self, lines: list[bytes]) -> None:
        raise NotImplementedError


class PlainTopicScan(_Lines):
    """As the compiled one of that name."""

    def __init__(self, place: int, every: int) -> None:
        super().__init__()
        self._place, self._every, self._next = place, every, place
        self._first = self._topic = b""
        self._records = self._topics = 0
        self._ascending = self._numbered = True
        self._marks: list[tuple[bytes, int]] = []

    def found(self) -> tuple[bytes, bytes, int, int, bool, bool, list[tuple[bytes, int]]]:
        """First and last topic, records, topics, both orders, and marks: topic and place."""
        return (
            self._first,
            self._topic,
            self._records,
            self._topics,
            self._ascending,
            self._numbered,
            self._marks,
        )

    def _lines(self, lines: list[bytes]) -> None:
        for line in lines:
            topic = topic_of(line)
            if topic:
                self._records += 1
                if topic != self._topic:
                    self._another(topic)
            self._place += len(line)

    def _another(self, topic: bytes) -> None:
        if self._topics:
            self._ascending &= self._topic < topic
            self._numbered &= key_of(self._topic, "numbered") < key_of(topic, "numbered")
        else:
            self._first = topic
        self._topics += 1
        self._topic = topic
        if self._place >= self._next:
            self._next = self._place + self._every
            self._marks.append((topic, self._place))


class PlainTopicSplit(_Lines):
    """As the compiled one of that name."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._buckets: list[list[bytes]] = [[] for _ in range(count)]
        self.held = 0

    def taken(self) -> list[bytes]:
        """What every bucket holds; afterwards it holds nothing."""
        found = [b"".join(bucket) for bucket in self._buckets]
        self._buckets = [[] for _ in found]
        self.held = 0
        return found

    def _lines(self, lines: list[bytes]) -> None:
        for line in lines:
            topic = topic_of(line)
            if topic:
                self._buckets[bucket_of(topic, len(self._buckets))].append(line)
                self.held += len(line)


def topic_scan(place: int, every: int) -> Any:
    """A scan of what begins at this place of a file."""
    if scanning.COMPILED:
        from polyseme.collection.formats._topic_scan import TopicScan

        return TopicScan(place, every)
    return PlainTopicScan(place, every)


def topic_split(count: int) -> Any:
    """Buckets for lines."""
    if scanning.COMPILED:
        from polyseme.collection.formats._topic_scan import TopicSplit

        return TopicSplit(count)
    return PlainTopicSplit(count)


# ---- places in a file of lines ------------------------------------------------------------------


def line_start(stream: IO[bytes], place: int) -> int:
    """Where the first line begins that begins at ``place`` or later; the end where none does."""
    if place <= 0:
        return 0
    stream.seek(place - 1)
    at = place - 1
    while block := stream.read(_NEAR):
        feed = block.find(b"\n")
        if feed >= 0:
            return at + feed + 1
        at += len(block)
    return at


def first_line_of(stream: IO[bytes], wanted: bytes, order: TopicOrder, low: int, high: int) -> int:
    """Where the first line between two places begins whose topic is ``wanted`` or comes later.

    Topics are in order, and both places are beginnings of lines.
    """
    key = key_of(wanted, order)
    while high - low > _NEAR:
        start = line_start(stream, (low + high) // 2)
        place, topic = _next_topic(stream, start, high)
        if topic and key_of(topic, order) < key:
            low = place
        elif start >= high or place >= high:
            # no line begins in the upper half, or none of a topic
            return _in_turn(stream, key, order, low, high)
        else:
            high = start
    return _in_turn(stream, key, order, low, high)


def _next_topic(stream: IO[bytes], start: int, end: int) -> tuple[int, bytes]:
    for place, line in _lines_between(stream, start, end):
        topic = topic_of(line)
        if topic:
            return place, topic
    return end, b""


def _in_turn(stream: IO[bytes], key: Key, order: TopicOrder, low: int, high: int) -> int:
    for place, line in _lines_between(stream, low, high):
        topic = topic_of(line)
        if topic and key_of(topic, order) >= key:
            return place
    return high


def _lines_between(stream: IO[bytes], low: int, high: int) -> Iterator[tuple[int, bytes]]:
    kept, place = b"", low
    stream.seek(low)
    at = low
    while at < high and (block := stream.read(min(_NEAR, high - at))):
        at += len(block)
        *lines, kept = (kept + block).split(b"\n")
        for line in lines:
            yield place, line
            place += len(line) + 1
    if kept:
        yield place, kept


def without_mark(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Text without the mark that some programs begin a file with."""
    for number, block in enumerate(blocks):
        yield block.removeprefix(_MARK) if number == 0 else block
