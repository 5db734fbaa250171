from __future__ import annotations

import io
import math
from pathlib import Path

import numpy as np
import pytest

from polyseme.errors import PolysemeError
from polyseme.meta.preferences import (
    Preferences,
    Triplet,
    of_answers,
    preference_agreement,
    read_preferences,
    read_triplets,
    reliability,
)
from polyseme.meta.preferences.agreement import Majority
from polyseme.reporting.records import write_csv
from polyseme.scores import Scores

TRIPLETS = [Triplet(f"t{n}", "a", "b") for n in range(1, 7)]
# Five judges, six triplets. Left-both-right: 5-0-0, 3-1-1, 2-1-2 (tied), 0-4-1, 1-0-2, 0-1-0 (tied)
TABLE = """\
judge,t1/a/b,t2/a/b,t3/a/b,t4/a/b,t5/a/b,t6/a/b
ann,1,1,1,2,1,
bob,1,1,1,2,3,
cem,1,1,2,2,3,2
dan,1,2,3,2,,
eva,1,3,3,3,,
"""


@pytest.fixture
def matrix(tmp_path: Path) -> Preferences:
    path = tmp_path / "relevance.csv"
    path.write_text(TABLE, encoding="utf-8")
    return read_preferences(str(path), TRIPLETS)


def test_a_matrix_is_read_as_it_stands(matrix: Preferences) -> None:
    assert matrix.judges == ("ann", "bob", "cem", "dan", "eva")
    assert matrix.triplets == tuple(each.name for each in TRIPLETS)
    assert matrix.name == "relevance"
    assert matrix.counts(1).tolist() == [5, 3, 2, 0, 1, 0]
    assert matrix.counts(2).tolist() == [0, 1, 1, 4, 0, 1]
    assert matrix.counts(3).tolist() == [0, 1, 2, 1, 2, 0]
    assert matrix.lead.tolist() == [5, 2, 0, -1, -1, 0]


def test_a_matrix_goes_out_as_it_came_in(matrix: Preferences) -> None:
    stream = io.StringIO()
    write_csv(matrix.report(), stream)
    assert stream.getvalue() == TABLE


def test_the_majority_is_of_left_against_right_without_ties(matrix: Preferences) -> None:
    assert matrix.majority() == {"t1/a/b": 1, "t2/a/b": 1, "t4/a/b": 3, "t5/a/b": 3}
    assert matrix.tied == 2
    rows = Majority(matrix, {each.name: each for each in TRIPLETS}).report().data.held
    assert rows[0] == ("t1", "a", "b", 5, 0, 0, "left")
    assert rows[3] == ("t4", "a", "b", 0, 4, 1, "right")
    assert rows[2][-1] is None


def test_high_agreement_is_nine_of_fifteen_and_as_much_of_others(matrix: Preferences) -> None:
    # five judges: three must agree on left or on right; four who say both irrelevant do not count
    assert matrix.usual_agreement == 3
    assert matrix.high_agreement().triplets == ("t1/a/b", "t2/a/b")
    assert matrix.high_agreement(2).triplets == ("t1/a/b", "t2/a/b", "t3/a/b", "t5/a/b")
    for judges, wanted in ((15, 9), (14, 9), (16, 10), (10, 6), (7, 5), (3, 2), (2, 2), (1, 1)):
        everybody = Preferences(
            tuple(f"{n}" for n in range(judges)), ("t",), np.ones((judges, 1), np.int8)
        )
        assert everybody.usual_agreement == wanted == math.ceil(round(0.6 * judges, 9))


def test_the_rule_is_of_judges_a_triplet_has_where_each_is_given_to_some() -> None:
    cells = np.zeros((30, 2), np.int8)
    cells[:15, 0] = 1
    cells[10:25, 1] = [1] * 8 + [3] * 7
    found = Preferences(tuple(f"{n}" for n in range(30)), ("s", "t"), cells)
    assert found.usual_agreement == 9
    assert found.high_agreement().triplets == ("s",)


def test_reliability_tells_alpha_and_each_judge_left_out(matrix: Preferences) -> None:
    # worked out by hand: in t1..t5 (t6 has one answer) the coincidences that disagree are
    # t2: values 1,1,1,2,3 -> (3*1 + 3*1 + 1*1) * 2 / 4 = 3.5; t3: 1,1,2,3,3 -> (2+4+2) * 2 / 4 = 4;
    # t4: 2,2,2,2,3 -> 4 * 2 / 4 = 2; t5: 1,3,3 -> 2 * 2 / 2 = 2; t1: 0. Together 11.5.
    # totals: 1 stands 5+3+2+1 = 11 times, 2: 1+1+4 = 6, 3: 1+2+1+2 = 6; n = 23.
    # expected: 2 (11*6 + 11*6 + 6*6) = 336; alpha = 1 - 22 * 11.5 / 336
    found = reliability(matrix)
    assert found.matrices[0].alpha.value == pytest.approx(1 - 22 * 11.5 / 336)
    assert found.matrices[0].answers == (11, 7, 6)
    # without eva: t2: 1,1,1,2 -> 3*2/3 = 2; t3: 1,1,2,3 -> (2+2+1)*2/3 = 10/3; t4: 0; t5: 2; t1: 0
    # totals: 1: 4+3+2+1 = 10, 2: 1+1+4 = 6, 3: 1+2 = 3; n = 19; expected 2 (60 + 30 + 18) = 216
    assert found.matrices[0].without["eva"].value == pytest.approx(1 - 18 * (22 / 3) / 216)
    assert found.matrices[0].high == 2


def test_undefined_alphas_are_said() -> None:
    alike = of_answers(["x", "y"], ["s", "t"], [(j, t, 3) for j in "xy" for t in "st"], name="q")
    notes = " ".join(reliability(alike).report().all_notes)
    assert "undefined for q" in notes
    assert "all answers are equal" in notes
    assert "q without x" in notes
    silent = of_answers(["x"], ["s"], [], name="silent")
    assert "two judges" in " ".join(reliability(silent).report().all_notes)


def test_two_questions_are_correlated_over_triplets_that_both_have(matrix: Preferences) -> None:
    other = of_answers(
        ["ann", "bob"],
        ["t9/a/b", "t2/a/b", "t1/a/b", "t4/a/b", "t3/a/b", "t6/a/b"],
        [(j, t, a) for j in ("ann", "bob") for t, a in (("t1/a/b", 1), ("t2/a/b", 3))]
        + [("ann", "t4/a/b", 3), ("bob", "t3/a/b", 2), ("ann", "t9/a/b", 1)],
        name="diversity",
    )
    ((_, _, found),) = reliability(matrix, other).related
    # left less right: (5, 2), (2, -2), (-1, -1), (0, 0); t5 and t9 are in one, t6 in none
    assert found.n == 4
    assert found.r == pytest.approx(np.corrcoef([5, 2, -1, 0], [2, -2, -1, 0])[0, 1])


# ---- agreement ----------------------------------------------------------------------------------


def scores(**measures: list[float]) -> Scores:
    """What a gains over b by each measure, topic by topic."""
    gaps = np.array(list(measures.values())).T
    values = np.stack([0.5 + gaps / 2, 0.5 - gaps / 2])
    there = np.ones(values.shape[:2], np.bool_)
    topics = tuple(each.topic for each in TRIPLETS)
    return Scores(("a", "b"), topics, tuple(measures), values, there, there)


def test_ties_of_the_measure_are_counted_apart(matrix: Preferences) -> None:
    # the majority: t1 left, t2 left, t4 right, t5 right; t3 and t6 are tied
    held = scores(
        perfect=[0.2, 0.1, 0.9, -0.4, -0.1, 0.9],
        half=[0.2, -0.1, 0.9, 1e-14, -0.1, 0.9],
        blind=[0, 0, 0, 0, 0, 0],
    )
    found = preference_agreement(held, matrix, TRIPLETS)
    assert (found.pairs, found.tied) == (4, 2)
    perfect, half, blind = (found.of(name) for name in ("perfect", "half", "blind"))
    assert (perfect.agree, perfect.disagree, perfect.ties, perfect.tau) == (4, 0, 0, 1)
    assert (half.agree, half.disagree, half.ties) == (2, 1, 1)
    assert half.tau == pytest.approx(1 / 3)
    assert (blind.agree, blind.disagree, blind.ties) == (0, 0, 4)
    assert math.isnan(blind.tau)
    high = preference_agreement(held, matrix, TRIPLETS, high_agreement=True)
    assert (high.pairs, high.at_least) == (2, 3)
    assert (high.of("half").agree, high.of("half").disagree) == (1, 1)
    text = " ".join(high.report().all_notes)
    assert "at least 3 judges" in text
    assert "no part of tau" in " ".join(found.report().all_notes)
    assert found.report().data.names == (
        *("measure", "agree", "disagree", "ties", "tau", "low", "high"),
    )


def test_scores_must_be_there_for_what_was_judged(matrix: Preferences) -> None:
    held = scores(m=[0.2] * 6)
    with pytest.raises(PolysemeError, match="no topic 't4'"):
        preference_agreement(held.select(topics=["t1", "t2"]), matrix, TRIPLETS)
    with pytest.raises(PolysemeError, match="no run 'b'"):
        preference_agreement(held.select(runs="a"), matrix, TRIPLETS)
    held.values[0, 0] = math.nan
    with pytest.raises(PolysemeError, match="missing zero"):
        preference_agreement(held, matrix, TRIPLETS)
    with pytest.raises(PolysemeError, match="no triplets"):
        preference_agreement(held, matrix, TRIPLETS[:2])


# ---- files --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "1 2 3\n3 - 1\n",
        "1,2,3\n3,,1\n",
        "1\t2\t3\n3\tNA\t1\n",
        "# made by hand\n\n1 2 3\n3 nan 1\n",
        'judge,1,2,3\n01,1,2,3\n"02",3,,1\n',
        ",1,2,3\n01,1,2,3\n02,3,,1\n",
        "judge;1;2;3\n01;1;2;3\n02;3;NA;1\n",
        "judge,t3/a/b,t1/a/b,t2/a/b\n01,3,1,2\n02,1,3,\n",
    ],
)
def test_matrices_come_with_names_and_without(tmp_path: Path, text: str) -> None:
    path = tmp_path / "m.csv"
    path.write_text(text, encoding="utf-8")
    found = read_preferences(str(path), TRIPLETS[:3])
    assert found.judges == ("01", "02")
    in_order = found.select([each.name for each in TRIPLETS[:3]])
    assert in_order.cells.tolist() == [[1, 2, 3], [3, 0, 1]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("judge,t1/a/b\nann,4\n", r":2: the answer about the triplet 't1/a/b' is '4'"),
        ("judge,t1/a/b\nann,left\n", r":2: the answer .* is 'left'"),
        ("judge,t1/a/b\nann,1.0\n", r":2: the answer"),
        ("judge,t1/a/b\nann,1\nann,3\n", r":3: the judge 'ann' has a second row"),
        ("judge,t1/a/b\nann,1,3\n", r":2: 3 columns where the header has 2"),
        ("judge,t1/a/b,t1/a/b\nann,1,3\n", r"2 columns named 't1/a/b'"),
        ("judge,t1/a/c\nann,1\n", r"'t1/a/c' is none of the 3 triplets; did you mean"),
        ("judge\nann\n", "does not look like a matrix"),
        ("topic,run,measure\n1,2,3\n", "does not look like a matrix"),
        ("1 2\n3 3\n", "2 columns and 3 triplets"),
        ("1 2 3\n3 3\n", r":2: 2 columns where the first line has 3"),
        ("7 2 3\n", "is '7'"),
        ("judge,t1/a/b\n", "not one judge"),
        ("\n# nothing\n", "nothing but blank lines"),
        ("", "the file is empty"),
        ("judge,t1/a/b\n,1\n", ":2: the judge is missing"),
    ],
)
def test_what_is_wrong_with_a_matrix_is_told(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "m.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PolysemeError, match=said) as caught:
        read_preferences(str(path), TRIPLETS[:3])
    assert str(path) in str(caught.value)


def test_triplets_are_read_as_pairs_writes_them(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("topic,run_a,run_b,difference_p\n1,x,y,.3\n007,x,z,-.2\n", encoding="utf-8")
    assert read_triplets(str(path)) == (Triplet("1", "x", "y"), Triplet("007", "x", "z"))
    path = tmp_path / "t.jsonl"
    path.write_text('{"run_b": "y", "run_a": "x", "topic": 1}\n', encoding="utf-8")
    assert read_triplets(str(path)) == (Triplet("1", "x", "y"),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("topic,run_a,run_b\n", "not one triplet"),
        ("topic,run,run_b\n1,x,y\n", "no column 'run_a'"),
        ("topic,run_a,run_a,run_b\n1,x,x,y\n", "2 columns 'run_a'"),
        ("topic,run_a,run_b\n1,x,x\n", ":2: the run 'x' is compared with itself"),
        ("topic,run_a,run_b\n1,x,y\n1,y,x\n", ":3: .* line 2 too, the other way round"),
        ("topic,run_a,run_b\n1,x,y\n1,x,y\n", ":3: the triplet stands on line 2 too"),
        ("topic,run_a,run_b\n1,,y\n", ":2: the run is missing"),
        ("1 Q0 d 1 2 x\n", "does not look like triplets"),
    ],
)
def test_what_is_wrong_with_triplets_is_told(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PolysemeError, match=said):
        read_triplets(str(path))


def test_a_matrix_must_be_whole() -> None:
    cells = np.ones((2, 2), np.int8)
    with pytest.raises(PolysemeError, match="2 judges and 1 triplets"):
        Preferences(("x", "y"), ("s",), cells)
    with pytest.raises(PolysemeError, match="one name"):
        Preferences(("x", "x"), ("s", "t"), cells)
    with pytest.raises(PolysemeError, match="1, 2 or 3"):
        Preferences(("x", "y"), ("s", "t"), cells * 4)
    with pytest.raises(PolysemeError, match="no triplet 'u'"):
        Preferences(("x", "y"), ("s", "t"), cells).select(["u"])
    with pytest.raises(PolysemeError, match="one name"):
        reliability(*[Preferences(("x", "y"), ("s", "t"), cells)] * 2)
    with pytest.raises(PolysemeError, match="no preferences"):
        reliability()
