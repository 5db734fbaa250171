from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from commands import done, records, run
from polyseme import evaluate, read_runs
from polyseme.meta.preferences import Shown, choose_triplets, preference_agreement, read_triplets
from polyseme.meta.preferences.matrix import Preferences


@pytest.fixture(scope="module")
def files(demo: Path) -> list[str]:
    runs = sorted(str(path) for path in (demo / "runs").iterdir())
    return [str(demo / "judgments.qrels"), *runs]


@pytest.fixture(scope="module")
def triplets(files: list[str], tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("pairs") / "triplets.csv"
    done("pairs", *files, "-o", path)
    return str(path)


@pytest.fixture(scope="module")
def judged(triplets: str) -> list[str]:
    """Two matrices of five judges, made of P's preferences and chance."""
    rng = np.random.default_rng(5)
    rows = records(Path(triplets).read_text(encoding="utf-8"))
    names = ["/".join((row["topic"], row["run_a"], row["run_b"])) for row in rows]
    made = []
    for question, noise in (("relevance", 0.2), ("diversity", 0.35)):
        path = Path(triplets).with_name(f"{question}.csv")
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["judge", *names])
            for judge in range(5):
                better = [1 if float(row["difference_p"]) > 0 else 3 for row in rows]
                turned = rng.random(len(rows)) < noise
                cells = [4 - b if t else b for b, t in zip(better, turned, strict=True)]
                writer.writerow([f"judge{judge}", *cells])
        made.append(str(path))
    return made


def test_pairs_are_those_of_python(files: list[str], triplets: str) -> None:
    rows = records(Path(triplets).read_text(encoding="utf-8"))
    assert list(rows[0]) == ["topic", "run_a", "run_b", "difference_p", "difference_irec"]
    lists = {run.name: run.prefix(10) for run in read_runs(*files[1:])}
    found = choose_triplets(evaluate(files[0], files[1:], "P@10 I-rec@10"), Shown(lists))
    assert [(row["topic"], row["run_a"], row["run_b"]) for row in rows] == [
        (each.topic, each.run_a, each.run_b) for each in found.triplets
    ]
    assert read_triplets(triplets) == found.triplets
    assert len(found.triplets) > 10


def test_the_funnel_tells_every_step(files: list[str], tmp_path: Path) -> None:
    shown = {d for r in read_runs(*files[1:]) for ds in r.prefix(10).values() for d in ds}
    titles = tmp_path / "titles.csv"
    some = sorted(shown)[::50]
    with titles.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["doc", "title"])
        writer.writerows((doc, "" if doc in some else f"About {doc}") for doc in sorted(shown))
    rows = records(done("pairs", *files, "--titles", titles, "--funnel").stdout)
    assert [row["step"] for row in rows] == ["all", "different", "long", "titled", "decodable"]
    counts = [int(row["triplets"]) for row in rows]
    assert counts[0] == 8 * len(files[1:]) * (len(files[1:]) - 1) // 2
    assert counts[1] > counts[3] == counts[4] > 0
    held = json.loads(done("pairs", *files, "--titles", titles, "--format", "json").stdout)
    assert [step["triplets"] for step in held["funnel"]] == counts
    assert len(held["rows"]) == counts[-1]
    table = done("pairs", *files, "--funnel", "--format", "table").stdout
    assert "more than 0.1 apart in P@10 and in I-rec@10" in table


def test_short_lists_go_with_their_topic_or_alone(files: list[str], tmp_path: Path) -> None:
    cut = tmp_path / "short.run"
    lines = Path(files[1]).read_text(encoding="utf-8").splitlines()
    first = lines[0].split()[0]
    kept = [line for line in lines if line.split()[0] == first][:9]
    kept += [line for line in lines if line.split()[0] != first]
    cut.write_text("\n".join(kept) + "\n", encoding="utf-8")
    given = [files[0], str(cut), *files[2:]]
    whole = done("pairs", *given, "--short", "topic").stdout
    assert first not in {row["topic"] for row in records(whole)}
    alone = records(done("pairs", *given, "--short", "triplet").stdout)
    of_topic = [row for row in alone if row["topic"] == first]
    assert of_topic
    assert all("short" not in (row["run_a"], row["run_b"]) for row in of_topic)


def test_scores_alone_know_no_lists(files: list[str], tmp_path: Path, triplets: str) -> None:
    scores = tmp_path / "scores.csv"
    done("evaluate", *files, "-m", "P@10 I-rec@10", "--per-topic", "-o", scores)
    found = done("pairs", "--scores", scores)
    assert set(Path(triplets).read_text(encoding="utf-8").splitlines()) <= set(
        found.stdout.splitlines()
    )
    assert "not at hand" in found.stderr
    assert run("pairs", "--scores", scores, "--titles", "x.csv").exit_code == 2


def test_agreement_is_that_of_python_by_runs_and_by_scores(
    files: list[str], triplets: str, judged: list[str], tmp_path: Path
) -> None:
    scores = tmp_path / "scores.csv"
    names = ["P@10", "I-rec@10", "D#-nDCG@10"]
    done("evaluate", *files, "-m", " ".join(names), "--per-topic", "-o", scores)
    about = ("--triplets", triplets, "--preferences", judged[1])
    made = done("agree", *files, "-m", " ".join(names), *about).stdout
    read = done("agree", "--scores", scores, *about).stdout
    assert made == read
    rows = records(made)
    assert list(rows[0]) == ["measure", "agree", "disagree", "ties", "tau", "low", "high"]
    known = read_triplets(triplets)
    with Path(judged[1]).open(encoding="utf-8") as stream:
        _, *lines = csv.reader(stream)
    cells = np.array([line[1:] for line in lines], dtype=np.int8)
    matrix = Preferences(
        tuple(line[0] for line in lines), tuple(each.name for each in known), cells
    )
    here = preference_agreement(evaluate(files[0], files[1:], names), matrix, known)
    assert [
        (each.measure, each.agree, each.disagree, each.ties, each.tau) for each in here.measures
    ] == [
        (r["measure"], int(r["agree"]), int(r["disagree"]), int(r["ties"]), float(r["tau"]))
        for r in rows
    ]
    assert float(rows[0]["tau"]) > 0


def test_high_agreement_leaves_fewer_triplets_and_says_how_many(
    files: list[str], triplets: str, judged: list[str]
) -> None:
    asked = ("agree", *files, "-m", "P@10", "--triplets", triplets, "--preferences", judged[1])
    held = {
        more: json.loads(done(*asked, *more, "--format", "json").stdout)
        for more in ((), ("--high-agreement",), ("--at-least", "4"), ("--at-least", "5"))
    }
    assert [each["at_least"] for each in held.values()] == [None, 3, 4, 5]
    pairs = [each["pairs"] for each in held.values()]
    assert pairs == sorted(pairs, reverse=True)
    assert pairs[-1] < pairs[0]


def test_reliability_needs_only_matrices(judged: list[str]) -> None:
    given = [word for path in judged for word in ("--preferences", path)]
    rows = records(done("agree", *given, "--reliability").stdout)
    assert list(rows[0]) == ["preferences", "without", "judges", "triplets", "alpha"]
    assert [row["without"] for row in rows] == ["", *(f"judge{n}" for n in range(5))] * 2
    held = json.loads(done("agree", *given, "--reliability", "--format", "json").stdout)
    (related,) = held["correlations"]
    assert (related["a"], related["b"]) == ("relevance", "diversity")
    assert related["low"] < related["r"] < related["high"]
    text = done("agree", *given, "--reliability", "--format", "table").stdout
    assert "nobody" in text
    assert "Krippendorff's alpha" in text


def test_the_majority_is_told_triplet_by_triplet(triplets: str, judged: list[str]) -> None:
    rows = records(
        done("agree", "--majority", "--triplets", triplets, "--preferences", judged[0]).stdout
    )
    assert list(rows[0]) == ["topic", "run_a", "run_b", "left", "both", "right", "preferred"]
    for row in rows:
        left, right = int(row["left"]), int(row["right"])
        assert left + right == 5
        assert row["preferred"] == ("left" if left > right else "right")


def test_a_topic_dropped_takes_its_triplets_along(
    files: list[str], triplets: str, judged: list[str], tmp_path: Path
) -> None:
    scores = tmp_path / "scores.csv"
    text = done("evaluate", *files, "-m", "P@10", "--per-topic").stdout.splitlines()
    row = records(Path(triplets).read_text(encoding="utf-8"))[0]
    gone = f"{row['run_a']},{row['topic']},"
    scores.write_text(
        "\n".join(line for line in text if not line.startswith(gone)) + "\n", encoding="utf-8"
    )
    asked = ("--scores", scores, "--triplets", triplets, "--preferences", judged[0])
    asked = ("agree", *asked, "--format", "json")
    assert "--missing zero" in run(*asked).stderr
    zero = json.loads(done(*asked, "--missing", "zero").stdout)
    less = json.loads(done(*asked, "--missing", "drop-topic").stdout)
    assert less["pairs"] < zero["pairs"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--preferences", "{m}", "--reliability", "--majority"], "take either"),
        (["--preferences", "{m}"], "say --triplets"),
        (["--preferences", "{m}", "--triplets", "{t}"], "nothing was given"),
        (["--preferences", "{m}", "--preferences", "{m}", "--majority"], "one matrix at a time"),
        (["--preferences", "{m}", "--reliability", "--scores", "x"], "give no scores"),
        ([], "--preferences"),
        (["--preferences", "-", "--triplets", "-"], "standard input"),
    ],
)
def test_usage_that_makes_no_sense_is_told(
    arguments: list[str], said: str, triplets: str, judged: list[str]
) -> None:
    result = run("agree", *[word.format(m=judged[0], t=triplets) for word in arguments])
    assert result.exit_code == 2
    assert said in result.stderr


def test_other_triplets_than_those_judged_are_an_error(
    triplets: str, judged: list[str], tmp_path: Path
) -> None:
    other = tmp_path / "other.csv"
    other.write_text("topic,run_a,run_b\n1,x,y\n", encoding="utf-8")
    result = run("agree", "--majority", "--preferences", judged[0], "--triplets", other)
    assert result.exit_code == 1
    assert "none of the 1 triplets" in result.stderr
