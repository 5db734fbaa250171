"""Numbers that papers and programs print, through the public API."""

from __future__ import annotations

import csv
import gzip
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyseme
from polyseme.collection.difficulty import Difficulty, difficulty, miss_rate_weights, miss_rates
from polyseme.collection.relevance import Relevance, relevance


def near(value: float, places: int = 4) -> Any:
    """Equal to a number printed with so many places."""
    return pytest.approx(value, abs=0.5000001 * 10**-places)


def one_run(judgments: Any, ranking: Iterable[str], names: str, **policies: Any) -> dict[str, Any]:
    """The values of one list for the only topic of the run."""
    scores = polyseme.evaluate(
        judgments, {"run": {"187": list(ranking)}}, names, only_topics=["187"], **policies
    )
    return scores.mean()["run"]


# ---- Sakai 2013, table 4: run srchvrs12c00 on topic 187 -----------------------------------------

#: column (c), with the grades for the two intents where a document is relevant (column d), and
#: whether it is judged once what only its own team contributed is left out (column e)
RAW_187 = [
    ("enwp03-23-13642", (1, 1), True),
    ("enwp01-89-16198", (0, 0), True),
    ("enwp03-38-13766", (0, 0), False),
    ("enwp01-69-08702", (0, 0), True),
    ("enwp00-57-17228", (0, 1), True),
    ("enwp01-93-15529", (0, 0), False),
    ("enwp01-75-07749", (0, 0), False),
    ("enwp02-04-15336", (0, 0), False),
    ("enwp01-54-21784", (0, 0), False),
    ("enwp02-14-17076", (0, 0), False),
    ("enwp01-02-21542", (0, 1), False),
    ("enwp00-78-04939", (0, 0), False),
    ("enwp01-57-05548", (0, 0), True),
    ("enwp01-00-00742", (0, 0), True),
    ("enwp02-01-15551", (0, 0), True),
    ("enwp02-07-02124", (1, 1), True),
    ("enwp01-60-12924", (0, 0), False),
    ("enwp00-69-18058", (0, 0), True),
    ("enwp01-60-12971", (0, 0), False),
    ("enwp01-97-15488", (0, 0), False),
]
#: columns (f) to (h) below the raw list's rank 20: document, grades, rank in the raw list
BELOW_187 = [
    ("en0009-42-14770", (0, 1), 22),
    ("enwp03-11-35503", (0, 0), 24),
    ("enwp00-48-22702", (0, 1), 27),
    ("enwp01-89-16199", (0, 0), 29),
    ("enwp00-55-13168", (0, 0), 38),
    ("enwp00-40-03741", (0, 0), 41),
    ("enwp00-91-15335", (0, 1), 48),
    ("en0003-91-26385", (0, 0), 52),
    ("enwp01-80-16643", (1, 1), 58),
    ("enwp00-14-12323", (0, 1), 65),
    ("en0009-26-18188", (1, 1), 70),
]
#: column (b) from grades for two intents of even chances: 4, 2.5 x 4, 2 x 10, 1 x 5
IDEAL_187 = [(4, 4)] + [(4, 1)] * 4 + [(4, 0)] * 10 + [(1, 1)] * 2


def list_of_187() -> list[str]:
    """The run's first 70 documents; those that the table does not name are unjudged."""
    named = {rank: document for document, _, rank in BELOW_187}
    return [document for document, *_ in RAW_187] + [
        named.get(rank, f"unnamed-{rank}") for rank in range(21, 71)
    ]


def judgments_of_187(left_out: bool) -> dict[str, dict[str, dict[str, int]]]:
    known = [(d, grades) for d, grades, judged in RAW_187 if judged or not left_out]
    known += [(d, grades) for d, grades, _ in BELOW_187]
    known += [(f"ideal-{n}", grades) for n, grades in enumerate(IDEAL_187)]
    return {"187": {i: {d: grades[int(i) - 1] for d, grades in known} for i in ("1", "2")}}


def test_topic_187_has_its_printed_ideal_gains() -> None:
    judgments = judgments_of_187(left_out=False)["187"]
    gains = [(judgments["1"][d] + judgments["2"][d]) / 2 for d in judgments["1"]]
    assert sorted(gains, reverse=True)[:20] == [4] + [2.5] * 4 + [2] * 10 + [1] * 5


def test_topic_187_has_its_printed_scores_on_the_full_judgments() -> None:
    found = one_run(judgments_of_187(False), list_of_187(), "D#-nDCG@20 ERR-IA@20", gmax=4)
    assert found == {"D#-nDCG@20": near(0.5497), "ERR-IA@20": near(0.2300)}


def test_topic_187_has_its_printed_scores_without_the_teams_own_documents() -> None:
    found = one_run(
        judgments_of_187(True), list_of_187(), "I-rec@20 D-nDCG@20 D#-nDCG@20 ERR-IA@20", gmax=4
    )
    assert found == {
        "I-rec@20": 1.0,
        "D-nDCG@20": near(0.0906),
        "D#-nDCG@20": near(0.5453),
        "ERR-IA@20": near(0.2250),
    }


def test_the_intents_of_topic_187_have_their_printed_err() -> None:
    scores = polyseme.evaluate(
        judgments_of_187(True), {"run": {"187": list_of_187()}}, "ERR-IA@20", per_intent=True
    )
    assert {each.intent: each.value for each in scores.intents} == {
        "1": near(0.2100),
        "2": near(0.2400),
    }


def test_topic_187_has_its_printed_scores_on_the_condensed_list() -> None:
    found = one_run(judgments_of_187(True), list_of_187(), "D#-nDCG'@20 ERR-IA'@20", gmax=4)
    assert found == {"D#-nDCG'@20": near(0.5791), "ERR-IA'@20": near(0.2581)}


def test_the_real_judgments_of_topic_187_give_the_printed_scores(shared: Path) -> None:
    """Of the real judgments, what the team alone contributed below rank 20 is not known."""
    path = shared / "data" / "trec-web" / "2012.graded.qrels.gz"
    raw = ["clueweb09-" + document for document, *_ in RAW_187]
    found = one_run(path, raw, "D#-nDCG@20 ERR-IA@20", gmax=4)
    assert found == {"D#-nDCG@20": near(0.5497), "ERR-IA@20": near(0.2300)}


# ---- Golbus et al. 2013, tables 1 to 3 ----------------------------------------------------------

#: table 1: relevant documents, those of each subtopic, dd (which has the exponent xi + 1)
TABLE_1 = {
    "143": (25, [25, 21], 0.994),
    "86": (82, [78, 62, 60], 0.977),
    "125": (132, [110, 47, 13], 0.735),
    "73": (156, [69, 52, 28, 19], 0.730),
    "60": (313, [254, 47, 16, 11, 4, 4], 0.481),
    "57": (261, [261, 14, 5, 2], 0.449),
}
XI = {"60": 3, "73": 2, "86": 1}
#: table 3: a row a subtopic, at ranks xi, 5, 10 and 20
TABLE_3 = {
    "60": [
        (0.002, 0.000, 0.000, 0.000),
        (0.143, 0.113, 0.061, 0.016),
        (0.199, 0.196, 0.182, 0.144),
        (0.209, 0.213, 0.215, 0.202),
        (0.224, 0.239, 0.271, 0.319),
        (0.224, 0.239, 0.271, 0.319),
    ],
    "73": [
        (0.141, 0.050, 0.007, 0.000),
        (0.202, 0.122, 0.040, 0.003),
        (0.306, 0.344, 0.321, 0.204),
        (0.351, 0.484, 0.632, 0.793),
    ],
    "86": [
        (0.087, 0.000, 0.000, 0.000),
        (0.435, 0.383, 0.278, 0.129),
        (0.478, 0.617, 0.722, 0.871),
    ],
}


def of_year(shared: Path, topic: str) -> Path:
    year = "2010.diversity" if int(topic) <= 100 else "2011.graded"
    return shared / "data" / "trec-web" / f"{year}.qrels.gz"


def found_for(shared: Path, topic: str, **options: int) -> tuple[Relevance, int, Difficulty]:
    known = relevance(polyseme.read_qrels(of_year(shared, topic)))
    return known, known.topics.index(topic), difficulty(known, **options)


@pytest.mark.parametrize("topic", TABLE_1)
def test_the_topics_of_table_1_have_their_printed_difficulty(shared: Path, topic: str) -> None:
    known, index, found = found_for(shared, topic, xi_offset=1)
    relevant, by_subtopic, dd = TABLE_1[topic]
    span = slice(known.intent_start[index], known.intent_start[index + 1])
    assert known.relevant_in[index] == relevant
    assert sorted(known.relevant_to[span], reverse=True) == by_subtopic
    assert found.dd[index] == near(dd, 3)


def test_the_years_of_table_2_have_their_printed_difficulty(shared: Path) -> None:
    # the paper swaps the two maxima
    printed = {"51": (0.449, 0.977, 0.727), "101": (0.643, 0.994, 0.809)}
    for topic, (least, most, average) in printed.items():
        known, _, found = found_for(shared, topic, xi_offset=1)
        dd = found.dd[known.relevant_in > 0]
        assert (dd.min(), dd.max(), dd.mean()) == (near(least, 3), near(most, 3), near(average, 3))


@pytest.mark.parametrize("topic", TABLE_3)
def test_the_topics_of_table_3_have_their_printed_miss_rates(shared: Path, topic: str) -> None:
    known, index, found = found_for(shared, topic)
    assert found.xi[index] == XI[topic]
    span = slice(known.intent_start[index], known.intent_start[index + 1])
    for column, rank in enumerate((None, 5, 10, 20)):
        rates = sorted(miss_rate_weights(known, rank)[span])
        assert rates == [near(row[column], 3) for row in TABLE_3[topic]]


@pytest.mark.parametrize("topic", TABLE_3)
def test_the_counts_of_table_1_alone_give_the_miss_rates(topic: str) -> None:
    """As the paper computes them: from the counts, whatever documents they are of."""
    relevant, by_subtopic, _ = TABLE_1[topic]
    filler = {"0x": dict.fromkeys((f"d{n}" for n in range(relevant)), 1)}
    judged = polyseme.read_qrels(
        {
            topic: {
                str(n + 1): {f"d{m}": int(m < count) for m in range(relevant)}
                for n, count in enumerate(by_subtopic)
            }
            | filler
        }
    )
    rates = sorted(miss_rates(relevance(judged), 0, 5))[1:]
    shares = [rate / sum(rates) for rate in rates]
    assert shares == [near(row[1], 3) for row in TABLE_3[topic]]


def test_the_mean_by_difficulty_takes_the_offset_of_the_printed_weights(shared: Path) -> None:
    known, _, found = found_for(shared, "51", xi_offset=1)
    runs = {"run": {t: [known.judged.documents_of(n)[0]] for n, t in enumerate(known.topics)}}
    scores = polyseme.evaluate(
        of_year(shared, "51"), runs, "ERR-IA@5", mean=["dd(xi_offset=1)", "dd"]
    )
    entered = known.relevant_in > 0
    weight, value = (1 - found.dd)[entered], scores.values[0, entered, 0]
    assert scores.mean("dd(xi_offset=1)")["run"]["ERR-IA@5"] == pytest.approx(
        np.average(value, weights=weight), abs=1e-12
    )
    assert scores.mean("dd")["run"] != scores.mean("dd(xi_offset=1)")["run"]


# ---- Albahem et al. 2018 ------------------------------------------------------------------------


def test_act_has_its_printed_values() -> None:
    judgments = {"187": {"a": {"a1": 1}, "b": {"b1": 1}}}
    assert one_run(judgments, ["a1", "b1"], "ACT")["ACT"] == near(0.0750)
    assert one_run(judgments, ["a1", "b1", "x"], "ACT")["ACT"] == near(0.0833)


@pytest.mark.parametrize(("relevant", "axxa", "axxb"), [(5, 0.1500, 0.1250), (10, 0.0750, 0.0625)])
def test_ap_ia_has_its_printed_values(relevant: int, axxa: float, axxb: float) -> None:
    judgments = {"187": {i: {f"{i}{n}": 1 for n in range(relevant)} for i in "ab"}}
    name = "AP-IA(norm=R)"
    assert one_run(judgments, ["a0", "x", "y", "a1"], name)[name] == near(axxa)
    assert one_run(judgments, ["a0", "x", "y", "b0"], name)[name] == near(axxb)


# ---- ndeval ------------------------------------------------------------------------------------

NDEVAL = [
    ("lemur.wt2010.a0.5.default", "wt2009-2012-lemur/wt2010", "2010"),
    ("wt2012.indri_rm_cata.a0.5.default", "wt2012-indri/indri_rm_cata", "2012"),
]


@pytest.mark.parametrize(("gold", "run", "year"), NDEVAL)
def test_the_trec_set_has_the_21_columns_that_ndeval_prints(
    shared: Path, gold: str, run: str, year: str
) -> None:
    scores = polyseme.evaluate(
        shared / "data" / "trec-web" / f"{year}.diversity.qrels.gz",
        shared / "data" / "runs" / f"{run}.run.gz",
        "trec",
        order="rank",
        average_over="retrieved",
    )
    ((run_name, found),) = scores.to_dict().items()
    ((_, means),) = scores.mean().items()
    with gzip.open(shared / "gold" / "ndeval" / f"{gold}.csv.gz", "rt", encoding="utf-8") as lines:
        printed = list(csv.DictReader(lines))
    assert list(printed[0])[2:] == [name.removeprefix("ndeval:") for name in found]
    assert len(printed) > 40
    for row in printed:
        if row["topic"] in scores.extra[run_name]:
            # the program tells of a topic without judgments, too, and leaves it out of the mean
            assert set(list(row.values())[2:]) == {"0.000000"}
            continue
        for name in found:
            value = means[name] if row["topic"] == "amean" else found[name][row["topic"]]
            assert math.isclose(value, float(row[name[7:]]), abs_tol=5.001e-7), (row["topic"], name)
