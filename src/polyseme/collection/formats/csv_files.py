"""CSV with a header: columns topic,intent,doc,grade and so on, separated by comma, tab or ``;``."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.sniffing import delimiter_of
from polyseme.collection.formats.tables import Record
from polyseme.collection.formats.text import blocks


class CsvTable:
    """A CSV file as a header and records."""

    def __init__(self, source: Source, report: Report, *, delimiter: str | None = None) -> None:
        self._source = source
        self._report = report
        header = next(iter(_Lines(source, report)), "")
        self._delimiter = delimiter or delimiter_of(header) or ","
        first = next(self._rows(), (0, []))
        self.columns = [name.strip() for name in first[1]]

    def records(self, columns: Sequence[str]) -> Iterator[Record]:
        """The values of ``columns``, record by record."""
        places = [self.columns.index(name) for name in columns]
        wanted = len(self.columns)
        rows = self._rows()
        next(rows, None)
        for line, row in rows:
            text = self._delimiter.join(row)
            if len(row) != wanted:
                self._report.problem(
                    f"{len(row)} columns where the header has {wanted}",
                    line=line,
                    text=text,
                    expected=self._delimiter.join(self.columns),
                    remedy="complete the record, or put quotes around what holds a "
                    f"{self._delimiter!r}",
                )
                continue
            yield [row[place] for place in places], line, text

    def _rows(self) -> Iterator[tuple[int, list[str]]]:
        lines = _Lines(self._source, self._report)
        reader = csv.reader(lines, delimiter=self._delimiter, skipinitialspace=True, strict=True)
        while True:
            lines.between_records = True
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                self._report.fatal(
                    f"the record is not CSV ({error})",
                    line=lines.record,
                    text=lines.text,
                    expected="quotes that are opened and closed around a whole column",
                    remedy="mend the quotes",
                )
            yield lines.record, row


class _Lines:
    """Lines for the csv module; blank ones and comments are passed over between records only."""

    def __init__(self, source: Source, report: Report) -> None:
        self._lines = (
            (number, line)
            for block in blocks(source, report, free_text=True)
            for number, line in enumerate(block.lines, block.first)
        )
        self.between_records = True
        #: where the record at hand begins
        self.record = 1
        self.text = ""

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        for number, line in self._lines:
            if self.between_records:
                if not line.strip() or line.lstrip(" \t").startswith("#"):
                    continue
                self.record, self.text = number, line
                self.between_records = False
            return line + "\n"
        raise StopIteration


def write(stream: TextIO, columns: Sequence[str], records: Iterable[Sequence[object]]) -> None:
    """A header and records. Where a record would read as a comment, everything is quoted."""
    rows = list(records)
    hidden = any(isinstance(row[0], str) and row[0].startswith("#") for row in rows if row)
    writer = csv.writer(
        stream, lineterminator="\n", quoting=csv.QUOTE_ALL if hidden else csv.QUOTE_MINIMAL
    )
    writer.writerow(columns)
    writer.writerows(rows)
