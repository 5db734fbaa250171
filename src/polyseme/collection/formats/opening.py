"""Opening what a path names: plain, gzip or Zstandard, a pipe, or standard input."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Protocol

from polyseme.collection.formats import places
from polyseme.errors import InputError

STANDARD_INPUT = "-"
STANDARD_INPUT_NAME = "standard input"
_GZIP = b"\x1f\x8b"
_ZSTANDARD = b"\x28\xb5\x2f\xfd"
_PARQUET = b"PAR1"
_NOT_READ = {
    b"BZh": ("bzip2", "bunzip2"),
    b"\xfd7zXZ": ("xz", "unxz"),
    b"PK\x03\x04": ("zip", "unzip"),
    b"7z\xbc\xaf": ("7-Zip", "7z x"),
    b"\x1f\x9d": ("compress", "uncompress"),
}
#: one read of compressed bytes; 4 of them can stand for 131,072 bytes of text, and a hostile file
#: must not fill the memory
_ZSTANDARD_BITE = 512
_COPY = 1 << 20
_SPOOL = 64 << 20


class Readable(Protocol):
    """Bytes, some at a time."""

    def read(self, size: int, /) -> bytes:
        """At most ``size`` bytes; none at the end."""


@dataclass(frozen=True)
class Source:
    """A file that can be opened any number of times, by the name that error texts give it."""

    name: str
    path: str | None
    _raw: Callable[[], IO[bytes]] = field(repr=False)
    #: the number of the first line, where this is a part of a file
    first_line: int = 1

    @contextmanager
    def raw(self) -> Iterator[IO[bytes]]:
        """The bytes as they are stored."""
        try:
            stream = self._raw()
        except OSError as error:
            raise unreadable(self.name, error) from None
        try:
            yield stream
        finally:
            if self.path is not None:
                stream.close()

    @contextmanager
    def open(self) -> Iterator[Readable]:
        """The bytes, decompressed where their beginning says that they are compressed."""
        with self.raw() as stream:
            try:
                start = stream.read(8)
                stream.seek(0)
            except OSError as error:
                raise unreadable(self.name, error) from None
            for magic, (what, program) in _NOT_READ.items():
                if start.startswith(magic):
                    raise InputError(
                        f"the file is compressed with {what}, which is not read",
                        path=self.name,
                        expected="a plain file, or one compressed with gzip or zstd",
                        remedy=f"decompress it first ({program})",
                    )
            if start.startswith(_GZIP):
                yield _Gzip(stream, self.name)
            elif start.startswith(_ZSTANDARD):
                yield _Zstandard(stream, self.name)
            else:
                yield Plain(stream, self.name)


def source_of(path: str | bytes | os.PathLike[str] | Source) -> Source:
    """What ``path`` names. What can be read only once (``-``, a pipe) is read here and kept."""
    if isinstance(path, Source):
        return path
    name = os.fsdecode(path)
    if name == STANDARD_INPUT:
        return _kept(STANDARD_INPUT_NAME, _standard_input())
    if places.is_address(name):
        return _source_at(name)
    try:
        kind = os.stat(name).st_mode
        if stat.S_ISDIR(kind):
            raise InputError(
                "this is a folder",
                path=name,
                expected="a file",
                remedy=f"name the files inside it, for example {os.path.join(name, '*')}",
            )
        if not stat.S_ISREG(kind):
            with open(name, "rb") as pipe:
                return _kept(name, pipe)
        with open(name, "rb"):
            pass
    except (OSError, ValueError) as error:
        raise unreadable(name, error) from None
    return Source(name, name, lambda: open(name, "rb"))


def _source_at(address: str) -> Source:
    if places.stamp_of(address) is None:
        raise InputError(
            "this is a folder",
            path=address,
            expected="a file",
            remedy="name the files inside it; polyseme evaluate reads folders with --memory",
        )
    return Source(address, address, lambda: places.open_for_reading(address))


def source_of_bytes(content: bytes, name: str) -> Source:
    """Bytes at hand, as if they were a file."""
    return Source(name, None, lambda: io.BytesIO(content))


def unreadable(name: str, error: OSError | ValueError) -> InputError:
    """What the operating system says, with a remedy."""
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.ENOENT:
        problem, remedy = "there is no such file", "check the path"
    elif number in (errno.EACCES, errno.EPERM):
        problem, remedy = "the file may not be read", "give yourself the permission (chmod u+r)"
    else:
        reason = getattr(error, "strerror", None) or str(error)
        problem, remedy = f"the file cannot be read ({reason})", "check the path and the disk"
    return InputError(problem, path=name, expected="a readable file", remedy=remedy)


def _standard_input() -> Readable:
    stream = sys.stdin
    if stream is None:
        return io.BytesIO()
    binary = getattr(stream, "buffer", None)
    return binary if binary is not None else io.BytesIO(stream.read().encode())


def _kept(name: str, stream: Readable) -> Source:
    import tempfile

    spool = tempfile.SpooledTemporaryFile(max_size=_SPOOL)  # noqa: SIM115
    try:
        piece = stream.read(_COPY)
        spool.write(piece)
        # a device may go on for ever, but no text holds a zero byte: reading will say so
        endless = b"\0" in piece and not piece.startswith((_GZIP, _ZSTANDARD, _PARQUET))
        while not endless and (piece := stream.read(_COPY)):
            spool.write(piece)
    except OSError as error:
        spool.close()
        raise unreadable(name, error) from None

    def again() -> IO[bytes]:
        spool.seek(0)
        return spool

    source = Source(name, None, again)
    weakref.finalize(source, spool.close)
    return source


def name_and_suffix(path: str) -> tuple[str, str]:
    """The name of a file, and its suffix: that which is not of compression, if it has one.

    ``runs/x.run.gz`` is ``("x", ".run")``; what begins with its only dot is all name.
    """
    name = os.path.basename(path)
    while name.lower().endswith((".gz", ".zst")) and name.rfind(".") > 0:
        name = name[: name.rfind(".")]
    return split_suffix(name)


def split_suffix(name: str) -> tuple[str, str]:
    """A name and its last suffix, which may be empty."""
    dot = name.rfind(".")
    return (name[:dot], name[dot:]) if 0 < dot < len(name) - 1 else (name, "")


class Plain:
    """What is not compressed."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream = stream
        self._name = name

    def read(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except OSError as error:
            raise unreadable(self._name, error) from None

    def read_into(self, room: memoryview) -> int:
        """Fill a place with what comes next; how many bytes there were."""
        fill: Callable[[memoryview], int] | None = getattr(self._stream, "readinto", None)
        if fill is None:
            block = self.read(len(room))
            room[: len(block)] = block
            return len(block)
        try:
            return fill(room)
        except OSError as error:
            raise unreadable(self._name, error) from None


class _Gzip:
    def __init__(self, stream: IO[bytes], name: str) -> None:
        from isal import igzip, isal_zlib

        self._name = name
        self._stream: Readable = igzip.IGzipFile(fileobj=stream, mode="rb")  # type: ignore[no-untyped-call]
        self._broken: tuple[type[Exception], ...] = (EOFError, OSError, isal_zlib.error)  # type: ignore[assignment]

    def read(self, size: int) -> bytes:
        try:
            return bytes(self._stream.read(size))
        except self._broken as error:
            raise broken("gzip", self._name, str(error)) from None


class _Zstandard:
    def __init__(self, stream: IO[bytes], name: str) -> None:
        import zstandard

        self._name = name
        self._stream = stream
        self._error = zstandard.ZstdError
        self._new = zstandard.ZstdDecompressor().decompressobj
        self._frame = self._new()
        self._begun = False

    def read(self, size: int) -> bytes:
        """The next piece; it may be longer than ``size``, by what one bite stands for."""
        pieces: list[bytes] = []
        length = 0
        try:
            while length < size and (bite := self._bite()):
                piece = self._frame.decompress(bite)
                self._begun = True
                pieces.append(piece)
                length += len(piece)
        except self._error as error:
            raise broken("zstd", self._name, str(error)) from None
        return b"".join(pieces)

    def _bite(self) -> bytes:
        """Compressed bytes of the frame at hand; a file may hold frame after frame."""
        rest = b""
        if self._frame.eof:
            rest = self._frame.unused_data
            self._frame, self._begun = self._new(), False
        rest = rest or self._stream.read(_ZSTANDARD_BITE)
        if not rest and self._begun:
            raise broken("zstd", self._name, "the file ends inside a frame")
        return rest


def broken(what: str, name: str, reason: str) -> InputError:
    """A compressed file that cannot be decompressed."""
    return InputError(
        f"the {what} file is broken ({reason})",
        path=name,
        expected=f"a whole {what} file",
        remedy="copy or download the file again",
    )
