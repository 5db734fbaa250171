"""Whole studies in a browser, by keyboard alone: from secret links to numbers."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from browsing import Visit, axe_violations
from commands import done, records
from judging.persons import Person, person
from judging.servers import PASSWORD
from judging.studies import QUERIES, grades, new_study, serving, votes
from polyseme.statistics.reliability import krippendorff_alpha, leave_one_out_alphas

pytestmark = pytest.mark.slow

#: what each judge answers to the relevance and the diversity question of each query, where the
#: list that is called first is: "f" the first, "s" the second, "b" both irrelevant
WILL = {
    "ann": ("ffsffssfbf", "ffsfssffbf"),
    "bob": ("ffssfssfbf", "fffffssfbf"),
    "cho": ("fssffsffbs", "ffsffsssbf"),
}
NUMBER = {"f": 1, "b": 2, "s": 3}
KEYS_OF_ITEM = 3  # two answers and Enter


def exported(who: Person, name: str) -> str:
    """What the organiser's button gives."""
    with who.page.expect_download() as download:
        who.page.click(f"a[href='/organiser/export/{name}']")
    return Path(download.value.path()).read_text(encoding="utf-8")


def judge_all(who: Person, link: str, will: tuple[str, str]) -> int:
    """From the link to the last item; how many keys it took."""
    who.join(link)
    who.arrives()
    pressed = 0
    while "/items/" in who.page.url:
        query = who.page.locator("h1").inner_text().removeprefix("Query").strip()
        place = QUERIES.index(query)
        first_is_left = (
            "history and facts" in who.page.locator(".result .title").nth(0).inner_text()
        )
        for question in who.page.eval_on_selector_all(
            ".question", "all => all.map(each => each.dataset.question)"
        ):
            wanted = will[("relevance", "diversity").index(question)][place]
            key = {"f": "1" if first_is_left else "3", "s": "3" if first_is_left else "1"}
            who.press(key.get(wanted, "2"))
            pressed += 1
        who.arrives()
        pressed += 1
    return pressed


def test_three_judges_judge_ten_triplets_and_polyseme_agree_reads_them(
    browser: Any, tmp_path: Path
) -> None:
    study = new_study(tmp_path / "study.db")
    with serving(study) as served:
        links = dict(zip(WILL, served.invite(*WILL), strict=True))
        for name, will in WILL.items():
            with person(browser, served.origin) as who:
                assert judge_all(who, links[name], will) == 10 * KEYS_OF_ITEM
                assert who.page.url == served.origin + "/"
                assert who.page.locator("h1").inner_text() == "Everything is done"
                assert who.page.locator(".entries [data-state=done]").count() == 20
                assert who.problems == []
                assert who.far == []
        with person(browser, served.origin) as organiser:
            organiser.sign_in(PASSWORD)
            numbers = organiser.page.locator(".numbers dd").all_inner_texts()
            assert numbers[:3] == ["10 / 10", "30", "3"]
            assert axe_violations(Visit(organiser.page)) == []
            shown = organiser.page.locator("#agreement-title ~ .scroll tbody tr").all_inner_texts()
            files = {}
            for question in ("relevance", "diversity"):
                files[question] = tmp_path / f"{question}.csv"
                files[question].write_text(exported(organiser, question), encoding="utf-8")
            assert organiser.problems == []
            assert organiser.far == []

    # the sides were drawn by lot: what comes out is what they meant, whatever side it was on
    for place, (question, path) in enumerate(files.items()):
        matrix = {row.pop("judge"): row for row in records(path.read_text("utf-8"))}
        for name, will in WILL.items():
            for topic, wanted in enumerate(will[place], 1):
                cell = next(v for k, v in matrix[name].items() if k.split(":")[0] == f"{topic}")
                assert int(cell) == NUMBER[wanted], (question, name, topic)
    matrices = ("--preferences", files["relevance"], "--preferences", files["diversity"])
    told = records(done("agree", "--reliability", "--format", "csv", "--quiet", *matrices).stdout)
    alphas = {(row["preferences"], row["without"]): float(row["alpha"]) for row in told}
    for place, question in enumerate(files):
        cells = [[NUMBER[each] for each in will[place]] for will in WILL.values()]
        expected = krippendorff_alpha(cells).value
        assert alphas[question, ""] == pytest.approx(expected)
        # the organiser has seen the same while the judges were at work
        assert f"{expected:.3f}" in shown[place]
        for judge, without in enumerate(leave_one_out_alphas(cells)):
            assert alphas[question, list(WILL)[judge]] == pytest.approx(without.value)
            assert f"{without.value:.3f}" in shown[place]


def test_a_grading_study_becomes_judgments_that_polyseme_evaluate_reads(
    browser: Any, tmp_path: Path
) -> None:
    study = new_study(tmp_path / "study.db", "grades", grades(2, 3), wanted=2)
    # judge: what every document of a topic is given for the intents 1 2 3 4
    given = {"ann": {"1": "2100", "2": "0120"}, "bob": {"1": "2010", "2": "0220"}}
    with serving(study) as served:
        links = dict(zip(given, served.invite(*given), strict=True))
        for name, grades_of in given.items():
            with person(browser, served.origin) as who:
                who.join(links[name])
                who.arrives()
                while "/items/" in who.page.url:
                    query = who.page.locator("h1").inner_text().removeprefix("Query").strip()
                    topic = f"{QUERIES.index(query) + 1}"
                    for intent in who.page.eval_on_selector_all(
                        ".question", "all => all.map(each => each.dataset.question)"
                    ):
                        who.press(grades_of[topic][int(intent) - 1])
                    who.arrives()
                assert who.problems == []
        with person(browser, served.origin) as organiser:
            organiser.sign_in(PASSWORD)
            judgments = tmp_path / "judgments.txt"
            judgments.write_text(exported(organiser, "judgments"), encoding="utf-8")
    # two assessors' grades are summed to L0..L4
    rows = [line.split() for line in judgments.read_text("utf-8").splitlines()]
    found = {tuple(row[:3]): row[3] for row in rows}
    assert found["1", "1", "jaguar-00"] == "L4"
    assert found["1", "2", "jaguar-00"] == "L1"
    assert found["2", "2", "zeppelin-02"] == "L3"
    assert found["2", "3", "zeppelin-02"] == "L4"
    run = tmp_path / "a.run"
    run.write_text("1 Q0 jaguar-00 1 2 a\n2 Q0 zeppelin-02 1 2 a\n", encoding="utf-8")
    measures = ("-m", "P@2", "-m", "I-rec@10")
    scores = done("evaluate", judgments, run, *measures, "--per-topic", "--quiet").stdout
    held = {(row["topic"], row["measure"]): float(row["value"]) for row in records(scores)}
    # one of the two documents is relevant to all intents that any document is relevant to
    assert held["1", "P@2"] == held["2", "P@2"] == 0.5
    assert held["1", "I-rec@10"] == held["2", "I-rec@10"] == 1.0


def test_votes_become_probabilities(browser: Any, tmp_path: Path) -> None:
    study = new_study(tmp_path / "study.db", "votes", votes(1), wanted=2)
    given = {"ann": "yynn", "bob": "ynnn"}
    with serving(study) as served:
        links = dict(zip(given, served.invite(*given), strict=True))
        for name, voted in given.items():
            with person(browser, served.origin) as who:
                who.join(links[name])
                who.arrives()
                for intent in who.page.eval_on_selector_all(
                    ".question", "all => all.map(each => each.dataset.question)"
                ):
                    who.press(voted[int(intent) - 1])
                who.arrives()
                assert who.problems == []
        with person(browser, served.origin) as organiser:
            organiser.sign_in(PASSWORD)
            text = exported(organiser, "probabilities")
    rows = [line.split() for line in text.splitlines() if line.strip()]
    held = {row[1]: float(row[2]) for row in rows if row[0] == "1" and float(row[2])}
    assert held == pytest.approx({"1": 2 / 3, "2": 1 / 3})


def test_all_answers_come_with_their_times(browser: Any, tmp_path: Path) -> None:
    study = new_study(tmp_path / "study.db", "votes", votes(1), wanted=1)
    with serving(study) as served, person(browser, served.origin) as who:
        who.join(served.invite("ann")[0])
        who.arrives()
        who.page.wait_for_timeout(400)
        who.press("y", "n", "n", "n")
        who.arrives()
        who.sign_in(PASSWORD)
        answers = list(csv.DictReader(io.StringIO(exported(who, "answers"))))
    assert {row["judge"] for row in answers} == {"ann"}
    assert {row["answer"] for row in answers} == {"0", "1"}
    assert all(0.3 < float(row["seconds"]) < 20 for row in answers)
