"""Parts that figures of several panels and of lines share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from polyseme.reporting.figures.theme import DASHES, SHAPES


def number(value: float) -> float | None:
    """A number as JSON holds it: what is undefined is null."""
    return float(value) if math.isfinite(value) else None


def looks(field: str, names: Sequence[str], legend: Mapping[str, Any] | None) -> dict[str, Any]:
    """Colours, shapes and dashes that tell the lines of a field apart, with one legend for all."""
    hue = {
        "field": field,
        "type": "nominal",
        "legend": legend and {"symbolStrokeWidth": 0, **legend},
    }
    return {
        "color": {**hue, "scale": {"domain": list(names)}},
        "shape": {**hue, "scale": {"domain": list(names), "range": cycled(SHAPES, names)}},
        # by conditions, not by a scale: dashes in a legend would fray its symbols
        "strokeDash": {
            "condition": [
                {"test": {"field": field, "equal": name}, "value": list(dash)}
                for name, dash in zip(names, cycled(DASHES, names), strict=True)
            ],
            "value": list(DASHES[0]),
        },
    }


def dashes(field: str, names: Sequence[str], legend: Mapping[str, Any]) -> dict[str, Any]:
    """Dashes that tell the lines of a field apart, with a legend of dashes."""
    wanted = [list(each) for each in cycled(DASHES, names)]
    scale = {"domain": list(names), "range": wanted}
    return {"field": field, "type": "nominal", "scale": scale, "legend": legend}


def cycled(given: Sequence[Any], names: Sequence[str]) -> list[Any]:
    """As many looks as names.

    Where they run out they begin with the second one, so that no two names share their colour,
    which begins with the first one, and their shape too.
    """
    number = len(given)
    return [given[(place + place // number) % number] for place in range(len(names))]


def lines_with_points(
    x: Mapping[str, Any],
    y: Mapping[str, Any],
    look: Mapping[str, Any],
    tips: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Layers of lines and the points that they join."""
    line = {name: look[name] for name in ("color", "strokeDash")}
    point = {name: look[name] for name in ("color", "shape")}
    return [
        {"mark": "line", "encoding": {"x": x, "y": y, **line}},
        {"mark": "point", "encoding": {"x": x, "y": y, **point, "tooltip": list(tips)}},
    ]


def tip(field: str, title: str, form: str | None = None) -> dict[str, Any]:
    """A line of a tooltip."""
    return {"field": field, "title": title, **({"format": form} if form else {})}


def distinct(values: Iterable[Any]) -> list[Any]:
    """Each value once, in the order in which they come first."""
    return list(dict.fromkeys(values))


def header(title: str | None = None) -> dict[str, Any]:
    """Of panels: their names above or beside them."""
    return {"title": title, "labelFontWeight": 600}


def axis(steps: Sequence[float], title: str | None, **more: Any) -> dict[str, Any]:
    """An axis with numbers at some steps, with as many decimals as tell them whole."""
    digits = next(
        (n for n in range(7) if all(abs(round(step, n) - step) < 1e-9 for step in steps)), 7
    )
    return {"title": title, "values": list(steps), "format": f".{digits}f", **more}
