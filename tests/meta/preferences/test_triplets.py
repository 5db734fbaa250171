from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from polyseme.errors import PolysemeError
from polyseme.meta.preferences import Choice, Shown, Triplet, choose_triplets
from polyseme.meta.preferences.triplets import difference_columns
from polyseme.scores import Scores

# Three topics, three runs. P and I-rec of a, b, c:
#   t1: P .5 .2 .5   I-rec .2 .8 .4   a-b apart in both (in opposite directions), b-c too, a-c not
#   t2: P .6 .3 .5   I-rec .9 .5 .7   a-b in both; b-c in both; a-c: P by .1 only, which is no more
#   t3: P .9 .1 .5   I-rec .9 .1 .5   all three
VALUES = {
    "t1": {"a": (0.5, 0.2), "b": (0.2, 0.8), "c": (0.5, 0.4)},
    "t2": {"a": (0.6, 0.9), "b": (0.3, 0.5), "c": (0.5, 0.7)},
    "t3": {"a": (0.9, 0.9), "b": (0.1, 0.1), "c": (0.5, 0.5)},
}


def scored(values: dict[str, dict[str, tuple[float, float]]] = VALUES) -> Scores:
    runs = ("a", "b", "c")
    held = np.array([[values[topic][run] for topic in values] for run in runs])
    there = np.ones(held.shape[:2], np.bool_)
    return Scores(runs, tuple(values), ("P@2", "I-rec@2"), held, there, there)


def shown(short: tuple[str, str] | None = None, **more: object) -> Shown:
    lists = {r: {t: [f"{t}-{r}{n}" for n in (1, 2, 3)] for t in VALUES} for r in "abc"}
    if short is not None:
        run, topic = short
        lists[run][topic] = [f"{topic}-{run}1"]
    return Shown(lists, cutoff=2, **more)  # type: ignore[arg-type]


def names(choice: Choice) -> list[str]:
    return [each.name for each in choice.triplets]


def counts(choice: Choice) -> list[tuple[str, int]]:
    return [(step.name, step.triplets) for step in choice.steps]


def test_lists_must_differ_by_more_than_a_tenth_in_both_measures() -> None:
    found = choose_triplets(scored())
    assert names(found) == ["t1/a/b", "t1/b/c", "t2/a/b", "t2/b/c", "t3/a/b", "t3/a/c", "t3/b/c"]
    assert counts(found) == [("all", 9), ("different", 7)]
    assert found.differences[0] == pytest.approx((0.3, -0.6))
    assert "not at hand" in found.notes[0]


def test_a_difference_of_a_tenth_is_no_more_than_that_however_it_was_rounded() -> None:
    for high, low in ((0.3, 0.2), (0.8, 0.7), (0.4, 0.3), (1.0, 0.9), (0.1 + 0.2, 0.2)):
        values = {"t": {"a": (high, 0.9), "b": (low, 0.1), "c": (0.0, 0.0)}}
        assert "t/a/b" not in names(choose_triplets(scored(values)))
        assert "t/a/b" in names(choose_triplets(scored(values), difference=0.09))


def test_a_topic_with_a_short_list_goes_or_only_its_triplets() -> None:
    # c is short in t1; the triplet of a and b goes along with it
    by_topic = choose_triplets(scored(), shown(("c", "t1")))
    assert counts(by_topic) == [("all", 9), ("different", 7), ("long", 5)]
    assert "t1/a/b" not in names(by_topic)
    by_triplet = choose_triplets(scored(), shown(("c", "t1")), short="triplet")
    assert counts(by_triplet) == [("all", 9), ("different", 7), ("long", 6)]
    assert "t1/a/b" in names(by_triplet)
    assert "t1/b/c" not in names(by_triplet)


def test_a_run_without_the_topic_is_short_there() -> None:
    held = shown()
    del held.lists["b"]["t3"]  # type: ignore[attr-defined]
    assert counts(choose_triplets(scored(), held))[-1] == ("long", 4)


def test_every_step_of_the_funnel_is_told() -> None:
    titles = {f"{t}-{r}{n}": "A title" for t in VALUES for r in "abc" for n in (1, 2)}
    titles["t3-c2"] = "  "  # in two triplets
    titles["t2-a1"] = "broken \ufffd title"  # in one
    del titles["t1-a1"]  # in one, which is gone already
    found = choose_triplets(
        scored(), shown(("c", "t1"), title=titles.get, decodable=lambda doc: doc != "t3-a2")
    )
    steps = [("all", 9), ("different", 7), ("long", 5), ("titled", 3), ("decodable", 1)]
    assert counts(found) == steps
    assert names(found) == ["t2/b/c"]
    report = found.funnel().report()
    assert report.data.names == ("step", "triplets")
    assert list(report.data.held) == steps
    assert [row[2] for row in report.seen[0].held] == [None, 2, 2, 2, 2]
    assert "9 all → 7 different → 5 long → 3 titled → 1 decodable" in found.report().notes[0]


def test_documents_below_the_cutoff_do_not_matter() -> None:
    titles = {f"{t}-{r}{n}": "A title" for t in VALUES for r in "abc" for n in (1, 2)}
    assert counts(choose_triplets(scored(), shown(title=titles.get)))[-1] == ("decodable", 7)


def test_runs_that_lack_a_topic_are_in_no_triplet_of_it() -> None:
    held = scored()
    held.entered[0, 0] = False
    found = choose_triplets(held)
    assert found.steps[0].triplets == 7
    assert "t1/a/b" not in names(found)


@pytest.mark.parametrize("seed", range(5))
def test_the_choice_is_that_of_a_plain_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 11, (6, 9, 2)) / 10
    runs = tuple(f"r{n}" for n in range(6))
    topics = tuple(f"t{n}" for n in range(9))
    there = np.ones((6, 9), np.bool_)
    held = Scores(runs, topics, ("P@10", "I-rec@10"), values, there, there)
    tenths = np.round(values * 10).astype(int)
    expected = [
        Triplet(topics[t], runs[a], runs[b])
        for t in range(9)
        for a, b in combinations(range(6), 2)
        if all(abs(tenths[a, t] - tenths[b, t]) > 1)
    ]
    found = choose_triplets(held)
    assert list(found.triplets) == expected
    assert found.steps[0].triplets == 9 * 15


def test_columns_are_called_after_the_measures() -> None:
    assert difference_columns(["P@10", "I-rec@10"]) == ("difference_p", "difference_irec")
    assert difference_columns(["D#-nDCG@10"]) == ("difference_dndcg",)
    assert difference_columns(["P@5", "P@10"]) == ("difference_P@5", "difference_P@10")


def test_nonsense_is_refused() -> None:
    with pytest.raises(PolysemeError, match="topic or triplet"):
        choose_triplets(scored(), short="run")  # type: ignore[arg-type]
    with pytest.raises(PolysemeError, match="0 or more"):
        choose_triplets(scored(), difference=-1)
    with pytest.raises(PolysemeError, match="two runs"):
        choose_triplets(scored().select(runs="a"))
