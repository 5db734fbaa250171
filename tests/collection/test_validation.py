"""Every problem of a file is listed, and what it holds is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyseme.collection.validation import validate
from small_files import written


def test_a_sound_file_is_counted(tmp_path: Path) -> None:
    found = validate(written(tmp_path, "1 1 a 1\n1 2 b 0\n2 1 a -2\n"))
    assert found.sound
    assert (found.kind, found.format) == ("judgments", "trec")
    assert found.counts == {
        "topics": 2, "intents": 3, "documents": 3, "judgments": 3, "relevant": 1,
    }  # fmt: skip
    assert found.remarks == []


def test_every_problem_of_judgments_is_told(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        b"1 1 a 1\n1 1 b\n1 1 c x\n1 1 a 2\n1 1 d 1 1 1\ncaf\xe9 1 a 1\n1 1 e\x01 1\n1 2 a 0\n1 1",
    )
    found = validate(path)
    assert [(error.line, error.problem) for error in found.problems] == [
        (2, "3 columns where 4 are expected"),
        (3, "the grade is 'x'"),
        (4, "document a has two grades for intent 1 of topic 1: 1 and 2"),
        (5, "6 columns where 4 are expected"),
        (6, "the line is not UTF-8"),
        (7, "the line holds the control character '\\x01'"),
        (9, "2 columns where 4 are expected"),
    ]
    assert all(error.path == str(path) for error in found.problems)
    assert all(error.expected and error.remedy for error in found.problems)
    assert found.problem_count == 7
    assert found.counts["judgments"] == 2


def test_every_problem_of_a_run_is_told(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "1 Q0 a 1 5 t\n1 Q0 b 2 nan t\n1 Q0 c 2 4\n1 Q0 a 3 3 t\n2 Q0 a 1 1 t\n1 Q0 a 4 2 t\n",
    )
    found = validate(path)
    assert [(error.line, error.problem) for error in found.problems] == [
        (2, "the score is 'nan'"),
        (3, "5 columns where 6 are expected"),
        (4, "document a is retrieved twice for topic 1, on lines 1 and 4"),
        (6, "document a is retrieved twice for topic 1, on lines 1 and 6"),
    ]
    assert found.counts == {"runs": 1, "topics": 2, "documents": 4}


def test_scores_that_disagree_with_ranks_are_a_remark(tmp_path: Path) -> None:
    found = validate(written(tmp_path, "1 Q0 a 1 1 t\n1 Q0 b 2 2 t\n2 Q0 a 1 1 t\n"))
    assert found.sound
    (remark,) = found.remarks
    assert remark.startswith("in 1 topics a document of a worse rank has a strictly higher score")


def test_equal_judgments_and_missing_non_relevant_ones_are_remarks(tmp_path: Path) -> None:
    found = validate(written(tmp_path, "1 1 a 1\n1 1 a 1\n"))
    assert found.sound
    twice, only_relevant = found.remarks
    assert "1 judgments stand twice" in twice
    assert "condensing then leaves only relevant documents" in only_relevant


def test_documents_that_come_again_in_a_dynamic_run_are_a_remark(tmp_path: Path) -> None:
    found = validate(written(tmp_path, "1 0 a 9 0\n1 0 b 8 0\n1 1 a 9 0\n"))
    assert found.sound
    (remark,) = found.remarks
    assert remark.startswith("1 documents come again in later iterations")


def test_a_header_alone_is_a_problem(tmp_path: Path) -> None:
    for header in ("topic,intent,doc,grade\n", "run,topic,doc,rank\n", "topic,doc,rank\n"):
        (error,) = validate(written(tmp_path, header)).problems
        assert error.problem == "there is not one record"


def test_the_limit_bounds_the_list_and_not_the_count(tmp_path: Path) -> None:
    found = validate(written(tmp_path, "1 1 a x\n" * 1000), limit=3)
    assert len(found.problems) == 3
    assert found.problem_count == 1000


def test_every_problem_of_probabilities_is_told(tmp_path: Path) -> None:
    lines = "1 1 .5 inf\n1 2 2 inf\n1 3 .25 odd\n2 1 .5 inf\n2 2 .5 nav\n"
    found = validate(written(tmp_path, lines))
    assert [(error.line, error.problem) for error in found.problems] == [
        (1, "the probabilities of topic 1 add up to 0.5"),
        (2, "the probability is '2'"),
        (3, "the type is 'odd'"),
    ]


def test_every_problem_of_a_table_is_told(tmp_path: Path) -> None:
    found = validate(written(tmp_path, "run,topic,doc,score\nx,1,a,1\nx,1,,2\nx,1,b,inf\ny,1,a\n"))
    assert [(error.line, error.problem) for error in found.problems] == [
        (3, "the document is missing"),
        (4, "the score is 'inf'"),
        (5, "3 columns where the header has 4"),
    ]
    assert found.kind == "run"


def test_topics_are_checked(tmp_path: Path) -> None:
    found = validate(written(tmp_path, "<t><topic number='1'><subtopic number='1'/></topic></t>"))
    assert found.sound
    assert (found.kind, found.counts) == ("topics", {"topics": 1, "subtopics": 1})


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "the file is empty"),
        ("\ufeff1 1 a 1\n", "byte-order mark"),
        ("dear reader\n", "the content is not known"),
        ("run,topic,measure,value\n", "this looks like scores in CSV"),
        ("1 1 a 1\n" + "x" * 2_000_000, "a line is longer"),
    ],
)
def test_what_ends_the_reading_is_a_problem_too(tmp_path: Path, content: str, problem: str) -> None:
    found = validate(written(tmp_path, content))
    assert problem in found.problems[-1].problem
    assert not found.sound


def test_a_missing_file_is_a_problem() -> None:
    (error,) = validate("no/such/file").problems
    assert error.problem == "there is no such file"


def test_the_kind_can_be_said(tmp_path: Path) -> None:
    path = written(tmp_path, "1 1 a 1\n")
    (error,) = validate(path, kind="run").problems
    assert error.problem.startswith("this looks like TREC judgments")
