from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polyseme import evaluate, parse, read_qrels, read_runs
from polyseme.collection.judgments import Judged
from polyseme.collection.runs import Runs
from polyseme.collection.synthetic import synthesize
from polyseme.errors import PolysemeError
from polyseme.meta import Grid, discriminate, grid_power, grid_tau
from polyseme.meta.grid_of_runs import perfect_runs
from polyseme.policies import Policies
from polyseme.statistics import kendall_tau

SMALL = Grid(alphas=(0.0, 0.6), lambdas=(0.0, 0.5, 1.0), cutoffs=(5, 10))
NAMES = [
    SMALL.name(average, discount, cutoff, alpha, lambda_)
    for average in SMALL.averages
    for cutoff in SMALL.cutoffs
    for alpha in (SMALL.alphas if average != "D#" else (0.0,))
    for discount in SMALL.discounts
    for lambda_ in SMALL.lambdas
]


@pytest.fixture(scope="module")
def collection() -> tuple[Judged, Runs]:
    made = synthesize(np.random.default_rng(3), topics=10, teams=3, depth=30)
    return made.judged, made.runs


def rows(found: Any) -> dict[tuple[str, str | None], float]:
    records = found.report().data.records()
    return {(row["measure"], row["topic_mean"]): row[found.what] for row in records}


def test_power_is_that_of_each_measure_by_itself(collection: tuple[Judged, Runs]) -> None:
    judged, runs = collection
    found = grid_power(judged, runs, SMALL, trials=200, seed=4)
    scores = evaluate(judged, runs, NAMES)
    expected = discriminate(scores, method="bootstrap", trials=200, seed=4)
    held = rows(found)
    assert len(held) == len(NAMES) == len(expected.powers)
    for name in NAMES:
        measure = str(parse(name))
        assert held[measure, None] == expected.of(measure).power, measure
    assert found.best("micro", "ERR", 5) == max(
        expected.of(str(parse(SMALL.name("micro", "ERR", 5, a, lam)))).power
        for a in SMALL.alphas
        for lam in SMALL.lambdas
    )


def test_tau_is_that_of_the_rankings_by_each_mean(collection: tuple[Judged, Runs]) -> None:
    judged, runs = collection
    means = ["avg", "geom", "dd(xi_offset=1)"]
    held = rows(grid_tau(judged, runs, SMALL, against="ERR-IA@10", means=means))
    scores = evaluate(judged, runs, [*NAMES, "ERR-IA@10"], mean=means)
    truth = [values["ERR-IA@10"] for values in scores.mean().values()]
    for mean in means:
        ranked = scores.mean(mean)
        for name in map(str, map(parse, NAMES)):
            ranking = [ranked[run][name] for run in scores.runs]
            assert held[name, mean] == pytest.approx(kendall_tau(ranking, truth)), (name, mean)


def test_without_runs_power_is_that_of_perfect_ones(collection: tuple[Judged, Runs]) -> None:
    judged, _ = collection
    found = grid_power(judged, None, SMALL, perfect=12, trials=50, seed=2)
    assert found.facts["runs"] == [f"perfect{n}" for n in range(1, 13)]
    valued = perfect_runs(judged, SMALL, Policies(), number=12, seed=2)
    scores = valued.scores(valued.values[:, :, 0, 0, 0])
    expected = discriminate(scores, method="bootstrap", trials=50, seed=2)
    assert found.values[0, 0, 0, 0, 0, 0] == expected.powers[0].power
    # lists of relevant documents only find every intent that they can: power is for order alone
    assert "12 artificial runs" in " ".join(found.said)


def test_a_run_that_lacks_a_topic_has_an_empty_list_there() -> None:
    qrels = read_qrels({"1": {"1": {"a": 1}, "2": {"b": 1}}, "2": {"1": {"c": 1}}})
    runs = read_runs({"x": {"1": ["a", "b"], "2": ["c"]}, "y": {"1": ["b"]}})
    grid = Grid(alphas=(0.5,), lambdas=(0.0, 1.0), cutoffs=(2,))
    held = rows(grid_tau(qrels, runs, grid, means=["avg"]))
    assert set(held.values()) == {1.0}


def test_only_some_topics_can_be_taken(collection: tuple[Judged, Runs]) -> None:
    judged, runs = collection
    found = grid_power(judged, runs, SMALL, trials=20, only_topics=["2", "5", "7"])
    assert found.facts["topics"] == ["2", "5", "7"]
    assert found.made["policies"]["only_topics"] == ["2", "5", "7"]


def test_what_cannot_be_done_is_told(collection: tuple[Judged, Runs]) -> None:
    judged, runs = collection
    with pytest.raises(PolysemeError, match="hsd or bootstrap"):
        grid_power(judged, runs, SMALL, method="t")  # type: ignore[arg-type]
    with pytest.raises(PolysemeError, match="two runs"):
        grid_tau(judged, read_runs({"x": {"1": ["a"]}}), SMALL)
