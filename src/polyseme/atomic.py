"""Output that is there whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Literal, TextIO, cast, overload

from polyseme.errors import InputError

STANDARD_OUTPUT = "-"
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@overload
def write_atomically(
    path: str | os.PathLike[str], *, binary: Literal[False] = False
) -> contextlib.AbstractContextManager[TextIO]: ...
@overload
def write_atomically(
    path: str | os.PathLike[str], *, binary: Literal[True]
) -> contextlib.AbstractContextManager[IO[bytes]]: ...
def write_atomically(
    path: str | os.PathLike[str], *, binary: bool = False
) -> contextlib.AbstractContextManager[TextIO] | contextlib.AbstractContextManager[IO[bytes]]:
    """A stream for ``path``, which gets its content only when the block ends without an error.

    Bytes go to a temporary name in the same folder, are synced and renamed. A name that ends in
    ``.gz`` or ``.zst`` is compressed; ``-`` is standard output; a device or a pipe is written to
    directly. Text is UTF-8 with line feeds.
    """
    return _binary(path) if binary else _text(path)


@contextmanager
def _text(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    if os.fspath(path) == STANDARD_OUTPUT:
        _check_standard_output()
        yield sys.stdout
        sys.stdout.flush()
        return
    with _binary(path) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="\n")
        try:
            yield text
            text.flush()
        finally:
            # Left to itself the wrapper would close the stream, or complain that it is closed.
            with contextlib.suppress(OSError, ValueError):
                text.detach()


@contextmanager
def _binary(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    name = os.fspath(path)
    if name == STANDARD_OUTPUT:
        _check_standard_output()
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    # A link stays a link: what it points to is replaced.
    with _telling(name):
        target = os.path.realpath(name)
    if _is_special(target):
        with _telling(name), open(target, "wb") as stream:
            yield stream
        return
    temporary = os.path.join(
        os.path.dirname(target), f".{os.path.basename(target)[:200]}.{os.urandom(8).hex()}.tmp"
    )
    with _telling(name):
        _check_place(target)
        stream = open(temporary, "xb")  # noqa: SIM115
    try:
        with stream:
            with _compressed(stream, target) as inner:
                yield inner
            with _telling(name):
                stream.flush()
                os.fsync(stream.fileno())
        with _telling(name):
            if os.path.exists(target):
                os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
            os.replace(temporary, target)
            _sync_folder(os.path.dirname(target))
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError) and error.errno in _FULL:
            raise unwritable(name, error) from None
        raise


def _check_standard_output() -> None:
    # Python has none where the program was started with it closed
    if sys.stdout is None:
        raise unwritable("standard output", OSError(errno.EBADF, "it is closed"))


def _check_place(target: str) -> None:
    if os.path.isdir(target):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), target)
    if os.path.exists(target) and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), target)


def _is_special(target: str) -> bool:
    try:
        mode = os.stat(target).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


@contextmanager
def _telling(name: str) -> Iterator[None]:
    """Make what the operating system says an error of ours."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        raise unwritable(name, error) from None


def unwritable(name: str, error: OSError | ValueError) -> InputError:
    """An output that cannot be written, and what to do about it."""
    number = error.errno if isinstance(error, OSError) else None
    remedy = {
        errno.ENOENT: "make the folder first",
        errno.ENOTDIR: "name a file inside a folder",
        errno.EISDIR: "name a file, not a folder",
        errno.EACCES: "choose a place that you may write to",
        errno.EPERM: "choose a place that you may write to",
        errno.EROFS: "choose a place that you may write to",
        errno.ENOSPC: "make room on the disk",
    }.get(number or 0, "choose another place")
    reason = getattr(error, "strerror", None) or str(error)
    return InputError(
        f"the output cannot be written ({reason})",
        path=name,
        expected="a file that can be written",
        remedy=remedy,
    )


def make_folder(path: str) -> None:
    """A folder to write into; it may be there already."""
    try:
        os.makedirs(path, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(
            f"the folder cannot be made ({getattr(error, 'strerror', None) or error})",
            path=path,
            expected="a folder that can be written to",
            remedy="choose another place",
        ) from None


def _sync_folder(folder: str) -> None:
    # Not every system opens folders; the file itself is synced already.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def _compressed(stream: IO[bytes], target: str) -> Iterator[IO[bytes]]:
    if target.endswith(".gz"):
        import gzip

        # No time and no name inside: the same content makes the same file.
        with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as packed:
            yield cast("IO[bytes]", packed)
    elif target.endswith(".zst"):
        import zstandard

        with zstandard.ZstdCompressor().stream_writer(stream, closefd=False) as packed:
            yield packed
    else:
        yield stream
