"""A folder of documents, one file each."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from polyseme.errors import InputError
from polyseme.judging.documents.stored import LARGEST, Stored, TooLarge

#: what a file's suffix says about its content
MEDIA = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "text/html",
    ".txt": "text/plain",
    ".text": "text/plain",
    ".md": "text/plain",
    ".csv": "text/plain",
    ".json": "text/plain",
    ".xml": "text/plain",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}
# never waits at a pipe, never follows a link that took a file's place
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
_OPEN |= getattr(os, "O_BINARY", 0)


class Folder:
    """Documents by the names of files, with or without a suffix; nothing outside of the folder.

    A name may hold slashes: it is a path below the folder, or one file whose name has them
    percent-encoded (``http%3A%2F%2Fexample.org%2F.html``), which is how to name files by addresses.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        try:
            self._root = Path(path).resolve(strict=True)
            os.scandir(self._root).close()
        except OSError as error:
            raise InputError(
                f"the folder cannot be read ({error.strerror})",
                path=os.fspath(path),
                expected="a folder with a file for each document",
                remedy="check the path and who may read it",
            ) from None

    def find(self, name: str) -> Stored | None:
        for relative in _candidates(name):
            path = self._inside(relative)
            if path is not None and (content := _content(path)) is not None:
                return Stored(content, MEDIA.get(path.suffix.lower(), ""))
        return None

    def close(self) -> None:
        """Nothing is open between two documents."""

    def _inside(self, relative: str) -> Path | None:
        """The file, links followed, if that is inside of the folder."""
        try:
            path = (self._root / relative).resolve(strict=True)
        except (OSError, ValueError, RuntimeError):
            return None  # not there, a name that no file can have, links in a circle
        return path if path != self._root and path.is_relative_to(self._root) else None


def _candidates(name: str) -> Iterator[str]:
    """Where a document of this name may be, below the folder."""
    names = [quote(name, safe=safe, errors="replace") for safe in (" ()+,=@~:", "")]
    parts = name.split("/")
    if not any(part in ("", ".", "..") or "\\" in part for part in parts) and not os.path.isabs(
        name
    ):
        names.insert(0, name)
    for each in dict.fromkeys(names):
        if each in ("", ".", "..") or "\0" in each:
            continue
        yield each
        for suffix in MEDIA:
            yield each + suffix


def _content(path: Path) -> bytes | None:
    try:
        handle = os.open(path, _OPEN)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        return None
    with os.fdopen(handle, "rb") as stream:
        content = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise TooLarge
    return content
