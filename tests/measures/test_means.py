"""Means over topics, worked by hand."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polyseme
import reference
from polyseme import InputError, MeasureError, PolysemeError
from polyseme.measures.means import TopicMean, parse_mean
from quietly import scored
from strategies import Case, cases

#: dd: topic 1 is as diverse as can be, topic 2 needs two documents for two intents
JUDGMENTS = {
    "1": {"1": {"a": 1}, "2": {"a": 1, "x": 0}},
    "2": {"1": {"a": 1, "b": 1, "c": 1}, "2": {"d": 1}},
    "3": {"1": {"x": 0}},
}
RUN = {"run": {"1": ["x", "a"], "2": ["a"]}}


def means(*kinds: str, names: str = "RR", **policies: Any) -> list[float]:
    scores = polyseme.evaluate(JUDGMENTS, RUN, names, mean=kinds, **policies)
    return [scores.mean(kind)["run"]["RR"] for kind in kinds]


# ---- by hand ------------------------------------------------------------------------------------


def test_a_mean_that_is_named_twice_is_taken_once() -> None:
    scores = polyseme.evaluate(JUDGMENTS, RUN, "RR", mean=["avg", TopicMean("avg"), "geom"])
    assert scores.means == (TopicMean("avg"), TopicMean("geom"))
    assert len(list(scores.mean_rows())) == 2


def test_the_usual_mean_is_arithmetic() -> None:
    assert means("avg") == [(0.5 + 1.0) / 2]


def test_the_geometric_mean_raises_what_is_below_the_floor() -> None:
    runs = {"run": {"1": ["x", "a"], "2": ["y"]}}
    scores = polyseme.evaluate(JUDGMENTS, runs, "RR", mean=["geom", "geom(floor=1e-4)"])
    assert scores.mean("geom")["run"]["RR"] == pytest.approx(math.sqrt(0.5 * 1e-5))
    assert scores.mean("geom(floor=1e-4)")["run"]["RR"] == pytest.approx(math.sqrt(0.5 * 1e-4))


def test_the_mean_by_difficulty_weighs_topics_that_are_hard_to_diversify() -> None:
    # topic 1 has dd 1 and weighs nothing
    assert means("dd") == [pytest.approx(1.0)]


def test_the_mean_by_difficulty_is_plain_where_no_topic_weighs_anything() -> None:
    assert means("dd", only_topics=["1"]) == [0.5]


def test_the_offset_of_xi_changes_the_weights() -> None:
    judgments = {
        "1": {"1": {"a": 1, "b": 1}, "2": {"a": 1, "c": 1, "d": 1}},
        "2": {"1": {"a": 1, "b": 1, "c": 1}, "2": {"d": 1}},
    }
    scores = polyseme.evaluate(judgments, RUN, "RR", mean=["dd", "dd(xi_offset=1)"])

    def harmonic(d_mean: float) -> float:
        return 2 * d_mean / (1 + d_mean)

    for kind, missed in (
        # topic 1 is covered by one document: 1 - (2/4 + 1/4) / 2; topic 2 by two of four
        ("dd", [(1 / 2 + 1 / 4) / 2, (1 / 16 + 9 / 16) / 2]),
        ("dd(xi_offset=1)", [(1 / 4 + 1 / 16) / 2, (1 / 64 + 27 / 64) / 2]),
    ):
        weights = [1 - harmonic(1 - each) for each in missed]
        wanted = (weights[0] * 0.5 + weights[1] * 1.0) / sum(weights)
        assert scores.mean(kind)["run"]["RR"] == pytest.approx(wanted)


def test_weights_of_topics_may_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "weights.txt"
    path.write_text("1 3\n2 1\n3 100\n")
    assert means(f"weights={path}") == [(3 * 0.5 + 1.0) / 4]


def test_a_file_of_weights_must_name_every_topic(tmp_path: Path) -> None:
    path = tmp_path / "weights.txt"
    path.write_text("1 3\n")
    with pytest.raises(InputError, match="no weight for topic 2 and 1 more"):
        means(f"weights={path}")


def test_several_means_stand_side_by_side() -> None:
    scores = polyseme.evaluate(JUDGMENTS, RUN, "RR", mean=["avg", "geom", "dd"])
    assert list(scores.mean_rows()) == [
        ("run", "all", "RR", 0.75),
        ("run", "all:geom", "RR", pytest.approx(math.sqrt(0.5))),
        ("run", "all:dd", "RR", pytest.approx(1.0)),
    ]


@given(case=cases(), xi_offset=st.integers(0, 1))
def test_means_are_the_references(case: Case, xi_offset: int) -> None:
    kinds = ["avg", "geom", f"dd(xi_offset={xi_offset})"]
    collection = case.collection
    if not any(
        collection.relevant(t, i) for t in collection.judgments for i in collection.judgments[t]
    ):
        return
    found = scored(
        collection, {"run": case.rankings}, "ERR-IA@5", mean=kinds, average_over="judged"
    )
    values = found.to_dict()["run"]["ERR-IA@5"]
    for kind, how in zip(kinds, ("avg", "geom", "dd"), strict=True):
        wanted = reference.mean(collection, values, how, xi_offset=xi_offset)
        assert found.mean(kind)["run"]["ERR-IA@5"] == pytest.approx(wanted, abs=1e-12)


def test_a_mean_over_no_topics_is_not_a_number() -> None:
    for kind in ("avg", "geom", "dd"):
        assert math.isnan(parse_mean(kind).of(np.zeros(0), np.zeros(0), 0))


def test_a_sum_divided_by_more_topics_counts_the_others_as_0() -> None:
    assert TopicMean().of(np.array([0.5, 1.0]), None, 4) == 0.375


def test_a_program_that_adds_a_count_up_is_followed_in_what_stands_for_all_topics() -> None:
    judgments = {"1": {"0": {"a": 1, "b": 1}}, "2": {"0": {"c": 1}}, "3": {"0": {"d": 1}}}
    lists = {"1": ["a", "b"], "2": ["c", "x"], "3": ["x"]}
    scores = polyseme.evaluate(judgments, {"run": lists}, dialect="trec_eval")
    assert scores.mean()["run"]["trec_eval:num_rel_ret"] == 3.0
    assert scores.mean()["run"]["trec_eval:recip_rank"] == pytest.approx(2 / 3)
    assert "added up over topics, not averaged: trec_eval:num_rel_ret" in scores.topic_report()


# ---- refused ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["RBU@10", "RBU(form=amigo)", "rbu:RBU"])
def test_a_measure_that_can_be_negative_has_no_geometric_mean(name: str) -> None:
    scores = polyseme.evaluate(JUDGMENTS, RUN, f"RR {name}")
    with pytest.raises(PolysemeError, match="can be negative, so it has no geometric mean"):
        scores.mean("geom")
    assert scores.select(measures="RR").mean("geom")["run"]["RR"] == pytest.approx(math.sqrt(0.5))


def test_a_measure_of_which_nothing_is_promised_has_no_geometric_mean() -> None:
    from polyseme.measures import Cascade, Log2, Sum

    mine = polyseme.define("mine", Sum(Cascade(), Log2()))
    with pytest.raises(PolysemeError, match="mine can be negative"):
        polyseme.evaluate(JUDGMENTS, RUN, mine()).mean("geom")


def test_weights_are_made_when_scores_are() -> None:
    scores = polyseme.evaluate(JUDGMENTS, RUN, "RR")
    with pytest.raises(PolysemeError, match=r"evaluate\(\.\.\., mean=\['dd'\]\)"):
        scores.mean("dd")


WRONG = """mean average geom(floor=0) geom(floor=1) geom(floor=x) geom(floor=nan) dd(xi=1)
    dd(xi_offset=1.5) avg(floor=0.1) geom( (dd)"""


@pytest.mark.parametrize("text", ["", *WRONG.split()])
def test_a_mean_that_is_not_known_is_refused(text: str) -> None:
    with pytest.raises(MeasureError, match="mean must be avg, geom, dd"):
        parse_mean(text)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("avg", "all"),
        ("geom", "all:geom"),
        ("geom(floor=0.0001)", "all:geom"),
        ("dd", "all:dd"),
        ("dd(xi_offset=1)", "all:dd"),
        ("weights=some/file.txt", "all:weights"),
    ],
)
def test_a_mean_is_written_as_it_is_read(text: str, label: str) -> None:
    mean = parse_mean(text)
    assert str(mean) == text
    assert parse_mean(str(mean)) == mean
    assert parse_mean(mean) is mean
    assert mean.label == label
