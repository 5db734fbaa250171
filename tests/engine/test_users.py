"""What is computed by way of the engine is the same on every one of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engines import DASK, engine_called
from polyseme.collection.synthetic import synthesize
from polyseme.evaluation import evaluate
from polyseme.meta.grid import grid_sensitivity
from polyseme.meta.properties import Rankings, check_properties
from polyseme.meta.selection import selection_sensitivity
from polyseme.meta.variants import Grid
from polyseme.scores import Scores
from polyseme.statistics import compare, tukey_hsd


@pytest.fixture(params=["processes", "executor", DASK])
def engine(request: pytest.FixtureRequest) -> Iterator[Any]:
    with engine_called(request.param) as ready:
        yield ready


@pytest.fixture(scope="module")
def collection() -> Any:
    return synthesize(np.random.default_rng(5), topics=12, teams=3)


@pytest.fixture(scope="module")
def scores(collection: Any) -> Scores:
    return evaluate(collection.judged, collection.runs, "I-rec@10 D#-nDCG@10")


def test_permutation_tests(engine: Any, scores: Scores) -> None:
    here = tukey_hsd(scores, trials=300, seed=3)
    assert np.array_equal(tukey_hsd(scores, trials=300, seed=3, jobs=2, engine=engine).p, here.p)


@pytest.mark.parametrize("test", ["bootstrap", "sign-flip"])
def test_tests_of_pairs(engine: Any, scores: Scores, test: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("polyseme.statistics.paired._PAIRS_HELD", 100)  # several partitions
    here = compare(scores, test=test, trials=200, seed=3)
    there = compare(scores, test=test, trials=200, seed=3, jobs=2, engine=engine)
    assert np.array_equal(there.p, here.p)


def test_selection_sensitivity(engine: Any, collection: Any) -> None:
    said: Any = {"orders": 20, "seed": 7}
    here = selection_sensitivity(collection.judged, "ERR-IA@5", **said)
    there = selection_sensitivity(collection.judged, "ERR-IA@5", **said, jobs=2, engine=engine)
    assert np.array_equal(there.by_topic, here.by_topic)
    grid = Grid(alphas=(0.5,), lambdas=(0.0, 0.5), cutoffs=(5,))
    elsewhere: Any = {"jobs": 2, "engine": engine}
    on_grid = [
        grid_sensitivity(collection.judged, grid, **said, **more).values for more in ({}, elsewhere)
    ]
    assert np.array_equal(on_grid[0], on_grid[1], equal_nan=True)


def test_properties(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rankings.spans, "__defaults__", (100,))
    here = check_properties("ERR-IA@5 ACT", Rankings(2, 5))
    there = check_properties("ERR-IA@5 ACT", Rankings(2, 5), jobs=2, engine=engine)
    assert np.array_equal(there.scores, here.scores)
    assert there.findings == here.findings
