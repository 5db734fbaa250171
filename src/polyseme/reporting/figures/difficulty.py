"""How diverse topics can be (Golbus et al. 2013, figure 2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyseme.errors import PolysemeError
from polyseme.reporting.figures.panels import tip
from polyseme.reporting.figures.picture import Chart
from polyseme.reuse.description import TopicDescription
from polyseme.tables import counted

#: topics of a bar that a tooltip names
_NAMED = 12


def difficulty(
    found: TopicDescription, *, width: float | None = None, title: str | None = None
) -> Chart:
    """A histogram of the topics' diversity difficulty."""
    step = 0.05 if width is None else width
    bins = round(1 / step) if step > 0 else 0
    if bins < 1 or abs(bins * step - 1) > 1e-9:
        raise PolysemeError(f"a bar's width must divide 1, such as 0.05. Got {step:g} instead.")
    used = np.flatnonzero(found.relevance.relevant_in > 0)
    if not len(used):
        raise PolysemeError("no topic has a relevant document, so there is nothing to draw")
    names = [found.relevance.topics[topic] for topic in used.tolist()]
    dd = found.difficulty.dd[used]
    # 0.7 belongs to the bar from 0.7 on, whatever its last digit; 1 to the last bar
    place = np.minimum(np.floor(dd / step + 1e-9).astype(int), bins - 1)
    rows = [
        _bar(n, step, [(v, t) for v, t, p in zip(dd.tolist(), names, place, strict=True) if p == n])
        for n in range(bins)
    ]
    mean, most = float(dd.mean()), max(int(row["topics"]) for row in rows)
    low, high = int(dd.argmin()), int(dd.argmax())
    told = (
        f"{counted(len(names), 'topic')}; lowest {dd[low]:.3f} (topic {names[low]}), "
        f"highest {dd[high]:.3f} (topic {names[high]}), mean {mean:.3f}"
    )
    x = {
        "type": "quantitative",
        "scale": {"domain": [0, 1], "nice": False},
        "axis": {"title": "diversity difficulty", "tickCount": 10, "format": ".1f", "grid": False},
    }
    y = {
        "field": "topics",
        "type": "quantitative",
        "scale": {"domain": [0, most], "nice": True},
        "axis": {"title": "topics", "format": "d", "tickMinStep": 1, "tickCount": 6},
    }
    return Chart(
        kind="difficulty",
        title="Diversity difficulty of the topics" if title is None else title,
        subtitle=(told,),
        description=f"A histogram of the diversity difficulty of {told}.",
        notes=(
            "the larger the value, the easier it is to make a diverse list for the topic: an "
            "arbitrary list of relevant documents is likely to cover all of its intents",
            *found.report().notes,
        ),
        body={
            "width": 460,
            "height": 260,
            "layer": [
                {
                    "data": {"values": rows},
                    "mark": {"type": "bar", "style": "single", "binSpacing": 0},
                    "encoding": {
                        "x": {**x, "field": "from"},
                        "x2": {"field": "to"},
                        "y": y,
                        "y2": {"datum": 0},
                        "tooltip": [
                            tip("range", "difficulty"),
                            tip("topics", "topics"),
                            tip("names", "which"),
                        ],
                    },
                },
                *_mean(mean, x),
            ],
        },
    )


def _bar(place: int, step: float, topics: list[tuple[float, str]]) -> dict[str, Any]:
    names = [name for _, name in sorted(topics)]
    shown = ", ".join(names[:_NAMED])
    if len(names) > _NAMED:
        shown += f" and {len(names) - _NAMED} more"
    low, high = round(place * step, 9), round((place + 1) * step, 9)
    # a hair between bars, also where nothing is
    return {
        "from": low + step * 0.03,
        "to": high - step * 0.03,
        "range": f"{low:g} to {high:g}",
        "topics": len(names),
        "names": shown,
    }


def _mean(mean: float, x: dict[str, Any]) -> list[dict[str, Any]]:
    right = mean > 0.8
    held = {"data": {"values": [{"mean": mean, "said": f"mean {mean:.3f}"}]}}
    return [
        {
            **held,
            "mark": {"type": "rule", "style": "reference"},
            "encoding": {"x": {**x, "field": "mean"}},
        },
        {
            **held,
            "mark": {
                "type": "text",
                "style": "quiet",
                "align": "right" if right else "left",
                "baseline": "bottom",
                "dx": -5 if right else 5,
                "dy": -4,
            },
            "encoding": {
                "x": {**x, "field": "mean"},
                "y": {"value": 0},
                "text": {"field": "said"},
            },
        },
    ]
