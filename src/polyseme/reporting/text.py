"""For a terminal: tables that fit its width, the best value of each column bold.

A table too wide for the terminal is turned, so that its columns become rows, or set in several
blocks of columns, whichever takes fewer lines.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, TextIO

from polyseme.reporting.layout import GAP, Block, for_width
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
    above = list(_above(block))
    for place, name in enumerate(block.head):
        drawn.add_column(
            Text(name),
            min_width=above[place],
            justify="right" if block.right[place] else "left",
            vertical="top",
            no_wrap=not prose[place],
            overflow="fold",
            style="" if place >= block.fixed else "cyan",
        )
    for place, (row, marks) in enumerate(zip(block.rows, block.bold, strict=True)):
        if place and (place in block.rules or place in block.parts):
            drawn.add_section()
        if place in block.parts:
            drawn.add_row(Text(block.parts[place], style="italic"))
        drawn.add_row(
            *(
                Text(text, style="bold green" if best else "")
                for text, best in zip(row, marks, strict=True)
            )
        )
    if any(block.groups):
        console.print(_spanning(block, above), style="bold", no_wrap=True)
    console.print(drawn)


def _spans(block: Block) -> Iterator[tuple[str, list[int]]]:
    """Groups of neighbouring columns."""
    places = groupby(range(len(block.head)), key=lambda place: block.groups[place])
    return ((group, list(held)) for group, held in places)


def _above(block: Block) -> Iterator[int | None]:
    """How wide each column is at least, so that what stands above its group has room."""
    if not any(block.groups):
        yield from (None for _ in block.head)
        return
    for group, places in _spans(block):
        widths = [block.width(place) for place in places]
        lacking = len(group) - sum(widths) - GAP * (len(places) - 1)
        widths[-1] += max(lacking, 0)
        yield from widths


def _spanning(block: Block, widths: list[int | None]) -> str:
    """The line above the heads: what they share, in the middle of them."""
    pieces = []
    for group, places in _spans(block):
        wide = sum(widths[place] or 0 for place in places) + GAP * (len(places) - 1)
        pieces.append(group.center(wide))
    return (" " * GAP).join(pieces)
