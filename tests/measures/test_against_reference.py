"""Every measure and view against the slow reference, on random collections."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from polyseme.collection.reading import read_qrels
from polyseme.evaluation import evaluate
from polyseme.measures.measure import Family, Measure
from polyseme.measures.parameters import Parameter
from polyseme.measures.sets import CATALOGUE
from strategies import Case, cases

#: values that a parameter is tried with, besides its default
TRIED = {
    "p": [0.0, 0.5, 0.85],
    "beta": [0.0, 0.5, 0.9],
    "gamma": [0.0, 0.3, 1.0],
    "lambda": [0.0, 0.25, 1.0],
    "alpha": [0.0, 0.25, 1.0],
    "e": [0.0, 0.05],
    "floor": [0.0, 1e-3],
    "height": [0.5, 1.0],
    "documents": [1, 3],
    "norm": None,
    "form": None,
    "effort": None,
    "average": None,
    "discount": None,
    "bound": None,
}
OURS = [family for family in CATALOGUE if ":" not in family.name]


def _values(parameter: Parameter) -> list[object]:
    tried = TRIED[parameter.name]
    return list(tried) if tried is not None else parameter.expected.split(" or ")


@st.composite
def measures(draw: st.DrawFn, family: Family) -> Measure:
    """A measure of the family: any parameters, cutoff and view that it allows."""
    said = {
        parameter.name: draw(st.sampled_from(_values(parameter)))
        for parameter in family.parameters
        if parameter.name != "weights" and draw(st.integers(0, 2)) == 0
    }
    cutoff = draw(st.none() | st.integers(1, 15))
    if said.get("form") == "amigo":
        said.pop("effort", None)
        cutoff = None
    if "floor" in said and said.get("average") != "geom":
        del said["floor"]
    if family.name in ("D-cascade", "D#-cascade") and said.get("discount") != "RBP":
        said.pop("beta", None)
    if family.cutoff == "required" or said.get("effort") == "cutoff":
        cutoff = cutoff or 5
    if "documents" in said:
        cutoff = None
    primes = draw(st.sampled_from([0, 0, 1, 2]))
    if primes == 2 and draw(st.booleans()):
        said["delta"] = draw(st.sampled_from([0.5, 1.0]))
    if primes == 0 and family.traits.monotone and draw(st.integers(0, 3)) == 0:
        said["view"] = draw(st.sampled_from(["lower", "upper"]))
    return family(cutoff, primes=primes, **said)


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
    greedy = family.name in ("alpha-nDCG", "nNRBP") or family.name.startswith("alpha#")
    case = data.draw(cases(plain_weights=greedy))
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
