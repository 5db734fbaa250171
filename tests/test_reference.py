"""The reference against published numbers, official programs and sums done by hand."""

from __future__ import annotations

import csv
import gzip
import itertools
import math
import os
from collections import defaultdict
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from reference import Collection, difficulty, mean, miss_rates, score

SHARED = Path(os.environ.get("POLYSEME_SHARED", Path(__file__).parents[2] / "shared"))
needs_shared = pytest.mark.skipif(
    not (SHARED / "gold").is_dir(),
    reason=f"real judgments and gold files are not at {SHARED} (set POLYSEME_SHARED)",
)


def near(value: float, places: int = 4) -> Any:
    """Equal to a number printed with so many places."""
    return pytest.approx(value, abs=0.5000001 * 10**-places)


def one_topic(intents: dict[str, dict[str, int]], **policies: Any) -> Collection:
    for key in ("probabilities", "types"):
        if key in policies:
            policies[key] = {"t": policies[key]}
    return Collection({"t": intents}, **policies)


# --- published numbers --------------------------------------------------------------------------


def topic_187(relevant: dict[int, str]) -> tuple[Collection, list[str]]:
    """Sakai (2013), table 4: ideal global gains 4, 2.5 x4, 2 x10, 1 x5 (and .5 beyond rank 20)."""
    intents: dict[str, dict[str, int]] = {"1": {}, "2": {}}
    grades = [(4, 4)] + [(4, 1)] * 4 + [(4, 0)] * 10 + [(1, 1)] * 3 + [(2, 0)] * 2
    for number, pair in enumerate(grades):
        for intent, grade in zip(intents, pair, strict=True):
            intents[intent][f"ideal{number}"] = grade
    ranking = [f"rank{rank}" for rank in range(1, 21)]
    for rank, document in enumerate(ranking, start=1):
        for intent in intents:
            intents[intent][document] = int(intent in relevant.get(rank, ""))
    return one_topic(intents), ranking


def test_topic_187_has_the_published_scores_on_the_full_judgments() -> None:
    collection, ranking = topic_187({1: "12", 5: "2", 11: "2", 16: "12"})
    assert score(collection, "t", ranking, "D#-nDCG", 20) == near(0.5497)
    assert score(collection, "t", ranking, "ERR-IA", 20) == near(0.2300)


def test_topic_187_has_the_published_scores_without_the_document_left_out() -> None:
    collection, ranking = topic_187({1: "12", 5: "2", 16: "12"})
    assert score(collection, "t", ranking, "D-nDCG", 20) == near(0.0906)
    assert score(collection, "t", ranking, "D#-nDCG", 20) == near(0.5453)
    assert score(collection, "t", ranking, "ERR-IA", 20) == near(0.2250)
    for intent, printed in (("1", 0.2100), ("2", 0.2400)):
        certain = replace(collection, probabilities={"t": {intent: 1.0}})
        assert score(certain, "t", ranking, "ERR-IA", 20) == near(printed)


def test_topic_187_has_the_published_condensed_scores() -> None:
    found = {1: "12", 4: "2", 8: "12", 10: "2", 12: "2", 16: "2", 18: "12", 19: "2", 20: "12"}
    collection, ranking = topic_187(found)
    with_unjudged = list(itertools.chain(*((document, f"x{document}") for document in ranking)))
    assert score(collection, "t", with_unjudged, "D#-nDCG", 20, primes=1) == near(0.5791)
    assert score(collection, "t", with_unjudged, "ERR-IA", 20, primes=1) == near(0.2581)


def test_the_act_example_of_albahem_has_its_printed_values() -> None:
    collection = one_topic({"a": {"a1": 1}, "b": {"b1": 1}})
    # CT after a is .5 / 2 / 5 = .05 and after b .1; a third document leaves it there.
    assert score(collection, "t", ["a1", "b1"], "ACT") == near(0.0750)
    assert score(collection, "t", ["a1", "b1", "x"], "ACT") == near(0.0833)


@pytest.mark.parametrize(("relevant", "axxa", "axxb"), [(5, 0.15, 0.125), (10, 0.075, 0.0625)])
def test_the_ap_ia_example_of_albahem_has_its_printed_values(
    relevant: int, axxa: float, axxb: float
) -> None:
    collection = one_topic({i: {f"{i}{n}": 1 for n in range(relevant)} for i in "ab"})
    for ranking, printed in ((["a0", "x", "y", "a1"], axxa), (["a0", "x", "y", "b0"], axxb)):
        assert score(collection, "t", ranking, "AP-IA", norm="R") == near(printed)


# --- Golbus et al. (2013): difficulty and miss rates --------------------------------------------


def lines(path: str) -> list[list[str]]:
    with gzip.open(SHARED / path, "rt", encoding="utf-8") as file:
        return [line.split() for line in file if line.strip()]


@cache
def web(*files: str) -> Collection:
    """Judgments of TREC Web files, years one after another."""
    judgments: dict[str, dict[str, dict[str, int]]] = {}
    for file in files:
        for topic, intent, document, grade in lines(f"data/trec-web/{file}.qrels.gz"):
            judgments.setdefault(topic, {}).setdefault(intent, {})[document] = int(grade)
    return Collection(judgments)


TABLE_1 = {  # relevant, relevant to each subtopic, dd
    "143": (25, [25, 21], 0.994),
    "86": (82, [78, 62, 60], 0.977),
    "125": (132, [110, 47, 13], 0.735),
    "73": (156, [69, 52, 28, 19], 0.730),
    "60": (313, [254, 47, 16, 11, 4, 4], 0.481),
    "57": (261, [261, 14, 5, 2], 0.449),
}

TABLE_3 = {  # topic: xi, then a row a subtopic at ranks xi, 5, 10 and 20
    "60": (3, [
        (0.002, 0.000, 0.000, 0.000), (0.143, 0.113, 0.061, 0.016), (0.199, 0.196, 0.182, 0.144),
        (0.209, 0.213, 0.215, 0.202), (0.224, 0.239, 0.271, 0.319), (0.224, 0.239, 0.271, 0.319),
    ]),
    "73": (2, [
        (0.141, 0.050, 0.007, 0.000), (0.202, 0.122, 0.040, 0.003), (0.306, 0.344, 0.321, 0.204),
        (0.351, 0.484, 0.632, 0.793),
    ]),
    "86": (1, [
        (0.087, 0.000, 0.000, 0.000), (0.435, 0.383, 0.278, 0.129), (0.478, 0.617, 0.722, 0.871),
    ]),
}  # fmt: skip


def of_year(topic: str) -> Collection:
    return web("2010.diversity") if int(topic) <= 100 else web("2011.graded")


@needs_shared
@pytest.mark.parametrize("topic", TABLE_1)
def test_difficulty_with_offset_one_is_the_published_one(topic: str) -> None:
    collection = of_year(topic)
    relevant, by_subtopic, dd = TABLE_1[topic]
    found = [set(collection.relevant(topic, i)) for i in collection.intents(topic)]
    assert sorted(map(len, found), reverse=True) == by_subtopic
    assert len(set().union(*found)) == relevant
    assert difficulty(collection, topic, xi_offset=1)[3] == near(dd, 3)


@needs_shared
@pytest.mark.parametrize("topic", TABLE_3)
def test_miss_rates_are_the_published_ones(topic: str) -> None:
    collection = of_year(topic)
    xi, rows = TABLE_3[topic]
    assert difficulty(collection, topic)[1] == xi
    for column, rank in enumerate((None, 5, 10, 20)):
        rates = sorted(miss_rates(collection, topic, rank).values())
        for rate, row in zip(rates, rows, strict=True):
            assert rate == near(row[column], 3)


@needs_shared
def test_difficulty_over_a_year_has_the_published_range_and_mean() -> None:
    # The paper's table 2 with its two maxima swapped.
    printed = {"2010.diversity": (0.449, 0.977, 0.727), "2011.graded": (0.643, 0.994, 0.809)}
    for file, (lowest, highest, average) in printed.items():
        collection = web(file)
        topics = [t for t in collection.judgments if collection.intents(t)]
        dd = [difficulty(collection, t, xi_offset=1)[3] for t in topics]
        assert min(dd) == near(lowest, 3)
        assert max(dd) == near(highest, 3)
        assert sum(dd) / len(dd) == near(average, 3)


def test_difficulty_of_two_intents_by_hand() -> None:
    # i1 holds of a b c, i2 of d; two documents are needed, 4 are relevant.
    collection = one_topic({"1": {"a": 1, "b": 1, "c": 1, "z": 0}, "2": {"d": 1}})
    # d_mean = 1 - ((1/4)^2 + (3/4)^2) / 2 = 1 - .3125
    d_max, xi, d_mean, dd = difficulty(collection, "t")
    assert (d_max, xi, d_mean) == (1.0, 2, 0.6875)
    assert dd == pytest.approx(2 * 0.6875 / 1.6875)
    # Without replacement both miss i1 never, i2 with probability C(3,2)/C(4,2) = 1/2.
    assert difficulty(collection, "t", exact=True)[2] == pytest.approx(1 - 0.5 / 2)
    assert difficulty(collection, "t", xi_offset=1)[2] == pytest.approx(1 - (1 / 64 + 27 / 64) / 2)
    assert miss_rates(collection, "t") == {"1": pytest.approx(0.1), "2": pytest.approx(0.9)}
    assert miss_rates(collection, "t", 1, raw=True) == {"1": 0.25, "2": 0.75}


def test_the_exact_cover_can_be_smaller_than_the_greedy_one() -> None:
    # Greedy takes a (3 of 6 alike) and then needs two more; b and c alone cover all.
    covers = {"a": "1245", "b": "123", "c": "456"}
    intents: dict[str, dict[str, int]] = {i: {} for i in "123456"}
    for document, covered in covers.items():
        for i in covered:
            intents[i][document] = 1
    collection = one_topic(intents)
    assert difficulty(collection, "t")[1] == 3
    assert difficulty(collection, "t", exact=True)[1] == 2


def test_kept_empty_intents_lower_d_max_and_have_the_highest_miss_rate() -> None:
    collection = one_topic({"1": {"a": 1}, "2": {"a": 0}}, keep_empty_intents=True)
    assert difficulty(collection, "t") == (0.5, 1, 0.5, 0.5)
    assert miss_rates(collection, "t") == {"1": 0.0, "2": 1.0}


def test_miss_rates_that_are_all_zero_become_uniform() -> None:
    assert miss_rates(one_topic({"1": {"a": 1}, "2": {"a": 1}}), "t") == {"1": 0.5, "2": 0.5}


def test_topic_means_by_hand() -> None:
    easy = {"1": {"a": 1}, "2": {"a": 1}}  # dd 1
    hard = {"1": {"a": 1, "b": 1, "c": 1}, "2": {"d": 1}}  # dd 2 (.6875) / 1.6875
    collection = Collection({"easy": easy, "hard": hard})
    values = {"easy": 0.5, "hard": 0.0}
    assert mean(collection, values) == 0.25
    assert mean(collection, values, "geom") == pytest.approx(math.sqrt(0.5 * 1e-5))
    assert mean(collection, values, "geom", floor=0.0) == 0.0
    assert mean(collection, values, "dd") == 0.0  # all the weight is on the hard topic
    assert mean(Collection({"easy": easy}), {"easy": 0.5}, "dd") == 0.5  # no weight at all


# --- official programs --------------------------------------------------------------------------


def run(path: str, by_rank: bool, depth: int | None = None) -> dict[str, list[str]]:
    """Topic -> documents, in rank-column order or in the file's order."""
    ranked: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for topic, _, document, rank, *_ in lines(f"data/runs/{path}.run.gz"):
        ranked[topic].append((int(rank) if by_rank else 0, document))
    return {t: [d for _, d in sorted(r, key=lambda x: x[0])][:depth] for t, r in ranked.items()}


def gold_table(path: str) -> list[dict[str, str]]:
    with gzip.open(SHARED / "gold" / path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


YEARS = ("2009.diversity", "2010.diversity", "2011.diversity", "2012.diversity")
NDEVAL = [
    ("gdesa.dvgan.a0.5.default", "wt2009-2012-gdesa/dvgan", YEARS),
    ("gdesa.result_desa.a0.25", "wt2009-2012-gdesa/result_desa", YEARS),
    ("lemur.wt2010.a0.5.default", "wt2009-2012-lemur/wt2010", YEARS[1:2]),
    ("lemur.wt2012.a0.5.default", "wt2009-2012-lemur/wt2012", YEARS[3:]),
]


@needs_shared
@pytest.mark.slow
@pytest.mark.parametrize(("gold", "path", "years"), NDEVAL)
def test_ndeval_agrees_on_every_column_that_it_shares(
    gold: str, path: str, years: tuple[str, ...]
) -> None:
    collection = replace(web(*years), gain={1: 1, 2: 1, 3: 1, 4: 1})
    ranked = run(path, by_rank=True)
    alpha = 0.25 if "a0.25" in gold else 0.5
    checked = 0
    for row in gold_table(f"ndeval/{gold}.csv.gz"):
        topic = row["topic"]
        if topic not in ranked or int(topic) % 4 or not collection.intents(topic):
            continue
        narrow = Collection({topic: collection.judgments[topic]}, gain=collection.gain)
        values = ndeval_columns(narrow, topic, ranked[topic], alpha)
        for column, value in values.items():
            assert value == pytest.approx(float(row[column]), abs=1.1e-6), (topic, column)
            checked += 1
    assert checked > 100


def ndeval_columns(
    collection: Collection, topic: str, ranking: list[str], alpha: float
) -> dict[str, float]:
    """ndeval's columns in our measures: its raw ones are over a list relevant to everything."""

    def ours(name: str, cutoff: int | None = None, **parameters: Any) -> float:
        return score(collection, topic, ranking, name, cutoff, **parameters)

    values = {
        "NRBP": ours("NRBP", alpha=alpha),
        "nNRBP": ours("nNRBP", alpha=alpha),
        "MAP-IA": ours("AP-IA", norm="R"),
    }
    for k in (5, 10, 20):
        cascade: dict[str, Any] = {"average": "cascade", "lambda_": 0.0, "alpha": alpha}
        values[f"nERR-IA@{k}"] = ours("alpha#-nERR-IA", k, **cascade)
        values[f"alpha-nDCG@{k}"] = ours("alpha-nDCG", k, alpha=alpha)
        jokers = sum((1 - alpha) ** (r - 1) / math.log2(r + 1) for r in range(1, k + 1))
        values[f"alpha-DCG@{k}"] = ours("alpha-DCG", k, alpha=alpha) / jokers
        values[f"P-IA@{k}"] = ours("P-IA", k)
        values[f"strec@{k}"] = ours("I-rec", k)
    return values


NTCIR = {
    "D-AP": "AP@0010", "D-Q": "Q@0010", "D-nDCG": "MSnDCG@0010", "D-P": "Prec@0010",
    "D-RBP": "RBP@0010", "D-ERR": "ERR@0010", "D-EBR": "EBR@0010", "D-iRBU": "iRBU@0010",
    "I-rec": "I-rec@0010", "D#-Q": "D#-Q@0010", "D#-nDCG": "D#-MSnDCG@0010",
    "D#-RBP": "D#-RBP@0010", "D#-EBR": "D#-EBR@0010", "D#-iRBU": "D#-RBU@0010", "D-RR": "RR",
}  # fmt: skip
NTCIR_RUNS = {
    "gdesa_result_desa": "wt2009-2012-gdesa/result_desa",
    "indri_ql_catb": "wt2012-indri/indri_ql_catb",
}


def ntcir_parameters(name: str) -> dict[str, Any]:
    """NTCIREVAL's RBP has p .95."""
    return {"p": 0.95} if "RBP" in name else {}


@needs_shared
@pytest.mark.slow
@pytest.mark.parametrize("name", NTCIR_RUNS)
def test_ntcireval_agrees_on_global_gains(name: str) -> None:
    collection = replace(web("2012.graded"), gain="exponential", gmax="topic")
    ranked = run(NTCIR_RUNS[name], by_rank=False, depth=10)
    gold = {
        (row["topic"].lstrip("0"), row["measure"]): float(row["value"])
        for row in gold_table("ntcireval/d-measures.l10.csv.gz")
        if row["run"] == name and row["kind"] == "Dnev"
    }
    for topic in sorted({topic for topic, _ in gold}):
        ranking = ranked.get(topic, [])
        assert len(collection.intents(topic)) == gold[topic, "#intent_num"]
        for ours, theirs in NTCIR.items():
            value = score(collection, topic, ranking, ours, 10, **ntcir_parameters(ours))
            assert value == pytest.approx(gold[topic, theirs], abs=2e-4), (topic, theirs)
        original = score(collection, topic, ranking, "D-nDCG", 10, form="jk")
        assert original == pytest.approx(gold[topic, "nDCG@0010"], abs=2e-4)
        uncut = score(collection, topic, ranking, "D-AP", 10, norm="R")
        assert uncut == pytest.approx(gold[topic, "AP"], abs=2e-4)
        seen = reference.viewed(ranking, collection.documents(topic), 0)
        walk = reference.Look(collection, topic, seen, 10).walk_of_global_gain()
        assert reference.p_plus(walk) == pytest.approx(gold[topic, "P-plus"], abs=2e-4)


@needs_shared
@pytest.mark.slow
@pytest.mark.parametrize("name", NTCIR_RUNS)
def test_ntcireval_agrees_on_each_intent_alone(name: str) -> None:
    ranked = run(NTCIR_RUNS[name], by_rank=False, depth=10)
    columns = {
        ours.replace("D-", "") + "-IA": theirs
        for ours, theirs in NTCIR.items()
        if ours.startswith("D-") and theirs.endswith("@0010")
    }
    gold = {
        (row["topic"].lstrip("0"), row["intent"], row["measure"]): float(row["value"])
        for row in gold_table("ntcireval/per-intent.l10.csv.gz")
        if row["run"] == name
    }
    for topic, intent in sorted({(topic, intent) for topic, intent, _ in gold}):
        judged = web("2012.graded").judgments[topic][intent]
        alone = Collection({topic: {intent: judged}}, gain="exponential", gmax="topic")
        for ours, theirs in columns.items():
            value = score(alone, topic, ranked.get(topic, []), ours, 10, **ntcir_parameters(ours))
            expected = gold[topic, intent, theirs]
            assert value == pytest.approx(expected, abs=2e-4), (topic, intent, theirs)


@needs_shared
@pytest.mark.parametrize("name", ["indri_ql_catb", "indri_rm_cata"])
def test_the_rbu_program_agrees(name: str) -> None:
    # Intents without a relevant document are not among those it weighs (8 topics have one).
    collection = web("2012.graded")
    ranked = run(f"wt2012-indri/{name}", by_rank=False, depth=20)
    checked = 0
    for row in lines(f"gold/rbu/{name}.top20.p0.8.e0.03.tsv.gz"):
        topic = row[0].strip('"')
        if topic in ranked:
            value = score(collection, topic, ranked[topic], "RBU", form="amigo", p=0.8, e=0.03)
            assert value == near(float(row[1].strip('"'))), topic
            checked += 1
    assert checked == 50


@cache
def dynamic_domain() -> Collection:
    """TREC DD truth: a document's grade for a subtopic is the sum of its ratings, 0 counts 1."""
    judgments: dict[str, dict[str, dict[str, int]]] = {}
    for topic, subtopic, document, _, given_rating in lines("data/trec-dd/2016.qrels.tsv.gz"):
        grades = judgments.setdefault(topic, {}).setdefault(subtopic, {})
        grades[document] = grades.get(document, 0) + max(int(given_rating), 1)
    return Collection(judgments)


@needs_shared
@pytest.mark.slow
@pytest.mark.parametrize("name", ["syn1_q0.15_div0", "syn3_q0.3_div1", "syn5_q0.5_div1"])
@pytest.mark.parametrize("cutoff", [1, 5, 10])
def test_the_cube_test_program_agrees(name: str, cutoff: int) -> None:
    ranked: dict[str, dict[int, list[tuple[float, str]]]] = {}
    for topic, number, document, of_document, _ in lines(
        f"data/trec-dd/runs-synthetic/{name}.txt.gz"
    ):
        iterations = ranked.setdefault(topic, {})
        iterations.setdefault(int(number), []).append((-float(of_document), document))
    checked = 0
    for row in lines(f"gold/cubetest/{name}.cubetest.c{cutoff}.out.gz"):
        if row[0] not in ranked:
            continue
        iterations = ranked[row[0]]
        ranking = [
            [document for _, document in sorted(iterations.get(number, []), key=lambda x: x[0])]
            for number in range(max(iterations) + 1)
        ]
        for measure, printed in zip(("CT", "ACT", "nCT"), row[1:], strict=True):
            value = score(dynamic_domain(), row[0], ranking, measure, cutoff)
            assert value == near(float(printed), 7), (row[0], measure)
            checked += 1
    assert checked > 100


# --- user models by hand ------------------------------------------------------------------------

OWN = Collection({}, adhoc={"t": {"a": 2, "b": 1, "c": 1, "spam": -2}})
# Ranking b, x, a: R = 3, ideal gains 2 1 1, gmax 2, s(b) = 1/3, s(a) = 2/3,
# BR(1) = (1 + 1) / (1 + 2), BR(3) = (2 + 3) / (3 + 4).
BY_HAND: list[tuple[str, int | None, dict[str, Any], float]] = [
    ("P", 3, {}, 2 / 3),
    ("P", 5, {}, 2 / 5),
    ("P", 5, {"norm": "length"}, 2 / 3),
    ("P", 1, {"norm": "length"}, 1.0),
    ("RR", None, {}, 1.0),
    ("AP", 3, {}, (1 + 2 / 3) / 3),
    ("AP", 2, {}, 1 / 2),
    ("AP", 2, {"norm": "R"}, 1 / 3),
    ("AP", None, {}, (1 + 2 / 3) / 3),
    ("Q", 3, {}, (2 / 3 + 5 / 7) / 3),
    ("Q", 1, {}, 2 / 3),
    ("Q", None, {}, (2 / 3 + 5 / 7) / 3),
    ("ERR", None, {}, 1 / 3 + 2 / 3 * 2 / 3 / 3),
    ("EBR", 10, {}, 1 / 3 * 2 / 3 + 4 / 9 * 5 / 7),
    ("iRBU", 10, {"p": 0.5}, 1 / 3 * 0.5 + 4 / 9 * 0.125),
    ("RBP", 10, {"p": 0.5}, 0.5 * 0.5 + 0.5 * 0.25 * 1),
    ("RBP", 10, {"p": 0.5, "gmax": 4}, (0.5 * 0.5 + 0.5 * 0.25 * 1) / 2),
    ("nDCG", 3, {}, 2 / (2 + 1 / math.log2(3) + 1 / 2)),
    ("nDCG", 1, {}, 1 / 2),
    ("nDCG", None, {}, 2 / (2 + 1 / math.log2(3) + 1 / 2)),
    ("nDCG", 3, {"form": "jk"}, (1 + 2 / math.log2(3)) / (2 + 1 + 1 / math.log2(3))),
    ("nDCG", 3, {"gain": "exponential"}, 2.5 / (3 + 1 / math.log2(3) + 1 / 2)),
]


@pytest.mark.parametrize(("name", "cutoff", "parameters", "expected"), BY_HAND)
def test_user_models_have_the_values_worked_by_hand(
    name: str, cutoff: int | None, parameters: dict[str, Any], expected: float
) -> None:
    value = score(OWN, "t", ["b", "x", "a"], name, cutoff, **parameters)
    assert value == pytest.approx(expected)


@pytest.mark.parametrize("name", reference.USER_MODELS)
def test_nothing_relevant_scores_zero_in_every_form(name: str) -> None:
    collection = Collection({"t": {"1": {"a": 0, "b": -2}, "0": {"c": 0}}, "u": {"1": {"a": 1}}})
    for form in (name, f"{name}-IA", f"D-{name}", f"D#-{name}"):
        assert score(collection, "t", ["a", "x", "c"], form, 10) == 0.0
        assert score(collection, "u", [], form, 10) == 0.0


@pytest.mark.parametrize("name", [*reference.OTHER_MEASURES, *reference.ALPHASHARP])
def test_nothing_relevant_or_nothing_retrieved_scores_zero(name: str) -> None:
    collection = Collection({"t": {"1": {"a": 0, "b": -2}, "0": {"c": 0}}, "u": {"1": {"a": 1}}})
    parameters: dict[str, Any] = {}
    if name in reference.ALPHASHARP:
        parameters["average"] = "cascade"
    if name != "RBU":
        assert score(collection, "t", ["a", "x", "c"], name, 10, **parameters) == 0.0
    assert score(collection, "u", [], name, 10, **parameters) == 0.0


def test_wrong_names_and_parameters_are_refused() -> None:
    for name in ("nDGC", "D-RBU", "I-rec-IA"):
        with pytest.raises(ValueError, match="no measure"):
            score(OWN, "t", [], name, 10)
    with pytest.raises(ValueError, match="cutoff"):
        score(OWN, "t", [], "P")
    with pytest.raises(ValueError, match="must be one of"):
        score(OWN, "t", [], "AP", norm="length")
    with pytest.raises(TypeError):
        score(OWN, "t", [], "ERR", p=0.5)


# --- several intents by hand --------------------------------------------------------------------

# G(a) = .75, G(b) = .5; the ideal is a, b.
TWO = one_topic({"1": {"a": 1, "z": 0}, "2": {"b": 2}}, probabilities={"1": 0.75, "2": 0.25})
L3 = 1 / math.log2(3)


def test_global_gain_weighs_intents_by_their_probability() -> None:
    dndcg = (0.5 + 0.75 * L3) / (0.75 + 0.5 * L3)
    assert score(TWO, "t", ["b", "a"], "D-nDCG") == pytest.approx(dndcg)
    assert score(TWO, "t", ["b", "a"], "D#-nDCG") == pytest.approx(0.5 + 0.5 * dndcg)
    assert score(TWO, "t", ["b", "a"], "D#-nDCG", 1) == pytest.approx(0.25 + 0.5 * 0.5 / 0.75)
    assert score(TWO, "t", ["b"], "D#-nDCG", 1, gamma=0.25) == pytest.approx(0.125 + 0.5)
    # gmax is the gain of the collection's highest grade, 2; of the ideal list .75.
    assert score(TWO, "t", ["b", "a"], "D-RBP", p=0.5) == pytest.approx(0.125 + 0.25 * 0.375)
    topic = score(TWO, "t", ["b", "a"], "D-RBP", p=0.5, gmax="topic")
    assert topic == pytest.approx(0.5 * 2 / 3 + 0.25)
    # s(b) = .5 / 3, s(a) = .75 / 3.
    assert score(TWO, "t", ["b", "a"], "D-ERR") == pytest.approx(1 / 6 + 5 / 6 * 0.25 / 2)


def test_intent_aware_measures_take_each_intent_alone() -> None:
    # ERR of intent 1: 1/3 at rank 2; of intent 2: 2/3 at rank 1.
    expected = 0.75 * (1 / 3) / 2 + 0.25 * 2 / 3
    assert score(TWO, "t", ["b", "a"], "ERR-IA") == pytest.approx(expected)
    # With each ideal list's own maximum both stop with probability g / (g + 1).
    expected = 0.75 * (1 / 2) / 2 + 0.25 * 2 / 3
    assert score(TWO, "t", ["b", "a"], "ERR-IA", gmax="topic") == pytest.approx(expected)
    assert score(TWO, "t", ["b", "a"], "nDCG-IA") == pytest.approx(0.75 * L3 + 0.25)
    assert score(TWO, "t", ["b", "a"], "RR-IA") == pytest.approx(0.75 / 2 + 0.25)


def test_an_intent_of_probability_zero_counts_in_intent_recall_alone() -> None:
    collection = replace(TWO, probabilities={"t": {"1": 1.0}})
    assert score(collection, "t", ["b"], "I-rec", 1) == 0.5
    assert score(collection, "t", ["b"], "D-P", 1) == 0.0  # G(b) = 0: not relevant
    assert score(collection, "t", ["b", "a"], "D-AP") == 0.5  # R = 1
    assert score(collection, "t", ["b"], "NRBP", 1) > 0.0  # weights of 1, not probabilities


def test_empty_intents_are_dropped_and_probabilities_renormalised() -> None:
    graded = {"1": {"a": 1, "b": 0}, "2": {"a": 0}, "3": {"b": 1}, "0": {"c": 0}}
    given = {"1": 0.25, "2": 0.5, "3": 0.25, "4": 0.0}
    collection = one_topic(graded, probabilities=given)
    assert collection.intents("t") == ["1", "3"]
    assert collection.probability("t") == {"1": 0.5, "3": 0.5}
    assert score(collection, "t", ["a"], "P-IA", 1) == 0.5
    kept = replace(collection, keep_empty_intents=True)
    assert kept.intents("t") == ["1", "2", "3", "4"]  # 4 by the probabilities, 0 never
    assert score(kept, "t", ["a"], "P-IA", 1) == 0.25
    assert score(kept, "t", ["a"], "I-rec", 1) == 0.25


def test_probabilities_left_with_nothing_become_uniform() -> None:
    graded = {"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 0}}
    collection = one_topic(graded, probabilities={"3": 1.0})
    assert collection.probability("t") == {"1": 0.5, "2": 0.5}


def test_intents_ascend_as_numbers() -> None:
    collection = one_topic({i: {"a": 1} for i in ("10", "9", "b", "0")})
    assert collection.intents("t") == ["0", "9", "10", "b"]


def test_lifting_the_bar_makes_lower_grades_judged_and_not_relevant() -> None:
    collection = one_topic({"1": {"a": 1, "b": 2}, "2": {"a": 1}}, relevant_from=2)
    assert collection.intents("t") == ["1"]
    assert score(collection, "t", ["a", "b"], "RR-IA") == 0.5
    assert score(collection, "t", ["x", "a", "b"], "RR-IA", primes=1) == 0.5


def test_a_grade_is_relevant_where_the_gain_table_gives_it_something() -> None:
    collection = one_topic({"1": {"a": 1, "b": 2}}, gain={1: 0, 2: 3})
    assert score(collection, "t", ["a", "b"], "RR-IA") == 0.5
    assert score(collection, "t", ["a", "b"], "ERR-IA") == pytest.approx(3 / 4 / 2)


def test_rbu_subtracts_the_effort_of_what_was_retrieved() -> None:
    # One intent, s(a) = 1/2 at rank 1; p = .5, e = .1, two documents, cutoff 3.
    collection = one_topic({"1": {"a": 1}})
    gained = 0.5 * 0.5
    value = score(collection, "t", ["a", "x"], "RBU", 3, p=0.5, e=0.1)
    assert value == pytest.approx(gained - 0.1 * (0.5 + 0.25))
    value = score(collection, "t", ["a", "x"], "RBU", 3, p=0.5, e=0.1, effort="cutoff")
    assert value == pytest.approx(gained - 0.1 * (0.5 + 0.25 + 0.125))
    value = score(collection, "t", ["a", "x"], "RBU", 3, primes=1, p=0.5, e=0.1)
    assert value == pytest.approx(gained - 0.1 * 0.5)
    value = score(collection, "t", ["a", "x"], "RBU", form="amigo", p=0.5, e=0.1)
    assert value == pytest.approx(0.5 * (0.5 - 0.1) - 0.25 * 0.1)


NAVIGATIONAL = one_topic(
    {"1": {"a": 1}, "2": {"b": 1, "c": 2}}, types={"1": "inf", "2": "nav"}, gain="linear"
)


def test_din_ndcg_counts_a_navigational_intent_once() -> None:
    # Ideal global gains: c 1, a .5, b .5. Of b, c, a the second gains nothing more.
    ideal = 1 + 0.5 * L3 + 0.5 / 2
    value = score(NAVIGATIONAL, "t", ["b", "c", "a"], "DIN-nDCG")
    assert value == pytest.approx((0.5 + 0.5 / 2) / ideal)
    assert score(NAVIGATIONAL, "t", ["b", "c", "a"], "DIN-nDCG", 1) == pytest.approx(0.5)


def test_p_plus_ends_at_the_first_document_of_the_largest_gain_seen() -> None:
    # Intent 1: BR(3) = 2 / 4. Intent 2, ideal gains 2 1: BR(1) = 2 / 3, BR(2) = 5 / 5, rp = 2.
    q, plus = 0.5, (2 / 3 + 1) / 2
    assert score(NAVIGATIONAL, "t", ["b", "c", "a"], "P+Q") == pytest.approx((q + plus) / 2)
    value = score(NAVIGATIONAL, "t", ["b", "c", "a"], "P+Q#")
    assert value == pytest.approx(0.5 + (q + plus) / 4)
    assert score(NAVIGATIONAL, "t", ["b", "c", "a"], "P+Q", 1) == pytest.approx(2 / 3 / 2)
    assert score(NAVIGATIONAL, "t", ["c", "b"], "P+Q") == pytest.approx((2 + 1) / (2 + 1) / 2)


# --- the cascade family by hand -----------------------------------------------------------------

# Ideal for alpha .5: a, then c and b equal.
NOVEL = one_topic({"1": {"a": 1, "b": 1}, "2": {"a": 1, "c": 1}})


def test_alpha_ndcg_and_nrbp_have_the_values_worked_by_hand() -> None:
    ranking = ["b", "c", "a"]  # with w = 1: gains 1, 1, 1/2 + 1/2
    gained = 0.5 + 0.5 * L3
    assert score(NOVEL, "t", ranking, "alpha-DCG", 2) == pytest.approx(gained)
    assert score(NOVEL, "t", ranking, "alpha-nDCG", 2) == pytest.approx(gained / (1 + 0.25 * L3))
    nrbp = 0.75 / 2 * (1 + 1 / 2 + 1 / 4)
    assert score(NOVEL, "t", ranking, "NRBP") == pytest.approx(nrbp)
    assert score(NOVEL, "t", ranking, "nNRBP") == pytest.approx(1.75 / (2 + 0.5 / 2 + 0.5 / 4))


def test_the_greedy_ideal_breaks_ties_by_document_descending() -> None:
    # After z, m gains 2; after a nothing gains more than 1.5.
    covers = {"a": "12", "z": "23", "m": "14"}
    collection = one_topic({i: {d: 1 for d in covers if i in covers[d]} for i in "1234"})
    assert score(collection, "t", ["z", "m"], "alpha-nDCG", 2) == pytest.approx(1)
    expected = (2 + 1.5 * L3) / (2 + 2 * L3)
    assert score(collection, "t", ["a", "z"], "alpha-nDCG", 2) == pytest.approx(expected)


def test_nrbp_of_a_list_relevant_to_everything_approaches_one() -> None:
    ranking = [str(n) for n in range(60)]
    collection = one_topic({i: dict.fromkeys(ranking, 1) for i in "123"})
    for alpha, beta in ((0.5, 0.5), (0.25, 0.8), (0.9, 0.3)):
        value = score(collection, "t", ranking, "NRBP", alpha=alpha, beta=beta)
        assert value == pytest.approx(1, abs=1e-9)


def test_alphasharp_averages_have_the_values_worked_by_hand() -> None:
    # Intent 1 holds of a and b, 2 of c: miss rates at xi = 2 are 1/9 and 4/9, so .2 and .8.
    collection = one_topic({"1": {"a": 1, "b": 1}, "2": {"c": 1}})
    X1, X2 = 1 / (1 + 0.5 * L3), L3  # alpha .5, DCG, rank 2
    averages = {"micro": (X1 + X2) / 2, "geom": math.sqrt(X1 * X2), "smr": 0.2 * X1 + 0.8 * X2}
    averages["cascade"] = 1.0
    for average, A in averages.items():
        for lambda_ in (0.0, 0.25):
            value = score(
                collection, "t", ["a", "c"], "alpha#-nDCG-IA", 2,
                alpha=0.5, lambda_=lambda_, average=average,
            )  # fmt: skip
            assert value == pytest.approx(lambda_ * 1 + (1 - lambda_) * A)
    # b after a gains .7 with discount .8, after an ideal a, b: X1 = 1; X2 = 0 is raised.
    value = score(collection, "t", ["a", "b"], "alpha#-nRBP-IA", 2, average="geom")
    assert value == pytest.approx(0.5 * 0.5 + 0.5 * math.sqrt(1e-5))
    value = score(collection, "t", ["a", "b"], "alpha#-nRBP-IA", 2, average="geom", floor=0.0)
    assert value == 0.25
    value = score(collection, "t", ["x", "a"], "alpha#-nERR-IA", 2, lambda_=0.0)
    assert value == pytest.approx(0.5 * (1 / 2) / (1 + 0.7 / 2))


def test_golbus_d_measures_discount_global_gain_alone() -> None:
    # TWO: of b, a the gains are .5, .75.
    expected = {
        "ERR": (0.5 + 0.75 / 2) / (0.75 + 0.5 / 2),
        "DCG": (0.5 + 0.75 * L3) / (0.75 + 0.5 * L3),
        "RBP": (0.5 + 0.75 * 0.8) / (0.75 + 0.5 * 0.8),
    }
    for discount, value in expected.items():
        ours = score(TWO, "t", ["b", "a"], "D-cascade", 20, discount=discount)
        assert ours == pytest.approx(value)
        ours = score(TWO, "t", ["b"], "D#-cascade", 1, discount=discount, lambda_=0.25)
        assert ours == pytest.approx(0.25 * 0.5 + 0.75 * 0.5 / 0.75)


# --- Cube Test by hand --------------------------------------------------------------------------


def test_the_cube_is_filled_to_its_height() -> None:
    collection = one_topic({"1": {"a": 8, "b": 8, "c": 8}})
    # a adds 8 / 2, b 8 / 4 but only 1 fits, c nothing.
    assert score(collection, "t", ["a"], "CT") == pytest.approx(4 / 5)
    assert score(collection, "t", ["a", "b", "c"], "CT") == pytest.approx(1)
    assert score(collection, "t", ["a", "b", "c"], "ACT") == pytest.approx((0.8 + 1 + 1) / 3)
    assert score(collection, "t", ["a", "b"], "CT", height=10) == pytest.approx(0.6)


def test_iterations_cost_time_and_empty_ones_count() -> None:
    collection = one_topic({"1": {"a": 4}, "2": {"b": 4}})
    ranking = [["x"], [], ["a", "a", "b"]]
    # a and b add 4 / 2 / 2 each; the second a is non-relevant but counted.
    assert score(collection, "t", ranking, "CT") == pytest.approx(2 / 5 / 3)
    assert score(collection, "t", ranking, "CT", 2) == 0.0
    after_each = [0, 0, 1 / 5 / 3, 1 / 5 / 3, 2 / 5 / 3]
    assert score(collection, "t", ranking, "ACT") == pytest.approx(sum(after_each) / 5)
    assert score(collection, "t", ranking, "CT", documents=3) == pytest.approx(1 / 5 / 3)
    # The bound: 4 of height 5 in each intent, 3 iterations; discounted like the gain 2 of 5.
    assert score(collection, "t", ranking, "nCT") == pytest.approx(2 / 5 / 3 / (4 / 5 / 3))
    tight = score(collection, "t", ranking, "nCT", 3, bound="tight")
    assert tight == pytest.approx(2 / 5 / 3 / (2 / 5 / 3))


def test_the_cube_bound_holds_five_documents_an_iteration_and_one() -> None:
    collection = one_topic({"1": {str(n): 1 for n in range(20)}})
    bound = sum(0.9**n for n in range(6)) / 5
    value = score(collection, "t", ["0"], "nCT", 1, gamma=0.9)
    assert value == pytest.approx(0.9 / 5 / bound)


# --- ad hoc judgments and views -----------------------------------------------------------------


@pytest.mark.parametrize(("kind", "grades"), [
    ("pseudo", {"a": 3, "b": 1, "c": 0, "d": 2}),
    ("max", {"a": 4, "b": 1, "c": 0, "d": 2}),
    ("sum", {"a": 7, "b": 2, "c": 0, "d": 3}),
])  # fmt: skip
def test_ad_hoc_grades_are_derived_from_the_intents(kind: str, grades: dict[str, int]) -> None:
    graded = {"1": {"a": 4, "b": 1, "c": -2, "d": 2}, "2": {"a": 3, "b": 1, "d": 1}}
    collection = one_topic(graded, adhoc=kind)
    assert collection.adhoc_grades("t") == grades
    # The largest gain is that of the derived grades.
    assert score(collection, "t", ["a"], "RBP", p=0.5) == 0.5


def test_condensing_removes_unjudged_documents_and_then_cuts() -> None:
    collection = one_topic({"1": {"a": 1, "b": 1, "z": 0}})
    ranking = ["x", "a", "y", "z", "b"]
    assert score(collection, "t", ranking, "P-IA", 2) == 0.5
    assert score(collection, "t", ranking, "AP-IA", 3) == pytest.approx((1 / 2) / 2)
    assert score(collection, "t", ranking, "AP-IA", 3, primes=1) == pytest.approx((1 + 2 / 3) / 2)
    value = score(collection, "t", ranking, "P-IA", 9, primes=1, norm="length")
    assert value == pytest.approx(2 / 3)  # of three judged


def test_promoted_documents_lose_gain_but_stay_relevant() -> None:
    collection = one_topic({"1": {"a": 1, "b": 1, "z": 0}})
    ranking = ["x", "a", "y", "z", "b"]  # a is promoted by 1, b by 2
    value = score(collection, "t", ranking, "nDCG-IA", primes=2, delta=0.5)
    assert value == pytest.approx((0.5 + 0.25 / 2) / (1 + L3))
    for name in ("P-IA", "AP-IA", "RR-IA", "I-rec"):
        once = score(collection, "t", ranking, name, 3, primes=1)
        assert score(collection, "t", ranking, name, 3, primes=2) == once
    # Novelty goes by counts: (1-alpha)^c is untouched.
    value = score(collection, "t", ranking, "alpha-DCG", primes=2)
    assert value == pytest.approx(0.9 + 0.81 * 0.5 / 2)
    # BR(1) = (1 + .5) / 2, BR(3) = (2 + .75) / (3 + 2).
    value = score(collection, "t", ranking, "Q-IA", primes=2, delta=0.5)
    assert value == pytest.approx((0.75 + 0.55) / 2)


def test_residual_views_grade_unjudged_documents_at_the_extremes() -> None:
    collection = Collection({"t": {"1": {"a": 2}, "2": {"a": 1}}, "u": {"1": {"b": 4}}})
    ranking = ["x", "a"]
    for name in ("P-IA", "nDCG-IA", "D-nDCG", "alpha-nDCG", "CT", "nDCG"):
        raw = score(collection, "t", ranking, name, 2)
        assert score(collection, "t", ranking, name, 2, view="lower") == raw
        assert score(collection, "t", ranking, name, 2, view="upper") > raw
    assert score(collection, "t", ["x"], "I-rec", 1, view="upper") == 1.0
    assert score(collection, "t", ["x"], "D-RBP", 1, view="upper", p=0.5) == 0.5
    assert score(collection, "t", ["x"], "nDCG-IA", 1, view="upper") == (4 / 2 + 4 / 1) / 2
    capped = score(collection, "t", ["x"], "nDCG-IA", 1, view="upper", gmax="topic")
    assert capped == 1.0
    # The highest derived grade is floor(log2(3 + 1)) = floor(log2(4 + 1)) = 2.
    assert score(collection, "t", ["x"], "ERR", 1, view="upper") == pytest.approx(2 / 3)


# --- identities ---------------------------------------------------------------------------------

DOCUMENTS = "abcdefgh"
graded_documents = st.dictionaries(st.sampled_from(DOCUMENTS[:6]), st.integers(-2, 4), min_size=1)
rankings = st.lists(st.sampled_from(DOCUMENTS), unique=True)
cutoffs = st.integers(1, 10)


@settings(max_examples=60, deadline=None)
@given(graded_documents, rankings, cutoffs, st.integers(0, 2))
def test_with_one_intent_every_form_of_a_measure_is_the_same(
    judged: dict[str, int], ranking: list[str], cutoff: int, primes: int
) -> None:
    collection = one_topic({"1": judged}, adhoc="max")
    for name in reference.USER_MODELS:
        values = {
            round(score(collection, "t", ranking, form, cutoff, primes), 12)
            for form in (name, f"{name}-IA", f"D-{name}")
        }
        assert len(values) == 1


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from("123"), graded_documents, min_size=1), rankings, cutoffs)
def test_measures_that_coincide_by_definition_coincide(
    judged: dict[str, dict[str, int]], ranking: list[str], cutoff: int
) -> None:
    def value(name: str, **parameters: Any) -> Any:
        return pytest.approx(score(one_topic(judged), "t", ranking, name, cutoff, **parameters))

    assert value("Q", beta=0.0) == value("AP").expected
    assert value("Q-IA") == value("P+Q").expected  # no types: all informational
    assert value("DIN-nDCG") == value("D-nDCG").expected
    assert value("D-cascade") == value("D-nDCG").expected
    assert value("alpha#-nDCG-IA", lambda_=0.0, alpha=0.0) == value("nDCG-IA").expected
    cascade = value("alpha#-nDCG-IA", lambda_=0.0, alpha=0.5, average="cascade")
    assert cascade == value("alpha-nDCG").expected
    assert value("alpha-nDCG", alpha=0.0) == value("D-nDCG").expected


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from("123"), graded_documents, min_size=1), rankings, cutoffs)
def test_the_residual_views_enclose_every_way_to_grade_one_unjudged_document(
    judged: dict[str, dict[str, int]], ranking: list[str], cutoff: int
) -> None:
    # "g" is unjudged and given every grade in turn, under measures that look at no ideal.
    collection = one_topic(judged)
    for name in ("P-IA", "RR-IA", "RBP-IA", "I-rec"):
        lower, upper = (
            score(collection, "t", ranking, name, cutoff, view=view) for view in ("lower", "upper")
        )
        for grade in range(collection.highest_grade + 1):
            guess = {i: {**judged[i], "g": grade} for i in collection.intents("t")}
            value = score(one_topic(guess), "t", ranking, name, cutoff)
            assert lower - 1e-12 <= value <= upper + 1e-12
