"""Reports as a reader sees them: sections, sentences and tables of a page."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

VOID = {"meta", "link", "input", "br", "img", "path", "line", "rect", "circle"}


@dataclass
class Sheet:
    """A table: its heads, and its rows with their places on the page."""

    heads: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    places: list[str] = field(default_factory=list)

    def records(self) -> list[dict[str, str]]:
        return [dict(zip(self.heads, row, strict=True)) for row in self.rows]

    def by_first(self) -> dict[str, dict[str, str]]:
        """Rows by what stands in their first cell."""
        return {row[0]: record for row, record in zip(self.rows, self.records(), strict=True)}


class Page(HTMLParser):
    """A page's tables by name, its sentences by section, and all its places and links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: dict[str, Sheet] = {}
        self.sentences: dict[str, list[str]] = {}
        self.places: list[str] = []
        self.links: list[str] = []
        self.values: dict[str, list[float | None]] = {}
        self.title = ""
        self._table: Sheet | None = None
        self._section = ""
        self._cell: list[str] | None = None
        self._sentence: list[str] | None = None
        self._row: list[str] | None = None
        self._named = ""
        self._script: str | None = None
        self.feed(text)

    @classmethod
    def at(cls, path: Path) -> Page:
        return cls(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = {name: value or "" for name, value in attrs}
        if "id" in held:
            self.places.append(held["id"])
        if tag == "a":
            self.links.append(held["href"])
        if tag == "section":
            self._section = held["id"]
        if tag == "table":
            self._table = self.tables.setdefault(held["id"], Sheet())
        if self._table is not None:
            self._in_table(tag, held)
        elif tag in ("p", "li", "dd", "h2", "title"):
            self._end_sentence()
            self._sentence, self._named = [], tag
        if tag == "script":
            self._script = held.get("data-name", "")

    def _in_table(self, tag: str, held: dict[str, str]) -> None:
        assert self._table is not None
        if tag == "tr":
            self._end_row()
            self._row = []
            if held.get("id"):
                self._table.places.append(held["id"])
        if tag in ("th", "td"):
            self._end_cell()
            self._cell = []
            if tag == "th" and held.get("scope") == "col":
                self._named = "head"

    def handle_data(self, data: str) -> None:
        if self._script:
            self.values[self._script] = [
                None if each is None else each / 10_000 for each in json.loads(data)
            ]
        for held in (self._cell, self._sentence):
            if held is not None:
                held.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("th", "td"):
            self._end_cell()
        if tag in ("tr", "thead", "tbody"):
            self._end_row()
        if tag == "table":
            self._table = None
        if tag in ("p", "li", "dd", "h2", "title"):
            self._end_sentence()
        if tag == "script":
            self._script = None

    def _end_cell(self) -> None:
        if self._cell is None or self._table is None:
            return
        text = " ".join("".join(self._cell).split())
        self._cell = None
        if self._named == "head":
            self._table.heads.append(text)
            self._named = ""
        elif self._row is not None:
            self._row.append(text)

    def _end_row(self) -> None:
        self._end_cell()
        if self._row and self._table is not None:
            self._table.rows.append(self._row)
        self._row = None

    def _end_sentence(self) -> None:
        if self._sentence is not None:
            text = " ".join("".join(self._sentence).split())
            if self._named == "title":
                # pictures have titles too, which are their tooltips
                self.title = self.title or text
            self.sentences.setdefault(self._section, []).append(text)
        self._sentence = None

    def told(self, section: str) -> str:
        """All sentences of a section."""
        return "\n".join(self.sentences.get(section, []))


def number(text: str) -> float:
    """A number as a page shows it."""
    return float(text.replace("−", "-").replace("<", "").replace(",", "").rstrip("%"))
