"""Scores: selected, merged, and handed on in every form."""

from __future__ import annotations

import json
import math
from typing import Any

import narwhals
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import polyseme
from polyseme import PolysemeError, Scores
from quietly import scored
from strategies import Case, cases

JUDGMENTS = {
    "1": {"1": {"a": 1, "b": 0}, "2": {"c": 2}},
    "2": {"1": {"a": 1}},
    "10": {"1": {"x": 0}},
}
RUNS = {"one": {"1": ["a", "c"], "2": ["x", "a"]}, "two": {"2": ["a"], "99": ["b"]}}
MEASURES = "RR I-rec@5 RR-IA"


def scores(runs: Any = RUNS, **policies: Any) -> Scores:
    return polyseme.evaluate(JUDGMENTS, runs, policies.pop("measures", MEASURES), **policies)


# ---- some of them -------------------------------------------------------------------------------


def test_runs_topics_and_measures_can_be_selected_in_any_order() -> None:
    some = scores().select(["two", "one"], ["2"], ["I-rec@5", "RR"])
    assert (some.runs, some.topics, some.measures) == (("two", "one"), ("2",), ("I-rec@5", "RR"))
    assert some.to_dict() == {
        "two": {"I-rec@5": {"2": 1.0}, "RR": {"2": 1.0}},
        "one": {"I-rec@5": {"2": 1.0}, "RR": {"2": 0.5}},
    }
    assert some.mean() == {"two": {"I-rec@5": 1.0, "RR": 1.0}, "one": {"I-rec@5": 1.0, "RR": 0.5}}


def test_one_name_selects_like_a_list_of_one() -> None:
    assert scores().select("one", "2", "RR").to_dict() == {"one": {"RR": {"2": 0.5}}}


def test_what_belongs_to_runs_topics_and_measures_is_selected_with_them() -> None:
    whole = scores(per_intent=True, mean=["dd", "avg"])
    some = whole.select(runs="two", topics=["2"], measures="RR-IA")
    assert some.extra == {"two": ("99",)}
    assert [tuple(row) for row in some.intent_rows()] == [("two", "2", "1", "RR-IA", 1.0)]
    assert some.mean("dd")["two"] == {"RR-IA": 1.0}
    assert some.missing("two") == ()
    assert whole.missing("two") == ("1",)
    assert some.provenance == whole.provenance


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"runs": "ones"}, "the scores have no run 'ones'; did you mean one?"),
        ({"topics": ["1", "3"]}, "the scores have no topic '3'; there are 1, 2"),
        ({"measures": "I-rec@10"}, "the scores have no measure 'I-rec@10'; did you mean I-rec@5"),
    ],
)
def test_what_is_not_there_cannot_be_selected(wanted: dict[str, Any], said: str) -> None:
    with pytest.raises(PolysemeError) as caught:
        scores().select(**wanted)
    assert said in str(caught.value)


@settings(max_examples=20)
@given(case=cases(), data=st.data())
def test_selecting_keeps_every_value(case: Case, data: st.DataObject) -> None:
    runs = dict.fromkeys(("r1", "r2", "r3"), case.rankings)
    whole = scored(case.collection, runs, "ERR-IA@5 D#-nDCG")
    some_runs = data.draw(st.lists(st.sampled_from(whole.runs), unique=True, min_size=1))
    some_topics = data.draw(st.lists(st.sampled_from(whole.topics), unique=True, min_size=1))
    some = whole.select(some_runs, some_topics)
    for n, run in enumerate(some_runs):
        for m, topic in enumerate(some_topics):
            place = whole.runs.index(run), whole.topics.index(topic)
            assert (some.values[n, m] == whole.values[place]).all()
            assert some.entered[n, m] == whole.entered[place]


# ---- several as one -----------------------------------------------------------------------------


def test_scores_of_other_runs_can_be_joined() -> None:
    apart = scores({"one": RUNS["one"]}, per_intent=True).merged(
        scores({"two": RUNS["two"]}, per_intent=True)
    )
    together = scores(per_intent=True)
    assert apart.to_dict() == together.to_dict()
    assert apart.mean() == together.mean()
    assert apart.extra == together.extra
    assert sorted(apart.intent_rows()) == sorted(together.intent_rows())
    assert apart.topic_report() == together.topic_report()


@pytest.mark.parametrize(
    ("policy", "named"),
    [
        ({"gain": "exponential"}, "gain"),
        ({"average_over": "retrieved"}, "average_over"),
        ({"order": "file", "gmax": 9}, "gmax, order"),
        ({"only_topics": ["1"]}, "only_topics"),
        ({"relevant_from": 2}, "relevant_from"),
    ],
)
def test_scores_of_differing_policies_do_not_merge_silently(
    policy: dict[str, Any], named: str
) -> None:
    one, two = scores({"one": RUNS["one"]}), scores({"two": {"1": ["c"]}}, **policy)
    with pytest.raises(PolysemeError, match=rf"different policies \({named}\)"):
        one.merged(two)
    both = one.merged(two, differing_policies=True)
    assert both.runs == ("one", "two")
    assert both.provenance["policies"] == one.provenance["policies"]
    assert both.provenance["merged"] == [two.provenance]


def test_scores_of_other_topics_or_measures_do_not_merge() -> None:
    one = scores({"one": RUNS["one"]})
    with pytest.raises(PolysemeError, match="different topics or measures"):
        one.merged(scores({"two": RUNS["two"]}, measures="RR"))
    with pytest.raises(PolysemeError, match="different topics or measures"):
        one.merged(scores({"two": RUNS["two"]}).select(topics=["2"]))


def test_a_run_is_in_scores_once() -> None:
    with pytest.raises(PolysemeError, match="the run 'one' is in both"):
        scores().merged(scores({"one": RUNS["one"]}))


# ---- out ----------------------------------------------------------------------------------------

LONG = [
    ("one", "1", "RR", 1.0),
    ("one", "2", "RR", 0.5),
    ("two", "1", "RR", 0.0),
    ("two", "2", "RR", 1.0),
]


def test_a_dictionary_holds_runs_measures_and_topics() -> None:
    assert scores(measures="RR").to_dict() == {
        "one": {"RR": {"1": 1.0, "2": 0.5}},
        "two": {"RR": {"1": 0.0, "2": 1.0}},
    }


def columns_of(frame: Any) -> dict[str, list[Any]]:
    opened = narwhals.from_native(frame).lazy().collect("pyarrow")
    return {name: opened[name].to_list() for name in opened.columns}


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow", "duckdb"])
def test_a_frame_has_a_row_for_each_run_topic_and_measure(backend: str) -> None:
    pytest.importorskip(backend)
    frame = scores(measures="RR").to_frame(backend)
    assert type(frame).__module__.split(".")[0].strip("_") == backend
    columns = columns_of(frame)
    assert list(columns) == ["run", "topic", "measure", "value"]
    assert list(zip(*columns.values(), strict=True)) == LONG
    means = scores(measures="RR").to_frame(backend, means=True)
    assert columns_of(means)["value"] == [0.75, 0.5]


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow", "duckdb"])
def test_a_frame_of_no_topics_has_its_columns_all_the_same(backend: str) -> None:
    pytest.importorskip(backend)
    none = polyseme.evaluate(JUDGMENTS, {"r": {}}, "RR", average_over="retrieved")
    frame = none.to_frame(backend)
    assert list(getattr(frame, "column_names", frame.columns)) == [
        "run",
        "topic",
        "measure",
        "value",
    ]
    assert len(frame) == 0


@pytest.mark.parametrize("backend", ["pandsa", "sqlite"])
def test_a_frame_of_an_unknown_kind_is_refused(backend: str) -> None:
    with pytest.raises(PolysemeError, match=f"{backend!r}"):
        scores().to_frame(backend)


def told(found: Scores, **parts: bool) -> Any:
    """What the JSON says; there is no NaN in JSON."""
    return json.loads(found.to_json(**parts), parse_constant=pytest.fail)


def test_json_carries_values_means_and_provenance() -> None:
    held = told(scores(measures="RR", mean=["avg", "geom"]))
    rows = [tuple(row.values()) for row in held["rows"]]
    assert list(held["rows"][0]) == ["run", "topic", "measure", "value"]
    assert set(LONG) < set(rows)
    assert ("one", "all", "RR", 0.75) in rows
    assert ("one", "all:geom", "RR", pytest.approx(math.sqrt(0.5))) in rows
    assert held["provenance"]["polyseme"] == polyseme.__version__
    assert held["provenance"]["policies"]["gain"] == "linear"
    assert held["notes"][0] == "means over 2 of 3 judged topics"


def test_json_can_leave_topics_out_or_hold_values_of_intents() -> None:
    found = scores(measures="RR-IA", per_intent=True)
    assert {row["topic"] for row in told(found, per_topic=False)["rows"]} == {"all"}
    assert told(found, per_intent=True)["rows"][0] == {
        "run": "one",
        "topic": "1",
        "intent": "1",
        "measure": "RR-IA",
        "value": 1.0,
    }


def test_json_keeps_every_digit_and_has_null_where_there_is_no_number() -> None:
    third = polyseme.evaluate(JUDGMENTS, {"r": {"2": ["x", "y", "a"]}}, "RR", only_topics=["2"])
    assert told(third)["rows"][0]["value"] == 1 / 3
    none = polyseme.evaluate(JUDGMENTS, {"r": {}}, "RR", average_over="retrieved")
    assert math.isnan(none.mean()["r"]["RR"])
    assert told(none)["rows"][0]["value"] is None


def test_a_notebook_shows_a_table_and_names_are_no_markup() -> None:
    shown = polyseme.evaluate(JUDGMENTS, {"<b>&": {"1": ["a"]}}, "RR ERR'")._repr_html_()
    row = '<tr><th scope="row">&lt;b&gt;&amp;</th><td class="number">0.5000</td>'
    assert row in shown
    assert "<b>" not in shown
    assert ">ERR&#x27;</th>" in shown
    assert "means over 2 of 3 judged topics" in shown
    assert "relevant-from 1" in shown


def test_a_notebook_shows_a_table_for_each_mean_over_topics() -> None:
    judged, run = {"1": {"1": {"a": 1}}}, {"mine": {"1": ["a"]}}
    shown = polyseme.evaluate(judged, run, "RR", mean=["avg", "geom"])._repr_html_()
    assert shown.count("<table>") == 2
    assert "<caption>mean over topics: geom</caption>" in shown


def test_a_representation_says_how_much_there_is() -> None:
    assert repr(scores()) == "<Scores: 2 runs, 3 topics, 3 measures>"


def test_rows_of_topics_are_those_that_entered_the_mean() -> None:
    found = scores(measures="RR")
    assert list(found.topic_rows()) == LONG
    assert found.values.shape == (2, 3, 1)
    assert np.isfinite(found.values).all()
