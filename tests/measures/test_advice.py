"""What is said to those who choose a measure is there for every measure, and is true."""

from __future__ import annotations

import pytest

import polyseme
from commands import done
from polyseme.measures.advice import BASES, GROUPS, NAMES, advice_on, base_of

JUDGMENTS = {"t": {"a": {"d1": 2, "d2": 1}, "b": {"d3": 1, "d2": 2}}}
LIST = ["d2", "x", "d1", "d3"]


def value(name: str, found: list[str], judgments: object = JUDGMENTS, **said: object) -> float:
    scores = polyseme.evaluate(judgments, {"r": {"t": found}}, name, **said)
    (only,) = scores.mean()["r"].values()
    return only


@pytest.mark.parametrize("family", list(polyseme.CATALOGUE), ids=lambda family: family.name)
def test_every_measure_has_advice_of_its_own_or_of_its_group(family: polyseme.Family) -> None:
    found = advice_on(family)
    assert found
    if ":" not in family.name:
        assert base_of(family) in BASES or family.name in NAMES
    for advice in found:
        assert advice.use.endswith((".", "?"))
        assert advice.mind.endswith(".")
    if family.group in ("intent-aware", "D", "D#"):
        assert found == [BASES[base_of(family) or ""], GROUPS[family.group]]


def test_no_advice_is_left_over() -> None:
    families = list(polyseme.CATALOGUE)
    assert {base_of(each) for each in families if base_of(each)} == set(BASES)
    assert set(NAMES) <= {each.name for each in families}
    assert set(GROUPS) <= {each.group for each in families}


def test_one_measure_is_told_with_its_advice() -> None:
    told = " ".join(done("measures", "RBU@10", "--format", "markdown").stdout.split())
    assert NAMES["RBU"].mind.split("`")[0].strip() in told


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("P+Q@5", "Q-IA@5"),
        ("DIN-nDCG@5", "D-nDCG@5"),
        ("Q(beta=0)@5", "AP@5"),
    ],
)
def test_without_types_or_weights_they_are_the_measures_that_are_named(
    name: str, other: str
) -> None:
    assert value(name, LIST) == pytest.approx(value(other, LIST), abs=1e-12)


def test_a_list_that_ends_cannot_reach_1_by_rbp() -> None:
    judged = {"t": {"a": {f"d{n}": 1 for n in range(10)}}}
    best = value("RBP@10", [f"d{n}" for n in range(10)], judged)
    assert best == pytest.approx(1 - 0.99**10, abs=1e-12)
    assert round(best, 3) == 0.096


def test_rbu_can_be_negative() -> None:
    assert value("RBU@10", [f"x{n}" for n in range(10)]) < 0


def test_a_list_without_a_rare_intent_can_win_by_an_intent_aware_measure() -> None:
    judged = {"t": {"a": {"d1": 1, "d2": 1, "d3": 1}, "b": {"d9": 1}}}
    likely = {"t": {"a": 0.9, "b": 0.1}}
    one, both = ["d1", "d2", "d3"], ["d1", "d9", "x"]
    said = {"probabilities": likely}
    assert value("nDCG-IA@3", one, judged, **said) > value("nDCG-IA@3", both, judged, **said)
    assert value("I-rec@3", one, judged, **said) < value("I-rec@3", both, judged, **said)


def test_a_non_relevant_document_at_the_end_can_raise_act() -> None:
    judged = {"t": {"1": {"a": 1}, "2": {"b": 1}}}
    assert value("ACT", ["a", "b", "x"], judged) > value("ACT", ["a", "b"], judged)


def test_probabilities_do_not_count_for_nrbp_and_the_cube_test() -> None:
    weights = {"t": {"a": 0.9, "b": 0.1}}
    for name in ("NRBP", "nNRBP", "CT", "ACT", "nCT", "I-rec"):
        assert value(name, LIST, probabilities=weights) == value(name, LIST), name
