"""Findings of every kind that has a figure, on a synthetic collection."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

from polyseme import evaluate
from polyseme.collection.synthetic import SyntheticCollection
from polyseme.meta import Grid, discriminate, grid_sensitivity, preference_agreement
from polyseme.meta.preferences import Preferences, Triplet, of_answers
from polyseme.meta.preferences.agreement import Majority
from polyseme.meta.properties import Rankings, check_properties
from polyseme.results import Findings
from polyseme.reuse import depth_study, describe, leave_one_out
from polyseme.scores import Scores
from polyseme.statistics import compare
from polyseme.statistics.ranking import correlate

MEASURES = "D#-nDCG@10 I-rec@10 D-nDCG@10 ERR-IA@10"


def scores(made: SyntheticCollection, measures: str = MEASURES) -> Scores:
    return evaluate(made.judged, made.runs, measures)


def judged(made: SyntheticCollection) -> tuple[Preferences, tuple[Triplet, ...]]:
    """Three judges on pairs of neighbouring runs: what they say follows from places alone."""
    runs, topics = made.runs.names, made.judged.topics
    triplets = tuple(Triplet(topic, a, b) for topic in topics for a, b in pairwise(runs))
    judges = ("Ann", "Bob", "Cleo")
    answers = [
        (judge, triplet.name, 1 + (place * (number + 2) // 3) % 3)
        for number, judge in enumerate(judges)
        for place, triplet in enumerate(triplets)
        if (place + number) % 7
    ]
    names = [triplet.name for triplet in triplets]
    return of_answers(judges, names, answers, name="diversity"), triplets


def agreement(made: SyntheticCollection) -> Findings:
    matrix, triplets = judged(made)
    return preference_agreement(scores(made, "nDCG@10 I-rec@10 ERR@10 RBU@10"), matrix, triplets)


def majority(made: SyntheticCollection) -> Majority:
    matrix, triplets = judged(made)
    return Majority(matrix, {each.name: each for each in triplets})


#: by kind of figure
FINDINGS: Mapping[str, Callable[[SyntheticCollection], Findings]] = {
    "rankings": scores,
    "scatter": scores,
    "leave-one-out": lambda made: leave_one_out(
        made.judged, made.runs, MEASURES, teams=made.teams, depth=20
    ),
    "depth": lambda made: depth_study(
        made.judged, made.runs, "I-rec D-nDCG", pools=[2, 5], cutoffs=[5, 10, 20]
    ),
    "depth-rankings": lambda made: depth_study(
        made.judged, made.runs, "I-rec D-nDCG", pools=[5], cutoffs=[5, 20]
    ),
    "difficulty": lambda made: describe(made.judged).per_topic(),
    "grid-map": lambda made: grid_sensitivity(
        made.judged, Grid((0.0, 0.3, 0.6), (0.0, 0.5, 1.0), ("DCG",), cutoffs=(5, 10)), orders=20
    ),
    "grid-slices": lambda made: grid_sensitivity(
        made.judged, Grid((0.0, 0.3, 0.6), (0.0, 0.5, 1.0), ("DCG",), cutoffs=(5, 10)), orders=20
    ),
    "staircase": lambda made: discriminate(scores(made), trials=200),
    "means": lambda made: compare(scores(made), trials=200),
    "correlation": lambda made: correlate(scores(made)),
    "agreement": agreement,
    "preferences": majority,
    "answers": majority,
    "relations": lambda made: check_properties("ACT", Rankings(length=2)),
}
