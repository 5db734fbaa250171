"""Documents as JSON lines: ``{"doc": "d1", "html": "<p>..."}``, or ``text`` instead of ``html``."""

from __future__ import annotations

import json
from typing import Any

from polyseme.collection.formats.opening import Source
from polyseme.errors import InputError
from polyseme.judging.documents.stored import LARGEST, Spool, Stored, TooLarge

EXPECTED = 'one object a line, such as {"doc": "d1", "text": "..."} or {"doc": "d1", "html": "..."}'
_NAMES = ("doc", "docno", "doc_id", "docid", "id")
_TEXTS = {
    "html": "text/html",
    "text": "text/plain",
    "contents": "text/plain",
    "body": "text/plain",
}


class JsonLines:
    """Where each document's line is; a line is read again when its document is asked for."""

    def __init__(self, source: Source) -> None:
        self._spool = Spool(source)
        self._lines: dict[str, tuple[int, int]] = {}
        try:
            self._find_lines(source.name)
        except BaseException:
            self._spool.close()
            raise

    def _find_lines(self, path: str) -> None:
        start = 0
        for number, line in enumerate(self._spool.stream, 1):
            if line.strip(b" \t\r\n\xef\xbb\xbf"):
                name = _name(line, path, number)
                if name in self._lines:
                    raise InputError(
                        f"the document {name!r} is there twice",
                        path=path,
                        line=number,
                        expected="one line for each document",
                        remedy="remove one of the lines",
                    )
                self._lines[name] = (start, len(line))
            start += len(line)

    def find(self, name: str) -> Stored | None:
        place = self._lines.get(name)
        if place is None:
            return None
        start, length = place
        record = json.loads(self._spool.part(start, length).decode("utf-8-sig"))
        for field, media in _TEXTS.items():
            if isinstance(record.get(field), str):
                # half of a pair that stands alone is no text
                content = record[field].encode("utf-8", "replace")
                if len(content) > LARGEST:
                    raise TooLarge
                return Stored(content, media, "utf-8")
        return None

    def close(self) -> None:
        self._spool.close()


def _name(line: bytes, path: str, number: int) -> str:
    def wrong(problem: str) -> InputError:
        return InputError(
            problem,
            path=path,
            line=number,
            text=line.decode("utf-8", "replace").strip(),
            expected=EXPECTED,
            remedy="mend the line or remove it",
        )

    try:
        record: Any = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise wrong("this is no JSON") from None
    if not isinstance(record, dict):
        raise wrong("this is no object")
    name = next((record[field] for field in _NAMES if field in record), None)
    if not isinstance(name, str | int) or isinstance(name, bool) or not str(name):
        raise wrong("a document has no name")
    if not any(isinstance(record.get(field), str) for field in _TEXTS):
        raise wrong("a document has neither text nor html")
    return str(name)
