from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from commands import done, records, run
from polyseme.collection.formats.writing import write_judgments
from polyseme.collection.judgments import Judged
from polyseme.collection.reading import read_qrels, read_runs
from polyseme.errors import InputError, PolysemeError
from polyseme.evaluation import evaluate
from polyseme.reuse import pool
from polyseme.reuse.pool_depth import DepthStudy, depth_study
from polyseme.statistics import kendall_tau, symmetric_tau_ap, tukey_hsd

MEASURES = "I-rec D#-nDCG ERR-IA"


@pytest.fixture(scope="module")
def files(demo: Path) -> tuple[Path, list[Path]]:
    return demo / "judgments.qrels", sorted((demo / "runs").iterdir())


def pooled(judged: Judged, runs: list[Path], depth: int) -> dict[str, Any]:
    """J_d by identifiers."""
    documents = pool(runs, depth).contributors
    kept: dict[str, Any] = {}
    for topic, intent, document, grade in judged.lines():
        if document in documents[topic]:
            kept.setdefault(topic, {}).setdefault(intent, {})[document] = grade
    return kept


def means(judgments: Any, runs: list[Path], measure: str) -> list[float]:
    scores = evaluate(judgments, runs, measure, gmax=4)
    return [values[measure] for values in scores.mean().values()]


def test_correlations_are_those_of_evaluations_with_smaller_files(
    files: tuple[Path, list[Path]],
) -> None:
    qrels, runs = files
    judged = read_qrels(qrels)
    study = depth_study(qrels, runs, MEASURES, pools=[3, 10], cutoffs=[5, 20], gmax=4)
    found = {(str(m), pool): c for m, pool, c in study.correlations()}
    assert len(found) == 3 * 2 * 2
    for (measure, depth), got in found.items():
        before = means(pooled(judged, runs, int(depth)), runs, measure)
        after = means(qrels, runs, measure)
        assert got.tau == pytest.approx(kendall_tau(before, after), nan_ok=True)
        assert got.tau_ap == pytest.approx(symmetric_tau_ap(before, after), nan_ok=True)


def test_a_pool_as_deep_as_the_runs_changes_nothing(files: tuple[Path, list[Path]]) -> None:
    study = depth_study(*files, "D-nDCG@10", pools=[1000])
    assert [found.tau for _, _, found in study.correlations()] == [1.0]


def test_deeper_judgments_may_come_from_a_file_of_their_own(
    files: tuple[Path, list[Path]], tmp_path: Path
) -> None:
    qrels, runs = files
    shallow = tmp_path / "shallow.qrels"
    write_judgments(read_qrels(pooled(read_qrels(qrels), runs, 5)), shallow)
    by_pool = depth_study(qrels, runs, "D-nDCG@10", pools=[5], gmax=4)
    by_file = depth_study(shallow, runs, "D-nDCG@10", deeper=qrels, gmax=4)
    assert list(by_file.shallow) == ["given"]
    assert [c for *_, c in by_file.correlations()] == [c for *_, c in by_pool.correlations()]


@pytest.fixture(scope="module")
def study(demo: Path, files: tuple[Path, list[Path]]) -> DepthStudy:
    return depth_study(*files, MEASURES, pools=[2, 8], cutoffs=[10], teams=demo / "teams.csv")


def test_differences_are_tested_on_each_teams_best_run(
    study: DepthStudy, files: tuple[Path, list[Path]]
) -> None:
    found = study.significance(trials=200, seed=3)
    assert found.pool == "2"
    assert set(found.shallow.runs) == set(study.best.values())
    assert len(study.best) == 3
    scores = evaluate(*files, [str(m) for m in study.measures])
    alone = tukey_hsd(scores.select(runs=list(study.best.values())), trials=200, seed=3)
    assert found.deep.p == pytest.approx(alone.p)


def test_verdicts_compare_both_sides_of_5_percent(study: DepthStudy) -> None:
    found = study.significance(trials=200)
    for _, _, _, before, after, verdict in found.verdicts():
        expected = {
            (True, True): "both",
            (True, False): "false alarm",
            (False, True): "missed",
            (False, False): "neither",
        }[before < 0.05, after < 0.05]
        assert verdict == expected
    counted = found.report().facts["summary"]
    assert sum(sum(row[k] for k in row if k not in ("cutoff", "measure")) for row in counted) == 9


def test_a_report_of_tests_says_how_scores_and_p_values_were_made(study: DepthStudy) -> None:
    report = study.significance(trials=50, seed=3).report()
    made = {"test": "hsd", "B": 50, "seed": 3, "correction": "none"}
    assert report.provenance == {**study.deep.provenance, **made}
    assert report.provenance["policies"]
    assert f"over {len(study.deep.topics)} topics" in report.notes[1]
    assert {row["cutoff"] for row in report.data.records()} == {10}


def test_another_pool_can_be_tested(study: DepthStudy) -> None:
    assert study.significance(pool=8, trials=10).pool == "8"
    with pytest.raises(PolysemeError, match="the pools are 2, 8"):
        study.significance(pool=3)


def test_the_best_run_is_chosen_by_the_judgments_as_they_are(
    files: tuple[Path, list[Path]], demo: Path
) -> None:
    said: dict[str, Any] = {"pools": [1], "teams": demo / "teams.csv"}
    found = depth_study(*files, "I-rec@2", best_by="D-nDCG@20", **said)
    scores = evaluate(*files, "D-nDCG@20").mean()
    for team, name in found.best.items():
        mine = found.teams.runs_of(team)
        assert scores[name]["D-nDCG@20"] == max(scores[each]["D-nDCG@20"] for each in mine)


def test_there_must_be_something_to_compare(files: tuple[Path, list[Path]]) -> None:
    with pytest.raises(PolysemeError, match="nothing to compare"):
        depth_study(*files, "I-rec@2")
    with pytest.raises(InputError, match="pools are 0"):
        depth_study(*files, "I-rec@2", pools=[0])


@pytest.mark.slow
def test_real_runs_rank_alike_with_deeper_pools(shared: Path) -> None:
    runs = read_runs(*sorted((shared / "data" / "runs" / "wt2012-indri").iterdir()))
    qrels = shared / "data" / "trec-web" / "2012.graded.qrels.gz"
    found = depth_study(qrels, runs, "D#-nDCG@20", pools=[5, 1000])
    taus = [c.tau for *_, c in found.correlations()]
    assert taus[1] > 0.9
    assert taus[0] <= taus[1]


# ---- the command --------------------------------------------------------------------------------


def depth(files: tuple[Path, list[Path]], *arguments: str | Path) -> Any:
    return done("depth", files[0], *files[1], *arguments)


def test_the_command_has_the_columns_that_are_promised(
    files: tuple[Path, list[Path]], demo: Path
) -> None:
    rows = records(depth(files, "-m", "I-rec", "--pools", "2,5", "--cutoffs", "5,10").stdout)
    assert list(rows[0]) == ["cutoff", "measure", "pool", "tau", "tau_ap"]
    assert [(row["cutoff"], row["pool"]) for row in rows] == [
        *[("5", "2"), ("5", "5"), ("10", "2"), ("10", "5")],
    ]
    said = ["-m", "I-rec@5", "--pools", "2", "--significance", "--trials", "50"]
    rows = records(depth(files, *said, "--teams", demo / "teams.csv").stdout)
    assert list(rows[0]) == ["cutoff", "measure", "a", "b", "p_shallow", "p_deep", "verdict"]


@pytest.mark.parametrize("arguments", [[], ["--pools", "2,x"], ["--pools", "0"]])
def test_wrong_usage_is_told(files: tuple[Path, list[Path]], arguments: list[str]) -> None:
    assert run("depth", files[0], *files[1], *arguments).exit_code == 2
