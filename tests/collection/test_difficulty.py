"""Diversity difficulty and miss rates, against counting every case."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from polyseme.collection.difficulty import (
    difficulty,
    miss_rate_weights,
    miss_rates,
    smallest_cover,
)
from polyseme.collection.reading import read_qrels
from polyseme.collection.relevance import Relevance, RelevanceRules, relevance
from strategies import Case, cases

covering = st.lists(st.frozensets(st.integers(0, 5), min_size=1), min_size=1, max_size=6)


def of(intents: dict[str, str], **rules: bool) -> Relevance:
    """One topic whose intents have documents named by letters."""
    judged = {i: dict.fromkeys(documents, 1) for i, documents in intents.items()}
    return relevance(read_qrels({"t": {**judged, "0": {"x": 0}}}), RelevanceRules(**rules))


def relevant_sets(intents: dict[str, str]) -> list[set[str]]:
    """Of every relevant document the intents that it covers."""
    documents = sorted(set("".join(intents.values())))
    return [{i for i, held in intents.items() if d in held} for d in documents]


def covered_on_average(intents: dict[str, str], drawn: int) -> float:
    """The share of the intents that a random choice of documents covers, over all choices."""
    choices = list(itertools.combinations(relevant_sets(intents), drawn))
    return sum(len(set().union(*c)) for c in choices) / len(choices) / len(intents)


# ---- covers -------------------------------------------------------------------------------------


@given(covers=covering)
def test_the_exact_cover_is_the_smallest_of_all_choices(covers: list[frozenset[int]]) -> None:
    wanted = frozenset().union(*covers)
    sizes = [
        size
        for size in range(1, len(covers) + 1)
        for chosen in itertools.combinations(covers, size)
        if frozenset().union(*chosen) == wanted
    ]
    assert smallest_cover(covers, exact=True) == min(sizes)


@given(covers=covering)
def test_the_greedy_cover_covers_all_and_takes_no_fewer_than_the_exact_one(
    covers: list[frozenset[int]],
) -> None:
    greedy = smallest_cover(covers)
    assert smallest_cover(covers, exact=True) <= greedy <= len(frozenset().union(*covers))


def test_greedy_ties_go_to_the_first_document() -> None:
    # b first leaves 3 and 4 for one document; a first would leave 2 and 4 for two
    first = [frozenset("12"), frozenset("13"), frozenset("34"), frozenset("24")]
    assert smallest_cover([first[0], *first[1:]]) == 2
    # e covers as many as any, and comes first: then two more are needed
    late = [frozenset("23"), frozenset("12"), frozenset("34")]
    assert smallest_cover(late) == 3
    assert smallest_cover(late[1:] + late[:1]) == 2
    assert smallest_cover(late, exact=True) == 2


# ---- difficulty ---------------------------------------------------------------------------------

TWO = {"1": "abc", "2": "d"}


def test_difficulty_of_two_intents_by_hand() -> None:
    found = difficulty(of(TWO))
    # d_mean = 1 - ((1/4)^2 + (3/4)^2) / 2
    assert (found.d_max[0], found.xi[0], found.d_mean[0]) == (1.0, 2, 0.6875)
    assert found.dd[0] == pytest.approx(2 * 0.6875 / 1.6875)


def test_the_offset_is_added_to_the_exponent_alone() -> None:
    found = difficulty(of(TWO), xi_offset=1)
    assert found.xi[0] == 2
    assert found.d_mean[0] == pytest.approx(1 - (1 / 64 + 27 / 64) / 2)


def test_intents_without_a_relevant_document_make_a_topic_harder_where_they_are_kept() -> None:
    assert difficulty(of({"1": "a", "2": ""})).d_max[0] == 1.0
    kept = relevance(
        read_qrels({"t": {"1": {"a": 1}, "2": {"a": 0}}}), RelevanceRules(keep_empty_intents=True)
    )
    found = difficulty(kept)
    assert (found.d_max[0], found.d_mean[0], found.dd[0]) == (0.5, 0.5, 0.5)


def test_a_topic_with_nothing_relevant_has_no_difficulty() -> None:
    known = relevance(read_qrels({"t": {"1": {"a": 0}}, "u": {"1": {"b": 1}}}))
    found = difficulty(known)
    assert [each[0] for each in (found.d_max, found.xi, found.d_mean, found.dd)] == [0, 0, 0, 0]
    assert found.dd[1] == 1.0


named = st.dictionaries(
    st.sampled_from("123"), st.text("abcdefg", min_size=1, max_size=5), min_size=1
)


@given(intents=named)
def test_exact_difficulty_is_that_of_all_ways_to_draw_without_replacement(
    intents: dict[str, str],
) -> None:
    found = difficulty(of(intents), exact=True)
    sets = relevant_sets(intents)
    assert found.xi[0] == smallest_cover([frozenset(each) for each in sets], exact=True)
    assert found.d_mean[0] == pytest.approx(covered_on_average(intents, int(found.xi[0])))
    assert found.d_max[0] == 1.0


@given(intents=named, k=st.integers(0, 9))
def test_exact_miss_rates_are_those_of_all_ways_to_draw(intents: dict[str, str], k: int) -> None:
    sets = relevant_sets(intents)
    choices = list(itertools.combinations(sets, min(k, len(sets))))
    for rate, intent in zip(
        miss_rates(of(intents), 0, k, exact=True), sorted(intents), strict=True
    ):
        missed = sum(intent not in set().union(*chosen) for chosen in choices)
        assert rate == pytest.approx(missed / len(choices))


@settings(max_examples=max(40, settings.default.max_examples // 3))
@given(case=cases(), offset=st.integers(0, 2), exact=st.booleans())
def test_difficulty_is_the_references(case: Case, offset: int, exact: bool) -> None:
    collection = replace(case.collection, gain="linear", probabilities={})
    known = relevance(
        read_qrels(collection.judgments),
        RelevanceRules(collection.keep_empty_intents, collection.relevant_from),
    )
    found = difficulty(known, exact=exact, xi_offset=offset)
    for index, topic in enumerate(known.topics):
        wanted = reference.difficulty(collection, topic, exact, offset)
        mine = [each[index] for each in (found.d_max, found.xi, found.d_mean, found.dd)]
        assert mine == pytest.approx(wanted)


@settings(max_examples=max(40, settings.default.max_examples // 3))
@given(case=cases(), k=st.none() | st.integers(0, 20))
def test_miss_rates_are_the_references(case: Case, k: int | None) -> None:
    collection = replace(case.collection, gain="linear", probabilities={})
    known = relevance(
        read_qrels(collection.judgments),
        RelevanceRules(collection.keep_empty_intents, collection.relevant_from),
    )
    found = dict(
        zip(
            zip(known.topic_of_intent.tolist(), known.intents, strict=True),
            miss_rate_weights(known, k).tolist(),
            strict=True,
        )
    )
    for index, topic in enumerate(known.topics):
        if collection.intents(topic):
            wanted = reference.miss_rates(collection, topic, k)
            assert {i: found[index, i] for i in wanted} == pytest.approx(wanted)


# ---- miss rates ---------------------------------------------------------------------------------


def test_miss_rates_by_hand() -> None:
    assert miss_rates(of(TWO), 0, 2).tolist() == [1 / 16, 9 / 16]
    assert miss_rate_weights(of(TWO)).tolist() == pytest.approx([0.1, 0.9])


def test_miss_rates_that_are_all_zero_become_uniform() -> None:
    assert miss_rate_weights(of({"1": "a", "2": "a"})).tolist() == [0.5, 0.5]


def test_a_topic_without_a_relevant_document_misses_every_intent() -> None:
    known = relevance(
        read_qrels({"t": {"1": {"a": 0}, "2": {"a": 0}}}), RelevanceRules(keep_empty_intents=True)
    )
    assert miss_rates(known, 0, 3).tolist() == [1.0, 1.0]
    assert miss_rate_weights(known).tolist() == [0.5, 0.5]
