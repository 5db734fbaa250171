from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from polyseme.reporting.layout import Block, for_page, for_width
from polyseme.tables import Column, Table, labels


def table(runs: int, measures: int, name: str = "nDCG(gain=exponential)@{}") -> Table:
    columns = (*labels("run"), *(Column(name.format(n)) for n in range(measures)))
    rows = [(f"run-{r}", *(0.25 for _ in range(measures))) for r in range(runs)]
    return Table(columns, rows)


def test_what_fits_stays_as_it_is() -> None:
    block = Block.of(table(3, 2))
    assert for_width(block, 80) == [block]


def test_heads_fold_at_their_joints() -> None:
    (folded,) = for_width(Block.of(table(3, 3)), 70)
    assert folded.head[1] == "nDCG\n(gain=exponential)\n@0"


def test_many_measures_become_rows() -> None:
    (turned,) = for_width(Block.of(table(3, 30)), 60)
    assert turned.head == ["", "run-0", "run-1", "run-2"]
    assert turned.rows[4] == ["nDCG(gain=exponential)@4", "0.2500", "0.2500", "0.2500"]


def test_many_runs_and_measures_stand_in_blocks() -> None:
    blocks = for_width(Block.of(table(40, 30, "P@{}")), 60)
    assert len(blocks) > 1
    assert all(block.fits(60) for block in blocks)


def test_rows_about_two_things_are_never_turned() -> None:
    columns = (*labels("run", "topic"), *(Column(f"P@{n}") for n in range(30)))
    block = Block.of(Table(columns, [("a", "1", *([0.5] * 30))]))
    blocks = for_width(block, 60)
    assert all(each.head[:2] == ["run", "topic"] for each in blocks)
    assert for_page(block) is block


def test_a_page_turns_what_has_too_many_columns() -> None:
    assert len(for_page(Block.of(table(3, 30))).head) == 4
    assert len(for_page(Block.of(table(3, 10))).head) == 11
    assert len(for_page(Block.of(table(50, 30))).head) == 31


@given(st.integers(1, 12), st.integers(1, 40), st.integers(40, 200))
def test_every_value_is_shown_once_and_fits(runs: int, measures: int, width: int) -> None:
    blocks = for_width(Block.of(table(runs, measures)), width)
    assert sum(len(block.rows) * (len(block.head) - block.fixed) for block in blocks) == (
        runs * measures
    )
    assert all(block.fits(width) for block in blocks)
