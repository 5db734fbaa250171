"""What a file is, told from its content; and what it is told to be when it is the wrong one."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyseme.collection.formats.opening import source_of_bytes
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.sniffing import sniff
from polyseme.collection.reading import read_probabilities, read_qrels, read_runs, read_topics
from polyseme.errors import InputError
from small_files import by_intent, qrels_error, rows, run_error, written

SAMPLES = {
    "1 1 a 1\n": ("judgments", "trec"),
    "1 0 a 0\n1 0 b 1\n": ("judgments", "trec"),
    "1 1 L1 L1\n": ("judgments", "ntcir"),
    "DD1\tDD1.1\ta\t77\t3\n": ("judgments", "trec-dd"),
    "1 Q0 a 1 2.5 t\n": ("run", "trec"),
    "1 Q0 a 1 2.5\n": ("run", "trec"),
    "DD1 0 a 100 0\n": ("run", "trec-dd"),
    "DD1 1 a 99.5 0\n": ("run", "trec-dd"),
    "1 1 0.5\n": ("probabilities", "trec"),
    "1 1 .5 nav\n1 2 .5 inf\n": ("probabilities", "ntcir"),
    "topic,intent,doc,grade\n1,1,a,1\n": ("judgments", "csv"),
    '"topic";"intent";"doc";"grade"\n': ("judgments", "csv"),
    "topic\tintent\tdoc\tgrade\n1\t1\ta\t1\n": ("judgments", "csv"),
    "run,topic,doc,score\n": ("run", "csv"),
    "topic,doc,rank\n": ("run", "csv"),
    "topic,intent,prob\n": ("probabilities", "csv"),
    "run,topic,measure,value\n": ("scores", "csv"),
    ",run,iteration,topic,ct_10\n": ("scores", "csv"),
    '{"topic": "1", "intent": "1", "doc": "a", "grade": 1}\n': ("judgments", "jsonl"),
    '{"topic": "1", "doc": "a", "score": 1}\n': ("run", "jsonl"),
    "<?xml version='1.0'?><t/>": ("topics", "xml"),
    "<webtrack2009>": ("topics", "xml"),
    "hello world\n": (None, None),
    "hello,world,again\n": (None, "csv"),
    "# comment\n\n1 1 a 1\n": ("judgments", "trec"),
    "1 1\n1 1 a 1\n1 1 b 1\n": ("judgments", "trec"),
    "1 Q0 a\n1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t\n": ("run", "trec"),
}


@pytest.mark.parametrize("content", SAMPLES)
def test_the_first_lines_tell_the_format(content: str) -> None:
    guess = sniff(source_of_bytes(content.encode(), "sample"), Report("sample"))
    assert (guess.kind, guess.format) == SAMPLES[content]


def test_parquet_is_told_by_its_first_bytes() -> None:
    guess = sniff(source_of_bytes(b"PAR1\0\0", "sample"), Report("sample"))
    assert guess.format == "parquet"


def test_a_run_given_as_judgments_is_called_one(tmp_path: Path) -> None:
    error = qrels_error(written(tmp_path, "# bm25\n1 Q0 a 1 2.5 t\n"))
    assert error.problem == "this looks like a TREC run (topic Q0 doc rank score tag)"
    assert (error.line, error.text) == (2, "1 Q0 a 1 2.5 t")
    assert str(error.expected).startswith("judgments: topic intent doc grade")
    assert str(error.remedy).startswith("judgments come first, then the runs")


def test_a_file_given_as_probabilities_is_called_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_probabilities(written(tmp_path, "1 1 a 1\n"))
    assert caught.value.problem == "this looks like TREC judgments (topic intent doc grade)"
    assert str(caught.value.remedy).startswith("give the file of probabilities; if")


def test_a_dynamic_domain_run_given_as_judgments_is_called_one(tmp_path: Path) -> None:
    assert "Dynamic Domain run" in qrels_error(written(tmp_path, "1 0 a 100 0\n")).problem


@pytest.mark.parametrize(
    ("content", "called"),
    [
        ("1 1 a 1\n", "TREC judgments (topic intent doc grade)"),
        ("1 1 a L1\n", "NTCIR judgments"),
        ("DD1 DD1.1 a 77 3\n", "TREC Dynamic Domain judgments"),
        ("1 1 .5\n", "intent probabilities"),
        ("topic,intent,doc,grade\n1,1,a,1\n", "judgments in csv"),
        ("<topics/>", "TREC topics in XML"),
    ],
)
def test_what_is_no_run_is_called_what_it_is(tmp_path: Path, content: str, called: str) -> None:
    error = run_error(written(tmp_path, content))
    assert error.problem.startswith(f"this looks like {called}")
    assert str(error.expected).startswith("a run: topic Q0 doc rank score tag")


def test_what_is_nothing_known_is_refused(tmp_path: Path) -> None:
    error = qrels_error(written(tmp_path, "dear reader\n"))
    assert error.problem == "this does not look like judgments"
    assert (error.line, error.text) == (1, "dear reader")
    assert "--input-format" in str(error.remedy)


def test_probabilities_and_topics_are_checked_for_their_kind_too(tmp_path: Path) -> None:
    path = written(tmp_path, "1 1 a 1\n")
    with pytest.raises(InputError, match="this looks like TREC judgments"):
        read_probabilities(path)
    with pytest.raises(InputError, match="this looks like TREC judgments"):
        read_topics(path)


def test_a_format_can_be_forced(tmp_path: Path) -> None:
    ambiguous = written(tmp_path, "1 0 a 100 3\n")
    assert by_intent(read_qrels(ambiguous, format="trec-dd")) == {"1": {"0": {"a": 3}}}
    (run,) = read_runs(ambiguous)
    assert rows(run)[0][4] == 0
    five = written(tmp_path, "1 1 a 100 3\n", "five")
    assert by_intent(read_qrels(five)) == {"1": {"1": {"a": 3}}}
    assert rows(read_runs(five)[0])[0][4] == 1


def test_a_forced_format_that_does_not_fit_is_told_line_by_line(tmp_path: Path) -> None:
    error = qrels_error(written(tmp_path, "1 1 a 1\n"), format="ntcir")
    assert error.expected == "a grade from L0 to L9"


def test_an_unknown_format_lists_the_known_ones(tmp_path: Path) -> None:
    error = qrels_error(written(tmp_path, "1 1 a 1\n"), format="trek")
    assert error.expected == "trec, ntcir, trec-dd, csv, jsonl, parquet, nuggets"
    assert error.remedy == "did you mean trec?"
