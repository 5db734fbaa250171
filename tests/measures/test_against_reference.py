"""Every measure and view against the slow reference, on random collections."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from polyseme.collection.reading import read_qrels
from polyseme.evaluation import evaluate
from polyseme.measures.measure import Family, Measure
from polyseme.measures.sets import CATALOGUE, parse
from strategies import Case, cases, measures

OURS = [family for family in CATALOGUE if ":" not in family.name]


def expected(case: Case, topic: str, measure: Measure) -> float:
    if not any(case.collection.relevant(topic, i) for i in case.collection.judgments[topic]):
        return 0.0
    said = {("lambda_" if name == "lambda" else name): value for name, value in measure.parameters}
    if measure.name.startswith("alpha#"):
        said.setdefault("average", "cascade")
    if measure.name in ("D-cascade", "D#-cascade"):
        said.setdefault("discount", "ERR")
    view = said.pop("view", None)
    return reference.score(
        case.collection,
        topic,
        case.rankings[topic],
        measure.name,
        measure.cutoff,
        primes=measure.primes,
        view=view,
        **said,
    )


@settings(max_examples=max(20, settings.default.max_examples // 3))
@pytest.mark.parametrize("family", OURS, ids=lambda family: family.name)
@given(data=st.data())
def test_a_measure_equals_the_slow_reference(family: Family, data: st.DataObject) -> None:
    case = data.draw(cases())
    measure = data.draw(measures(family))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        judged = read_qrels(case.collection.judgments).with_intents(
            case.collection.probabilities or None, case.collection.types
        )
        policies = {**case.policies, "probabilities": None}
        scores = evaluate(
            judged, {"run": case.rankings}, measure, average_over="retrieved", **policies
        )
    for index, topic in enumerate(scores.topics):
        wanted = expected(case, topic, measure)
        assert scores.values[0, index, 0] == pytest.approx(wanted, rel=1e-9, abs=1e-9), (
            str(measure),
            topic,
        )
    assert np.isfinite(scores.values).all()


def _tied(seed: int) -> reference.Collection:
    """A topic whose documents tie in worth: probabilities are small counts over their sum."""
    draw = random.Random(seed)
    intents = [str(number) for number in range(1, draw.randint(3, 7))]
    votes = [draw.randint(1, 20) for _ in intents]
    judgments = {
        intent: {f"d{n:02}": draw.choice([0, 0, 0, 1, 1, 2]) for n in range(15)}
        for intent in intents
    }
    shares = {i: vote / sum(votes) for i, vote in zip(intents, votes, strict=True)}
    return reference.Collection({"1": judgments}, {"1": shares}, keep_empty_intents=True)


@pytest.mark.parametrize("name", ["alpha-nDCG@10", "alpha#-nERR-IA(alpha=0.5)@10"])
def test_ties_of_the_greedy_ideal_fall_as_the_formula_rounds_them(name: str) -> None:
    measure = parse(name)
    ranking = [f"d{n:02}" for n in range(15)]
    for seed in range(150):
        held = _tied(seed)
        case = Case(held, {"1": ranking})
        scores = evaluate(
            held.judgments, {"run": {"1": ranking}}, measure, **{**case.policies, "gmax": None}
        )
        wanted = expected(case, "1", measure)
        assert scores.values[0, 0, 0] == pytest.approx(wanted, abs=1e-9), seed
