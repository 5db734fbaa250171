"""What must not change a number, and which measures are others in disguise."""

from __future__ import annotations

import copy
from dataclasses import replace
from random import Random
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyseme.measures import batch
from polyseme.measures.formulas import Sum
from polyseme.measures.measure import Measure
from polyseme.measures.sets import CATALOGUE, parse, parse_all
from polyseme.measures.walk import Walk
from quietly import judged_of, scored
from reference import Collection
from strategies import DOCUMENTS, Case, cases, topics, variants

FEW = settings(max_examples=max(12, settings.default.max_examples // 8))
ALL = [measure for family in CATALOGUE for measure in variants(family)]
VIEWED = [
    measure.family(measure.cutoff, primes=primes, **dict(measure.parameters))
    for family in CATALOGUE
    for measure in variants(family)[:3]
    for primes in (0, 1, 2)
]
BASES = ["P", "nDCG", "Q", "ERR", "EBR", "RBP", "iRBU", "AP", "RR"]
seeds = st.integers(0, 2**32)


def values(case: Case, measures: list[Measure] = ALL, **options: Any) -> np.ndarray:
    """The run's values: topics by measures."""
    return scored(case.collection, {"run": case.rankings}, measures, **options).values[0]


def differing(one: np.ndarray, other: np.ndarray, measures: list[Measure] = ALL) -> list[str]:
    """Names of the measures whose values are not the same to the last bit."""
    differs = (one != other).any(axis=0)
    return [str(measure) for measure, found in zip(measures, differs, strict=True) if found]


def shuffled(mapping: dict[str, Any], chance: Random, levels: int) -> dict[str, Any]:
    """The same mapping with its keys in another order, and so on some levels down."""
    keys = list(mapping)
    chance.shuffle(keys)
    return {
        key: shuffled(mapping[key], chance, levels - 1) if levels > 1 else mapping[key]
        for key in keys
    }


# ---- order, company and size --------------------------------------------------------------------


@FEW
@given(case=cases(), seed=seeds)
def test_the_order_of_topics_and_of_judgments_changes_nothing(case: Case, seed: int) -> None:
    chance, collection = Random(seed), case.collection
    other = Case(
        replace(
            collection,
            judgments=shuffled(collection.judgments, chance, 3),
            probabilities=shuffled(collection.probabilities, chance, 2),
            types=shuffled(collection.types, chance, 2),
        ),
        shuffled(case.rankings, chance, 1),
    )
    assert differing(values(case), values(other)) == []


@FEW
@given(case=cases(), seed=seeds)
def test_the_order_of_measures_changes_nothing(case: Case, seed: int) -> None:
    place = list(range(len(VIEWED)))
    Random(seed).shuffle(place)
    found = values(case, [VIEWED[n] for n in place])
    back = np.empty_like(found)
    back[:, place] = found
    assert differing(values(case, VIEWED), back, VIEWED) == []


@settings(max_examples=10)
@given(case=cases())
def test_a_measure_alone_has_the_value_that_it_has_in_company(case: Case) -> None:
    few = VIEWED[:: len(VIEWED) // 23]
    alone = np.column_stack([values(case, [measure]) for measure in few])
    assert differing(values(case, few), alone, few) == []


@FEW
@given(
    case=cases(),
    lists=st.lists(
        st.lists(st.sampled_from(DOCUMENTS), max_size=10, unique=True), min_size=1, max_size=6
    ),
    seed=seeds,
)
def test_the_order_of_runs_changes_nothing(case: Case, lists: list[list[str]], seed: int) -> None:
    runs = {f"run{n}": dict.fromkeys(case.rankings, ranking) for n, ranking in enumerate(lists)}
    one = scored(case.collection, runs, ALL)
    other = scored(case.collection, shuffled(runs, Random(seed), 1), ALL)
    for name in runs:
        mine, theirs = one.values[one.runs.index(name)], other.values[other.runs.index(name)]
        assert differing(mine, theirs) == []


@FEW
@given(
    case=cases(),
    lists=st.lists(
        st.lists(st.sampled_from(DOCUMENTS), max_size=10, unique=True), min_size=2, max_size=6
    ),
    chunk=st.integers(1, 7),
)
def test_how_many_lists_are_scored_at_once_changes_nothing(
    case: Case, lists: list[list[str]], chunk: int
) -> None:
    runs = {f"run{n}": dict.fromkeys(case.rankings, ranking) for n, ranking in enumerate(lists)}
    whole = scored(case.collection, runs, VIEWED).values
    with mock.patch.object(batch, "CHUNK", chunk):
        pieces = scored(case.collection, runs, VIEWED).values
    for one, other in zip(whole, pieces, strict=True):
        assert differing(one, other, VIEWED) == []


@FEW
@given(case=cases(), more=topics(4))
def test_another_topic_changes_no_other_topic_where_gmax_is_fixed(
    case: Case, more: dict[str, dict[str, int]]
) -> None:
    alone = replace(case.collection, gmax=30)
    grown = replace(alone, judgments={**alone.judgments, "5": more})
    one = scored(alone, {"run": case.rankings}, ALL)
    other = scored(grown, {"run": {**case.rankings, "5": DOCUMENTS[:5]}}, ALL)
    kept = [other.topics.index(name) for name in one.topics]
    assert differing(one.values[0], other.values[0, kept]) == []


def test_evaluate_leaves_what_it_is_given_as_it_was() -> None:
    collection = Collection(
        {"1": {"2": {"b": 2, "a": -1}, "1": {"a": 1}}, "10": {"0": {"c": 0}}},
        {"1": {"2": 0.25, "1": 0.75}},
    )
    own = {"1": {"0": {"b": 1, "z": 2}}}
    runs = {"r": {"10": ["c"], "1": {"a": 1.0, "b": 2.0, "x": 0.5}}}
    measures = parse_all("D#-nDCG@10 ERR' alpha-nDCG@5 CT")
    given = (collection.judgments, collection.probabilities, own, runs, measures)
    before = copy.deepcopy(given)
    scored(collection, runs, measures, adhoc=own, mean=["avg", "geom"], per_intent=True)
    assert given == before
    assert list(collection.judgments["1"]) == ["2", "1"]
    assert list(runs["r"]) == ["10", "1"]


# ---- intents ------------------------------------------------------------------------------------


@FEW
@given(case=cases(plain_weights=True), seed=seeds)
def test_names_and_order_of_intents_change_nothing(case: Case, seed: int) -> None:
    """Greedy ideals may hang on the last bit of a sum over intents.

    So weights are alike here, and for measures with such an ideal only alphas are tried under
    which every sum is exact: then their ties fall alike in any order of the intents.
    """
    exact = [m for m in ALL if not m.name.startswith("alpha#") or m["alpha"] in (0.0, 0.25, 1.0)]
    _renamed_intents_change_nothing(case, exact, seed)


@FEW
@given(case=cases(), seed=seeds)
def test_nor_with_probabilities_where_no_ideal_is_greedy(case: Case, seed: int) -> None:
    greedy = ("alpha-nDCG", "nNRBP", "nERR-IA")
    others = [
        m for m in ALL if not m.name.startswith("alpha#") and m.name.split(":")[-1] not in greedy
    ]
    _renamed_intents_change_nothing(case, others, seed)


def _renamed_intents_change_nothing(case: Case, measures: list[Measure], seed: int) -> None:
    chance, collection = Random(seed), case.collection
    judgments: dict[str, Any] = {}
    probabilities: dict[str, Any] = {}
    types: dict[str, Any] = {}
    for name, intents in collection.judgments.items():
        given = collection.probabilities.get(name, {})
        # intent 0 is one of a kind: it keeps its name
        old = [intent for intent in {**intents, **given} if intent != "0"]
        new = chance.sample(["1", "2", "3", "4", "5", "11", "a", "z"], len(old))
        names = {**dict(zip(old, new, strict=True)), "0": "0"}
        judgments[name] = {names[intent]: graded for intent, graded in intents.items()}
        types[name] = {names[intent]: kind for intent, kind in collection.types[name].items()}
        if given:
            probabilities[name] = {names[intent]: p for intent, p in given.items()}
    other = Case(
        replace(collection, judgments=judgments, probabilities=probabilities, types=types),
        case.rankings,
    )
    apart = abs(values(case, measures) - values(other, measures)).max(axis=0) > 1e-9
    assert [str(measure) for measure, is_ in zip(measures, apart, strict=True) if is_] == []


# ---- measures that are others in disguise -------------------------------------------------------


@st.composite
def of_one_intent(draw: st.DrawFn) -> Case:
    """Every topic has one intent."""
    case = draw(cases(plain_weights=True))
    judgments = {
        name: {"1": next(iter(intents.values()))}
        for name, intents in case.collection.judgments.items()
    }
    return replace(
        case, collection=replace(case.collection, judgments=judgments, types={}, adhoc="max")
    )


@pytest.mark.parametrize("base", BASES)
@FEW
@given(case=of_one_intent(), cutoff=st.integers(1, 12))
def test_with_one_intent_every_form_of_a_measure_is_the_measure(
    base: str, case: Case, cutoff: int
) -> None:
    names = [f"{base}@{cutoff}", f"D-{base}@{cutoff}", f"{base}-IA@{cutoff}"]
    plain, on_global_gain, intent_aware = values(case, [parse(name) for name in names]).T
    assert on_global_gain == pytest.approx(plain, abs=1e-12)
    assert intent_aware == pytest.approx(plain, abs=1e-12)


@FEW
@given(case=of_one_intent(), cutoff=st.none() | st.integers(1, 12))
def test_with_one_intent_and_alpha_0_alpha_ndcg_is_ndcg(case: Case, cutoff: int | None) -> None:
    measures = [CATALOGUE["alpha-nDCG"](cutoff, alpha=0), CATALOGUE["nDCG"](cutoff)]
    measures += [CATALOGUE["alpha#-nDCG-IA"](cutoff, alpha=0), CATALOGUE["D#-nDCG"](cutoff)]
    novel, plain, sharp, mixed = values(case, measures).T
    assert novel == pytest.approx(plain, abs=1e-12)
    assert sharp == pytest.approx(mixed, abs=1e-12)


SAME = [
    ("Q(beta=0)@5", "AP@5"),
    ("Q-IA(beta=0)@5", "AP-IA@5"),
    ("D-Q(beta=0)", "D-AP"),
    ("D#-Q'(beta=0)@3", "D#-AP'@3"),
    ("RBP-IA(p=0)@3", "RBP-IA(p=0)@1"),
    ("D#-nDCG(gamma=1)@5", "I-rec@5"),
    ("D#-nDCG(gamma=0)@5", "D-nDCG@5"),
    ("P+Q#(gamma=0)@5", "P+Q@5"),
    ("D-cascade(discount=DCG)@5", "D-nDCG@5"),
    ("D#-cascade(discount=DCG)@5", "D#-nDCG@5"),
    ("RBU(e=0)@5", "iRBU-IA@5"),
    ("alpha#-nDCG-IA(alpha=0.5,lambda=0)@5", "alpha-nDCG@5"),
    ("alpha#-nERR-IA(lambda=1)@5", "I-rec@5"),
    ("ndeval:strec@5", "I-rec@5"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
@FEW
@given(case=cases())
def test_measures_that_are_the_same_by_definition_are_equal(
    one: str, other: str, case: Case
) -> None:
    collection = replace(case.collection, relevant_from=1, keep_empty_intents=False)
    first, second = values(replace(case, collection=collection), [parse(one), parse(other)]).T
    assert first == pytest.approx(second, abs=1e-12)


@FEW
@given(case=cases())
def test_types_that_are_all_informational_make_p_plus_q_and_din_plain(case: Case) -> None:
    types = {name: dict.fromkeys(given, "inf") for name, given in case.collection.types.items()}
    plain = replace(case, collection=replace(case.collection, types=types))
    names = ["P+Q@5", "Q-IA@5", "DIN-nDCG@5", "D-nDCG@5"]
    p_plus_q, q, din, ndcg = values(plain, [parse(name) for name in names]).T
    assert p_plus_q == pytest.approx(q, abs=1e-12)
    assert din == pytest.approx(ndcg, abs=1e-12)


# ---- two ways down a list -----------------------------------------------------------------------


def every_rank(self: Sum, walk: Walk, cutoff: int | None) -> Walk:
    """All ranks for every sum, but those that look at the cutoff only."""
    return walk.end(cutoff) if self.support == "end" else walk.every_rank(cutoff)


@pytest.mark.parametrize("primes", [0, 1, 2])
@FEW
@given(case=cases())
def test_a_walk_over_hits_and_one_over_every_rank_give_the_same(primes: int, case: Case) -> None:
    measures = [
        m.family(m.cutoff, primes=primes, **dict(m.parameters)) for m in ALL if m.cutoff != 1
    ]
    over_hits = values(case, measures)
    with mock.patch.object(Sum, "steps", every_rank):
        over_ranks = values(case, measures)
    # programs that print four decimals on the way may print another last one
    near = [2e-4 if m.name.startswith("ntcireval:") else 1e-12 for m in measures]
    apart = abs(over_hits - over_ranks).max(axis=0) > near
    assert [str(measure) for measure, is_ in zip(measures, apart, strict=True) if is_] == []


def test_judgments_may_be_read_once_and_used_often() -> None:
    collection = Collection({"1": {"1": {"a": 1}, "2": {"b": 2}}})
    judged = judged_of(collection)
    runs = {"run": {"1": ["b", "a"]}}
    one = scored(collection, runs, ALL)
    with mock.patch("quietly.judged_of", return_value=judged):
        twice = [scored(collection, runs, ALL) for _ in range(2)]
    for again in twice:
        assert differing(one.values[0], again.values[0]) == []
