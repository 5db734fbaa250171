"""Titles of documents: CSV, JSON lines or Parquet with the columns ``doc,title``."""

from __future__ import annotations

from polyseme.collection.formats.catalogue import TABLES
from polyseme.collection.formats.opening import source_of
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.sniffing import sniff

EXPECTED = "CSV, JSON lines or Parquet with the columns doc,title"


def read_titles(path: str) -> dict[str, str]:
    """The title of each document; empty where the file has none for it."""
    source = source_of(path)
    report = Report(source.name)
    guess = sniff(source, report)
    # two columns between which stands a comma are told by nothing else
    form = guess.format if guess.format in TABLES else "csv"
    table = TABLES[form](source, report)
    missing = [name for name in ("doc", "title") if name not in table.columns]
    if missing:
        report.fatal(
            f"there is no column {missing[0]!r}",
            line=guess.line,
            text=",".join(table.columns[:12]),
            expected=EXPECTED,
            remedy="add a header with these names",
        )
    titles: dict[str, str] = {}
    for (document, title), line, text in table.records(("doc", "title")):
        name = str(document).strip() if document is not None else ""
        words = str(title).strip() if title is not None else ""
        if not name:
            report.fatal(
                "a document has no name",
                line=line,
                text=text,
                expected=EXPECTED,
                remedy="complete the line or remove it",
            )
        if titles.get(name, words) != words:
            report.fatal(
                f"the document {name!r} has a second title",
                line=line,
                text=text,
                expected="one title for each document",
                remedy="remove one of the lines",
            )
        titles[name] = words
    return titles
