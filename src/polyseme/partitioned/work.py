"""What is done with one partition: statistics of its judgments, then scores of its lists."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from polyseme.averaging import chosen_topics
from polyseme.collection.judgments import AdHoc, Judged, Whole
from polyseme.collection.partitions.parts import Partition, Parts
from polyseme.dialects import Dialect, topic_number
from polyseme.errors import InputError, PolysemeWarning
from polyseme.evaluation import score_gathered
from polyseme.gathering import together
from polyseme.measures.means import TopicMean
from polyseme.measures.measure import Measure
from polyseme.partitioned.sums import exact_totals
from polyseme.policies import Policies
from polyseme.scores import Scores
from polyseme.scoring import Scorer

_FEW = 5


@dataclass(frozen=True)
class Evaluation:
    """What all partitions share."""

    parts: Parts
    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    policies: Policies
    dialect: Dialect
    means: tuple[TopicMean, ...]
    weight_files: Mapping[str, Mapping[str, Mapping[str, float]]]
    only_topics: frozenset[str] | None
    #: types of intents, of topics in words
    types: Mapping[str, Mapping[str, str]] | None
    per_topic: bool

    def judged(self, partition: Partition) -> tuple[Judged, dict[str, int]]:
        """The partition's judgments, and how many topics of other files they know."""
        judged = self.parts.judged(partition)
        met = {"probabilities": 0, "adhoc": 0}
        if self.types is not None:
            mine = {topic: self.types[topic] for topic in judged.topics if topic in self.types}
            judged = judged.with_intents(types=mine)
        if self.parts.has("probabilities"):
            given = self.parts.probabilities(partition)
            known = {t: each for t, each in given.probability.items() if t in judged.topic_index}
            met["probabilities"] = len(known)
            if known:
                judged = judged.with_intents(known, given.types)
        if self.parts.has("adhoc"):
            judged, met["adhoc"] = self._with_adhoc(judged, partition)
        if self.dialect.numbered_topics:
            _check_numbered(judged.topics)
        return self.dialect.judged(judged), met

    def _with_adhoc(self, judged: Judged, partition: Partition) -> tuple[Judged, int]:
        adhoc = self.parts.judged(partition, "adhoc")
        met = len(set(adhoc.topics).intersection(judged.topics))
        if met:
            return judged.with_adhoc(adhoc), met
        nothing = np.zeros(len(judged.documents), dtype=np.int64)
        return replace(judged, adhoc=AdHoc(nothing, nothing > 0, 0)), 0

    def chosen(self, judged: Judged) -> list[str] | None:
        """The topics asked for that are in the partition."""
        if self.only_topics is None:
            return None
        return [topic for topic in judged.topics if topic in self.only_topics]

    def scorer(self, judged: Judged) -> Scorer:
        """What scores lists of the partition."""
        return Scorer(judged, self.measures, self.policies, self.weight_files)


def _check_numbered(topics: tuple[str, ...]) -> None:
    for topic in topics:
        number = topic_number(topic)
        if number != topic:
            raise InputError(
                f"the topic {topic!r} has another spelling than its number, {number}",
                expected="in partitions, topics that are spelled as numbers",
                remedy="number the topics, or evaluate without --memory, --resume and --engine",
            )


@dataclass(frozen=True)
class Statistics:
    """What the whole collection must know of the partition's judgments."""

    evaluation: Evaluation

    def __call__(self, partition: Partition) -> dict[str, Any]:
        judged, met = self.evaluation.judged(partition)
        policies = self.evaluation.policies
        highest: dict[tuple[str, int], int] = {}
        # which of the two rules holds, only all judgments together tell
        for each in (policies, policies.but(adhoc="max")):
            evaluation = replace(self.evaluation, policies=each)
            highest |= evaluation.scorer(judged).highest_adhoc()
        return {
            "topics": len(judged.topics),
            "first": list(judged.topics[:_FEW]),
            "lines": len(judged.line_grade),
            "highest_grade": judged.highest_grade,
            "only_relevant": judged.only_relevant,
            "highest_adhoc": [[rule, bar, grade] for (rule, bar), grade in highest.items()],
            "are_adhoc": judged.are_adhoc,
            "chosen": self.evaluation.chosen(judged),
            "met": met,
        }


def whole_of(found: list[dict[str, Any]]) -> Whole:
    """What is known of the collection, from the statistics of all partitions."""
    highest: dict[tuple[str, int], int] = {}
    for each in found:
        for rule, bar, grade in each["highest_adhoc"]:
            highest[rule, bar] = max(grade, highest.get((rule, bar), 0))
    judged = [each for each in found if each["lines"]]
    return Whole(
        max((each["highest_grade"] for each in found), default=0),
        bool(judged) and all(each["only_relevant"] for each in judged),
        highest,
    )


@dataclass(frozen=True)
class Scoring:
    """Scores of the partition's lists: sums for the means, and values of topics in a file."""

    evaluation: Evaluation
    whole: Whole

    def __call__(self, partition: Partition) -> dict[str, Any]:
        evaluation = self.evaluation
        with warnings.catch_warnings():
            # what there was to say of the judgments was said when they were first read
            warnings.simplefilter("ignore", PolysemeWarning)
            judged, _ = evaluation.judged(partition)
        judged = replace(judged, whole=self.whole)
        policies = evaluation.policies
        lists: dict[str, int] = {}

        def found() -> Any:
            for run, one in evaluation.parts.joined(partition, judged, policies.ordering):
                if evaluation.dialect.numbered_topics:
                    _check_numbered(one.extra)
                lists[run] = len(one.lists)
                yield run, one

        held = together(evaluation.runs, found(), len(judged.topics), policies)
        chosen = chosen_topics(judged, evaluation.chosen(judged))
        means = evaluation.means
        scores = score_gathered(evaluation.scorer(judged), held, chosen, means, part=True)
        if evaluation.per_topic:
            from polyseme.partitioned.topic_files import write_topics

            write_topics(scores, evaluation.parts.folder, partition.key)
        entered = scores.entered
        return {
            "topics": len(judged.topics),
            "entered": entered.sum(axis=1).tolist(),
            "lacking": (entered & ~scores.retrieved).sum(axis=1).tolist(),
            "beyond": [len(held.extra.get(run, ())) for run in evaluation.runs],
            "first_beyond": [list(held.extra.get(run, ())[:1]) for run in evaluation.runs],
            "lists": [lists.get(run, 0) for run in evaluation.runs],
            "disagreeing": [held.disagreeing.get(run, 0) for run in evaluation.runs],
            "barren": [len(scores.barren), scores.barren[:1]],
            **_sums(scores, means),
        }


def _sums(scores: Scores, means: tuple[TopicMean, ...]) -> dict[str, Any]:
    """Exact sums of what each mean adds up, and of weights: numbers as hexadecimal texts."""
    totals: dict[str, list[list[str]]] = {}
    weights: dict[str, list[str]] = {}
    for mean in dict.fromkeys((TopicMean(), *means)):
        weight = scores.topic_weights.get(str(mean))
        table = []
        held = []
        for run, entered in enumerate(scores.entered):
            values = scores.values[run, entered]
            if mean.kind == "geom":
                values = np.log(np.maximum(values, mean.floor))
            elif weight is not None:
                values = values * weight[entered][:, None]
                held.append(format(exact_totals(weight[entered][:, None])[0], "x"))
            table.append([format(total, "x") for total in exact_totals(values)])
        totals[str(mean)] = table
        if weight is not None:
            weights[str(mean)] = held
    return {"totals": totals, "weights": weights}
