"""Tables of papers: against what the papers print, and against what they are made from."""

from __future__ import annotations

import csv
import importlib
import io
import json
import re
import shutil
import subprocess
from itertools import combinations
from pathlib import Path

import pytest

from findings_to_draw import FINDINGS, judged, scores
from polyseme.cli import COMMANDS
from polyseme.collection.reading import read_qrels, read_topics
from polyseme.collection.runs import Runs
from polyseme.collection.synthetic import SyntheticCollection
from polyseme.errors import PolysemeError
from polyseme.meta import Grid, discriminate, grid_sensitivity, unanimity
from polyseme.meta.discrimination import Discrimination, Power
from polyseme.meta.preferences import reliability
from polyseme.meta.preferences.agreement import AgreementTable, Aligned
from polyseme.meta.properties import Rankings, check_properties
from polyseme.reporting.kinds import Kind
from polyseme.reporting.papers import KINDS, report_as, table_of
from polyseme.results import Result
from polyseme.reuse import depth_study, describe, explain, leave_one_out
from polyseme.statistics.correlation import Correlation
from polyseme.statistics.ranking import Correlations
from polyseme.tables import Table

PRINTED = Path(__file__).parents[2] / "meta" / "preferences" / "sakai2019.csv"


def made(collection: SyntheticCollection) -> dict[str, Result]:
    """What each kind of table is made from."""
    judgments, runs, teams = collection.judged, collection.runs, collection.teams
    study = depth_study(judgments, runs, "I-rec D-nDCG", pools=[5], cutoffs=[5, 20], teams=teams)
    described = describe(judgments, runs, teams=teams)
    matrix, _ = judged(collection)
    first = runs[0].name
    return {
        "collection": described,
        "grades": described.histogram(),
        "teams": FINDINGS["leave-one-out"](collection),  # type: ignore[dict-item]
        "correlation": FINDINGS["correlation"](collection),  # type: ignore[dict-item]
        "explanation": explain(
            *(judgments, Runs(runs[:1]), judgments.topics[0], "D#-nDCG@10"),
            others=[Runs(runs[1:])],
            teams=teams,
            without_team=teams[first],
        ),
        "leave-one-out": FINDINGS["leave-one-out"](collection),  # type: ignore[dict-item]
        "significance": study.significance(trials=200),
        "topics": described.per_topic(),
        "difficulty": described.per_topic(),
        "miss-rates": described.per_intent(),
        "maxima": FINDINGS["grid-map"](collection),  # type: ignore[dict-item]
        "unanimity": unanimity(scores(collection, "sakai2019@10")),
        "discrimination": discriminate(scores(collection), trials=200),
        "reliability": reliability(matrix),
        "agreement": FINDINGS["agreement"](collection),  # type: ignore[dict-item]
        "properties": check_properties("ACT P@3", Rankings(length=3)),
    }


@pytest.fixture(scope="session")
def found(collection: SyntheticCollection) -> dict[str, Result]:
    return made(collection)


def column(table: Table, name: str) -> list[str]:
    place = table.names.index(name)
    return [row[place] for row in table.shown]


# ---- all kinds ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_every_kind_has_a_function_a_command_and_examples(kind: Kind) -> None:
    assert callable(getattr(importlib.import_module(kind.module), kind.name.replace("-", "_")))
    assert kind.command in COMMANDS
    assert kind.examples
    assert kind.papers


@pytest.mark.parametrize("form", ["table", "markdown", "html", "latex", "csv", "json"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_written_in_every_format(
    kind: str, form: str, found: dict[str, Result]
) -> None:
    text = found[kind].written(form, kind)
    table = found[kind].table(kind)
    if form in ("csv", "json"):
        # programs get what the command finds, not its table
        usual = found[kind].written(form)
        assert text == usual if form == "csv" else json.loads(text)["rows"]
        return
    assert len(table.held) > 0
    shown = next(
        cell for row in table.shown for cell in row if re.fullmatch(r"[A-Za-z\d./-]+", cell)
    )
    assert shown in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_the_latex_of_every_kind_compiles(found: dict[str, Result], tmp_path: Path) -> None:
    body = "\n".join(each.written("latex", kind) for kind, each in found.items())
    packages = set(re.findall(r"% \\usepackage\{(\w+)\}", body))
    assert packages == {"booktabs", "amssymb", "adjustbox"}
    assert "pdflatex lacks" not in body
    said = "".join(f"\\usepackage{{{name}}}" for name in sorted(packages))
    (tmp_path / "page.tex").write_text(
        f"\\documentclass{{article}}{said}\\usepackage[T1]{{fontenc}}"
        f"\\extrafloats{{100}}\\begin{{document}}{body}\\end{{document}}",
        encoding="utf-8",
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull \\hbox" not in done.stdout


def test_a_wrong_kind_or_option_or_finding_is_told(found: dict[str, Result]) -> None:
    with pytest.raises(PolysemeError, match="no table 'topcs'; did you mean topics"):
        found["topics"].table("topcs")
    with pytest.raises(PolysemeError, match="the table topics has no option 'few'; it has number"):
        found["topics"].table("topics", few=1)
    with pytest.raises(PolysemeError, match="cannot be set as agreement; it can as grades"):
        found["grades"].table("agreement")
    with pytest.raises(PolysemeError, match="the table teams is of one finding"):
        table_of(found["teams"], found["teams"], kind="teams")
    with pytest.raises(PolysemeError, match="form must be table, csv"):
        found["teams"].written("pdf")


# ---- Golbus et al. 2013 -------------------------------------------------------------------------

#: table 1: topic, title, documents, those of its subtopics, dd
TOPICS_2010 = """
86|bart sf|82|78|62|60|–|–|–|0.977
73|neil young|156|69|52|28|19|–|–|0.730
60|bellevue|313|254|47|16|11|4|4|0.481
57|ct jobs|261|261|14|5|2|–|–|0.449
"""
#: table 3: miss rates at xi, 5, 10 and 20; the paper rounds .0000 of topic 86 to .00
RATES = """
0.002 0.000 0.000 0.000
0.143 0.113 0.061 0.016
0.199 0.196 0.182 0.144
0.209 0.213 0.215 0.202
0.224 0.239 0.271 0.319
0.224 0.239 0.271 0.319
0.141 0.050 0.007 0.000
0.202 0.122 0.040 0.003
0.306 0.344 0.321 0.204
0.351 0.484 0.632 0.793
0.087 0.000 0.000 0.000
0.435 0.383 0.278 0.129
0.478 0.617 0.722 0.871
"""


def test_tables_1_to_3_of_golbus_are_as_printed(shared: Path) -> None:
    """The dd of the paper are those of an exponent one higher, and table 2 swaps two maxima."""
    web = shared / "data" / "trec-web"
    topics = read_topics(web / "2010.topics.xml")
    first = describe(read_qrels(web / "2010.diversity.qrels.gz"), topics=topics)
    second = describe(read_qrels(web / "2011.diversity.qrels.gz"))
    one, two = (each.per_topic(xi_offset=1) for each in (first, second))
    table = one.table("topics", only=("86,73,60,57",))
    assert table.shown == [line.split("|") for line in TOPICS_2010.split("\n") if line]
    assert [c.group for c in table.columns].count("Subtopic") == 6
    spread = table_of(one, two, kind="difficulty", names=("2010", "2011"))
    assert spread.shown == [
        ["2010", "0.449", "0.977", "0.727"],
        ["2011", "0.643", "0.994", "0.809"],
    ]
    rates = first.per_intent(xi_offset=1).table("miss-rates", only=("60,73,86",))
    assert column(rates, "dd")[::6] == ["0.481", "0.730", ""]
    assert [xi for xi in column(rates, "ξ") if xi] == ["3", "2", "1"]
    assert [row[-4:] for row in rates.shown] == [line.split() for line in RATES.split("\n") if line]
    assert column(rates, "Topic ID")[::6] == ["60", "73", ""]
    assert rates.rules == {6, 10}


def test_several_collections_stand_in_one_cell() -> None:
    """Golbus et al. 2013, tables 5 and 6."""
    first = {("ERR-IA", "D#-nDCG"): 0.82, ("ERR-IA", "P@5"): 0.15, ("D#-nDCG", "P@5"): 0.19}
    second = {("ERR-IA", "D#-nDCG"): 0.71, ("ERR-IA", "P@5"): 0.23, ("D#-nDCG", "P@5"): 0.13}
    names = ("ERR-IA", "D#-nDCG", "P@5")
    held = [
        Correlations(
            names,
            tuple(Correlation(a, b, 9, tau, 0, 1, tau) for (a, b), tau in each.items()),
            9,
            "b",
        )
        for each in (first, second)
    ]
    table = table_of(*held, kind="correlation", names=("2010", "2011"))
    assert table.names == ("", "D#-nDCG", "P@5")
    assert table.shown == [
        ["ERR-IA", "0.82 / 0.71", "0.15 / 0.23"],
        ["D#-nDCG", "-", "0.19 / 0.13"],
    ]
    assert "2010 / 2011" in table.caption


def test_means_over_topics_make_parts_of_a_table() -> None:
    """Golbus et al. 2013, table 8; of one measure, tables 6 and 7."""
    names = [f"{measure} [{mean}]" for measure in ("P@1", "RR", "AP") for mean in ("avg", "geom")]
    pairs = tuple(Correlation(a, b, 9, 0.5, 0, 1, 0.4) for a, b in combinations(names, 2))
    table = Correlations(tuple(names), pairs, 9, "b").table("correlation", show="tau")
    assert table.parts == {0: "avg", 2: "geom"}
    assert column(table, "") == ["P@1", "RR", "P@1", "RR"]
    one = Correlations(tuple(names[:2]), pairs[:1], 9, "b").table("correlation")
    assert one.names == ("P@1", "geom")
    assert one.shown == [["avg", ".500/.400"]]


def test_the_largest_sensitivities_are_those_of_the_grid(collection: SyntheticCollection) -> None:
    grid = Grid((0.0, 0.5), (0.0, 1.0), ("ERR", "DCG"), cutoffs=(5, 10))
    held = grid_sensitivity(collection.judged, grid, orders=20)
    table = held.table("maxima")
    assert table.names == ("Topic", "Subtopic", "Rank", "ERR", "DCG")
    every = list(held.report().data.held)
    for number, row in enumerate(table.held):
        mean = table.held[number - number % (len(grid.averages) * 2)][0]
        average = table.held[number - number % 2][1]
        for place, discount in ((3, "ERR"), (4, "DCG")):
            mine = [
                float(str(each[-1]))
                for each in every
                if each[1:3] == (mean, int(str(row[2]))) and each[5:7] == (discount, average)
            ]
            assert row[place] == pytest.approx(max(mine))


# ---- Sakai 2013 ---------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:.*subtopic types other than inf and nav")
def test_table_1_tells_of_topics_intents_and_levels_as_printed(shared: Path) -> None:
    """But not of runs: those that took part are not at hand."""
    web = shared / "data" / "trec-web"
    years = {"2009": "diversity", "2010": "diversity", "2011": "graded", "2012": "graded"}
    described = [
        describe(
            read_qrels(web / f"{year}.{kind}.qrels.gz", topics_xml=str(web / f"{year}.topics.xml")),
            topics=read_topics(web / f"{year}.topics.xml"),
        )
        for year, kind in years.items()
    ]
    table = table_of(*described, kind="collection", names=tuple(years))
    told = zip(
        *(column(table, name) for name in ("", "topics", "intents/topic", "relevance levels")),
        strict=True,
    )
    assert list(told) == [
        ("2009", "50", "3.98", "0-1"),
        ("2010", "48", "4.17", "0-1"),
        ("2011", "50", "3.28", "0-3"),
        ("2012", "50", "3.74", "0-4"),
    ]
    assert set(column(table, "topic type")) == {"ambiguous/faceted"}
    assert set(column(table, "intent type")) == {"nav/inf"}
    assert set(column(table, "intent probabilities")) == {"no"}


def test_what_is_effective_is_bold(collection: SyntheticCollection) -> None:
    held = leave_one_out(
        collection.judged, collection.runs, "D#-nDCG@10 I-rec@10", teams=collection.teams, depth=10
    )
    table = held.table("leave-one-out")
    assert table.names == ("team", "D#-nDCG", "I-rec", "D#-nDCG'", "I-rec'")
    assert table.spans[1:] == [("(a) Raw-list metrics", 2), ("(b) Condensed-list metrics", 2)]
    cells = 0
    for number in range(0, len(table.held), 2):
        deltas, ranks = table.held[number], table.held[number + 1]
        for raw, condensed in ((1, 3), (2, 4)):
            before, after = (abs(float(str(deltas[place]))) for place in (raw, condensed))
            if abs(before - after) > 1e-4:
                assert ((number, condensed) in (table.bold or ())) == (after < before)
                cells += 1
            moved = [
                abs(int(a) - int(b))
                for a, b in (re.split("[↓↑→]", str(ranks[p])) for p in (raw, condensed))
            ]
            assert ((number + 1, condensed) in (table.bold or ())) == (moved[1] < moved[0])
            assert (number, raw) not in (table.bold or ())
    assert cells > 2
    teams = held.table("teams")
    assert teams.held[-1][0] == "total"
    assert sum(int(str(row[1])) for row in teams.held[:-1]) == teams.held[-1][1]


def test_a_topic_is_explained_side_by_side(found: dict[str, Result]) -> None:
    table = found["explanation"].table("explanation")
    assert [name for name, _ in table.spans][1] == "Raw list"
    assert column(table, "Rank") == [str(n + 1) for n in range(len(table.held))]
    places = [n for n, name in enumerate(table.names) if name == "docno"]
    raw, condensed = ([row[place] for row in table.shown] for place in places)
    originals = [int(rank) for rank in column(table, "rank in raw list") if rank]
    for document, rank in zip(condensed, originals, strict=False):
        assert rank > len(raw) or raw[rank - 1] == document


# ---- Sakai and Zeng 2019 ------------------------------------------------------------------------


def printed(table: str) -> list[dict[str, str]]:
    with PRINTED.open(encoding="utf-8") as stream:
        lines = (line for line in stream if not line.startswith("#"))
        return [row for row in csv.DictReader(lines) if row["table"] == table]


def agreeing(table: str) -> AgreementTable:
    rows = tuple(
        Aligned(
            *(row["measure"], int(row["agree"]), int(row["disagree"]), 0),
            *(float(row[name]) for name in ("tau", "low", "high")),
        )
        for row in printed(table)
    )
    return AgreementTable("relevance", rows, rows[0].agree + rows[0].disagree, 12)


def test_table_5_stands_as_printed() -> None:
    full, high = agreeing("5a"), agreeing("5b")
    table = table_of(full, high, kind="agreement", names=("full gold data", "high-agreement"))
    assert table.spans == [
        ("(a) full gold data (P = 1,115 SERP pairs)", 4),
        ("(b) high-agreement (P = 894 SERP pairs)", 4),
    ]
    first = table.shown[0]
    assert first[1:4] == ["952", "163", ".708 [.596, .793]"]
    assert first[5:8] == ["804", "90", ".799 [.710, .863]"]
    # nDCG is an ad hoc measure, D-Q is one of diversity
    names = [row[0] for row in table.shown]
    assert all(table.best[names.index("nDCG")][:4])
    assert not any(table.best[names.index("D-Q")][:4])


def test_table_3_stands_as_printed() -> None:
    import numpy as np

    powers = (Power("ERR@10", 105, 26, 0.0712), Power("I-rec@10", 105, 46, 0.0761))
    held = Discrimination(powers, "hsd", 100, 1000, 0, None, 0.05, np.zeros((2, 105)))
    table = held.table("discrimination")
    assert table.shown == [["I-rec", "46/105 = 43.8%", ".08"], ["ERR", "26/105 = 24.8%", ".07"]]
    assert table.best == [[False] * 3, [True] * 3]


def test_names_lose_what_all_share_and_nothing_else(found: dict[str, Result]) -> None:
    table = found["unanimity"].table("unanimity")
    names = [row[0] for row in table.shown] + [row[2] for row in table.shown]
    assert len(set(names)) == 30
    assert "RBP" in names
    assert "RBP(p=0.85)" in names
    assert "gain exponential, cutoff 10" in table.caption


# ---- Albahem et al. 2018 ------------------------------------------------------------------------


def test_measures_that_violate_nothing_are_counted(found: dict[str, Result]) -> None:
    held = found["properties"]
    table = held.table("properties")
    assert table.names[:2] == ("Metric", "m(S) ≤ m(S·r)")
    assert table.shown == [["ACT", "✓", "×", "✓", "×"]]
    assert "1 of 2 measures violate nothing" in table.caption
    assert held.table("properties", every=True).shown[1] == ["P@3", "✓", "✓", "✓", "✓"]


def test_a_report_of_several_findings_has_their_table_as_its_rows(
    found: dict[str, Result],
) -> None:
    both = report_as(found["grades"], found["grades"], kind="grades", names=("a", "b"))
    assert [row[0] for row in both.data.held] == ["a", "b"]
    text = io.StringIO()
    importlib.import_module("polyseme.reporting.formats").write(both, "csv", text)
    assert text.getvalue().count("\n") == 3
