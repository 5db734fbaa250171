"""The agreement tables of Sakai and Zeng 2019, sections 5.1 and 6."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from polyseme.meta.preferences import Triplet, of_answers, preference_agreement, reliability
from polyseme.scores import Scores
from polyseme.statistics import agreement
from polyseme.statistics.correlation import tau_interval

PRINTED = Path(__file__).with_name("sakai2019.csv")


def printed(*tables: str) -> list[dict[str, str]]:
    with PRINTED.open(encoding="utf-8") as stream:
        lines = (line for line in stream if not line.startswith("#"))
        return [row for row in csv.DictReader(lines) if row["table"] in tables]


def test_the_tables_are_whole() -> None:
    assert len(printed("1a", "1b", "1c")) == 21 + 15 + 15
    for table, pairs in (("5a", 1115), ("5b", 894), ("6a", 1119), ("6b", 897)):
        rows = printed(table)
        assert len(rows) == 30
        assert {int(row["agree"]) + int(row["disagree"]) for row in rows} == {pairs}


def systems(row: dict[str, str]) -> float:
    """How many systems have as many pairs."""
    if not row["agree"]:
        return 15
    return (1 + math.sqrt(1 + 8 * (int(row["agree"]) + int(row["disagree"])))) / 2


def test_every_printed_interval_follows_from_the_printed_tau() -> None:
    rows = printed("1a", "1b", "1c", "5a", "5b", "6a", "6b")
    for row in rows:
        low, high = tau_interval(float(row["tau"]), systems(row))
        assert f"{low:.3f}" == f"{float(row['low']):.3f}", row
        assert f"{high:.3f}" == f"{float(row['high']):.3f}", row


def test_every_printed_tau_follows_from_the_counts_and_ours_are_exact() -> None:
    for row in printed("5a", "5b", "6a", "6b"):
        tau, low, high = agreement(int(row["agree"]), int(row["disagree"]))
        assert f"{tau:.3f}" == f"{float(row['tau']):.3f}", row
        # the paper went on with a tau of three decimals
        assert low == pytest.approx(float(row["low"]), abs=0.0012)
        assert high == pytest.approx(float(row["high"]), abs=0.0012)


@pytest.mark.parametrize("table", ["5a", "5b", "6a", "6b"])
def test_judges_and_scores_that_have_these_counts_make_the_table(table: str) -> None:
    # one topic a pair; every measure prefers what the judges prefer in as many as it agrees in
    rows = printed(table)
    pairs = int(rows[0]["agree"]) + int(rows[0]["disagree"])
    triplets = [Triplet(f"t{n}", "a", "b") for n in range(pairs)]
    judges = [f"{n:02}" for n in range(15)]
    rng = np.random.default_rng(int(table[0]))
    gold = rng.choice([1, 3], pairs)
    matrix = of_answers(
        judges,
        [each.name for each in triplets],
        (
            (judge, each.name, int(answer if place < 9 else 4 - answer))
            for place, judge in enumerate(judges)
            for each, answer in zip(triplets, gold, strict=True)
        ),
    )
    names = tuple(row["measure"] for row in rows)
    agree = np.stack(
        [rng.permutation(np.arange(pairs) < int(row["agree"])) for row in rows], axis=1
    )
    left = (gold == 1)[:, None] == agree
    values = np.stack([left, ~left]).astype(np.float64)
    entered = np.ones((2, pairs), np.bool_)
    topics = tuple(each.topic for each in triplets)
    scores = Scores(("a", "b"), topics, names, values, entered, entered)
    for chosen in (False, True):  # nine of fifteen agree everywhere
        found = preference_agreement(scores, matrix, triplets, high_agreement=chosen)
        assert found.pairs == pairs
        for row in rows:
            each = found.of(row["measure"])
            assert (each.agree, each.disagree) == (int(row["agree"]), int(row["disagree"]))
            assert f"{each.tau:.3f}" == f"{float(row['tau']):.3f}"


def test_fifteen_judges_of_1127_triplets_are_told_as_in_table_4() -> None:
    rng = np.random.default_rng(2019)
    names = [f"{n}/a/b" for n in range(1127)]
    judges = [f"{n:02}" for n in range(1, 16)]
    truth = rng.choice([1, 3], 1127)
    said = [
        (judge, name, int(rng.choice([answer, 2, 4 - answer], p=[0.8, 0.05, 0.15])))
        for judge in judges
        for name, answer in zip(names, truth, strict=True)
    ]
    found = reliability(of_answers(judges, names, said, name="relevance"))
    table = found.report().data.held
    assert [row[1] for row in table] == [None, *judges]
    assert [row[2] for row in table] == [15] + [14] * 15
    assert all(0.3 < float(row[4]) < 0.7 for row in table if row[4] is not None)
    assert found.matrices[0].at_least == 9
