"""Discriminative power and rank correlation of a grid's variants (golbus2013, figures 3 to 6).

The variants are valued on runs, or on artificial ones: random orders of the relevant documents,
which differ in nothing but diversity.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np

from polyseme.averaging import chosen_topics
from polyseme.collection.judgments import Judged
from polyseme.collection.lists import Lists
from polyseme.collection.runs import Runs
from polyseme.errors import PolysemeError
from polyseme.evaluation import score_gathered, weight_files
from polyseme.gathering import gathered
from polyseme.groups import Floats, Ints
from polyseme.measures.means import TopicMean, parse_means
from polyseme.measures.measure import Measure
from polyseme.measures.sets import parse
from polyseme.meta.discrimination import METHODS, Method, discriminate
from polyseme.meta.grid import GridValues, variants_of
from polyseme.meta.orders import DRAWN, Drawing, random_orders
from polyseme.meta.selection import MEANS, made_under
from polyseme.meta.variants import DSHARP, Grid, TopicVariants, places_of
from polyseme.policies import Policies
from polyseme.scores import Scores, check_several
from polyseme.scoring import Scorer
from polyseme.statistics.comparison import MEANING, TRIALS
from polyseme.statistics.correlation import kendall_tau
from polyseme.statistics.provenance import tested

#: Golbus et al. make so many artificial runs
PERFECT_RUNS = 50
Progress = Callable[[str], None]
#: average, cutoff, alpha, discount
Place = tuple[int, int, int, int]


@dataclass(frozen=True, eq=False)
class ValuedRuns:
    """I-rec and A of all runs on all topics that enter the mean."""

    grid: Grid
    names: tuple[str, ...]
    topics: tuple[str, ...]
    #: runs x topics x cutoffs
    irec: Floats
    #: runs x topics x averages x cutoffs x alphas x discounts
    values: Floats

    def variants(self) -> Iterator[tuple[Place, Floats]]:
        """Place by place (average, cutoff, alpha, discount): runs x topics x lambdas.

        D# is the same for all alphas and comes once.
        """
        lambdas = np.array(self.grid.lambdas)
        for average, cutoff, alpha, discount in product(*map(range, self.values.shape[2:])):
            if self.grid.averages[average] == DSHARP and alpha:
                continue
            value = self.values[:, :, average, cutoff, alpha, discount]
            irec = self.irec[:, :, cutoff]
            place = (average, cutoff, alpha, discount)
            yield place, irec[..., None] * lambdas + value[..., None] * (1 - lambdas)

    def scores(self, values: Floats) -> Scores:
        """Runs x topics x anything as scores."""
        entered = np.ones(values.shape[:2], np.bool_)
        names = tuple(str(n) for n in range(values.shape[2]))
        return Scores(self.names, self.topics, names, values, entered, entered)

    def spread(self, found: Sequence[tuple[Place, Floats]], leading: int = 1) -> Floats:
        """Numbers by place as one array; D# is repeated for all alphas."""
        shape = (*self.values.shape[2:], len(self.grid.lambdas))
        array = np.full((leading, *shape), np.nan)
        for place, numbers in found:
            average, cutoff, alpha, discount = place
            if self.grid.averages[average] == DSHARP:
                array[:, average, cutoff, :, discount] = numbers[:, None]
            else:
                array[:, average, cutoff, alpha, discount] = numbers
        return array


def valued_runs(
    judged: Judged,
    runs: Runs,
    grid: Grid,
    policies: Policies,
    *,
    only_topics: Collection[str] | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> ValuedRuns:
    """The variants of all runs; a topic that a run lacks is an empty list."""
    held = gathered(judged, runs, policies, jobs, progress)
    lists = held.lists.top(grid.depth)
    place = np.full((len(held.names), len(judged.topics)), -1)
    place[lists.run, lists.topic] = np.arange(len(lists))

    def ranked(topic: TopicVariants) -> Ints:
        mine = place[:, topic.documents.topic]
        return np.stack([_ranked(topic, lists, one, grid.depth) for one in mine.tolist()])

    return _valued(held.names, variants_of(judged, grid, policies, only_topics), ranked)


def _ranked(topic: TopicVariants, lists: Lists, one: int, depth: int) -> Ints:
    if one < 0:
        return np.full(depth, -1, dtype=np.int64)
    hits = slice(int(lists.hit_start[one]), int(lists.hit_start[one + 1]))
    return places_of(topic.documents, lists.rank[hits], lists.row[hits], depth)


def perfect_runs(
    judged: Judged,
    grid: Grid,
    policies: Policies,
    *,
    only_topics: Collection[str] | None = None,
    number: int = PERFECT_RUNS,
    seed: int = 0,
    drawing: Drawing = "uniform",
) -> ValuedRuns:
    """Artificial runs: random orders of each topic's relevant documents."""
    names = tuple(f"perfect{n}" for n in range(1, number + 1))
    return _valued(
        names,
        variants_of(judged, grid, policies, only_topics),
        lambda topic: random_orders(topic.documents, number, grid.depth, seed, drawing),
    )


def _valued(
    names: tuple[str, ...], every: Sequence[TopicVariants], ranked: Callable[[TopicVariants], Ints]
) -> ValuedRuns:
    irec: list[Floats] = []
    values: list[Floats] = []
    for topic in every:
        order = ranked(topic)
        irec.append(topic.irec(order))
        values.append(topic.all_values(order))
    topics = tuple(topic.name for topic in every)
    return ValuedRuns(
        every[0].grid, names, topics, np.stack(irec, axis=1), np.stack(values, axis=1)
    )


def grid_power(
    judged: Judged,
    runs: Runs | None,
    grid: Grid | None = None,
    *,
    policies: Policies | None = None,
    only_topics: Collection[str] | None = None,
    method: Method = "bootstrap",
    trials: int | None = None,
    seed: int = 0,
    level: float = 0.05,
    perfect: int = PERFECT_RUNS,
    drawing: Drawing = "uniform",
    jobs: int = 1,
    progress: Progress | None = None,
) -> GridValues:
    """The discriminative power of every variant, on runs, or without any on artificial ones."""
    if method not in METHODS:
        raise PolysemeError(f"method must be {' or '.join(METHODS)}. Got {method!r} instead.")
    chosen, how = grid or Grid(cutoffs=(20,)), policies or Policies()
    count = TRIALS[method] if trials is None else trials
    if runs is None:
        valued = perfect_runs(
            judged,
            chosen,
            how,
            only_topics=only_topics,
            number=perfect,
            seed=seed,
            drawing=drawing,
        )
    else:
        valued = valued_runs(
            judged, runs, chosen, how, only_topics=only_topics, jobs=jobs, progress=progress
        )
    found = []
    for place, values in valued.variants():
        if progress is not None and not any(place[2:]):
            progress(f"{chosen.averages[place[0]]} at {chosen.cutoffs[place[1]]}")
        powers = discriminate(
            valued.scores(values), method=method, trials=count, seed=seed, level=level, jobs=jobs
        ).powers
        found.append((place, np.array([[each.power for each in powers]])))
    kind = "runs" if runs is not None else f"artificial runs ({DRAWN[drawing]})"
    return GridValues(
        grid=chosen,
        what="power",
        means=("",),
        values=valued.spread(found),
        said=(
            f"power: the share of pairs of {len(valued.names)} {kind} that differ significantly at "
            f"{level:.0%}; what tells more pairs apart needs fewer topics to do so",
            f"{MEANING[method]} (B = {count:,}, {len(valued.topics)} topics)",
        ),
        made=tested(
            made_under(how, only_topics), test=method, B=count, seed=seed, correction="none"
        ),
        facts={"topics": list(valued.topics), "runs": list(valued.names), "level": level},
    )


def grid_tau(
    judged: Judged,
    runs: Runs,
    grid: Grid | None = None,
    *,
    against: str | None = None,
    policies: Policies | None = None,
    only_topics: Collection[str] | None = None,
    means: Sequence[str | TopicMean] = MEANS,
    variant: Literal["b", "a"] = "b",
    jobs: int = 1,
    progress: Progress | None = None,
) -> GridValues:
    """Kendall's tau of each variant's ranking of runs with that of another measure.

    The other measure (D#-nDCG at the grid's last cutoff, unless it is said) is averaged over
    topics plainly, the variants by each mean.
    """
    chosen, how = grid or Grid(cutoffs=(20,)), policies or Policies()
    measure = parse(against or f"D#-nDCG@{chosen.depth}")
    valued = valued_runs(
        judged, runs, chosen, how, only_topics=only_topics, jobs=jobs, progress=progress
    )
    check_several(valued.names, "rank")
    parsed = parse_means(means)
    other = _other(judged, runs, measure, how, parsed, only_topics)
    truth = other.mean_values(TopicMean())[:, 0]
    place_of = {topic: n for n, topic in enumerate(other.topics)}
    kept = [place_of[topic] for topic in valued.topics]
    weights = {str(mean): other.topic_weights.get(str(mean)) for mean in parsed}
    found = []
    for place, values in valued.variants():
        numbers = np.empty((len(parsed), len(chosen.lambdas)))
        for row, mean in enumerate(parsed):
            weight = weights[str(mean)]
            mine = None if weight is None else weight[kept]
            for column in range(len(chosen.lambdas)):
                ranking = [mean.of(run, mine, len(kept)) for run in values[:, :, column]]
                numbers[row, column] = kendall_tau(ranking, truth, variant)
        found.append((place, numbers))
    return GridValues(
        grid=chosen,
        what="tau",
        means=tuple(str(mean) for mean in parsed),
        values=valued.spread(found, len(parsed)),
        said=(
            f"tau: how alike a variant and {measure} rank the {len(valued.names)} runs: 1 is the "
            "same ranking, 0 none in common, -1 the reverse",
        ),
        made=tested(made_under(how, only_topics), against=str(measure), variant=variant),
        facts={"topics": list(valued.topics), "runs": list(valued.names)},
    )


def _other(
    judged: Judged,
    runs: Runs,
    measure: Measure,
    policies: Policies,
    means: tuple[TopicMean, ...],
    only_topics: Collection[str] | None,
) -> Scores:
    scorer = Scorer(judged, [measure], policies, weight_files([measure]))
    held = gathered(judged, runs, policies)
    return score_gathered(scorer, held, chosen_topics(judged, only_topics), tuple(means))
