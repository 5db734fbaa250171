"""Figures show the numbers that were found, where they belong."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau

from polyseme import evaluate, read_qrels
from polyseme.collection.synthetic import SyntheticCollection
from polyseme.errors import PolysemeError
from polyseme.meta import Discrimination, discriminate
from polyseme.meta.grid import GridValues
from polyseme.meta.preferences.agreement import AgreementTable, Aligned
from polyseme.reporting.figures import Chart, figure
from polyseme.results import Findings
from polyseme.reuse import LeaveOneOut, depth_study, describe, leave_one_out
from polyseme.reuse.pools import without_rows
from polyseme.scores import Scores
from polyseme.statistics import agreement, compare

PRINTED = Path(__file__).parents[2] / "meta" / "preferences" / "sakai2019.csv"


def chart(found: Findings, kind: str, **options: Any) -> Chart:
    made = figure(found, kind, **options)
    assert isinstance(made, Chart)
    return made


def rows(made: Chart, layer: int | None = None) -> list[dict[str, Any]]:
    held = made.body if layer is None else made.body["layer"][layer]
    found: list[dict[str, Any]] = held.get("data", made.body.get("data"))["values"]
    return found


# ---- leave one out ------------------------------------------------------------------------------


def test_lines_without_a_team_are_scores_with_the_judgments_that_others_would_leave(
    collection: SyntheticCollection,
) -> None:
    # judgments of their own have no probabilities
    whole = without_rows(collection.judged, np.zeros(0, np.int64))
    found = leave_one_out(whole, collection.runs, "ERR-IA@10", teams=collection.teams, depth=20)
    team = found.teams.names[1]
    held = {
        (row["line"], row["run"]): row["value"]
        for row in rows(chart(found, "leave-one-out", team=team))
    }
    top = int(whole.line_grade.max())
    for name, line, left in (
        # each line has the line of the same score beside it
        ("ERR-IA@10", "ERR-IA@10, all judgments", whole),
        ("ERR-IA'@10", "ERR-IA'@10, all judgments", whole),
        # the highest grade stays that of all judgments
        (f"ERR-IA(gmax={top})@10", f"ERR-IA@10 without {team}", found.judgments(team)),
        (f"ERR-IA'(gmax={top})@10", f"ERR-IA'@10 without {team}", found.judgments(team)),
    ):
        means = evaluate(left, collection.runs, name)
        for run, value in zip(means.runs, means.mean_values(means.means[0])[:, 0], strict=True):
            assert held[line, run] == pytest.approx(value), (line, run)


def test_arrows_stand_at_the_runs_of_the_team_that_was_left_out(
    findings: dict[str, Findings],
) -> None:
    found = findings["leave-one-out"]
    assert isinstance(found, LeaveOneOut)
    made = chart(found, "leave-one-out", team="birch")
    marked = {row["run"] for row in rows(made, -1)}
    assert marked == {run for run, team in found.teams.of_run.items() if team == "birch"}
    x = made.body["layer"][0]["encoding"]["x"]["scale"]["domain"]
    means = found.full.select(measures="D#-nDCG@10").mean_values(found.full.means[0])[:, 0]
    assert x[0] == found.full.runs[int(means.argmax())]


def test_the_team_that_changes_most_is_left_out_unless_another_is_said(
    findings: dict[str, Findings],
) -> None:
    found = findings["leave-one-out"]
    assert isinstance(found, LeaveOneOut)
    raw = [each for each in found.best_estimates if each.measure == "D#-nDCG@10"]
    most = max(raw, key=lambda each: abs(each.score_loo - each.score)).team
    assert most in chart(found, "leave-one-out").title
    with pytest.raises(PolysemeError, match="there is no team 'brich' to show; did you mean birch"):
        figure(found, "leave-one-out", team="brich")


# ---- pools --------------------------------------------------------------------------------------


def test_panels_hold_tau_of_the_means_with_both_judgments(collection: SyntheticCollection) -> None:
    found = depth_study(collection.judged, collection.runs, "D-nDCG", pools=[3], cutoffs=[5, 10])
    held = {
        row["cutoff"]: row["value"]
        for row in rows(chart(found, "depth"))
        if row["statistic"] == "τ"
    }
    for place, cutoff in enumerate(("5", "10")):
        before, after = (
            scores.mean_values(scores.means[0])[:, place]
            for scores in (found.shallow["3"], found.deep)
        )
        assert held[cutoff] == pytest.approx(kendalltau(before, after).statistic)


def test_pools_are_the_axis_where_there_is_one_measurement_depth(
    collection: SyntheticCollection,
) -> None:
    found = depth_study(collection.judged, collection.runs, "D-nDCG@10", pools=[3, 6, 9])
    x = chart(found, "depth").body["spec"]["layer"][0]["encoding"]["x"]
    assert (x["field"], x["scale"]["domain"]) == ("pool", ["3", "6", "9"])


# ---- difficulty ---------------------------------------------------------------------------------


def test_bars_count_the_topics_that_fall_into_them(shared: Path) -> None:
    judged = read_qrels(shared / "data" / "trec-web" / "2010.diversity.qrels.gz")
    found = describe(judged).per_topic(xi_offset=1)
    made = chart(found, "difficulty", width=0.1)
    counts, _ = np.histogram(found.difficulty.dd[found.relevance.relevant_in > 0], 10, (0, 1))
    assert [row["topics"] for row in rows(made, 0)] == counts.tolist()
    # what the text of Golbus et al. 2013 says of the year: least, most and mean
    assert all(value in made.subtitle[0] for value in ("0.449", "0.977", "0.727"))
    with pytest.raises(PolysemeError, match=r"must divide 1, such as 0\.05\. Got 0\.3 instead"):
        figure(found, "difficulty", width=0.3)


# ---- grids --------------------------------------------------------------------------------------


def test_maps_hold_the_values_of_the_grid_and_mark_the_largest(
    findings: dict[str, Findings],
) -> None:
    found = findings["grid-map"]
    assert isinstance(found, GridValues)
    held = rows(chart(found, "grid-map", cutoff=5))
    assert {row["average"] for row in held} == {"cascade", "micro", "geom", "smr"}
    for row in held:
        value = found.values[
            [f"topic mean {each}" for each in found.means].index(row["mean"]),
            found.grid.averages.index(row["average"]),
            0,
            found.grid.alphas.index(float(row["alpha"])),
            0,
            found.grid.lambdas.index(float(row["lambda"])),
        ]
        assert row["value"] == pytest.approx(value)
    for average in found.grid.means:
        for mean in found.means:
            marked = [
                row["value"]
                for row in held
                if row["best"] and (row["average"], row["mean"]) == (average, f"topic mean {mean}")
            ]
            assert marked == [pytest.approx(found.best(average, "DCG", 5, mean))]


def test_slices_fix_what_the_paper_fixes(findings: dict[str, Findings]) -> None:
    found = findings["grid-slices"]
    assert isinstance(found, GridValues)
    along_lambda, along_alpha = (
        chart(found, "grid-slices", along=name) for name in ("lambda", "alpha")
    )
    assert along_lambda.subtitle == ("α is 0.3; DCG discount",)
    assert along_alpha.subtitle == ("λ is 0.5; DCG discount",)
    for made, place in ((along_lambda, (1, 0, 2)), (along_alpha, (2, 0, 1))):
        held = [
            row["value"]
            for row in rows(made)
            if (row["average"], row["rank"], row["mean"]) == ("micro", "rank 10", "topic mean avg")
        ]
        assert held[2] == pytest.approx(found.values[0, 1, 1][place])
    with pytest.raises(PolysemeError, match=r"the grid has no alpha 0\.4; it has 0, 0\.3, 0\.6"):
        figure(found, "grid-slices", at=0.4)


# ---- tests --------------------------------------------------------------------------------------


def test_stairs_cross_the_level_at_the_number_of_significant_pairs(scores: Scores) -> None:
    for found in (discriminate(scores, trials=300), compare(scores, trials=300)):
        made = chart(found, "staircase", highest=1.0)
        for measure in scores.measures:
            stair = [row for row in rows(made, 0) if row["name"] == measure]
            below = max(row["pair"] for row in stair if row["p"] < 0.05 or row["pair"] == 0)
            assert below == int((found.p[scores.measures.index(measure)] < 0.05).sum())
            assert [row["p"] for row in stair] == sorted(row["p"] for row in stair)
            assert stair[-1]["pair"] == 6


def test_the_most_discriminative_measure_stands_first(findings: dict[str, Findings]) -> None:
    found = findings["staircase"]
    assert isinstance(found, Discrimination)
    named = chart(found, "staircase").body["layer"][0]["encoding"]["color"]["scale"]["domain"]
    powers = [float(name.rsplit(None, 1)[1]) for name in named]
    assert powers == sorted(powers, reverse=True)
    assert powers[0] == pytest.approx(max(each.power for each in found.powers), abs=5e-4)


# ---- forests ------------------------------------------------------------------------------------


def test_the_forest_of_agreement_is_the_printed_table_of_diversity_preferences() -> None:
    with PRINTED.open(encoding="utf-8") as stream:
        lines = (line for line in stream if not line.startswith("#"))
        printed = [row for row in csv.DictReader(lines) if row["table"] == "6a"]
    counted = [(row["measure"], int(row["agree"]), int(row["disagree"])) for row in printed]
    found = AgreementTable(
        "diversity",
        # in another order than that of the table
        tuple(Aligned(n, a, d, 0, *agreement(a, d)) for n, a, d in sorted(counted)),
        pairs=1119,
        tied=8,
    )
    held = rows(chart(found, "agreement"))
    assert [round(row["value"], 3) for row in held] == [float(row["tau"]) for row in printed]
    for row, paper in zip(held, printed, strict=True):
        assert row["low"] == pytest.approx(float(paper["low"]), abs=0.0012)
        assert row["high"] == pytest.approx(float(paper["high"]), abs=0.0012)


def test_means_stand_best_first_with_their_letters(scores: Scores) -> None:
    found = compare(scores, trials=300)
    held = rows(chart(found, "means", measure="I-rec@10"))
    assert [row["name"] for row in held] == ["elm", "birch", "alder", "cedar"]
    assert [row["value"] for row in held] == pytest.approx([1.0, 0.8, 0.6, 0.5])
    assert {row["name"]: row["said"] for row in held} == found.letters("I-rec@10")


def test_a_figure_drawn_twice_is_the_same_to_the_byte(findings: dict[str, Findings]) -> None:
    """What is named inside of drawings counts on from one to the next, were it left alone."""
    staircase = figure(findings["staircase"], "staircase")
    first = staircase.to_svg()
    figure(findings["depth"], "depth").to_svg()
    assert staircase.to_svg() == first
    assert 'id="inner1"' in first
    assert "url(#inner1)" in first
