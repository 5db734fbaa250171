"""Figures of scores show the runs where their means are."""

from __future__ import annotations

from typing import Any

import pytest

from polyseme.errors import PolysemeError
from polyseme.reporting.figures import Chart, figure
from polyseme.scores import Scores


def rows(found: Any, layer: int) -> list[dict[str, Any]]:
    held = found.body["layer"][layer]
    values: list[dict[str, Any]] = held.get("data", found.body.get("data"))["values"]
    return values


def test_rankings_order_the_runs_by_the_first_measure(scores: Scores) -> None:
    found = scores.plot("rankings")
    assert isinstance(found, Chart)
    x = found.body["layer"][0]["encoding"]["x"]
    assert x["scale"]["domain"] == ["birch", "alder", "elm", "cedar"]
    held = {(row["run"], row["line"]): (row["value"], row["rank"]) for row in rows(found, 0)}
    assert held["birch", "ERR-IA@10"] == (pytest.approx(0.4), 1)
    # alder and elm are tied
    assert held["alder", "ERR-IA@10"][1] == held["elm", "ERR-IA@10"][1] == 2
    assert held["elm", "I-rec@10"] == (pytest.approx(1.0), 1)


def test_rankings_order_the_runs_by_another_measure(scores: Scores) -> None:
    found = figure(scores, "rankings", by="I-rec@10")
    assert isinstance(found, Chart)
    assert found.body["layer"][0]["encoding"]["x"]["scale"]["domain"][0] == "elm"
    assert [row["line"] for row in rows(found, 2)] == ["I-rec@10", "ERR-IA@10", "D-nDCG@10"]


def test_the_scatter_takes_i_rec_and_the_d_measure(scores: Scores) -> None:
    found = figure(scores, "scatter")
    assert isinstance(found, Chart)
    held = {row["run"]: row for row in rows(found, 2)}
    assert held["elm"]["x"] == pytest.approx(1.0)
    assert held["elm"]["y"] == pytest.approx(0.4)
    assert held["elm"]["mixed"] == pytest.approx(0.7)


def test_contours_join_points_of_equal_mixture(scores: Scores) -> None:
    found = figure(scores, "scatter", gamma=0.25)
    lines = rows(found, 0)
    assert len(lines) >= 3
    for line in lines:
        assert 0.25 * line["x"] + 0.75 * line["y"] == pytest.approx(line["level"])
        assert 0.25 * line["x2"] + 0.75 * line["y2"] == pytest.approx(line["level"])


def test_a_scatter_of_other_measures_has_no_contours(scores: Scores) -> None:
    found = figure(scores, "scatter", x="ERR-IA@10", y="I-rec@10")
    assert isinstance(found, Chart)
    assert all("x2" not in layer["encoding"] for layer in found.body["layer"])
    assert found.subtitle == ()


def test_a_scatter_needs_two_measures(scores: Scores) -> None:
    with pytest.raises(PolysemeError, match="two measures are needed"):
        figure(scores.select(measures="I-rec@10"), "scatter")
    with pytest.raises(PolysemeError, match=r"gamma must be from 0 to 1\. Got 2 instead"):
        figure(scores, "scatter", gamma=2.0)
