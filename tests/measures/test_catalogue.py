"""What every measure promises by its traits, checked for the whole catalogue.

A promise that something never happens is checked on random collections; one that it can happen,
on examples that are kept here: without an example for it, a measure fails.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import reference
from polyseme.errors import MeasureError
from polyseme.measures.gains import Gmax
from polyseme.measures.measure import Family, Keeps, Measure, Traits
from polyseme.measures.sets import CATALOGUE
from quietly import scored
from reference import Collection
from strategies import Case, cases, variants

FAMILIES = list(CATALOGUE)
EVERY = {family.name: variants(family) for family in FAMILIES}
FEW = settings(max_examples=max(15, settings.default.max_examples // 5))

# ---- the table ----------------------------------------------------------------------------------

KINDS: dict[str, dict[str, Callable[[Traits], bool]]] = {
    "range": {
        "from 0 to 1": lambda traits: traits.range == (0.0, 1.0),
        "from 0 up": lambda traits: traits.range == (0.0, None),
        "1 at most": lambda traits: traits.range == (None, 1.0),
    },
    "uses_grades": {
        "by grade": lambda traits: traits.uses_grades is True,
        "grades alike": lambda traits: traits.uses_grades is False,
    },
    "uses_probabilities": {
        "by probability": lambda traits: traits.uses_probabilities is True,
        "intents alike": lambda traits: traits.uses_probabilities is False,
    },
    "uses_types": {
        "by type": lambda traits: traits.uses_types is True,
        "types alike": lambda traits: traits.uses_types is False,
    },
    "needs_ideal": {
        "with an ideal": lambda traits: traits.needs_ideal is True,
        "by the list alone": lambda traits: traits.needs_ideal is False,
    },
    "monotone": {
        "monotone": lambda traits: traits.monotone is True,
        "may fall": lambda traits: traits.monotone is False,
    },
    "normalised": {
        "ideal is 1": lambda traits: traits.normalised is True,
        "ideal is not 1": lambda traits: traits.normalised is False,
    },
}
SETS: dict[str, list[Family]] = {
    name: [family for family in FAMILIES if holds(family.traits)]
    for kind in KINDS.values()
    for name, holds in kind.items()
}


def of_set(name: str) -> pytest.MarkDecorator:
    """Run a test for every family of a property set."""
    return pytest.mark.parametrize("family", SETS[name], ids=lambda family: family.name)


def measures_of(name: str) -> list[Measure]:
    return [measure for family in SETS[name] for measure in EVERY[family.name]]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@pytest.mark.parametrize("kind", KINDS)
def test_every_family_is_in_one_property_set_of_each_kind(kind: str, family: Family) -> None:
    assert isinstance(family.traits, Traits)
    assert sum(family in SETS[name] for name in KINDS[kind]) == 1


def test_every_trait_has_its_property_sets() -> None:
    assert {each.name for each in fields(Traits)} == set(KINDS)


def test_every_property_set_has_members() -> None:
    assert [name for name, members in SETS.items() if not members] == []


# ---- examples and how they change ---------------------------------------------------------------


@dataclass(frozen=True)
class Example:
    """A topic, its list, and the same with something changed."""

    collection: Collection
    ranking: Sequence[str]
    other: Collection | None = None
    other_ranking: Sequence[str] | None = None


def topic(intents: Mapping[str, Mapping[str, int]], **policies: Any) -> Collection:
    """One topic, its highest grade the largest for any measure."""
    for name in ("probabilities", "types"):
        if name in policies:
            policies[name] = {"1": policies[name]}
    judged = {intent: dict(documents) for intent, documents in intents.items()}
    return Collection({"1": judged}, **{"adhoc": "max", **policies})


def values(
    collection: Collection, rankings: Iterable[Sequence[str]], measures: Sequence[Measure]
) -> np.ndarray:
    """Lists of the only topic (first axis) by measures (second)."""
    runs = {str(n): {"1": list(ranking)} for n, ranking in enumerate(rankings)}
    return scored(collection, runs, measures).values[:, 0, :]


def changes(example: Example, family: Family) -> bool:
    """Does any measure of the family see the change?"""
    before = values(example.collection, [example.ranking], EVERY[family.name])
    after = values(
        example.other or example.collection,
        [example.ranking if example.other_ranking is None else example.other_ranking],
        EVERY[family.name],
    )
    return bool((abs(after - before) > 1e-4).any())


def unchanged(case: Case, other: Case, measures: Sequence[Measure]) -> list[str]:
    """Names of the measures that see a difference where there should be none."""
    before = scored(case.collection, {"run": case.rankings}, measures).values
    after = scored(other.collection, {"run": other.rankings}, measures).values
    seen = (abs(after - before) > 1e-12).any(axis=(0, 1))
    return [str(measure) for measure, differs in zip(measures, seen, strict=True) if differs]


def slack(measure: Measure) -> float:
    """By how much a promise may be missed: a program that rounds on the way misses it visibly."""
    return 1e-3 if measure.name.startswith("ntcireval:") else 1e-12


GRADED = topic({"1": {"a": 1, "b": 2, "c": 0, "e": 3}, "2": {"b": 1, "c": 3, "x": 0}})
LISTED = ["a", "x", "c", "b"]

# ---- range --------------------------------------------------------------------------------------


@FEW
@pytest.mark.parametrize("primes", [0, 1, 2])
@given(case=cases())
def test_no_value_is_outside_the_range(primes: int, case: Case) -> None:
    measures = [
        measure.family(measure.cutoff, primes=primes, **dict(measure.parameters))
        for family in FAMILIES
        for measure in EVERY[family.name]
    ]
    found = scored(case.collection, {"run": case.rankings}, measures).values
    assert np.isfinite(found).all()
    for index, measure in enumerate(measures):
        low, high = measure.family.traits.range
        assert low is None or found[..., index].min() >= low - 1e-9, str(measure)
        assert high is None or found[..., index].max() <= high + 1e-9, str(measure)


def pair_of(*patterns: str) -> Collection:
    """Documents a, b, c... that cover the intents in the patterns."""
    intents = sorted(set("".join(patterns)))
    return topic(
        {
            intent: {
                document: 1
                for document, covered in zip("abcdef", patterns, strict=False)
                if intent in covered
            }
            for intent in intents
        }
    )


SHARES = {"1": 0.66672, "2": 0.33328}
TINY = {"1": 0.00006, "2": 0.99994}
BEYOND_ONE = [
    # gains are as large as grades are
    Example(topic({"1": {"a": 9, "b": 9}}), ["a", "b"]),
    # c is the greedy choice, the last of three equals; a and b together are better
    Example(pair_of("12", "34", "13"), ["a", "b", "c"]),
    # more documents than the bound of nCT counts
    Example(topic({"1": {f"d{n:02}": 1 for n in range(20)}}), [f"d{n:02}" for n in range(20)]),
    # what ntcireval rounds: a global gain is larger in the system's list than in the ideal one
    Example(
        topic({"1": {f"d{n:02}": 3 for n in range(20)}, "2": {}}, probabilities=SHARES),
        [f"d{n:02}" for n in range(20)],
    ),
    Example(
        topic({"1": {f"d{n:02}": 1 for n in range(20)}, "2": {}}, probabilities=TINY),
        [f"d{n:02}" for n in range(20)],
    ),
    # and what it takes as it is typed: probabilities that add up to 1.01
    Example(
        topic(
            {intent: {f"d{n:02}": 999 for n in range(100)} for intent in "12"},
            probabilities={"1": 0.505, "2": 0.505},
        ),
        [f"d{n:02}" for n in range(100)],
    ),
]
BELOW_ZERO = [Example(GRADED, ["y", "z", "x"])]


@of_set("from 0 up")
def test_a_measure_without_a_largest_value_exceeds_1(family: Family) -> None:
    measures = [*EVERY[family.name], *([family(100)] if family.cutoff != "none" else [])]
    assert any(
        values(example.collection, [example.ranking], measures).max() > 1 + 1e-6
        for example in BEYOND_ONE
    )


@of_set("1 at most")
def test_a_measure_without_a_least_value_falls_below_0(family: Family) -> None:
    assert any(
        values(example.collection, [example.ranking], EVERY[family.name]).min() < -1e-6
        for example in BELOW_ZERO
    )


# ---- grades, probabilities, types ---------------------------------------------------------------


@FEW
@given(case=cases(), seed=st.integers(0, 2**32))
def test_measures_that_take_grades_alike_never_see_another_positive_grade(
    case: Case, seed: int
) -> None:
    chance, bar = Random(seed), case.collection.relevant_from
    regraded = {
        name: {
            intent: {
                document: chance.randint(bar, 4) if grade >= bar else grade
                for document, grade in documents.items()
            }
            for intent, documents in intents.items()
        }
        for name, intents in case.collection.judgments.items()
    }
    other = replace(case, collection=replace(case.collection, judgments=regraded))
    assert unchanged(case, other, measures_of("grades alike")) == []


@of_set("by grade")
def test_measures_by_grade_see_another_positive_grade(family: Family) -> None:
    regraded = topic({"1": {"a": 3, "b": 2, "c": 0, "e": 3}, "2": {"b": 1, "c": 2, "x": 0}})
    assert changes(Example(GRADED, LISTED, regraded), family)


def with_weights(case: Case, chance: Random) -> Case:
    """Other probabilities for every intent of the judgments."""
    probabilities = {}
    for name, intents in case.collection.judgments.items():
        weights = [chance.randint(0, 5) for _ in intents]
        weights[0] += 1
        probabilities[name] = {
            intent: weight / sum(weights) for intent, weight in zip(intents, weights, strict=True)
        }
    return replace(case, collection=replace(case.collection, probabilities=probabilities))


@FEW
@given(case=cases(), seed=st.integers(0, 2**32))
def test_measures_that_take_intents_alike_never_see_other_probabilities(
    case: Case, seed: int
) -> None:
    chance = Random(seed)
    one, other = with_weights(case, chance), with_weights(case, chance)
    assert unchanged(one, other, measures_of("intents alike")) == []


@of_set("by probability")
def test_measures_by_probability_see_other_probabilities(family: Family) -> None:
    weighed = replace(GRADED, probabilities={"1": {"1": 0.0, "2": 1.0}})
    assert changes(Example(GRADED, LISTED, weighed), family)


@FEW
@given(case=cases(), seed=st.integers(0, 2**32))
def test_measures_that_take_types_alike_never_see_other_types(case: Case, seed: int) -> None:
    chance = Random(seed)
    types = {
        name: {intent: chance.choice(["inf", "nav"]) for intent in intents}
        for name, intents in case.collection.judgments.items()
    }
    other = replace(case, collection=replace(case.collection, types=types))
    assert unchanged(case, other, measures_of("types alike")) == []


@of_set("by type")
def test_measures_by_type_see_other_types(family: Family) -> None:
    typed = replace(GRADED, types={"1": {"1": "nav", "2": "nav"}})
    assert changes(Example(GRADED, LISTED, typed), family)


# ---- the ideal ----------------------------------------------------------------------------------


def with_copy(judgments: Mapping[str, Mapping[str, int]], document: str) -> dict[str, Any]:
    """The topic with one more document, judged as the one named; no list holds it.

    A copy raises no highest grade and fills no empty intent, which other policies look at.
    """
    return {
        intent: {**graded, **({"copy": graded[document]} if document in graded else {})}
        for intent, graded in judgments.items()
    }


@FEW
@given(case=cases(), seed=st.integers(0, 2**32))
def test_measures_by_the_list_alone_never_see_a_document_that_is_not_in_it(
    case: Case, seed: int
) -> None:
    chance = Random(seed)
    judgments = {
        name: with_copy(intents, chance.choice(case.collection.documents(name)))
        for name, intents in case.collection.judgments.items()
    }
    other = replace(case, collection=replace(case.collection, judgments=judgments))
    assert unchanged(case, other, measures_of("by the list alone")) == []


@of_set("with an ideal")
def test_measures_with_an_ideal_see_a_document_that_is_not_in_the_list(family: Family) -> None:
    more = replace(GRADED, judgments={"1": with_copy(GRADED.judgments["1"], "e")})
    examples = [Example(GRADED, LISTED, more)]
    if isinstance(family.keeps, Keeps) and family.keeps.gmax == Gmax("topic"):
        # the largest gain is the ideal list's
        judged = GRADED.judgments["1"]
        better = {intent: {**judged[intent], "better": 4} for intent in judged}
        examples.append(Example(GRADED, LISTED, replace(GRADED, judgments={"1": better})))
    assert any(changes(example, family) for example in examples)


def ideal_lists(collection: Collection) -> list[list[str]]:
    """The relevant documents of topic 1 in every order that is some measure's ideal."""
    look = reference.Look(collection, "1", [], None)
    adhoc = collection.adhoc_grades("1")
    binary = replace(look, collection=replace(collection, gain=dict.fromkeys(range(1, 31), 1.0)))
    ones = dict.fromkeys(look.intents, 1.0)
    documents = collection.documents("1")
    by_gain = sorted(documents, key=look.global_gain, reverse=True)
    by_grade = sorted(documents, key=adhoc.__getitem__, reverse=True)
    lists = [
        [d for d in by_gain if look.global_gain(d) > 0],
        [d for d in by_grade if collection.gain_of(adhoc[d]) > 0],
    ]
    for alpha in (0.0, 0.25, 0.3, 0.5, 1.0):
        lists.append(reference.greedy_ideal(look, look.probability, alpha, None))
        lists.append(reference.greedy_ideal(look, ones, alpha, None))
        lists.append(reference.greedy_ideal(binary, ones, alpha, None))
    return [list(each) for each in dict.fromkeys(map(tuple, lists))]


@settings(max_examples=15)
@given(case=cases(plain_weights=True))
def test_the_ideal_list_of_a_normalised_measure_scores_1(case: Case) -> None:
    first = next(iter(case.collection.judgments))
    collection = replace(
        case.collection,
        judgments={"1": case.collection.judgments[first]},
        types={"1": case.collection.types[first]},
    )
    assume(any(collection.relevant("1", i) for i in collection.intents("1")))
    whole = [
        measure
        for measure in measures_of("ideal is 1")
        if measure.cutoff in (None, 20) and measure["top"] in (None, 20)
    ]
    # some programs keep to grades from 1 up or to the highest of a document, whatever the policy is
    ways = ({}, {"relevant_from": 1}, {"adhoc": "max"})
    ideals = [ideal for way in ways for ideal in ideal_lists(replace(collection, **way))]
    found = values(collection, ideals, whole)
    for index, measure in enumerate(whole):
        assert (abs(found[:, index] - 1) <= slack(measure)).any(), str(measure)


@cache
def all_short_lists() -> tuple[np.ndarray, list[Measure]]:
    """Every list of at most three of six documents: two relevant to each of two intents."""
    collection = topic({"1": {"a": 2, "b": 1, "x": 0}, "2": {"c": 2, "d": 1, "y": 0}})
    lists = [ranking for length in range(4) for ranking in itertools.permutations("abcdxy", length)]
    measures = [measure for family in FAMILIES for measure in EVERY[family.name]]
    return values(collection, lists, measures), measures


@of_set("ideal is not 1")
def test_the_best_list_of_a_measure_that_is_not_normalised_is_not_always_1(
    family: Family,
) -> None:
    found, measures = all_short_lists()
    best = [
        found[:, index].max() for index, measure in enumerate(measures) if measure.family is family
    ]
    assert max(abs(value - 1) for value in best) > 1e-3


# ---- monotone -----------------------------------------------------------------------------------

#: (grade for intent 1, grade for intent 2) of a document
STATES = [(0, 0), (1, 0), (0, 2), (2, 1), (2, 2)]


@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_a_document_that_turns_out_to_be_relevant_never_lowers_a_monotone_measure(
    gain: str,
) -> None:
    """Every list of four documents, each of any state, with an ideal that stays as it is."""
    depth = 4
    intents: dict[str, dict[str, int]] = {"1": {}, "2": {}}
    for number, pair in enumerate(STATES):
        for copy in range(depth):
            for intent, grade in zip(intents, pair, strict=True):
                intents[intent][f"{number}.{copy}"] = grade
    collection = topic(intents, gain=gain, probabilities={"1": 0.75, "2": 0.25})
    measures = measures_of("monotone")
    lists = [
        [f"{state}.{place}" for place, state in enumerate(states)]
        for states in itertools.product(range(len(STATES)), repeat=depth)
    ]
    shape = (len(STATES),) * depth
    found = values(collection, lists, measures).reshape(*shape, len(measures))
    allowed = np.array([slack(measure) for measure in measures])
    for place in range(depth):
        by_state = np.moveaxis(found, place, 0)
        fall = (by_state[0] - by_state[1:]).max(axis=tuple(range(depth)))
        fallen = [str(m) for m, lost in zip(measures, fall - allowed, strict=True) if lost > 0]
        assert fallen == []


FALLS = [
    # what was only touched on above is worth less when it is said in full
    Example(
        topic({"1": {"low": 1, "high": 9}}, types={"1": "nav"}),
        ["x", "high"],
        other_ranking=["low", "high"],
    ),
    # stopping at a good document that comes late, before many others have raised the ratio
    Example(
        topic({"1": {"late": 2, **{f"d{n}": 1 for n in range(8)}}}),
        [*(f"x{n}" for n in range(8)), "x", *(f"d{n}" for n in range(8))],
        other_ranking=[*(f"x{n}" for n in range(8)), "late", *(f"d{n}" for n in range(8))],
    ),
    # the first of the best documents is looked at, where the ratio may be lower
    Example(
        topic({"1": {"best": 9, "other": 9, "d1": 8, "d2": 8, "d3": 8}}),
        ["x1", "x2", "d1", "d2", "d3", "best"],
        other_ranking=["x1", "other", "d1", "d2", "d3", "best"],
    ),
]


def fallen(family: Family) -> list[str]:
    """Measures of the family that fall where a document turns out to be relevant."""
    names = []
    for example in FALLS:
        before = values(example.collection, [example.ranking], EVERY[family.name])[0]
        after = values(example.collection, [example.other_ranking or ()], EVERY[family.name])[0]
        lower = (after < before - 1e-4).tolist()
        names += [str(m) for m, falls in zip(EVERY[family.name], lower, strict=True) if falls]
    return names


@of_set("may fall")
def test_a_measure_that_is_not_monotone_falls_in_an_example(family: Family) -> None:
    assert fallen(family) != []


@of_set("monotone")
def test_a_monotone_measure_falls_in_none_of_the_examples(family: Family) -> None:
    assert fallen(family) == []


@of_set("may fall")
@pytest.mark.parametrize("view", ["lower", "upper"])
def test_only_monotone_measures_have_bounds(view: str, family: Family) -> None:
    cutoff = 5 if family.cutoff == "required" else None
    with pytest.raises(MeasureError, match="bounds nothing"):
        family(cutoff, view=view)
