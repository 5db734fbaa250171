"""What people prefer, as matrices: judges by pairs of lists, and runs by runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from polyseme.errors import PolysemeError
from polyseme.meta.preferences.agreement import NAMES, Majority
from polyseme.meta.preferences.matrix import BOTH_IRRELEVANT, LEFT, NOT_JUDGED, RIGHT
from polyseme.reporting.figures.panels import tip
from polyseme.reporting.figures.picture import Chart
from polyseme.tables import counted

#: cells of more runs than this hold no numbers
_NUMBERS = 16
_WIDEST = 900


def answers(found: Majority, *, title: str | None = None) -> Chart:
    """A row a judge, a column a pair of lists, those first that most prefer the left list of."""
    held = found.preferences
    if not held.cells.size:
        raise PolysemeError("there are no answers to draw")
    order = np.argsort(-held.lead, kind="stable")
    lead = held.lead[order].tolist()
    names = [held.triplets[place] for place in order]
    rows = [
        {"judge": judge, "place": place, "triplet": names[place], "answer": NAMES[cell]}
        for judge, cells in zip(held.judges, held.cells[:, order].tolist(), strict=True)
        for place, cell in enumerate(cells)
        if cell != NOT_JUDGED
    ]
    step = max(1, min(14, _WIDEST // len(names)))
    tall = max(12, min(20, 400 // len(held.judges)))
    said = f"{counted(len(held.judges), 'judge')}, {counted(len(names), 'pair')} of lists"
    undecided = sum(1 for each in lead if not each)
    x = {
        "field": "place",
        "type": "ordinal",
        "scale": {"domain": list(range(len(names))), "paddingInner": 0, "paddingOuter": 0},
        "axis": {
            "title": "pairs of lists, from the left one preferred to the right one",
            "labels": False,
            "ticks": False,
            "grid": False,
        },
    }
    y = {
        "field": "judge",
        "type": "nominal",
        "scale": {"domain": list(held.judges), "paddingInner": 0.12, "paddingOuter": 0},
        "axis": {"title": None, "ticks": False, "domain": False, "grid": False},
    }
    colour = {
        "field": "answer",
        "type": "nominal",
        "scale": {"domain": [NAMES[LEFT], NAMES[RIGHT]]},
        "legend": {"title": None, "orient": "top", "symbolType": "square"},
    }
    both = {"field": "answer", "equal": NAMES[BOTH_IRRELEVANT]}
    tips = [tip("judge", "judge"), tip("triplet", "pair"), tip("answer", "answer")]
    return Chart(
        kind="answers",
        title=f"What each judge said: {held.name}" if title is None else title,
        subtitle=(f"{said}; grey: both irrelevant",),
        description=(
            f"{said}; where columns have one colour from top to bottom, judges agree. On "
            f"{undecided} pairs as many prefer the left list as the right one."
        ),
        notes=(
            "a column is a pair of lists, at the left those that most judges find better on the "
            "left; a row that differs from the others is a judge who does; where nothing is, the "
            "judge did not say",
        ),
        body={
            "data": {"values": rows},
            "width": step * len(names),
            "height": tall * len(held.judges),
            "encoding": {"x": x, "y": y, "tooltip": tips},
            "layer": [
                {
                    "transform": [{"filter": {"not": both}}],
                    "mark": "rect",
                    "encoding": {"color": colour},
                },
                {
                    "transform": [{"filter": both}],
                    "mark": {"type": "rect", "style": "contour", "strokeWidth": 0},
                },
            ],
        },
    )


def preferences(found: Majority, *, title: str | None = None) -> Chart:
    """A cell for each two runs: the share of judgments that prefer the run of the row."""
    won = _won(found)
    both = won + won.T
    if not both.any():
        raise PolysemeError("nobody prefers any run to another, so there is nothing to draw")
    runs = _runs(found)
    overall = won.sum(axis=1) / np.maximum(both.sum(axis=1), 1)
    order = np.argsort(-overall, kind="stable").tolist()
    names = [runs[run] for run in order]
    rows = [
        {
            "row": runs[a],
            "column": runs[b],
            "share": won[a, b] / both[a, b],
            "won": int(won[a, b]),
            "lost": int(won[b, a]),
        }
        for a in order
        for b in order
        if both[a, b]
    ]
    scale = {"domain": names, "paddingInner": 0.04, "paddingOuter": 0}
    quiet = {"ticks": False, "domain": False, "grid": False}
    x = {
        "field": "column",
        "type": "nominal",
        "scale": scale,
        "axis": {"title": "than", "orient": "top", "labelAngle": -60, **quiet},
    }
    y = {"field": "row", "type": "nominal", "scale": scale, "axis": {"title": "better", **quiet}}
    tips = [
        tip("row", "run"),
        tip("column", "other run"),
        tip("won", "prefer the run"),
        tip("lost", "prefer the other"),
        tip("share", "share", ".0%"),
    ]
    best = names[0]
    return Chart(
        kind="preferences",
        title=f"Which run people prefer: {found.preferences.name}" if title is None else title,
        subtitle=("share of judgments that find the list of the row better",),
        description=(
            f"{len(names)} runs, those first that people prefer most often; {best} is preferred "
            f"in {overall[order[0]]:.0%} of the judgments that compare it with another run."
        ),
        notes=(
            "a cell is read from its row to its column: more than one half says that people find "
            "the run of the row better; runs that nobody compared have no cell, and answers that "
            "both lists are irrelevant do not count",
        ),
        body={
            "data": {"values": rows},
            "width": (size := max(14, min(40, 560 // len(names))) * len(names)),
            "height": size,
            "layer": list(_cells(x, y, tips, numbers=len(names) <= _NUMBERS)),
        },
    )


def _cells(
    x: dict[str, Any], y: dict[str, Any], tips: list[dict[str, Any]], *, numbers: bool
) -> Iterator[dict[str, Any]]:
    colour = {
        "field": "share",
        "type": "quantitative",
        "scale": {"domain": [0, 0.5, 1], "scheme": "blueorange", "reverse": True},
        "legend": {"title": "share", "format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1]},
    }
    yield {"mark": "rect", "encoding": {"x": x, "y": y, "color": colour, "tooltip": tips}}
    if numbers:
        # the ends of the scale are dark in both themes, its middle is light
        light = {"test": "datum.share < 0.2 || datum.share > 0.8", "value": "#ffffff"}
        yield {
            "mark": {"type": "text", "fontSize": 10},
            "encoding": {
                "x": x,
                "y": y,
                "text": {"field": "share", "format": ".0%"},
                "color": {"condition": light, "value": "#1d2329"},
            },
        }


def _runs(found: Majority) -> list[str]:
    if not found.triplets:
        raise PolysemeError(
            "it is not known which runs the pairs are about\n  to mend it: say --triplets FILE"
        )
    pairs = [(each.run_a, each.run_b) for each in found.triplets.values()]
    return sorted({run for pair in pairs for run in pair})


def _won(found: Majority) -> Any:
    """Judgments that prefer the run of the row to that of the column."""
    place = {run: number for number, run in enumerate(_runs(found))}
    held = found.preferences
    left, right = held.counts(LEFT).tolist(), held.counts(RIGHT).tolist()
    won = np.zeros((len(place), len(place)))
    for number, name in enumerate(held.triplets):
        about = found.triplets.get(name)
        if about is not None:
            a, b = place[about.run_a], place[about.run_b]
            won[a, b] += left[number]
            won[b, a] += right[number]
    return won
