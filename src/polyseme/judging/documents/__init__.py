"""The documents that judges read: from a folder, a JSON lines file or a WARC file."""

from __future__ import annotations

import os

from polyseme.errors import InputError
from polyseme.judging.documents.folder import Folder
from polyseme.judging.documents.served import HEADERS, Served, served
from polyseme.judging.documents.stored import LARGEST, Documents, NoDocuments, Stored, TooLarge

__all__ = [
    "HEADERS",
    "LARGEST",
    "Documents",
    "NoDocuments",
    "Served",
    "Stored",
    "TooLarge",
    "open_documents",
    "served",
]


def open_documents(path: str | os.PathLike[str] | None) -> Documents:
    """The documents that a path names: a folder, JSON lines or WARC, told by its beginning."""
    if path is None:
        return NoDocuments()
    if os.path.isdir(path):
        return Folder(path)
    if not os.path.exists(path):
        raise InputError(
            "there is no such folder or file",
            path=os.fspath(path),
            expected="the documents that judges read",
            remedy="check the path; where a study's documents were moved, put them back",
        )
    from polyseme.collection.formats.opening import source_of

    source = source_of(path)
    with source.open() as stream:
        start = bytes(stream.read(4096)).removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"WARC/"):
        from polyseme.judging.documents.warc import WarcFile

        return WarcFile(source)
    if start.startswith(b"{"):
        from polyseme.judging.documents.json_lines import JsonLines

        return JsonLines(source)
    raise InputError(
        "these are no documents",
        path=source.name,
        text=start[:80].decode("utf-8", "replace"),
        expected="a folder, a WARC file, or JSON lines with the fields doc and text or html",
        remedy="put the documents into a folder, one file each, and name the folder",
    )
