"""Judges who hurry, or answer by habit, are told from those who do not."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from scipy.stats import binomtest

from polyseme.judging import watching
from polyseme.judging.protocol import Answer
from polyseme.judging.shown import Progress
from polyseme.judging.watching import Flag, bars, flags, longest_shown, tail


def judge(
    seconds: float = 50.0, given: Mapping[Answer, int] | None = None, items: int = 20
) -> Progress:
    return Progress("j", items, 0, 0, 0, items, None, (seconds,) * items, given or {}, ())


def kinds(found: list[Flag]) -> list[str]:
    return [flag.kind for flag in found]


def test_who_takes_less_than_a_third_of_the_others_time_is_fast() -> None:
    others = [judge(45.0), judge(60.0)]
    assert kinds(flags(judge(14.0), others, "preferences")) == ["fast"]
    assert flags(judge(20.0), others, "preferences") == []
    found = flags(judge(14.0), others, "preferences")[0]
    assert dict(found.values) == {"median": 14.0, "others": 52.5}


def test_nobody_is_fast_before_there_is_enough_to_tell() -> None:
    assert flags(judge(1.0, items=9), [judge()], "preferences") == []
    assert flags(judge(1.0), [judge(items=9)], "preferences") == []
    assert flags(judge(1.0), [], "preferences") == []


def test_who_prefers_a_side_more_than_chance_allows_is_told() -> None:
    found = flags(judge(given={"left": 80, "right": 20, "both": 7}), [], "preferences")
    assert found == [Flag("side", {"side": "left", "n": 80, "total": 100})]
    found = flags(judge(given={"left": 20, "right": 80}), [], "preferences")
    assert found[0].values["side"] == "right"
    assert flags(judge(given={"left": 55, "right": 45}), [], "preferences") == []
    assert flags(judge(given={"left": 18}), [], "preferences") == []


def test_both_questions_of_an_item_are_one_observation() -> None:
    # 46 of 64 would be unlikely were they 64 tosses; they are 32
    assert tail(46, 64) < watching.UNLIKELY < tail(23, 32)
    assert flags(judge(given={"left": 46, "right": 18}), [], "preferences") == []


def test_who_gives_one_answer_nearly_always_is_told_in_grades_and_votes() -> None:
    assert kinds(flags(judge(given={0: 96, 1: 3, 2: 1}), [], "grades")) == ["same"]
    assert flags(judge(given={0: 90, 1: 10}), [], "grades") == []
    assert flags(judge(given={0: 19}), [], "votes") == []


@pytest.mark.parametrize(("k", "n"), [(5, 10), (9, 10), (10, 10), (60, 100), (300, 563)])
def test_the_tail_is_that_of_the_binomial_test(k: int, n: int) -> None:
    assert tail(k, n) == pytest.approx(binomtest(k, n, 0.5).pvalue)


def test_times_fall_into_bars_and_the_last_one_is_open() -> None:
    assert bars([0, 1, 14.9, 15, 59.9, 60, 1e6], 60, 4) == [3, 1, 0, 3]
    assert sum(bars([3.0] * 7, 10)) == 7


@pytest.mark.parametrize(
    ("seconds", "longest"),
    [
        ([], 60),
        ([5] * 10, 10),
        ([5] * 8 + [100] * 2, 120),
        ([5] * 95 + [9000] * 5, 10),
        ([1e5], 7200),
    ],
)
def test_the_longest_time_shown_holds_most_items(seconds: list[float], longest: float) -> None:
    assert longest_shown(seconds) == longest
