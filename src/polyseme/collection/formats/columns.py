"""Small tables of texts: CSV, JSON lines or Parquet with columns of given names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polyseme.collection.formats.catalogue import TABLES
from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.sniffing import sniff
from polyseme.errors import did_you_mean

#: a record's texts, what is missing being empty; its line; the line's text
Texts = tuple[list[str], int, str | None]


def read_columns(
    source: Source,
    report: Report,
    needed: Sequence[str],
    optional: Sequence[str] = (),
    *,
    expected: str,
) -> Iterator[Texts]:
    """The records of a file, each with the texts of all columns asked for."""
    guess = sniff(source, report)
    # two columns between which stands a comma are told by nothing else
    form = guess.format if guess.format in TABLES else "csv"
    table = TABLES[form](source, report)
    for name in (*needed, *optional):
        count = table.columns.count(name)
        if count > 1 or (count == 0 and name in needed):
            report.fatal(
                f"there is no column {name!r}" if not count else f"two columns are named {name!r}",
                line=guess.line,
                text=",".join(table.columns[:12]),
                expected=expected,
                remedy=did_you_mean(name, table.columns) or "add a header with these names",
            )
    present = [name for name in optional if name in table.columns]
    columns = [*needed, *present]
    for values, line, text in table.records(columns):
        held = {
            name: "" if value is None else str(value).strip()
            for name, value in zip(columns, values, strict=True)
        }
        yield [held.get(name, "") for name in (*needed, *optional)], line, text
