"""Estimates of what a run would have scored, had its team contributed; and how good they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from polyseme.measures.measure import Measure
from polyseme.statistics.correlation import TIED
from polyseme.tables import Column, Report, Row, Table, labels

#: how a measure sees a newcomer's list: as it is, condensed, condensed with promoted gains
#: discounted, and with its unjudged documents as good as can be
View = Literal["raw", "condensed", "discounted", "bounds"]
VIEWS: tuple[View, ...] = get_args(View)
RAW: View = "raw"
BOUNDS: View = "bounds"


def bare(measure: Measure) -> Measure:
    """A measure without primes and bounds."""
    said = {name: value for name, value in measure.parameters if name not in ("view", "delta")}
    return measure.family(measure.cutoff, **said)


def seen_as(base: Measure, view: View) -> Measure | None:
    """A measure in a view; None where the view says nothing that another one does not."""
    said = dict(base.parameters)
    if view == "raw":
        return base
    if view == "condensed":
        return base.family(base.cutoff, primes=1, **said)
    if view == "discounted":
        graded = base.family.traits.uses_grades
        return base.family(base.cutoff, primes=2, **said) if graded else None
    return base.family(base.cutoff, view="upper", **said) if base.family.traits.monotone else None


@dataclass(frozen=True)
class Estimate:
    """A run's score and rank by a measure, with all judgments and with those of other teams.

    A bound's score is the measure's own, since that is what should not be above it; its rank is
    the one that the run has if all its unjudged documents are good and no other run's.
    """

    team: str
    run: str
    #: the measure in its view, and the measure itself
    measure: str
    base: str
    view: View
    score: float
    score_loo: float
    rank: int
    rank_loo: int
    #: the errors of the measure itself, to be compared with
    raw_error: float
    raw_rank_error: int

    @property
    def delta(self) -> float:
        return round(self.score_loo - self.score, TIED)

    @property
    def absolute_error(self) -> float:
        """|M_LOO - M*|."""
        return abs(self.delta)

    @property
    def relative_error(self) -> int:
        """|r_LOO - r*|."""
        return abs(self.rank_loo - self.rank)

    @property
    def effective_absolute(self) -> bool:
        """Is the score closer than the measure's own?"""
        return self.absolute_error < self.raw_error

    @property
    def effective_relative(self) -> bool:
        """Is the rank closer than the measure's own?"""
        return self.relative_error < self.raw_rank_error

    @property
    def row(self) -> Row:
        names = (self.team, self.run, self.measure)
        return (*names, self.score, self.score_loo, self.delta, self.rank, self.rank_loo)

    @property
    def shown(self) -> str:
        """As in table 5 of Sakai 2013: -.1220 1→12, what is effective being marked."""
        marks = "a" * self.effective_absolute + "r" * self.effective_relative
        change = f"{self.delta:+.4f} {self.rank}→{self.rank_loo}"
        return f"{change} {marks}" if marks and self.view not in (RAW, BOUNDS) else change


COLUMNS = ("team", "run", "measure", "score", "score_loo", "delta", "rank", "rank_loo")


def report_of_estimates(
    estimates: Sequence[Estimate], measures: Sequence[str], views: Sequence[View]
) -> Report:
    """Rows for programs; for people a table for each measure, and a summary."""
    data = Table(
        (*labels(*COLUMNS[:3]), *map(Column, COLUMNS[3:])), [each.row for each in estimates]
    )
    summary = list(summary_of(estimates, measures, views))
    return Report(
        data,
        tables=(
            *(_measure_table(estimates, measure, views) for measure in measures),
            Table(SUMMARY, summary, "estimates compared"),
        ),
        notes=tuple(_explained(views)),
        facts={"summary": list(Table(SUMMARY, summary).records())},
    )


def _explained(views: Sequence[View]) -> Iterator[str]:
    yield "each cell: what is gained or lost without the team's contributions, rank before→after"
    if len(views) > 1:
        yield "a, r: a smaller error than the raw measure's, in absolute and in relative terms"
    if BOUNDS in views:
        yield (
            "bounds: from the raw score to all unjudged documents of the list being relevant to "
            "all intents; the ideal stays that of the known judgments, so the upper bound may "
            "exceed 1, and where intents lost all their documents the true score may lie outside"
        )


def _measure_table(estimates: Sequence[Estimate], measure: str, views: Sequence[View]) -> Table:
    mine = [each for each in estimates if each.base == measure]
    present = [view for view in views if any(each.view == view for each in mine)]
    found = {(each.run, each.view): each for each in mine}
    columns = (
        *labels("team", "run"),
        Column("score"),
        *(Column("upper bound" if view == BOUNDS else view) for view in present),
    )
    rows: list[Row] = [
        (each.team, each.run, each.score, *(found[each.run, view].shown for view in present))
        for each in mine
        if each.view == RAW
    ]
    return Table(columns, rows, measure)


SUMMARY = (
    *labels("measure", "view"),
    Column("runs"),
    Column("mean_error"),
    Column("mean_rank_error", decimals=2),
    Column("too_low"),
    Column("too_high"),
    Column("effective_absolute"),
    Column("effective_relative"),
    Column("closest"),
)


def summary_of(
    estimates: Sequence[Estimate], measures: Sequence[str], views: Sequence[View]
) -> Iterator[Row]:
    """How good each estimate is over all runs that are told of.

    ``closest`` counts the runs to which no other estimate is closer. A bound is no estimate, but
    ``too_low`` tells how many true scores lie above it.
    """
    for base in measures:
        mine = [each for each in estimates if each.base == base]
        least: dict[str, float] = {}
        for each in mine:
            if each.view != BOUNDS:
                least[each.run] = min(each.absolute_error, least.get(each.run, np.inf))
        for view in views:
            seen = [each for each in mine if each.view == view]
            if seen:
                yield _summed(seen, least)


def _summed(seen: Sequence[Estimate], least: dict[str, float]) -> Row:
    view = seen[0].view
    estimating, better = view != BOUNDS, view not in (RAW, BOUNDS)
    return (
        seen[0].measure,
        view,
        len(seen),
        float(np.mean([each.absolute_error for each in seen])),
        float(np.mean([each.relative_error for each in seen])),
        sum(each.delta < 0 for each in seen),
        sum(each.delta > 0 for each in seen),
        sum(each.effective_absolute for each in seen) if better else None,
        sum(each.effective_relative for each in seen) if better else None,
        sum(each.absolute_error == least[each.run] for each in seen) if estimating else None,
    )
