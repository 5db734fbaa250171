"""Policies: which topics, documents, intents and grades count, and in which order."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import polyseme
import reference
from polyseme import InputError, MeasureError, PolysemeError, PolysemeWarning
from quietly import judged_of, scored
from reference import Collection
from strategies import DOCUMENTS, Case, cases

JUDGMENTS = {
    "1": {"1": {"a": 1, "b": 0}, "2": {"c": 2}},
    "2": {"1": {"a": 1}},
    "3": {"1": {"a": 0, "b": -2}},
    "4": {"1": {"d": 1}},
}
RUNS = {
    "long": {"1": ["a", "c"], "2": ["x", "a"], "3": ["a"], "9": ["a"]},
    "short": {"2": ["a"]},
}


@pytest.fixture(autouse=True)
def _nothing_is_warned_of_unless_a_test_says_so() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def evaluated(*names: str, **policies: Any) -> polyseme.Scores:
    return polyseme.evaluate(JUDGMENTS, RUNS, list(names) or "RR", **{"adhoc": "max", **policies})


# ---- topics -------------------------------------------------------------------------------------


def test_a_mean_is_over_judged_topics_with_a_relevant_document() -> None:
    scores = evaluated()
    assert scores.topics == ("1", "2", "3", "4")
    assert scores.to_dict() == {
        "long": {"RR": {"1": 1.0, "2": 0.5, "4": 0.0}},
        "short": {"RR": {"1": 0.0, "2": 1.0, "4": 0.0}},
    }
    assert scores.mean() == {"long": {"RR": 0.5}, "short": {"RR": pytest.approx(1 / 3)}}


def test_a_mean_over_retrieved_topics_counts_those_with_nothing_relevant_as_0() -> None:
    scores = evaluated(average_over="retrieved")
    assert scores.to_dict() == {
        "long": {"RR": {"1": 1.0, "2": 0.5, "3": 0.0}},
        "short": {"RR": {"2": 1.0}},
    }
    assert scores.mean() == {"long": {"RR": 0.5}, "short": {"RR": 1.0}}


def test_topics_with_nothing_relevant_are_told_where_they_count() -> None:
    judgments = {"1": {"1": {"a": 0}}, "2": {"1": {"c": 1}}}
    lists = {"run": {"1": ["a"], "2": ["c"]}}
    scores = polyseme.evaluate(judgments, lists, dialect="ndeval")
    told = "1 of these have nothing relevant, and count 0 (the first: 1)"
    assert told in scores.topic_report()
    assert "the program prints nan there, not 0: ndeval:nNRBP" in scores.topic_report()
    assert scores.mean()["run"]["ndeval:nNRBP"] == 0.5
    assert scores.select(measures="ndeval:NRBP").topic_report()[-1] == told
    assert told not in scores.select(topics="2").topic_report()
    assert told not in polyseme.evaluate(judgments, lists, "RR").topic_report()


def test_missing_and_extra_topics_are_told() -> None:
    scores = evaluated()
    assert scores.missing("long") == ("4",)
    assert scores.missing("short") == ("1", "4")
    assert scores.extra == {"long": ("9",), "short": ()}
    assert scores.topic_report() == [
        "means over 3 of 4 judged topics",
        "2 of 2 runs lack topics, which score as empty lists (most: short, 2)",
        "1 of 2 runs have topics that are not judged, left out (most: long, 1)",
    ]
    assert evaluated(average_over="retrieved").topic_report()[0] == (
        "means over 1 to 3 of 4 judged topics"
    )


def test_a_topic_that_the_run_lacks_scores_as_an_empty_list() -> None:
    names = ["RBU(effort=cutoff)@2", "RBU@2", "alpha#-nDCG-IA(lambda=0,average=geom)", "ACT", "P@5"]
    found = {n: by[n]["4"] for by in [evaluated(*names).to_dict()["short"]] for n in names}
    # nothing is found, but the effort of looking at two ranks is made
    assert found == {
        "RBU(effort=cutoff)@2": pytest.approx(-0.01 * (0.99 + 0.99**2)),
        "RBU@2": 0.0,
        "alpha#-nDCG-IA(lambda=0,average=geom)": pytest.approx(1e-5),
        "ACT": 0.0,
        "P@5": 0.0,
    }


def test_an_empty_list_that_was_retrieved_scores_as_a_missing_one() -> None:
    names = "RBU(effort=cutoff)@2 RBU@2 D#-nDCG CT"
    missing = polyseme.evaluate(JUDGMENTS, {"run": {"2": ["a"]}}, names)
    empty = polyseme.evaluate(
        JUDGMENTS, {"run": {"1": [], "2": ["a"], "4": []}}, names, order="file"
    )
    assert missing.to_dict() == empty.to_dict()


def test_a_topic_with_nothing_relevant_scores_0_whatever_the_effort() -> None:
    found = evaluated("RBU(effort=cutoff)@2", "RBU@2", average_over="retrieved").to_dict()
    assert found["long"]["RBU(effort=cutoff)@2"]["3"] == 0.0
    assert found["long"]["RBU@2"]["3"] == 0.0


def test_only_some_topics_can_be_asked_for() -> None:
    scores = evaluated(only_topics=["2", "3"])
    assert scores.to_dict()["long"] == {"RR": {"2": 0.5}}
    assert scores.topics == ("1", "2", "3", "4")
    assert scores.provenance["policies"]["only_topics"] == ["2", "3"]


@pytest.mark.parametrize("given", ["2,3", "2 3", {"2": 0, "3": 0}, [2, 3]])
def test_topics_may_be_asked_for_in_other_ways(given: Any) -> None:
    assert evaluated(only_topics=given).provenance["policies"]["only_topics"] == ["2", "3"]


def test_a_topic_that_is_asked_for_and_not_judged_is_an_error() -> None:
    with pytest.raises(InputError, match=r"1 of the topics asked for are not judged .*'9'"):
        evaluated(only_topics=["2", "9"])


def test_there_must_be_a_topic_with_something_relevant() -> None:
    with pytest.raises(InputError, match="no topic has a relevant document"):
        evaluated(only_topics=["3"])
    with pytest.raises(InputError, match="no topic has a relevant document"):
        evaluated(relevant_from=3)


def test_a_run_without_one_judged_topic_is_an_error() -> None:
    with pytest.raises(InputError, match="none of the 1 topics of the run 'r' is judged"):
        polyseme.evaluate(JUDGMENTS, {"r": {"9": ["a"]}}, "RR")


def test_there_must_be_runs_and_measures() -> None:
    with pytest.raises(PolysemeError, match="no run was given"):
        polyseme.evaluate(JUDGMENTS, {}, "RR")
    with pytest.raises(PolysemeError, match="no measures were asked for"):
        polyseme.evaluate(JUDGMENTS, RUNS, [])


def test_a_measure_that_is_asked_for_twice_is_told_once() -> None:
    assert evaluated("RR", "RR P@5", "RR").measures == ("RR", "P@5")


# ---- intents ------------------------------------------------------------------------------------


def irec(judgments: dict[str, Any], ranking: list[str], **policies: Any) -> float:
    scores = polyseme.evaluate({"1": judgments}, {"run": {"1": ranking}}, "I-rec", **policies)
    return scores.mean()["run"]["I-rec"]


WITH_EMPTY = {"1": {"a": 1}, "2": {"b": 0}, "3": {"b": 1}}


def test_an_intent_without_a_relevant_document_is_dropped_or_kept() -> None:
    assert irec(WITH_EMPTY, ["a"]) == 1 / 2
    assert irec(WITH_EMPTY, ["a"], keep_empty_intents=True) == 1 / 3


def test_an_intent_that_only_the_probabilities_know_is_an_empty_one() -> None:
    shares = {"1": {"1": 0.25, "3": 0.25, "7": 0.5}}
    with pytest.warns(PolysemeWarning, match="1 intents have no probability"):
        kept = irec(WITH_EMPTY, ["a"], probabilities=shares, keep_empty_intents=True)
    assert kept == 1 / 4
    assert irec(WITH_EMPTY, ["a"], probabilities=shares) == 1 / 2


def test_intent_0_is_an_intent_where_something_is_relevant_to_it_and_never_else() -> None:
    assert irec({"0": {"a": 0}, "1": {"b": 1}}, ["b"], keep_empty_intents=True) == 1.0
    assert irec({"0": {"a": 1}, "1": {"b": 1}}, ["b"]) == 1 / 2


def test_a_document_that_only_intent_0_names_is_judged() -> None:
    judgments = {"1": {"0": {"x": 0}, "1": {"a": 1}}}
    found = polyseme.evaluate(judgments, {"run": {"1": ["x", "y", "a"]}}, "RR RR'").mean()["run"]
    assert found == {"RR": 1 / 3, "RR'": 1 / 2}


def test_probabilities_are_renormalised_over_the_intents_that_stay() -> None:
    shares = {"1": {"1": 0.2, "2": 0.6, "3": 0.2}}
    scores = polyseme.evaluate(
        {"1": WITH_EMPTY}, {"run": {"1": ["a"]}}, "RR-IA", probabilities=shares
    )
    assert scores.mean()["run"]["RR-IA"] == pytest.approx(0.5)
    kept = polyseme.evaluate(
        {"1": WITH_EMPTY},
        {"run": {"1": ["a"]}},
        "RR-IA",
        probabilities=shares,
        keep_empty_intents=True,
    )
    assert kept.mean()["run"]["RR-IA"] == pytest.approx(0.2)


def test_an_intent_without_a_probability_counts_in_intent_recall_alone() -> None:
    judgments = {"1": {"1": {"a": 1}, "2": {"b": 1}}}
    with pytest.warns(PolysemeWarning, match="count 0, but still in I-rec"):
        scores = polyseme.evaluate(
            judgments,
            {"run": {"1": ["b"]}},
            "RR-IA I-rec D-nDCG",
            probabilities={"1": {"1": 1.0}},
        )
    assert scores.mean()["run"] == {"RR-IA": 0.0, "I-rec": 0.5, "D-nDCG": 0.0}


def test_probabilities_that_are_all_0_where_something_is_relevant_become_uniform() -> None:
    judgments = {"1": {"1": {"a": 1}, "2": {"b": 1}, "3": {"x": 0}}}
    with pytest.warns(PolysemeWarning, match="uniform probabilities are used there"):
        scores = polyseme.evaluate(
            judgments,
            {"run": {"1": ["b"]}},
            "RR-IA",
            probabilities={"1": {"1": 0.0, "2": 0.0, "3": 1.0}},
        )
    assert scores.mean()["run"]["RR-IA"] == 0.5


@pytest.mark.parametrize("second", [0.44, 0.46])
def test_probabilities_that_nearly_add_up_to_1_are_scaled(second: float) -> None:
    judgments = {"1": {"1": {"a": 1}, "2": {"b": 1}}}
    scores = polyseme.evaluate(
        judgments,
        {"run": {"1": ["b"]}},
        "RR-IA",
        probabilities={"1": {"1": 0.55, "2": second}},
    )
    assert scores.mean()["run"]["RR-IA"] == pytest.approx(second / (0.55 + second))


@pytest.mark.parametrize("shares", [{"1": 0.5, "2": 0.4}, {"1": 0.6, "2": 0.6}])
def test_probabilities_that_do_not_add_up_to_1_are_an_error(shares: dict[str, float]) -> None:
    with pytest.raises(InputError, match="probabilities of topic 1 add up to"):
        evaluated(probabilities={"1": shares})


def test_probabilities_of_other_topics_are_an_error() -> None:
    with pytest.raises(InputError, match="none of the topics with probabilities is judged"):
        evaluated(probabilities={"77": {"1": 1.0}})


# ---- grades -------------------------------------------------------------------------------------


def test_negative_grades_are_judged_and_not_relevant() -> None:
    judgments = {"1": {"1": {"a": 1, "spam": -2}}}
    found = polyseme.evaluate(judgments, {"run": {"1": ["x", "spam", "a"]}}, "RR RR'").mean()
    assert found == {"run": {"RR": 1 / 3, "RR'": 1 / 2}}


def test_the_bar_for_relevance_can_be_lifted() -> None:
    judgments = {"1": {"1": {"a": 1, "b": 2}}}
    runs = {"run": {"1": ["a", "b"]}}
    assert polyseme.evaluate(judgments, runs, "RR").mean()["run"]["RR"] == 1.0
    assert polyseme.evaluate(judgments, runs, "RR", relevant_from=2).mean()["run"]["RR"] == 0.5


def test_gain_and_gmax_are_policies_that_a_measure_may_overrule() -> None:
    judgments = {"1": {"1": {"a": 1, "b": 3}}}
    runs = {"run": {"1": ["a"]}}
    names = "ERR ERR(gain=exponential) ERR(gmax=9) ERR(gain=1:2,3:4)"
    linear = polyseme.evaluate(judgments, runs, names, adhoc="max").mean()["run"]
    assert list(linear.values()) == [1 / 4, 1 / 8, 1 / 10, 2 / 5]
    names = "ERR ERR(gain=linear) ERR(gmax=3) ERR(gain=linear,gmax=9)"
    said = polyseme.evaluate(judgments, runs, names, adhoc="max", gain="exponential", gmax=4)
    assert list(said.mean()["run"].values()) == [1 / 16, 1 / 5, 1 / 8, 1 / 10]


def test_a_gain_table_may_be_a_dictionary() -> None:
    text, table = evaluated("ERR-IA", gain="1:2,2:5"), evaluated("ERR-IA", gain={1: 2, 2: 5})
    assert table.mean() == text.mean()
    assert table.provenance == text.provenance


def test_gmax_belongs_to_the_collection_or_to_the_topic() -> None:
    judgments = {"1": {"1": {"a": 1}}, "2": {"1": {"b": 4}}}
    runs = {"run": {"1": ["a"], "2": ["b"]}}
    found = {
        rule: polyseme.evaluate(judgments, runs, "ERR", adhoc="max", gmax=rule).values[0, :, 0]
        for rule in ("collection", "topic")
    }
    assert found["collection"].tolist() == [1 / 5, 4 / 5]
    assert found["topic"].tolist() == [1 / 2, 4 / 5]


def test_a_gmax_below_the_judgments_own_grades_is_an_error() -> None:
    with pytest.raises(MeasureError, match="gmax=1 says that no gain is above 1"):
        evaluated("ERR", gmax=1)


def test_a_grade_that_has_no_finite_gain_is_an_error() -> None:
    judgments = {"1": {"1": {"a": 1, "b": 5000}}}
    lists = {"run": {"1": ["a", "b"]}}
    with pytest.raises(InputError, match="the exponential gain of the grade 5000 is too large"):
        polyseme.evaluate(judgments, lists, "nDCG-IA", gain="exponential")
    with pytest.raises(MeasureError, match="gains from 0 to 1e\\+100"):
        polyseme.evaluate(judgments, lists, "nDCG-IA", gain="1:1,5000:1e300")


def test_a_gain_table_must_know_every_grade() -> None:
    with pytest.raises(InputError, match="says nothing of grade 2"):
        evaluated("ERR", gain="1:1")


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ({"order": "scores"}, "order must be score or rank or file. Got 'scores' instead."),
        ({"average_over": "all"}, "average_over must be judged or retrieved"),
        ({"duplicates": "last"}, "duplicates must be error or first or nonrelevant"),
        ({"relevant_from": 0}, "relevant_from must be a grade of 1 or more. Got 0 instead."),
        ({"gain": "cubic"}, "gain must be linear, exponential"),
        ({"gain": 3}, "gain must be linear, exponential"),
        ({"adhoc": "mx"}, "adhoc must be pseudo, max, sum or ad hoc judgments. Got 'mx' instead"),
        ({"gmax": 2.5}, "gmax must be collection, topic or a grade"),
        ({"dialect": 5}, "no dialect is named '5'"),
        ({"jobs": 0}, "jobs must be a whole number of 1 or more. Got 0 instead."),
        ({"gmax": "run"}, "gmax must be collection, topic or a grade"),
        ({"mean": "median"}, "mean must be avg, geom, dd"),
    ],
)
def test_a_policy_that_is_not_legal_is_refused_with_what_is(
    policy: dict[str, Any], said: str
) -> None:
    with pytest.raises(PolysemeError) as caught:
        evaluated(**policy)
    assert said in str(caught.value)


# ---- the order of a list ------------------------------------------------------------------------


def test_scores_descend_and_ties_go_to_the_later_document_id() -> None:
    judgments = {"1": {"1": {"b": 1}}}
    runs = {
        "tied": {"1": {"a": 1.0, "b": 1.0, "c": 1.0}},
        "apart": {"1": {"a": 1.0, "b": 3.0, "c": 2.0}},
    }
    found = polyseme.evaluate(judgments, runs, "RR").mean()
    assert found == {"tied": {"RR": 1 / 2}, "apart": {"RR": 1.0}}


def test_a_repeated_document_is_an_error_or_counts_where_it_stands_better() -> None:
    judgments = {"1": {"1": {"a": 1, "b": 1}}}
    runs = {"run": {"1": ["x", "a", "a", "b"]}}
    with pytest.raises(InputError, match="document a is retrieved twice for topic 1"):
        polyseme.evaluate(judgments, runs, "RR")
    names = "P@3 P@4 AP"
    first = polyseme.evaluate(judgments, runs, names, duplicates="first").mean()["run"]
    assert list(first.values()) == [2 / 3, 2 / 4, pytest.approx((1 / 2 + 2 / 3) / 2)]
    counted = polyseme.evaluate(judgments, runs, names, duplicates="nonrelevant").mean()["run"]
    assert list(counted.values()) == [1 / 3, 2 / 4, pytest.approx((1 / 2 + 2 / 4) / 2)]


# ---- ad hoc judgments of their own --------------------------------------------------------------


@st.composite
def with_own_adhoc(draw: st.DrawFn) -> Case:
    """A collection with a file of ad hoc grades, for other documents too."""
    case = draw(cases())
    own = {
        name: draw(
            st.dictionaries(
                st.sampled_from([*DOCUMENTS, "own1", "own2"]), st.integers(-1, 4), max_size=8
            )
        )
        for name in case.collection.judgments
    }
    rankings = {
        name: draw(st.permutations([*ranking, *draw(st.sets(st.sampled_from(["own1", "own2"])))]))
        for name, ranking in case.rankings.items()
    }
    return Case(replace(case.collection, adhoc=own), rankings)


@settings(max_examples=40)
@given(case=with_own_adhoc())
def test_own_ad_hoc_judgments_give_what_the_reference_gives(case: Case) -> None:
    own = case.collection.adhoc
    assert isinstance(own, dict)
    if not any(own.values()):
        return
    names = ["nDCG@5", "ERR@5", "AP", "P@5", "nDCG'@5", "Q'", "RBP''@5", "ERR-IA'@5", "D#-nDCG'@5"]
    measures = [polyseme.parse(name) for name in names]
    given_ = {name: {"0": grades} for name, grades in own.items() if grades}
    found = scored(case.collection, {"run": case.rankings}, measures, adhoc=given_)
    for index, topic in enumerate(found.topics):
        c = case.collection
        nothing = not any(c.relevant(topic, i) for i in c.judgments[topic])
        for place, measure in enumerate(measures):
            wanted = (
                0.0
                if nothing
                else reference.score(
                    c,
                    topic,
                    case.rankings[topic],
                    measure.name,
                    measure.cutoff,
                    primes=measure.primes,
                )
            )
            value = found.values[0, index, place]
            assert value == pytest.approx(wanted, abs=1e-9), (str(measure), topic)


def test_a_document_that_only_the_ad_hoc_file_judges_counts_in_ad_hoc_measures_alone() -> None:
    judgments = {"1": {"1": {"a": 1, "b": 0}}}
    runs = {"run": {"1": ["own", "b", "x", "a"]}}
    scores = polyseme.evaluate(
        judgments, runs, "RR RR' RR-IA RR-IA'", adhoc={"1": {"0": {"own": 2, "a": 0}}}
    )
    # ad hoc: own and a are judged; by intents: a and b are
    assert scores.mean()["run"] == {"RR": 1.0, "RR'": 1.0, "RR-IA": 1 / 4, "RR-IA'": 1 / 2}


def test_a_measure_that_wants_own_ad_hoc_judgments_needs_them() -> None:
    with pytest.raises(InputError, match="none were given"):
        polyseme.evaluate(JUDGMENTS, RUNS, "RR(adhoc=own)")


def test_ad_hoc_judgments_have_one_grade_already() -> None:
    judgments = {"1": {"0": {"a": 3, "b": 1, "c": 2}}}
    lists = {"run": {"1": ["c", "a"]}}
    gained = 2 + 3 / math.log2(3)
    ideal = 3 + 2 / math.log2(3)
    scores = polyseme.evaluate(judgments, lists, "nDCG@2")
    assert scores.mean()["run"]["nDCG@2"] == pytest.approx(gained / ideal)
    assert scores.provenance["policies"]["adhoc"] == "max"
    # grades 3, 2 and 1 have the pseudo grades 2, 1 and 1
    pseudo = polyseme.evaluate(judgments, lists, "nDCG@2", adhoc="pseudo").mean()["run"]["nDCG@2"]
    assert pseudo == pytest.approx((1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3)))


def test_a_measure_of_trec_eval_keeps_its_grades_outside_its_dialect() -> None:
    judgments = {"1": {"1": {"a": 3, "b": 1, "c": 2}, "2": {"b": 2}}}
    lists = {"run": {"1": ["b", "x", "a"]}}
    name = "trec_eval:ndcg_cut@5"
    inside = polyseme.evaluate(judgments, lists, name, dialect="trec_eval").mean()["run"][name]
    assert polyseme.evaluate(judgments, lists, name).mean()["run"][name] == inside
    gained = (2 + 3 / 2) / (3 + 2 / math.log2(3) + 2 / 2)
    assert inside == pytest.approx(gained)
    own = polyseme.evaluate(judgments, lists, name, adhoc={"1": {"0": {"a": 1}}}).mean()
    assert own["run"][name] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("dialect", "name", "meant"),
    [
        ("ndeval(alpha=0.25)", "ndeval:nERR-IA@5", "ndeval:nERR-IA(alpha=0.25)@5"),
        ("ndeval(alpha=0.25,beta=0.8)", "ndeval:NRBP", "ndeval:NRBP(alpha=0.25,beta=0.8)"),
        ("ndeval(alpha=0.25)", "ndeval:ERR-IA(alpha=0.1)@5", "ndeval:ERR-IA(alpha=0.1)@5"),
        ("ndeval(alpha=0.25)", "alpha-nDCG@5", "alpha-nDCG@5"),
        ("ntcireval(cutoff=2)", "ntcireval:Q-measure", "ntcireval:Q-measure(top=2)"),
        ("rbu(p=0.5,e=0.1)", "rbu:RBU", "rbu:RBU(p=0.5,e=0.1)"),
    ],
)
def test_measures_of_a_program_take_what_its_dialect_was_told(
    dialect: str, name: str, meant: str
) -> None:
    judgments = {"1": {"1": {"a": 1, "b": 1, "c": 1}, "2": {"b": 1}}}
    lists = {"run": {"1": ["a", "x", "b", "c"]}}
    inside = polyseme.evaluate(judgments, lists, name, dialect=dialect)
    plain = dialect.partition("(")[0]
    wanted = polyseme.evaluate(judgments, lists, meant, dialect=plain).mean()["run"][meant]
    assert inside.mean()["run"] == {name: pytest.approx(wanted)}
    assert inside.provenance["policies"]["parameters"] is not None
    with pytest.raises(polyseme.PolysemeError, match=r"different policies .*parameters"):
        inside.merged(polyseme.evaluate(judgments, {"b": lists["run"]}, name, dialect=plain))


@pytest.mark.parametrize(("rule", "grade"), [("pseudo", 2), ("max", 3), ("sum", 5)])
def test_intents_grades_become_one_in_three_ways(rule: str, grade: int) -> None:
    judgments = {"1": {"1": {"a": 3}, "2": {"a": 2}, "3": {"b": 1}}}
    found = polyseme.evaluate(judgments, {"run": {"1": ["b"]}}, "ERR", adhoc=rule).mean()["run"]
    # b's derived grade is 1, and the largest possible gain is a's
    assert found["ERR"] == pytest.approx(1 / (grade + 1))


# ---- what comes along ---------------------------------------------------------------------------


def test_values_of_every_intent_can_be_asked_for() -> None:
    scores = evaluated("RR-IA", "I-rec", "D-RR", per_intent=True, only_topics=["1"])
    rows = [row for row in scores.intent_rows() if row[0] == "long"]
    assert rows == [
        ("long", "1", "1", "RR-IA", 1.0),
        ("long", "1", "2", "RR-IA", 0.5),
        ("long", "1", "1", "I-rec", 1.0),
        ("long", "1", "2", "I-rec", 1.0),
    ]
    assert ("short", "1", "1", "RR-IA", 0.0) in list(scores.intent_rows())


@settings(max_examples=20)
@given(case=cases())
def test_values_of_intents_weighed_by_probability_give_the_measure(case: Case) -> None:
    found = scored(case.collection, {"run": case.rankings}, "ERR-IA@5 nDCG-IA", per_intent=True)
    total = dict.fromkeys(found.to_dict()["run"]["ERR-IA@5"], 0.0)
    for each in found.intents:
        if each.measure == "ERR-IA@5":
            total[each.topic] += case.collection.probability(each.topic)[each.intent] * each.value
    assert total == pytest.approx(found.to_dict()["run"]["ERR-IA@5"], abs=1e-12)


def test_every_policy_is_in_the_provenance() -> None:
    policies = evaluated(gain="exponential", gmax=4, average_over="retrieved").provenance[
        "policies"
    ]
    assert policies["gain"] == "exponential"
    assert policies["gmax"] == "4"
    assert policies["adhoc"] == "max"
    assert policies["average_over"] == "retrieved"
    assert policies["order"] == "score"
    assert policies["keep_empty_intents"] is False
    assert policies["relevant_from"] == 1
    assert policies["means"] == ["avg"]


def test_the_names_of_runs_are_reported_while_they_are_read() -> None:
    told: list[str] = []
    evaluated(progress=told.append)
    assert told == ["long", "short"]


def test_judgments_can_be_given_by_document_and_measures_as_values() -> None:
    by_document = {"1": {"a": {"1": 1, "2": 2}}}
    measures = [polyseme.parse("I-rec@5"), "RR-IA"]
    found = polyseme.evaluate(by_document, {"r": {"1": ["a"]}}, measures, by="document").mean()
    assert found == {"r": {"I-rec@5": 1.0, "RR-IA": 1.0}}


def test_without_measures_a_sensible_set_is_evaluated() -> None:
    scores = polyseme.evaluate(JUDGMENTS, RUNS)
    assert {"I-rec@10", "D#-nDCG@10"} <= set(scores.measures)


@pytest.mark.slow
def test_two_processes_give_what_one_gives() -> None:
    many = {f"run{n}": {"1": DOCUMENTS[n : n + 5], "2": ["a"]} for n in range(6)}
    one = polyseme.evaluate(JUDGMENTS, many, "RR ERR-IA@5", jobs=1)
    two = polyseme.evaluate(JUDGMENTS, many, "RR ERR-IA@5", jobs=2)
    assert one.to_dict() == two.to_dict()


def test_judgments_that_were_read_already_are_taken_as_they_are() -> None:
    judged = judged_of(Collection(JUDGMENTS))
    runs = polyseme.read_runs(RUNS)
    assert polyseme.evaluate(judged, runs, "RR").to_dict() == (
        polyseme.evaluate(JUDGMENTS, RUNS, "RR").to_dict()
    )
