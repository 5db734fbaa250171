"""Would a shallower pool have said the same as a deeper one (Sakai et al. 2012, section 4.1)?

J_d are the judged documents that any run ranks d or higher. Runs are scored with J_d and with the
deeper judgments at several measurement depths; told is how their rankings correlate, and which
significant differences appear with one and not with the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from polyseme.averaging import chosen_topics
from polyseme.collection.teams import Teams, teams_of
from polyseme.errors import InputError, PolysemeError
from polyseme.evaluation import Prepared, prepared, provenance, score_gathered, wanted, weight_files
from polyseme.gathering import Gathered, gathered
from polyseme.groups import Bools, Ints
from polyseme.measures.catalogue import Catalogue
from polyseme.measures.means import TopicMean
from polyseme.measures.measure import Measure
from polyseme.measures.sets import CATALOGUE
from polyseme.results import Result
from polyseme.reuse.best_runs import best_runs
from polyseme.scores import Scores
from polyseme.scoring import Scorer, warn_of_measures
from polyseme.statistics.correlation import Correlation, correlation
from polyseme.statistics.significance import TukeyHSD, tukey_hsd
from polyseme.tables import Column, Report, Row, Table, counted, labels

Verdict = Literal["both", "false alarm", "missed", "neither"]
#: the pool of judgments as they were given, where deeper ones are compared with them
GIVEN = "given"
CUTOFF = Column("cutoff")


@dataclass(frozen=True, eq=False)
class DepthStudy(Result):
    """Rankings of runs with shallower judgments, against those with deeper ones."""

    measures: tuple[Measure, ...]
    #: scores by pool (a depth, or ``given``), and with the deeper judgments
    shallow: Mapping[str, Scores]
    deep: Scores
    teams: Teams
    #: each team's best run
    best: Mapping[str, str]
    best_by: str

    def correlations(self) -> Iterator[tuple[Measure, str, Correlation]]:
        """Of each measure and pool: how the ranking correlates with the deeper one."""
        after = self.deep.mean_values(TopicMean())
        means = {pool: scores.mean_values(TopicMean()) for pool, scores in self.shallow.items()}
        for place, measure in enumerate(self.measures):
            for pool, before in means.items():
                yield measure, pool, correlation(before[:, place], after[:, place])

    def significance(
        self, *, pool: str | int | None = None, trials: int = 10_000, seed: int = 0, jobs: int = 1
    ) -> DepthSignificance:
        """Randomised Tukey HSD on the teams' best runs, with a pool and with the deeper judgments.

        Without a ``pool`` it is the shallowest one.
        """
        name = next(iter(self.shallow)) if pool is None else str(pool)
        if name not in self.shallow:
            raise PolysemeError(f"there is no pool {name}; the pools are {', '.join(self.shallow)}")
        runs = list(self.best.values())
        said: dict[str, Any] = {"trials": trials, "seed": seed, "jobs": jobs}
        return DepthSignificance(
            self.measures,
            name,
            tukey_hsd(self.shallow[name].select(runs=runs), **said),
            tukey_hsd(self.deep.select(runs=runs), **said),
            self.best_by,
        )

    def report(self) -> Report:
        rows: list[Row] = [
            (measure.cutoff, str(measure), pool, found.tau, found.tau_ap)
            for measure, pool, found in self.correlations()
        ]
        columns = (CUTOFF, *labels("measure", "pool"), Column("tau"), Column("tau_ap"))
        notes = [
            f"{len(self.deep.runs)} runs; tau and symmetric tau_ap with the ranking by the deeper "
            f"judgments; {self.deep.topic_report()[0]}"
        ]
        notes += [
            f"pool {pool}: {scores.topic_report()[0]}" for pool, scores in self.shallow.items()
        ]
        return Report(Table(columns, rows), notes=tuple(notes), provenance=self.deep.provenance)


@dataclass(frozen=True, eq=False)
class DepthSignificance(Result):
    """Which differences between teams are significant with a pool, and with deeper judgments."""

    measures: tuple[Measure, ...]
    pool: str
    shallow: TukeyHSD
    deep: TukeyHSD
    best_by: str

    def verdicts(self) -> Iterator[tuple[Measure, str, str, float, float, Verdict]]:
        """Of each measure and pair of runs: both p-values, and what the deeper ones say."""
        for place, measure in enumerate(self.measures):
            for pair, (a, b) in enumerate(self.shallow.pairs):
                before = float(self.shallow.p[place, pair])
                after = float(self.deep.p[place, pair])
                runs = self.shallow.runs
                yield measure, runs[a], runs[b], before, after, self._verdict(before, after)

    def _verdict(self, before: float, after: float) -> Verdict:
        level = self.shallow.level
        if before < level:
            return "both" if after < level else "false alarm"
        return "missed" if after < level else "neither"

    def report(self) -> Report:
        found = list(self.verdicts())
        rows: list[Row] = [(each[0].cutoff, str(each[0]), *each[1:]) for each in found]
        names = (CUTOFF, *labels("measure", "a", "b"))
        columns = (*names, Column("p_shallow"), Column("p_deep"), *labels("verdict"))
        numbers: list[Row] = [
            (measure.cutoff, str(measure), *(number[verdict] for verdict in _COUNTED))
            for measure, number in self._counted().items()
        ]
        summary = Table(
            (CUTOFF, *labels("measure"), *map(Column, _COUNTED)),
            numbers,
            "pairs of best runs by what is significant",
        )
        changed = [row for row in rows if row[-1] in ("false alarm", "missed")]
        return Report(
            Table(columns, rows),
            tables=(summary, Table(columns, changed, "pairs on which the judgments disagree")),
            notes=(
                f"pool {self.pool} against the deeper judgments: a false alarm is significant with "
                "the pool only, a missed difference with the deeper judgments only",
                f"each team's best run by {self.best_by}; randomised Tukey HSD, "
                f"{self.shallow.trials:,} trials over {counted(self.shallow.topics, 'topic')} "
                f"with the pool and {self.deep.topics:,} with the deeper judgments, level "
                f"{self.shallow.level:g}",
            ),
            provenance=self.deep.provenance,
            facts={"pool": self.pool, "summary": list(summary.records())},
        )

    def _counted(self) -> dict[Measure, Counter[str]]:
        found: dict[Measure, Counter[str]] = {measure: Counter() for measure in self.measures}
        for measure, *_, verdict in self.verdicts():
            found[measure][verdict] += 1
        return found


_COUNTED: tuple[Verdict, ...] = ("both", "false alarm", "missed", "neither")


def depth_study(
    judgments: Any,
    runs: Any,
    measures: Any = None,
    *,
    deeper: Any = None,
    pools: Sequence[int] = (),
    cutoffs: Sequence[int] = (),
    teams: Any = None,
    best_by: str | Measure | None = None,
    catalogue: Catalogue = CATALOGUE,
    jobs: int = 1,
    **policies: Any,
) -> DepthStudy:
    """Compare the rankings that shallower pools give with that of deeper judgments.

    The deeper judgments are ``deeper``, or without it ``judgments`` as they are; the pools are of
    the ``judgments``, and with ``deeper`` and no ``pools`` these as they are. Every measure is
    taken at each of the ``cutoffs``. A team's best run is chosen by the ``judgments`` as they are.
    """
    made = prepared(judgments, runs, **policies)
    asked = wanted(made.dialect.measures if measures is None else measures, catalogue)
    _check(pools, cutoffs, deeper)
    if cutoffs:
        asked = tuple(dict.fromkeys(m.at(cutoff) for cutoff in cutoffs for m in asked))
    first = asked[0] if best_by is None else wanted(best_by, catalogue)[0]
    warn_of_measures(made.judged.only_relevant, asked)
    study = _Scored(made, asked, gathered(made.judged, made.runs, made.policies, jobs))
    owners = teams_of(teams, study.held.names)
    shallow = {str(depth): study.scores(~study.pooled(depth)) for depth in sorted(pools)}
    official = study.scores()
    if deeper is None:
        deep = official
    else:
        if not pools:
            shallow[GIVEN] = official
        other = prepared(deeper, made.runs, **policies)
        deep = _Scored(
            other, asked, gathered(other.judged, other.runs, other.policies, jobs)
        ).scores()
    chosen = official if first in asked else replace(study, measures=(first,)).scores()
    best = {team: run for team, (run, _) in best_runs(chosen, owners, str(first)).items()}
    return DepthStudy(asked, shallow, deep, owners, best, str(first))


@dataclass(frozen=True, eq=False)
class _Scored:
    """Runs that are scored with parts of the judgments."""

    made: Prepared
    measures: tuple[Measure, ...]
    held: Gathered

    def scores(self, without: Bools | None = None) -> Scores:
        made = self.made
        files = weight_files(self.measures)
        scorer = Scorer(made.judged, self.measures, made.policies, files, without=without)
        found = score_gathered(scorer, self.held, chosen_topics(made.judged, made.only_topics))
        origin = provenance(made.policies, made.dialect, made.only_topics, (TopicMean(),))
        return replace(found, provenance=origin)

    def pooled(self, depth: int) -> Bools:
        """J_d: the judged documents that any run ranks that high."""
        rows: Ints = self.held.lists.row[self.held.lists.rank <= depth]
        found = np.zeros(len(self.made.judged.documents), dtype=np.bool_)
        found[rows[rows >= 0]] = True
        return found


def _check(pools: Sequence[int], cutoffs: Sequence[int], deeper: object) -> None:
    for name, given in (("pools", pools), ("cutoffs", cutoffs)):
        if any(each < 1 for each in given):
            raise InputError(
                f"{name} are {', '.join(map(str, given))}", expected="depths of 1 or more"
            )
    if not pools and deeper is None:
        raise PolysemeError(
            "there is nothing to compare\n"
            "  to mend it: say --pools, or give deeper judgments with --deeper"
        )
