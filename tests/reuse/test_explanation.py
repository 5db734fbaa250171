from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from commands import done, records, run
from polyseme.collection.judgments import Judged
from polyseme.collection.reading import read_qrels
from polyseme.errors import InputError, PolysemeError
from polyseme.evaluation import evaluate
from polyseme.hypertext import page_html
from polyseme.reuse.explanation import Explanation, explain

# ---- sakai2013, table 4: topic 187, run srchvrs12c00, without team srchvrs ----------------------

#: the raw list to rank 20; u: what is unjudged without srchvrs
LISTED = """
enwp03-23-13642 enwp01-89-16198 enwp03-38-13766u enwp01-69-08702 enwp00-57-17228 enwp01-93-15529u
enwp01-75-07749u enwp02-04-15336u enwp01-54-21784u enwp02-14-17076u enwp01-02-21542u
enwp00-78-04939u enwp01-57-05548 enwp01-00-00742 enwp02-01-15551 enwp02-07-02124 enwp01-60-12924u
enwp00-69-18058 enwp01-60-12971u enwp01-97-15488u
"""
RAW = LISTED.split()
#: what stands further down and is judged without srchvrs, with its rank
BELOW = {
    22: "en0009-42-14770",
    24: "enwp03-35-11503",
    27: "enwp00-48-22702",
    29: "enwp01-89-16199",
    38: "enwp00-55-13168",
    41: "enwp00-40-03741",
    48: "enwp00-91-15335",
    52: "en0003-91-26385",
    58: "enwp01-80-16643",
    65: "enwp00-14-12323",
    70: "en0009-26-18188",
}
TABLE_4_RANKS = [1, 2, 4, 5, 13, 14, 15, 16, 18, 22, 24, 27, 29, 38, 41, 48, 52, 58, 65, 70]
MEASURES = "I-rec@20 D-nDCG@20 D#-nDCG@20 ERR-IA@20"


def named(document: str) -> str:
    return f"clueweb09-{document.removesuffix('u')}"


@pytest.fixture(scope="module")
def table_4(shared: Path) -> Explanation:
    judged: Judged = read_qrels(shared / "data" / "trec-web" / "2012.graded.qrels.gz")
    mine = [named(d) for d in RAW]
    for rank in range(21, 71):
        mine.append(named(BELOW[rank]) if rank in BELOW else f"filler-{rank}")
    unique = {named(d) for d in RAW if d.endswith("u")}
    place = judged.topic_index["187"]
    others = [d for d in judged.documents_of(place) if d not in unique]
    return explain(
        judged,
        {"srchvrs12c00": {"187": mine}},
        "187",
        MEASURES,
        without_team="srchvrs",
        others=[{"others": {"187": others}}],
        teams={"srchvrs12c00": "srchvrs", "others": "others"},
        depth=10_000,
    )


def sheet(found: Explanation, view: str) -> Any:
    return next(each for each in found.sheets if each.view == view)


@pytest.mark.parametrize("view", ["ideal", "ideal without srchvrs"])
def test_the_ideal_gains_of_table_4(table_4: Explanation, view: str) -> None:
    gains = [float(line.grades.partition("(")[0]) for line in sheet(table_4, view).lines]
    assert gains == [4, *[2.5] * 4, *[2] * 10, *[1] * 5]


def test_the_raw_list_of_table_4(table_4: Explanation) -> None:
    before = {line.rank: line.grades for line in sheet(table_4, "raw").lines}
    relevant = {rank: text for rank, text in before.items() if "(" in text}
    assert relevant == {1: "1(1/1)", 5: "0.5(0/1)", 11: "0.5(0/1)", 16: "1(1/1)"}
    after = {line.rank: line.grades for line in sheet(table_4, "raw without srchvrs").lines}
    assert {rank for rank, text in after.items() if text == "unjudged"} == {
        rank for rank, document in enumerate(RAW, 1) if document.endswith("u")
    }


def test_the_condensed_list_of_table_4(table_4: Explanation) -> None:
    lines = sheet(table_4, "condensed without srchvrs").lines
    assert [line.original_rank for line in lines] == TABLE_4_RANKS
    assert {line.rank: line.grades for line in lines if "(" in line.grades} == {
        1: "1(1/1)",
        4: "0.5(0/1)",
        8: "1(1/1)",
        10: "0.5(0/1)",
        12: "0.5(0/1)",
        16: "0.5(0/1)",
        18: "1(1/1)",
        19: "0.5(0/1)",
        20: "1(1/1)",
    }


def test_the_numbers_of_table_4(table_4: Explanation) -> None:
    full = sheet(table_4, "raw").values
    assert full["D#-nDCG@20"] == pytest.approx(0.5497, abs=5e-5)
    assert full["ERR-IA@20"] == pytest.approx(0.2300, abs=5e-5)
    left = sheet(table_4, "raw without srchvrs").values
    assert left["I-rec@20"] == 1
    assert left["D-nDCG@20"] == pytest.approx(0.0906, abs=5e-5)
    assert left["D#-nDCG@20"] == pytest.approx(0.5453, abs=5e-5)
    assert left["ERR-IA@20"] == pytest.approx(0.2250, abs=5e-5)
    condensed = sheet(table_4, "condensed without srchvrs").values
    assert condensed["D#-nDCG'@20"] == pytest.approx(0.5791, abs=5e-5)
    assert condensed["ERR-IA'@20"] == pytest.approx(0.2581, abs=5e-5)


def test_each_intents_err_is_a_step_to_err_ia(table_4: Explanation) -> None:
    steps = sheet(table_4, "raw without srchvrs").steps["ERR-IA@20"]
    by_intent = {each.name: each.value for each in steps if each.name.startswith("intent")}
    assert list(by_intent) == ["intent 1, weight 0.5", "intent 2, weight 0.5"]
    assert list(by_intent.values()) == pytest.approx([0.2100, 0.2400], abs=5e-5)


def test_what_the_team_alone_contributed_is_told(table_4: Explanation) -> None:
    expected = "only srchvrs contributed 11 judged documents of the topic, 1 of them relevant"
    assert table_4.notes == (expected,)


def test_the_terms_of_table_4_add_up(table_4: Explanation) -> None:
    for each in table_4.sheets:
        for name, value in each.values.items():
            place = table_4.measures.index(each.column[name])
            assert sum(line.terms[place] or 0 for line in each.lines) == pytest.approx(value)


# ---- small lists --------------------------------------------------------------------------------

JUDGMENTS = {"1": {"A": {"d1": 2, "d2": 0}, "B": {"d3": 1}}, "2": {"A": {"d1": 1}}}
RUN = {"r": {"1": ["d1", "x", "d2", "d3"]}}


def test_terms_stand_where_evaluate_adds_them() -> None:
    found = explain(JUDGMENTS, RUN, "1", "I-rec@4 ERR-IA@4 P@4")
    raw = {line.rank: line.terms for line in sheet(found, "raw").lines}
    assert raw[1] == pytest.approx((0.5, 0.5 * 2 / 3, 0))
    assert raw[4] == pytest.approx((0.5, 0.5 / 3 / 4, 2 / 4))
    condensed = {line.rank: line.terms for line in sheet(found, "condensed").lines}
    assert condensed[3] == pytest.approx((0.5, 0.5 / 3 / 3, 0))
    # the cutoff is below the end of the condensed list: whoever stops there stops at nothing
    assert condensed[4] == pytest.approx((0, 0, 2 / 4))


def test_values_are_those_of_evaluate_in_every_view() -> None:
    names = "D#-nDCG@3 alpha-nDCG@3 RBU@3 Q-IA nDCG@3"
    found = explain(JUDGMENTS, RUN, "1", names, views=("raw", "condensed", "discounted"))
    for each in found.sheets[1:]:
        scores = evaluate(JUDGMENTS, RUN, list(each.values)).to_dict()["r"]
        assert {name: scores[name]["1"] for name in each.values} == pytest.approx(dict(each.values))


def test_a_value_that_is_no_sum_has_no_terms() -> None:
    found = explain(JUDGMENTS, RUN, "1", "alpha#-nDCG-IA(average=geom)@3")
    assert all(line.terms == (None,) for line in sheet(found, "raw").lines)
    assert len(sheet(found, "raw").steps["alpha#-nDCG-IA(average=geom)@3"]) > 3


def test_a_topic_that_the_run_lacks_is_an_empty_list() -> None:
    found = explain(JUDGMENTS, RUN, "2", "I-rec@4")
    assert sheet(found, "raw").lines == ()
    assert sheet(found, "raw").values == {"I-rec@4": 0.0}


def test_html_is_a_page_with_escaped_names() -> None:
    page = page_html(explain(JUDGMENTS, {"<r>": RUN["r"]}, "1", "I-rec@4").report())
    assert page.startswith("<!DOCTYPE html>")
    assert "<h1>&lt;r&gt;, topic 1</h1>" in page
    assert "1(2/0)" in page


@pytest.mark.parametrize(
    ("said", "error", "text"),
    [
        ({"topic": "3"}, InputError, "topic '3' is not judged"),
        ({"views": ("bounds",)}, PolysemeError, "Got 'bounds' instead"),
        ({"without_team": "q", "others": [{"s": RUN["r"]}]}, PolysemeError, "no team 'q'"),
    ],
)
def test_wrong_arguments_are_named(said: dict[str, Any], error: type, text: str) -> None:
    with pytest.raises(error, match=text):
        explain(**{"judgments": JUDGMENTS, "run": RUN, "topic": "1", "measures": "I-rec@4", **said})


# ---- the command --------------------------------------------------------------------------------


def command(demo: Path, *arguments: str | Path) -> Any:
    first = [demo / "judgments.qrels", demo / "runs" / "alder-1.run"]
    return done("explain", *first, "--topic", "2", "-m", "D#-nDCG@10 ERR-IA@5", *arguments)


def test_the_command_has_the_columns_that_are_promised(demo: Path) -> None:
    rows = records(command(demo).stdout)
    names = ["view", "rank", "doc", "original_rank", "grades", "D#-nDCG@10", "ERR-IA@5"]
    assert list(rows[0]) == names
    assert list(dict.fromkeys(row["view"] for row in rows)) == ["ideal", "raw", "condensed"]


def test_printed_terms_add_up_to_what_evaluate_prints(demo: Path) -> None:
    rows = records(command(demo).stdout)
    measures = ["D#-nDCG@10", "ERR-IA@5"]
    files = [demo / "judgments.qrels", demo / "runs" / "alder-1.run"]
    for view, prime in (("raw", ""), ("condensed", "'")):
        for measure in measures:
            name = measure.replace("@", f"{prime}@")
            printed = records(done("evaluate", *files, "--per-topic", "-m", name).stdout)
            value = next(float(row["value"]) for row in printed if row["topic"] == "2")
            total = sum(float(row[measure]) for row in rows if row["view"] == view)
            assert total == pytest.approx(value, abs=1e-12)


def test_people_see_lists_with_values_below(demo: Path) -> None:
    text = command(demo, "--format", "table").stdout
    assert re.search(r"^value +0\.\d{4} +0\.\d{4}$", text, re.M)
    assert "made of" in text


def test_html_can_be_written(demo: Path, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    command(demo, "--format", "html", "-o", path)
    assert path.read_text().startswith("<!DOCTYPE html>")


def test_a_team_can_be_left_out(demo: Path) -> None:
    others = [p for p in sorted((demo / "runs").iterdir()) if p.name != "alder-1.run"]
    first = [demo / "judgments.qrels", demo / "runs" / "alder-1.run", *others]
    said = ["--topic", "2", "--without-team", "alder", "--depth", "20", "--teams"]
    text = done("explain", *first, "-m", "ERR-IA@5", *said, demo / "teams.csv").stdout
    assert "condensed without alder" in {row["view"] for row in records(text)}
    assert run("explain", *first[:2], *said, demo / "teams.csv").exit_code == 2
