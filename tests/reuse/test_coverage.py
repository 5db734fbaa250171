"""Where runs first serve intents, and how much of their top is unjudged, by hand."""

from __future__ import annotations

import numpy as np

from polyseme.collection.relevance import relevance
from polyseme.evaluation import prepared
from polyseme.gathering import Gathered, gathered
from polyseme.reuse.coverage import Coverage, coverage, unjudged

JUDGMENTS = {
    "1": {"A": {"d1": 1, "d2": 0}, "B": {"d1": 2, "d3": 1}},
    "2": {"A": {"d4": 1}, "B": {"d5": 1}},
    "3": {"A": {"d6": 0}},
}
RUNS = {
    "first": {"1": ["d2", "d3", "x", "d1"], "2": ["x", "y"], "3": ["x"]},
    "second": {"1": ["d1"]},
}


def held() -> tuple[Gathered, Coverage]:
    made = prepared(JUDGMENTS, RUNS)
    lists = gathered(made.judged, made.runs, made.policies)
    found = relevance(made.judged)
    return lists, coverage(lists, found, found.relevant_in > 0, 3)


def test_first_ranks_are_those_of_the_first_relevant_document() -> None:
    _, found = held()
    assert found.relevance.intents == ("A", "B", "A", "B")
    # d1 stands at rank 4, below the cutoff
    assert found.first.tolist() == [[0, 2, 0, 0], [1, 1, 0, 0]]
    assert found.missed.tolist() == [3, 2]
    assert found.missed_by_all.tolist() == [2, 3]


def test_topics_that_are_not_looked_at_have_no_intents() -> None:
    lists, whole = held()
    found = coverage(lists, whole.relevance, np.array([True, False, False]), 3)
    assert found.intents.tolist() == [0, 1]
    assert found.missed.tolist() == [1, 0]


def test_unjudged_documents_are_counted_among_the_places_that_are_filled() -> None:
    lists, whole = held()
    found = unjudged(lists, whole.relevance, whole.used, (1, 3))
    # topic 3 has nothing relevant and does not count
    assert found.places.tolist() == [[2, 5], [1, 1]]
    assert found.unjudged.tolist() == [[1, 3], [0, 0]]
    assert found.rates.tolist() == [[0.5, 0.6], [0.0, 0.0]]
    assert found.overall(3) == 0.5
