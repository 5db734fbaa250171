"""Real judgments, runs and topics, read in place; counted by other means than the readers."""

from __future__ import annotations

import gzip
import re
import time
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from polyseme.collection.reading import read_probabilities, read_qrels, read_runs, read_topics
from polyseme.collection.validation import validate
from polyseme.errors import PolysemeWarning
from small_files import by_intent, rows


def raw(path: Path) -> list[list[str]]:
    with gzip.open(path, "rt") as stream:
        return [line.split() for line in stream]


@pytest.mark.parametrize("year", [2009, 2010, 2011, 2012])
def test_trec_judgments(shared: Path, year: int) -> None:
    path = shared / f"data/trec-web/{year}.diversity.qrels.gz"
    lines = raw(path)
    judged = read_qrels(path)
    assert sorted(judged.lines()) == sorted((t, i, d, int(g)) for t, i, d, g in lines)
    assert judged.topics == tuple(sorted({line[0] for line in lines}, key=int))
    assert judged.only_relevant == (year == 2010)
    assert ("95" in judged.topics, "100" in judged.topics) == (False, False)


def test_spam_grades_and_ad_hoc_judgments(shared: Path) -> None:
    folder = shared / "data/trec-web"
    graded = read_qrels(folder / "2012.graded.qrels.gz")
    assert Counter(grade for *_, grade in graded.lines())[-2] == sum(
        line[3] == "-2" for line in raw(folder / "2012.graded.qrels.gz")
    )
    adhoc = read_qrels(folder / "2012.adhoc.qrels.gz")
    assert set(adhoc.intents) == {"0"}
    both = read_qrels(graded, adhoc=adhoc)
    assert both.adhoc is not None
    assert both.adhoc.highest_grade == 4
    assert sorted(both.lines()) == sorted(graded.lines())


def test_dynamic_domain_judgments(shared: Path) -> None:
    path = shared / "data/trec-dd/2016.qrels.tsv.gz"
    sums: defaultdict[tuple[str, str, str], int] = defaultdict(int)
    for topic, subtopic, document, _, rating in raw(path):
        sums[topic, subtopic, document] += max(int(rating), 1)
    assert {(t, i, d): g for t, i, d, g in read_qrels(path).lines()} == sums


def test_ntcir_judgments_and_probabilities(shared: Path) -> None:
    folder = shared / "data/ntcir-sample"
    judged = read_qrels(folder / "Dtest.Dqrels.gz", probabilities=folder / "Dtest.DINprob.gz")
    assert judged.topics == ("0001", "0002", "0003")
    assert set(by_intent(judged)["0001"]) <= {"0", "1", "2", "3"}
    assert sorted(judged.lines()) == sorted(
        (t, i, d, int(g[1:])) for t, i, d, g in raw(folder / "Dtest.Dqrels.gz")
    )
    given = read_probabilities(folder / "Dtest.DINprob.gz")
    assert given.probability == read_probabilities(folder / "Dtest.Iprob.gz").probability
    assert given.types["0001"] == {"1": "nav", "2": "nav", "3": "inf"}
    assert judged.navigational.sum() == sum(
        kind == "nav" for kinds in given.types.values() for kind in kinds.values()
    )


@pytest.mark.parametrize("year", [2009, 2010, 2011, 2012])
def test_topics(shared: Path, year: int) -> None:
    path = shared / f"data/trec-web/{year}.topics.xml"
    text = path.read_text()
    if year == 2011:
        with pytest.warns(PolysemeWarning, match="'inv' on line 63, 'inav' on line 686"):
            topics = read_topics(path)
    else:
        topics = read_topics(path)
    assert len(topics) == 50
    assert sum(len(topic.subtopics) for topic in topics.values()) == len(
        re.findall(r"<subtopic\s", text)
    )
    kinds = Counter(one.type for topic in topics.values() for one in topic.subtopics)
    assert kinds["nav"] == len(re.findall(r'<subtopic[^>]*type\s*=\s*"nav"', text))


def test_every_run_reads_as_its_lines(shared: Path) -> None:
    paths = sorted((shared / "data/runs").rglob("*.run.gz"))
    assert len(paths) == 8 + 4 + 7 + 48
    runs = read_runs(*paths)
    assert len(set(runs.names)) == len(paths)
    for path, run in zip(paths, runs, strict=True):
        assert run.name == path.name.removesuffix(".run.gz")
        lines = raw(path)
        found = rows(run)
        assert sorted((t, d, s, r) for t, d, s, r, _ in found) == sorted(
            (t, d, float(s), float(r)) for t, _, d, r, s, _ in lines
        )


def test_dynamic_domain_runs(shared: Path) -> None:
    for path in sorted((shared / "data/trec-dd/runs-synthetic").iterdir()):
        (run,) = read_runs(path)
        assert sorted((t, d, s, i) for t, d, s, _, i in rows(run)) == sorted(
            (t, d, float(s), int(i)) for t, i, d, s, _ in raw(path)
        )


def test_the_real_files_are_sound(shared: Path) -> None:
    for path in sorted((shared / "data").rglob("*")):
        if path.is_file() and "scores" not in path.name:
            found = validate(path)
            assert found.sound, found.problems


def test_fifty_thousand_lines_are_read_in_a_fifth_of_a_second(shared: Path) -> None:
    run = shared / "data/runs/wt2012-indri/indri_ql_cata.run.gz"
    qrels = shared / "data/trec-web/2012.graded.qrels.gz"
    best = [float("inf")] * 2
    for _ in range(3):
        start = time.perf_counter()
        rows(read_runs(run)[0])
        middle = time.perf_counter()
        read_qrels(qrels)
        best = [min(best[0], middle - start), min(best[1], time.perf_counter() - middle)]
    # Generous: machines differ. It is 0.05 s each where this was written.
    assert max(best) < 1
