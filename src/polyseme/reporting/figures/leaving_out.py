"""What leaving out a team does to the ranking of runs.

After Sakai 2013, figures 3 to 6, and Sakai et al. 2012, figure 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from polyseme.errors import PolysemeError
from polyseme.groups import Floats
from polyseme.measures.means import TopicMean
from polyseme.reporting.figures.picture import Chart
from polyseme.reporting.figures.rankings import Line, lines_over_runs
from polyseme.reporting.kinds import chosen
from polyseme.reuse.estimates import BOUNDS, Estimate
from polyseme.reuse.leave_one_out import LeaveOneOut
from polyseme.scores import Scores
from polyseme.statistics.correlation import TIED

#: points down; one unit is the square root of its size
_ARROW = "M-0.14,-1.1L0.14,-1.1L0.14,0L0.5,0L0,0.75L-0.5,0L-0.14,0Z"
#: the views that the papers draw
_USUAL = ("raw", "condensed")


def leave_one_out(
    found: LeaveOneOut,
    *,
    team: str | None = None,
    measure: str | None = None,
    view: tuple[str, ...] = (),
    title: str | None = None,
) -> Chart:
    """Lines over the runs in their true order: with all judgments, and without a team's."""
    base = chosen(measure, found.measures, "measure")
    left = _team(found, base) if team is None else chosen(team, found.without, "team")
    forms = dict(_forms(found, base, left, view))
    full, without = _means(found.full), _means(found.without[left])
    place = {name: n for n, name in enumerate(found.full.measures)}
    order = np.argsort(-full[:, place[base]].round(TIED), kind="stable")
    runs = [found.full.runs[run] for run in order]
    lines = [
        line
        # a score is held against the same score, so that the measure itself is always there
        for name in dict.fromkeys((base, *forms.values()))
        for line in (
            Line(f"{name}, all judgments", full[order, place[name]]),
            *(
                [Line(f"{name} without {left}", without[order, place[name]])]
                if name in forms.values()
                else []
            ),
        )
    ]
    mine = [run for run in runs if found.teams.of_run[run] == left]
    gone = found.removed[left]
    return Chart(
        kind="leave-one-out",
        title=f"Without what only {left} contributed" if title is None else title,
        subtitle=(
            f"runs from best to worst by {base} with all judgments; "
            f"{'an arrow marks' if len(mine) == 1 else 'arrows mark'} those of {left}",
        ),
        description=(
            f"{len(runs)} runs in the order of {base} with all judgments, and their means without "
            f"the {len(gone.rows):,} documents ({gone.relevant:,} relevant) that only {left} "
            f"contributed, by {', '.join(forms.values())}. " + _told(found, base, left)
        ),
        notes=tuple(_notes(found, left, forms)),
        body=lines_over_runs(
            runs, lines, "mean over topics", height=340, more=_arrows(runs, mine, lines)
        ),
    )


def _means(scores: Scores) -> Floats:
    return scores.mean_values(TopicMean())


def _team(found: LeaveOneOut, base: str) -> str:
    """The team whose best run loses or gains most by the measure as it is."""
    told = [each for each in found.best_estimates if each.base == base and each.view == "raw"]
    if not told:
        raise PolysemeError("no team was left out, so there is nothing to draw")
    return max(told, key=lambda each: each.absolute_error).team


def _forms(
    found: LeaveOneOut, base: str, team: str, views: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """The measure as each view sees it, by view."""
    for wanted in views:
        chosen(wanted, found.views, "view")
    for view in found.views:
        if view in (views or _USUAL) and view != BOUNDS:
            for each in found.estimates:
                if (each.base, each.team, each.view) == (base, team, view):
                    yield view, each.measure
                    break


def _told(found: LeaveOneOut, base: str, team: str) -> str:
    """What becomes of the team's best run, in words."""
    said = [
        f"{each.measure} ranks it {each.rank_loo} in place of {each.rank}"
        for each in _of_best(found, base, team)
    ]
    return f"Of the team's best run, {found.best[team]}: {'; '.join(said)}."


def _of_best(found: LeaveOneOut, base: str, team: str) -> list[Estimate]:
    return [
        each
        for each in found.best_estimates
        if each.base == base and each.team == team and each.view != BOUNDS
    ]


def _notes(found: LeaveOneOut, team: str, forms: dict[str, str]) -> Iterator[str]:
    yield (
        f"compare each line with the line of the same score: where the one without {team} falls "
        "below the one with all judgments at an arrow, the team's run would have been "
        "underestimated, had the team not contributed; where it rises above, overestimated"
    )
    if "condensed" in forms:
        yield f"{forms['condensed']}: on lists without their unjudged documents"
    if "discounted" in forms:
        yield f"{forms['discounted']}: the same, with what moved up counting less"
    yield found.full.topic_report()[0]


def _arrows(runs: list[str], mine: list[str], lines: list[Line]) -> list[dict[str, Any]]:
    """An arrow above the highest point of every run of the team."""
    top = dict(zip(runs, np.max([line.values for line in lines], axis=0).tolist(), strict=True))
    return [
        {
            "data": {"values": [{"run": run, "value": top[run]} for run in mine]},
            "mark": {
                "type": "point",
                "style": "marked",
                "shape": _ARROW,
                "size": 130,
                "yOffset": -17,
                "clip": False,
            },
            "encoding": {
                "x": {"field": "run", "type": "nominal"},
                "y": {"field": "value", "type": "quantitative"},
                "tooltip": [{"field": "run", "title": "left out"}],
            },
        }
    ]
