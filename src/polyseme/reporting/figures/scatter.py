"""Runs by diversity and relevance, with lines of equal D# (Sakai 2013, figure 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polyseme.errors import PolysemeError
from polyseme.reporting.figures.labels import beside, ticks
from polyseme.reporting.figures.panels import axis
from polyseme.reporting.figures.picture import Chart
from polyseme.scores import Scores

SIZE = 460


def scatter(
    scores: Scores,
    *,
    x: str | None = None,
    y: str | None = None,
    gamma: float | None = None,
    title: str | None = None,
) -> Chart:
    """A point a run: I-rec to the right, a D-measure upwards."""
    across, up = _axes(scores, x, y)
    if gamma is not None and not 0 <= gamma <= 1:
        raise PolysemeError(f"gamma must be from 0 to 1. Got {gamma:g} instead.")
    chosen = scores.select(measures=[across, up])
    means = chosen.mean_values(chosen.means[0])
    mixed = gamma is not None or (across.startswith("I-rec") and up.startswith("D-"))
    share = 0.5 if gamma is None else gamma
    value = share * means[:, 0] + (1 - share) * means[:, 1]
    order = (-value).argsort(kind="stable").tolist()
    across_ticks, up_ticks = (
        ticks(float(means[:, axis].min()) - 0.005, float(means[:, axis].max()) + 0.005, 6)
        for axis in (0, 1)
    )
    together = f"D#{up.removeprefix('D')}" if mixed and up.startswith("D-") else "the mixture"
    rows = [
        {
            "run": chosen.runs[run],
            "x": float(means[run, 0]),
            "y": float(means[run, 1]),
            **({"mixed": float(value[run])} if mixed else {}),
        }
        for run in order
    ]
    axes = {
        "x": _axis("x", across, across_ticks),
        "y": _axis("y", up, up_ticks),
    }
    tips = [
        {"field": "run", "title": "run"},
        {"field": "x", "title": across, "format": ".4f"},
        {"field": "y", "title": up, "format": ".4f"},
        *([{"field": "mixed", "title": together, "format": ".4f"}] if mixed else []),
    ]
    layers: list[dict[str, object]] = []
    if mixed:
        layers += _contours(across_ticks, up_ticks, share, axes)
    layers.append(
        {
            "data": {"values": rows},
            "mark": {"type": "point", "style": "single", "size": 46},
            "encoding": {**axes, "tooltip": tips},
        }
    )
    layers += list(_names(rows, across_ticks, up_ticks))
    lines = f"lines of equal {together} = {_mixture(share, across, up)}"
    return Chart(
        kind="scatter",
        title=f"{across} and {up}" if title is None else title,
        subtitle=(lines,) if mixed else (),
        description=(
            f"{len(rows)} runs, {across} to the right and {up} upwards"
            + (f", with {lines}; best by it is {rows[0]['run']}" if mixed else "")
            + "."
        ),
        notes=(
            f"a point is a run; {across} is told by its place from left to right, {up} by its "
            "height" + (f"; runs on one line are equally good by {together}" if mixed else ""),
            chosen.topic_report()[0],
        ),
        body={"width": SIZE, "height": SIZE, "layer": layers},
    )


def _axes(scores: Scores, x: str | None, y: str | None) -> tuple[str, str]:
    """The measures that were said, else I-rec and a D-measure, else the first two."""
    across = x or next((name for name in scores.measures if name.startswith("I-rec")), None)
    up = y or next(
        (name for name in scores.measures if name.startswith("D-") and name != across), None
    )
    across = across or next((name for name in scores.measures if name != up), None)
    up = up or next((name for name in scores.measures if name != across), None)
    if across is None or up is None:
        raise PolysemeError(
            "two measures are needed, one for each axis\n"
            '  to mend it: name them, such as -m "I-rec@10 D-nDCG@10"'
        )
    first, second = scores.select(measures=[across, up]).measures
    return first, second


def _axis(field: str, title: str, values: Sequence[float]) -> dict[str, object]:
    return {
        "field": field,
        "type": "quantitative",
        "scale": {"domain": [values[0], values[-1]], "nice": False, "zero": False},
        "axis": axis(values, title, grid=False),
    }


def _mixture(share: float, across: str, up: str) -> str:
    return f"{share:g} {across} + {1 - share:g} {up}"


def _contours(
    across: Sequence[float], up: Sequence[float], share: float, axes: dict[str, dict[str, object]]
) -> list[dict[str, object]]:
    """Straight lines of equal share x + (1 - share) y, each with its value at its end."""
    low = share * across[0] + (1 - share) * up[0]
    high = share * across[-1] + (1 - share) * up[-1]
    rows = []
    for level in ticks(low, high, 8):
        ends = sorted(_ends(level, across, up, share))
        if len(ends) >= 2 and ends[0] != ends[-1]:
            (x, y), (x2, y2) = ends[0], ends[-1]
            rows.append({"x": x, "y": y, "x2": x2, "y2": y2, "level": level})
    marks = {"x": axes["x"], "y": axes["y"]}
    return [
        {
            "data": {"values": rows},
            "mark": {"type": "rule", "style": "contour"},
            "encoding": {**marks, "x2": {"field": "x2"}, "y2": {"field": "y2"}},
        },
        {
            "data": {"values": rows},
            "mark": {
                "type": "text",
                "style": "quiet",
                "align": "left",
                "baseline": "bottom",
                "dx": 3,
                "dy": -1,
                "fontSize": 10,
            },
            "encoding": {**marks, "text": {"field": "level", "format": "~g"}},
        },
    ]


def _ends(
    level: float, across: Sequence[float], up: Sequence[float], share: float
) -> Iterator[tuple[float, float]]:
    """Where a line meets the edges of the figure."""
    slack = 1e-9
    if share < 1:
        for x in (across[0], across[-1]):
            y = (level - share * x) / (1 - share)
            if up[0] - slack <= y <= up[-1] + slack:
                yield round(x, 9), round(y, 9)
    if share > 0:
        for y in (up[0], up[-1]):
            x = (level - (1 - share) * y) / share
            if across[0] - slack <= x <= across[-1] + slack:
                yield round(x, 9), round(y, 9)


def _names(
    rows: Sequence[dict[str, object]], across: Sequence[float], up: Sequence[float]
) -> Iterator[dict[str, object]]:
    """The names of runs where there is room, the best ones first."""
    points = [
        (
            SIZE * (float(str(row["x"])) - across[0]) / (across[-1] - across[0]),
            SIZE * (1 - (float(str(row["y"])) - up[0]) / (up[-1] - up[0])),
        )
        for row in rows
    ]
    names = [str(row["run"]) for row in rows]
    placed: dict[str, list[dict[str, object]]] = {}
    for name, place in zip(names, beside(points, names, (SIZE, SIZE)), strict=True):
        if place is not None:
            x, y, align = place
            placed.setdefault(align, []).append({"run": name, "x": round(x, 1), "y": round(y, 1)})
    for align, held in placed.items():
        pixels = {"type": "quantitative", "scale": None, "axis": None}
        yield {
            "data": {"values": held},
            "mark": {"type": "text", "style": "label", "align": align, "baseline": "middle"},
            "encoding": {
                "x": {"field": "x", **pixels},
                "y": {"field": "y", **pixels},
                "text": {"field": "run"},
            },
        }
