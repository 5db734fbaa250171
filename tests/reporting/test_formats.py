from __future__ import annotations

import csv
import io
import json
import math
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from polyseme import evaluate
from polyseme.reporting.formats import BINARY, FORMATS, write
from polyseme.tables import Column, Report, Table, labels

NASTY = r"a_b & 50% #1 $x$ {y} ~ ^ \z <t> | 'p' " + '"q"'


def report(*names: str) -> Report:
    return Report(
        data=Table(
            (*labels("run"), Column("value", best="highest"), Column("count"), Column("fine")),
            [(name, 1 / (3 + n), n, n == 0) for n, name in enumerate(names)]
            + [("odd", math.nan, None, None)],
        ),
        notes=("means over 2 of 2 topics",),
        provenance={"polyseme": "9.9", "policies": {"gain": "linear"}},
        facts={"topics": {"used": ["1", "2"]}},
    )


def written(form: str, given: Report) -> str:
    stream = io.StringIO()
    write(given, form, stream)
    return stream.getvalue()


def test_csv_keeps_every_digit_and_quotes_what_it_must() -> None:
    text = written("csv", report('a,"b"\nc', "d"))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert rows[0] == {
        "run": 'a,"b"\nc',
        "value": "0.3333333333333333",
        "count": "0",
        "fine": "true",
    }
    assert rows[2] == {"run": "odd", "value": "nan", "count": "", "fine": ""}
    assert "\r" not in text


def test_json_is_one_valid_object_without_nan() -> None:
    found = json.loads(written("json", report("a")), parse_constant=pytest.fail)
    assert found == {
        "provenance": {"polyseme": "9.9", "policies": {"gain": "linear"}},
        "notes": ["means over 2 of 2 topics"],
        "topics": {"used": ["1", "2"]},
        "rows": [
            {"run": "a", "value": 1 / 3, "count": 0, "fine": True},
            {"run": "odd", "value": None, "count": None, "fine": None},
        ],
    }


def test_json_without_rows_is_valid_too() -> None:
    assert json.loads(written("json", Report(Table(labels("a"), []))))["rows"] == []


def test_json_lines_are_an_object_each() -> None:
    lines = written("jsonl", report("a", "Zürich")).splitlines()
    assert [json.loads(line)["run"] for line in lines] == ["a", "Zürich", "odd"]


def test_parquet_has_a_type_for_each_column() -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    stream = io.BytesIO()
    write(report("a", "b"), "parquet", stream)
    table = pq.read_table(io.BytesIO(stream.getvalue()))
    assert [str(field.type) for field in table.schema] == ["string", "double", "int64", "bool"]
    empty = io.BytesIO()
    write(Report(Table((*labels("run"), Column("value")), [])), "parquet", empty)
    table = pq.read_table(io.BytesIO(empty.getvalue()))
    assert [str(field.type) for field in table.schema] == ["string", "double"]


def test_latex_escapes_what_it_would_read_otherwise() -> None:
    text = written("latex", report(NASTY))
    (row,) = [line for line in text.splitlines() if "50" in line]
    assert row.startswith(
        r"    a\_b \& 50\% \#1 \$x\$ \{y\} \textasciitilde{} \textasciicircum{} "
        r"\textbackslash{}z \textless{}t\textgreater{} \textbar{} \ensuremath{'}p\ensuremath{'} "
        r"\textquotedbl{}q\textquotedbl{} & "
    )


def test_latex_sets_the_best_value_bold_between_rules() -> None:
    text = written("latex", report("a", "b"))
    assert r"\textbf{0.3333}" in text
    assert r"\textbf{0.2500}" not in text
    assert r"\caption{Means over 2 of 2 topics.}" in text
    assert r"\begin{tabular}{lrrr}" in text
    order = [text.index(rf"\{rule}rule") for rule in ("top", "mid", "bottom")]
    assert order == sorted(order)
    assert "% gain linear, polyseme 9.9\n" in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles(tmp_path: Path) -> None:
    body = written("latex", report(NASTY, "b"))
    (tmp_path / "page.tex").write_text(
        "\\documentclass{article}\\usepackage{booktabs}\\usepackage[T1]{fontenc}"
        f"\\begin{{document}}{body}\\end{{document}}",
        encoding="utf-8",
    )
    subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )


def test_markdown_is_a_table_whose_cells_hold_no_markup() -> None:
    lines = written("markdown", report(NASTY, "two\nlines")).splitlines()
    cells = [re.split(r"(?<!\\)\|", line) for line in lines[:5]]
    assert {len(row) for row in cells} == {6}
    assert cells[1][1].strip("- ") == ""
    assert cells[1][2].strip().endswith("-:")
    assert r"a\_b & 50% \#1" in cells[2][1]
    assert cells[2][2].strip() == "**0.3333**"
    assert cells[3][1].strip() == "two<br>lines"
    assert lines[-1] == "gain linear, polyseme 9.9"


def test_text_is_aligned_and_plain_where_nobody_looks() -> None:
    text = written("table", report("a", "long name"))
    assert "\x1b" not in text
    lines = text.splitlines()
    assert lines[0] == "run         value  count  fine"
    assert lines[2] == "a          0.3333      0   yes"
    assert lines[4] == "odd             –"
    assert lines[6:] == ["means over 2 of 2 topics", "gain linear, polyseme 9.9"]


def test_text_takes_names_as_they_are() -> None:
    text = written("table", report("[bold]x[/bold]", ":smile:"))
    assert "[bold]x[/bold]" in text
    assert ":smile:" in text


@pytest.mark.parametrize("form", [form for form in FORMATS if form not in BINARY])
def test_nothing_to_show_is_shown(form: str) -> None:
    written(form, Report(Table((*labels("run"), Column("value", best="highest")), [])))


def test_scores_are_written_in_any_format() -> None:
    scores = evaluate({"1": {"a": {"d": 1}}}, {"mine": {"1": ["d"]}}, "I-rec@1")
    assert "mine" in scores.written("latex")
    assert scores.written("csv").splitlines()[1] == "mine,all,I-rec@1,1.0"


def test_names_in_latex_are_those_of_papers() -> None:
    text = written("latex", report("alpha#-nDCG-IA@20", "alpha-DCG@5", "alphabet"))
    assert r"\ensuremath{\alpha}\#-nDCG-IA@20 &" in text
    assert r"\ensuremath{\alpha}-DCG@5 &" in text
    assert "alphabet &" in text
