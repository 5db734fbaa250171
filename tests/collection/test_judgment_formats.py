"""Judgments line by line: what each format means, and what each mistake is told as."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from polyseme.collection.reading import read_qrels
from polyseme.errors import PolysemeWarning
from small_files import by_intent, qrels_error, written


def test_trec_diversity_judgments(tmp_path: Path) -> None:
    path = written(tmp_path, "2 1 b 2\n1 1 a 1\n10 3 c -2\n1 2 a 0\n1 1 c +1\n")
    judged = read_qrels(path)
    assert judged.topics == ("1", "2", "10")
    assert by_intent(judged) == {
        "1": {"1": {"a": 1, "c": 1}, "2": {"a": 0}},
        "2": {"1": {"b": 2}},
        "10": {"3": {"c": -2}},
    }
    assert judged.highest_grade == 2


def test_trec_ad_hoc_judgments_have_the_one_intent_0(tmp_path: Path) -> None:
    judged = read_qrels(written(tmp_path, "1  0  a   2\n1  0  b   -2\n"))
    assert judged.intents == ("0",)
    assert by_intent(judged) == {"1": {"0": {"a": 2, "b": -2}}}


def test_ntcir_judgments(tmp_path: Path) -> None:
    path = written(tmp_path, "0001 0 a L0\n0001 1 b L4\n0001 2 b L9\n")
    assert by_intent(read_qrels(path)) == {"0001": {"0": {"a": 0}, "1": {"b": 4}, "2": {"b": 9}}}


def test_dynamic_domain_ratings_are_added_up_and_a_0_counts_1(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "DD1\tDD1.1\ta\t7\t3\nDD1\tDD1.2\ta\t7\t1\nDD1\tDD1.1\tb\t9\t0\nDD1\tDD1.1\ta\t8\t4\n",
    )
    assert by_intent(read_qrels(path)) == {"DD1": {"DD1.1": {"a": 7, "b": 1}, "DD1.2": {"a": 1}}}


def test_whole_grades_may_have_a_point(tmp_path: Path) -> None:
    assert by_intent(read_qrels(written(tmp_path, "1 1 a 2.0\n"))) == {"1": {"1": {"a": 2}}}


TREC = "topic intent doc grade"
NTCIR = "topic intent doc L0..L9"
DD = "topic subtopic doc passage rating"
GRADE = "a grade that is a whole number from -1,000,000 to 1,000,000"


@pytest.mark.parametrize(
    ("good", "bad", "problem", "expected", "remedy"),
    [
        ("1 1 a 1", "1 1 b", "3 columns where 4 are expected", TREC, "cut short"),
        ("1 1 a 1", "1", "1 column where 4 are expected", TREC, "cut short"),
        ("1 1 a 1", "1 1 b 1 x", "5 columns where 4 are expected", TREC, "extra columns"),
        ("1 1 a 1", "1 1 b one", "the grade is 'one'", GRADE, "mend the grade"),
        ("1 1 a 1", "1 1 b 1.5", "the grade is '1.5'", GRADE, "mend the grade"),
        ("1 1 a 1", "1 1 b nan", "the grade is 'nan'", GRADE, "mend the grade"),
        ("1 1 a 1", "1 1 b inf", "the grade is 'inf'", GRADE, "mend the grade"),
        ("1 1 a 1", "1 1 b 1e999", "the grade is '1e999'", GRADE, "mend the grade"),
        ("1 1 a 1", "1 1 b 1_0", "the grade is '1_0'", GRADE, "mend the grade"),
        ("1 1 a 1", "1 1 b ١", "the grade is '١'", GRADE, "mend the grade"),
        ("1 1 a 1", "1 1 b 1000001", "the grade is '1000001'", GRADE, "mend the grade"),
        ("1 1 a 1", "1 1 b 99999999999999999999", "the grade is '9999", GRADE, "mend the grade"),
        ("1 1 a 1", "1 1 b L1", "the grade is 'L1'", GRADE, "mend the grade"),
        ("1 1 a L1", "1 1 b L10", "the grade is 'L10'", "a grade from L0 to L9", "mend"),
        ("1 1 a L1", "1 1 b 1", "the grade is '1'", "a grade from L0 to L9", "mend"),
        ("1 1 a L1", "1 1 L1", "3 columns where 4 are expected", NTCIR, "cut short"),
        ("1 s a 7 1", "1 s b 7", "4 columns where 5 are expected", DD, "cut short"),
        ("1 s a 7 1", "1 s b 7 -1", "the rating is '-1'", "a rating that is a whole", "mend"),
        ("1 s a 7 1", "1 s b 7 1.5", "the rating is '1.5'", "a rating that is a whole", "mend"),
    ],
)
def test_a_malformed_line_is_told_with_its_place_text_and_remedy(
    tmp_path: Path, good: str, bad: str, problem: str, expected: str, remedy: str
) -> None:
    path = written(tmp_path, f"{good}\n# comment\n{bad}\n{good}\n{good}\n")
    error = qrels_error(path)
    assert error.path == str(path)
    assert error.line == 3
    assert error.text == bad
    assert problem in error.problem
    assert str(error.expected).startswith(expected)
    assert remedy in str(error.remedy)
    assert f"{path}:3: " in str(error)


def test_two_grades_for_the_same_are_an_error_at_the_second(tmp_path: Path) -> None:
    error = qrels_error(written(tmp_path, "1 1 a 1\n1 2 a 0\n1 1 a 2\n"))
    assert error.problem == "document a has two grades for intent 1 of topic 1: 1 and 2"
    assert (error.line, error.text) == (3, "1 1 a 2")
    assert error.expected == "one grade for a topic, an intent and a document"
    assert error.remedy == "remove one of the two lines"


def test_equal_judgments_are_a_warning_and_count_once(tmp_path: Path) -> None:
    path = written(tmp_path, "1 1 a 1\n1 1 b 1\n1 1 a 1\n1 1 a 1\n")
    with pytest.warns(PolysemeWarning, match="2 judgments stand twice"):
        judged = read_qrels(path)
    assert by_intent(judged) == {"1": {"1": {"a": 1, "b": 1}}}


def test_ratings_that_add_up_to_too_much_are_an_error(tmp_path: Path) -> None:
    error = qrels_error(written(tmp_path, "1 s a 7 999999\n1 s b 7 1\n1 s a 8 2\n"))
    assert "add up to 1,000,001" in error.problem
    assert error.line == 1


def test_judgments_without_a_non_relevant_line_say_so(tmp_path: Path) -> None:
    assert read_qrels({"1": {"1": {"a": 1}}}).only_relevant
    assert not read_qrels({"1": {"1": {"a": 1, "b": 0}}}).only_relevant
    assert not read_qrels({"1": {"1": {"a": 1}, "0": {"b": -2}}}).only_relevant


def test_topics_of_thousands_of_digits_are_names_too() -> None:
    long = "9" * 5000
    judged = read_qrels({long: {"1": {"a": 1}}, "007": {"1": {"a": 1}}, "7": {"1": {"a": 1}}})
    assert judged.topics == ("007", "7", long)


def test_every_error_says_what_is_expected_and_what_to_do(tmp_path: Path) -> None:
    text = str(qrels_error(written(tmp_path, "1 1 a one\n")))
    assert re.fullmatch(
        r".*file\.txt:1: the grade is 'one'\n"
        r"  the text: '1 1 a one'\n"
        r"  expected: a grade that is .*\n"
        r"  to mend it: mend the grade",
        text,
    )
