"""What an organiser should look at: how long judges take, and answers that look like habit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from polyseme.judging.protocol import Answer
from polyseme.judging.shown import Progress
from polyseme.judging.tasks import LEFT, QUESTIONS, RIGHT

#: items that must be done before anything is said of a judge
ENOUGH = 10
#: a judge is fast whose median time is less than this share of the others'
FAST = 1 / 3
#: how unlikely a preference for one side must be among honest judges, of whom there are many
UNLIKELY = 0.001
#: one answer nearly always
HABIT = 0.95


@dataclass(frozen=True)
class Flag:
    """Something unusual: ``fast``, ``side`` or ``same``, and the figures that say so."""

    kind: str
    values: Mapping[str, float | int | str]


def flags(judge: Progress, others: Iterable[Progress], task: str) -> list[Flag]:
    """What is unusual about a judge."""
    found = [_fast(judge, others)]
    found += [_side(judge.given)] if task == "preferences" else [_same(judge.given)]
    return [each for each in found if each is not None]


def _fast(judge: Progress, others: Iterable[Progress]) -> Flag | None:
    theirs = [seconds for other in others for seconds in other.seconds]
    if len(judge.seconds) < ENOUGH or len(theirs) < ENOUGH:
        return None
    own, usual = median(judge.seconds), median(theirs)
    return Flag("fast", {"median": own, "others": usual}) if own < FAST * usual else None


def _side(given: Mapping[Answer, int]) -> Flag | None:
    """Sides are drawn by lot, so that nobody has a reason to prefer one.

    Two answers about the same two lists are mostly the same: they count once.
    """
    left, right = (given.get(side, 0) for side in (LEFT, RIGHT))
    most, total = max(left, right), left + right
    each = len(QUESTIONS)
    if total // each < ENOUGH or tail(most // each, total // each) >= UNLIKELY:
        return None
    return Flag("side", {"side": LEFT if left > right else RIGHT, "n": most, "total": total})


def _same(given: Mapping[Answer, int]) -> Flag | None:
    most, total = max(given.values(), default=0), sum(given.values())
    if total < 2 * ENOUGH or most < HABIT * total:
        return None
    return Flag("same", {"n": most, "total": total})


def tail(k: int, n: int) -> float:
    """The two-sided p-value of k heads or more in n tosses of a fair coin."""
    ways = sum(math.comb(n, heads) for heads in range(k, n + 1))
    return min(1.0, 2 * ways / (1 << n))


def bars(seconds: Sequence[float], longest: float, count: int = 16) -> list[int]:
    """How many items took how long: ``count`` spans up to ``longest``, the last one open."""
    found = [0] * count
    for each in seconds:
        found[min(count - 1, int(each / longest * count))] += 1
    return found


def longest_shown(seconds: Sequence[float]) -> float:
    """A round time within which most items were done, in seconds."""
    if not seconds:
        return 60.0
    within = sorted(seconds)[math.ceil(0.9 * len(seconds)) - 1]
    steps = (10, 20, 30, 60, 120, 180, 300, 600, 1200, 1800, 3600)
    return float(next((step for step in steps if step >= within), 7200))
