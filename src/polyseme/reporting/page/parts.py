"""What a page is made of: answers, sections, tables, matrices and pictures, all plain values.

Every text here is text: what means something to HTML is made harmless when the page is written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

#: what a row or a column is about; readers choose among these, and their names lead somewhere
Subject = Literal["run", "topic", "measure", "team", ""]

#: longer names would push everything else off a page
LONGEST_NAME = 120


@dataclass(frozen=True)
class Head:
    """The head of a column."""

    name: str
    #: numbers stand at the right
    number: bool = True
    #: a column that readers can hide with others of its subject
    subject: Subject = ""
    #: what the column means, in a sentence
    meaning: str = ""


@dataclass(frozen=True)
class Cell:
    """A cell of a table; the first one of a row says what the row is about."""

    text: str
    #: by what it is sorted, where its text does not say it
    order: float | None = None
    #: what it names, so that it leads to where that is told
    subject: Subject = ""
    #: the best of its column
    best: bool = False


@dataclass(frozen=True)
class Grid:
    """A table with a row for each run, topic, measure or pair."""

    name: str
    caption: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[Cell, ...], ...]
    #: what rows are about: readers can choose rows by the text of their first cell
    about: Subject = ""
    #: are these the rows that links to such a subject lead to?
    home: bool = False
    notes: tuple[str, ...] = ()
    #: is it folded until readers want it?
    folded: bool = False
    kind: str = "grid"


@dataclass(frozen=True)
class Matrix:
    """Values of rows by columns, with how they are shaded."""

    name: str
    caption: str
    #: of the first columns, which say what a row is about
    heads: tuple[str, ...]
    about: Subject
    columns: tuple[str, ...]
    columns_about: Subject
    #: for each row: its first cells, and its values with their shades
    rows: tuple[tuple[tuple[str, ...], tuple[tuple[str, str], ...]], ...]
    notes: tuple[str, ...] = ()
    #: by name of measure: values of all rows, 10,000 times as large, as text
    choices: Mapping[str, str] = field(default_factory=dict)
    chosen: str = ""
    folded: bool = False
    kind: str = "matrix"


@dataclass(frozen=True)
class Picture:
    """A figure as SVG without anything that could run or be fetched."""

    name: str
    svg: str
    title: str
    description: str
    notes: tuple[str, ...] = ()
    folded: bool = False
    kind: str = "picture"

    @property
    def caption(self) -> str:
        return self.title


@dataclass(frozen=True)
class Listing:
    """Sentences of one kind below a heading."""

    name: str
    caption: str
    listed: tuple[str, ...]
    folded: bool = False
    kind: str = "listing"


Block = Grid | Matrix | Picture | Listing


@dataclass(frozen=True)
class Answer:
    """The answer to one of the questions: in a line, in sentences, and what to mind."""

    name: str
    question: str
    short: str
    sentences: tuple[str, ...] = ()
    #: what a careful reader should not conclude
    hedges: tuple[str, ...] = ()
    #: what a summary of a minute repeats of the sentences
    summary: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section:
    """An answer with all that it rests on."""

    answer: Answer
    blocks: tuple[Block, ...] = ()
    #: commands that print the same numbers
    commands: tuple[str, ...] = ()


def anchor(subject: str, *names: str) -> str:
    """The place of something on the page: letters, digits, dots, hyphens and underscores."""
    # between several names a hyphen stands for itself only
    kept = "A-Za-z0-9.-" if len(names) == 1 else "A-Za-z0-9."
    said = "-".join(re.sub(f"[^{kept}]", lambda m: f"_{ord(m[0]):x}_", name) for name in names)
    return f"{subject}-{said}"


def readable(names: Iterable[str]) -> tuple[str, ...]:
    """Names as a page can show them: no letter that is invisible, and none without end.

    Names that differ stay different.
    """
    taken: set[str] = set()
    found: list[str] = []
    for name in names:
        seen = visible(name)
        if len(seen) > LONGEST_NAME:
            seen = seen[: LONGEST_NAME - 1] + "…"
        other, number = seen, 2
        while other in taken:
            other, number = f"{seen} ({number})", number + 1
        taken.add(other)
        found.append(other)
    return tuple(found)


def visible(text: str) -> str:
    """A text with a number for each control, mark of direction, and what is no character."""
    if text.isprintable():
        return text
    return "".join(
        letter
        if letter.isprintable() or unicodedata.category(letter) == "Zs"
        else f"\\u{ord(letter):04x}"
        for letter in text
    )


def listed(names: Sequence[str], most: int = 5, *, what: str = "") -> str:
    """Names in a sentence: ``a, b and c``, ``a, b and 3 others``."""
    shown = list(names)
    if len(shown) > most:
        rest = len(shown) - most
        more = f"{rest:,} {what or 'other'}" + ("" if rest == 1 else "s")
        return ", ".join(shown[:most]) + f" and {more}"
    return " and ".join(part for part in (", ".join(shown[:-1]), *shown[-1:]) if part)


def share(part: float, whole: float) -> str:
    """A share in percent, without pretending to more than there is."""
    if not whole:
        return "none"
    value = 100 * part / whole
    return f"{value:.1f}%" if 0 < value < 10 else f"{value:.0f}%"
