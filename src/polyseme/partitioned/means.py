"""Means over topics that were never all at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from polyseme.errors import PolysemeError
from polyseme.groups import Floats
from polyseme.measures.means import TopicMean
from polyseme.partitioned.sums import quotient, ratio
from polyseme.scores import LONG_COLUMNS, TopicMeans, remarks, topics_told
from polyseme.tables import Column, Report, Table, labels


@dataclass(frozen=True, eq=False)
class PartitionedScores(TopicMeans):
    """Means of runs by measures; values of topics are in files, where they were asked for."""

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    means: tuple[TopicMean, ...]
    #: of each mean, run and measure the exact sum, in units of 2^-1126
    totals: Mapping[str, Sequence[Sequence[int]]]
    #: of each mean that weighs topics, and each run, the sum of the weights
    weights: Mapping[str, Sequence[int]]
    #: judged topics
    judged: int
    #: over how many topics each run's means are, and how many of them it lacks
    entered: tuple[int, ...]
    lacking: tuple[int, ...]
    #: unjudged topics of each run
    beyond: tuple[int, ...]
    denominator: int | None = None
    #: counts, of which the sum over topics takes the place of the arithmetic mean
    added_up: frozenset[str] = frozenset()
    #: measures for which their program prints nan in topics without a relevant document
    undefined_without_relevant: frozenset[str] = frozenset()
    #: how many topics enter means though they have nothing relevant, and the first of them
    barren: int = 0
    first_barren: tuple[str, ...] = ()
    #: the folder with values of topics
    per_topic: str | None = None
    partitions: int = 1
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def mean_values(self, mean: TopicMean) -> Floats:
        """Means over topics as an array: runs x measures."""
        name = str(mean)
        if name not in self.totals:
            raise PolysemeError(
                f"the mean {mean} was not asked for\n"
                f"  to mend it: evaluate_partitions(..., mean=[{name!r}])"
            )
        table = np.full((len(self.runs), len(self.measures)), np.nan)
        for run, totals in enumerate(self.totals[name]):
            topics = self.entered[run] if self.denominator is None else self.denominator
            if not topics:
                continue
            weight = self.weights[name][run] if name in self.weights else 0
            if weight > 0:
                table[run] = [ratio(total, weight) for total in totals]
            elif name in self.weights:
                # nothing weighs anything: every topic weighs the same
                plain = self.totals[str(TopicMean())][run]
                table[run] = [quotient(total, topics) for total in plain]
            else:
                table[run] = [
                    quotient(total, 1 if mean.kind == "avg" and name in self.added_up else topics)
                    for name, total in zip(self.measures, totals, strict=True)
                ]
        return np.exp(table) if mean.kind == "geom" else table

    def topic_report(self) -> list[str]:
        """Sentences that say over which topics the means are."""
        told = topics_told(
            self.judged,
            self.entered,
            self.denominator,
            dict(zip(self.runs, self.lacking, strict=True)),
            dict(zip(self.runs, self.beyond, strict=True)),
        )
        counts = [name for name in self.measures if name in self.added_up]
        undefined = [name for name in self.measures if name in self.undefined_without_relevant]
        return [*told, *remarks(counts, undefined, self.barren, self.first_barren)]

    def report(self) -> Report:
        """Rows of means."""
        notes = self.topic_report()
        if self.per_topic is not None:
            notes.append(f"values of topics are in {self.per_topic}")
        return Report(
            data=Table((*labels(*LONG_COLUMNS[:-1]), Column(LONG_COLUMNS[-1])), self.mean_rows()),
            notes=tuple(notes),
            provenance={**self.provenance, "measures": list(self.measures)},
            facts={
                "topics": {
                    "judged": self.judged,
                    "used": dict(zip(self.runs, self.entered, strict=True)),
                    "missing": {r: n for r, n in zip(self.runs, self.lacking, strict=True) if n},
                    "extra": {r: n for r, n in zip(self.runs, self.beyond, strict=True) if n},
                },
                "partitions": self.partitions,
                "per_topic": self.per_topic,
            },
        )

    def __repr__(self) -> str:
        return (
            f"<PartitionedScores: {len(self.runs)} runs, {self.judged} topics, "
            f"{len(self.measures)} measures, {self.partitions} partitions>"
        )
