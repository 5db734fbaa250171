"""``polyseme convert``: what is read from the new file is what was read from the old one."""

from __future__ import annotations

import gzip
import itertools
from pathlib import Path

import pytest

from commands import FIRST, JUDGMENTS, Tiny, done, records, run, values
from polyseme import read_probabilities, read_qrels, read_runs
from small_files import by_intent, probabilities_of, rows

PLAIN = ("trec", "ntcir", "csv", "jsonl", "parquet")
NTCIR = JUDGMENTS.replace(" 2\n", " L2\n").replace(" 1\n", " L1\n").replace(" 0\n", " L0\n")
NTCIR = NTCIR.replace(" -2\n", " L0\n")


@pytest.mark.parametrize(("source", "target"), [*itertools.product(PLAIN, repeat=2)])
def test_judgments_survive_every_way_round(small: Tiny, source: str, target: str) -> None:
    start = small.write("start", NTCIR)
    one, two = small.folder / f"one.{source}", small.folder / f"two.{target}"
    done("convert", start, "--to", source, "-o", str(one))
    done("convert", str(one), "--to", target, "-o", str(two))
    assert by_intent(read_qrels(two, format=target)) == by_intent(read_qrels(start))


@pytest.mark.parametrize("target", PLAIN)
def test_dynamic_judgments_become_any_others(small: Tiny, target: str) -> None:
    truth = small.write("truth", "1\ta\td1\t7\t2\n1\ta\td1\t8\t0\n1\tb.2\td2\t9\t4\n")
    out = small.folder / "out"
    done("convert", truth, "--to", target, "-o", str(out))
    assert by_intent(read_qrels(out, format=target)) == {"1": {"a": {"d1": 3}, "b.2": {"d2": 4}}}
    assert read_qrels(truth).highest_grade == 4


@pytest.mark.parametrize("target", ["csv", "jsonl", "parquet"])
def test_tables_of_judgments_hold_probabilities(small: Tiny, target: str) -> None:
    out = small.folder / f"out.{target}"
    result = done(
        "convert", small.judgments, "--probabilities", small.probabilities, "-o", str(out)
    )
    assert result.stderr == ""
    assert probabilities_of(read_qrels(out)) == {"1": {"A": 0.75, "B": 0.25}, "2": {"A": 1.0}}
    found = values(done("evaluate", str(out), small.first, "-m", "ERR-IA@3").stdout)
    direct = done(
        *("evaluate", small.judgments, small.first, "-m", "ERR-IA@3"),
        *("--probabilities", small.probabilities),
    )
    assert found == values(direct.stdout)


@pytest.mark.parametrize("target", ["csv", "jsonl", "parquet", "trec", "ntcir"])
def test_probabilities_become_any_others(small: Tiny, target: str) -> None:
    out = small.folder / "out"
    done("convert", small.probabilities, "--to", target, "-o", str(out))
    given = read_probabilities(out, format=target)
    assert given.probability == read_probabilities(small.probabilities).probability


def test_probabilities_are_taken_out_of_a_table_of_judgments(small: Tiny) -> None:
    table, out = small.folder / "table.csv", small.folder / "out.txt"
    done("convert", small.judgments, "--probabilities", small.probabilities, "-o", str(table))
    done("convert", str(table), "--kind", "probabilities", "-o", str(out))
    assert out.read_text(encoding="utf-8") == "1 A 0.75\n1 B 0.25\n2 A 1.0\n"


@pytest.mark.parametrize(("source", "target"), [*itertools.product(PLAIN, repeat=2)])
def test_a_run_survives_every_way_round(small: Tiny, source: str, target: str) -> None:
    one, two = small.folder / "one" / "first", small.folder / "two" / "first"
    one.parent.mkdir()
    two.parent.mkdir()
    done("convert", small.first, "--to", source, "-o", str(one))
    done("convert", str(one), "--to", target, "-o", str(two))
    assert [run.name for run in read_runs(one, format=source)] == ["first"]
    (before,), (after,) = read_runs(small.first), read_runs(two, format=target)
    assert rows(after) == rows(before)
    assert after.name == before.name


def test_several_runs_become_one_table_and_score_the_same(small: Tiny) -> None:
    out = small.folder / "runs.csv"
    done("convert", small.first, small.second, "-o", str(out))
    assert [row["run"] for row in records(out.read_text())] == ["first"] * 5 + ["second"] * 3
    both = done("evaluate", small.judgments, small.first, small.second, "-m", "I-rec@2")
    assert done("evaluate", small.judgments, str(out), "-m", "I-rec@2").stdout == both.stdout


def test_several_runs_do_not_fit_into_a_run(small: Tiny) -> None:
    result = run("convert", small.first, small.second, "-o", "-")
    assert result.exit_code == 1
    assert "error: 2 runs cannot stand in one trec file" in result.stderr
    assert "csv, jsonl or parquet" in result.stderr


def test_runs_can_be_named_by_their_tags(small: Tiny) -> None:
    result = done("convert", small.first, "--run-names", "tag", "--to", "csv", "-o", "-")
    assert {row["run"] for row in records(result.stdout)} == {"tagged"}


def test_what_the_target_cannot_hold_is_said(small: Tiny) -> None:
    out = str(small.folder / "out")

    def said(*arguments: str) -> str:
        return done("convert", *arguments, "-o", out).stderr

    assert said(small.judgments) == ""
    assert "2 negative grades (spam) are written as L0" in said(small.judgments, "--to", "ntcir")
    with_probabilities = (small.judgments, "--probabilities", small.probabilities)
    assert "probabilities and types of intents are left out" in said(*with_probabilities)
    assert "4 grades of 0 or less are left out" in said(small.judgments, "--to", "trec-dd")
    typed = small.write("typed", "1 A .5 nav\n1 B .5 inf\n")
    assert "types of intents are left out" in said(typed)
    assert said(typed, "--to", "ntcir") == ""
    dynamic = small.write("dynamic", "1 0 a 9 0\n1 1 b 8 0\n")
    assert "iterations are left out" in said(dynamic, "--kind", "run")
    assert "ranks are left out" in said(small.first, "--to", "trec-dd")
    assert said(small.judgments, "--to", "ntcir", "--quiet") == ""


def test_a_grade_that_the_target_has_no_name_for_is_refused_and_nothing_written(
    small: Tiny,
) -> None:
    high = small.write("high", "1 A d1 12\n1 A d2 0\n")
    out = small.folder / "out"
    result = run("convert", high, "--to", "ntcir", "-o", str(out))
    assert result.exit_code == 1
    assert "grades up to 9" in result.stderr
    assert not out.exists()


def test_a_name_with_a_space_is_refused_where_spaces_separate(small: Tiny) -> None:
    table = small.write("table.csv", 'topic,intent,doc,grade\n1,A,"d 1",1\n')
    out = small.folder / "out"
    result = run("convert", table, "-o", str(out))
    assert result.exit_code == 1
    assert "holds a space" in result.stderr
    assert "write CSV, JSON lines or Parquet" in result.stderr
    assert not out.exists()


@pytest.mark.parametrize("kind", ["judgments", "run", "probabilities"])
def test_standard_input_becomes_standard_output(small: Tiny, kind: str) -> None:
    paths = {"judgments": small.judgments, "run": small.first, "probabilities": None}
    path = paths[kind] or small.probabilities
    text = Path(path).read_text(encoding="utf-8")
    piped = done("convert", "-", "--to", "csv", "-o", "-", stdin=text).stdout
    named = done("convert", path, "--to", "csv", "-o", "-").stdout
    assert piped == named.replace("first", "stdin")


def test_the_name_of_the_output_tells_format_and_compression(small: Tiny) -> None:
    out = small.folder / "out.jsonl.gz"
    done("convert", small.judgments, "-o", str(out))
    assert gzip.decompress(out.read_bytes()).startswith(b'{"topic": "1", "intent": "A"')


def test_a_file_can_be_converted_in_place(small: Tiny) -> None:
    done("convert", small.first, "--to", "jsonl", "-o", small.first)
    assert Path(small.first).read_text(encoding="utf-8").startswith('{"run": "first"')
    done("convert", small.first, "--to", "trec", "-o", small.first)
    assert Path(small.first).read_text() == FIRST.replace("tagged", "first")


def test_files_that_do_not_go_together_are_refused(small: Tiny) -> None:
    mixed = run("convert", small.judgments, small.first, "-o", "-")
    assert mixed.exit_code == 1
    assert "holds judgments" in mixed.stderr
    assert "holds run" in mixed.stderr
    two = run("convert", small.judgments, small.judgments, "-o", "-")
    assert two.exit_code == 1
    assert "only runs can stand together" in two.stderr
    topics = small.write("topics.xml", "<t><topic number='1'><query>x</query></topic></t>")
    assert "--topics-xml" in run("convert", topics, "-o", "-").stderr
    assert run("convert", small.first, "--probabilities", "x", "-o", "-").exit_code == 2
    assert run("convert", small.judgments, "--to", "trex", "-o", "-").exit_code == 2
    assert run("convert", "-", "--probabilities", "-", "-o", "-").exit_code == 2


def test_a_run_is_never_written_as_what_only_judgments_can_be(small: Tiny) -> None:
    plain = small.write("plain.csv", "topic,doc,rank\n1,d1,1\n1,d2,2\n")
    result = done("convert", plain, "--to", "trec", "-o", "-")
    assert result.stdout == "1 Q0 d1 1 2.0 plain\n1 Q0 d2 2 1.0 plain\n"
    assert "scores that descend with the ranks are made" in result.stderr
