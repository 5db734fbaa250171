"""What comes out of a study, and goes back in."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyseme
from commands import done, run
from judging import servers
from polyseme.judging import exporting, views
from polyseme.judging.answered import agreement
from polyseme.judging.moment import Moment
from polyseme.judging.protocol import said_of
from polyseme.judging.recording import record
from polyseme.judging.store import Store
from polyseme.judging.tasks import ANSWER_COLUMNS
from polyseme.meta import read_preferences, reliability

#: run_a is better in the first three items, whoever is asked; then run_b; then both are bad
TRUTH = ["a", "a", "a", "b", "b", "both"]


def says(moment: Moment, judge: int, item: int, **answers: Any) -> None:
    body = json.dumps(servers.answer(item, answers, seconds=item + 0.125)).encode()
    record(moment, judge, said_of(body))


def prefer(moment: Moment, judge: int, item: int, relevance: str, diversity: str) -> None:
    """Answer on the page, wherever the runs stand on it."""
    view = views.item_view(moment, judge, item)
    # run_a retrieved d0, and the other one d3
    sides = {"both": "both"}
    sides["a"], sides["b"] = ("left", "right") if view.left[0].doc == "d0" else ("right", "left")
    says(moment, judge, item, relevance=sides[relevance], diversity=sides[diversity])


def answered(place: str, **said: Any) -> None:
    """Three judges of six triplets; the third disagrees on diversity, and cannot judge the last."""
    servers.make(place, judges=3, **said)
    with Store.open(place) as store, store.writing() as moment:
        for judge in (1, 2, 3):
            for item, truth in enumerate(TRUTH, 1):
                if (judge, item) == (3, 6):
                    said_body = servers.answer(6, kind="cannot", reason='no "page", 空')
                    record(moment, 3, said_of(json.dumps(said_body).encode()))
                    continue
                turned = {"a": "b", "b": "a"}.get(truth, truth)
                prefer(moment, judge, item, truth, turned if judge == 3 else truth)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# ---- matrices -----------------------------------------------------------------------------------


def test_a_matrix_says_of_runs_what_judges_said_of_sides(place: str, tmp_path: Path) -> None:
    answered(place)
    for question, third in (
        ("relevance", [1, 1, 1, 3, 3, 0]),
        ("diversity", [3, 3, 3, 1, 1, 0]),
    ):
        path = tmp_path / f"{question}.csv"
        done("judge", "export", place, "--what", question, "-o", path)
        held = read_preferences(str(path))
        assert held.judges == ("judge01", "judge02", "judge03")
        assert held.triplets == tuple(f"t{n % 3}/run{n:04}/base" for n in range(6))
        usual = [1, 1, 1, 3, 3, 2]
        assert held.cells.tolist() == [usual, usual, third]


def test_live_agreement_is_what_agree_says_of_the_exported_matrix(
    tmp_path: Path,
) -> None:
    place = str(tmp_path / "a.study")
    answered(place)
    with Store.open(place) as store, store.reading() as moment:
        live = {each.question: each for each in agreement(moment)}
        for question in ("relevance", "diversity"):
            found = reliability(exporting.matrix(moment, question)).matrices[0]
            assert live[question].alpha == pytest.approx(found.alpha.value, nan_ok=True)
            for judge, alpha in found.without.items():
                assert live[question].without[judge] == pytest.approx(alpha.value)
    assert live["relevance"].alpha == pytest.approx(1.0)


# ---- answers ------------------------------------------------------------------------------------


def test_answers_have_the_columns_that_are_promised(place: str) -> None:
    answered(place)
    found = rows(done("judge", "export", place).stdout)
    promised = "judge,item,question,answer,side,order,seconds,revision,at"
    assert ",".join(found[0]) == promised
    assert len(found) == 3 * 6 * 2
    by_cell = {(r["judge"], r["item"], r["question"]): r for r in found}
    one = by_cell["judge01", "t0/run0000/base", "relevance"]
    assert (one["answer"], one["seconds"], one["revision"]) == ("1", "1.125", "1")
    assert one["side"] in ("ab", "ba")
    assert one["at"].endswith("Z")
    assert by_cell["judge03", "t2/run0005/base", "diversity"]["answer"] == 'cannot: no "page", 空'
    places = [int(r["order"].partition("/")[0]) for r in found if r["judge"] == "judge01"]
    assert places == sorted(places)
    assert set(places) == set(range(1, 7))


def test_sides_and_orders_are_those_that_judges_saw(tmp_path: Path) -> None:
    place = str(tmp_path / "a.study")
    answered(place)
    found = {
        (r["item"], r["question"]): r
        for r in rows(done("judge", "export", place).stdout)
        if r["judge"] == "judge02"
    }
    with Store.open(place) as store, store.reading() as moment:
        for item in range(1, 7):
            view = views.item_view(moment, 2, item)
            name = f"t{(item - 1) % 3}/run{item - 1:04}/base"
            for number, question in enumerate(view.questions, 1):
                row = found[name, question.name]
                assert row["order"] == f"{view.number}/{number}"
                assert row["side"] == ("ab" if view.left[0].doc == "d0" else "ba")


# ---- round trips --------------------------------------------------------------------------------


def test_exported_answers_come_back_byte_for_byte(place: str, tmp_path: Path) -> None:
    answered(place)
    for name in ("answers.csv", "answers.jsonl", "answers.csv.gz"):
        first, second = tmp_path / name, tmp_path / f"again-{name}"
        done("judge", "export", place, "-o", first)
        again = str(tmp_path / f"{name}.study")
        servers.make(again, seed=99)  # other sides and orders: those of the file are taken
        done("judge", "import", again, first)
        done("judge", "export", again, "-o", second)
        assert first.read_bytes() == second.read_bytes()
        assert "wrong" not in done("judge", "check", again).stdout


def test_an_archive_comes_back_byte_for_byte_on_either_database(
    tmp_path: Path, cluster: servers.Cluster
) -> None:
    first, second, third = (tmp_path / f"{n}.jsonl" for n in (1, 2, 3))
    study, copy = str(tmp_path / "a.study"), str(tmp_path / "b.study")
    answered(study)
    done("judge", "export", study, "--what", "archive", "-o", first)
    url = cluster.database()
    done("judge", "import", url, first)
    done("judge", "export", url, "--what", "archive", "-o", second)
    done("judge", "import", copy, second)
    done("judge", "export", copy, "--what", "archive", "-o", third)
    assert first.read_bytes() == second.read_bytes() == third.read_bytes()
    answers = [done("judge", "export", each).stdout for each in (study, url, copy)]
    assert answers[0] == answers[1] == answers[2]


def test_links_of_an_archived_study_open_its_copy(tmp_path: Path) -> None:
    study, copy, path = (str(tmp_path / name) for name in ("a.study", "b.study", "a.jsonl.gz"))
    (invited,) = servers.make(study, judges=1)
    done("judge", "export", study, "--what", "archive", "-o", path)
    done("judge", "import", copy, path)
    with servers.serving(copy) as server:
        browser = server.browser(invited.secret)
        assert browser.say(1).status == 200
        browser.close()


@pytest.mark.parametrize("damage", ["cut", "changed", "longer", "empty line"])
def test_a_damaged_archive_is_refused_and_leaves_nothing(tmp_path: Path, damage: str) -> None:
    study, path, copy = tmp_path / "a.study", tmp_path / "a.jsonl", tmp_path / "b.study"
    answered(str(study))
    done("judge", "export", study, "--what", "archive", "-o", path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    match damage:
        case "cut":
            lines = lines[:-3]
        case "changed":
            lines = [line.replace('"ms":1125', '"ms":1126') for line in lines]
        case "longer":
            lines.append(lines[-2])
        case _:
            lines.insert(5, "\n")
    path.write_text("".join(lines), encoding="utf-8")
    result = run("judge", "import", copy, path)
    assert result.exit_code == 1
    assert "take another copy" in result.stderr
    assert sorted(each.name for each in tmp_path.iterdir() if "b.study" in each.name) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("judge01,,relevance,1,ab,1/1,1.0,1,2026-01-01T00:00:00Z", "this is no answer"),
        ("judge01,t0/run0000/base,relevance,1,ac,1/1,1,1,2026-01-01T00:00:00Z", "no answer"),
        ("judge01,t0/run0000/base,relevance,1,ab,1/1,1,1,yesterday", "no answer"),
        ("judge01,t0/run0000/base,relevance,1,ab,1/1,nan,1,2026-01-01T00:00:00Z", "no answer"),
        ("judge01,t0/run0000/base,relevance,7,ab,1/1,1,1,2026-01-01T00:00:00Z", "none of 1, 2"),
        ("judge01,t0/run0000/base,beauty,1,ab,1/1,1,1,2026-01-01T00:00:00Z", "no question"),
        ("judge01,t9/x/y,relevance,1,ab,1/1,1,1,2026-01-01T00:00:00Z", "has no item 't9/x/y'"),
        ("judge01,t0/run0000/base,relevance,1,ab,9/1,1,1,2026-01-01T00:00:00Z", "places of items"),
    ],
)
def test_answers_that_do_not_fit_are_refused_with_their_line(
    tmp_path: Path, change: str, told: str
) -> None:
    place, path = str(tmp_path / "a.study"), tmp_path / "answers.csv"
    servers.make(place)
    path.write_text(",".join(ANSWER_COLUMNS) + "\n" + change + "\n", encoding="utf-8")
    result = run("judge", "import", place, path)
    assert result.exit_code == 1
    assert told in result.stderr
    assert "answers.csv:2" in result.stderr
    assert rows(done("judge", "export", place).stdout) == []


def test_a_judge_who_has_answered_is_not_imported_again(tmp_path: Path) -> None:
    place, path = str(tmp_path / "a.study"), tmp_path / "answers.csv"
    answered(place)
    done("judge", "export", place, "-o", path)
    assert "has answered in this study already" in run("judge", "import", place, path).stderr


# ---- judgments and probabilities ----------------------------------------------------------------


def graded(place: str) -> None:
    """Two assessors grade one topic, one of them another topic, too."""
    servers.make(place, servers.grades(2, 3), judges=2, task="grades", wanted=2)
    given = {1: (2, 0), 2: (1, 1), 3: (0, 0)}
    with Store.open(place) as store, store.writing() as moment:
        for judge in (1, 2):
            for item, (a, b) in given.items():
                says(moment, judge, item, a=a if judge == 1 else max(a - 1, 0), b=b)
        says(moment, 1, 4, a=2, b=2)


def test_grades_of_two_assessors_are_summed_to_l0_to_l4(place: str, tmp_path: Path) -> None:
    graded(place)
    path = tmp_path / "graded.txt"
    result = done("judge", "export", place, "--what", "judgments", "-o", path)
    assert "left out: 6 documents x intents" in result.stderr
    lines = path.read_text(encoding="utf-8").split("\n")
    # d0: 2 + 1 and 0; d1: 1 + 0 and 1 + 1; d2: nothing
    relevant = {"t0 a d0 L3", "t0 a d1 L1", "t0 b d1 L2"}
    assert relevant <= set(lines)
    judged = polyseme.read_qrels(str(path))
    assert judged.topics == ("t0",)
    found = polyseme.evaluate(judged, {"run": {"t0": ["d2", "d0"]}}, "P@2").mean()
    assert found["run"]["P@2"] == 0.5


def test_judgments_can_be_written_in_other_formats(tmp_path: Path) -> None:
    place = str(tmp_path / "a.study")
    graded(place)
    for form in ("trec", "csv", "jsonl"):
        path = tmp_path / f"graded.{form}"
        done("judge", "export", place, "--what", "judgments", "--format", form, "-o", path)
        assert polyseme.read_qrels(str(path)).topics == ("t0",)


def test_probabilities_are_votes_out_of_all_votes(place: str, tmp_path: Path) -> None:
    servers.make(place, servers.votes(2), judges=3, task="votes", wanted=3)
    with Store.open(place) as store, store.writing() as moment:
        says(moment, 1, 1, a=1, b=0, c=0)
        says(moment, 2, 1, a=1, b=1, c=0)
        says(moment, 3, 1, a=1, b=0, c=0)
    path = tmp_path / "voted.txt"
    result = done("judge", "export", place, "--what", "probabilities", "-o", path)
    assert "left out: 1 topics without votes" in result.stderr
    shares = {
        tuple(line.split()[:2]): float(line.split()[2])
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    assert shares[("t0", "a")] == pytest.approx(3 / 4)
    assert shares[("t0", "b")] == pytest.approx(1 / 4)
    assert np.isclose(sum(shares.values()), 1)


def test_before_anybody_has_answered_there_is_nothing_to_sum(tmp_path: Path) -> None:
    for task, what in (("grades", "judgments"), ("votes", "probabilities")):
        place = str(tmp_path / f"{task}.study")
        servers.make(place, judges=1, task=task, wanted=2)
        assert "yet" in run("judge", "export", place, "--what", what).stderr


def test_a_study_exports_only_what_it_asks(tmp_path: Path) -> None:
    place = str(tmp_path / "a.study")
    servers.make(place)
    result = run("judge", "export", place, "--what", "judgments")
    assert result.exit_code == 2
    assert "answers, relevance, diversity, archive" in result.stderr
