from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import done, records, run
from polyseme.collection.judgments import Judged
from polyseme.collection.reading import read_qrels
from polyseme.collection.teams import Teams, teams_of
from polyseme.errors import InputError, PolysemeWarning
from polyseme.reuse.pools import PoolDepth, pool

RunDict = dict[str, dict[str, list[str]]]

RUNS: RunDict = {
    "a1": {"1": ["d1", "d2", "d3"], "2": ["e1"]},
    "a2": {"1": ["d1", "d4"]},
    "b1": {"1": ["d2", "d5"], "2": ["e1", "e2"]},
}
TEAMS = {"a1": "a", "a2": "a", "b1": "b"}


def judgments(grades: dict[str, dict[str, int]]) -> Judged:
    return read_qrels({topic: {"1": documents} for topic, documents in grades.items()})


@st.composite
def pooled(draw: st.DrawFn) -> tuple[RunDict, dict[str, str], dict[str, int]]:
    """Runs of some teams, and a depth for each topic."""
    documents = [f"d{n}" for n in range(8)]
    topics = ["1", "2", "10"]
    lists = st.lists(st.sampled_from(documents), unique=True, max_size=6)
    runs = {
        name: {topic: draw(lists) for topic in draw(st.sets(st.sampled_from(topics), min_size=1))}
        for name in draw(st.sets(st.sampled_from(["r1", "r2", "r3", "r4"]), min_size=1))
    }
    teams = {name: draw(st.sampled_from(["x", "y", "z"])) for name in runs}
    return runs, teams, {topic: draw(st.integers(1, 7)) for topic in topics}


@given(pooled())
def test_contributions_are_those_of_plain_sets(
    case: tuple[RunDict, dict[str, str], dict[str, int]],
) -> None:
    runs, teams, depth = case
    made = pool(runs, depth, teams=teams)
    judged = judgments({topic: {"d1": 1, "d2": 0, "d3": 2} for topic in depth})
    found = made.contributions(judged)
    for topic in made.contributors:
        C: dict[str, set[str]] = {team: set() for team in teams.values()}
        for name, lists in runs.items():
            C[teams[name]] |= set(lists.get(topic, [])[: depth[topic]])
        union = set().union(*C.values())
        assert set(made.documents(topic)) == union
        for team, mine in C.items():
            others = set().union(*(C[other] for other in C if other != team))
            unique = mine - others
            assert found.counts[team, topic] == (
                len(mine),
                len(unique),
                len(unique & {"d1", "d3"}),
            )


def test_a_pool_is_in_the_order_of_topics_and_identifiers() -> None:
    made = pool(RUNS, 2, teams=TEAMS)
    rows = list(made.table().rows)
    assert rows == [("1", d) for d in ("d1", "d2", "d4", "d5")] + [("2", "e1"), ("2", "e2")]


def test_topics_may_have_depths_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "depths.txt"
    path.write_text("1 3\n2 1\n")
    for said in ({"1": 3, "2": 1}, "1:3,2:1", path):
        made = pool(RUNS, said)
        assert made.documents("1") == ["d1", "d2", "d3", "d4", "d5"]
        assert made.documents("2") == ["e1"]


def test_a_topic_without_a_depth_has_no_pool_and_that_is_said() -> None:
    made = pool(RUNS, {"1": 3})
    assert list(made.contributors) == ["1"]
    assert any("1 topics of the runs have no depth" in note for note in made.report().notes)
    with pytest.raises(InputError, match=r"no pool depth \(the first: 2\)"):
        PoolDepth.of({"1": 3}).of_topics(("1", "2"))


@pytest.mark.parametrize("depth", [0, "1:0", 1.5])
def test_a_depth_is_a_whole_number(depth: object) -> None:
    with pytest.raises(InputError):
        PoolDepth.of(depth if not isinstance(depth, float) else {"1": depth})


def test_an_incremental_pool_leaves_out_what_is_judged() -> None:
    judged = judgments({"1": {"d1": 0, "d5": 1}})
    made = pool(RUNS, 3, minus=judged)
    assert made.documents("1") == ["d2", "d3", "d4"]
    assert made.documents("2") == ["e1", "e2"]
    assert made.left_out == 2
    shallow, deep = pool(RUNS, 1), pool(RUNS, 3)
    known = judgments({t: dict.fromkeys(shallow.documents(t), 0) for t in ("1", "2")})
    more = pool(RUNS, 3, minus=known)
    for topic in ("1", "2"):
        both = sorted([*shallow.documents(topic), *more.documents(topic)])
        assert both == deep.documents(topic)


def test_a_shuffled_pool_is_the_same_documents_and_hangs_on_the_seed_and_the_topic_only() -> None:
    lists = {"r": {"1": [f"d{n:02}" for n in range(30)], "2": [f"d{n:02}" for n in range(30)]}}
    made = pool(lists, 30, seed=1)
    assert sorted(made.documents("1")) == pool(lists, 30).documents("1")
    assert made.documents("1") != made.documents("2")
    assert made.documents("1") != pool(lists, 30, seed=2).documents("1")
    alone = pool({"r": {"1": lists["r"]["1"]}}, 30, seed=1)
    assert alone.documents("1") == made.documents("1")


def test_the_team_table_adds_topics_up() -> None:
    judged = judgments({"1": {"d3": 1, "d4": 0, "d5": 1}, "2": {"e2": 2}})
    found = pool(RUNS, 3, teams=TEAMS).contributions(judged)
    assert found.of_team("a") == (5, 3, 1)
    assert found.of_team("b") == (4, 2, 2)
    assert found.table().shown[0] == ["a", "5", "3", "1", "2"]


def test_without_judgments_nothing_is_said_of_relevance() -> None:
    found = pool(RUNS, 3, teams=TEAMS).contributions()
    assert found.of_team("a") == (5, 3, None)


# ---- teams --------------------------------------------------------------------------------------


def test_teams_come_from_csv_with_tasks(tmp_path: Path) -> None:
    path = tmp_path / "teams.csv"
    path.write_text("# who\nteam,run,task\na,a1,adhoc\na,a2,diversity\nb,b1,adhoc\n")
    teams = teams_of(path, ["a1", "a2", "b1"])
    assert teams.of_run == TEAMS
    assert teams.tasks == ("adhoc", "diversity")
    table = pool(RUNS, 3, teams=teams).contributions().table()
    assert table.names[-2:] == ("adhoc runs", "diversity runs")
    assert [row[-2:] for row in table.rows] == [(1, 1), (1, 0)]


def test_each_run_is_a_team_where_nothing_is_said() -> None:
    assert teams_of(None, ["x", "y"]).names == ("x", "y")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("run,group\na,b\n", "no column 'team'"),
        ("run,team\na,x\na,y\n", "the run 'a' has two teams: x and y"),
        ("run,team\na,\n", "has no name"),
        ("run,team\n", "not one record"),
    ],
)
def test_a_wrong_file_of_teams_is_told(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "teams.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=problem):
        teams_of(path, ["a"])


def test_a_run_without_a_team_is_an_error_and_a_team_without_its_run_a_warning() -> None:
    with pytest.raises(InputError, match=r"(?s)1 runs have no team.*did you mean run1"):
        teams_of({"run1": "x"}, ["run2"])
    with pytest.warns(PolysemeWarning, match="1 runs were not given"):
        teams_of(Teams({"r": "x", "s": "y"}), ["r"])
    with pytest.raises(InputError, match="teams are a int"):
        teams_of(3, ["r"])


# ---- the command --------------------------------------------------------------------------------


def test_the_command_pools(demo: Path) -> None:
    runs = sorted((demo / "runs").iterdir())
    text = done("pool", *runs, "--depth", "20").stdout
    assert text.startswith("topic,doc\n")
    # the first half of each team's runs is pooled: the rest is not all judged
    judged = read_qrels(demo / "judgments.qrels")
    more = done("pool", *runs, "--depth", "20", "--minus", demo / "judgments.qrels").stdout
    everything = {(row["topic"], row["doc"]) for row in records(text)}
    left = {(row["topic"], row["doc"]) for row in records(more)}
    known = {(topic, doc) for topic, _, doc, _ in judged.lines()}
    assert left == everything - known
    assert left
    assert left < everything


def test_the_command_tells_contributions_by_team_and_topic(demo: Path) -> None:
    runs = sorted((demo / "runs").iterdir())
    files: list[str | Path] = ["--teams", demo / "teams.csv", "--qrels", demo / "judgments.qrels"]
    result = done("pool", *runs, "--depth", "20", "--contributions", *files)
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert list(rows[0]) == ["team", "topic", "contributed", "unique", "unique_relevant"]
    assert len(rows) == 3 * 8
    assert all(int(r["contributed"]) >= int(r["unique"]) >= int(r["unique_relevant"]) for r in rows)


def test_the_team_table_has_each_teams_best_run_where_a_measure_is_named(demo: Path) -> None:
    runs = sorted((demo / "runs").iterdir())
    files: list[str | Path] = ["--teams", demo / "teams.csv", "--qrels", demo / "judgments.qrels"]
    said = ["--depth", "20", "--contributions", "--best-by", "I-rec@10", "--format", "table"]
    result = done("pool", *runs, *said, *files)
    assert "best run" in result.stdout
    assert "I-rec@10" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "--depth"),
        (["--depth", "3", "--best-by", "I-rec"], "go with --contributions"),
        (["--depth", "3", "--contributions", "--best-by", "I-rec"], "say --qrels"),
    ],
)
def test_wrong_usage_is_told(demo: Path, arguments: list[str], text: str) -> None:
    result = run("pool", *sorted((demo / "runs").iterdir()), *arguments)
    assert result.exit_code == 2
    assert text in result.stderr
