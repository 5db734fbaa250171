"""Judgments, probabilities and runs in records with named columns, whatever holds the records."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd  # type: ignore[import-untyped]
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from polyseme.collection.reading import read_probabilities, read_qrels, read_runs
from polyseme.errors import InputError, MissingExtra, PolysemeWarning
from small_files import by_intent, probabilities_of, qrels_error, rows, run_error, written

Columns = Mapping[str, Sequence[object]]


def as_csv(columns: Columns, folder: Path) -> object:
    return written(folder, pd.DataFrame(columns).to_csv(index=False), "table.csv")


def as_tsv(columns: Columns, folder: Path) -> object:
    return written(folder, pd.DataFrame(columns).to_csv(index=False, sep="\t"), "table.tsv")


def as_jsonl(columns: Columns, folder: Path) -> object:
    records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return written(folder, "\n".join(map(json.dumps, records)), "table.jsonl")


def as_parquet(columns: Columns, folder: Path) -> object:
    pq.write_table(pa.table(dict(columns)), folder / "table.parquet")
    return folder / "table.parquet"


def as_pandas(columns: Columns, folder: Path) -> object:
    return pd.DataFrame(columns)


def as_polars(columns: Columns, folder: Path) -> object:
    return pl.DataFrame(columns, strict=False)


def as_lazy_polars(columns: Columns, folder: Path) -> object:
    return pl.LazyFrame(columns, strict=False)


def as_arrow(columns: Columns, folder: Path) -> object:
    return pa.table(dict(columns))


def as_duckdb(columns: Columns, folder: Path) -> object:
    return duckdb.from_arrow(pa.table(dict(columns)))


HOLDERS: list[Callable[[Columns, Path], object]] = [
    as_csv,
    as_tsv,
    as_jsonl,
    as_parquet,
    as_pandas,
    as_polars,
    as_lazy_polars,
    as_arrow,
    as_duckdb,
]
holders = pytest.mark.parametrize("holder", HOLDERS, ids=lambda holder: holder.__name__)


@holders
def test_judgments_with_columns(holder: Callable[[Columns, Path], object], tmp_path: Path) -> None:
    table: Columns = {
        "topic": [1, 1, 2],
        "intent": ["a", "b", "a"],
        "doc": ["d1", "d 1", "d,3"],
        "grade": [2, 0, -2],
    }
    assert by_intent(read_qrels(holder(table, tmp_path))) == {
        "1": {"a": {"d1": 2}, "b": {"d 1": 0}},
        "2": {"a": {"d,3": -2}},
    }


@holders
def test_judgments_with_probabilities(
    holder: Callable[[Columns, Path], object], tmp_path: Path
) -> None:
    table: Columns = {
        "prob": [0.75, 0.25, 0.75],
        "grade": [2.0, 0.0, 1.0],
        "topic": ["1", "1", "1"],
        "intent": ["1", "2", "1"],
        "doc": ["d1", "d1", "d2"],
    }
    judged = read_qrels(holder(table, tmp_path))
    assert by_intent(judged) == {"1": {"1": {"d1": 2, "d2": 1}, "2": {"d1": 0}}}
    assert probabilities_of(judged) == {"1": {"1": 0.75, "2": 0.25}}


@holders
def test_a_run_with_columns(holder: Callable[[Columns, Path], object], tmp_path: Path) -> None:
    table: Columns = {
        "topic": ["1", "2", "1"],
        "doc": ["a", "c", "b"],
        "score": [2.5, 1.0, 0.5],
        "rank": [1, 1, 2],
    }
    (run,) = read_runs(holder(table, tmp_path))
    assert run.name in ("table", "run")
    assert rows(run) == [
        ("1", "a", 2.5, 1, None),
        ("1", "b", 0.5, 2, None),
        ("2", "c", 1.0, 1, None),
    ]
    assert rows(run) == rows(run)


@holders
def test_many_runs_in_one_table(holder: Callable[[Columns, Path], object], tmp_path: Path) -> None:
    table: Columns = {
        "run": ["x", "y", "x"],
        "topic": ["1", "1", "1"],
        "doc": ["a", "a", "b"],
        "rank": [2, 1, 1],
    }
    runs = read_runs(holder(table, tmp_path))
    assert runs.names == ("x", "y")
    assert runs[0].prefix() == {"1": ["b", "a"]}
    assert runs[1].prefix() == {"1": ["a"]}


@holders
def test_probabilities_with_columns(
    holder: Callable[[Columns, Path], object], tmp_path: Path
) -> None:
    table: Columns = {
        "topic": ["1", "1"],
        "intent": ["1", "2"],
        "prob": [0.25, 0.75],
        "type": ["inf", "nav"],
    }
    given = read_probabilities(holder(table, tmp_path))
    assert given.probability == {"1": {"1": 0.25, "2": 0.75}}
    assert given.types == {"1": {"1": "inf", "2": "nav"}}


BAD: dict[str, tuple[str, object, str]] = {
    "fraction": ("grade", 1.5, "the grade is"),
    "text": ("grade", "high", "the grade is 'high'"),
    "missing grade": ("grade", None, "the grade is"),
    "huge": ("grade", 10**9, "the grade is"),
    "missing topic": ("topic", None, "the topic is"),
    "control character": ("doc", "a\x01b", "the document is"),
}


@pytest.mark.parametrize("name", BAD)
@holders
def test_a_value_that_cannot_be_used_is_told_with_its_row(
    holder: Callable[[Columns, Path], object], name: str, tmp_path: Path
) -> None:
    column, value, problem = BAD[name]
    table: dict[str, list[object]] = {
        "topic": ["1", "1"],
        "intent": ["1", "1"],
        "doc": ["a", "b"],
        "grade": [1, 1],
    }
    table[column][1] = value
    if column == "grade" and isinstance(value, str):
        table["grade"] = ["1", value]
    error = qrels_error(holder(table, tmp_path))
    assert error.problem.startswith(problem)
    assert error.line in (2, 3)  # with or without a header
    assert error.expected
    assert error.remedy


@holders
def test_a_missing_column_is_named_with_those_that_are_there(
    holder: Callable[[Columns, Path], object], tmp_path: Path
) -> None:
    table: Columns = {"topic": ["1"], "intents": ["1"], "doc": ["a"], "grade": [1]}
    error = qrels_error(holder(table, tmp_path))
    assert "the column 'intent' is missing, there are topic, intents, doc, grade" in error.problem
    assert error.expected == "columns topic, intent, doc, grade"
    assert error.remedy == "did you mean intents?"


@holders
def test_a_run_without_an_order_is_refused(
    holder: Callable[[Columns, Path], object], tmp_path: Path
) -> None:
    table: Columns = {"run": ["x"], "topic": ["1"], "doc": ["a"]}
    assert "neither a column rank nor a column score" in run_error(holder(table, tmp_path)).problem


@holders
def test_judgments_given_as_a_run_are_told_so(
    holder: Callable[[Columns, Path], object], tmp_path: Path
) -> None:
    table: Columns = {"topic": ["1"], "intent": ["1"], "docs": ["a"], "grade": [1]}
    assert "looks like judgments" in run_error(holder(table, tmp_path)).problem


@holders
def test_columns_that_are_not_read_are_said(
    holder: Callable[[Columns, Path], object], tmp_path: Path
) -> None:
    table: Columns = {
        "topic": ["1"], "intent": ["1"], "doc": ["a"], "grade": [1], "why": ["it says\nso"],
    }  # fmt: skip
    with pytest.warns(PolysemeWarning, match="not read: why"):
        assert by_intent(read_qrels(holder(table, tmp_path))) == {"1": {"1": {"a": 1}}}


def test_frames_are_not_changed() -> None:
    frame = pd.DataFrame({"topic": [1], "intent": [1], "doc": ["a"], "grade": [1.0]})
    before = frame.copy()
    read_qrels(frame)
    pd.testing.assert_frame_equal(frame, before)


def test_missing_probabilities_are_left_open() -> None:
    judged = read_qrels(
        pd.DataFrame(
            {
                "topic": ["1", "1", "2"],
                "intent": ["1", "2", "1"],
                "doc": ["a", "a", "b"],
                "grade": [1, 1, 1],
                "prob": [0.25, 0.75, float("nan")],
            }
        )
    )
    assert probabilities_of(judged) == {"1": {"1": 0.25, "2": 0.75}}


def test_two_probabilities_of_one_intent_are_an_error(tmp_path: Path) -> None:
    text = "topic,intent,doc,grade,prob\n1,1,a,1,.5\n1,1,b,1,.6\n"
    error = qrels_error(written(tmp_path, text))
    assert error.problem == "intent 1 of topic 1 has two probabilities: 0.5 and 0.6"
    assert (error.line, error.text) == (3, "1,1,b,1,.6")


# --- CSV ------------------------------------------------------------------------------------------


def test_csv_quotes_comments_and_blank_lines(tmp_path: Path) -> None:
    text = (
        "# judged in May\n\ntopic, intent , doc,grade\r\n"
        '1,1,"a ""b"", c",1\r\n# 1,1,x,1\n"#2",1,"d",0\n'
    )
    judged = read_qrels(written(tmp_path, text))
    assert by_intent(judged) == {"1": {"1": {'a "b", c': 1}}, "#2": {"1": {"d": 0}}}


def test_a_csv_record_of_more_lines_is_told_by_its_first(tmp_path: Path) -> None:
    text = 'topic,intent,doc,grade,why\n1,1,a,1,"one\n\n# two"\n1,1,b,x,no\n'
    path = written(tmp_path, text)
    with pytest.warns(PolysemeWarning, match="why"):
        error = qrels_error(path)
    assert (error.line, error.text) == (5, "1,1,b,x,no")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("1,1,b", "3 columns where the header has 4"),
        ("1,1,b,1,1", "5 columns where the header has 4"),
        ('1,1,"b,1', "the record is not CSV"),
        ('1,1,"b"c,1', "the record is not CSV"),
        ("1,1,,1", "the document is missing"),
        ("1,1,b,nan", "the grade is 'nan'"),
    ],
)
def test_a_malformed_csv_record_is_told(tmp_path: Path, line: str, problem: str) -> None:
    error = qrels_error(written(tmp_path, f"topic,intent,doc,grade\n1,1,a,1\n{line}\n"))
    assert error.problem.startswith(problem)
    assert error.line == 3
    assert error.expected
    assert error.remedy


def test_a_column_twice_is_an_error(tmp_path: Path) -> None:
    error = qrels_error(written(tmp_path, "topic,intent,doc,doc,grade\n1,1,a,b,1\n"))
    assert error.problem == "there are 2 columns named 'doc'"


def test_a_csv_file_without_a_header_is_told_its_columns(tmp_path: Path) -> None:
    error = qrels_error(written(tmp_path, "1,1,a,1\n"))
    assert "the column 'topic' is missing" in error.problem


# --- JSON lines -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"topic": "1", "intent": "1"', "the line is not JSON"),
        ("[1, 1, 2]", "the line is not a JSON object"),
        ('{"topic": "1", "intent": "1", "doc": "b", "grade": NaN}', "the grade is not a number"),
        ('{"topic": "1", "intent": "1", "doc": "b", "grade": true}', "the grade is True"),
        ('{"topic": 1.5, "intent": "1", "doc": "b", "grade": 1}', "the topic is 1.5"),
        ('{"topic": "1", "intent": "1", "doc": ["b"], "grade": 1}', "the document is ['b']"),
        ('{"topic": "1", "intent": "1", "doc": "\\ud800", "grade": 1}', "the document is"),
        ('{"intent": "1", "doc": "b", "grade": 1}', "the topic is missing"),
        ("[" * 100_000, "the line is not JSON"),
        ("9" * 5000, "the line is not JSON"),
    ],
)
def test_a_malformed_json_line_is_told(tmp_path: Path, line: str, problem: str) -> None:
    good = '{"topic": "1", "intent": "1", "doc": "a", "grade": 1}'
    error = qrels_error(written(tmp_path, f"# comment\n{good}\n{line}\n"))
    assert error.problem.startswith(problem)
    assert (error.line, error.text) == (3, line)
    assert error.expected
    assert error.remedy


def test_json_keys_may_come_late(tmp_path: Path) -> None:
    lines = [
        {"topic": "1", "intent": "1", "doc": "a", "grade": 1},
        {"topic": "1", "intent": "1", "doc": "b", "grade": 1, "prob": 1},
    ]
    judged = read_qrels(written(tmp_path, "\n".join(map(json.dumps, lines))))
    assert probabilities_of(judged) == {"1": {"1": 1.0}}


# --- Parquet and frames ---------------------------------------------------------------------------


def test_a_broken_parquet_file_is_refused(tmp_path: Path) -> None:
    error = qrels_error(written(tmp_path, b"PAR1" + b"x" * 100 + b"PAR1"))
    assert error.problem.startswith("the Parquet file cannot be read")
    assert error.remedy == "write or copy the file again"


def test_parquet_without_pyarrow_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = as_parquet({"topic": [1], "intent": [1], "doc": ["a"], "grade": [1]}, tmp_path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'polyseme\[parquet\]'"):
        read_qrels(path)


def test_dictionary_encoded_parquet_is_read(tmp_path: Path) -> None:
    table = pa.table(
        {
            "topic": pa.array(["1", "1"]).dictionary_encode(),
            "intent": pa.array([1, 2], pa.int8()),
            "doc": pa.array(["a", "a"], pa.large_string()),
            "grade": pa.array([1, 0], pa.uint8()),
        }
    )
    pq.write_table(table, tmp_path / "x.parquet")
    assert by_intent(read_qrels(tmp_path / "x.parquet")) == {"1": {"1": {"a": 1}, "2": {"a": 0}}}


def test_a_parquet_run_in_many_batches(tmp_path: Path) -> None:
    count = 150_000
    table = pa.table(
        {"topic": ["1"] * count, "doc": [f"d{n}" for n in range(count)], "rank": range(count)}
    )
    pq.write_table(table, tmp_path / "x.parquet", row_group_size=10_000)
    (run,) = read_runs(tmp_path / "x.parquet")
    (retrieved,) = run.topics()
    assert len(retrieved.documents) == count


def test_what_is_no_source_is_refused() -> None:
    for source in (7, None, [("1", "1", "a", 1)], object()):
        with pytest.raises(InputError) as caught:
            read_qrels(source)
        assert caught.value.expected == "a path, a dictionary or a data frame"


def test_a_frame_in_a_dictionary_of_runs_gets_its_name() -> None:
    frame: Any = pl.DataFrame({"topic": ["1"], "doc": ["a"], "score": [1.0]})
    runs = read_runs({"mine": frame, "other": {"1": ["b"]}})
    assert runs.names == ("mine", "other")
    assert rows(runs[0]) == [("1", "a", 1.0, None, None)]


@pytest.mark.parametrize(
    "names",
    [
        ("query_id", "subtopic_id", "doc_id", "relevance"),
        ("query_id", "iteration", "doc_id", "relevance"),
        ("qid", "subtopic_id", "docno", "label"),
        ("topic", "intent", "docno", "relevance"),
    ],
)
def test_frames_may_name_columns_as_other_packages_do(names: tuple[str, ...]) -> None:
    values = (["1", "1"], ["2", "3"], ["a", "b"], [1, 0])
    frame: Any = pl.DataFrame(dict(zip(names, values, strict=True)))
    assert by_intent(read_qrels(frame)) == {"1": {"2": {"a": 1}, "3": {"b": 0}}}


def test_a_frame_of_pyterrier_is_a_run() -> None:
    frame: Any = pl.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "score": [1.0, 2.0]})
    assert read_runs({"mine": frame})[0].prefix() == {"1": ["b", "a"]}


@pytest.mark.filterwarnings("ignore:.*columns that are not read")
def test_a_column_of_our_name_counts_before_anybody_elses() -> None:
    frame: Any = pl.DataFrame({"topic": ["1"], "qid": ["2"], "doc": ["a"], "score": [1.0]})
    assert read_runs(frame)[0].prefix() == {"1": ["a"]}
