"""Findings for figures: on a tiny collection, and of every kind on a synthetic one."""

from __future__ import annotations

import numpy as np
import pytest

from findings_to_draw import FINDINGS
from polyseme.collection.synthetic import SyntheticCollection
from polyseme.results import Findings
from polyseme.scores import Scores

NAMES = ("alder", "birch", "cedar", "elm")
MEASURES = ("ERR-IA@10", "I-rec@10", "D-nDCG@10")


def scores_of(values: object, runs: tuple[str, ...], measures: tuple[str, ...]) -> Scores:
    """Scores of runs on topics by measures, all of which enter the mean."""
    array = np.asarray(values, dtype=np.float64)
    held = np.ones(array.shape[:2], np.bool_)
    topics = tuple(str(n + 1) for n in range(array.shape[1]))
    return Scores(runs, topics, measures, array, held, held)


@pytest.fixture
def scores() -> Scores:
    """Four runs on two topics by three measures; means are easy to see."""
    return scores_of(
        [
            [[0.2, 0.5, 0.4], [0.4, 0.7, 0.2]],
            [[0.5, 0.9, 0.6], [0.3, 0.7, 0.8]],
            [[0.1, 0.5, 0.3], [0.1, 0.5, 0.1]],
            [[0.3, 1.0, 0.5], [0.3, 1.0, 0.3]],
        ],
        NAMES,
        MEASURES,
    )


@pytest.fixture(scope="session")
def findings(collection: SyntheticCollection) -> dict[str, Findings]:
    """What each kind of figure draws, by kind."""
    return {kind: make(collection) for kind, make in FINDINGS.items()}
