"""Leave one team out: would its runs have been evaluated fairly, had it not contributed?

LOO_k are the judgments without U_k, what only team k contributed (Sakai et al. 2012; Sakai 2013).
All runs are scored with each LOO_k by each measure as it is (raw) and on condensed lists, and by
what else may estimate a newcomer: lists whose promoted gains are discounted, and the bounds that
the unjudged documents of a list leave.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from polyseme.collection.judgments import Judged
from polyseme.collection.teams import Teams, teams_of
from polyseme.errors import PolysemeError, did_you_mean
from polyseme.evaluation import Prepared, prepared, provenance, wanted
from polyseme.gathering import Gathered, gathered
from polyseme.groups import Bools, Floats, Ints
from polyseme.measures.catalogue import Catalogue
from polyseme.measures.means import TopicMean
from polyseme.measures.measure import Measure
from polyseme.measures.sets import CATALOGUE
from polyseme.results import Result
from polyseme.reuse.best_runs import best_runs, competition_ranks
from polyseme.reuse.estimates import BOUNDS, RAW, VIEWS, Estimate, View, bare, seen_as
from polyseme.reuse.estimates import report_of_estimates as report_of
from polyseme.reuse.pools import PoolDepth, sole_contributor, without_rows
from polyseme.reuse.rescoring import Rescoring
from polyseme.scores import Scores
from polyseme.scoring import warn_of_measures
from polyseme.statistics.correlation import TIED
from polyseme.tables import Report


@dataclass(frozen=True, eq=False)
class LeaveOneOut(Result):
    """What leaving out each team does to its runs."""

    teams: Teams
    #: the measures as they were asked for, without primes
    measures: tuple[str, ...]
    views: tuple[View, ...]
    #: of every run of every team that was left out
    estimates: tuple[Estimate, ...]
    #: each team's best run
    best: Mapping[str, str]
    best_by: str
    #: U_k as rows of the judgments, which of them are relevant, and topics left in the mean
    removed: Mapping[str, Removed]
    #: every run's scores with all judgments, and without each team's
    full: Scores
    without: Mapping[str, Scores]
    depth: str | None = None
    #: report every run of a team, not its best one only
    all_runs: bool = False

    @cached_property
    def best_estimates(self) -> tuple[Estimate, ...]:
        """Those of each team's best run: the table 5 of Sakai 2013."""
        return tuple(each for each in self.estimates if self.best[each.team] == each.run)

    def per_run(self) -> LeaveOneOut:
        """The same, told of every run."""
        return replace(self, all_runs=True)

    def judgments(self, team: str) -> Judged:
        """LOO_k as judgments of their own."""
        return without_rows(self.removed[team].judged, self.removed[team].rows)

    def report(self) -> Report:
        told = self.estimates if self.all_runs else self.best_estimates
        made = report_of(told, self.measures, self.views)
        return replace(
            made,
            notes=(*self._notes(), *made.notes),
            provenance=self.full.provenance,
            facts={
                **made.facts,
                "best_by": self.best_by,
                "depth": self.depth,
                "removed": {
                    team: {
                        "documents": len(gone.rows),
                        "relevant": gone.relevant,
                        "topics": gone.topics,
                    }
                    for team, gone in self.removed.items()
                },
            },
        )

    def _notes(self) -> Iterator[str]:
        runs, used = len(self.full.runs), self.full.topic_report()
        yield f"{runs} runs ranked, a team's best one by {self.best_by}; {used[0]}"
        if self.depth is None:
            yield (
                "no pool depth was said: a team contributed every judged document that its runs "
                "retrieved"
            )
        else:
            yield f"contributions down to depth {self.depth}"
        fewer = {team: gone.topics for team, gone in self.removed.items() if gone.topics_lost}
        if fewer:
            team = min(fewer, key=fewer.__getitem__)
            yield (
                f"without {len(fewer)} of the teams topics have nothing relevant left and leave "
                f"the mean (fewest: {fewer[team]} topics, without {team})"
            )


@dataclass(frozen=True, eq=False)
class Removed:
    """What leaving out a team takes from the judgments."""

    judged: Judged
    rows: Ints
    #: how many of the documents are relevant
    relevant: int
    #: topics that are left in the mean, and those that are not
    topics: int
    topics_lost: int


def leave_one_out(
    judgments: Any,
    runs: Any,
    measures: Any = None,
    *,
    teams: Any = None,
    depth: Any = None,
    views: Sequence[View] = VIEWS,
    best_by: str | Measure | None = None,
    evaluated: Collection[str] | None = None,
    catalogue: Catalogue = CATALOGUE,
    jobs: int = 1,
    progress: Callable[[str], None] | None = None,
    **policies: Any,
) -> LeaveOneOut:
    """Leave out each team in turn and score all runs anew, raw and condensed.

    ``teams`` is a CSV file or ``{run: team}``; without it each run is a team. A team contributed
    what its runs retrieved down to ``depth`` (a number, ``{topic: depth}`` or a file; None: at any
    rank). Runs that are not ``evaluated`` (None: all are) contribute, but are not ranked. A team's
    best run has the highest mean ``best_by`` a measure (None: the first). ``policies`` are the
    arguments of :func:`polyseme.evaluate` that choose them.
    """
    made = prepared(judgments, runs, **policies)
    _check_views(views)
    return leave_each_out(
        made,
        gathered(made.judged, made.runs, made.policies, jobs, progress),
        wanted(made.dialect.measures if measures is None else measures, catalogue),
        teams=teams,
        depth=depth,
        views=views,
        best_by=None if best_by is None else wanted(best_by, catalogue)[0],
        evaluated=evaluated,
    )


def leave_each_out(
    made: Prepared,
    held: Gathered,
    measures: Sequence[Measure],
    *,
    teams: Any = None,
    depth: Any = None,
    views: Sequence[View] = VIEWS,
    best_by: Measure | None = None,
    evaluated: Collection[str] | None = None,
) -> LeaveOneOut:
    """The same of runs that were gathered already."""
    bases = tuple(dict.fromkeys(map(bare, measures)))
    first = bases[0] if best_by is None else bare(best_by)
    owners = teams_of(teams, held.names)
    ranked = held if evaluated is None else held.only(_known(evaluated, held.names))
    deep = None if depth is None else PoolDepth.of(depth)
    owner = sole_contributor(made.judged, held, owners, deep)
    study = _Study(made, bases, tuple(views), first, ranked, owners)
    return study.result(owner, None if deep is None else str(deep))


@dataclass(frozen=True, eq=False)
class _Study:
    """Everything that is the same whichever team is left out."""

    made: Prepared
    bases: tuple[Measure, ...]
    views: tuple[View, ...]
    best_by: Measure
    ranked: Gathered
    owners: Teams

    @cached_property
    def forms(self) -> dict[tuple[Measure, View], Measure]:
        """Each measure as each view sees it, where it can."""
        found = {(base, view): seen_as(base, view) for base in self.bases for view in self.views}
        return {key: measure for key, measure in found.items() if measure is not None}

    @cached_property
    def all_measures(self) -> tuple[Measure, ...]:
        return tuple(dict.fromkeys([*self.bases, self.best_by, *self.forms.values()]))

    @cached_property
    def place(self) -> dict[Measure, int]:
        return {measure: place for place, measure in enumerate(self.all_measures)}

    def result(self, owner: Ints, depth: str | None) -> LeaveOneOut:
        made = self.made
        told = [m for (_, view), m in self.forms.items() if view != BOUNDS]
        warn_of_measures(made.judged.only_relevant, told)
        origin = provenance(made.policies, made.dialect, made.only_topics, (TopicMean(),))
        rescored = Rescoring(made, self.all_measures, self.ranked, owner)
        full = replace(rescored.full, provenance=origin)
        best = {
            team: run for team, (run, _) in best_runs(full, self.owners, str(self.best_by)).items()
        }
        # a team without a ranked run contributed only
        numbers = {team: n for n, team in enumerate(self.owners.names) if team in best}
        without = dict(zip(numbers, rescored.without_each(numbers), strict=True))
        before = _Means.of(full)
        estimates = [
            each for team in numbers for each in self._estimates(team, without[team], before)
        ]
        removed = {
            team: self._removed(owner == n, rescored.relevant, full, without[team])
            for team, n in numbers.items()
        }
        return LeaveOneOut(
            teams=self.owners,
            measures=tuple(str(base) for base in self.bases),
            views=self.views,
            estimates=tuple(estimates),
            best=best,
            best_by=str(self.best_by),
            removed=removed,
            full=full,
            without=without,
            depth=depth,
        )

    def _removed(self, gone: Bools, relevant: Bools, full: Scores, left: Scores) -> Removed:
        before, after = (int(s.entered.any(axis=0).sum()) for s in (full, left))
        rows = np.flatnonzero(gone)
        number = int((gone & relevant).sum())
        return Removed(self.made.judged, rows, number, after, before - after)

    def _estimates(self, team: str, left: Scores, before: _Means) -> Iterator[Estimate]:
        mine = [n for n, run in enumerate(left.runs) if self.owners.of_run[run] == team]
        after = _Means.of(left)
        for base in self.bases:
            raw = self.place[base]
            for view in self.views:
                form = self.forms.get((base, view))
                if form is None:
                    continue
                place = self.place[form]
                # a bound is one of the measure itself; at its best, nobody else gains by it
                sooner = raw if view == BOUNDS else place
                rank_loo = after.rank[:, place]
                if view == BOUNDS:
                    rank_loo = _ranks_at_best(after.value[:, raw], after.value[:, place], mine)
                for n in mine:
                    yield Estimate(
                        team=team,
                        run=left.runs[n],
                        measure=str(form),
                        base=str(base),
                        view=view,
                        score=float(before.value[n, sooner]),
                        score_loo=float(after.value[n, place]),
                        rank=int(before.rank[n, sooner]),
                        rank_loo=int(rank_loo[n]),
                        raw_error=abs(
                            round(float(after.value[n, raw] - before.value[n, raw]), TIED)
                        ),
                        raw_rank_error=abs(int(after.rank[n, raw] - before.rank[n, raw])),
                    )


@dataclass(frozen=True, eq=False)
class _Means:
    """Means of runs x measures, and the ranks of runs by each."""

    value: Floats
    rank: Ints

    @classmethod
    def of(cls, scores: Scores) -> _Means:
        value = scores.mean_values(TopicMean())
        return cls(value, competition_ranks(value))


def _ranks_at_best(everybody: Floats, bound: Floats, mine: Sequence[int]) -> Ints:
    """The ranks if some runs reach their bounds."""
    values = everybody.copy()
    values[mine] = bound[mine]
    return competition_ranks(values[:, None])[:, 0]


def _known(evaluated: Collection[str], names: tuple[str, ...]) -> set[str]:
    unknown = [name for name in evaluated if name not in names]
    if unknown:
        hint = did_you_mean(unknown[0], names)
        raise PolysemeError(
            f"{len(unknown)} runs to be evaluated were not given (the first: {unknown[0]!r})\n"
            f"  to mend it: {hint or 'name their files too'}"
        )
    if not evaluated:
        raise PolysemeError("no run is to be evaluated\n  to mend it: name at least one")
    return set(evaluated)


def _check_views(views: Sequence[str]) -> None:
    wrong = [view for view in views if view not in VIEWS]
    if wrong or RAW not in views:
        raise PolysemeError(
            f"views must be of {', '.join(VIEWS)}, {RAW} among them. "
            f"Got {', '.join(map(str, views)) or 'none'} instead."
        )
