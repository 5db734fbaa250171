"""What is relevant to what, and with which weight, under every policy."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from polyseme.collection.judgments import Judged
from polyseme.collection.reading import read_qrels
from polyseme.collection.relevance import Relevance, RelevanceRules, relevance
from polyseme.errors import PolysemeWarning
from quietly import judged_of
from strategies import Case, cases

JUDGMENTS = {
    "1": {"1": {"a": 1, "b": 0}, "2": {"a": 3, "c": 2}, "10": {"b": -2}},
    "2": {"0": {"x": 0}, "1": {"y": 1}},
}


def grades(known: Relevance) -> dict[str, dict[str, dict[str, int]]]:
    """Relevant documents as {topic: {intent: {doc: grade}}}; intents without one are empty."""
    found: dict[str, dict[str, dict[str, int]]] = {topic: {} for topic in known.topics}
    for topic, intent in zip(known.topic_of_intent.tolist(), known.intents, strict=True):
        found[known.topics[topic]][intent] = {}
    for row, intent, grade in zip(
        known.row.tolist(), known.intent.tolist(), known.grade.tolist(), strict=True
    ):
        topic = known.topics[known.topic_of_intent[intent]]
        found[topic][known.intents[intent]][known.judged.documents[row]] = grade
    return found


def shares(known: Relevance) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {topic: {} for topic in known.topics}
    for topic, intent, share in zip(
        known.topic_of_intent.tolist(), known.intents, known.probability.tolist(), strict=True
    ):
        found[known.topics[topic]][intent] = share
    return found


def given_shares(shares: dict[str, dict[str, float]]) -> Judged:
    return read_qrels(JUDGMENTS, probabilities=shares)


# ---- grades and intents -------------------------------------------------------------------------


def test_positive_grades_are_relevant_and_other_lines_are_not() -> None:
    assert grades(relevance(read_qrels(JUDGMENTS))) == {
        "1": {"1": {"a": 1}, "2": {"a": 3, "c": 2}},
        "2": {"1": {"y": 1}},
    }


def test_empty_intents_may_be_kept_but_never_intent_0() -> None:
    known = relevance(read_qrels(JUDGMENTS), RelevanceRules(keep_empty_intents=True))
    assert grades(known) == {
        "1": {"1": {"a": 1}, "2": {"a": 3, "c": 2}, "10": {}},
        "2": {"1": {"y": 1}},
    }


def test_lifting_the_bar_leaves_lower_grades_judged() -> None:
    known = relevance(read_qrels(JUDGMENTS), RelevanceRules(relevant_from=2))
    assert grades(known) == {"1": {"2": {"a": 3, "c": 2}}, "2": {}}
    assert known.is_judged.all()
    assert known.highest_grade == 3


def test_a_bar_above_every_grade_leaves_nothing() -> None:
    known = relevance(read_qrels(JUDGMENTS), RelevanceRules(relevant_from=9))
    assert grades(known) == {"1": {}, "2": {}}
    assert known.highest_grade == 0
    assert known.relevant_in.tolist() == [0, 0]


def test_documents_are_judged_by_any_line_and_not_by_ad_hoc_judgments() -> None:
    judged = read_qrels(JUDGMENTS, adhoc={"1": {"0": {"z": 1, "a": 0}}})
    known = relevance(judged)
    told = dict(zip(judged.documents, known.is_judged.tolist(), strict=True))
    assert told == {"a": True, "b": True, "c": True, "z": False, "x": True, "y": True}


def test_a_program_may_take_documents_with_negative_grades_as_unjudged() -> None:
    judged = read_qrels({"1": {"1": {"a": 1, "spam": -2, "both": -2}, "2": {"both": 0}}})
    known = relevance(judged, RelevanceRules(negative_is_judged=False))
    told = dict(zip(judged.documents, known.is_judged.tolist(), strict=True))
    assert told == {"a": True, "spam": False, "both": True}


def test_documents_that_were_left_out_are_unjudged_and_empty_their_intents() -> None:
    judged = read_qrels(JUDGMENTS)
    without = np.array([document in ("a", "y") for document in judged.documents])
    known = relevance(judged, without=without)
    assert grades(known) == {"1": {"2": {"c": 2}}, "2": {}}
    assert known.highest_grade == 3, "grades of the whole collection decide"
    assert (known.is_judged == ~without).all()
    assert known.relevant_in.tolist() == [1, 0]


@settings(max_examples=max(40, settings.default.max_examples // 3))
@given(case=cases())
def test_grades_are_the_references(case: Case) -> None:
    c = case.collection
    rules = RelevanceRules(c.keep_empty_intents, c.relevant_from)
    judged = judged_of(c)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PolysemeWarning)
        known = relevance(judged, rules)
    assert grades(known) == {
        topic: {
            intent: {
                document: c.grade(topic, intent, document)
                for document in c.documents(topic)
                if c.grade(topic, intent, document) > 0
            }
            for intent in c.intents(topic)
        }
        for topic in known.topics
    }
    for topic in known.topics:
        assert shares(known)[topic] == pytest.approx(
            c.probability(topic) if c.intents(topic) else {}
        )
    counted = {t: sum(len(x) for x in i.values()) for t, i in grades(known).items()}
    assert sum(counted.values()) == int(known.relevant_to.sum())


# ---- probabilities ------------------------------------------------------------------------------


def test_probabilities_are_uniform_where_nothing_is_said() -> None:
    known = relevance(given_shares({"2": {"1": 1.0}}))
    assert shares(known) == {"1": {"1": 0.5, "2": 0.5}, "2": {"1": 1.0}}


def test_probabilities_are_scaled_to_the_intents_that_stay() -> None:
    judged = given_shares({"1": {"1": 0.1, "2": 0.3, "10": 0.6}})
    assert shares(relevance(judged))["1"] == pytest.approx({"1": 0.25, "2": 0.75})
    kept = relevance(judged, RelevanceRules(keep_empty_intents=True))
    assert shares(kept)["1"] == pytest.approx({"1": 0.1, "2": 0.3, "10": 0.6})


def test_probabilities_may_stay_as_they_were_typed() -> None:
    judged = given_shares({"1": {"1": 0.1, "2": 0.3, "10": 0.6}})
    typed = RelevanceRules(renormalise=False, typed_decimals=2)
    assert shares(relevance(judged, typed))["1"] == {"1": 0.1, "2": 0.3}
    thirds = read_qrels({"1": {"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 1}}})
    assert shares(relevance(thirds, typed))["1"] == {"1": 0.33, "2": 0.33, "3": 0.33}


def test_an_intent_left_out_of_the_probabilities_weighs_nothing_and_it_is_said() -> None:
    with pytest.warns(PolysemeWarning, match="the first: intent 2 of topic 1") as told:
        known = relevance(given_shares({"1": {"1": 1.0}}))
    assert len(told) == 1
    assert shares(known)["1"] == {"1": 1.0, "2": 0.0}


def test_probabilities_of_intents_that_are_all_gone_become_uniform_and_it_is_said() -> None:
    with pytest.warns(PolysemeWarning) as told:
        known = relevance(given_shares({"1": {"10": 1.0, "1": 0.0, "2": 0.0}}))
    assert [str(each.message).split(" (")[0] for each in told] == [
        "every intent with a relevant document has probability 0 in 1 topics"
    ]
    assert shares(known)["1"] == {"1": 0.5, "2": 0.5}


# ---- types and names ----------------------------------------------------------------------------


def test_types_stay_with_their_intents() -> None:
    judged = read_qrels(JUDGMENTS).with_intents(types={"1": {"2": "nav", "10": "nav"}})
    known = relevance(judged)
    assert dict(zip(known.intents, known.navigational.tolist(), strict=True)) == {
        "1": False,
        "2": True,
    }


def test_intents_of_a_topic_stand_in_natural_order() -> None:
    judgments: dict[str, Any] = {"1": {i: {"a": 1} for i in ("10", "b", "2", "1")}}
    known = relevance(read_qrels(judgments))
    assert known.intents_of(0) == ("1", "2", "10", "b")


def test_relevance_is_made_anew_and_leaves_judgments_as_they_were() -> None:
    judged = read_qrels(JUDGMENTS)
    before = replace(judged, line_grade=judged.line_grade.copy())
    relevance(judged, RelevanceRules(relevant_from=2))
    assert (judged.line_grade == before.line_grade).all()
    assert grades(relevance(judged)) == grades(relevance(before))
