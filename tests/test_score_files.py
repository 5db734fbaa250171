from __future__ import annotations

import math
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

from commands import Tiny, done, tiny
from polyseme import evaluate, read_scores
from polyseme.errors import InputError, PolysemeError

LONG = """\
run,topic,measure,value
a,10,P@5,0.5
a,9,P@5,0.25
b,10,P@5,1
b,9,P@5,0
b,all,P@5,0.5
"""
WIDE = """\
,system,iteration,qid,P@5,nDCG@5
0,a,1,t1,.5,.25
1,a,2,t1,.6,.35
2,b,1,t1,0,-1
3,b,2,t1,.1,
"""
MATRIX = "topic,a,b\n1,.5,.25\n2,0,1\n"


def written(folder: Path, text: str, name: str = "scores.csv") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_long_scores_lose_the_topic_all_unless_it_is_kept(tmp_path: Path) -> None:
    path = written(tmp_path, LONG)
    found = read_scores(path)
    assert (found.runs, found.topics, found.measures) == (("a", "b"), ("9", "10"), ("P@5",))
    assert found.values[:, :, 0].tolist() == [[0.25, 0.5], [0, 1]]
    assert found.entered.all()
    kept = read_scores(path, keep_topic_all=True)
    assert kept.topics == ("9", "10", "all")
    assert kept.entered[:, 2].tolist() == [False, True]


def test_wide_scores_have_a_column_for_each_measure(tmp_path: Path) -> None:
    path = written(tmp_path, WIDE)
    names = {"run": "system", "topic": "qid"}
    found = read_scores(path, columns=names, where={"iteration": "1"})
    assert found.measures == ("P@5", "nDCG@5")
    assert found.values[:, 0].tolist() == [[0.5, 0.25], [0, -1]]
    assert found.signed == {"nDCG@5"}
    second = read_scores(path, columns=names, where={"iteration": "2"})
    assert math.isnan(second.values[1, 0, 1])
    assert second.entered.all()


def test_what_where_does_not_choose_is_two_values_for_one_place(tmp_path: Path) -> None:
    path = written(tmp_path, WIDE)
    with pytest.raises(InputError) as error:
        read_scores(path, columns={"run": "system", "topic": "qid"})
    assert f"{path}:3: run a, topic t1 has a second value of iteration" in str(error.value)
    assert "--where" in str(error.value)


def test_a_matrix_is_named_after_its_file(tmp_path: Path) -> None:
    paths = [written(tmp_path, MATRIX, "P@5.csv"), written(tmp_path, MATRIX, "RR.txt")]
    found = read_scores(*paths, layout="matrix")
    assert found.measures == ("P@5", "RR")
    assert found.values[:, :, 1].tolist() == [[0.5, 0], [0.25, 1]]


def test_numbers_between_blanks_are_a_matrix_without_names(tmp_path: Path) -> None:
    path = written(tmp_path, "0.5 0.25\n0 1\n", "RR")
    found = read_scores(path, layout="matrix")
    assert (found.runs, found.topics) == (("run1", "run2"), ("1", "2"))
    assert found.values[:, :, 0].tolist() == [[0.5, 0], [0.25, 1]]
    named = read_scores(written(tmp_path, "topic a b\n7 .5 1\n", "x"), layout="matrix")
    assert (named.runs, named.topics) == (("a", "b"), ("7",))


def test_frames_and_parquet_are_read_like_files(tmp_path: Path) -> None:
    frame = pd.DataFrame({"run": ["a", "b"], "topic": [1, 1], "P": [0.5, 1.0]})
    for given in (frame, pl.from_pandas(frame)):
        assert read_scores(given).values[:, 0, 0].tolist() == [0.5, 1]
    frame.to_parquet(tmp_path / "x.parquet")
    assert read_scores(tmp_path / "x.parquet").topics == ("1",)


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_what_evaluate_writes_is_read_back_to_the_last_digit(tmp_path: Path, form: str) -> None:
    small: Tiny = tiny(tmp_path)
    out = tmp_path / f"scores.{form}"
    asked = (small.judgments, small.first, small.second)
    done("evaluate", *asked, "-m", "D#-nDCG@2 I-rec@2", "--per-topic", "-o", out)
    there = read_scores(out)
    here = evaluate(small.judgments, list(asked[1:]), ["D#-nDCG@2", "I-rec@2"])
    assert (there.runs, there.topics, there.measures) == (here.runs, here.topics, here.measures)
    assert there.values.tolist() == here.values.tolist()
    assert there.mean() == here.mean()


def test_measures_are_chosen_by_name(tmp_path: Path) -> None:
    path = written(tmp_path, WIDE)
    how = {"columns": {"run": "system", "topic": "qid"}, "where": {"iteration": "2"}}
    assert read_scores(path, measures=["P@5"], **how).measures == ("P@5",)  # type: ignore[arg-type]
    with pytest.raises(PolysemeError, match=r"no measure 'P@6'; did you mean P@5"):
        read_scores(path, measures=["P@6"], **how)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("run,topic,measure,value\na,1,P,x\n", ":2", "the value is 'x'"),
        ("run,topic,measure,value\na,1,P,inf\n", ":2", "the value is 'inf'"),
        ("run,topic,measure,value\na,1,P\n", ":2", "3 columns where the header has 4"),
        ("run,topic,measure,value\na,1,P,1\na,1,P,2\n", ":3", "second value of P"),
        ("run,topic,measure,value\n,1,P,1\n", ":2", "the run is missing"),
        ("run,topic,measure\na,1,P\n", ":1", "the column 'value' is missing"),
        ("system,topic,P\na,1,1\n", ":1", "the column 'run' is missing"),
        ("run,topic\na,1\n", ":1", "no column besides run and topic"),
        ("run,topic,iteration,P\na,1,x,.5\na,1,x,.5\n", ":2", "the iteration is 'x'"),
        ("run,topic,P\n", "", "no score was found"),
        ("run,topic,P\na,all,1\n", "", "means over topics only"),
        ("topic Q0 doc 1 2 x\n", ":1", "does not look like scores"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    tmp_path: Path, text: str, place: str, problem: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as error:
        read_scores(path)
    assert str(error.value).startswith(f"{path}{place}:")
    assert problem in str(error.value)


def test_a_column_that_is_not_there_cannot_be_filtered(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'iteration' is missing"):
        read_scores(written(tmp_path, LONG), where={"iteration": "1"})
