"""A document as it was found, and what every source of documents can do."""

from __future__ import annotations

import os
import tempfile
import threading
from dataclasses import dataclass
from typing import IO, Protocol

from polyseme.collection.formats.opening import Readable, Source

#: what a document may hold; a browser gets slow on more, and nobody reads it
LARGEST = 16 << 20
_COPY = 1 << 20


@dataclass(frozen=True)
class Stored:
    """A document as it was found; nothing in it is to be trusted."""

    content: bytes
    #: as the source says it, in small letters; empty where it does not
    media: str = ""
    #: as the source says it; empty where it does not
    charset: str = ""


class TooLarge(Exception):
    """A document of more than ``LARGEST`` bytes."""


class Documents(Protocol):
    """Where documents come from. They are looked up by name while judges read them."""

    def find(self, name: str) -> Stored | None:
        """The document of this name, or None; ``TooLarge`` where it is."""

    def close(self) -> None:
        """Give back what is open."""


class NoDocuments:
    """A study whose judges see titles only."""

    def find(self, name: str) -> Stored | None:
        """Nothing."""
        return None

    def close(self) -> None:
        """Nothing is open."""


class Spool:
    """The bytes of a file of documents, decompressed, where any place can be read again.

    A plain file is read where it stands; a compressed one is decompressed once, to a file without
    a name.
    """

    def __init__(self, source: Source) -> None:
        self._stream: IO[bytes]
        if source.path is not None and _is_plain(source):
            self._stream = open(source.path, "rb")  # noqa: SIM115
        else:
            self._stream = tempfile.TemporaryFile()  # noqa: SIM115
            with source.open() as stream:
                _copy(stream, self._stream)
        self._stream.seek(0)
        self._turn = threading.Lock()

    @property
    def stream(self) -> IO[bytes]:
        """From its beginning on, to find what stands where."""
        return self._stream

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return os.fstat(self._stream.fileno()).st_size

    def part(self, start: int, length: int) -> bytes:
        """``length`` bytes from ``start`` on; threads do not disturb each other."""
        if length > LARGEST:
            raise TooLarge
        if hasattr(os, "pread"):
            return os.pread(self._stream.fileno(), length, start)
        with self._turn:
            self._stream.seek(start)
            return self._stream.read(length)

    def close(self) -> None:
        self._stream.close()


def _is_plain(source: Source) -> bool:
    from polyseme.collection.formats.opening import Plain

    with source.open() as stream:
        return isinstance(stream, Plain)


def _copy(stream: Readable, target: IO[bytes]) -> None:
    while piece := stream.read(_COPY):
        target.write(piece)
