"""Comparing runs: all pairs or against a baseline, by the test of one's choice."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypedDict, get_args

import numpy as np

from polyseme.engine import Engine
from polyseme.errors import PolysemeError, one_of
from polyseme.groups import Floats, Ints
from polyseme.results import Result
from polyseme.scores import Scores, check_several
from polyseme.statistics.adjusting import ADJUSTING, Adjustment, adjusted
from polyseme.statistics.grouping import letters
from polyseme.statistics.paired import Progress, number_of_flips, paired_tests
from polyseme.statistics.provenance import tested
from polyseme.statistics.significance import Missing, complete_matrix, tukey_hsd
from polyseme.tables import Cell, Column, Report, Row, Table, counted, labels

TestName = Literal["hsd", "bootstrap", "t", "wilcoxon", "sign-flip"]
TESTS: tuple[str, ...] = get_args(TestName)
#: of what the p-value is the share or the chance
MEANING = {
    "hsd": "randomised Tukey HSD: p is the share of random permutations of each topic's scores "
    "over the runs in which the best and the worst run differ by at least as much as this pair",
    "bootstrap": "paired bootstrap test: p is the share of resamples of the topics, drawn as if "
    "the two runs were equally good, whose t statistic is at least as large as the observed one",
    "t": "paired t test: p is the chance of a t statistic at least as large, if the topics' "
    "differences were drawn from a normal distribution with mean 0",
    "wilcoxon": "Wilcoxon's signed-rank test: p is the chance that ranks of the differences lean "
    "at least as much to one side, if both signs were equally likely on every topic",
    "sign-flip": "randomisation test: p is the share of random swaps of the two runs' scores, "
    "topic by topic, that make a mean difference at least as large",
}
#: how many permutations, resamples or flips, unless it is said
TRIALS = {"hsd": 10_000, "bootstrap": 1_000, "sign-flip": 10_000}


@dataclass(frozen=True, eq=False)
class Comparison(Result):
    """Differences of means of pairs of runs, how large they are, and how surprising."""

    test: TestName
    runs: tuple[str, ...]
    measures: tuple[str, ...]
    #: places in ``runs``
    pairs: tuple[tuple[int, int], ...]
    #: measures x pairs
    difference: Floats
    effect: Floats
    p: Floats
    #: measures x runs: means over topics, and half the width of their 95% intervals
    means: Floats
    half: Floats
    topics: int
    trials: int | None
    seed: int | None
    adjustment: Adjustment
    correction: str | None
    #: runs that all others are compared with; none for all pairs
    baselines: tuple[str, ...]
    level: float
    made: dict[str, object]

    @property
    def significant(self) -> Sequence[Sequence[bool]]:
        """Measures x pairs."""
        found: list[list[bool]] = (self.p < self.level).tolist()
        return found

    def p_of(self, measure: str, a: str, b: str) -> float:
        """The p-value of a pair, in either order."""
        place = {frozenset(pair): place for place, pair in enumerate(self.pairs)}
        wanted = frozenset((self.runs.index(a), self.runs.index(b)))
        return float(self.p[self.measures.index(measure), place[wanted]])

    def letters(self, measure: str) -> dict[str, str]:
        """Groups of runs by letters: runs that share a letter do not differ significantly."""
        place = self.measures.index(measure)
        # best first, so that a is the group of the best
        order = np.argsort(-self.means[place], kind="stable")
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        differing = [
            (int(rank[a]), int(rank[b]))
            for (a, b), found in zip(self.pairs, self.significant[place], strict=True)
            if found
        ]
        said = letters(len(self.runs), differing)
        return {self.runs[run]: said[number] for number, run in enumerate(order.tolist())}

    def report(self) -> Report:
        columns = (
            *labels("measure", "a", "b"),
            *map(Column, ("difference", "effect", "p", "significant")),
        )
        pairs = Table(columns, list(self._rows()), "differences of means, a less b")
        return Report(
            Table(columns, list(self._rows())),
            tables=(*self._mean_tables(), pairs),
            notes=self._notes(),
            provenance=tested(
                self.made,
                test=self.test,
                B=self.trials,
                seed=self.seed,
                correction=(self.correction or "none") if self.test == "hsd" else self.adjustment,
            ),
            facts={
                "topics": self.topics,
                "level": self.level,
                "baselines": list(self.baselines),
                "means": [record for table in self._mean_tables() for record in table.records()],
            },
        )

    def _rows(self) -> Iterator[Row]:
        for place, measure in enumerate(self.measures):
            for pair, (a, b) in enumerate(self.pairs):
                p = float(self.p[place, pair])
                yield (
                    measure,
                    self.runs[a],
                    self.runs[b],
                    float(self.difference[place, pair]),
                    float(self.effect[place, pair]),
                    p,
                    p < self.level,
                )

    def _mean_tables(self) -> Iterator[Table]:
        grouped = not self.baselines
        columns = (
            *labels("measure", "run"),
            *map(Column, ("mean", "low", "high")),
            *([Column("groups", "label")] if grouped else []),
        )
        for place, measure in enumerate(self.measures):
            said = self.letters(measure) if grouped else {}
            order = np.argsort(-self.means[place], kind="stable").tolist()
            rows: list[Row] = []
            for run in order:
                mean, half = float(self.means[place, run]), float(self.half[place, run])
                more: tuple[Cell, ...] = (said[self.runs[run]],) if grouped else ()
                rows.append((measure, self.runs[run], mean, mean - half, mean + half, *more))
            yield Table(columns, rows, f"{measure}: means over topics with 95% intervals")

    def _notes(self) -> tuple[str, ...]:
        effect = (
            "effect is the difference in standard deviations of what runs and topics do not explain"
            if self.test == "hsd"
            else "effect is the mean difference in standard deviations of the topics' differences"
        )
        said = [
            f"{MEANING[self.test]} ({_how_many(self.trials)}{counted(self.topics, 'topic')})",
            f"a pair differs significantly where p < {self.level:g}: chance alone would rarely "
            "make such a difference",
            effect,
        ]
        if self.test != "hsd":
            said.append(
                f"{ADJUSTING[self.adjustment]} ({counted(len(self.pairs), 'pair')} a measure)"
            )
        if self.test == "sign-flip" and self.trials == 2**self.topics:
            said.append("these are all the ways to swap, so that p is exact")
        if self.correction == "plus1":
            said.append("p counts the observed scores as one more permutation: (k + 1) / (B + 1)")
        if not self.baselines:
            said.append(
                "groups: runs that share a letter cannot be told apart; the intervals of means are "
                "of each run alone, so they may overlap where a paired difference is significant"
            )
        return tuple(said)


def _how_many(trials: int | None) -> str:
    return "" if trials is None else f"B = {trials:,}, "


class _Drawing(TypedDict):
    """How a test draws, and who works on it."""

    trials: int
    seed: int
    jobs: int
    engine: Engine
    progress: Progress | None


def compare(
    scores: Scores,
    *,
    test: TestName = "hsd",
    baseline: str | Sequence[str] = (),
    trials: int | None = None,
    seed: int = 0,
    adjust: Adjustment | None = None,
    correction: Literal["plus1"] | None = None,
    missing: Missing | None = None,
    level: float = 0.05,
    jobs: int = 1,
    engine: Engine = "threads",
    progress: Progress | None = None,
) -> Comparison:
    """Compare all pairs of runs, or all runs with one or more baselines, on every measure.

    The tests are ``hsd`` (randomised Tukey HSD), ``bootstrap``, ``t``, ``wilcoxon`` and
    ``sign-flip``. P-values of paired tests are corrected over the pairs of each measure
    (``adjust``: holm, bh or none; Holm unless it is said otherwise); Tukey HSD needs none.
    """
    _check(test, adjust, correction, level)
    values = complete_matrix(scores, missing)
    check_several(values, "compare")
    baselines = (baseline,) if isinstance(baseline, str) else tuple(baseline)
    pairs = _pairs(scores.runs, baselines)
    count = trials if trials is not None else TRIALS.get(test)
    if test == "sign-flip" and count is not None:
        count = number_of_flips(values.shape[1], count)
    how: Adjustment = "none" if test == "hsd" else adjust or "holm"
    drawing = _Drawing(trials=count or 1, seed=seed, jobs=jobs, engine=engine, progress=progress)
    if test == "hsd":
        found = tukey_hsd(scores, correction=correction, missing=missing, **drawing)
        difference, effect, p = _chosen(pairs, found.pairs, found.difference, found.effect, found.p)
    else:
        difference, effect, raw = paired_tests(values, pairs, test, **drawing)
        p = adjusted(raw, how)
    means, half = _intervals(values)
    return Comparison(
        test=test,
        runs=scores.runs,
        measures=scores.measures,
        pairs=tuple(pairs),
        difference=difference,
        effect=effect,
        p=p,
        means=means,
        half=half,
        topics=values.shape[1],
        trials=count,
        seed=seed if test in TRIALS else None,
        adjustment=how,
        correction=correction,
        baselines=baselines,
        level=level,
        made=dict(scores.provenance),
    )


def _check(test: str, adjust: object, correction: object, level: float) -> None:
    """What the choices of a comparison must be, and which go together."""
    if test not in TESTS:
        raise PolysemeError(f"test must be {', '.join(TESTS)}. Got {test!r} instead.")
    if not 0 < level < 1:
        raise PolysemeError(f"level must be between 0 and 1. Got {level!r} instead.")
    if test == "hsd" and adjust not in (None, "none"):
        raise PolysemeError(
            "Tukey HSD corrects for many pairs by itself\n"
            "  to mend it: leave the correction out, or choose a paired test"
        )
    if test != "hsd" and correction is not None:
        raise PolysemeError("correction=plus1 is for Tukey HSD; paired tests have holm and bh")


def _pairs(runs: tuple[str, ...], baselines: Sequence[str]) -> list[tuple[int, int]]:
    """All pairs, or every run with each baseline; a pair comes once."""
    if not baselines:
        return list(combinations(range(len(runs)), 2))
    found: dict[frozenset[int], tuple[int, int]] = {}
    for baseline in baselines:
        if baseline not in runs:
            raise PolysemeError(
                f"the baseline {baseline!r} is not among the runs; {one_of(baseline, runs)}"
            )
        place = runs.index(baseline)
        for run in range(len(runs)):
            if run != place:
                found.setdefault(frozenset((run, place)), (run, place))
    return list(found.values())


def _chosen(
    pairs: Sequence[tuple[int, int]],
    known: Sequence[tuple[int, int]],
    difference: Floats,
    effect: Floats,
    p: Floats,
) -> tuple[Floats, Floats, Floats]:
    """What is known of pairs in one order, for some pairs in another."""
    places = {pair: place for place, pair in enumerate(known)}
    column: Ints = np.array([places[min(a, b), max(a, b)] for a, b in pairs])
    sign = np.array([1.0 if a < b else -1.0 for a, b in pairs])
    return difference[:, column] * sign, effect[:, column] * sign, p[:, column]


def _intervals(values: Floats) -> tuple[Floats, Floats]:
    """Means of measures x runs, and half the width of Student's 95% intervals."""
    topics = values.shape[1]
    means = values.mean(axis=1).T
    if topics < 2:
        return means, np.full(means.shape, math.nan)
    from scipy.special import stdtrit

    spread = values.std(axis=1, ddof=1).T / math.sqrt(topics)
    return means, float(stdtrit(topics - 1, 0.975)) * spread
