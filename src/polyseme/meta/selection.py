"""Document selection sensitivity: how much the choice and the order of relevant documents matter.

Of every topic many random orders of its relevant documents are scored, all as good as can be but in
diversity. The sensitivity is the standard deviation of their scores over the mean (Golbus et al.
2013, equation 11), averaged over topics.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from polyseme.averaging import chosen_topics
from polyseme.collection.difficulty import difficulty
from polyseme.collection.judgments import Judged
from polyseme.collection.relevance import Relevance
from polyseme.engine import Engine, map_partitions
from polyseme.errors import PolysemeError
from polyseme.evaluation import Measures, wanted, weight_files
from polyseme.groups import Floats, Ints
from polyseme.measures.means import TopicMean, parse_means
from polyseme.measures.measure import Measure
from polyseme.measures.sets import parse
from polyseme.meta.orders import (
    DRAWN,
    Drawing,
    RelevantDocuments,
    as_lists,
    random_orders,
    relevant_documents,
)
from polyseme.meta.variants import parameter_of
from polyseme.policies import Policies
from polyseme.results import Result
from polyseme.scoring import Scorer
from polyseme.statistics.provenance import tested
from polyseme.tables import Column, Report, Row, Table, labels

#: the means over topics of Golbus et al., table 10
MEANS = ("avg", "geom", "dd")
PARAMETERS = ("alpha", "lambda", "discount", "average")
COLUMNS = (
    *labels("measure", "topic_mean"),
    Column("cutoff"),
    *(Column(name) for name in PARAMETERS[:2]),
    *labels(*PARAMETERS[2:]),
    Column("sensitivity"),
)
NOTHING_RELEVANT = "no topic has a relevant document, so there is nothing to order"
MEANING = (
    "sensitivity: the standard deviation of a measure over random orders of a topic's relevant "
    "documents, divided by its mean, and averaged over topics; every such order is a perfect list "
    "but for its diversity, so a measure with more of it responds more to diversity alone"
)


@dataclass(frozen=True, eq=False)
class Sensitivity(Result):
    """The sensitivity of measures, by means over topics."""

    measures: tuple[Measure, ...]
    topics: tuple[str, ...]
    #: topics x measures; NaN where the mean was 0
    by_topic: Floats
    means: tuple[TopicMean, ...]
    #: means x measures
    values: Floats
    orders: int
    seed: int
    drawing: Drawing
    made: Mapping[str, Any] = field(default_factory=dict)

    def of(self, measure: Measure | str, mean: str = "avg") -> float:
        """The sensitivity of a measure."""
        wanted = parse(measure) if isinstance(measure, str) else measure
        said = [str(each) for each in self.means]
        return float(self.values[said.index(mean), self.measures.index(wanted)])

    def report(self) -> Report:
        rows = [
            _row(measure, mean, float(self.values[number, place]))
            for place, measure in enumerate(self.measures)
            for number, mean in enumerate(self.means)
        ]
        shown = Table(
            (*labels("measure"), *(Column(str(mean), best="highest") for mean in self.means)),
            [
                (str(measure), *self.values[:, place].tolist())
                for place, measure in enumerate(self.measures)
            ],
            "document selection sensitivity, by means over topics",
        )
        return Report(
            Table(COLUMNS, rows),
            tables=(shown,),
            notes=notes(self.orders, self.drawing, self.topics, self._left_out()),
            provenance=provenance(self.made, self.orders, self.seed, self.drawing),
            facts={"topics": list(self.topics), "left_out": self._left_out()},
        )

    def _left_out(self) -> dict[str, int]:
        lacking = np.isnan(self.by_topic).sum(axis=0).tolist()
        return {
            str(measure): number
            for measure, number in zip(self.measures, lacking, strict=True)
            if number
        }


def _row(measure: Measure, mean: TopicMean, value: float) -> Row:
    said = [parameter_of(measure, name) for name in PARAMETERS]
    return (str(measure), str(mean), measure.cutoff, *said, value)


def notes(
    orders: int, drawing: Drawing, topics: Sequence[str], left_out: Mapping[str, int]
) -> tuple[str, ...]:
    """Sentences that a reader of sensitivities needs."""
    said = [MEANING, f"{orders:,} orders of each of {len(topics)} topics; {DRAWN[drawing]}"]
    if left_out:
        measure, number = max(left_out.items(), key=lambda item: item[1])
        said.append(
            f"topics on which a measure is always 0 are left out of its mean (most: {number}, "
            f"{measure})"
        )
    return tuple(said)


def provenance(made: Mapping[str, Any], orders: int, seed: int, drawing: Drawing) -> dict[str, Any]:
    """How sensitivities were made."""
    return tested(made, B=orders, seed=seed, correction="none", drawing=drawing)


def selection_sensitivity(
    judged: Judged,
    measures: Measures,
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
) -> Sensitivity:
    """Document selection sensitivity of any measures.

    Measures are names, sets or values. For the alpha#-IA family at many parameters,
    :func:`grid_sensitivity` is much faster.
    """
    check_orders(orders)
    chosen_measures = wanted(measures)
    for measure in chosen_measures:
        low = measure.family.traits.range[0]
        if low is None or low < 0:
            raise PolysemeError(
                f"{measure} can be negative, and a standard deviation over a mean says nothing then"
                "\n  to mend it: leave the measure out"
            )
    how = policies or Policies()
    scorer = Scorer(judged, list(chosen_measures), how, weight_files(chosen_measures))
    relevance = scorer.command_relevance
    among = chosen_topics(judged, only_topics)
    every = [documents for documents in relevant_documents(relevance) if among[documents.topic]]
    if not every:
        raise PolysemeError(NOTHING_RELEVANT)
    depth = _depth(chosen_measures, every)
    work = partial(_of_topic, scorer, orders, depth, seed, drawing)
    found: list[Floats] = []
    for documents, value in zip(every, map_partitions(work, every, engine, jobs), strict=True):
        if progress is not None:
            progress(f"topic {relevance.topics[documents.topic]}")
        found.append(value)
    by_topic = np.stack(found)
    chosen = parse_means(means)
    places = np.array([documents.topic for documents in every])
    return Sensitivity(
        measures=chosen_measures,
        topics=tuple(relevance.topics[place] for place in places.tolist()),
        by_topic=by_topic,
        means=chosen,
        values=np.stack([over_topics(mean, by_topic, relevance, places) for mean in chosen]),
        orders=orders,
        seed=seed,
        drawing=drawing,
        made=made_under(how, only_topics),
    )


def check_orders(orders: int) -> None:
    """A standard deviation needs two values."""
    if orders < 2:
        raise PolysemeError(f"orders must be 2 or more. Got {orders} instead.")


def made_under(policies: Policies, only_topics: Collection[str] | None = None) -> dict[str, Any]:
    """Provenance of what comes from judgments alone."""
    from polyseme import __version__

    return {
        "polyseme": __version__,
        "numpy": np.__version__,
        "policies": {
            **policies.described(),
            "only_topics": None if only_topics is None else sorted(only_topics),
        },
    }


def _depth(measures: Sequence[Measure], every: Sequence[RelevantDocuments]) -> int:
    """As deep as any measure reads."""
    longest = max(len(documents) for documents in every)
    depths = [measure.depth for measure in measures]
    return longest if None in depths else max(depth for depth in depths if depth is not None)


def _of_topic(
    scorer: Scorer,
    orders: int,
    depth: int,
    seed: int,
    drawing: Drawing,
    documents: RelevantDocuments,
) -> Floats:
    order = random_orders(documents, orders, depth, seed, drawing)
    values = scorer.score(as_lists(documents, order))
    return variation(values.mean(axis=0), values.var(axis=0, ddof=1))


def variation(mean: Floats, variance: Floats) -> Floats:
    """Standard deviation over mean; NaN where the mean is 0."""
    found: Floats = np.divide(
        np.sqrt(np.maximum(variance, 0.0)), mean, out=np.full(mean.shape, np.nan), where=mean > 0
    )
    return found


def over_topics(mean: TopicMean, values: Floats, relevance: Relevance, places: Ints) -> Floats:
    """Means over topics (first axis), those left out that are NaN."""
    weight = None
    if mean.kind == "dd":
        weight = (1.0 - difficulty(relevance, xi_offset=mean.xi_offset).dd)[places]
    elif mean.kind == "weights":
        from polyseme.collection.formats.weights import read_topic_weights

        given = read_topic_weights(mean.source)
        weight = np.array([given.get(relevance.topics[place], 0.0) for place in places.tolist()])
    flat = values.reshape(len(values), -1)
    found = np.empty(flat.shape[1])
    for column in range(flat.shape[1]):
        held = ~np.isnan(flat[:, column])
        found[column] = mean.of(
            flat[held, column], None if weight is None else weight[held], int(held.sum())
        )
    return found.reshape(values.shape[1:])
