"""Discriminative power: how many pairs of runs a measure tells apart (Sakai 2006)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from polyseme.engine import Engine
from polyseme.errors import PolysemeError
from polyseme.groups import Floats
from polyseme.results import Result
from polyseme.scores import Scores
from polyseme.statistics.comparison import MEANING, TRIALS, Comparison, compare
from polyseme.statistics.paired import Progress
from polyseme.statistics.provenance import tested
from polyseme.statistics.significance import Missing
from polyseme.tables import Column, Report, Row, Table, counted, labels

Method = Literal["hsd", "bootstrap"]
METHODS: tuple[str, ...] = get_args(Method)


@dataclass(frozen=True)
class Power:
    """What one measure tells apart."""

    measure: str
    pairs: int
    significant: int
    #: the smallest difference of means that is significant; NaN where none is
    min_delta: float

    @property
    def power(self) -> float:
        return self.significant / self.pairs


@dataclass(frozen=True)
class Discrimination(Result):
    """The discriminative power of measures."""

    powers: tuple[Power, ...]
    method: Method
    topics: int
    trials: int
    seed: int
    correction: str | None
    level: float
    #: measures x pairs of runs
    p: Floats = field(repr=False, compare=False)
    made: Mapping[str, Any] = field(default_factory=dict)

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(each.measure for each in self.powers)

    def of(self, measure: str) -> Power:
        return next(each for each in self.powers if each.measure == measure)

    def report(self) -> Report:
        columns = (
            *labels("measure"),
            Column("pairs"),
            Column("significant"),
            Column("power", best="highest", decimals=3),
            Column("min_delta"),
        )
        rows: list[Row] = [
            (each.measure, each.pairs, each.significant, each.power, each.min_delta)
            for each in self.powers
        ]
        ranked = sorted(rows, key=lambda row: -float(row[3] or 0))
        return Report(
            Table(columns, rows),
            tables=(Table(columns, ranked),),
            notes=(
                "power: the share of pairs of runs that differ significantly at "
                f"{self.level:.0%}; a measure with more of it needs fewer topics to tell runs "
                "apart, which does not yet mean that it tells them apart rightly",
                "min_delta: the smallest difference of means among the significant ones, a rule "
                "of thumb for what difference to take seriously on this many topics",
                f"{MEANING[self.method]} (B = {self.trials:,}, {counted(self.topics, 'topic')})",
                *(
                    ["p-values of the bootstrap are those of each pair alone, as is customary"]
                    if self.method == "bootstrap"
                    else []
                ),
            ),
            provenance=tested(
                self.made,
                test=self.method,
                B=self.trials,
                seed=self.seed,
                correction=self.correction or "none",
            ),
            facts={"topics": self.topics, "level": self.level},
        )


def discriminate(
    scores: Scores,
    *,
    method: Method = "hsd",
    trials: int | None = None,
    seed: int = 0,
    correction: Literal["plus1"] | None = None,
    missing: Missing | None = None,
    level: float = 0.05,
    jobs: int = 1,
    engine: Engine = "threads",
    progress: Progress | None = None,
) -> Discrimination:
    """The share of pairs of runs that differ significantly, measure by measure.

    ``hsd`` is randomised Tukey HSD (B 10,000), ``bootstrap`` the paired bootstrap test of each pair
    alone (B 1,000), as in Sakai 2006 and Golbus et al. 2013.
    """
    if method not in METHODS:
        raise PolysemeError(f"method must be {' or '.join(METHODS)}. Got {method!r} instead.")
    count = TRIALS[method] if trials is None else trials
    found = compare(
        scores,
        test=method,
        trials=count,
        seed=seed,
        adjust="none",
        correction=correction,
        missing=missing,
        level=level,
        jobs=jobs,
        engine=engine,
        progress=progress,
    )
    return powers_of(found)


def powers_of(found: Comparison) -> Discrimination:
    """What a comparison of all pairs of runs says of the measures that it was made by."""
    significant = found.p < found.level
    size = np.abs(found.difference)
    powers = tuple(
        Power(
            measure,
            len(found.pairs),
            int(significant[place].sum()),
            float(size[place][significant[place]].min()) if significant[place].any() else math.nan,
        )
        for place, measure in enumerate(found.measures)
    )
    return Discrimination(
        powers,
        "bootstrap" if found.test == "bootstrap" else "hsd",
        found.topics,
        found.trials or 0,
        found.seed or 0,
        found.correction,
        found.level,
        found.p,
        found.made,
    )
