"""Scores of rankings: the same from measures, from functions, and from programs that read files."""

from __future__ import annotations

import io
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyseme
from polyseme.collection.lists import Lists
from polyseme.errors import PolysemeError
from polyseme.groups import Floats
from polyseme.meta.properties import (
    Command,
    Rankings,
    check_properties,
    documents_of,
    write_lists,
)
from scoring_programs import LIKE_CSV, LIKE_NDEVAL, LIKE_TREC_EVAL, command

SMALL = Rankings(length=3)


# ---- rankings are scored as their files would be ------------------------------------------------


@pytest.mark.parametrize(
    "rankings",
    [
        Rankings(length=3),
        Rankings(length=3, relevant=2),
        Rankings(length=2, grades=2, probabilities=(0.75, 0.25)),
        Rankings(3, 2, multi=True),
        Rankings(1, 4),
    ],
    ids=repr,
)
def test_scores_are_those_of_the_same_documents_in_files(rankings: Rankings) -> None:
    """Judgments and runs written down here, with names of their own, through evaluate()."""
    measures = (
        "trec I-rec@3 D#-nDCG@3 ERR-IA@3 RBU@3 nDCG@3 Q@3 alpha#-nDCG-IA@3 ACT nCT@1 "
        "D-nDCG'@3 RBU'@3"
    )
    known = rankings.relevant_of_kind
    judgments: dict[str, dict[str, int]] = {}
    for kind in rankings.kinds:
        for place in range(max(known, rankings.length)):
            relevant = any(kind.grades) and place < known
            for intent, grade in enumerate(kind.grades):
                held = judgments.setdefault(str(intent + 1), {})
                if grade or kind.name == "x":
                    held[f"{kind.name}.{place:02}"] = grade * relevant
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for number in range(1, len(rankings)):
        places: dict[str, int] = {}
        scores: dict[str, float] = {}
        for rank, kind_number in enumerate(rankings.kinds_of(number)):
            name = rankings.kinds[kind_number].name
            scores[f"{name}.{places.setdefault(name, 0):02}"] = -float(rank)
            places[name] += 1
        runs[f"{number:06}"] = {"7": scores}
    told = polyseme.evaluate(
        {"7": judgments},
        runs,
        measures,
        probabilities=None
        if rankings.probabilities is None
        else {"7": {str(n + 1): p for n, p in enumerate(rankings.probabilities)}},
    )
    found = check_properties(measures, rankings)
    assert found.names == told.measures
    for row, run in enumerate(told.runs):
        assert found.scores[int(run)] == pytest.approx(told.values[row, 0], abs=1e-12), (
            rankings.name(int(run))
        )


# ---- functions ----------------------------------------------------------------------------------


def length(lists: Lists) -> Floats:
    return -lists.length.astype(float)


def test_functions_are_scorers_under_their_own_name_or_any_other() -> None:
    found = check_properties([length, {"twice": lambda lists: lists.length * 2}, "P@3"], SMALL)
    assert found.names == ("P@3", "length", "twice")
    assert found.of("length", "irrelevance").holds
    assert found.of("length", "relevance").violations == found.of("length", "relevance").cases
    assert found.of("twice", "irrelevance").violations == found.of("twice", "irrelevance").cases
    assert found.score("twice", "abx") == 6


def test_a_function_may_give_several_numbers() -> None:
    def both(lists: Lists) -> Floats:
        return np.column_stack([lists.length, -lists.length]).astype(float)

    found = check_properties({("more", "less"): both}, SMALL)
    assert found.score("more", "ab") == 2
    assert found.score("less", "ab") == -2


def test_all_measures_may_be_asked_for_with_others() -> None:
    every = check_properties("all", SMALL).names
    assert len(every) > 100
    assert check_properties("all, P@2 trec", SMALL).names[: len(every) + 2] == (
        *every,
        "P@2",
        "ndeval:ERR-IA@5",
    )
    assert check_properties(["P@2", "all"], SMALL).names == ("P@2", *every)
    assert check_properties("P@2 all P@3", SMALL).names == (*every, "P@2")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"f": lambda lists: np.zeros(3)}, r"shape \(3,\) for 40 lists"),
        ({"f": lambda lists: np.full(len(lists), np.nan)}, "f gives the ranking ∅ the score nan"),
        ({"P@3": length, "more": length}, None),
        (["P@3", {"P@3": length}], "two scores are named 'P@3'"),
        ([], "nothing was asked for"),
        (17, "17 scores no rankings"),
        ([17], "17 scores no rankings"),
        ("P", "needs a cutoff"),
    ],
)
def test_what_is_no_scorer_is_told(given: Any, told: str | None) -> None:
    if told is None:
        assert check_properties(given, SMALL).names == ("P@3", "more")
        return
    with pytest.raises(PolysemeError, match=told):
        check_properties(given, SMALL)


@pytest.mark.slow
def test_pyndeval_finds_what_the_paper_found() -> None:
    """Every ranking as a topic of pyndeval's, through the interface for functions."""
    pyndeval = pytest.importorskip("pyndeval")
    rankings = Rankings()
    judgments = [line[1:] for line in rankings.judged.lines() if line[3] > 0]

    def ndeval(lists: Lists) -> Floats:
        qrels, run = [], []
        for number, documents in enumerate(documents_of(lists, rankings.judged), 1):
            topic = str(number)
            qrels += [pyndeval.SubtopicQrel(topic, *line) for line in judgments]
            run += [
                pyndeval.ScoredDoc(topic, name, -float(rank)) for rank, name in enumerate(documents)
            ]
        told = pyndeval.ndeval(qrels, run)
        names = pyndeval.DEFAULT_MEASURES
        # silent on a topic without documents
        none = dict.fromkeys(names, 0.0)
        return np.array(
            [[told.get(str(n + 1), none)[name] for name in names] for n in range(len(lists))]
        )

    columns = tuple(f"py:{name}" for name in pyndeval.DEFAULT_MEASURES)
    found = check_properties(["trec", {columns: ndeval}], rankings)
    ours, theirs = found.names[:21], found.names[21:]
    assert np.abs(found.scores[:, :21] - found.scores[:, 21:]).max() < 1e-9
    for our, their in zip(ours, theirs, strict=True):
        for name in ("relevance", "irrelevance", "redundancy", "induced"):
            mine, other = found.of(our, name), found.of(their, name)
            assert (mine.cases, mine.violations) == (other.cases, other.violations)
    wrong = {each.measure for each in found.findings if not each.holds}
    assert wrong == {"ndeval:MAP-IA", "py:MAP-IA"}
    assert found.of("py:MAP-IA", "redundancy").violations == 2_026


# ---- files --------------------------------------------------------------------------------------


def test_lists_are_written_as_topics_of_one_run(tmp_path: Path) -> None:
    rankings = Rankings(length=2, relevant=1)
    lists = rankings.lists(rankings.number("a"), rankings.number("ab") + 1)
    qrels, run = io.StringIO(), io.StringIO()
    write_lists(lists, rankings.judged, qrels, run)
    lines = run.getvalue().splitlines()
    assert lines[:3] == ["1 Q0 a_1 1 1 polyseme", "2 Q0 b_1 1 1 polyseme", "3 Q0 x_1 1 1 polyseme"]
    assert lines[3:5] == ["4 Q0 a_1 1 2 polyseme", "4 Q0 a_2 2 1 polyseme"]
    judged = qrels.getvalue().splitlines()
    assert "4 1 a_1 1" in judged
    assert "4 1 a_2 0" in judged
    assert "5 2 b_1 1" in judged
    paths = tmp_path / "q", tmp_path / "r"
    write_lists(lists, rankings.judged, *paths)
    assert [path.read_text() for path in paths] == [qrels.getvalue(), run.getvalue()]


def test_written_lists_score_as_before(tmp_path: Path) -> None:
    rankings = Rankings(length=3, grades=2, probabilities=None)
    lists = rankings.lists(1, len(rankings))
    paths = str(tmp_path / "lists.qrels"), str(tmp_path / "lists.run")
    write_lists(lists, rankings.judged, *paths)
    told = polyseme.evaluate(*paths, "D#-nDCG@3 ERR-IA@3")
    found = check_properties("D#-nDCG@3 ERR-IA@3", rankings)
    order = [int(topic) for topic in told.topics]
    assert told.values[0] == pytest.approx(found.scores[order], abs=1e-12)


def test_programs_without_intents_get_one_grade_a_document() -> None:
    rankings = Rankings(2, 1, grades=2, multi=True)
    qrels, run = io.StringIO(), io.StringIO()
    write_lists(rankings.lists(0, 2), rankings.judged, qrels, run, judgments="adhoc")
    lines = qrels.getvalue().splitlines()
    assert "1 0 a1b2_01 2" in lines
    assert len({tuple(line.split()[:3]) for line in lines}) == len(lines)


def test_a_terminal_document_cannot_be_written() -> None:
    rankings = Rankings(length=2, terminal=1)
    with pytest.raises(PolysemeError, match="cannot be written as judgments"):
        write_lists(rankings.lists(0, 3), rankings.judged, io.StringIO(), io.StringIO())
    with_nothing = Rankings(length=2, terminal=0)
    assert list(documents_of(with_nothing.lists(0, 2), with_nothing.judged)) == [
        ["zz"],
        ["a_01", "zz"],
    ]


# ---- programs -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "said", "names"),
    [
        (LIKE_NDEVAL, {}, ("P@5", "first")),
        (LIKE_NDEVAL, {"columns": ("P@5",), "prefix": "their:"}, ("their:P@5",)),
        (LIKE_TREC_EVAL, {"parser": "trec_eval"}, ("P_5",)),
        (
            LIKE_CSV,
            {"parser": "csv", "topic_column": "query", "columns": ("score",)},
            ("score",),
        ),
    ],
)
@pytest.mark.parametrize("block", [7, 1000])
def test_programs_score_what_measures_score(
    tmp_path: Path, source: str, said: dict[str, Any], names: tuple[str, ...], block: int
) -> None:
    rankings = Rankings(length=2) if block == 7 else SMALL
    given = Command(command(tmp_path, source), block=block, jobs=1 if block > 7 else 2, **said)
    found = check_properties(given, rankings)
    assert found.names == names
    ours = check_properties("P@5", rankings)
    assert found.scores[:, 0] == pytest.approx(ours.scores[:, 0])
    assert found.of(names[0], "relevance").holds


@pytest.mark.parametrize(
    ("source", "said", "told"),
    [
        ("import sys; sys.exit('no such measure')", {}, r"status 1\n.*\n    no such measure"),
        ("import sys; sys.exit(3)", {}, "status 3; it said nothing"),
        ("print('runid,topic,P')", {}, "printed no scores"),
        ("print('P 1 2 3')", {"parser": "trec_eval"}, "line 1 .* has 4 columns"),
        ("print('a,b')", {}, "no column 'topic'"),
        ("print('topic,P\\n1,2,3')", {}, "line 2 .* has 3 columns"),
        ("print('topic,P\\n2,many')", {}, "printed 'many' as P of topic 2"),
        ("print('topic,P\\n3,1')", {}, r"printed no P for the ranking a \(topic 2"),
        ("print('topic,P@5\\n3,1')", {"columns": ("P@55",)}, "did you mean P@5"),
        ("print('topic,P\\n2,nan\\n3,1\\n4,1')", {}, "P gives the ranking a the score nan"),
    ],
)
def test_what_goes_wrong_in_a_program_is_told(
    tmp_path: Path, source: str, said: dict[str, Any], told: str
) -> None:
    with pytest.raises(PolysemeError, match=told):
        check_properties(Command(command(tmp_path, source), **said), Rankings(length=1))


def test_a_program_that_hangs_is_ended_with_all_it_started(tmp_path: Path) -> None:
    source = (
        "import subprocess, sys, time\n"
        "print('thinking', file=sys.stderr, flush=True)\n"
        "subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
    )
    begun = time.monotonic()
    with pytest.raises(PolysemeError, match=r"more than 1 seconds\n.*\n    thinking"):
        check_properties(Command(command(tmp_path, source), timeout=1), Rankings(length=1))
    assert time.monotonic() - begun < 20


def test_one_failure_ends_the_programs_beside_it(tmp_path: Path) -> None:
    """The first block is small and fails, while the second would take a minute."""
    source = (
        "import sys, time\n"
        "topics = {line.split()[0] for line in open(sys.argv[1])}\n"
        "if '2' in topics: time.sleep(1); sys.exit('too many topics')\n"
        "time.sleep(60)\n"
    )
    begun = time.monotonic()
    with pytest.raises(PolysemeError, match="too many topics"):
        check_properties(Command(command(tmp_path, source), block=3, jobs=4), Rankings(length=1))
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"command": "ndeval {qrels}"}, "lacks {run}"),
        ({"command": "ndeval '{qrels} {run}"}, "No closing quotation"),
        ({"command": "x {qrels} {run}", "parser": "ndval"}, "did you mean ndeval"),
        ({"command": "x {qrels} {run}", "block": 0}, "block must be above 0"),
        ({"command": "x {qrels} {run}", "timeout": -1}, "timeout must be above 0"),
    ],
)
def test_wrong_commands_are_told(said: dict[str, Any], told: str) -> None:
    with pytest.raises(PolysemeError, match=told):
        Command(**said)


def test_a_program_that_is_not_there_is_told() -> None:
    with pytest.raises(PolysemeError, match="cannot be run: No such file"):
        check_properties(Command("/nowhere/ndeval {qrels} {run}"), Rankings(length=1))
