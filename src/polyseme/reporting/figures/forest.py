"""Numbers with their intervals, one below the other (Sakai and Zeng 2019, tables 5 and 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from polyseme.errors import PolysemeError
from polyseme.meta.preferences.agreement import AgreementTable
from polyseme.reporting.figures.labels import ticks, width_of
from polyseme.reporting.figures.panels import axis, number, tip
from polyseme.reporting.figures.picture import Chart
from polyseme.reporting.kinds import chosen
from polyseme.reporting.measure_names import family_of
from polyseme.statistics.comparison import Comparison
from polyseme.statistics.ranking import Correlations

ROW = 21


@dataclass(frozen=True)
class Entry:
    """One line of a forest."""

    name: str
    value: float
    low: float
    high: float
    #: what stands at the right
    said: str
    group: str = ""


def agreement(
    found: AgreementTable, *, only: Sequence[str] = (), title: str | None = None
) -> Chart:
    """How measures agree with what the majority of judges prefers: tau with its interval."""
    known = [each.measure for each in found.measures]
    wanted = {chosen(name, known, "measure") for name in only} or set(known)
    held = [each for each in found.measures if each.measure in wanted and each.tau == each.tau]
    if not held:
        raise PolysemeError("no measure has a tau, so there is nothing to draw")
    held.sort(key=lambda each: -each.tau)
    entries = [
        Entry(
            each.measure,
            each.tau,
            each.low,
            each.high,
            f"{each.agree:,} : {each.disagree:,}",
            family_of(each.measure),
        )
        for each in held
    ]
    best = held[0]
    return Chart(
        kind="agreement",
        title="Agreement of measures with preferences" if title is None else title,
        subtitle=(f"{found.name}: Kendall's τ with 95% intervals, {found.pairs:,} preferences",),
        description=(
            f"How {len(held)} measures agree with {found.pairs:,} preferences ({found.name}); most "
            f"by {best.measure}, tau {best.tau:.3f} from {best.low:.3f} to {best.high:.3f}."
        ),
        notes=found.report().notes,
        body=forest(entries, "τ with preferences", "agree : disagree", 3),
    )


def correlation(
    found: Correlations, *, against: str | None = None, title: str | None = None
) -> Chart:
    """How rankings by measures correlate with that by one of them: tau with its interval."""
    one = chosen(against, found.names, "measure")
    pairs = [found.of(one, name) for name in found.names if name != one]
    pairs = sorted((each for each in pairs if each.tau == each.tau), key=lambda each: -each.tau)
    if not pairs:
        raise PolysemeError("no tau is defined, so there is nothing to draw")
    entries = [
        Entry(
            each.b if each.a == one else each.a,
            each.tau,
            each.low,
            each.high,
            f"{each.tau_ap:.3f}",
        )
        for each in pairs
    ]
    return Chart(
        kind="correlation",
        title=f"Rankings of runs compared with {one}" if title is None else title,
        subtitle=(f"Kendall's τ with 95% intervals; {found.runs} runs",),
        description=(
            f"How rankings of {found.runs} runs by {len(entries)} measures correlate with that by "
            f"{one}; most that by {entries[0].name} (tau {entries[0].value:.3f}), least that by "
            f"{entries[-1].name} (tau {entries[-1].value:.3f})."
        ),
        notes=found.report().notes,
        body=forest(entries, f"τ with {one}", "τap", 3),
    )


def means(found: Comparison, *, measure: str | None = None, title: str | None = None) -> Chart:
    """The means of runs with their intervals, and letters of the groups that tests make."""
    name = chosen(measure, found.measures, "measure")
    place = found.measures.index(name)
    grouped = not found.baselines
    letters = found.letters(name) if grouped else {}
    order = np.argsort(-found.means[place], kind="stable").tolist()
    entries = [
        Entry(
            found.runs[run],
            mean := float(found.means[place, run]),
            mean - (half := float(found.half[place, run])),
            mean + half,
            letters.get(found.runs[run], ""),
        )
        for run in order
    ]
    best, alike = (
        entries[0],
        [each for each in entries[1:] if set(each.said) & set(entries[0].said)],
    )
    told = f"{best.name} has the highest mean {name}, {best.value:.4f}"
    if grouped:
        told += (
            f"; {len(alike)} other runs cannot be told apart from it"
            if alike
            else "; all other runs differ significantly from it"
        )
    return Chart(
        kind="means",
        title=f"Runs by {name}" if title is None else title,
        subtitle=(f"means over {found.topics} topics with 95% intervals",),
        description=f"{len(entries)} runs, best first. {told}.",
        notes=(f"{told}.", *found.report().notes),
        body=forest(entries, f"mean {name}", "groups" if grouped else "", 4),
    )


def forest(entries: Sequence[Entry], title: str, beside: str, decimals: int) -> dict[str, Any]:
    """Names, points with intervals, and a column of more at the right."""
    # sorted, so that a group has one colour in all figures
    groups = sorted({entry.group for entry in entries})
    rows = [
        {
            "name": entry.name,
            "value": entry.value,
            "low": number(entry.low),
            "high": number(entry.high),
            "said": entry.said,
            "group": entry.group,
        }
        for entry in entries
    ]
    bounds = [
        value
        for entry in entries
        for value in (entry.value, entry.low, entry.high)
        if value == value
    ]
    steps = ticks(min(bounds), max(bounds), 6)
    x = {
        "type": "quantitative",
        "scale": {"domain": [steps[0], steps[-1]], "nice": False, "zero": False},
    }
    y = {
        "field": "name",
        "type": "nominal",
        "scale": {"domain": [entry.name for entry in entries]},
        "axis": {"title": None, "ticks": False, "domain": False, "labelPadding": 8},
    }
    form = f".{decimals}f"
    tips = [
        tip("name", "name"),
        tip("value", "value", form),
        tip("low", "95% from", form),
        tip("high", "95% to", form),
        *([tip("said", beside)] if beside else []),
    ]
    look: dict[str, Any] = {"style": "single"}
    hue: dict[str, Any] = {}
    if len(groups) > 1:
        look = {}
        kinds = {
            "field": "group",
            "type": "nominal",
            "scale": {"domain": groups},
            "legend": {"title": None, "orient": "top", "offset": 4},
        }
        hue = {"color": kinds, "shape": kinds}
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "rule", "strokeWidth": 1.8, **look},
            "encoding": {
                "x": {
                    **x,
                    "field": "low",
                    "axis": axis(steps, title, orient="bottom"),
                },
                "x2": {"field": "high"},
                "y": y,
                **{name: value for name, value in hue.items() if name == "color"},
            },
        },
        {
            "mark": {"type": "point", "size": 48, **look},
            "encoding": {"x": {**x, "field": "value"}, "y": y, **hue, "tooltip": tips},
        },
    ]
    if steps[0] < 0 < steps[-1]:
        layers.insert(
            0,
            {
                "data": {"values": [{"zero": 0}]},
                "mark": {"type": "rule", "style": "reference"},
                "encoding": {"x": {**x, "field": "zero"}},
            },
        )
    if beside and any(entry.said for entry in entries):
        layers += _column(y, entries, beside)
    return {"data": {"values": rows}, "width": 380, "height": ROW * len(entries), "layer": layers}


def _column(y: dict[str, Any], entries: Sequence[Entry], beside: str) -> list[dict[str, Any]]:
    """What stands at the right, below its name."""
    wide = max(width_of(beside), *(width_of(entry.said) for entry in entries))
    place = {"value": 380 + 16 + wide}
    text = {"type": "text", "align": "right", "limit": 0}
    return [
        {
            "mark": {**text, "style": "quiet", "baseline": "middle"},
            "encoding": {"x": place, "y": y, "text": {"field": "said"}},
        },
        {
            "data": {"values": [{"said": beside}]},
            "mark": {**text, "style": "label", "fontWeight": 600, "baseline": "bottom", "dy": -6},
            "encoding": {"x": place, "y": {"value": 0}, "text": {"field": "said"}},
        },
    ]
