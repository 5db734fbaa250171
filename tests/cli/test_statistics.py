"""The commands that compare runs and measure measures."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commands import done, records, run
from polyseme import evaluate, read_scores
from polyseme.meta import concordance, discriminate, unanimity
from polyseme.statistics import compare
from polyseme.statistics.ranking import correlate

MEASURES = ["D#-nDCG@5", "ERR-IA@5", "I-rec@5"]


@pytest.fixture(scope="module")
def files(demo: Path) -> list[str]:
    runs = sorted(str(path) for path in (demo / "runs").iterdir())
    return [str(demo / "judgments.qrels"), *runs]


@pytest.fixture(scope="module")
def scored(files: list[str], tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("scores") / "scores.csv"
    done("evaluate", *files, "-m", " ".join(MEASURES), "--per-topic", "-o", path)
    return str(path)


FROM_PYTHON: dict[str, tuple[list[str], Callable[[Any], Any]]] = {
    "correlate": ([], correlate),
    "compare": (
        ["--trials", "50", "--seed", "3"],
        lambda scores: compare(scores, trials=50, seed=3),
    ),
    "discriminate": (
        ["--test", "bootstrap", "-B", "50", "--seed", "3"],
        lambda scores: discriminate(scores, method="bootstrap", trials=50, seed=3),
    ),
    "unanimity": ([], unanimity),
    "concordance": (["--gold", "I-rec@5"], lambda scores: concordance(scores, "I-rec@5")),
}
COLUMNS = {
    "correlate": "a,b,tau,low,high,tau_ap",
    "compare": "measure,a,b,difference,effect,p,significant",
    "discriminate": "measure,pairs,significant,power,min_delta",
    "unanimity": "measure,unanimity",
    "concordance": "left,right,gold,total,disagree,left_wins,right_wins,p",
}


@pytest.mark.parametrize("command", FROM_PYTHON)
def test_runs_scores_and_python_say_the_same(command: str, files: list[str], scored: str) -> None:
    more, function = FROM_PYTHON[command]
    names = " ".join(MEASURES)
    made = done(command, *files, "-m", names, *more, "--format", "json").stdout
    read = done(command, "--scores", scored, *more, "--format", "json").stdout
    scores = evaluate(files[0], files[1:], MEASURES)
    here = json.loads(function(scores).to_json())["rows"]
    assert json.loads(made)["rows"] == json.loads(read)["rows"] == here
    assert len(here) > 0
    assert done(command, "--scores", scored, *more).stdout.splitlines()[0] == COLUMNS[command]


@pytest.mark.parametrize("command", ["compare", "discriminate"])
def test_trials_seed_and_correction_are_in_every_output(command: str, scored: str) -> None:
    asked = (command, "--scores", scored, "-B", "40", "--seed", "9", "--correction", "plus1")
    held = json.loads(done(*asked, "--format", "json").stdout)
    assert held["provenance"]["B"] == 40
    assert held["provenance"]["seed"] == 9
    assert held["provenance"]["correction"] == "plus1"
    assert held["provenance"]["scores"] == [scored]
    table = done(*asked, "--format", "table").stdout
    assert "B = 40" in table
    assert "seed 9" in table
    told = done(*asked).stderr
    assert "B 40, seed 9, correction plus1" in told
    assert "correction none" in done(*asked[:-2]).stderr


def test_comparison_shows_means_and_groups(scored: str) -> None:
    asked = ("compare", "--scores", scored, "-m", "I-rec@5", "-B", "50", "--format", "table")
    text = done(*asked).stdout
    assert "I-rec@5: means over topics with 95% intervals" in text
    assert "groups" in text
    assert "groups" not in done(*asked, "--baseline", "alder-1").stdout.split("differences of")[0]


def test_measures_of_scores_are_chosen_by_name(scored: str) -> None:
    for said in (["D#-nDCG@5 I-rec@5"], ["D#-nDCG@5,I-rec@5"], ["D#-nDCG@5", "I-rec@5"]):
        asked = [word for name in said for word in ("-m", name)]
        rows = records(done("unanimity", "--scores", scored, *asked).stdout)
        assert [row["measure"] for row in rows] == ["D#-nDCG@5", "I-rec@5"]
    assert "did you mean I-rec@5" in run("unanimity", "--scores", scored, "-m", "I-rec@6").stderr


def test_matrices_wide_files_and_other_column_names_are_read(tmp_path: Path) -> None:
    matrix = tmp_path / "RR.csv"
    matrix.write_text("topic,a,b\n1,.5,.25\n2,0,1\n")
    other = tmp_path / "AP.csv"
    other.write_text("topic,a,b\n1,.5,.5\n2,.5,1\n")
    rows = records(done("correlate", "--matrix", "--scores", matrix, "--scores", other).stdout)
    assert [(row["a"], row["b"]) for row in rows] == [("RR", "AP")]
    wide = tmp_path / "wide.csv"
    wide.write_text("system,query,x,y,fold\na,1,1,0,1\nb,1,0,1,1\na,1,9,9,2\n")
    asked = ("unanimity", "--scores", wide, "--wide", "--where", "fold=1")
    names = ("--column", "run=system", "--column", "topic=query")
    rows = records(done(*asked, *names).stdout)
    assert {row["measure"]: row["unanimity"] for row in rows} == {"x": "-inf", "y": "-inf"}


def test_gold_measures_may_be_named_in_any_way_their_name_is_read(
    files: list[str], tmp_path: Path
) -> None:
    scored = tmp_path / "scores.csv"
    names = "P+Q@5 P+Q#@5 I-rec@5 Dsharp-nDCG@5 ERR-IA@5"
    done("evaluate", *files, "-m", names, "--per-topic", "-o", scored)
    for gold in ("P+Q@5+Dsharp-nDCG@5", "D#-nDCG@5+P+Q@5"):
        read = ("concordance", "--scores", scored, "--gold", gold)
        rows = records(done(*read).stdout)
        assert {(row["left"], row["right"]) for row in rows} == {
            ("P+Q#@5", "I-rec@5"),
            ("P+Q#@5", "ERR-IA@5"),
            ("I-rec@5", "ERR-IA@5"),
        }
        chosen = ("-m", "ERR-IA@5 I-rec@5")
        some = records(done(*read, *chosen).stdout)
        made = records(done("concordance", *files, *chosen, "--gold", gold).stdout)
        assert some == made
        assert [(row["left"], row["right"]) for row in some] == [("ERR-IA@5", "I-rec@5")]
    assert "no measure 'P'" in run(*read[:-1], "P+R@5").stderr


def test_a_missing_topic_must_be_answered_for(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("run,topic,measure,value\na,1,P,1\na,2,P,0\nb,1,P,0\n")
    result = run("compare", "--scores", path)
    assert result.exit_code == 1
    assert "run b, topic 2" in result.stderr
    rows = records(done("compare", "--scores", path, "--missing", "zero").stdout)
    assert float(rows[0]["difference"]) == 0.5


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "nothing was given"),
        (["x.qrels"], "name the runs"),
        (["x.qrels", "x.run", "--scores", "s.csv"], "either judgments and runs, or scores"),
        (["x.qrels", "x.run", "--wide"], "--wide goes with --scores"),
        (["--scores", "s.csv", "--gain", "linear"], "--gain is for judgments and runs"),
        (["--scores", "s.csv", "--wide", "--matrix"], "either --wide or --matrix"),
        (["--scores", "s.csv", "--where", "x"], "--where takes NAME=VALUE"),
    ],
)
def test_what_does_not_go_together_is_wrong_usage(arguments: list[str], text: str) -> None:
    result = run("unanimity", *arguments)
    assert result.exit_code == 2
    assert text in result.stderr


def test_weights_of_topics_may_come_with_scores_but_difficulty_may_not(
    scored: str, tmp_path: Path
) -> None:
    topics = read_scores(scored).topics
    weights = tmp_path / "weights.txt"
    weights.write_text("".join(f"{topic} {n}\n" for n, topic in enumerate(topics, 1)))
    asked = ("correlate", "--scores", scored, "-m", "I-rec@5", "--mean", "avg")
    rows = records(done(*asked, "--mean", f"weights={weights}").stdout)
    assert len(rows) == 1
    assert "needs judgments" in run(*asked, "--mean", "dd").stderr


def test_the_command_gives_the_counts_of_the_dynamic_domain_study(shared: Path) -> None:
    with gzip.open(shared / "gold/concordance/2016.csv.gz", "rt") as lines:
        gold = {
            (row["left"], row["right"]): row
            for row in csv.DictReader(lines)
            if row["iteration"] == "7"
        }
    scores = shared / "data/trec-dd/2016.scores.csv.gz"
    rows = records(
        done(
            *("concordance", "--scores", scores, "--wide", "--where", "iteration=7"),
            *("--keep-topic-all", "--gold", "strec+p+ttime", "--gold-ties", "ignore"),
        ).stdout
    )
    known = [row for row in rows if (row["left"], row["right"]) in gold]
    assert len(known) == 153
    for row in known:
        expected = gold[row["left"], row["right"]]
        assert int(row["total"]) == float(expected["total"])
        assert int(row["disagree"]) == float(expected["disagree_count"])
        assert int(row["left_wins"]) == float(expected["left_disagree_wins"])
        assert int(row["right_wins"]) == float(expected["right_disagree_wins"])
