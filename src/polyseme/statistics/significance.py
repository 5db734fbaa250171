"""Which differences between systems are more than chance: randomised Tukey HSD."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any, Literal

import numpy as np

from polyseme.engine import Engine, map_partitions
from polyseme.errors import PolysemeError
from polyseme.groups import Bools, Floats, Ints
from polyseme.results import Result
from polyseme.scores import Scores, check_several
from polyseme.statistics.provenance import tested
from polyseme.tables import Column, Report, Row, Table, counted, labels
from polyseme.trials import permuted_ranges

#: what rounding may take from a difference
TOLERANCE = 1e-10
#: numbers held at once by one worker
_HELD = 4_000_000
#: into so many pieces at least each worker's trials are cut, so that progress can be seen
_STEPS = 20

Missing = Literal["zero", "drop-topic"]


@dataclass(frozen=True, eq=False)
class TukeyHSD(Result):
    """Differences of mean scores of all pairs of runs, and how often chance makes such ones."""

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    #: (first, second) places of each pair in ``runs``
    pairs: tuple[tuple[int, int], ...]
    #: measures x pairs: mean of the first less mean of the second
    difference: Floats
    #: measures x pairs: the difference over the residual standard deviation (two-way)
    effect: Floats
    #: measures x pairs
    p: Floats
    topics: int
    trials: int
    seed: int
    level: float = 0.05
    correction: str | None = None
    #: the provenance of the scores
    made: Mapping[str, Any] = field(default_factory=dict)

    @property
    def significant(self) -> Sequence[Sequence[bool]]:
        """Measures x pairs."""
        found: list[list[bool]] = (self.p < self.level).tolist()
        return found

    @property
    def provenance(self) -> dict[str, Any]:
        """How the p-values were made."""
        correction = self.correction or "none"
        return tested(self.made, test="hsd", B=self.trials, seed=self.seed, correction=correction)

    def p_of(self, measure: str, a: str, b: str) -> float:
        """The p-value of a pair, in either order."""
        first, second = sorted((self.runs.index(a), self.runs.index(b)))
        place = self.pairs.index((first, second))
        return float(self.p[self.measures.index(measure), place])

    def report(self) -> Report:
        columns = (
            *labels("measure", "a", "b"),
            *map(Column, ("difference", "effect", "p", "significant")),
        )
        return Report(
            Table(columns, list(self._rows())),
            notes=(
                f"randomised Tukey HSD, {self.trials:,} trials over "
                f"{counted(self.topics, 'topic')}",
            ),
            provenance=self.provenance,
            facts={"topics": self.topics, "level": self.level},
        )

    def _rows(self) -> Iterator[Row]:
        for place, measure in enumerate(self.measures):
            for pair, (a, b) in enumerate(self.pairs):
                yield (
                    measure,
                    self.runs[a],
                    self.runs[b],
                    float(self.difference[place, pair]),
                    float(self.effect[place, pair]),
                    float(self.p[place, pair]),
                    bool(self.p[place, pair] < self.level),
                )


def tukey_hsd(
    scores: Scores,
    *,
    trials: int = 10_000,
    seed: int = 0,
    correction: Literal["plus1"] | None = None,
    missing: Missing | None = None,
    level: float = 0.05,
    jobs: int = 1,
    engine: Engine = "threads",
    progress: Callable[[int, int], None] | None = None,
) -> TukeyHSD:
    """Randomised two-sided Tukey HSD (Carterette 2012) on every measure of some scores.

    In each trial every topic's scores are permuted over the runs, all measures' alike; p is the
    share of trials whose largest difference of means reaches the observed difference.
    """
    if trials < 1:
        raise PolysemeError(f"trials must be 1 or more. Got {trials} instead.")
    if correction not in (None, "plus1"):
        raise PolysemeError(f"correction must be plus1 or None. Got {correction!r} instead.")
    values = complete_matrix(scores, missing)
    check_several(values, "compare")
    means = values.mean(axis=1)
    pairs = tuple(combinations(range(len(values)), 2))
    first, second = (np.array(side, dtype=np.int64) for side in zip(*pairs, strict=True))
    difference = (means[first] - means[second]).T
    largest = _largest(values, trials, seed, jobs, engine, progress)
    reached = _reached(largest, np.abs(difference))
    plus = 1 if correction == "plus1" else 0
    spread = np.sqrt(_residual_variance(values))[:, None]
    return TukeyHSD(
        runs=scores.runs,
        measures=scores.measures,
        pairs=pairs,
        difference=difference,
        effect=np.divide(
            difference, spread, out=np.full(difference.shape, np.nan), where=spread > TOLERANCE
        ),
        p=(reached + plus) / (trials + plus),
        topics=values.shape[1],
        trials=trials,
        seed=seed,
        level=level,
        correction=correction,
        made=dict(scores.provenance),
    )


def complete_matrix(scores: Scores, missing: Missing | None = None) -> Floats:
    """Values of runs x topics x measures without a gap, over the topics that enter means.

    A score that is not there, on a topic that enters the mean of any run, is an error, unless
    ``missing`` says that it is 0 (``zero``) or that the topic is left out for all (``drop-topic``).
    """
    if missing not in (None, "zero", "drop-topic"):
        raise PolysemeError(f"missing must be zero or drop-topic. Got {missing!r} instead.")
    gap = ~scores.entered[:, :, None] | ~np.isfinite(scores.values)
    used: Bools = np.asarray(scores.entered.any(axis=0))
    holes: Bools = gap & used[:, None]
    if holes.any() and missing is None:
        raise PolysemeError(
            f"{_first_hole(scores, holes)}, and runs must be compared on the same topics\n"
            "  to mend it: say --missing zero, or --missing drop-topic"
        )
    if missing == "drop-topic":
        used = used & ~holes.any(axis=(0, 2))
    if not used.any():
        raise PolysemeError("no topic is left on which all runs have scores")
    return np.where(gap, 0.0, scores.values)[:, used]


def _first_hole(scores: Scores, holes: Bools) -> str:
    """What is missing: whole topics of runs, or only some measures there."""
    run, topic, measure = (int(place[0]) for place in np.nonzero(holes))
    where = f"run {scores.runs[run]}, topic {scores.topics[topic]}"
    if not holes[run, topic].all():
        where += f", measure {scores.measures[measure]}"
    number = int(holes.any(axis=2).sum())
    if number == 1:
        return f"a score is missing ({where})"
    return f"{number} scores are missing (the first: {where})"


def _largest(
    observed: Floats,
    trials: int,
    seed: int,
    jobs: int,
    engine: Engine,
    progress: Callable[[int, int], None] | None,
) -> Floats:
    """Of each trial and measure the largest difference of means."""
    runs, topics, measures = observed.shape
    by_topic = np.ascontiguousarray(observed.transpose(1, 0, 2))
    chunk = max(1, min(_HELD // (runs * measures + topics), -(-trials // (_STEPS * jobs))))
    spans = [(low, min(low + chunk, trials)) for low in range(0, trials, chunk)]
    work = partial(_largest_differences, by_topic, seed)
    largest = np.empty((trials, measures))
    for (low, high), part in zip(spans, map_partitions(work, spans, engine, jobs), strict=True):
        largest[low:high] = part
        if progress is not None:
            progress(high, trials)
    return largest


def _reached(largest: Floats, sizes: Floats) -> Ints:
    """In how many trials the largest difference reaches each size (measures x pairs)."""
    ordered = np.sort(largest, axis=0)
    return np.stack(
        [
            len(ordered) - np.searchsorted(ordered[:, measure], sizes[measure] - TOLERANCE)
            for measure in range(len(sizes))
        ]
    )


def _largest_differences(by_topic: Floats, seed: int, span: tuple[int, int]) -> Floats:
    """Of each trial and measure: the largest difference between two means.

    A trial's random numbers depend on the seed and its number only.
    """
    low, high = span
    found = permuted_ranges(by_topic, seed=seed, first=low, trials=high - low)
    return found / len(by_topic)


def _residual_variance(values: Floats) -> Floats:
    """Of each measure: what neither runs nor topics explain, by (runs - 1)(topics - 1)."""
    runs, topics, _ = values.shape
    rest = (
        values
        - values.mean(axis=1, keepdims=True)
        - values.mean(axis=0, keepdims=True)
        + values.mean(axis=(0, 1), keepdims=True)
    )
    freedom = (runs - 1) * (topics - 1)
    variance: Floats = (rest**2).sum(axis=(0, 1)) / max(freedom, 1)
    return variance
