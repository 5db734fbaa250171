from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import done, records, run
from polyseme import parse, read_qrels
from polyseme.meta import Grid, grid_sensitivity, selection_sensitivity

COLUMNS = "measure,topic_mean,cutoff,alpha,lambda,discount,average"


@pytest.fixture(scope="module")
def qrels(demo: Path) -> str:
    return str(demo / "judgments.qrels")


@pytest.fixture(scope="module")
def runs(demo: Path) -> list[str]:
    return sorted(str(path) for path in (demo / "runs").iterdir())


def test_sensitivity_of_measures_is_that_of_python(qrels: str) -> None:
    asked = ("sensitivity", qrels, "-m", "D#-nDCG@5 ERR-IA@5", "--orders", "30", "--seed", "2")
    text = done(*asked).stdout
    assert text.splitlines()[0] == f"{COLUMNS},sensitivity"
    found = selection_sensitivity(read_qrels(qrels), ["D#-nDCG@5", "ERR-IA@5"], orders=30, seed=2)
    rows = records(text)
    assert len(rows) == 6
    for row in rows:
        assert float(row["sensitivity"]) == found.of(row["measure"], row["topic_mean"])
    held = json.loads(done(*asked, "--format", "json").stdout)["provenance"]
    assert (held["B"], held["seed"], held["drawing"]) == (30, 2, "uniform")


def test_the_grid_is_that_of_python(qrels: str) -> None:
    asked = (
        "grid",
        qrels,
        "--alpha",
        "0,.5",
        "--lambda",
        "0,1",
        "--cutoff",
        "10,5",
        "--beta",
        ".7",
    )
    rows = records(done(*asked, "--average", "cascade,D#", "--orders", "30").stdout)
    grid = Grid((0.0, 0.5), (0.0, 1.0), averages=("cascade", "D#"), cutoffs=(5, 10), beta=0.7)
    found = grid_sensitivity(read_qrels(qrels), grid, orders=30)
    expected = found.report().data.held
    assert [float(row["sensitivity"]) for row in rows] == [row[-1] for row in expected]
    assert len(rows) == 3 * (2 * 2 * 2 * 3 + 2 * 2 * 3)
    assert [str(parse(row["measure"])) for row in rows] == [row["measure"] for row in rows]
    assert {row["alpha"] for row in rows if row["average"] == "D#"} == {""}


def test_the_table_for_people_shows_the_largest_values(qrels: str) -> None:
    asked = ("grid", qrels, "--alpha", "0,.5", "--cutoff", "5", "--orders", "20")
    text = done(*asked, "--format", "table").stdout
    assert "largest sensitivity over alpha and lambda, mean over topics: geom" in text
    assert "the standard deviation of a measure over random orders" in text


def test_power_and_tau_have_their_columns(qrels: str, runs: list[str]) -> None:
    some = ("--alpha", "0.5", "--lambda", "0.5", "--average", "smr", "--discount", "ERR")
    power = done("grid", qrels, *runs, "--of", "power", *some, "-B", "20").stdout
    assert power.splitlines()[0] == f"{COLUMNS},power"
    tau = done("grid", qrels, *runs, "--of", "tau", *some, "--mean", "avg").stdout
    assert tau.splitlines()[0] == f"{COLUMNS},tau"
    assert "against" in done("grid", qrels, *runs, "--of", "tau", *some, "--format", "json").stdout


@pytest.mark.parametrize(
    ("arguments", "status", "text"),
    [
        (["x.run"], 2, "leave the runs out"),
        (["--of", "tau"], 2, "tau needs runs"),
        (["--alpha", "x"], 2, "no list of numbers"),
        (["--alpha", "2"], 1, "alpha must be from 0 to 1"),
        (["--average", "mean"], 1, "average must be one of cascade"),
        (["--only-topics", "nowhere"], 1, "not judged"),
    ],
)
def test_what_cannot_be_done_is_told(
    qrels: str, arguments: list[str], status: int, text: str
) -> None:
    result = run("grid", qrels, *arguments)
    assert result.exit_code == status
    assert text in result.stderr


def test_measures_that_can_be_negative_are_refused(qrels: str) -> None:
    result = run("sensitivity", qrels, "-m", "RBU@10")
    assert result.exit_code == 1
    assert "can be negative" in result.stderr
