from __future__ import annotations

import math

import pytest

from polyseme.tables import Column, Report, Table, labels, told


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (0.5, "0.5000"),
        (1 / 3, "0.3333"),
        (-0.00001, "0.0000"),
        (-0.5, "-0.5000"),
        (math.nan, "–"),
        (math.inf, "inf"),
        (12, "12"),
        (True, "yes"),
        (False, "no"),
        (None, ""),
        ("text", "text"),
    ],
)
def test_a_cell_is_shown_as_people_read_it(cell: str | float | None, shown: str) -> None:
    assert Column("x").shown(cell) == shown


@pytest.mark.parametrize(
    ("best", "cells", "expected"),
    [
        ("highest", [0.1, 0.3, 0.2], [False, True, False]),
        ("lowest", [0.1, 0.3, 0.2], [True, False, False]),
        # both print as 0.3333
        ("highest", [0.33331, 0.33332, 0.1], [True, True, False]),
        ("highest", [0.2, 0.2], [False, False]),
        ("highest", [0.2], [False]),
        ("highest", [math.nan, 0.2, 0.1], [False, True, False]),
        ("highest", [None, "a", True], [False, False, False]),
        (None, [0.1, 0.3], [False, False]),
    ],
)
def test_the_best_cells_are_those_that_look_best(best, cells, expected) -> None:  # type: ignore[no-untyped-def]
    assert Column("x", best=best).is_best(cells) == expected


def test_rows_become_records() -> None:
    table = Table((*labels("run"), Column("value")), iter([("a", 1.0), ("b", 2.0)]))
    assert list(table.records()) == [{"run": "a", "value": 1.0}, {"run": "b", "value": 2.0}]


def test_people_see_the_data_where_there_is_no_other_table() -> None:
    table = Table(labels("a"), [("x",)])
    other = Table(labels("b"), [("y",)])
    assert Report(table).seen == (table,)
    assert Report(table, tables=(other,)).seen == (other,)


def test_provenance_is_told_in_one_line() -> None:
    provenance = {
        "polyseme": "9.9",
        "seed": 7,
        "policies": {"gain": "linear", "average_over": "judged", "kept": True, "none": None},
    }
    assert told(provenance) == ("gain linear, average-over judged, kept, seed 7, polyseme 9.9")
    assert told({}) == ""
    assert told({"policies": {"kept": False}, "dialect": "polyseme"}) == ""
    assert (
        told({"policies": {"order": "rank"}, "dialect": "ndeval"}) == "dialect ndeval, order rank"
    )
    assert told({"policies": {"only_topics": [str(n) for n in range(9)]}}) == (
        "only-topics 0 1 2 3 4 5 and 3 more"
    )
