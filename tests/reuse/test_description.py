from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import done, records, run
from polyseme.collection.reading import read_qrels, read_runs, read_topics
from polyseme.collection.relevance import RelevanceRules
from polyseme.reuse.description import describe

# two intents are covered by one document each; d3 is judged, not relevant
JUDGMENTS = {"1": {"A": {"d1": 2, "d2": 1, "d3": 0}, "B": {"d4": 1}, "C": {"d1": 0}}, "2": {}}


def collection(shared: Path, year: str, kind: str) -> Path:
    return shared / "data" / "trec-web" / f"{year}.{kind}"


@pytest.mark.parametrize(
    ("year", "kind", "topics", "intents", "grades"),
    [
        # the first four lines of table 1 of sakai2013
        ("2009", "diversity", 50, 3.98, "0 to 1"),
        ("2010", "diversity", 48, 4.17, "0 to 1"),
        ("2011", "graded", 50, 3.28, "-2 to 3"),
        ("2012", "graded", 50, 3.74, "-2 to 4"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*subtopic types other than:UserWarning")
def test_the_web_tracks_are_as_sakai_2013_describes_them(
    shared: Path, year: str, kind: str, topics: int, intents: float, grades: str
) -> None:
    xml = collection(shared, year, "topics.xml")
    judged = read_qrels(collection(shared, year, f"{kind}.qrels.gz"), topics_xml=xml)
    row = next(describe(judged, topics=read_topics(xml)).report().data.records())
    assert row["topics"] == topics
    assert row["intents per topic"] == pytest.approx(intents, abs=0.005)
    assert row["grades"] == grades
    assert row["topic types"] == "ambiguous/faceted"
    assert row["intent types"] == "nav/inf"
    assert row["probabilities"] == "no"


# ---- golbus2013, tables 1 to 3 ------------------------------------------------------------------

#: table 1: topic, relevant documents, of each subtopic, dd as printed, which is that of xi + 1
TABLE_1 = [
    ("2011", "143", 25, (25, 21), 0.994),
    ("2010", "86", 82, (62, 78, 60), 0.977),
    ("2011", "125", 132, (110, 47, 13), 0.735),
    ("2010", "73", 156, (28, 52, 69, 19), 0.730),
    ("2010", "60", 313, (254, 47, 11, 16, 4, 4), 0.481),
    ("2010", "57", 261, (261, 14, 5, 2), 0.449),
]


def golbus(shared: Path, year: str) -> Path:
    kind = "diversity" if year == "2010" else "graded"
    return collection(shared, year, f"{kind}.qrels.gz")


@pytest.mark.parametrize(("year", "topic", "relevant", "by_intent", "dd"), TABLE_1)
def test_topics_are_as_difficult_as_golbus_2013_prints(
    shared: Path, year: str, topic: str, relevant: int, by_intent: tuple[int, ...], dd: float
) -> None:
    found = describe(read_qrels(golbus(shared, year)))
    rows = {row["topic"]: row for row in found.per_topic(xi_offset=1).report().data.records()}
    assert rows[topic]["relevant"] == relevant
    assert rows[topic]["dd"] == pytest.approx(dd, abs=0.0005)
    intents = [r for r in found.per_intent().report().data.records() if r["topic"] == topic]
    assert sorted(int(str(r["relevant"])) for r in intents) == sorted(by_intent)


@pytest.mark.parametrize(
    ("year", "low", "high", "mean"),
    # table 2; the paper swaps the two maxima
    [("2010", 0.449, 0.977, 0.727), ("2011", 0.643, 0.994, 0.809)],
)
def test_the_spread_of_difficulty_is_golbus_2013s(
    shared: Path, year: str, low: float, high: float, mean: float
) -> None:
    found = describe(read_qrels(golbus(shared, year))).per_topic(xi_offset=1)
    assert next(iter(found.report().seen[1].rows)) == pytest.approx((low, high, mean), abs=0.0005)


#: table 3: topic, xi, and of each subtopic the miss rates at xi, 5, 10, 20, by descending R_i
TABLE_3 = {
    ("60", 3): [
        (0.002, 0.000, 0.000, 0.000),
        (0.143, 0.113, 0.061, 0.016),
        (0.199, 0.196, 0.182, 0.144),
        (0.209, 0.213, 0.215, 0.202),
        (0.224, 0.239, 0.271, 0.319),
        (0.224, 0.239, 0.271, 0.319),
    ],
    ("73", 2): [
        (0.141, 0.050, 0.007, 0.000),
        (0.202, 0.122, 0.040, 0.003),
        (0.306, 0.344, 0.321, 0.204),
        (0.351, 0.484, 0.632, 0.793),
    ],
    ("86", 1): [
        (0.087, 0.000, 0.000, 0.000),
        (0.435, 0.383, 0.278, 0.129),
        (0.478, 0.617, 0.722, 0.871),
    ],
}


def test_miss_rates_are_those_of_golbus_2013(shared: Path) -> None:
    found = describe(read_qrels(golbus(shared, "2010")))
    xi = {row["topic"]: row["xi"] for row in found.per_topic().report().data.records()}
    rows = list(found.per_intent(ranks=(5, 10, 20)).report().data.records())
    for (topic, size), expected in TABLE_3.items():
        assert xi[topic] == size
        mine = [row for row in rows if row["topic"] == topic]
        mine.sort(key=lambda row: -int(str(row["relevant"])))
        for row, rates in zip(mine, expected, strict=True):
            got = [row[name] for name in ("smr", "smr@5", "smr@10", "smr@20")]
            assert got == pytest.approx(rates, abs=0.00051)


# ---- small collections --------------------------------------------------------------------------


def test_difficulty_is_worked_out_by_hand() -> None:
    found = describe(read_qrels(JUDGMENTS))
    row = next(found.per_topic().report().data.records())
    # intents A (2 of 3 documents) and B (1 of 3); C is empty; two documents cover both
    d_mean = 1 - ((1 / 3) ** 2 + (2 / 3) ** 2) / 2
    assert row == pytest.approx(
        {
            "topic": "1",
            "intents": 2,
            "relevant": 3,
            "judged": 4,
            "xi": 2,
            "d_max": 1.0,
            "d_mean": d_mean,
            "dd": 2 * d_mean / (1 + d_mean),
        }
    )


def test_exact_difficulty_draws_without_replacement() -> None:
    row = next(describe(read_qrels(JUDGMENTS)).per_topic(exact=True).report().data.records())
    # of the three pairs of relevant documents {1,2} {1,4} {2,4} one misses B, none A
    assert row["d_mean"] == pytest.approx(1 - (0 + 1 / 3) / 2)


def test_kept_empty_intents_can_never_be_covered() -> None:
    found = describe(read_qrels(JUDGMENTS), rules=RelevanceRules(keep_empty_intents=True))
    row = next(found.per_topic().report().data.records())
    assert (row["intents"], row["d_max"]) == (3, 2 / 3)


def test_raw_miss_rates_are_probabilities() -> None:
    found = describe(read_qrels(JUDGMENTS))
    raw = [row["smr"] for row in found.per_intent(raw=True).report().data.records()]
    assert raw == pytest.approx([1 / 9, 4 / 9])
    normalised = [row["smr"] for row in found.per_intent().report().data.records()]
    assert normalised == pytest.approx([1 / 5, 4 / 5])


def test_intents_that_are_never_missed_share_their_rate() -> None:
    found = describe(read_qrels({"1": {"A": {"d": 1}, "B": {"d": 1}}}))
    assert [r["smr"] for r in found.per_intent().report().data.records()] == [0.5, 0.5]
    assert [r["smr"] for r in found.per_intent(raw=True).report().data.records()] == [0.0, 0.0]


@given(st.lists(st.lists(st.sampled_from("dex"), unique=True, max_size=3), min_size=1, max_size=3))
def test_lists_are_judged_down_to_the_first_unjudged_document(lists: list[list[str]]) -> None:
    judged = read_qrels({"1": {"A": {"d": 1, "e": 0}}})
    runs = read_runs({f"r{n}": {"1": held} for n, held in enumerate(lists)})
    expected = math.inf
    for held in lists:
        if "x" in held:
            expected = min(expected, held.index("x"))
    expected = min(expected, max(map(len, lists)))
    found = describe(judged, runs).judged_depth
    assert found is not None
    assert found.tolist() == [expected]


def test_the_collection_table_counts(demo: Path) -> None:
    runs = sorted((demo / "runs").iterdir())
    judged = read_qrels(demo / "judgments.qrels", probabilities=demo / "probabilities.txt")
    row = next(describe(judged, runs, teams=demo / "teams.csv").report().data.records())
    assert (row["topics"], row["runs"], row["teams"]) == (8, 6, 3)
    assert row["probabilities"] == "yes"
    assert row["judged documents"] == len(judged.documents)


# ---- the command --------------------------------------------------------------------------------


def test_the_command_has_the_columns_that_are_promised(demo: Path) -> None:
    judgments = demo / "judgments.qrels"
    topics = records(done("describe", judgments, "--per-topic").stdout)
    names = ["topic", "intents", "relevant", "judged", "xi", "d_max", "d_mean", "dd"]
    assert list(topics[0]) == names
    intents = records(done("describe", judgments, "--per-intent").stdout)
    assert list(intents[0]) == ["topic", "intent", "relevant", "smr"]
    grades = records(done("describe", judgments, "--grades").stdout)
    assert sum(float(row["share"]) for row in grades) == pytest.approx(1)


def test_people_see_the_collection_and_its_grades(demo: Path) -> None:
    text = done("describe", demo / "judgments.qrels", "--format", "table").stdout
    assert "intents per topic" in text
    assert "share" in text


def test_one_view_at_a_time(demo: Path) -> None:
    result = run("describe", demo / "judgments.qrels", "--per-topic", "--per-intent")
    assert result.exit_code == 2
