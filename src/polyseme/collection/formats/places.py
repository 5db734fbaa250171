"""Where files are: on this machine, or at addresses such as ``s3://bucket/folder/file``.

Addresses are read by pyarrow's own file systems (s3, gs, abfs, hdfs), and where it has none of that
name by fsspec's.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import IO, Any

from polyseme.atomic import write_atomically
from polyseme.errors import InputError, MissingExtra

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


@dataclass(frozen=True)
class Stamp:
    """How large a file is and when it was changed: what tells that it is another one now."""

    size: int
    changed: int


def is_address(name: str) -> bool:
    """Is this an address, and no path on this machine?"""
    return _ADDRESS.match(name) is not None


def stamp_of(name: str) -> Stamp | None:
    """The file's stamp; None for a folder."""
    if not is_address(name):
        try:
            found = os.stat(name)
        except (OSError, ValueError) as error:
            raise _unreadable(name, error) from None
        return None if os.path.isdir(name) else Stamp(found.st_size, found.st_mtime_ns)
    info = _info(name)
    if not info.is_file:
        return None
    changed = info.mtime_ns
    return Stamp(info.size or 0, int(changed) if changed is not None else 0)


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


def files_in(name: str) -> list[str]:
    """The files of a folder and its folders, by name; hidden ones are left out."""
    if is_address(name):
        from pyarrow.fs import FileSelector

        system, path = _system(name)
        found = system.get_file_info(FileSelector(path, recursive=True))
        scheme, query = name.partition("://")[0], name.partition("?")[2]
        inside = [
            (each.path, f"{scheme}://{each.path}" + (f"?{query}" if query else ""))
            for each in found
            if each.is_file
        ]
        below = len(_parts(path))
        return sorted(address for path, address in inside if not _is_hidden(*_parts(path)[below:]))
    names = []
    for folder, folders, files in os.walk(name):
        folders[:] = [each for each in folders if not _is_hidden(each)]
        names += [os.path.join(folder, each) for each in files if not _is_hidden(each)]
    return sorted(names)


def _is_hidden(*names: str) -> bool:
    return any(name.startswith((".", "_")) for name in names)


def open_for_reading(name: str) -> IO[bytes]:
    """The file's bytes, from any place in it."""
    if not is_address(name):
        return open(name, "rb")
    system, path = _system(name)
    stream: Any = system.open_input_file(path)
    return stream  # type: ignore[no-any-return]


def _info(name: str) -> Any:
    system, path = _system(name)
    try:
        info = system.get_file_info(path)
    except OSError as error:
        raise _unreadable(name, error) from None
    if info.type.name == "NotFound":
        raise _unreadable(name, FileNotFoundError(2, "there is no such file"))
    return info


@lru_cache(256)
def _system(name: str) -> tuple[Any, str]:
    """The file system of an address, and the path within it."""
    try:
        import pyarrow
        from pyarrow import fs
    except ImportError:
        raise MissingExtra("An address such as s3://bucket/file", "parquet") from None
    try:
        system, path = fs.FileSystem.from_uri(name)
    except pyarrow.ArrowInvalid as error:
        if "nrecognized filesystem type" not in str(error):
            raise _no_system(name, error) from None
    except (OSError, NotImplementedError) as error:
        raise _no_system(name, error) from None
    else:
        return system, path
    try:
        import fsspec
    except ImportError as error:
        raise _no_system(name, error) from None
    try:
        other, path = fsspec.core.url_to_fs(name)
    except (ValueError, ImportError, OSError) as error:
        raise _no_system(name, error) from None
    return fs.PyFileSystem(fs.FSSpecHandler(other)), path


def _no_system(name: str, error: Exception) -> InputError:
    return InputError(
        f"the address cannot be used ({str(error).splitlines()[0][:200]})",
        path=name,
        expected="an address such as s3://bucket/folder/file",
        remedy="check its spelling; install what fsspec needs for addresses of that kind",
    )


def _unreadable(name: str, error: OSError | ValueError) -> InputError:
    from polyseme.collection.formats.opening import unreadable

    return unreadable(name, error)


@dataclass(frozen=True)
class Folder:
    """A folder that is written to, file by file, each whole or not at all."""

    name: str

    def path(self, *names: str) -> str:
        """The path or address of a file in the folder."""
        if is_address(self.name):
            bare, mark, query = self.name.partition("?")
            return "/".join((bare.rstrip("/"), *names)) + mark + query
        return os.path.join(self.name, *names)

    def write(self, content: bytes, *names: str) -> None:
        """A file: it is synced and has its name when it is whole."""
        with self.writing(*names) as stream:
            stream.write(content)

    @contextmanager
    def writing(self, *names: str) -> Iterator[IO[bytes]]:
        """The same, some bytes at a time."""
        path = self.path(*names)
        if not is_address(path):
            self.make(*names[:-1])
            with write_atomically(path, binary=True) as file:
                yield file
            return
        # an object is there when all of it has been sent, and not before
        system, inner = _system(path)
        system.create_dir(posixpath.dirname(inner), recursive=True)
        with system.open_output_stream(inner) as stream:
            yield stream

    def make(self, *names: str) -> None:
        """The folder, or one inside it; addresses need none."""
        if is_address(self.name):
            return
        try:
            os.makedirs(self.path(*names), exist_ok=True)
        except OSError as error:
            raise InputError(
                f"the folder cannot be made ({error.strerror})",
                path=self.path(*names),
                expected="a folder that can be written to",
                remedy="choose another place",
            ) from None

    def read(self, *names: str) -> bytes | None:
        """A file's content; None where there is none."""
        path = self.path(*names)
        if is_address(path):
            system, inner = _system(path)
            if not system.get_file_info(inner).is_file:
                return None
            with system.open_input_file(inner) as stream:
                return bytes(stream.read())
        try:
            with open(path, "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def is_empty(self) -> bool:
        """Nothing is there, or no folder yet."""
        if is_address(self.name):
            from pyarrow.fs import FileSelector

            system, inner = _system(self.name)
            return not system.get_file_info(FileSelector(inner, allow_not_found=True))
        return not os.path.isdir(self.name) or not os.listdir(self.name)

    def remove(self, *names: str) -> None:
        """A folder inside this one, with all that it holds."""
        if is_address(self.name):
            system, inner = _system(self.path(*names))
            if system.get_file_info(inner).type.name == "Directory":
                system.delete_dir(inner)
            return
        import shutil

        shutil.rmtree(self.path(*names), ignore_errors=True)
