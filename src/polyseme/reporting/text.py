"""For a terminal: tables that fit its width, the best value of each column bold.

A table too wide for the terminal is turned, so that its columns become rows, or set in several
blocks of columns, whichever takes fewer lines.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from polyseme.reporting.tables import Report, Table

if TYPE_CHECKING:
    from rich.console import Console

_GAP = 2
#: wide enough for any table: what is not read on a terminal is neither turned nor split
_UNLIMITED = 1 << 20


@dataclass(frozen=True)
class _Block:
    """A table as it is drawn: texts only."""

    head: list[str]
    rows: list[list[str]]
    bold: list[list[bool]]
    right: list[bool]
    #: how many columns at the left stand in every block
    fixed: int

    def width(self, column: int) -> int:
        cells = [self.head[column], *(row[column] for row in self.rows)]
        return max(len(line) for cell in cells for line in cell.split("\n"))

    @property
    def widths(self) -> list[int]:
        return [self.width(column) for column in range(len(self.head))]

    @property
    def height(self) -> int:
        return len(self.rows) + 2 + max(cell.count("\n") + 1 for cell in self.head)

    def fits(self, width: int) -> bool:
        return sum(self.widths) + _GAP * (len(self.head) - 1) <= width

    def of(self, columns: Sequence[int]) -> _Block:
        return _Block(
            [self.head[c] for c in columns],
            [[row[c] for c in columns] for row in self.rows],
            [[row[c] for c in columns] for row in self.bold],
            [self.right[c] for c in columns],
            self.fixed,
        )

    def split(self, width: int) -> list[_Block]:
        """Blocks of as many columns as fit, the fixed ones in each."""
        widths = self.widths
        fixed = list(range(self.fixed))
        start = sum(widths[c] + _GAP for c in fixed)
        blocks: list[list[int]] = [[]]
        used = start
        for column in range(self.fixed, len(self.head)):
            if blocks[-1] and used + widths[column] > width:
                blocks.append([])
                used = start
            blocks[-1].append(column)
            used += widths[column] + _GAP
        return [self.of(fixed + columns) for columns in blocks]

    def folded(self) -> _Block:
        """The same with heads on several lines, broken where names have their joints."""
        head = [*self.head[: self.fixed], *(_folded(name) for name in self.head[self.fixed :])]
        return _Block(head, self.rows, self.bold, self.right, self.fixed)

    def turned(self) -> _Block | None:
        """The same with its columns as rows, if one column says what a row is about."""
        if self.fixed != 1 or not self.rows:
            return None
        values = range(1, len(self.head))
        return _Block(
            ["", *(row[0] for row in self.rows)],
            [[self.head[c], *(row[c] for row in self.rows)] for c in values],
            [[False, *(row[c] for row in self.bold)] for c in values],
            [False, *[True] * len(self.rows)],
            1,
        )


def write_text(report: Report, stream: TextIO) -> None:
    """Tables with their notes; on a terminal they fit, in colour unless NO_COLOR is set."""
    terminal = stream.isatty()
    held = _Held(getattr(stream, "encoding", None) or "utf-8")
    console = _console(held, stream, terminal)
    width = console.width if terminal else _UNLIMITED
    for number, table in enumerate(report.seen):
        if number:
            console.print()
        if table.caption:
            console.print(table.caption, style="bold")
        _draw(table, console, width)
    if report.all_notes:
        console.print()
    for note in report.all_notes:
        console.print(note, style="dim", soft_wrap=not terminal)
    for line in held.getvalue().split("\n")[:-1]:
        stream.write(line.rstrip() + "\n")


class _Held(io.StringIO):
    """What was drawn, until it is written; rich asks it what letters it can hold."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding


def _console(held: TextIO, stream: TextIO, terminal: bool) -> Console:
    from rich.console import Console

    return Console(
        file=held,
        force_terminal=terminal,
        width=Console(file=stream).width if terminal else _UNLIMITED,
        highlight=False,
        markup=False,
        emoji=False,
    )


def _draw(table: Table, console: Console, width: int) -> None:
    if any(column.kind == "prose" for column in table.columns):
        _print(_block(table), console, prose=table)
        return
    for number, block in enumerate(_fitting(_block(table), width)):
        if number:
            console.print()
        _print(block, console)


def _block(table: Table) -> _Block:
    fixed = 0
    for column in table.columns:
        if column.kind != "label":
            break
        fixed += 1
    return _Block(
        list(table.names),
        table.shown,
        table.best,
        [column.kind == "value" for column in table.columns],
        min(fixed, len(table.columns) - 1),
    )


def _fitting(block: _Block, width: int) -> list[_Block]:
    if block.fits(width):
        return [block]
    if block.folded().fits(width):
        return [block.folded()]
    ways = [block.folded().split(width)]
    turned = block.turned()
    if turned is not None:
        ways += [turned.split(width), turned.folded().split(width)]
    return min(ways, key=lambda blocks: (sum(each.height + 1 for each in blocks), len(blocks)))


def _folded(name: str) -> str:
    """A measure's name on lines: the name, its parameters, its cutoff."""
    return "\n".join(_pieces(name))


def _pieces(name: str) -> Iterator[str]:
    piece = ""
    for letter in name:
        if letter in "(@" and piece:
            yield piece
            piece = ""
        piece += letter
        if letter in ", " and piece.strip():
            yield piece.rstrip(" ")
            piece = ""
    if piece:
        yield piece


def _print(block: _Block, console: Console, prose: Table | None = None) -> None:
    from rich import box
    from rich.table import Table as Drawn
    from rich.text import Text

    # a blank line between rows of several lines
    airy = prose is not None and any("\n" in text for row in block.rows for text in row)
    drawn = Drawn(
        leading=int(airy),
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        header_style="bold",
    )
    for place, name in enumerate(block.head):
        wraps = prose is not None and prose.columns[place].kind == "prose"
        drawn.add_column(
            Text(name),
            justify="right" if block.right[place] else "left",
            vertical="top",
            no_wrap=not wraps,
            overflow="fold",
            style="" if place >= block.fixed else "cyan",
        )
    for row, marks in zip(block.rows, block.bold, strict=True):
        drawn.add_row(
            *(
                Text(text, style="bold green" if best else "")
                for text, best in zip(row, marks, strict=True)
            )
        )
    console.print(drawn)
