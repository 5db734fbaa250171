"""Sensitivity, power or tau over alpha and lambda (Golbus et al. 2013, figures 3 to 9).

Maps in place of the paper's surfaces in three dimensions, and slices with one parameter fixed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from polyseme.errors import PolysemeError
from polyseme.meta.grid import GridValues
from polyseme.meta.variants import DSHARP
from polyseme.reporting.figures.labels import ticks
from polyseme.reporting.figures.panels import (
    axis,
    distinct,
    header,
    lines_with_points,
    looks,
    number,
    tip,
)
from polyseme.reporting.figures.picture import Chart
from polyseme.reporting.kinds import chosen

TITLES = {
    "sensitivity": "Document selection sensitivity",
    "power": "Discriminative power",
    "tau": "Rank correlation",
}
#: what the paper fixes
FIXED = {"alpha": 0.3, "lambda": 0.5}
_LETTERS = {"alpha": "α", "lambda": "λ"}


def grid_map(
    found: GridValues,
    *,
    discount: str | None = None,
    cutoff: int | None = None,
    colours: str | None = None,
    title: str | None = None,
) -> Chart:
    """Heat maps: lambda to the right, alpha upwards, a panel a mean over intents and topics."""
    grid = found.grid
    kind, rank = _discount(found, discount), _cutoff(found, cutoff)
    rows = list(_map_rows(found, kind, rank))
    if not rows:
        raise PolysemeError(
            f"{DSHARP} has no alpha, so that there is no map of it\n"
            "  to mend it: draw slices, or take other means over intents"
        )
    averages, means = distinct(r["average"] for r in rows), distinct(r["mean"] for r in rows)
    own = (colours or "shared") == "own"
    cell = 19 if len(grid.alphas) > 6 else 30
    color = {
        "field": "value",
        "type": "quantitative",
        "scale": {"zero": False, "nice": False},
        "legend": {"title": found.what, "gradientLength": cell * len(grid.alphas)},
    }
    panels: dict[str, Any] = {
        "column": {"field": "average", "type": "nominal", "sort": averages, "header": header()}
    }
    if len(means) > 1:
        panels["row"] = {
            "field": "mean",
            "type": "nominal",
            "sort": means,
            "header": {**header(), "labelAngle": -90},
        }
    best = max((row for row in rows if row["value"] is not None), key=lambda row: row["value"])
    told = (
        f"{best['value']:.3f} with {best['average']}"
        + (f" and topic mean {best['mean']}" if len(means) > 1 else "")
        + f" at α {best['alpha']}, λ {best['lambda']}"
    )
    return Chart(
        kind="grid-map",
        title=f"{TITLES[found.what]} over α and λ" if title is None else title,
        subtitle=(f"{kind} discount, rank {rank}; a ring marks the largest of each panel",),
        description=(
            f"Maps of {TITLES[found.what].lower()} with {kind} discount at rank {rank} for "
            f"{len(grid.alphas)} values of alpha and {len(grid.lambdas)} of lambda, a panel for "
            f"each of {', '.join(averages)}. The largest value is {told}."
        ),
        notes=(
            *found.said,
            "α: how little a user gains from more of the same; λ: the share of I-rec in the "
            "measure; α 0.3 and λ 0.5 are usual",
            *([f"{DSHARP} has no α and is shown in slices"] if DSHARP in grid.averages else []),
        ),
        body={
            "data": {"values": rows},
            "facet": panels,
            "resolve": {"scale": {"color": "independent"}} if own else {},
            "spec": {
                "width": cell * len(grid.lambdas),
                "height": cell * len(grid.alphas),
                "layer": _map_layers(grid.alphas, grid.lambdas, color, found.what),
            },
        },
    )


def _map_layers(
    alphas: Sequence[float], lambdas: Sequence[float], color: dict[str, Any], what: str
) -> list[dict[str, Any]]:
    x = _place("lambda", lambdas)
    y = _place("alpha", sorted(alphas, reverse=True))
    tips = [
        tip("average", "mean over intents"),
        tip("mean", "mean over topics"),
        tip("alpha", "α"),
        tip("lambda", "λ"),
        tip("value", what, ".4f"),
    ]
    return [
        {"mark": "rect", "encoding": {"x": x, "y": y, "color": color, "tooltip": tips}},
        {
            # on any colour a ring of two can be seen
            "transform": [{"filter": {"field": "best", "equal": True}}],
            "mark": {"type": "point", "filled": False, "size": 90, "strokeWidth": 4},
            "encoding": {"x": x, "y": y, "color": {"value": "#111111"}},
        },
        {
            "transform": [{"filter": {"field": "best", "equal": True}}],
            "mark": {"type": "point", "filled": False, "size": 90, "strokeWidth": 1.6},
            "encoding": {"x": x, "y": y, "color": {"value": "#ffffff"}, "tooltip": tips},
        },
    ]


def _place(name: str, values: Sequence[float]) -> dict[str, Any]:
    said = [f"{value:g}" for value in values]
    # every other one, the first and the last among them, where there is no room for all
    shown = said if len(said) <= 6 else said[::2]
    return {
        "field": name,
        "type": "ordinal",
        "scale": {"domain": said, "paddingInner": 0, "paddingOuter": 0},
        "axis": {
            "title": _LETTERS[name],
            "values": shown,
            "labelAngle": 0,
            "grid": False,
            "ticks": False,
        },
    }


def _map_rows(found: GridValues, discount: str, cutoff: int) -> Iterator[dict[str, Any]]:
    grid = found.grid
    k, d = grid.cutoffs.index(cutoff), grid.discounts.index(discount)
    for m, mean in enumerate(found.means):
        for place, average in enumerate(grid.averages):
            values = found.values[m, place, k, :, d, :]
            if average == DSHARP or np.isnan(values).all():
                continue
            best = np.unravel_index(int(np.nanargmax(values)), values.shape)
            for a, alpha in enumerate(grid.alphas):
                for n, lambda_ in enumerate(grid.lambdas):
                    yield {
                        "mean": _topic_mean(mean),
                        "average": average,
                        "alpha": f"{alpha:g}",
                        "lambda": f"{lambda_:g}",
                        "value": number(values[a, n]),
                        "best": a == int(best[0]) and n == int(best[1]),
                    }


def grid_slices(
    found: GridValues,
    *,
    along: str | None = None,
    at: float | None = None,
    discount: str | None = None,
    title: str | None = None,
) -> Chart:
    """Lines over one parameter, the other fixed; a panel a cutoff and a mean over topics."""
    grid = found.grid
    moving = along or "lambda"
    still = "alpha" if moving == "lambda" else "lambda"
    values = grid.alphas if still == "alpha" else grid.lambdas
    fixed = _fixed(still, values, at)
    kind = _discount(found, discount)
    rows = [row for row in _slice_rows(found, kind, moving, fixed) if row["value"] is not None]
    if not rows:
        raise PolysemeError(f"every {found.what} is undefined, so there is nothing to draw")
    averages, means = distinct(r["average"] for r in rows), distinct(r["mean"] for r in rows)
    panels: dict[str, Any] = {
        "column": {
            "field": "rank",
            "type": "nominal",
            "sort": distinct(row["rank"] for row in rows),
            "header": header(),
        }
    }
    if len(means) > 1:
        panels["row"] = {
            "field": "mean",
            "type": "nominal",
            "sort": means,
            "header": {**header(), "labelAngle": -90},
        }
    letter = _LETTERS[moving]
    x = {
        "field": "x",
        "type": "quantitative",
        "scale": {"domain": [0, 1], "nice": False},
        "axis": {"title": letter, "values": [0, 0.2, 0.4, 0.6, 0.8, 1], "grid": False},
    }
    y = _upwards([row["value"] for row in rows], found.what)
    tips = [
        tip("average", "mean over intents"),
        tip("mean", "mean over topics"),
        tip("rank", "at"),
        tip("x", letter, ".1f"),
        tip("value", found.what, ".4f"),
    ]
    legend = {"title": "mean over intents", "symbolSize": 60}
    held = f"{_LETTERS[still]} is {fixed:g}; {kind} discount"
    return Chart(
        kind="grid-slices",
        title=f"{TITLES[found.what]} over {letter}" if title is None else title,
        subtitle=(held,),
        description=(
            f"Lines of {TITLES[found.what].lower()} over {moving}, one for each of "
            f"{', '.join(averages)}; {still} is {fixed:g}, the discount {kind}."
        ),
        notes=(
            *found.said,
            f"at λ = 1 every measure is I-rec; {DSHARP} has no α"
            if DSHARP in averages
            else "at λ = 1 every measure is I-rec",
        ),
        body={
            "data": {"values": rows},
            "facet": panels,
            "spec": {
                "width": 220,
                "height": 200,
                "layer": lines_with_points(x, y, looks("average", averages, legend), tips),
            },
        },
    )


def _upwards(values: Sequence[float], what: str) -> dict[str, Any]:
    steps = ticks(min(values), max(values))
    return {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": [steps[0], steps[-1]], "nice": False, "zero": False},
        "axis": axis(steps, what),
    }


def _slice_rows(
    found: GridValues, discount: str, moving: str, fixed: float
) -> Iterator[dict[str, Any]]:
    grid = found.grid
    d = grid.discounts.index(discount)
    places = [place for place, name in enumerate(grid.averages)]
    steps = grid.lambdas if moving == "lambda" else grid.alphas
    for m, place, k, n in product(
        range(len(found.means)), places, range(len(grid.cutoffs)), range(len(steps))
    ):
        if moving == "lambda":
            value = found.values[m, place, k, grid.alphas.index(fixed), d, n]
        else:
            value = found.values[m, place, k, n, d, grid.lambdas.index(fixed)]
        yield {
            "mean": _topic_mean(found.means[m]),
            "average": grid.averages[place],
            "rank": f"rank {grid.cutoffs[k]}",
            "x": steps[n],
            "value": number(value),
        }


def _topic_mean(name: str) -> str:
    return f"topic mean {name}" if name else ""


def _fixed(name: str, values: Sequence[float], said: float | None) -> float:
    """What was said, else what the paper fixes, else the middle one."""
    wanted = FIXED[name] if said is None else said
    near = [value for value in values if abs(value - wanted) < 1e-9]
    if near:
        return near[0]
    if said is None:
        return values[len(values) // 2]
    raise PolysemeError(
        f"the grid has no {name} {said:g}; it has {', '.join(f'{value:g}' for value in values)}"
    )


def _discount(found: GridValues, said: str | None) -> str:
    known = found.grid.discounts
    return chosen(said or ("DCG" if "DCG" in known else None), known, "discount")


def _cutoff(found: GridValues, said: int | None) -> int:
    known = found.grid.cutoffs
    return known[-1] if said is None else int(chosen(str(said), map(str, known), "cutoff"))
