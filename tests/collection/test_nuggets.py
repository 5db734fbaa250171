"""Nuggets of answers: as intents with probabilities, in every spelling, and every mistake told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import polyseme
from commands import done, run
from polyseme.collection.formats.opening import source_of
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.sniffing import sniff
from small_files import by_intent, probabilities_of, qrels_error

PRICE = {"id": "price", "importance": 0.7, "passages": {"p1": 2, "p2": 0}}
WARRANTY = {"id": "warranty", "importance": 0.3, "passages": ["p2", "p3"]}
FIRST = {"query": "q1", "nuggets": [PRICE, WARRANTY], "judged": ["p9"]}
#: the same as rows, by hand
ROWS = """\
topic,intent,doc,grade,prob
q1,price,p1,2,0.7
q1,price,p2,0,0.7
q1,warranty,p2,1,0.3
q1,warranty,p3,1,0.3
q1,0,p9,0,
"""


def lines(folder: Path, *records: object) -> Path:
    path = folder / "nuggets.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return path


def test_nuggets_are_intents_their_importance_probabilities_and_support_grades(
    tmp_path: Path,
) -> None:
    judged = polyseme.read_qrels(lines(tmp_path, FIRST))
    assert by_intent(judged) == {
        "q1": {"price": {"p1": 2, "p2": 0}, "warranty": {"p2": 1, "p3": 1}, "0": {"p9": 0}}
    }
    assert probabilities_of(judged) == {"q1": {"price": 0.7, "warranty": 0.3}}


def test_scores_are_those_of_the_same_judgments_in_rows(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(ROWS, encoding="utf-8")
    runs = {"mine": {"q1": ["p9", "p3", "p8", "p1", "p2"]}}
    measures = ["D#-nDCG@3", "D#-nDCG'@3", "ERR-IA@5", "alpha-nDCG@5", "I-rec@3"]
    ours = polyseme.evaluate(lines(tmp_path, FIRST), runs, measures)
    theirs = polyseme.evaluate(tmp_path / "rows.csv", runs, measures)
    assert ours.to_dict() == theirs.to_dict()


@pytest.mark.parametrize("said", [[3, 1], [0.75, 0.25], [30, 10.0]])
def test_importance_is_shared_out_among_the_nuggets_of_a_query(
    said: list[float], tmp_path: Path
) -> None:
    nuggets = [{"id": str(n), "importance": w, "passages": ["p"]} for n, w in enumerate(said, 1)]
    judged = polyseme.read_qrels(lines(tmp_path, {"query": "q", "nuggets": nuggets}))
    assert probabilities_of(judged) == {"q": {"1": 0.75, "2": 0.25}}


def test_vital_nuggets_weigh_twice_as_much_as_okay_ones(tmp_path: Path) -> None:
    nuggets = [
        {"text": "a", "importance": "vital", "passages": ["p"]},
        {"text": "b", "importance": "okay"},
        {"text": "c", "importance": "okay", "passages": []},
    ]
    given = {"qid": "7", "query": "what is it?", "nuggets": nuggets}
    judged = polyseme.read_qrels(lines(tmp_path, given))
    assert probabilities_of(judged) == {"7": {"1": 0.5, "2": 0.25, "3": 0.25}}
    assert by_intent(judged) == {"7": {"1": {"p": 1}}}


def test_nuggets_without_importance_are_equally_important_also_those_without_passages(
    tmp_path: Path,
) -> None:
    nuggets: list[dict[str, Any]] = [{"passages": ["p"]}, {}, {}, {}]
    path = lines(tmp_path, {"query": "q", "nuggets": nuggets})
    runs = {"mine": {"q": ["p"]}}
    dropped = polyseme.evaluate(path, runs, "I-rec@1")
    kept = polyseme.evaluate(path, runs, "I-rec@1", keep_empty_intents=True)
    assert dropped.mean() == {"mine": {"I-rec@1": 1.0}}
    assert kept.mean() == {"mine": {"I-rec@1": 0.25}}


@pytest.mark.parametrize("query", ["topic", "qid", "query_id", "topic_id", "request_id", "query"])
@pytest.mark.parametrize("nugget", ["id", "nugget_id", "intent", "question_id"])
@pytest.mark.parametrize("passages", ["passages", "docs", "documents", "support"])
def test_keys_of_other_programs_are_understood(
    query: str, nugget: str, passages: str, tmp_path: Path
) -> None:
    given = {query: 5, "nuggets": [{nugget: "n", passages: ["p"]}]}
    assert by_intent(polyseme.read_qrels(lines(tmp_path, given))) == {"5": {"n": {"p": 1}}}


@pytest.mark.parametrize(
    "passages",
    [
        {"a": 2, "b": 1, "c": 0},
        {"a": "support", "b": "partial_support", "c": "not_support"},
        [{"passage": "a", "grade": 2}, {"doc": "b"}, {"id": "c", "grade": 0}],
        [{"docid": "a", "assignment": "support"}, "b", {"doc_id": "c", "support": "not_support"}],
    ],
)
def test_support_is_graded_in_several_ways(passages: object, tmp_path: Path) -> None:
    given = {"query": "q", "nuggets": [{"id": "n", "passages": passages}]}
    judged = polyseme.read_qrels(lines(tmp_path, given))
    assert by_intent(judged) == {"q": {"n": {"a": 2, "b": 1, "c": 0}}}


def test_the_format_is_told_by_its_content(tmp_path: Path) -> None:
    path = lines(tmp_path, FIRST)
    guess = sniff(source_of(path), Report("x"))
    assert (guess.kind, guess.format) == ("judgments", "nuggets")
    assert "judgments (nuggets): 1 topic" in done("validate", path).stdout
    wrong = run("evaluate", path, path)
    assert "this looks like nuggets of answers" in wrong.stderr


def test_queries_in_memory_are_read_as_they_are_on_lines(tmp_path: Path) -> None:
    ours, theirs = polyseme.read_qrels([FIRST]), polyseme.read_qrels(lines(tmp_path, FIRST))
    assert by_intent(ours) == by_intent(theirs)
    assert probabilities_of(ours) == probabilities_of(theirs)
    error = qrels_error([FIRST, {**FIRST, "query": "q2", "judged": "p9"}])
    assert (error.line, error.problem) == (2, "judged of query q2 is 'p9'")
    assert FIRST["judged"] == ["p9"]


def test_nuggets_convert_to_rows_and_back(tmp_path: Path) -> None:
    path = lines(tmp_path, FIRST)
    rows = tmp_path / "rows.csv"
    done("convert", path, "-o", rows)
    assert sorted(rows.read_text().splitlines()) == sorted(ROWS.splitlines())
    back = json.loads(done("convert", rows, "--to", "nuggets", "-o", "-").stdout)
    assert back == {
        **FIRST,
        "nuggets": [PRICE, {**WARRANTY, "passages": {"p2": 1, "p3": 1}}],
    }
    weights = done("convert", path, "--kind", "probabilities", "-o", "-").stdout
    assert weights == "q1 price 0.7\nq1 warranty 0.3\n"


@pytest.mark.parametrize(
    ("record", "problem", "expected"),
    [
        ({"query": "q"}, "query q has no list of nuggets", "a query and its nuggets"),
        ({"nuggets": [PRICE]}, "the query has no name", "topic or qid"),
        ({"query": "q", "nuggets": {}}, "no list of nuggets", "a query and its nuggets"),
        ({"query": "q", "nuggets": [1]}, "nugget 1 of query q is no object", "a query and"),
        ({"query": "q", "nuggets": [PRICE, PRICE]}, "two nuggets named price", "of its own"),
        (
            {"query": "q", "nuggets": [PRICE, {"id": "b"}]},
            "1 of the 2 nuggets of query q have an importance",
            "for all nuggets",
        ),
        (
            {"query": "q", "nuggets": [{**PRICE, "importance": 0}]},
            "no nugget of query q is of any importance",
            "above 0",
        ),
        (
            {"query": "q", "nuggets": [{**PRICE, "importance": "crucial"}]},
            "the importance of nugget 1 of query q is 'crucial'",
            "vital or okay",
        ),
        (
            {"query": "q", "nuggets": [{**PRICE, "importance": -1}]},
            "the importance of nugget 1 of query q is -1",
            "0 or more",
        ),
        (
            {"query": "q", "nuggets": [{**PRICE, "passages": "p1"}]},
            "the passages of nugget 1 of query q are 'p1'",
            "a list of names",
        ),
        (
            {"query": "q", "nuggets": [{**PRICE, "passages": {"p1": "somewhat"}}]},
            "support of nugget 1 of query q is 'somewhat'",
            "partial_support",
        ),
        ({"query": "q", "nuggets": [{**PRICE, "passages": [""]}]}, "the passage is", "a text"),
        (
            {"query": "q", "nuggets": [{"id": "a"}]},
            "no passage of query q is known",
            "passages of a nugget, or judged",
        ),
        ({**FIRST, "judged": "p9"}, "judged of query q1 is 'p9'", "a list of passages"),
    ],
)
def test_every_mistake_is_told_with_its_line(
    record: object, problem: str, expected: str, tmp_path: Path
) -> None:
    good = {**FIRST, "query": "first"}
    error = qrels_error(lines(tmp_path, good, record), format="nuggets")
    assert error.line == 2
    assert problem in error.problem
    assert expected in (error.expected or "")
    assert error.remedy


def test_a_query_on_two_lines_and_a_passage_named_twice_are_errors(tmp_path: Path) -> None:
    error = qrels_error(lines(tmp_path, FIRST, FIRST))
    assert (error.line, error.problem) == (2, "query q1 was on line 1 already")
    path = tmp_path / "twice.jsonl"
    path.write_text('{"query": "q", "nuggets": [{"passages": {"p": 1, "p": 2}}]}\n')
    assert "'p' is there twice in one object" in qrels_error(path).problem
