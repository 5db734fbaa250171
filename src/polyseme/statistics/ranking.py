"""How measures, or means over topics, agree on which runs are better than which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np

from polyseme.errors import PolysemeError
from polyseme.groups import Bools, Floats
from polyseme.results import Result
from polyseme.scores import Scores, check_several
from polyseme.statistics.correlation import Correlation, correlation
from polyseme.statistics.provenance import tested
from polyseme.statistics.significance import Missing, complete_matrix
from polyseme.tables import Column, Report, Row, Table, labels

MEANING = (
    "tau: pairs of runs that both rankings order alike, less those they order differently, over "
    "all pairs; 1 is the same ranking, 0 none in common, -1 the reverse",
    "low and high: the 95% interval of tau, were other runs drawn like these (Long and Cliff 1997)",
    "tau_ap: the same with more weight on the best runs, the mean of both directions",
)


@dataclass(frozen=True)
class Correlations(Result):
    """Every pair of rankings of the same runs."""

    names: tuple[str, ...]
    pairs: tuple[Correlation, ...]
    runs: int
    variant: str
    made: Mapping[str, Any] = field(default_factory=dict)

    def of(self, a: str, b: str) -> Correlation:
        """The correlation of two rankings, in either order."""
        for each in self.pairs:
            if {each.a, each.b} == {a, b}:
                return each
        raise PolysemeError(f"no correlation of {a!r} and {b!r}")

    def report(self) -> Report:
        columns = (*labels("a", "b"), *map(Column, ("tau", "low", "high", "tau_ap")))
        rows: list[Row] = [
            (each.a, each.b, each.tau, each.low, each.high, each.tau_ap) for each in self.pairs
        ]
        return Report(
            Table(columns, rows),
            tables=(self._matrix(), Table(columns, rows)),
            notes=(*MEANING, f"rankings of {self.runs} runs by Kendall's tau-{self.variant}"),
            provenance=tested(self.made, variant=self.variant),
            facts={"runs": self.runs},
        )

    def _matrix(self) -> Table:
        held = {frozenset((each.a, each.b)): each.tau for each in self.pairs}
        # the last row would be empty, and so would the first column
        columns = (*labels(""), *(Column(name, decimals=3) for name in self.names[1:]))
        rows: list[Row] = [
            (
                name,
                *(
                    held[frozenset((name, other))] if place > number else None
                    for place, other in enumerate(self.names[1:], 1)
                ),
            )
            for number, name in enumerate(self.names[:-1])
        ]
        return Table(columns, rows, "Kendall's tau")


def correlate(
    scores: Scores,
    *,
    variant: Literal["b", "a"] = "b",
    missing: Missing | None = None,
) -> Correlations:
    """Kendall's tau and tau_ap between the rankings of runs by each measure and mean."""
    check_several(scores.runs, "rank")
    rankings = dict(_rankings(completed(scores, missing)))
    if len(rankings) < 2:
        raise PolysemeError(
            "at least two rankings are needed to correlate\n"
            "  to mend it: name more measures (-m), or more means over topics (--mean)"
        )
    names = tuple(rankings)
    return Correlations(
        names=names,
        pairs=tuple(
            correlation(rankings[a], rankings[b], variant=variant, names=(a, b))
            for a, b in combinations(names, 2)
        ),
        runs=len(scores.runs),
        variant=variant,
        made=dict(scores.provenance),
    )


def _rankings(scores: Scores) -> Iterator[tuple[str, Floats]]:
    """Means of the runs, by what they are called."""
    several = len(scores.means) > 1
    for place, measure in enumerate(scores.measures):
        for mean in scores.means:
            named = f"{measure} [{mean}]" if several or mean.kind != "avg" else measure
            yield named, scores.select(measures=scores.measures[place]).mean_values(mean)[:, 0]


def completed(scores: Scores, missing: Missing | None = None) -> Scores:
    """The scores with a value for every run on every topic; an error where one is missing."""
    values = complete_matrix(scores, missing)
    used: Bools = np.asarray(scores.entered.any(axis=0))
    if missing == "drop-topic":
        held = scores.entered & np.isfinite(scores.values).all(axis=2)
        used = used & held.all(axis=0)
    shape = values.shape[:2]
    return replace(
        scores,
        topics=tuple(topic for topic, kept in zip(scores.topics, used, strict=True) if kept),
        values=values,
        entered=np.ones(shape, np.bool_),
        retrieved=np.ones(shape, np.bool_),
        topic_weights={name: weight[used] for name, weight in scores.topic_weights.items()},
        denominator=None,
    )
