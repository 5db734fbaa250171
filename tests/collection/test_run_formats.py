"""Runs line by line: what each format means, and what each mistake is told as."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.collection.formats.trec_runs import quick_score
from polyseme.collection.reading import read_runs
from polyseme.errors import InputError
from small_files import rows, run_error, written


def test_a_trec_run_keeps_the_order_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, "1 Q0 b 2 -1.5e-3 t\n1 Q0 a 1 7 t\n2 x c 0 .5 u\n", "my.run")
    (run,) = read_runs(path)
    assert run.name == "my"
    assert run.path == str(path)
    assert rows(run) == [
        ("1", "b", -0.0015, 2, None),
        ("1", "a", 7.0, 1, None),
        ("2", "c", 0.5, 0, None),
    ]


def test_a_dynamic_domain_run_has_iterations_and_no_ranks(tmp_path: Path) -> None:
    path = written(tmp_path, "DD1\t0\ta\t100\t0\nDD1\t0\tb\t99.5\t2.5\nDD1\t2\ta\t100\t0\n")
    (run,) = read_runs(path)
    assert rows(run) == [
        ("DD1", "a", 100.0, None, 0),
        ("DD1", "b", 99.5, None, 0),
        ("DD1", "a", 100.0, None, 2),
    ]


def test_interleaved_topics_are_grouped_ones(tmp_path: Path) -> None:
    lines = ["1 Q0 a 1 3 t", "2 Q0 c 1 3 t", "1 Q0 b 2 2 t", "2 Q0 d 2 2 t"]
    (mixed,) = read_runs(written(tmp_path, "\n".join(lines), "mixed"))
    (grouped,) = read_runs(written(tmp_path, "\n".join(sorted(lines)), "grouped"))
    assert rows(mixed) == rows(grouped)


def test_lines_are_remembered_for_what_is_found_later(tmp_path: Path) -> None:
    path = written(tmp_path, "# made by hand\n1 Q0 a 1 3 t\n2 Q0 c 1 3 t\n1 Q0 a 2 2 t\n", "x.run")
    (run,) = read_runs(path)
    with pytest.raises(InputError, match="retrieved twice for topic 1, on lines 2 and 4") as caught:
        list(run.ordered())
    assert (caught.value.path, caught.value.line) == (str(path), 4)


TREC = "topic Q0 doc rank score tag"
DD = "topic iteration doc score rel"
SCORE = "a score that is a finite number"
RANK = "a rank that is a whole number"


@pytest.mark.parametrize(
    ("good", "bad", "problem", "expected", "remedy"),
    [
        ("1 Q0 a 1 3 t", "1 Q0 b 2 2", "5 columns where 6 are expected", TREC, "cut short"),
        ("1 Q0 a 1 3 t", "1 Q0", "2 columns where 6 are expected", TREC, "cut short"),
        ("1 Q0 a 1 3 t", "1 Q0 b 2 2 t u", "7 columns where 6", TREC, "extra columns"),
        ("1 Q0 a 1 3 t", "1 Q0 b two 2 t", "the rank is 'two'", RANK, "mend the rank"),
        ("1 Q0 a 1 3 t", "1 Q0 b 1.5 2 t", "the rank is '1.5'", RANK, "mend the rank"),
        ("1 Q0 a 1 3 t", "1 Q0 b 99999999999 2 t", "the rank is '9999", RANK, "mend the rank"),
        ("1 Q0 a 1 3 t", "1 Q0 b 2 two t", "the score is 'two'", SCORE, "mend the score"),
        ("1 Q0 a 1 3 t", "1 Q0 b 2 nan t", "the score is 'nan'", SCORE, "mend the score"),
        ("1 Q0 a 1 3 t", "1 Q0 b 2 -inf t", "the score is '-inf'", SCORE, "mend the score"),
        ("1 Q0 a 1 3 t", "1 Q0 b 2 1e400 t", "the score is '1e400'", SCORE, "mend the score"),
        ("1 Q0 a 1 3 t", "1 Q0 b 2 1_0 t", "the score is '1_0'", SCORE, "mend the score"),
        ("1 Q0 a 1 3 t", "1 Q0 b 2 ٣ t", "the score is '٣'", SCORE, "mend the score"),
        ("1 0 a 3 0", "1 x b 2 0", "the iteration is 'x'", "an iteration", "mend"),
        ("1 0 a 3 0", "1 -1 b 2 0", "the iteration is '-1'", "an iteration", "mend"),
        ("1 0 a 3 0", "1 100001 b 2 0", "the iteration is '100001'", "an iteration", "mend"),
        ("1 0 a 3 0", "1 1 b nan 0", "the score is 'nan'", SCORE, "mend the score"),
        ("1 0 a 3 0", "1 1 b 2", "4 columns where 5 are expected", DD, "cut short"),
    ],
)
def test_a_malformed_line_is_told_with_its_place_text_and_remedy(
    tmp_path: Path, good: str, bad: str, problem: str, expected: str, remedy: str
) -> None:
    path = written(tmp_path, f"{good}\n\n{bad}\n{good}\n{good}\n")
    error = run_error(path)
    assert (error.path, error.line, error.text) == (str(path), 3, bad)
    assert problem in error.problem
    assert str(error.expected).startswith(expected)
    assert remedy in str(error.remedy)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_scores_are_read_to_the_last_digit(score: float) -> None:
    assert quick_score(repr(score)) == score


@given(
    order=st.permutations(
        [("1", "a", 3), ("1", "b", 2), ("2", "a", 9), ("2", "c", 1), ("3", "d", 0)]
    )
)
def test_the_order_of_lines_does_not_change_what_scores_say(
    order: list[tuple[str, str, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = "".join(f"{topic} Q0 {document} 1 {score} t\n" for topic, document, score in order)
    (run,) = read_runs(written(tmp_path_factory.mktemp("order"), text, "x.run"))
    assert run.prefix() == {"1": ["a", "b"], "2": ["a", "c"], "3": ["d"]}
