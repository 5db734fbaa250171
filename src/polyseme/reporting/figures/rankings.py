"""Runs ranked by several measures over one axis (Sakai 2013, figure 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from polyseme.groups import Floats
from polyseme.measures.means import TopicMean
from polyseme.reporting.figures.labels import LINE, spread, ticks, width_of
from polyseme.reporting.figures.panels import axis, lines_with_points, looks, number, tip
from polyseme.reporting.figures.picture import Chart
from polyseme.reuse.best_runs import competition_ranks
from polyseme.scores import Scores
from polyseme.statistics.correlation import TIED

HEIGHT = 320


def rankings(scores: Scores, *, by: str | None = None, title: str | None = None) -> Chart:
    """A line a measure over the runs, which stand in the order of one of them."""
    first = scores.select(measures=by).measures[0] if by else scores.measures[0]
    named = [first, *(each for each in scores.measures if each != first)]
    chosen = scores.select(measures=named)
    mean = chosen.means[0]
    values = chosen.mean_values(mean)
    order = np.argsort(-values[:, 0].round(TIED), kind="stable")
    runs = [chosen.runs[run] for run in order]
    lines = [Line(name, values[order, place]) for place, name in enumerate(chosen.measures)]
    return Chart(
        kind="rankings",
        title="Runs ranked by several measures" if title is None else title,
        subtitle=(f"runs from best to worst by {first}",),
        description=(
            f"{len(runs)} runs in the order of {first}, best first, with their means by "
            f"{', '.join(named)}. A line that falls steadily ranks the runs alike."
        ),
        notes=(
            f"runs stand in the order of {first}; where the line of another measure rises, that "
            "measure ranks the run higher than its left neighbour",
            *(() if mean == TopicMean() else (f"means over topics: {mean}",)),
            chosen.topic_report()[0],
        ),
        body=lines_over_runs(runs, lines, f"mean over topics{_said(mean)}"),
    )


def _said(mean: TopicMean) -> str:
    return "" if mean.kind == "avg" else f" ({mean})"


@dataclass(frozen=True)
class Line:
    """One value a run."""

    name: str
    values: Floats


def lines_over_runs(
    runs: Sequence[str],
    lines: Sequence[Line],
    title: str | None,
    *,
    height: int = HEIGHT,
    more: Sequence[Mapping[str, Any]] = (),
    labelled: bool = True,
    legend: Mapping[str, Any] | None = None,
    named: bool = True,
) -> dict[str, Any]:
    """Lines with their names at their right ends, over runs with their names below.

    Where there is no room for names, a legend names the lines, which are not ``labelled``, and runs
    are not ``named``.
    """
    names = [line.name for line in lines]
    shown = np.concatenate([line.values for line in lines])
    steps = ticks(float(np.nanmin(shown)), float(np.nanmax(shown)))
    step = 26 if len(runs) <= 20 else 17 if len(runs) <= 60 else 12
    if not named:
        step = max(3, min(step, 420 // len(runs)))
    width = step * max(len(runs), 8)
    rows = [
        {"run": run, "line": line.name, "value": number(value), "rank": rank}
        for line in lines
        for run, value, rank in zip(runs, line.values.tolist(), _ranks(line.values), strict=True)
    ]
    x = {
        "field": "run",
        "type": "nominal",
        "scale": {"domain": list(runs)},
        "axis": {
            "title": None,
            "grid": False,
            **(
                {"labelAngle": -60, "labelFontSize": min(11, step)}
                if named
                else {"labels": False, "ticks": False}
            ),
        },
    }
    y = {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": [steps[0], steps[-1]], "nice": False, "zero": False},
        "axis": axis(steps, title),
    }
    tips = [
        tip("run", "run"),
        tip("line", "measure"),
        tip("value", "mean", ".4f"),
        tip("rank", "rank"),
    ]
    look = looks("line", names, legend)
    layers = lines_with_points(x, y, look, tips)
    if labelled:
        layers += _names_at_ends(lines, steps, width, height, look)
    return {
        "data": {"values": rows},
        "width": width,
        "height": height,
        "layer": [*layers, *more],
    }


def _names_at_ends(
    lines: Sequence[Line], steps: Sequence[float], width: int, height: int, look: dict[str, Any]
) -> list[dict[str, Any]]:
    low, high = steps[0], steps[-1]
    ends = [
        height * (1 - (next((v for v in line.values[::-1] if v == v), low) - low) / (high - low))
        for line in lines
    ]
    rows = [
        {"line": line.name, "place": round(place, 1)}
        for line, place in zip(lines, spread(ends, LINE + 1, 0, height), strict=True)
    ]
    place = {"field": "place", "type": "quantitative", "scale": None, "axis": None}
    return [
        {
            "data": {"values": rows},
            "mark": {"type": "point", "clip": False},
            "encoding": {
                "x": {"value": width + 10},
                "y": place,
                "color": look["color"],
                "shape": look["shape"],
            },
        },
        {
            "data": {"values": rows},
            "mark": {
                "type": "text",
                "align": "left",
                "baseline": "middle",
                "dx": 9,
                "limit": max(width_of(line.name) for line in lines) * 1.4,
            },
            "encoding": {
                "x": {"value": width + 10},
                "y": place,
                "text": {"field": "line"},
                "color": look["color"],
            },
        },
    ]


def _ranks(values: Floats) -> list[int | None]:
    ranks = competition_ranks(values[:, None])[:, 0].tolist()
    return [rank if value == value else None for rank, value in zip(ranks, values, strict=True)]
