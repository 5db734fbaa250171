"""Documents of a WARC file, by TREC identifier (ClueWeb) and by address."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import IO

from polyseme.collection.formats.opening import Source
from polyseme.errors import InputError
from polyseme.judging.documents.stored import LARGEST, Spool, Stored, TooLarge

#: kinds of records whose block is a document
_KINDS = {"response", "resource", "conversion"}
_LONGEST_LINE = 1 << 16
_Fields = dict[str, str]


@dataclass(frozen=True)
class _Place:
    start: int
    length: int
    #: an HTTP response with its head, or the document alone
    http: bool
    media: str


class WarcFile:
    """Where each record is; it is read when its document is asked for."""

    def __init__(self, source: Source) -> None:
        self._spool = Spool(source)
        self._places: dict[str, _Place] = {}
        try:
            self._find_records(self._spool.stream, source.name)
        except BaseException:
            self._spool.close()
            raise

    def _find_records(self, stream: IO[bytes], path: str) -> None:
        while (version := _next_line(stream)) is not None:
            if not version.startswith(b"WARC/"):
                raise _broken(path, stream, "a record does not begin with its version")
            fields = _fields(stream, path)
            length = fields.get("content-length", "")
            if not (length.isascii() and length.isdigit()):
                raise _broken(path, stream, "a record does not say its length")
            start, end = stream.tell(), stream.tell() + int(length)
            if end > self._spool.size:
                raise _broken(path, stream, "the file ends inside of a record")
            self._note(fields, start, int(length))
            stream.seek(end)

    def _note(self, fields: _Fields, start: int, length: int) -> None:
        if fields.get("warc-type") not in _KINDS:
            return
        media = fields.get("content-type", "")
        place = _Place(start, length, media.startswith("application/http"), media)
        for name in ("warc-trec-id", "warc-target-uri", "warc-record-id"):
            if name in fields:
                # of an address that was fetched twice, the first
                self._places.setdefault(fields[name].strip("<>"), place)

    def find(self, name: str) -> Stored | None:
        place = self._places.get(name)
        if place is None:
            return None
        block = self._spool.part(place.start, place.length)
        media = place.media
        if place.http:
            head, _, block = block.partition(
                b"\r\n\r\n" if b"\r\n\r\n" in block[:_LONGEST_LINE] else b"\n\n"
            )
            fields = _parsed(head.splitlines()[1:])
            block = _decoded(block, fields)
            media = fields.get("content-type", "")
        kind, _, rest = media.partition(";")
        charset = rest.lower().partition("charset=")[2].partition(";")[0].strip(" \"'")
        return Stored(block, kind.strip().lower(), charset)

    def close(self) -> None:
        self._spool.close()


def _next_line(stream: IO[bytes]) -> bytes | None:
    """The next line that is not empty, without its end; None at the end of the file."""
    while line := stream.readline(_LONGEST_LINE):
        if line.strip():
            return line.strip()
    return None


def _fields(stream: IO[bytes], path: str) -> _Fields:
    lines: list[bytes] = []
    while line := stream.readline(_LONGEST_LINE).rstrip(b"\r\n"):
        lines.append(line)
        if len(lines) > 1000:
            raise _broken(path, stream, "a record has more than 1,000 fields")
    return _parsed(lines)


def _parsed(lines: list[bytes]) -> _Fields:
    fields: _Fields = {}
    for line in lines:
        name, colon, value = line.decode("utf-8", "replace").partition(":")
        if colon:
            fields.setdefault(name.strip().lower(), value.strip())
    return fields


def _broken(path: str, stream: IO[bytes], problem: str) -> InputError:
    return InputError(
        f"{problem}, near byte {stream.tell()}",
        path=path,
        expected="WARC records: WARC/1.0, fields, an empty line, and Content-Length bytes",
        remedy="copy or download the file again",
    )


def _decoded(body: bytes, fields: _Fields) -> bytes:
    """The document, as it was before it was sent."""
    if "chunked" in fields.get("transfer-encoding", "").lower():
        body = _joined(body)
    encoding = fields.get("content-encoding", "").lower()
    if encoding in ("gzip", "x-gzip", "deflate"):
        # a few bytes can stand for a gigabyte: no more is made than can be shown
        unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)
        try:
            unpacked = unpack.decompress(body, LARGEST + 1)
        except zlib.error:
            return body  # many archives say so of what is no longer packed
        if len(unpacked) > LARGEST:
            raise TooLarge
        return unpacked
    return body


def _joined(body: bytes) -> bytes:
    """The chunks, joined; what is not chunked, as many archives have it, stays as it is."""
    pieces: list[bytes] = []
    at = 0
    while True:
        end = body.find(b"\r\n", at, at + 1000)
        size = body[at : max(end, at)].partition(b";")[0].strip()
        try:
            length = int(size, 16)
        except ValueError:
            return body if not pieces else b"".join(pieces)
        if length <= 0:
            return b"".join(pieces)
        pieces.append(body[end + 2 : end + 2 + length])
        at = end + 2 + length + 2
