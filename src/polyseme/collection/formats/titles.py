"""Titles of documents: CSV, JSON lines or Parquet with the columns ``doc,title``, maybe ``url``."""

from __future__ import annotations

from dataclasses import dataclass

from polyseme.collection.formats.columns import read_columns
from polyseme.collection.formats.opening import source_of
from polyseme.collection.formats.report import Report

EXPECTED = "CSV, JSON lines or Parquet with the columns doc,title"


@dataclass(frozen=True)
class Titled:
    """What is shown of a document in a list of results."""

    title: str
    url: str = ""


def read_titled(path: str) -> dict[str, Titled]:
    """Title and address of each document; empty where the file has none."""
    source = source_of(path)
    report = Report(source.name)
    found: dict[str, Titled] = {}
    records = read_columns(source, report, ("doc", "title"), ("url",), expected=EXPECTED)
    for (name, title, url), line, text in records:
        if not name:
            report.fatal(
                "a document has no name",
                line=line,
                text=text,
                expected=EXPECTED,
                remedy="complete the line or remove it",
            )
        held = Titled(title, url)
        if found.get(name, held) != held:
            report.fatal(
                f"the document {name!r} has a second title",
                line=line,
                text=text,
                expected="one title for each document",
                remedy="remove one of the lines",
            )
        found[name] = held
    return found


def read_titles(path: str) -> dict[str, str]:
    """The title of each document; empty where the file has none for it."""
    return {name: held.title for name, held in read_titled(path).items()}
