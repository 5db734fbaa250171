"""Findings as tables, frames, JSON and HTML."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from polyseme.errors import PolysemeError
from polyseme.results import Result
from polyseme.tables import Column, Report, Table, labels


@dataclass(frozen=True)
class Found(Result):
    values: tuple[tuple[str, float], ...]

    def report(self) -> Report:
        data = Table((*labels("who"), Column("value")), self.values, "found")
        return Report(data, notes=("a <note>",), provenance={"seed": 3})


FOUND = Found((("a", 0.5), ("b", float("nan"))))


def test_json_has_rows_notes_and_provenance_and_null_for_nan() -> None:
    assert json.loads(FOUND.to_json()) == {
        "provenance": {"seed": 3},
        "notes": ["a <note>"],
        "rows": [{"who": "a", "value": 0.5}, {"who": "b", "value": None}],
    }


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow", "duckdb"])
def test_frames_have_the_columns_of_the_rows(backend: str) -> None:
    pytest.importorskip(backend)
    frame = FOUND.to_frame(backend)
    names = frame.column_names if backend == "pyarrow" else list(frame.columns)
    assert names == ["who", "value"]
    assert frame.shape == (2, 2)


def test_an_unknown_frame_gets_the_names_of_known_ones() -> None:
    with pytest.raises(PolysemeError, match="say pandas, polars, pyarrow, modin or duckdb"):
        FOUND.to_frame("excel")


def test_the_table_is_the_one_that_people_see() -> None:
    assert FOUND.table().shown == [["a", "0.5000"], ["b", "–"]]


def test_notebooks_get_escaped_html() -> None:
    html = FOUND._repr_html_()
    assert "<caption>found</caption>" in html
    assert "a &lt;note&gt;" in html
