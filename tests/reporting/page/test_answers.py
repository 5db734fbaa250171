"""What a report says, where the answer is known beforehand; and what it says it cannot tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from polyseme.errors import PolysemeError, PolysemeWarning
from polyseme.reporting.page import Answer, Assessment, assess, assess_scores
from polyseme.reporting.page.left_out import more_than_chance
from polyseme.reporting.page.words import p_in_words
from polyseme.scores import Scores
from reading_pages import Page

#: each topic has two intents, with two documents each, and d9 is judged non-relevant
TOPICS = [str(n) for n in range(1, 13)]
JUDGMENTS = {
    topic: {"one": {"a1": 1, "a2": 1, "d9": 0}, "two": {"b1": 1, "b2": 1}} for topic in TOPICS
}
BOTH, ONE, LATE, NONE = ["a1", "b1"], ["a1", "a2"], ["d9", "a1"], ["d9"]
FEW = {"trials": 200, "seed": 1}


def runs_of(**lists: list[str]) -> dict[str, dict[str, list[str]]]:
    """The same list for all topics."""
    return {run: dict.fromkeys(TOPICS, documents) for run, documents in lists.items()}


def told(
    runs: Mapping[str, Mapping[str, Sequence[str]]], *measures: str, **more: object
) -> Assessment:
    return assess(JUDGMENTS, runs, measures or None, **{**FEW, **more})  # type: ignore[arg-type]


def answer(found: Assessment, name: str) -> Answer:
    return next(each for each in found.answers if each.name == name)


def scores(values: object, measures: Sequence[str] = ("D#-nDCG@10",)) -> Scores:
    array = np.asarray(values, dtype=np.float64)
    held = np.ones(array.shape[:2], np.bool_)
    runs = tuple(f"run{n}" for n in range(len(array)))
    topics = tuple(str(n) for n in range(array.shape[1]))
    return Scores(runs, topics, tuple(measures), array, held, held)


# ---- which run is best --------------------------------------------------------------------------


def test_a_run_that_wins_on_every_topic_is_best() -> None:
    found = told(runs_of(good=BOTH, bad=LATE, none=NONE))
    said = answer(found, "best")
    assert (
        said.short == "good is best by D#-nDCG@10: it is significantly better than every other run."
    )
    assert "All 2 others are significantly worse." in said.sentences


def test_runs_that_hardly_differ_are_not_called_best() -> None:
    rng = np.random.default_rng(2)
    found = assess_scores(scores(rng.uniform(0.4, 0.6, (4, 10, 1))), trials=300)
    short = found.answers[0].short
    assert "a paired test cannot tell it from any of the 3 others: do not call it the best" in short


def test_equal_runs_are_called_equal() -> None:
    found = assess_scores(scores(np.full((3, 5, 1), 0.5)), trials=50)
    assert found.answers[0].short == "All 3 runs have the same mean D#-nDCG@10."


def test_the_top_is_shared_with_runs_that_are_not_told_apart() -> None:
    rng = np.random.default_rng(5)
    noise = rng.normal(0, 0.02, (4, 40, 1))
    levels = np.array([0.8, 0.795, 0.3, 0.1])[:, None, None]
    said = assess_scores(scores(levels + noise), trials=500).answers[0]
    assert "significantly better than 2 of 3 others" in said.short
    assert "cannot tell it from 1 run: run0." in said.short
    assert any("2 of the 3 others are significantly worse" in each for each in said.sentences)


def test_poor_runs_do_not_protect_those_that_the_best_one_beats_topic_by_topic() -> None:
    # the second is behind on each of 12 topics, by far less than what the noisy ones differ by
    rng = np.random.default_rng(4)
    second = rng.uniform(0.5, 0.6, 12)
    best = second + rng.uniform(0.02, 0.03, 12)
    noisy = rng.uniform(0.0, 0.9, (10, 12)) * rng.integers(0, 2, (10, 12))
    found = assess_scores(scores(np.vstack([best, second, noisy])[:, :, None]), trials=5000)
    assert found.comparison is not None
    assert found.leading is not None
    assert found.comparison.p_of("D#-nDCG@10", "run0", "run1") > 0.5
    # two of the 4,096 ways to swap are as large, and Holm's correction is for 11 tests at most
    assert 2 / 4096 <= found.leading.p_of("D#-nDCG@10", "run0", "run1") <= 11 * 2 / 4096
    assert any("nearest of these is run1, 0.02" in each for each in found.answers[0].sentences)
    assert any("hangs on which runs are included" in each for each in found.answers[0].sentences)
    assert any("chosen by looking" in each for each in found.answers[0].hedges)


@pytest.mark.parametrize(
    ("p", "said"),
    [(0.0, "p < 0.0050"), (0.99999, "p > 0.9999"), (1.0, "p > 0.9999"), (0.0123, "p = 0.0123")],
)
def test_chances_are_told_without_more_certainty_than_there_is(p: float, said: str) -> None:
    assert p_in_words(p, 200) == said


def test_a_lead_that_judgments_may_have_made_is_doubted() -> None:
    found = told(runs_of(good=BOTH, unknown=["x1", "x2", "a1"]))
    assert any("unknown is unjudged, of good 0%" in each for each in answer(found, "best").hedges)
    judged = told(runs_of(good=BOTH, bad=LATE))
    assert not any("unjudged" in each for each in answer(judged, "best").hedges)


# ---- what is missed -----------------------------------------------------------------------------


def test_missed_intents_are_counted() -> None:
    found = told(runs_of(both=BOTH, one=ONE, none=NONE))
    said = answer(found, "misses")
    assert said.short == "both, the best run, misses 0 of 24 intents (0%) in its top 10."
    assert "The fewest intents are missed by both (0, 0%), the most by none (24, 100%)." in (
        said.sentences
    )


def test_the_intents_that_most_runs_miss_stand_first() -> None:
    judged = {**JUDGMENTS, "3": {"one": {"a1": 1}, "two": {"b1": 1, "b2": 1, "b3": 1}}}
    found = assess(judged, runs_of(both=BOTH, one=ONE, none=NONE), **FEW)  # type: ignore[arg-type]
    rows = Page(found.to_html()).tables["most-missed"].records()
    assert len(rows) == 20  # of 12 missed by two runs and 12 missed by one
    assert [row["runs missing it"] for row in rows] == ["2"] * 12 + ["1"] * 8
    assert list(rows[0].values()) == ["3", "two", "3", "2", "67%"]
    alone = Page(told(runs_of(both=BOTH, other=BOTH)).to_html())
    assert "most-missed" not in alone.tables


def test_intents_that_nobody_serves_are_named() -> None:
    found = told(runs_of(one=ONE, late=LATE))
    assert "12 are found by no run at all" in answer(found, "misses").short
    assert "topic 3, intent two: 2 relevant documents known" in found.to_html()


def test_the_hardest_topics_are_those_with_the_lowest_means() -> None:
    runs = runs_of(one=BOTH, two=BOTH)
    runs["one"]["7"] = NONE
    runs["two"]["7"] = LATE
    said = " ".join(answer(told(runs), "misses").sentences)
    assert "are 7 (" in said


# ---- relevant or diverse ------------------------------------------------------------------------


def test_runs_that_serve_one_intent_lean_to_relevance() -> None:
    lists = {f"narrow{n}": ["a1", "a2", *["d9"] * 0] for n in range(3)}
    lists |= {f"broad{n}": ["d9", *(f"x{k}" for k in range(n)), "a1", "b1"] for n in range(3)}
    said = " ".join(answer(told(runs_of(**lists)), "balance").sentences)
    assert "pull apart" in said
    assert "Leaning to diversity" in said.partition("Leaning to relevance")[0]
    assert "broad0" in said.partition("Leaning to diversity")[2].partition(".")[0] + said


def test_the_leads_of_the_most_diverse_and_the_most_relevant_run_are_tested() -> None:
    rng = np.random.default_rng(8)
    across = np.array([0.9, 0.5, 0.49])[:, None] + rng.normal(0, 0.05, (3, 20))
    up = np.array([0.5, 0.5, 0.5])[:, None] + rng.normal(0, 0.05, (3, 20))
    held = scores(np.stack([across, up], axis=2), ("I-rec@10", "D-nDCG@10"))
    said = assess_scores(held, trials=500).answers[2].short
    assert "(by I-rec@10, significantly ahead of all others" in said
    assert "(by D-nDCG@10, not significantly ahead of any other" in said


def test_what_drives_the_mixture_is_the_part_that_spreads_more() -> None:
    spread = np.linspace(0.1, 0.9, 10)[:, None] * np.ones((10, 4))
    little = np.linspace(0.50, 0.58, 10)[:, None] * np.ones((10, 4))
    held = scores(np.stack([spread, little], axis=2), ("I-rec@10", "D-nDCG@10"))
    said = " ".join(assess_scores(held, trials=50).answers[2].sentences)
    # of ten numbers in steps of d the standard deviation is d times the root of 110 / 12
    assert "driven mostly by I-rec@10: over the runs I-rec@10 spreads by 0.2691" in said
    assert "D-nDCG@10 by 0.0269" in said
    assert "Among the better half by the mixture tau is 1.000" in said


def test_when_all_serve_every_intent_only_relevance_tells_runs_apart() -> None:
    lists = {f"run{n}": [*(f"x{k}" for k in range(n)), "a1", "b1"] for n in range(5)}
    said = answer(told(runs_of(**lists)), "balance")
    assert "All runs have the same I-rec@10: only the other measure tells them apart." in (
        said.sentences
    )
    assert "every run alike" in said.short
    assert not any("Leaning" in each for each in said.sentences)


# ---- newcomers ----------------------------------------------------------------------------------


def test_without_teams_a_yes_is_not_to_be_had() -> None:
    said = answer(told(runs_of(one=BOTH, two=BOTH, three=ONE)), "fairness")
    assert said.short.startswith("These runs cannot tell.")
    assert said.sentences[0].startswith("Teams are not known")


def test_teams_that_others_cover_for_are_treated_fairly() -> None:
    runs = runs_of(a1=BOTH, b1=BOTH, a2=ONE, b2=ONE)
    teams = {"a1": "a", "a2": "a", "b1": "b", "b2": "b"}
    said = answer(told(runs, teams=teams), "fairness")
    assert said.short.startswith("As far as the known teams can tell, yes: all 2")
    assert "is scored and ranked exactly as before" in said.sentences[0]


def test_a_team_whose_documents_nobody_else_has_is_not() -> None:
    runs = runs_of(own=["b1", "b2", "a2"], x=["a1"], y=["a1", "d9"], z=["a1"])
    said = answer(told(runs, teams={run: run for run in runs}), "fairness")
    assert (
        said.short.startswith("No: only 3 of 4 teams") or "would have been misjudged" in said.short
    )


def test_runs_of_one_team_cannot_tell() -> None:
    runs = runs_of(one=BOTH, two=ONE)
    said = answer(told(runs, teams={"one": "us", "two": "us"}), "fairness")
    assert "all runs are of one team" in said.short


def test_ranks_and_scores_that_come_closer_or_not_are_counted() -> None:
    # without what only own has, its list holds nothing relevant; condensed, nothing at all but d9
    runs = runs_of(own=["b1", "b2", "d9"], x=["a1"], y=["a1", "d9"], z=["a1"])
    found = told(runs, teams={run: run for run in runs})
    said = answer(found, "fairness")
    assert any(
        "the rank closer to the true one for 0, further from it for 0, the same for 4" in each
        and "the condensed one against the condensed one" in each
        for each in said.sentences
    )
    assert any("The largest change of a score is −" in each for each in said.sentences)
    assert said.sentences[-1].startswith("Of a newcomer report both")
    assert "own is shown because leaving it out changes the score of its best run most" in (
        found.to_html()
    )


@pytest.mark.parametrize(
    ("closer", "further", "sure"), [(6, 0, True), (5, 0, False), (8, 1, True), (7, 1, False)]
)
def test_condensing_is_better_only_if_it_is_so_for_more_than_chance(
    closer: int, further: int, sure: bool
) -> None:
    # both tails of a fair coin: 2/64, 2/32, 20/512, 18/256
    assert more_than_chance(closer, further) is sure
    assert more_than_chance(further, closer) is sure


def test_systems_that_are_really_new_are_spoken_of_in_the_answer() -> None:
    runs = runs_of(a1=BOTH, b1=BOTH, a2=ONE, b2=ONE)
    teams = {"a1": "a", "a2": "a", "b1": "b", "b2": "b"}
    said = answer(told(runs, teams=teams), "fairness")
    assert said.short.endswith("Systems that are really new may fare worse.")


def test_a_pool_that_these_runs_cannot_have_made_is_said_first() -> None:
    judged = {
        topic: {"one": {"a1": 1, "a2": 1} | {f"n{k}": 0 for k in range(16)}, "two": {"b1": 1}}
        for topic in TOPICS
    }
    runs = runs_of(one=["a1", "x1"], two=["b1", "a2", "x2"])
    teams = {"one": "a", "two": "b"}
    said = answer(assess(judged, runs, teams=teams, trials=50), "fairness")
    assert said.short.startswith("These runs may tell little about it")
    assert "100% of what only one of them contributed is relevant" in said.short
    assert "of all judged documents 16%" in said.short  # 3 of 19
    assert "40% of their top 5 is unjudged" in said.short  # 2 of 5
    whole = answer(told(runs_of(one=["a1", "d9"], two=["b1", "a2"]), teams=teams), "fairness")
    assert "may tell little" not in whole.short


def test_unjudged_documents_are_told_and_so_is_that_there_are_none() -> None:
    with_some = answer(told(runs_of(one=[*BOTH, "x1", "x2"], two=BOTH)), "fairness")
    assert any("33% are unjudged; most of one (50%)" in each for each in with_some.sentences)
    without = answer(told(runs_of(one=BOTH, two=ONE)), "fairness")
    assert any(
        "Every document in the top 10 of these runs is judged" in e for e in without.sentences
    )


def test_a_pool_that_others_made_too_is_pointed_out() -> None:
    said = answer(told(runs_of(one=["a1"], two=["a1"])), "fairness")
    assert any("80% of the 60 judged documents" in each for each in said.sentences)


def test_judgments_without_a_non_relevant_document_make_condensed_lists_useless() -> None:
    judged = {t: {"one": {"a1": 1}, "two": {"b1": 1}} for t in TOPICS}
    with pytest.warns(PolysemeWarning, match="no non-relevant document"):
        found = assess(
            judged, runs_of(x=BOTH, y=["x1", "a1"]), teams={"x": "a", "y": "b"}, trials=50
        )
    said = answer(found, "fairness")
    assert any("do not use them here" in each for each in said.hedges)
    assert said.sentences[-1].startswith("Report D#-nDCG@10 of a newcomer with the share")
    assert any("no non-relevant document" in each for each in found.warnings)


# ---- measures -----------------------------------------------------------------------------------


def varied(runs: int = 8, topics: int = 30) -> Scores:
    """A measure that tells runs apart, and one that is mostly noise."""
    rng = np.random.default_rng(9)
    level = np.linspace(0.2, 0.8, runs)[:, None]
    sharp = level + rng.normal(0, 0.05, (runs, topics))
    blunt = level + rng.normal(0, 2.0, (runs, topics))
    other = level + rng.normal(0, 0.5, (runs, topics))
    return scores(np.stack([blunt, sharp, other], axis=2), ("ERR-IA@10", "D#-nDCG@10", "RBU@10"))


def test_a_measure_that_tells_runs_apart_is_recommended_over_noise() -> None:
    found = assess_scores(varied(), trials=300)
    said = answer(found, "measures")
    assert said.short.startswith("D#-nDCG@10 would be a better main measure here than ERR-IA@10")


def test_the_measure_that_decides_stays_where_it_is_as_good() -> None:
    found = assess_scores(varied(), by="D#-nDCG@10", trials=300)
    assert answer(found, "measures").short.startswith("Stay with D#-nDCG@10")
    assert found.best == "run7"


def test_no_measure_is_preferred_for_a_few_pairs_more() -> None:
    rng = np.random.default_rng(3)
    level = np.linspace(0.2, 0.8, 8)[:, None]
    one, other = (level + rng.normal(0, 0.15, (8, 30)) for _ in range(2))
    held = scores(np.stack([one, other], axis=2), ("D#-nDCG@10", "RBU@10"))
    found = assess_scores(held, trials=300)
    assert found.powers is not None
    counts = [power.significant for power in found.powers.powers]
    assert 0 < abs(counts[0] - counts[1]) <= 2  # of 28 pairs
    for by in held.measures:
        said = answer(assess_scores(held, by=by, trials=300), "measures")
        assert said.short.startswith(f"No measure is clearly better here than {by}")
        assert said.short.endswith(f"Staying with {by} is a convention.")
        assert any("over 10% of all pairs" in each for each in said.sentences)


def test_a_measure_of_one_side_is_not_the_main_one() -> None:
    rng = np.random.default_rng(3)
    values = np.linspace(0.2, 0.8, 8)[:, None, None] + rng.normal(0, 0.1, (8, 30, 3))
    held = scores(values, ("I-rec@10", "RBU@10", "ERR-IA@10"))
    short = answer(assess_scores(held, trials=300), "measures").short
    assert "better main measure here than I-rec@10, which sees only diversity" in short
    assert "would do about as well" in short


def test_ranks_that_change_least_are_told_among_measures_that_see_both() -> None:
    runs = runs_of(own=["b1", "b2", "d9"], x=["a1"], y=["a1", "d9"], z=["d9"], w=BOTH)
    found = told(runs, "D#-nDCG@10", "I-rec@10", "RBU@10", teams={run: run for run in runs})
    least = [each for each in answer(found, "measures").sentences if "change least" in each]
    for said in least:
        assert said.startswith("Among the measures that see both, ranks by ")
        assert "I-rec" not in said
    assert least


def test_few_runs_say_nothing_about_measures() -> None:
    short = answer(assess_scores(varied(runs=3), trials=300), "measures").short
    assert "3 runs are too few to compare measures by" in short
    found = assess_scores(scores(np.full((6, 5, 2), 0.5), ("RBU@10", "ERR-IA@10")), trials=50)
    assert "no measure tells any two of these runs apart" in answer(found, "measures").short


# ---- the edges ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "runs",
    [
        runs_of(only=BOTH),
        runs_of(one=BOTH, two=ONE),
        runs_of(one=NONE, two=NONE),
        {"one": {"1": BOTH}, "two": {"2": ONE}},
    ],
    ids=["one run", "two runs", "nothing found", "a topic each"],
)
def test_few_runs_make_a_page(runs: dict[str, dict[str, list[str]]]) -> None:
    found = told(runs)
    text = found.to_html()
    for each in found.answers:
        assert each.question in text
    assert "nan" not in text.replace("nanny", "").lower().split(">")


def test_one_topic_makes_a_page() -> None:
    found = told(runs_of(one=BOTH, two=ONE, three=NONE), only_topics=["3"])
    assert "1 topic cannot rank them" in " ".join(answer(found, "best").sentences)
    assert found.to_html().count("<h2") == 7


def test_one_run_says_what_it_cannot_say() -> None:
    found = told(runs_of(only=BOTH))
    assert "nothing can be said of better or worse" in answer(found, "best").short
    assert "nothing to compare" in answer(found, "balance").short
    assert "there is only one run" in answer(found, "fairness").short
    assert "with one run there is no ranking" in answer(found, "measures").short


def test_from_scores_alone_it_is_said_what_is_left_out() -> None:
    found = assess_scores(varied(), trials=100)
    assert "which intents are missed cannot be told from scores alone" in found.answers[1].short
    assert "This cannot be told: the scores hold no intent recall" in found.answers[2].short
    assert "This cannot be told from scores" in found.answers[3].short
    assert found.judgments is None
    text = found.to_html()
    for gone in ('id="intents"', 'id="teams"', 'id="unjudged"', 'id="figure-scatter"'):
        assert gone not in text


def test_scores_of_both_axes_are_enough_for_balance() -> None:
    held = scores(np.random.default_rng(0).uniform(0, 1, (6, 9, 2)), ("I-rec@10", "D-nDCG@10"))
    assert assess_scores(held, trials=50).answers[2].short.startswith("Most diverse")


def test_a_run_without_a_topic_is_an_error_that_says_what_to_do() -> None:
    runs = {"one": dict.fromkeys(TOPICS, BOTH), "two": {"1": ONE}}
    with pytest.raises(PolysemeError, match="--missing zero"):
        told(runs, average_over="retrieved")
    found = told(runs, average_over="retrieved", missing="zero")
    assert found.topics == 12


def test_measures_that_are_halves_of_the_deciding_one_are_its_axes() -> None:
    found = told(runs_of(one=BOTH, two=ONE), "D#-Q(gamma=0.3,gain=exponential)@5", "nDCG@3")
    assert found.balance is not None
    assert found.balance.measures == ("I-rec@5", "D-Q(gain=exponential)@5")
    assert "0.3 I-rec@5 + 0.7 D-Q(gain=exponential)@5" in " ".join(
        answer(found, "balance").sentences
    )


def test_names_that_cannot_be_seen_are_shown_by_their_letters() -> None:
    runs = runs_of(**{"a\u202eb": BOTH, "plain": ONE})
    found = told(runs)
    assert found.scores.runs == ("a\\u202eb", "plain")
    assert found.renamed == {"a\\u202eb": "a\u202eb"}
    assert "\u202e" not in found.to_html()


def test_runs_that_lack_topics_are_pointed_out_first() -> None:
    runs = runs_of(whole=BOTH, part=BOTH)
    del runs["part"]["4"], runs["part"]["5"]
    said = answer(told(runs), "best")
    assert said.sentences[0].startswith("Beware: 1 of 2 runs lacks topics")
    assert "(most: part, 2 topics; whole: none)" in said.summary[0]
    assert "Beware" not in " ".join(answer(told(runs_of(one=BOTH, two=ONE)), "best").sentences)


def test_a_topic_on_which_everybody_fails_has_no_best_run() -> None:
    runs = runs_of(one=BOTH, two=ONE)
    runs["one"]["7"] = runs["two"]["7"] = NONE
    page = Page(told(runs).to_html())
    assert page.tables["topics"].rows[0][:1] == ["7"]
    assert page.tables["topics"].by_first()["7"]["best run"] == "–"
    assert page.tables["topics"].by_first()["8"]["best run"] == "one"
