from __future__ import annotations

import csv
import gzip
import math
from collections import defaultdict
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

from polyseme import read_scores
from polyseme.errors import PolysemeError
from polyseme.meta import concordance, discriminate, unanimity
from polyseme.scores import Scores
from polyseme.statistics import compare
from polyseme.statistics.ranking import correlate
from score_matrices import scores_of


def drawn(runs: int = 4, topics: int = 6, measures: int = 4, seed: int = 0) -> Scores:
    """Scores with many ties, and a run that lacks a topic."""
    rng = np.random.default_rng(seed)
    common = rng.integers(0, 3, (runs, topics, 1))
    values = common / 4 + rng.integers(0, 3, (runs, topics, measures)) / 8
    entered = np.ones((runs, topics), np.bool_)
    entered[1, -1] = False
    return scores_of(values, entered)


def cases(scores: Scores) -> list[list[int]]:
    """Each case's preferences by measure."""
    found = []
    for topic in range(len(scores.topics)):
        for a, b in combinations(range(len(scores.runs)), 2):
            if scores.entered[a, topic] and scores.entered[b, topic]:
                gap = scores.values[a, topic] - scores.values[b, topic]
                found.append([0 if abs(x) < 1e-12 else (1 if x > 0 else -1) for x in gap])
    return found


@pytest.mark.parametrize("seed", range(6))
def test_unanimity_is_its_definition(seed: int) -> None:
    held = drawn(seed=seed, measures=3)
    every = cases(held)

    def size(measures: list[int]) -> float:
        total = 0.0
        for case in every:
            said = {case[m] for m in measures}
            if len(said) == 1:
                total += 0.5 if said == {0} else 1.0
        return total

    found = unanimity(held)
    assert found.cases == len(every) == 6 * 6 - 3
    for m in range(3):
        rest = [other for other in range(3) if other != m]
        # U(M) and U(rest) together: the same decision by all
        both = size([0, 1, 2])
        expected = math.log2(both * len(every) / (size([m]) * size(rest)))
        assert found.values[f"m{m}"] == pytest.approx(expected)


def test_measures_that_never_agree_are_infinitely_far() -> None:
    held = drawn(runs=2, topics=1, measures=2)
    held.values[:, 0] = [[1, 0], [0, 1]]
    held.entered[:] = True
    assert unanimity(held).values == {"m0": -math.inf, "m1": -math.inf}
    with pytest.raises(PolysemeError, match="two measures"):
        unanimity(held.select(measures="m0"))


@pytest.mark.parametrize("ties", ["agree", "ignore"])
@pytest.mark.parametrize("gold", ["m0", "m1+m0"])
@pytest.mark.parametrize("seed", range(3))
def test_concordance_is_its_definition(ties: str, gold: str, seed: int) -> None:
    held = drawn(runs=5, seed=seed)
    judges = [int(name[1:]) for name in gold.split("+")]
    found = concordance(held, gold, gold_ties=ties)  # type: ignore[arg-type]
    assert {duel.left for duel in found.duels} | {duel.right for duel in found.duels} == {
        f"m{m}" for m in range(4) if m not in judges
    }
    for duel in found.duels:
        left, right = int(duel.left[1:]), int(duel.right[1:])
        disagree, wins, only = 0, [0, 0], [0, 0]
        for case in cases(held):
            if case[left] * case[right] != -1:
                continue
            disagree += 1
            won = [
                all(case[g] == case[m] or (ties == "agree" and case[g] == 0) for g in judges)
                for m in (left, right)
            ]
            for side in (0, 1):
                wins[side] += won[side]
                only[side] += won[side] and not won[1 - side]
        assert (duel.disagree, duel.left_wins, duel.right_wins) == (disagree, *wins)
        expected = binomtest(only[0], sum(only)).pvalue if sum(only) else 1
        assert duel.p == pytest.approx(expected)


def test_gold_measures_may_have_a_plus_in_their_names() -> None:
    held = replace(drawn(measures=5), measures=("P+Q@10", "P+Q#@10", "I-rec@10", "x", "y"))
    for gold, names in {
        "P+Q@10": ["P+Q@10"],
        "P+Q#@10+P+Q@10": ["P+Q#@10", "P+Q@10"],
        "I-rec@10+P+Q@10": ["I-rec@10", "P+Q@10"],
    }.items():
        found = concordance(held, gold)
        assert list(found.gold) == names
        assert found.duels == concordance(held, names).duels


def test_gold_measures_must_be_there_and_leave_rivals() -> None:
    with pytest.raises(PolysemeError, match="no measure 'm9'"):
        concordance(drawn(), "m0+m9")
    with pytest.raises(PolysemeError, match="besides the gold"):
        concordance(drawn(), "m0+m1+m2")


def test_concordance_has_the_counts_of_the_dynamic_domain_study(shared: Path) -> None:
    # gold/concordance: made with ties in gold measures as no agreement, topic `all` counted
    gold: dict[str, list[dict[str, str]]] = defaultdict(list)
    with gzip.open(shared / "gold/concordance/2016.csv.gz", "rt") as lines:
        for row in csv.DictReader(lines):
            gold[row["iteration"]].append(row)
    assert len(gold) == 10
    path = shared / "data/trec-dd/2016.scores.csv.gz"
    for iteration, rows in gold.items():
        scores = read_scores(path, where={"iteration": iteration}, keep_topic_all=True)
        measures = list(dict.fromkeys(row["left"] for row in rows))
        assert len(measures) == 18
        found = concordance(
            scores, rows[0]["simple-metrics"], gold_ties="ignore", measures=measures
        )
        for row in rows:
            duel = found.of(row["left"], row["right"])
            assert found.total == float(row["total"])
            assert duel.disagree == float(row["disagree_count"])
            assert duel.left_wins == float(row["left_disagree_wins"])
            assert duel.right_wins == float(row["right_disagree_wins"])


def test_power_is_the_share_of_significant_pairs() -> None:
    rng = np.random.default_rng(5)
    values = rng.random((4, 20, 2)) + np.array([0, 0.1, 0.4, 0.9])[:, None, None]
    held = drawn(4, 20, 2)
    held.values[:] = values
    held.entered[:] = True
    for method in ("hsd", "bootstrap"):
        found = discriminate(held, method=method, trials=400, seed=1)  # type: ignore[arg-type]
        compared = compare(held, test=method, trials=400, seed=1, adjust="none")  # type: ignore[arg-type]
        for place, each in enumerate(found.powers):
            hits = [
                abs(d)
                for d, p in zip(compared.difference[place], compared.p[place], strict=True)
                if p < 0.05
            ]
            assert (each.pairs, each.significant) == (6, len(hits))
            assert each.power == len(hits) / 6
            assert each.min_delta == min(hits)


def test_a_measure_without_power_has_no_smallest_difference() -> None:
    held = drawn(3, 4, 2)
    held.values[:] = 0.5
    held.entered[:] = True
    found = discriminate(held, trials=20)
    assert found.powers[0].power == 0
    assert math.isnan(found.powers[0].min_delta)
    assert "min_delta" in found.to_json()
    with pytest.raises(PolysemeError, match="method must be hsd or bootstrap"):
        discriminate(held, method="t")  # type: ignore[arg-type]


def test_every_pair_of_measures_is_correlated() -> None:
    held = drawn(runs=6, measures=3)
    held.entered[:] = True
    found = correlate(held)
    assert [(each.a, each.b) for each in found.pairs] == [("m0", "m1"), ("m0", "m2"), ("m1", "m2")]
    assert found.of("m2", "m0") is found.pairs[1]
    table, pairs = found.report().seen
    assert table.names == ("", "m1", "m2")
    assert pairs.names == ("a", "b", "tau", "low", "high", "tau_ap")


def test_means_over_topics_are_rankings_too() -> None:
    from dataclasses import replace

    from polyseme.measures.means import TopicMean
    from polyseme.statistics import kendall_tau

    held = drawn(runs=6, measures=2)
    held.entered[:] = True
    both = replace(held, means=(TopicMean(), TopicMean("geom")))
    found = correlate(both)
    assert found.names == ("m0 [avg]", "m0 [geom]", "m1 [avg]", "m1 [geom]")
    avg, geom = (held.mean_values(TopicMean(kind)) for kind in ("avg", "geom"))
    assert found.of("m0 [avg]", "m1 [geom]").tau == kendall_tau(avg[:, 0], geom[:, 1])


def test_correlation_wants_complete_scores_and_two_rankings() -> None:
    held = drawn()
    with pytest.raises(PolysemeError, match="--missing"):
        correlate(held)
    assert len(correlate(held, missing="drop-topic").pairs) == 6
    with pytest.raises(PolysemeError, match="two rankings"):
        correlate(held.select(measures="m0"), missing="zero")
