"""Stretches of files, one after another, as if they were one file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import IO, Any, cast

from polyseme.collection.formats.opening import Plain, Readable, Source
from polyseme.collection.formats.places import open_for_reading
from polyseme.collection.formats.topic_lines import BLOCK
from polyseme.collection.partitions.spilling import Extents


class _Stream:
    """Blocks of bytes, one after another, to be read in whatever pieces."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks = iter(blocks)
        self._block = b""
        self._at = 0

    def read(self, size: int) -> bytes:
        while self._at == len(self._block):
            block = next(self._blocks, None)
            if block is None:
                return b""
            self._block, self._at = block, 0
        piece = self._block[self._at : self._at + size]
        self._at += len(piece)
        return piece


def _read(extents: Extents) -> Iterator[bytes]:
    """What stands in stretches; each ends in a line feed, also where the file does not."""
    for path, start, end in extents:
        last = b"\n"
        with open_for_reading(path) as stream:
            stream.seek(start)
            while start < end and (block := stream.read(min(BLOCK, end - start))):
                start += len(block)
                last = block[-1:]
                yield block
        if last != b"\n":
            yield b"\n"


def _plain(blocks: Iterable[bytes], name: str) -> Plain:
    return Plain(cast("IO[bytes]", _Stream(blocks)), name)


@dataclass(frozen=True)
class StretchesSource(Source):
    """Stretches of files; what a file begins with tells nothing of them."""

    extents: Extents = ()

    @contextmanager
    def open(self) -> Iterator[Readable]:
        yield _plain(_read(self.extents), self.name)


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


@dataclass(frozen=True)
class LinesSource(Source):
    """Lines that were made of rows."""

    blocks: Sequence[bytes] = ()

    @contextmanager
    def open(self) -> Iterator[Readable]:
        yield _plain(self.blocks, self.name)


def source_of_lines(name: str, blocks: Sequence[bytes]) -> Source:
    """Lines at hand, under the name of the file whose rows they were."""
    return LinesSource(name, None, _not_stored, blocks=blocks)


def _not_stored() -> Any:
    raise NotImplementedError("this is no file of its own")


Readers = Callable[[], Iterator[bytes]]


def blocks_of(extents: Extents) -> Readers:
    """The bytes of the stretches, to be read any number of times."""
    return lambda: _read(extents)
