"""``polyseme report``: one page from judgments and runs, or from scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import Tiny, done, run, spawned
from reading_pages import Page

QUICK = ("--trials", "50")


def given(demo: Path) -> list[Path]:
    return [demo / "judgments.qrels", *sorted((demo / "runs").iterdir())]


def test_the_page_is_the_same_byte_for_byte_for_the_same_seed(demo: Path, tmp_path: Path) -> None:
    # in processes of their own, whose dictionaries are hashed otherwise
    pages = []
    for n, (seed, more) in enumerate((("1", ()), ("1", ("--jobs", "2")), ("2", ()))):
        path = tmp_path / f"{n}.html"
        made = spawned(
            *("report", *given(demo), *QUICK, "--seed", seed, "-o", path, *more),
            env={"PYTHONHASHSEED": str(n)},
        )
        assert made.returncode == 0, made.stderr
        pages.append(path.read_bytes())
    assert pages[0] == pages[1]
    assert pages[0] != pages[2]


def test_no_path_and_no_time_of_this_machine_is_on_the_page(demo: Path, tmp_path: Path) -> None:
    done("report", *given(demo), *QUICK, "-o", tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert str(demo) not in text
    assert str(Path.home()) not in text


def test_it_is_written_to_standard_output_too(demo: Path) -> None:
    assert done("report", *given(demo), *QUICK).stdout.startswith("<!DOCTYPE html>")


def test_other_formats_have_the_answers_alone(demo: Path) -> None:
    told = json.loads(done("report", *given(demo), *QUICK, "--format", "json").stdout)
    assert len(told["rows"]) == 5
    assert told["provenance"]["seed"] == 0
    assert told["provenance"]["B"] == 50
    page = Page(done("report", *given(demo), *QUICK).stdout)
    for row in told["rows"]:
        assert row["answer"] in page.told("summary").replace("\u2060", "")
    assert done("report", *given(demo), *QUICK, "--format", "markdown").stdout.startswith("|")


def test_policies_seeds_and_versions_are_told(demo: Path, tmp_path: Path) -> None:
    more = ("--gain", "exponential", "--relevant-from", "2", "--seed", "9", "--team-until", "-")
    text = done("report", *given(demo), *QUICK, *more, "--depth", "10", "--title", "Ours").stdout
    page = Page(text)
    told = page.told("provenance")
    for said in ("gain exponential", "relevant-from 2", "seed 9", "B = 50", "before '-'"):
        assert said in told
    assert "gmax: the highest gain" in told
    assert "adhoc: how judgments of several intents become one grade" in told
    assert page.title == "Ours"
    assert "gain linear" not in told


def test_warnings_are_on_the_page_and_on_standard_error(small: Tiny) -> None:
    result = done(
        *("report", small.judgments, small.first, small.second, *QUICK),
        *("--probabilities", small.write("some.txt", "1 A 1\n2 A 1\n")),
    )
    page = Page(result.stdout)
    assert "have no probability" in result.stderr
    assert "have no probability" in page.told("provenance")
    assert "warnings were given" in page.told("summary")


def test_teams_by_name_are_those_of_a_file(demo: Path) -> None:
    teams = demo / "teams.csv"
    by_file = Page(done("report", *given(demo), *QUICK, "--teams", teams).stdout)
    by_name = Page(done("report", *given(demo), *QUICK, "--team-until", "-").stdout)
    assert by_file.tables["teams"].rows == by_name.tables["teams"].rows
    assert len(by_file.tables["teams"].rows) == 3


def test_the_deciding_measure_is_scored_where_it_is_not_among_the_measures(demo: Path) -> None:
    page = Page(done("report", *given(demo), *QUICK, "-m", "ERR-IA@5", "--by", "RBU@5").stdout)
    assert "mean RBU@5" in page.tables["leaderboard"].heads
    assert "ERR-IA@5" in page.tables["leaderboard"].heads


def test_a_dialect_brings_its_own_measures(demo: Path) -> None:
    dialect = ("--dialect", "trec_eval", "--missing", "zero")
    page = Page(done("report", *given(demo), *QUICK, *dialect).stdout)
    assert "mean trec_eval:recip_rank" in page.tables["leaderboard"].heads
    assert "dialect trec_eval" in page.told("provenance")


def test_scores_of_anybody_make_a_page(demo: Path, tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    done("evaluate", *given(demo), "-m", "ntcir", "--per-topic", "-o", scores, "--quiet")
    page = Page(done("report", "--scores", scores, *QUICK).stdout)
    whole = Page(done("report", *given(demo), "-m", "ntcir", *QUICK).stdout)
    assert page.tables["leaderboard"].rows == whole.tables["leaderboard"].rows
    assert page.tables["all-measures"].rows == whole.tables["all-measures"].rows
    assert "teams" not in page.tables


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--teams", "teams.csv", "--team-until", "-"), "take either --teams or --team-until"),
        (("--team-until", "%"), "without a team before '%'"),
        (("--by", "nonsense@10"), "nonsense"),
        (("--trials", "0"), "--trials"),
        (("--missing", "often"), "--missing"),
    ],
)
def test_what_cannot_be_done_is_said(demo: Path, arguments: tuple[str, ...], said: str) -> None:
    result = run("report", *given(demo), *arguments)
    assert result.exit_code in (1, 2)
    assert said in result.stderr
    assert result.stdout == ""


def test_options_of_judgments_do_not_go_with_scores(small: Tiny) -> None:
    scores = small.write("scores.csv", "run,topic,measure,value\na,1,M,1\nb,1,M,0\n")
    for option in (("--teams", "x"), ("--team-until", "_"), ("--depth", "5"), ("--gain", "binary")):
        result = run("report", "--scores", scores, *option)
        assert result.exit_code == 2
        assert option[0] in result.stderr
    assert "nothing was given" in run("report").stderr
    assert "name the runs" in run("report", small.judgments).stderr
