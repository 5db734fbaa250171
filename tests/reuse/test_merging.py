from __future__ import annotations

from pathlib import Path

import pytest

from commands import done, records, run
from polyseme.collection.reading import read_qrels
from polyseme.errors import InputError
from polyseme.reuse.merging import merge

FIRST = {"1": {"A": {"d1": 2, "d2": 0}, "B": {"d1": 0}}}


def test_all_judgments_of_both_are_there() -> None:
    more = read_qrels({"1": {"A": {"d3": 1, "d2": 0}, "C": {"d1": 1}}, "2": {"A": {"e": 0}}})
    found = merge(read_qrels(FIRST), more)
    assert set(found.after.lines()) == {*read_qrels(FIRST).lines(), *more.lines()}
    assert found.repeated == 1


def test_two_grades_of_one_judgment_are_an_error() -> None:
    with pytest.raises(InputError, match=r"more.qrels: .* d1 .*: 2 before, and 1"):
        merge(read_qrels(FIRST), read_qrels({"1": {"A": {"d1": 1}}}), source="more.qrels")


def test_the_grade_table_counts_before_and_after() -> None:
    found = merge(read_qrels(FIRST), read_qrels({"1": {"A": {"d3": 1, "d4": -2}}}))
    assert list(found.table().rows) == [
        ("2", 1, 0, 1),
        ("1", 0, 1, 1),
        ("0", 2, 0, 2),
        ("-2", 0, 1, 1),
        ("all", 3, 2, 5),
        ("documents", 2, 2, 4),
        ("relevant", 1, 1, 2),
        ("topics", 1, 0, 1),
    ]


def test_probabilities_and_types_are_kept() -> None:
    judged = read_qrels(FIRST).with_intents(
        {"1": {"A": 0.7, "B": 0.3}}, {"1": {"A": "nav", "B": "inf"}}
    )
    after = merge(judged, read_qrels({"1": {"A": {"d9": 1}}})).after
    assert after.given_probability.tolist() == [0.7, 0.3]
    assert after.navigational.tolist() == [True, False]


def test_the_command_writes_what_reads_as_both(tmp_path: Path) -> None:
    (tmp_path / "a.qrels").write_text("1 A d1 1\n1 A d2 0\n")
    (tmp_path / "b.qrels").write_text("1 A d3 2\n2 B e1 1\n")
    into = tmp_path / "c.qrels"
    result = done("merge", tmp_path / "a.qrels", tmp_path / "b.qrels", "--into", into)
    assert into.read_text() == "1 A d1 1\n1 A d2 0\n1 A d3 2\n2 B e1 1\n"
    assert records(result.stdout)[0] == {"grade": "2", "before": "0", "added": "1", "after": "1"}


def test_standard_input_is_one_file_only() -> None:
    assert run("merge", "-", "-").exit_code == 2
