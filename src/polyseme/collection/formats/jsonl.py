"""JSON lines: one object a line, with the keys topic, intent, doc, grade and so on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TextIO

from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.tables import Record
from polyseme.collection.formats.text import blocks
from polyseme.errors import InputError

if TYPE_CHECKING:
    import json

#: how many records are looked at for their keys
_FIRST = 1000


class JsonTable:
    """A file of JSON lines as columns and records."""

    def __init__(self, source: Source, report: Report) -> None:
        self._source = source
        self._report = report
        wrong: list[InputError] = []
        quiet = Report(report.path, lambda error: wrong.append(error) if not wrong else None)
        keys: dict[str, None] = {}
        for _, record, _ in islice(objects(source, quiet), _FIRST):
            keys.update(dict.fromkeys(record))
        if wrong and not keys:
            raise wrong[0]
        self.columns = list(keys)

    def records(self, columns: Sequence[str]) -> Iterator[Record]:
        """The values of ``columns``, record by record; None where a record lacks the key."""
        for line, record, text in objects(self._source, self._report):
            yield [record.get(name) for name in columns], line, text


def objects(
    source: Source, report: Report, decoder: json.JSONDecoder | None = None
) -> Iterator[tuple[int, dict[str, object], str]]:
    """The objects of a file with their lines and texts; what is none is told."""
    import json

    decode = (decoder or json.JSONDecoder()).decode
    for block in blocks(source, report, free_text=True):
        for number, text in enumerate(block.lines, block.first):
            if not text.strip() or text.lstrip(" \t").startswith("#"):
                continue
            try:
                record = decode(text)
            except (ValueError, RecursionError) as error:
                reason = str(error).partition(":")[0]
                _not_an_object(report, f"is not JSON ({reason})", number, text)
                continue
            if not isinstance(record, dict):
                _not_an_object(report, "is not a JSON object", number, text)
                continue
            yield number, record, text


def _not_an_object(report: Report, what: str, number: int, text: str) -> None:
    report.problem(
        f"the line {what}",
        line=number,
        text=text,
        expected='an object on a line of its own, such as {"topic": "1", "doc": "d1", ...}',
        remedy="write one object a line",
    )


def write(stream: TextIO, columns: Sequence[str], records: Iterable[Sequence[object]]) -> None:
    """One object a record, without the keys that have no value."""
    import json

    for record in records:
        named = {
            name: value for name, value in zip(columns, record, strict=True) if value is not None
        }
        stream.write(json.dumps(named, ensure_ascii=False))
        stream.write("\n")
