"""Sensitivity of the alpha#-IA family and D# over a grid of parameters (golbus2013, table 10)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from polyseme.averaging import chosen_topics
from polyseme.collection.judgments import Judged
from polyseme.collection.relevance import relevance as relevance_of
from polyseme.engine import Engine, map_partitions
from polyseme.errors import PolysemeError
from polyseme.groups import Floats
from polyseme.measures.means import TopicMean, parse_means
from polyseme.measures.yardstick import Yardstick
from polyseme.meta.orders import Drawing, random_orders
from polyseme.meta.selection import (
    COLUMNS,
    MEANS,
    NOTHING_RELEVANT,
    check_orders,
    made_under,
    notes,
    over_topics,
    provenance,
    variation,
)
from polyseme.meta.variants import DSHARP, Grid, TopicVariants, topic_variants
from polyseme.policies import Policies
from polyseme.results import Result
from polyseme.tables import Cell, Column, Report, Row, Table, labels


@dataclass(frozen=True, eq=False)
class GridValues(Result):
    """A number for each variant of a grid, and perhaps each mean over topics."""

    grid: Grid
    #: what the number is: sensitivity, power or tau
    what: str
    #: means over topics; one without a name where they do not enter
    means: tuple[str, ...]
    #: means x averages x cutoffs x alphas x discounts x lambdas; D# is the same for all alphas
    values: Floats
    said: tuple[str, ...] = ()
    made: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)

    def best(self, average: str, discount: str, cutoff: int, mean: str = "") -> float:
        """The largest number over alpha and lambda."""
        grid = self.grid
        held = self.values[
            self.means.index(mean), grid.averages.index(average), grid.cutoffs.index(cutoff)
        ][:, grid.discounts.index(discount)]
        return float(np.nanmax(held)) if not np.isnan(held).all() else float("nan")

    def report(self) -> Report:
        return Report(
            Table((*COLUMNS[:-1], Column(self.what)), self._rows()),
            tables=tuple(self._maxima()),
            notes=(
                *self.said,
                "the table shows the largest number over all alphas and lambdas; the rows for "
                "programs hold every one",
            ),
            provenance=self.made,
            facts=self.facts,
        )

    def _rows(self) -> Iterator[Row]:
        grid = self.grid
        from polyseme.measures.sets import parse

        for place, average in enumerate(grid.averages):
            alphas: Sequence[tuple[int, float | None]] = (
                [(0, None)] if average == DSHARP else list(enumerate(grid.alphas))
            )
            for (k, cutoff), (a, alpha), (d, discount), (lam, lambda_) in product(
                enumerate(grid.cutoffs), alphas, enumerate(grid.discounts), enumerate(grid.lambdas)
            ):
                named = grid.name(average, discount, cutoff, alpha or 0.0, lambda_)
                called = str(parse(named))
                for number, mean in enumerate(self.means):
                    value = float(self.values[number, place, k, a, d, lam])
                    of: tuple[Cell, ...] = (cutoff, alpha, lambda_, discount, average)
                    yield (called, mean or None, *of, value)

    def _maxima(self) -> Iterator[Table]:
        grid = self.grid
        for mean in self.means:
            rows: list[Row] = [
                (
                    average,
                    cutoff,
                    *(self.best(average, discount, cutoff, mean) for discount in grid.discounts),
                )
                for average in grid.averages
                for cutoff in grid.cutoffs
            ]
            columns = (
                *labels("average", "cutoff"),
                *(Column(name, decimals=3) for name in grid.discounts),
            )
            caption = f"largest {self.what} over alpha and lambda"
            yield Table(columns, rows, caption + (f", mean over topics: {mean}" if mean else ""))


@dataclass(frozen=True, eq=False)
class _Moments:
    """Of one topic's orders: means, variances and covariances with I-rec."""

    irec_mean: Floats
    irec_variance: Floats
    mean: Floats
    variance: Floats
    covariance: Floats

    def sensitivity(self, lambdas: Floats) -> Floats:
        """Averages x cutoffs x alphas x discounts x lambdas; lambda is algebra."""
        one = (None, slice(None), None, None, None)
        mean = lambdas * self.irec_mean[one] + (1 - lambdas) * self.mean[..., None]
        variance = (
            lambdas**2 * self.irec_variance[one]
            + (1 - lambdas) ** 2 * self.variance[..., None]
            + 2 * lambdas * (1 - lambdas) * self.covariance[..., None]
        )
        # what rounding leaves of no variance is none
        return variation(mean, np.where(variance < 1e-24 * mean**2, 0.0, variance))


def grid_sensitivity(
    judged: Judged,
    grid: Grid | None = None,
    *,
    policies: Policies | None = None,
    only_topics: Collection[str] | None = None,
    orders: int = 1000,
    seed: int = 0,
    drawing: Drawing = "uniform",
    means: Sequence[str | TopicMean] = MEANS,
    jobs: int = 1,
    engine: Engine = "threads",
    progress: Callable[[str], None] | None = None,
) -> GridValues:
    """Document selection sensitivity of every variant of a grid."""
    check_orders(orders)
    chosen, how = grid or Grid(), policies or Policies()
    every = variants_of(judged, chosen, how, only_topics)
    work = partial(_sensitivity, orders, seed, drawing)
    found: list[Floats] = []
    for topic, values in zip(every, map_partitions(work, every, engine, jobs), strict=True):
        if progress is not None:
            progress(f"topic {judged.topics[topic.documents.topic]}")
        found.append(values)
    by_topic = np.stack(found)
    places = np.array([topic.documents.topic for topic in every])
    parsed = parse_means(means)
    relevance = relevance_of(judged, how.rules)
    lacking = int(np.isnan(by_topic).reshape(len(by_topic), -1).sum(axis=0).max())
    topics = [judged.topics[place] for place in places.tolist()]
    return GridValues(
        grid=chosen,
        what="sensitivity",
        means=tuple(str(mean) for mean in parsed),
        values=np.stack([over_topics(mean, by_topic, relevance, places) for mean in parsed]),
        said=notes(orders, drawing, topics, {"of all variants": lacking} if lacking else {}),
        made=provenance(made_under(how, only_topics), orders, seed, drawing),
        facts={"topics": topics},
    )


def variants_of(
    judged: Judged, grid: Grid, policies: Policies, only_topics: Collection[str] | None
) -> list[TopicVariants]:
    """The topics with a relevant document, ready to value lists."""
    among = chosen_topics(judged, only_topics)
    every = [
        topic
        for topic in topic_variants(yardstick_of(judged, grid, policies), grid)
        if among[topic.documents.topic]
    ]
    if not every:
        raise PolysemeError(NOTHING_RELEVANT)
    return every


def yardstick_of(judged: Judged, grid: Grid, policies: Policies) -> Yardstick:
    """What lists are held against, with ideal lists as deep as the grid."""
    relevance = relevance_of(judged, policies.rules)
    return Yardstick(relevance, policies.gain, policies.gmax, policies.adhoc, depth=grid.depth)


def _sensitivity(orders: int, seed: int, drawing: Drawing, topic: TopicVariants) -> Floats:
    grid = topic.grid
    ranked = random_orders(topic.documents, orders, grid.depth, seed, drawing)
    return _moments(topic, ranked).sensitivity(np.array(grid.lambdas))


def _moments(topic: TopicVariants, ranked: Any) -> _Moments:
    values, irec = topic.all_values(ranked), topic.irec(ranked)
    number = len(ranked)
    mean, irec_mean = values.mean(axis=0), irec.mean(axis=0)
    values -= mean
    irec = irec - irec_mean
    flat = values.reshape(number, values.shape[1], values.shape[2], -1)
    covariance = np.stack(
        [
            np.tensordot(irec[:, place], flat[:, :, place], 1)
            for place in range(len(topic.grid.cutoffs))
        ],
        axis=1,
    )
    return _Moments(
        irec_mean,
        (irec**2).sum(axis=0) / (number - 1),
        mean,
        np.einsum("nmkad,nmkad->mkad", values, values) / (number - 1),
        covariance.reshape(mean.shape) / (number - 1),
    )
