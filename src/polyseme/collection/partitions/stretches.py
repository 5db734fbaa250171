"""Stretches of files, one after another, as if they were one file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import IO, Any, cast

from polyseme.collection.formats.opening import Plain, Readable, Source
from polyseme.collection.formats.places import open_for_reading
from polyseme.collection.formats.topic_lines import BLOCK
from polyseme.collection.partitions.spilling import Extents


class _Stretches:
    """Reads stretches; each ends in a line feed, also where the file does not."""

    def __init__(self, extents: Extents) -> None:
        self._extents = extents
        self._blocks = self._read()
        self._kept = b""

    def read(self, size: int) -> bytes:
        if not self._kept:
            self._kept = next(self._blocks, b"")
        piece, self._kept = self._kept[:size], self._kept[size:]
        return piece

    def _read(self) -> Iterator[bytes]:
        for path, start, end in self._extents:
            last = b"\n"
            with open_for_reading(path) as stream:
                stream.seek(start)
                while start < end and (block := stream.read(min(BLOCK, end - start))):
                    start += len(block)
                    last = block[-1:]
                    yield block
            if last != b"\n":
                yield b"\n"


@dataclass(frozen=True)
class StretchesSource(Source):
    """Stretches of files; what a file begins with tells nothing of them."""

    extents: Extents = ()

    @contextmanager
    def open(self) -> Iterator[Readable]:
        yield Plain(cast("IO[bytes]", _Stretches(self.extents)), self.name)


def source_of_stretches(name: str, extents: Extents) -> Source:
    """The stretches under the name of the file that they are of."""
    return StretchesSource(name, None, _not_stored, extents=extents)


def numbered(source: Source, extents: Extents) -> Source:
    """The same with the number of its first line, which takes reading all before it."""
    path, start, _ = extents[0]
    line = 1
    with open_for_reading(path) as stream:
        while start > 0 and (block := stream.read(min(BLOCK, start))):
            line += block.count(b"\n")
            start -= len(block)
    return replace(source, first_line=line)


class _Blocks(Plain):
    """Blocks at hand, whole: a reader does not mind that they are long."""

    def __init__(self, blocks: Sequence[bytes]) -> None:
        self._left = iter(blocks)

    def read(self, size: int) -> bytes:
        return next(self._left, b"")


@dataclass(frozen=True)
class LinesSource(Source):
    """Lines that were made of rows."""

    blocks: Sequence[bytes] = ()

    @contextmanager
    def open(self) -> Iterator[Readable]:
        yield _Blocks(self.blocks)


def source_of_lines(name: str, blocks: Sequence[bytes]) -> Source:
    """Lines at hand, under the name of the file whose rows they were."""
    return LinesSource(name, None, _not_stored, blocks=blocks)


def _not_stored() -> Any:
    raise NotImplementedError("this is no file of its own")


Readers = Callable[[], Iterator[bytes]]


def blocks_of(extents: Extents) -> Readers:
    """The bytes of the stretches, to be read any number of times."""

    def read() -> Iterator[bytes]:
        stream = _Stretches(extents)
        while block := stream.read(BLOCK):
            yield block

    return read
