"""Every number of the page is the one that another command prints, or that is counted by hand."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from pathlib import Path

import pytest

from commands import records, values
from reading_pages import number
from reporting_pages import CHANCE, MEASURES, Made

NAMES = MEASURES.split()
BY = NAMES[0]


def shown(value: float, decimals: int = 4) -> str:
    return "–" if math.isnan(value) else f"{value:.{decimals}f}"


def of(text: str) -> float:
    """A cell of CSV; what is undefined is empty or nan."""
    return float(text) if text else math.nan


# ---- which run is best --------------------------------------------------------------------------


def test_means_are_those_of_evaluate(made: Made) -> None:
    printed = values(made.printed("evaluate", "--format", "csv"))
    board = made.page.tables["leaderboard"].by_first()
    assert {run for run, _, _ in printed} == set(board)
    for (run, topic, measure), value in printed.items():
        head = f"mean {BY}" if measure == BY else measure
        assert topic == "all"
        assert board[run][head] == shown(value)


def test_runs_stand_in_the_order_of_their_means_with_their_ranks(made: Made) -> None:
    board = made.page.tables["leaderboard"]
    means = [number(row[f"mean {BY}"]) for row in board.records()]
    assert means == sorted(means, reverse=True)
    assert [row["rank"] for row in board.records()] == [
        str(1 + sum(other > mean for other in means)) for mean in means
    ]


def test_intervals_and_groups_are_those_of_compare(made: Made) -> None:
    printed = json.loads(made.printed("compare", *CHANCE, "--format", "json"))
    told = {row["run"]: row for row in printed["means"] if row["measure"] == BY}
    for run, row in made.page.tables["leaderboard"].by_first().items():
        assert (row["from"], row["to"]) == (shown(told[run]["low"]), shown(told[run]["high"]))
        assert row["group"] == told[run]["groups"]


def test_differences_from_the_best_are_those_of_compare(made: Made) -> None:
    printed = json.loads(made.printed("compare", *CHANCE, "--format", "json"))
    board = made.page.tables["leaderboard"].records()
    best = board[0]["run"]
    found = {
        frozenset((row["a"], row["b"])): row for row in printed["rows"] if row["measure"] == BY
    }
    for row in board[1:]:
        pair = found[frozenset((best, row["run"]))]
        assert row["behind best"] == shown(abs(pair["difference"]))
        assert row["effect"] == shown(abs(pair["effect"]))
        assert row["p"] == (shown(pair["p"]) if pair["p"] else "<0.0033")


def test_the_best_run_is_tested_against_each_other_one_as_compare_does(made: Made) -> None:
    board = made.page.tables["leaderboard"].records()
    test = ("--test", "sign-flip", "--baseline", board[0]["run"], "--format", "json")
    printed = json.loads(made.printed("compare", *CHANCE, *test, measures=BY))
    for row in board[1:]:
        p = next(pair["p"] for pair in printed["rows"] if row["run"] in (pair["a"], pair["b"]))
        assert row["p of the two"] == shown(p)


def test_all_pairs_are_those_of_compare(made: Made) -> None:
    printed = json.loads(made.printed("compare", *CHANCE, "--format", "json"))
    expected = [
        {
            "a": row["a"],
            "b": row["b"],
            "difference": shown(row["difference"]),
            "effect": shown(row["effect"]),
            "p": shown(row["p"]) if row["p"] else "<0.0033",
            "significant": "yes" if row["significant"] else "no",
        }
        for row in printed["rows"]
        if row["measure"] == BY
    ]
    assert made.page.tables["pairs"].records() == expected


# ---- topics and intents -------------------------------------------------------------------------


def test_values_of_topics_are_those_of_evaluate_for_every_measure(made: Made) -> None:
    printed = values(made.printed("evaluate", "--per-topic", "--format", "csv"))
    sheet = made.page.tables["values"]
    runs = sheet.heads[1:]
    assert set(made.page.values) == set(NAMES)
    for measure, held in made.page.values.items():
        expected = [shown(printed[run, row[0], measure]) for row in sheet.rows for run in runs]
        assert [shown(value) for value in held if value is not None] == expected
    assert [cell for row in sheet.rows for cell in row[1:]] == [
        shown(printed[run, row[0], BY]) for row in sheet.rows for run in runs
    ]


def test_intents_are_served_where_intent_recall_says_so(made: Made) -> None:
    printed = values(
        made.printed("evaluate", "--per-intent", "--format", "csv", measures="I-rec@10")
    )
    sheet = made.page.tables["intents"]
    found = {
        (run, row["topic"], row["intent"], "I-rec@10"): float(row[run] != "")
        for row in sheet.records()
        for run in sheet.heads[5:]
    }
    assert found == printed


def test_the_rank_of_an_intent_is_that_of_the_first_document_relevant_to_it(made: Made) -> None:
    relevant = defaultdict(set)
    for line in Path(made.judgments).read_text(encoding="utf-8").splitlines():
        topic, intent, document, grade = line.split()
        if int(grade) > 0:
            relevant[topic, intent].add(document)
    sheet = made.page.tables["intents"]
    for path in made.runs:
        run = Path(path).stem
        lists = ranked(path)
        for row in sheet.records():
            wanted = relevant[row["topic"], row["intent"]]
            places = [n for n, d in enumerate(lists[row["topic"]][:10], 1) if d in wanted]
            assert row[run] == (str(places[0]) if places else "")
            assert row["relevant"] == str(len(wanted))


def ranked(path: str) -> dict[str, list[str]]:
    """A run's documents: score descending, ties by document id descending."""
    lists: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        topic, _, document, _, score, _ = line.split()
        lists[topic].append((float(score), document))
    return defaultdict(
        list,
        {topic: [d for _, d in sorted(held, reverse=True)] for topic, held in lists.items()},
    )


def test_what_each_run_misses_is_what_the_matrix_of_intents_leaves_empty(made: Made) -> None:
    sheet = made.page.tables["intents"]
    for row in made.page.tables["missed"].records():
        empty = [each for each in sheet.records() if each[row["run"]] == ""]
        assert row["missed"] == str(len(empty))
        told = defaultdict(list)
        for each in empty:
            told[each["topic"]].append(each["intent"])
        expected = "; ".join(f"{topic}: {', '.join(names)}" for topic, names in told.items())
        assert row["which (topic: intents)"] == expected


def test_difficulty_is_that_of_describe(made: Made) -> None:
    found = records(made.printed_of_judgments("describe", "--per-topic", "--format", "csv"))
    told = made.page.tables["topics"].by_first()
    for row in found:
        seen = told[row["topic"]]
        assert (seen["intents"], seen["relevant"]) == (row["intents"], row["relevant"])
        assert seen["xi"] == row["xi"]
        for name in ("d_max", "d_mean", "dd"):
            assert seen[name] == shown(float(row[name]), 3)


def test_topics_stand_from_the_hardest_with_their_queries(made: Made) -> None:
    rows = made.page.tables["topics"].records()
    means = [number(row["mean of runs"]) for row in rows]
    assert means == sorted(means)
    assert all(row["query"] for row in rows)


# ---- relevant or diverse ------------------------------------------------------------------------


def test_both_axes_and_their_mixture_are_means_of_evaluate(made: Made) -> None:
    printed = values(made.printed("evaluate", "--format", "csv"))
    for run, row in made.page.tables["balance-runs"].by_first().items():
        assert row["I-rec@10"] == shown(printed[run, "all", "I-rec@10"])
        assert row["D-nDCG@10"] == shown(printed[run, "all", "D-nDCG@10"])
        # D#-nDCG is that mixture, mean by mean
        assert row["mixture"] == shown(printed[run, "all", "D#-nDCG@10"])


# ---- newcomers ----------------------------------------------------------------------------------


def test_left_out_teams_are_those_of_loo(made: Made) -> None:
    options = ("--teams", str(made.folder / "teams.csv"), "--depth", "20", "--format", "json")
    printed = json.loads(made.printed("loo", *options, "--views", "raw,condensed"))
    told = {(row["team"], row["measure"]): row for row in printed["rows"]}
    teams = made.page.tables["teams"].by_first()
    assert set(teams) == {team for team, _ in told}
    for team, row in teams.items():
        raw, condensed = told[team, BY], told[team, "D#-nDCG'@10"]
        assert row["best run"] == raw["run"]
        for head, each in (("", raw), ("condensed ", condensed)):
            assert row[f"{head}score"] == shown(each["score"])
            assert row[f"{head}without"] == shown(each["score_loo"])
            assert number(row[f"{head}change"]) == pytest.approx(each["delta"], abs=5.1e-5)
            assert row[f"{head}rank"] == str(each["rank"])
            assert row[f"{head}rank without"] == str(each["rank_loo"])
        gone = printed["removed"][team]
        assert (row["alone"], row["relevant"]) == (str(gone["documents"]), str(gone["relevant"]))


def test_errors_of_measures_are_those_of_loo(made: Made) -> None:
    options = ("--teams", str(made.folder / "teams.csv"), "--depth", "20", "--format", "json")
    printed = json.loads(made.printed("loo", *options, "--views", "raw,condensed"))
    for row, told in zip(made.page.tables["estimates"].records(), printed["summary"], strict=True):
        assert (row["measure"], row["view"]) == (told["measure"], told["view"])
        assert row["mean_error"] == shown(told["mean_error"])
        assert row["mean_rank_error"] == shown(told["mean_rank_error"], 2)


def test_unjudged_documents_are_counted_as_by_hand(made: Made) -> None:
    judged = defaultdict(set)
    used = set()
    for line in Path(made.judgments).read_text(encoding="utf-8").splitlines():
        topic, _, document, grade = line.split()
        judged[topic].add(document)
        used |= {topic} if int(grade) > 0 else set()
    told = made.page.tables["unjudged"].by_first()
    some = False
    for path in made.runs:
        lists = {topic: held for topic, held in ranked(path).items() if topic in used}
        for cutoff in (5, 10, 20):
            tops = [(topic, d) for topic, held in lists.items() for d in held[:cutoff]]
            unknown = sum(d not in judged[topic] for topic, d in tops)
            some = some or unknown > 0
            assert told[Path(path).stem][f"top {cutoff}"] == shown(unknown / len(tops))
        assert told[Path(path).stem]["documents"] == str(unknown)
    assert some


# ---- measures -----------------------------------------------------------------------------------


def test_powers_are_those_of_discriminate(made: Made) -> None:
    printed = records(made.printed("discriminate", *CHANCE, "--format", "csv"))
    told = made.page.tables["all-measures"].by_first()
    for row in printed:
        seen = told[row["measure"]]
        assert seen["significant pairs"] == row["significant"]
        assert seen["power"] == shown(float(row["power"]), 3)
        assert seen["smallest significant difference"] == shown(of(row["min_delta"]))


def test_unanimity_is_that_of_unanimity(made: Made) -> None:
    told = made.page.tables["all-measures"].by_first()
    for row in records(made.printed("unanimity", "--format", "csv")):
        assert told[row["measure"]]["unanimity"] == shown(of(row["unanimity"]))


def test_correlations_are_those_of_correlate(made: Made) -> None:
    printed = {
        frozenset((row["a"], row["b"])): row
        for row in records(made.printed("correlate", "--format", "csv"))
    }
    pairs = made.page.tables["correlation-pairs"].records()
    assert {frozenset((row["a"], row["b"])) for row in pairs} == set(printed)
    for row in pairs:
        told = printed[frozenset((row["a"], row["b"]))]
        names = {"tau": "tau", "from": "low", "to": "high", "tau_ap": "tau_ap"}
        assert [row[name] for name in names] == [shown(of(told[n])) for n in names.values()]
    for name, row in made.page.tables["correlations"].by_first().items():
        for other in NAMES:
            tau = printed.get(frozenset((name, other)))
            assert row[other] == ("" if tau is None else shown(of(tau["tau"]), 3))
    by = made.page.tables["all-measures"].by_first()
    for other in NAMES[1:]:
        assert by[other][f"tau with {BY}"] == shown(of(printed[frozenset((BY, other))]["tau"]))
