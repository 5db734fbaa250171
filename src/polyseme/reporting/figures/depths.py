"""How rankings with shallower pools compare with deeper ones (Sakai et al. 2012, figure 1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyseme.errors import PolysemeError
from polyseme.measures.means import TopicMean
from polyseme.measures.measure import Measure
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
from polyseme.reporting.figures.rankings import Line, lines_over_runs
from polyseme.reporting.kinds import chosen
from polyseme.reuse.pool_depth import GIVEN, DepthStudy
from polyseme.statistics.correlation import TIED, correlation

#: as people write them
NAMES = {"tau": "τ", "tau_ap": "τap"}
#: panels name as many runs
_NAMED = 24


def depth(found: DepthStudy, *, title: str | None = None) -> Chart:
    """Panels of tau and tau_ap: a line a measure over measurement depths, or over pool depths."""
    rows = [row for row in _rows(found) if row["value"] is not None]
    if not rows:
        raise PolysemeError(
            "there is no correlation to draw: fewer than two runs are ranked, or all are tied"
        )
    measures = distinct(row["measure"] for row in rows)
    pools = distinct(row["pool"] for row in rows)
    cutoffs = distinct(row["cutoff"] for row in rows)
    along = "pool" if len(pools) > 1 and len(cutoffs) == 1 else "cutoff"
    across = "cutoff" if along == "pool" else "pool"
    steps = ticks(min(row["value"] for row in rows), 1.0)
    places = cutoffs if along == "cutoff" else pools
    x = {
        "field": along,
        "type": "ordinal",
        "scale": {"domain": places, "padding": 0.4},
        "axis": {
            "title": "measurement depth" if along == "cutoff" else "pool depth",
            "labelAngle": 0,
            "grid": False,
        },
    }
    y = {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": [steps[0], steps[-1]], "nice": False, "zero": False},
        "axis": axis(steps, "correlation"),
    }
    tips = [
        tip("measure", "measure"),
        tip("cutoff", "measurement depth"),
        tip("pool", "pool"),
        tip("value", "correlation", ".3f"),
        tip("low", "95% from", ".3f"),
        tip("high", "95% to", ".3f"),
    ]
    legend = {"title": None, "orient": "bottom", "columns": 4}
    panels: dict[str, Any] = {
        "column": {
            "field": "statistic",
            "type": "nominal",
            "sort": list(NAMES.values()),
            "header": header(),
        }
    }
    others = pools if across == "pool" else cutoffs
    if len(others) > 1:
        panels["row"] = {
            "field": "panel",
            "type": "nominal",
            "sort": distinct(row["panel"] for row in rows),
            "header": {**header(), "labelAngle": -90},
        }
    said = "against the deeper judgments"
    if len(others) == 1 and others[0] not in (GIVEN, ""):
        said = f"{'pool' if across == 'pool' else 'measurement'} depth {others[0]} {said}"
    return Chart(
        kind="depth",
        title="Rankings of runs with shallower pools" if title is None else title,
        subtitle=(f"Kendall's τ and τap, {said}",),
        description=(
            f"How the rankings of {len(found.deep.runs)} runs by {', '.join(measures)} correlate, "
            f"{said}; the lowest correlation is {min(row['value'] for row in rows):.3f}."
        ),
        notes=(
            "1 is the same ranking as with the deeper judgments, 0 none in common; τap gives more "
            "weight to the best runs; a line that falls to the right says that the shallower pool "
            "serves its measure less well there",
            found.deep.topic_report()[0],
        ),
        body={
            "data": {"values": rows},
            "facet": panels,
            "spec": {
                "width": max(230, 46 * len(places)),
                "height": 240,
                "layer": lines_with_points(x, y, looks("measure", measures, legend), tips),
            },
        },
    )


def _rows(found: DepthStudy) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for measure, pool, each in found.correlations():
        cutoff = "" if measure.cutoff is None else str(measure.cutoff)
        held = {"measure": _base(measure), "cutoff": cutoff, "pool": pool}
        rows.append(
            {
                **held,
                "statistic": NAMES["tau"],
                "value": number(each.tau),
                "low": number(each.low),
                "high": number(each.high),
            }
        )
        rows.append({**held, "statistic": NAMES["tau_ap"], "value": number(each.tau_ap)})
    many = len({row["pool"] for row in rows}) > 1
    for row in rows:
        row["panel"] = f"pool depth {row['pool']}" if many else f"measurement depth {row['cutoff']}"
    return rows


def depth_rankings(
    found: DepthStudy, *, pool: str | None = None, title: str | None = None
) -> Chart:
    """A panel a measure: its means with a pool and with the deeper judgments, over the runs."""
    name = chosen(None if pool is None else str(pool), found.shallow, "pool")
    after = found.deep.mean_values(TopicMean())
    before = found.shallow[name].mean_values(TopicMean())
    said = "the judgments as given" if name == GIVEN else f"pool of depth {name}"
    panels, lowest = [], (2.0, "")
    cutoffs = list(dict.fromkeys(measure.cutoff for measure in found.measures))
    bases = list(dict.fromkeys(_base(measure) for measure in found.measures))
    many = len(found.deep.runs) > _NAMED
    # a row a measure, a column a cutoff
    for measure in sorted(found.measures, key=lambda each: bases.index(_base(each))):
        place = found.measures.index(measure)
        order = np.argsort(-after[:, place].round(TIED), kind="stable")
        held = correlation(before[:, place], after[:, place])
        lowest = min(lowest, (held.tau if held.tau == held.tau else 2.0, str(measure)))
        lines = [
            Line("deeper judgments", after[order, place]),
            Line(said, before[order, place]),
        ]
        names = [found.deep.runs[run] for run in order]
        body = lines_over_runs(
            *(names, lines, None),
            height=170,
            labelled=False,
            legend={"title": None, "orient": "top"},
            named=not many,
        )
        told = f"{measure}:  τ {held.tau:.3f}, τap {held.tau_ap:.3f}"
        panels.append({**body, "title": {"text": told, "fontSize": 12, "offset": 6}})
    return Chart(
        kind="depth-rankings",
        title="What a shallower pool does to rankings" if title is None else title,
        subtitle=(f"{said} against the deeper judgments; runs from best to worst by these",),
        description=(
            f"Means of {len(found.deep.runs)} runs with the {said} and with the deeper judgments, "
            f"a panel for each of {', '.join(map(str, found.measures))}. The ranking that changes "
            f"most is that by {lowest[1]}."
        ),
        notes=(
            "where the line of the pool rises, it ranks a run higher than its left neighbour, and "
            "the deeper judgments do not; τ and τap are 1 for the same ranking",
            *(["of so many runs the names are told in pages (html) only"] if many else []),
            found.deep.topic_report()[0],
        ),
        body={
            "concat": panels,
            "columns": len(cutoffs) if len(found.measures) == len(cutoffs) * len(bases) else 2,
            "spacing": 24,
        },
    )


def _base(measure: Measure) -> str:
    """A measure's name without its cutoff."""
    return str(measure) if measure.cutoff is None else str(measure).rpartition("@")[0]
