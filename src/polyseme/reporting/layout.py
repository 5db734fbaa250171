"""How a table is laid out: as it is, with folded heads, turned, or in several blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from polyseme.tables import Table

#: letters between columns
GAP = 2
#: as many columns of values as a page takes
PAGE = 10


@dataclass(frozen=True)
class Block:
    """A table as it is laid out: texts only."""

    head: list[str]
    rows: list[list[str]]
    bold: list[list[bool]]
    right: list[bool]
    #: how many columns at the left say what a row is about; they stand in every block
    fixed: int
    #: rows above which a line is drawn, and what stands above some rows
    rules: frozenset[int] = frozenset()
    parts: Mapping[int, str] = field(default_factory=dict)
    #: what stands above each head and its neighbours of the same group
    groups: list[str] = field(default_factory=list)
    #: may its columns become rows?
    turns: bool = True

    @classmethod
    def of(cls, table: Table) -> Block:
        """A table as it is."""
        fixed = 0
        while fixed < len(table.columns) - 1 and table.columns[fixed].kind == "label":
            fixed += 1
        right = [column.kind == "value" for column in table.columns]
        return cls(
            *(list(table.names), table.shown, table.best, right, fixed),
            groups=[column.group for column in table.columns],
            rules=table.rules,
            parts=table.parts,
            turns=not table.designed,
        )

    def width(self, column: int) -> int:
        """What the longest line of a column takes."""
        cells = [self.head[column], *(row[column] for row in self.rows)]
        return max(len(line) for cell in cells for line in cell.split("\n"))

    @property
    def widths(self) -> list[int]:
        return [self.width(column) for column in range(len(self.head))]

    @property
    def height(self) -> int:
        return len(self.rows) + 2 + max(cell.count("\n") + 1 for cell in self.head)

    def fits(self, width: int) -> bool:
        return sum(self.widths) + GAP * (len(self.head) - 1) <= width

    def part(self, columns: Sequence[int]) -> Block:
        """Some of its columns."""
        return Block(
            [self.head[c] for c in columns],
            [[row[c] for c in columns] for row in self.rows],
            [[row[c] for c in columns] for row in self.bold],
            [self.right[c] for c in columns],
            self.fixed,
            self.rules,
            self.parts,
            [self.groups[c] for c in columns],
            self.turns,
        )

    def split(self, width: int) -> list[Block]:
        """Blocks of as many columns as fit, the fixed ones in each."""
        widths = self.widths
        fixed = list(range(self.fixed))
        start = sum(widths[c] + GAP for c in fixed)
        blocks: list[list[int]] = [[]]
        used = start
        for column in range(self.fixed, len(self.head)):
            if blocks[-1] and used + widths[column] > width:
                blocks.append([])
                used = start
            blocks[-1].append(column)
            used += widths[column] + GAP
        return [self.part(fixed + columns) for columns in blocks]

    def folded(self) -> Block:
        """The same with heads on several lines, broken where names have their joints."""
        named = ("\n".join(_joints(name)) for name in self.head[self.fixed :])
        head = [*self.head[: self.fixed], *named]
        return replace(self, head=head)

    def turned(self) -> Block | None:
        """The same with its columns as rows, if one column says what a row is about."""
        if not self.turns or self.fixed != 1 or not self.rows or not all(self.right[1:]):
            return None
        values = range(1, len(self.head))
        return Block(
            ["", *(row[0] for row in self.rows)],
            [[self.head[c], *(row[c] for row in self.rows)] for c in values],
            [[False, *(row[c] for row in self.bold)] for c in values],
            [False, *[True] * len(self.rows)],
            1,
            groups=[""] * (len(self.rows) + 1),
        )


def for_width(block: Block, width: int) -> list[Block]:
    """Blocks that fit a width, in as few lines as can be."""
    if block.fits(width):
        return [block]
    if block.folded().fits(width):
        return [block.folded()]
    ways = [block.folded().split(width)]
    turned = block.turned()
    if turned is not None:
        ways += [turned.split(width), turned.folded().split(width)]
    return min(ways, key=lambda blocks: (sum(each.height + 1 for each in blocks), len(blocks)))


def for_page(block: Block) -> Block:
    """The same, turned if it has more columns than a page takes and fewer rows."""
    turned = block.turned()
    too_wide = len(block.head) - 1 > max(PAGE, len(block.rows))
    return turned if turned is not None and too_wide else block


def _joints(name: str) -> Iterator[str]:
    """A measure's name in pieces: the name, its parameters, its cutoff."""
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
