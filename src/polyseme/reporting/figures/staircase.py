"""P-values of all pairs of runs in ascending order: what measures tell apart (Sakai 2006)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from polyseme.errors import PolysemeError
from polyseme.groups import Floats
from polyseme.meta.discrimination import Discrimination
from polyseme.reporting.figures.labels import ticks
from polyseme.reporting.figures.panels import axis, dashes, looks, tip
from polyseme.reporting.figures.picture import Chart
from polyseme.reporting.kinds import chosen
from polyseme.statistics.comparison import Comparison
from polyseme.statistics.significance import TukeyHSD

PValues = Discrimination | Comparison | TukeyHSD
#: how far above the level of significance p-values are shown
_ABOVE = 4


def staircase(
    found: PValues,
    *,
    only: Sequence[str] = (),
    highest: float | None = None,
    title: str | None = None,
) -> Chart:
    """A stair a measure: the p-value of each pair of runs, the smallest first."""
    measures = [chosen(name, found.measures, "measure") for name in only] or list(found.measures)
    top = min(1.0, _ABOVE * found.level) if highest is None else highest
    if not 0 < top <= 1:
        raise PolysemeError(f"highest must be more than 0 and at most 1. Got {top:g} instead.")
    number = found.p.shape[1]
    held = {name: np.sort(found.p[found.measures.index(name)]) for name in measures}
    power = {name: float((p < found.level).mean()) for name, p in held.items()}
    # the most discriminative one first
    measures.sort(key=lambda name: -power[name])
    said = {name: f"{name}  {power[name]:.3f}" for name in measures}
    rows: list[dict[str, Any]] = [
        {"measure": said[name], "name": name, "pair": place, "p": p, "power": power[name]}
        for name in measures
        for place, p in _steps(held[name], top)
    ]
    best, worst = measures[0], measures[-1]
    # no more pairs than are needed to see every stair
    widest = min(number, round(1.1 * max(row["pair"] for row in rows)))
    legend = {"title": "measure and power", "symbolType": "stroke", "symbolStrokeWidth": 2.5}
    steps = ticks(0.0, top)
    shown = [said[name] for name in measures]
    return Chart(
        kind="staircase",
        title="P-values of all pairs of runs" if title is None else title,
        subtitle=(f"in ascending order; the line is at {found.level:g}",),
        description=(
            f"For each of {len(measures)} measures the p-values of {number:,} pairs of runs in "
            f"ascending order. At {found.level:g} {best} tells {power[best]:.1%} of them apart"
            + (f", {worst} {power[worst]:.1%}." if len(measures) > 1 else ".")
        ),
        notes=(
            "the further to the right a stair meets the line, the more pairs of runs its measure "
            "tells apart; power is the share of pairs below the line",
            *(note for note in found.report().notes if note.startswith(("paired", "random"))),
        ),
        body={
            "width": 480,
            "height": 320,
            "layer": [
                {
                    "data": {"values": rows},
                    "mark": {"type": "line", "interpolate": "step-before", "clip": True},
                    "encoding": {
                        "x": {
                            "field": "pair",
                            "type": "quantitative",
                            "scale": {"domain": [0, widest], "nice": False},
                            "axis": {
                                "title": "pairs of runs, by p-value",
                                "grid": False,
                                "tickMinStep": 1,
                                "format": ",d",
                            },
                        },
                        "y": {
                            "field": "p",
                            "type": "quantitative",
                            "scale": {"domain": [0, steps[-1]], "nice": False},
                            "axis": axis(steps, "p-value"),
                        },
                        "color": looks("measure", shown, legend)["color"],
                        "strokeDash": dashes("measure", shown, legend),
                        "tooltip": [
                            tip("name", "measure"),
                            tip("power", "power", ".3f"),
                            tip("pair", "pairs", ",d"),
                            tip("p", "p-value up to", ".4f"),
                        ],
                    },
                },
                {
                    "data": {"values": [{"level": found.level}]},
                    "mark": {"type": "rule", "style": "reference"},
                    "encoding": {"y": {"field": "level", "type": "quantitative"}},
                },
            ],
        },
    )


def _steps(p: Floats, top: float) -> list[tuple[int, float]]:
    """Where each level of a stair ends: no more points than it has steps."""
    found: list[tuple[int, float]] = [(0, float(p[0]))]
    for place, value in enumerate(p.tolist(), 1):
        if place < len(p) and p[place] == value:
            continue
        found.append((place, value))
        if value > top:
            break
    return found
