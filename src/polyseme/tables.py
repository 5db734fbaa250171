"""Tables: rows, columns and notes, whatever they will be written as."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any, Literal, cast

from polyseme.errors import PolysemeError

Cell = str | int | float | bool | None
Row = tuple[Cell, ...]
#: what a column holds: names that say what a row is about, values, or sentences
Kind = Literal["label", "value", "prose"]

NOTHING = "–"
#: what rows can be handed out as
FRAMES = "pandas, polars, pyarrow, modin or duckdb"


@dataclass(frozen=True)
class Column:
    """One column: its name, what it holds, and how its values are shown."""

    name: str
    kind: Kind = "value"
    #: which of its values is the best one, set bold where people read
    best: Literal["highest", "lowest"] | None = None
    #: how many decimals people see; programs get all
    decimals: int = 4
    #: what stands above it and its neighbours of the same group
    group: str = ""
    #: without the zero before the point, as some papers print numbers below one
    bare: bool = False

    def shown(self, cell: Cell) -> str:
        """A cell as people read it."""
        if cell is None:
            return ""
        if isinstance(cell, bool):
            return "yes" if cell else "no"
        if not isinstance(cell, float):
            return str(cell)
        if math.isnan(cell):
            return NOTHING
        text = f"{cell:.{self.decimals}f}"
        # a tiny negative number is no negative zero
        text = text.removeprefix("-") if not text.strip("-0.") else text
        return re.sub(r"^(-?)0\.", r"\1.", text) if self.bare else text

    def is_best(self, cells: Iterable[Cell]) -> list[bool]:
        """Which of the cells are the best; what people see as equal is equally good."""
        held = list(cells)
        seen = [self._value(cell) for cell in held]
        known = [value for value in seen if value is not None]
        if self.best is None or len(set(known)) < 2:
            return [False] * len(held)
        best = max(known) if self.best == "highest" else min(known)
        return [value == best for value in seen]

    def _value(self, cell: Cell) -> float | None:
        if isinstance(cell, bool) or not isinstance(cell, int | float) or math.isnan(cell):
            return None
        return round(cell, self.decimals)


def labels(*names: str) -> tuple[Column, ...]:
    """Columns that say what a row is about."""
    return tuple(Column(name, "label") for name in names)


@dataclass(frozen=True)
class Table:
    """Rows under columns. What only programs read may come as an iterator, once."""

    columns: tuple[Column, ...]
    rows: Iterable[Row]
    caption: str = ""
    #: rows above which a line is drawn
    rules: frozenset[int] = frozenset()
    #: what stands above some rows, across all columns
    parts: Mapping[int, str] = field(default_factory=dict)
    #: rows and columns of the cells that are bold, where these are not the best of their columns
    bold: frozenset[tuple[int, int]] | None = None

    @property
    def designed(self) -> bool:
        """Is it laid out on purpose, so that its columns cannot become rows?"""
        grouped = any(column.group for column in self.columns)
        return grouped or bool(self.rules or self.parts) or self.bold is not None

    @property
    def spans(self) -> list[tuple[str, int]]:
        """Groups of neighbouring columns, and how many columns each has."""
        return [
            (group, len(list(held)))
            for group, held in groupby(self.columns, key=lambda column: column.group)
        ]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @cached_property
    def held(self) -> Sequence[Row]:
        """All rows at hand."""
        return self.rows if isinstance(self.rows, Sequence) else list(self.rows)

    def records(self) -> Iterator[dict[str, Cell]]:
        """Each row by the columns' names."""
        for row in self.rows:
            yield dict(zip(self.names, row, strict=True))

    def to_frame(self, backend: str = "pandas") -> Any:
        """The rows as a frame of pandas, polars, pyarrow or modin, or as a relation of duckdb."""
        import narwhals as nw

        rows = self.held
        data = {name: [row[place] for row in rows] for place, name in enumerate(self.names)}
        relation = backend == "duckdb"
        try:
            frame = nw.from_dict(data, backend=cast("Any", "pyarrow" if relation else backend))
            return nw.to_native(frame.lazy("duckdb") if relation else frame)
        except (ImportError, ModuleNotFoundError):
            raise PolysemeError(
                f"to_frame({backend!r}) needs {backend}, which is not installed\n"
                f"  to mend it: pip install {backend}"
            ) from None
        except (ValueError, TypeError, AssertionError):  # the last from older narwhals
            raise PolysemeError(f"to_frame knows no backend {backend!r}: say {FRAMES}") from None

    @cached_property
    def shown(self) -> list[list[str]]:
        """The cells as people read them."""
        return [
            [column.shown(cell) for column, cell in zip(self.columns, row, strict=True)]
            for row in self.held
        ]

    @cached_property
    def best(self) -> list[list[bool]]:
        """Which cells are bold: the best of their column, or those that were said."""
        if self.bold is not None:
            return [
                [(row, column) in self.bold for column in range(len(self.columns))]
                for row in range(len(self.held))
            ]
        marks = [
            column.is_best(row[place] for row in self.held)
            for place, column in enumerate(self.columns)
        ]
        return [list(row) for row in zip(*marks, strict=True)]


@dataclass(frozen=True)
class Report:
    """What a command found: rows for programs, tables for people, and what both should know."""

    data: Table
    #: what people see, where that has another shape than the data
    tables: tuple[Table, ...] = ()
    #: sentences that a reader of the numbers needs
    notes: tuple[str, ...] = ()
    #: policies, seeds, versions
    provenance: Mapping[str, Any] = field(default_factory=dict)
    #: more for programs: members of the JSON object beside the rows
    facts: Mapping[str, Any] = field(default_factory=dict)
    #: what a page of it is called; else its first table's caption
    title: str = ""

    @property
    def head(self) -> dict[str, Any]:
        """What programs should know besides the rows."""
        return {"provenance": self.provenance, "notes": list(self.notes), **self.facts}

    def to_json(self, *, indent: int | None = None) -> str:
        """One object: provenance, notes, what else is known, and the rows."""
        held: Mapping[str, Any] = {**self.head, "rows": list(self.data.records())}
        import json

        return json.dumps(without_nan(held), indent=indent, ensure_ascii=False)

    @property
    def seen(self) -> tuple[Table, ...]:
        """The tables that people see."""
        return self.tables or (self.data,)

    @property
    def all_notes(self) -> tuple[str, ...]:
        """The notes and the provenance in sentences."""
        said = told(self.provenance)
        return (*self.notes, said) if said else self.notes


def counted(number: int, what: str) -> str:
    """A number of things: ``1 topic``, ``1,000 topics``."""
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def without_nan(value: Any) -> Any:
    """JSON has no NaN: null stands for it."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): without_nan(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [without_nan(each) for each in value]
    return value


#: policies that hold unless a dialect says otherwise
_USUALLY_TRUE = frozenset({"renormalise", "negative_is_judged"})


def told(provenance: Mapping[str, Any]) -> str:
    """Provenance in one line: the policies by the names of their options, seed and version."""
    said: list[str] = []
    if provenance.get("dialect") not in (None, "polyseme"):
        said.append(f"dialect {provenance['dialect']}")
    for name, value in provenance.get("policies", {}).items():
        option = name.replace("_", "-")
        if name in _USUALLY_TRUE:
            said.extend([f"no-{option}"] if value is False else [])
        # as on the command line: a flag that is not set is not said
        elif value is True:
            said.append(option)
        elif value is not None and value is not False:
            said.append(f"{option} {_plain(value)}")
    for name in ("test", "B", "seed", "correction"):
        if provenance.get(name) is not None:
            said.append(f"{name} {provenance[name]}")
    if "polyseme" in provenance:
        said.append(f"polyseme {provenance['polyseme']}")
    return ", ".join(said)


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        shown = [str(each) for each in value[:6]]
        return " ".join(shown) + (f" and {len(value) - 6} more" if len(value) > 6 else "")
    return str(value)
