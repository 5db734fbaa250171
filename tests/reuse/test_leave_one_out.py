from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from commands import done, records, run
from polyseme.collection.formats.writing import write_judgments
from polyseme.collection.reading import read_qrels
from polyseme.errors import InputError, PolysemeError, PolysemeWarning
from polyseme.evaluation import evaluate
from polyseme.reuse.estimates import VIEWS
from polyseme.reuse.leave_one_out import LeaveOneOut, leave_one_out

Grades = dict[str, dict[str, dict[str, int]]]
RunDict = dict[str, dict[str, list[str]]]

#: with cutoffs, lists need not be read to their ends
CUT = "I-rec@3 D#-nDCG@2 ERR-IA@3 alpha-nDCG@1 RBU@3 nDCG@3 P@2 ndeval:ERR-IA@5"
MEASURES = f"{CUT} Q-IA"


@dataclass(frozen=True)
class Case:
    judgments: Grades
    runs: RunDict
    teams: dict[str, str]
    depth: int

    def unique(self, team: str, topic: str) -> set[str]:
        """U_k of a topic, from plain sets."""

        def contributed(names: set[str]) -> set[str]:
            return {d for name in names for d in self.runs[name].get(topic, [])[: self.depth]}

        mine = {name for name in self.runs if self.teams[name] == team}
        return contributed(mine) - contributed(set(self.runs) - mine)

    def without(self, team: str) -> Grades:
        """The judgments without what only a team contributed."""
        return {
            topic: {
                intent: {
                    document: grade
                    for document, grade in graded.items()
                    if document not in self.unique(team, topic)
                }
                for intent, graded in intents.items()
            }
            for topic, intents in self.judgments.items()
        }


DOCUMENTS = [f"d{n}" for n in range(9)]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    graded = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-1, 3), min_size=1, max_size=7)
    intents = st.dictionaries(st.sampled_from(["1", "2", "3"]), graded, min_size=1)
    judgments = draw(st.dictionaries(st.sampled_from(["1", "2", "10"]), intents, min_size=1))
    lists = st.lists(st.sampled_from(DOCUMENTS), unique=True, max_size=8)
    names = draw(st.sets(st.sampled_from(["r1", "r2", "r3", "r4"]), min_size=2))
    runs = {
        name: {topic: draw(lists) for topic in judgments if draw(st.integers(0, 4))}
        for name in sorted(names)
    }
    assume(all(runs.values()))
    teams = {name: draw(st.sampled_from(["x", "y", "z"])) for name in runs}
    return Case(judgments, runs, teams, draw(st.integers(1, 8)))


def relevant(judgments: Grades, bar: int = 1) -> bool:
    graded = (documents for intents in judgments.values() for documents in intents.values())
    return any(grade >= bar for documents in graded for grade in documents.values())


def quietly(function: Any, *args: Any, **said: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PolysemeWarning)
        return function(*args, **said)


def ranks(means: dict[str, float]) -> dict[str, int]:
    return {
        name: 1 + sum(round(other, 12) > round(value, 12) for other in means.values())
        for name, value in means.items()
    }


@given(cases(), st.sampled_from([CUT, MEASURES]), st.integers(1, 2))
def test_leaving_out_is_evaluating_with_judgments_that_lack_the_teams_documents(
    case: Case, measures: str, relevant_from: int
) -> None:
    assume(relevant(case.judgments, relevant_from))
    assume(all(relevant(case.without(team), relevant_from) for team in case.teams.values()))
    # the same highest gain whatever grades are left
    policies: dict[str, Any] = {"gmax": 6, "relevant_from": relevant_from}
    found: LeaveOneOut = quietly(
        leave_one_out,
        case.judgments,
        case.runs,
        measures,
        teams=case.teams,
        depth=case.depth,
        **policies,
    )
    names = list(dict.fromkeys(e.measure for e in found.estimates if e.view != "bounds"))
    full = quietly(evaluate, case.judgments, case.runs, names, **policies).mean()
    for team in set(case.teams.values()):
        left = case.without(team)
        # topics of which nothing is judged any more are no topics
        left = {t: i for t, i in left.items() if any(i.values())}
        runs = {n: {t: d for t, d in r.items() if t in left} for n, r in case.runs.items()}
        scores = quietly(evaluate, left, runs, names, **policies).mean()
        for name in names:
            before = ranks({r: full[r][name] for r in full})
            after = ranks({r: scores[r][name] for r in scores})
            for each in found.estimates:
                if (each.team, each.measure) != (team, name):
                    continue
                assert each.score == pytest.approx(full[each.run][name], abs=1e-12)
                assert each.score_loo == pytest.approx(scores[each.run][name], abs=1e-12)
                assert (each.rank, each.rank_loo) == (before[each.run], after[each.run])


@given(cases())
def test_a_team_without_a_unique_relevant_document_changes_no_raw_score(case: Case) -> None:
    assume(relevant(case.judgments))
    found: LeaveOneOut
    try:
        found = quietly(
            leave_one_out, case.judgments, case.runs, MEASURES, teams=case.teams, depth=case.depth
        )
    except PolysemeError:
        assume(False)
    for team, gone in found.removed.items():
        if gone.relevant:
            continue
        for each in found.estimates:
            if each.team == team and each.view == "raw":
                assert each.delta == 0
                assert each.rank == each.rank_loo


@given(cases())
def test_on_fully_judged_lists_condensed_is_raw(case: Case) -> None:
    assume(relevant(case.judgments))
    judgments = {
        topic: {**intents, "0": dict.fromkeys(DOCUMENTS, 0)}
        for topic, intents in case.judgments.items()
    }
    found: LeaveOneOut = quietly(
        # every document is contributed by two teams: nothing is unique
        leave_one_out,
        judgments,
        {**case.runs, **{f"{name}-again": lists for name, lists in case.runs.items()}},
        MEASURES,
        teams={name: name for n in case.runs for name in (n, f"{n}-again")},
        depth=case.depth,
    )
    assert all(gone.rows.size == 0 for gone in found.removed.values())
    raw = {(e.run, e.base): e for e in found.estimates if e.view == "raw"}
    for each in found.estimates:
        if each.view in ("condensed", "discounted"):
            assert each.score == each.score_loo == raw[each.run, each.base].score


# ---- a case by hand -----------------------------------------------------------------------------

#: of team a's documents only d2 is unique and relevant, d3 unique and not
JUDGMENTS: Grades = {"1": {"1": {"d1": 1, "d2": 2, "d3": 0, "d4": 1, "d5": 0}}}
RUNS: RunDict = {
    "a1": {"1": ["d2", "d1", "d3"]},
    "a2": {"1": ["d3", "d1"]},
    "b1": {"1": ["d1", "d5", "d2"]},
    "b2": {"1": ["d5", "d4"]},
}
TEAMS = {"a1": "a", "a2": "a", "b1": "b", "b2": "b"}


def by_hand(**said: Any) -> LeaveOneOut:
    return leave_one_out(JUDGMENTS, RUNS, "P@2", teams=TEAMS, depth=2, **said)


@pytest.mark.filterwarnings("ignore:.*upper bound may exceed 1:UserWarning")
def test_scores_ranks_and_errors_are_those_worked_out_by_hand() -> None:
    found = by_hand()
    assert found.best == {"a": "a1", "b": "b1"}
    estimates = {(e.run, e.view): e for e in found.estimates}
    raw = estimates["a1", "raw"]
    # P: a1 1 (both relevant), a2 1/2, b1 1/2, b2 1/2; without d2 and d3 a1 1/2
    assert (raw.score, raw.score_loo, raw.delta) == (1.0, 0.5, -0.5)
    assert (raw.rank, raw.rank_loo) == (1, 1)
    # condensed without them a1 is d1 alone, b1 d1 and d5
    assert estimates["a1", "condensed"].score_loo == 0.5
    # if d2 were relevant to everything again
    assert estimates["a1", "bounds"].score_loo == 1.0
    assert ("a1", "discounted") not in estimates  # P knows no gains to discount
    assert found.removed["a"].rows.tolist() == [1, 2]
    assert found.removed["a"].relevant == 1


def test_effective_is_a_strictly_smaller_error() -> None:
    found = by_hand(views=("raw", "condensed"))
    condensed = next(e for e in found.estimates if (e.run, e.view) == ("a1", "condensed"))
    assert condensed.absolute_error == condensed.raw_error == 0.5
    assert not condensed.effective_absolute
    assert not condensed.effective_relative


def test_the_judgments_of_each_left_out_team_can_be_had() -> None:
    left = by_hand().judgments("a")
    assert {(d, g) for _, _, d, g in left.lines()} == {("d1", 1), ("d4", 1), ("d5", 0)}


def test_without_a_depth_a_team_contributed_all_that_it_retrieved() -> None:
    found = leave_one_out(JUDGMENTS, RUNS, "P@2", teams=TEAMS)
    # b1 has d2 at rank 3, so that it is not unique to a any more
    assert found.removed["a"].rows.tolist() == [2]
    assert any("no pool depth was said" in note for note in found.report().notes)


def test_runs_that_are_not_evaluated_contribute_and_are_not_ranked() -> None:
    found = by_hand(evaluated=["a2", "b1", "b2"], views=("raw",))
    assert {e.run for e in found.estimates} == {"a2", "b1", "b2"}
    assert found.best["a"] == "a2"
    # a1 contributed d2 all the same
    assert found.removed["a"].rows.tolist() == [1, 2]
    assert max(e.rank for e in found.estimates) <= 3


def test_the_best_run_is_that_of_another_measure_if_wanted() -> None:
    runs = {"a1": {"1": ["d5", "d1", "d4"]}, "a2": {"1": ["d2"]}, "b": {"1": ["d1"]}}
    teams = {"a1": "a", "a2": "a", "b": "b"}
    said: dict[str, Any] = {"teams": teams, "depth": 1, "views": ("raw",)}
    assert leave_one_out(JUDGMENTS, runs, "P@3", **said).best["a"] == "a1"
    assert leave_one_out(JUDGMENTS, runs, "P@3", best_by="P@1", **said).best["a"] == "a2"


def test_the_highest_gain_stays_that_of_all_judgments() -> None:
    judgments = {"1": {"1": {"d1": 1, "d2": 4}}}
    runs = {"a": {"1": ["d2"]}, "b": {"1": ["d1"]}}
    found = leave_one_out(judgments, runs, "ERR-IA@5 ERR@5", depth=1, views=("raw",))
    b = {e.measure: e for e in found.estimates if e.run == "b"}
    assert {run: scores["ERR-IA@5"] for run, scores in found.without["a"].mean().items()} == {
        "a": 0.0,
        "b": pytest.approx(1 / 5),
    }
    assert b["ERR@5"].score == pytest.approx(1 / 3)  # grades up to 2 there


def test_primes_in_the_measures_make_no_difference() -> None:
    found = leave_one_out(JUDGMENTS, RUNS, "P'@2 P@2", teams=TEAMS, depth=2, views=("raw",))
    assert found.measures == ("P@2",)


def test_a_team_that_all_relevant_documents_hang_on_cannot_be_left_out() -> None:
    with pytest.raises(PolysemeError, match="without what only a contributed no topic"):
        leave_one_out({"1": {"1": {"d": 1, "n": 0}}}, {"a": {"1": ["d"]}, "b": {"1": ["e"]}}, "P@1")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ({"views": ("condensed",)}, "raw among them"),
        ({"views": ("raw", "wet")}, "Got raw, wet instead"),
        ({"evaluated": ["a3"]}, "were not given .the first: 'a3'"),
        ({"evaluated": []}, "no run is to be evaluated"),
    ],
)
def test_wrong_arguments_are_named(said: dict[str, Any], text: str) -> None:
    with pytest.raises(PolysemeError, match=text):
        by_hand(**said)


def test_topics_must_have_a_depth() -> None:
    with pytest.raises(InputError, match="no pool depth"):
        leave_one_out(JUDGMENTS, RUNS, "P@2", depth={"7": 3})


# ---- real data ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def web_track(shared: Path) -> tuple[Path, list[Path], dict[str, str]]:
    """Real runs on TREC 2012, and their teams."""
    folder = shared / "data" / "runs"
    runs = [
        *sorted((folder / "wt2012-indri").iterdir()),
        folder / "wt2009-2012-lemur" / "wt2012.run.gz",
        *sorted((folder / "wt2009-2012-gdesa").glob("result_*")),
    ]
    teams = {path.name.split(".")[0]: path.parent.name.rpartition("-")[2] for path in runs}
    return shared / "data" / "trec-web" / "2012.graded.qrels.gz", runs, teams


def test_real_runs_lose_what_files_without_their_documents_take(
    web_track: tuple[Path, list[Path], dict[str, str]], tmp_path: Path
) -> None:
    qrels, runs, teams = web_track
    names = "D#-nDCG@20 ERR-IA@20 alpha-nDCG@20"
    found = quietly(
        leave_one_out, qrels, runs, names, teams=teams, depth=20, views=("raw", "condensed")
    )
    assert set(found.best) == {"indri", "lemur", "gdesa"}
    with_primes = names + " " + names.replace("@", "'@")
    for team in found.best:
        path = tmp_path / f"{team}.qrels"
        write_judgments(found.judgments(team), path)
        scores = quietly(evaluate, path, runs, with_primes, gmax=4).mean()
        for each in found.estimates:
            if each.team == team:
                assert each.score_loo == pytest.approx(scores[each.run][each.measure], abs=1e-12)
    raw = [e for e in found.best_estimates if e.view == "raw"]
    assert all(each.delta <= 0 for each in raw)


@pytest.mark.slow
def test_condensed_lists_estimate_newcomers_better_on_the_synthetic_teams(shared: Path) -> None:
    runs = sorted((shared / "data" / "runs" / "wt2012-synthetic").iterdir())
    teams = {path.name.split(".")[0]: path.name.partition("_")[0] for path in runs}
    found = leave_one_out(
        shared / "data" / "trec-web" / "2012.graded.qrels.gz",
        runs,
        "D#-nDCG@20",
        teams=teams,
        depth=20,
    )
    assert len(found.best) == 16
    summary = {row["view"]: row for row in found.report().facts["summary"]}
    assert summary["raw"]["too_low"] == 16
    assert summary["condensed"]["effective_absolute"] == 16
    assert summary["condensed"]["mean_error"] < summary["raw"]["mean_error"] / 2


# ---- the command --------------------------------------------------------------------------------


def loo(demo: Path, *arguments: str) -> Any:
    return done(
        "loo",
        demo / "judgments.qrels",
        *sorted((demo / "runs").iterdir()),
        "--teams",
        demo / "teams.csv",
        "--depth",
        "20",
        *arguments,
    )


def test_the_command_tells_each_teams_best_run(demo: Path) -> None:
    rows = records(loo(demo, "-m", "I-rec@10 D-nDCG@10").stdout)
    names = ["team", "run", "measure", "score", "score_loo", "delta", "rank", "rank_loo"]
    assert list(rows[0]) == names
    assert {row["measure"] for row in rows} == {
        *("I-rec@10", "I-rec'@10", "I-rec(view=upper)@10"),
        *("D-nDCG@10", "D-nDCG'@10", "D-nDCG''@10", "D-nDCG(view=upper)@10"),
    }
    assert len({row["run"] for row in rows}) == 3
    every = records(loo(demo, "-m", "I-rec@10 D-nDCG@10", "--per-run").stdout)
    assert len({row["run"] for row in every}) == 6
    assert all(row in every for row in rows)


def test_people_see_table_5_and_a_summary(demo: Path) -> None:
    text = loo(demo, "-m", "D#-nDCG@10", "--format", "table").stdout
    assert "→" in text
    assert "effective_absolute" in text


def test_judgments_without_each_team_are_written_and_give_the_same_scores(
    demo: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "without"
    rows = records(loo(demo, "-m", "D-nDCG@10", "--write-judgments", str(folder)).stdout)
    assert sorted(path.name for path in folder.iterdir()) == [
        *("alder.qrels", "birch.qrels", "cedar.qrels"),
    ]
    highest = read_qrels(demo / "judgments.qrels").highest_grade
    for row in rows:
        if "view" in row["measure"]:
            continue
        scores = evaluate(
            folder / f"{row['team']}.qrels",
            sorted((demo / "runs").iterdir()),
            row["measure"],
            gmax=highest,
        )
        value = scores.mean()[row["run"]][row["measure"]]
        assert float(row["score_loo"]) == pytest.approx(value, abs=1e-12)


def test_evaluated_runs_may_be_named_in_a_file(demo: Path, tmp_path: Path) -> None:
    path = tmp_path / "evaluated.txt"
    path.write_text("alder-1\nbirch-2\n")
    rows = records(loo(demo, "-m", "D-nDCG@10", "--evaluated", str(path)).stdout)
    assert {row["run"] for row in rows} == {"alder-1", "birch-2"}


def test_a_wrong_view_is_told(demo: Path) -> None:
    result = run(
        "loo", demo / "judgments.qrels", *sorted((demo / "runs").iterdir()), "--views", "wet"
    )
    assert result.exit_code == 1
    assert f"views must be of {', '.join(VIEWS)}" in result.stderr
