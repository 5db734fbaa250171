"""``polyseme properties``."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import pytest

from commands import Tiny, done, records, run, spawned
from scoring_programs import LIKE_NDEVAL, LIKE_TREC_EVAL, command


def test_the_columns_and_the_papers_numbers() -> None:
    told = done("properties", "-m", "ACT", "--properties", "irrelevance")
    assert told.stdout.splitlines() == [
        "measure,property,cases,violations,share",
        f"ACT,irrelevance,29523,29496,{29496 / 29523!r}",
    ]
    assert "88,573 rankings" in told.stderr


def test_the_usual_properties_are_the_papers() -> None:
    rows = records(done("properties", "-m", "AP-IA(norm=R)", "--length", "4").stdout)
    assert [row["property"] for row in rows] == [
        "relevance",
        "irrelevance",
        "redundancy",
        "induced:relevance",
        "induced:irrelevance",
        "induced:redundancy",
        "induced",
    ]
    assert rows[2]["violations"] == rows[2]["cases"] != "0"
    assert rows[0]["violations"] == "0"


def test_people_see_a_summary_and_counter_examples() -> None:
    seen = done("properties", "-m", "ACT P@4", "--length", "4", "--format", "markdown").stdout
    assert "**violations of properties**" in seen
    assert "| holds" in seen
    assert "loses nothing by staying without one more x" in seen


def test_counter_examples_as_rows() -> None:
    asked = ("-m", "ACT", "--length", "3", "--counter-examples", "--examples", "2")
    rows = records(done("properties", *asked).stdout)
    assert [(row["lower"], row["higher"]) for row in rows if row["property"] == "irrelevance"] == [
        ("aax", "aa"),
        ("abx", "ab"),
    ]
    assert float(rows[1]["lower_score"]) == pytest.approx(0.08333, abs=1e-5)
    assert float(rows[1]["higher_score"]) == pytest.approx(0.0750)


def test_truncated_lists_as_rows() -> None:
    rows = records(done("properties", "-m", "P@3 RBU@3", "--length", "3", "--truncated").stdout)
    assert [(row["measure"], row["lower"]) for row in rows] == [("P@3", "0"), ("RBU@3", "13")]
    assert rows[0]["a_short_list"] == "scores as if non-relevant documents followed"


def test_json_tells_the_setting() -> None:
    asked = (
        "--probabilities",
        ".7,.3",
        "--grades",
        "2",
        "--terminal",
        "1",
        "--gain",
        "exponential",
    )
    told = json.loads(
        done("properties", "-m", "D-nDCG@2", "--length", "2", *asked, "--format", "json").stdout
    )
    assert told["rankings"] == {
        "rankings": 31,
        "intents": 2,
        "length": 2,
        "relevant": 10,
        "grades": 2,
        "multi": False,
        "terminal": 1,
        "probabilities": [0.7, 0.3],
        "gain": "exponential",
        "tolerance": 1e-9,
    }


def test_measures_of_ones_own_are_checked(small: Tiny) -> None:
    path = small.write(
        "mine.py",
        "from polyseme.measures import Cascade, Log2, Sum, define\n"
        'mine = define("mine", Sum(Cascade(), Log2()))\n',
    )
    asked = ("--define", path, "--length", "3", "--properties", "relevance")
    rows = records(done("properties", "-m", "mine-IA D-mine", *asked).stdout)
    assert [row["measure"] for row in rows] == ["mine-IA", "D-mine"]
    every = records(done("properties", "-m", "all", *asked).stdout)
    assert {"mine", "mine-IA", "D#-mine", "P@3"} <= {row["measure"] for row in every}


@pytest.mark.parametrize(
    ("source", "said", "name"),
    [
        (LIKE_NDEVAL, ("--column", "P@5"), "command:P@5"),
        (LIKE_TREC_EVAL, ("--parser", "trec_eval", "--jobs", "2", "--block", "8"), "command:P_5"),
    ],
)
def test_programs_are_checked(
    tmp_path: Path, source: str, said: tuple[str, ...], name: str
) -> None:
    rows = records(
        done(
            *("properties", "-m", "P@5", "--length", "2", "--properties", "all"),
            *("--command", command(tmp_path, source), *said),
        ).stdout
    )
    by_measure = {
        measure: [
            (r["property"], r["cases"], r["violations"]) for r in rows if r["measure"] == measure
        ]
        for measure in ("P@5", name)
    }
    assert by_measure["P@5"] == by_measure[name]


def test_what_a_program_says_when_it_fails_is_shown(tmp_path: Path) -> None:
    failing = command(tmp_path, "import sys; sys.exit('no such measure: P_7')")
    told = run("properties", "--length", "2", "--command", failing)
    assert told.exit_code == 1
    assert "no such measure: P_7" in told.stderr


def test_relations_are_drawn_without_a_measure(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    path = tmp_path / "figure.svg"
    asked = ("--length", "2", "--properties", "redundancy", "-o", path)
    told = done("plot", "relations", *asked)
    assert told.stdout == ""
    assert path.read_text(encoding="utf-8").count('class="redundancy"') == 2


def test_a_share_of_no_cases_is_empty() -> None:
    asked = ("-m", "P@3", "--intents", "1", "--length", "3", "--properties", "redundancy")
    assert done("properties", *asked).stdout.splitlines()[1] == "P@3,redundancy,0,0,"
    told = json.loads(done("properties", *asked, "--format", "json").stdout)
    assert told["rows"][0]["share"] is None


@pytest.mark.slow
def test_the_whole_catalogue_takes_less_than_ten_seconds_and_two_gigabytes() -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = spawned("properties", "-m", "all", "--format", "csv")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert told.returncode == 0, told.stderr
    assert len(told.stdout.splitlines()) > 800
    assert used.ru_utime - before.ru_utime + used.ru_stime - before.ru_stime < 10
    # kilobytes; the largest of all children so far
    assert used.ru_maxrss < 2e6


@pytest.mark.parametrize(
    ("asked", "status", "told"),
    [
        ((), 2, "say what to check"),
        (("-m", "P@3", "--counter-examples", "--truncated"), 2, "take either"),
        (("-m", "P@3", "--probabilities", "a,b"), 1, "must be numbers"),
        (("-m", "P@3", "--probabilities", ".7,.2,.1"), 1, "one for each intent. Got 3"),
        (("-m", "P@3", "--properties", "swop"), 1, "did you mean swap"),
        (("-m", "P@3", "--length", "40"), 1, "say a smaller length"),
        (("--command", "ndeval {qrels}"), 1, "lacks {run}"),
        (("-m", "P"), 1, "needs a cutoff"),
    ],
)
def test_wrong_requests_are_told(asked: tuple[str, ...], status: int, told: str) -> None:
    result = run("properties", *asked)
    assert result.exit_code == status
    assert told in result.stderr
