"""For a terminal: tables that fit its width, the best value of each column bold.

A table too wide for the terminal is turned, so that its columns become rows, or set in several
blocks of columns, whichever takes fewer lines.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, TextIO

from polyseme.reporting.layout import Block, for_width
from polyseme.tables import Report, Table

if TYPE_CHECKING:
    from rich.console import Console

#: wide enough for any table: what is not read on a terminal is neither turned nor split
_UNLIMITED = 1 << 20


def write_text(report: Report, stream: TextIO) -> None:
    """Tables with their notes; on a terminal they fit, in colour unless NO_COLOR is set."""
    terminal = stream.isatty()
    held = _Held(getattr(stream, "encoding", None) or "utf-8")
    console = _console(held, stream, terminal)
    for number, table in enumerate(report.seen):
        if number:
            console.print()
        if table.caption:
            console.print(table.caption, style="bold")
        _draw(table, console)
    if report.all_notes:
        console.print()
    for note in report.all_notes:
        console.print(note, style="dim")
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


def _draw(table: Table, console: Console) -> None:
    block = Block.of(table)
    if any(column.kind == "prose" for column in table.columns):
        _print(block, console, [column.kind == "prose" for column in table.columns])
        return
    for number, each in enumerate(for_width(block, console.width)):
        if number:
            console.print()
        _print(each, console, [False] * len(each.head))


def _print(block: Block, console: Console, prose: list[bool]) -> None:
    from rich import box
    from rich.table import Table as Drawn
    from rich.text import Text

    drawn = Drawn(
        # a blank line between rows of several lines
        leading=int(any(prose) and any("\n" in text for row in block.rows for text in row)),
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        header_style="bold",
    )
    for place, name in enumerate(block.head):
        drawn.add_column(
            Text(name),
            justify="right" if block.right[place] else "left",
            vertical="top",
            no_wrap=not prose[place],
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
