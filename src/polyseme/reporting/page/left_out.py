"""How far off scores and ranks are when teams are left out, in one view of the lists."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from polyseme.reuse.estimates import Estimate, View

#: two errors that differ by less are equal
ROUNDING = 1e-12
#: of a sign test that calls condensed lists better or worse
SURE = 0.05

#: closer, further away, the same
Balance = tuple[int, int, int]


def _balance(changes: Sequence[float]) -> Balance:
    """How many errors are smaller, larger and the same, give or take rounding."""
    closer = sum(change < -ROUNDING for change in changes)
    further = sum(change > ROUNDING for change in changes)
    return closer, further, len(changes) - closer - further


def told_of(balance: Balance) -> str:
    """A balance in words."""
    closer, further, same = balance
    return (
        f"closer to the true one for {closer}, further from it for {further}, the same for {same}"
    )


def more_than_chance(closer: int, further: int) -> bool:
    """Does a sign test tell one from the other?"""
    number = closer + further
    tail = sum(math.comb(number, k) for k in range(min(closer, further) + 1))
    return bool(2 * tail < SURE * 2**number)


@dataclass(frozen=True)
class LeftOut:
    """What leaving out does to the teams' best runs, in one view of their lists."""

    name: View
    estimates: tuple[Estimate, ...]
    slack: int
    #: the smallest significant difference; NaN where there is none
    bar: float

    def fair(self, each: Estimate) -> bool:
        """Would hardly anybody draw another conclusion?"""
        small = math.isnan(self.bar) or each.absolute_error < self.bar
        return small and each.relative_error <= self.slack

    @property
    def treated_fairly(self) -> int:
        return sum(map(self.fair, self.estimates))

    @property
    def by_score(self) -> Balance:
        """For how many it is closer than the raw score, further away, and the same."""
        return _balance([each.absolute_error - each.raw_error for each in self.estimates])

    @property
    def by_rank(self) -> Balance:
        return _balance([each.relative_error - each.raw_rank_error for each in self.estimates])

    @property
    def worst(self) -> Estimate:
        return max(self.estimates, key=lambda each: (each.relative_error, each.absolute_error))

    @property
    def largest(self) -> Estimate:
        """Whose score changes most."""
        return max(self.estimates, key=lambda each: each.absolute_error)

    @property
    def mean_delta(self) -> float:
        return float(np.mean([each.delta for each in self.estimates]))

    @property
    def mean_error(self) -> float:
        return float(np.mean([each.absolute_error for each in self.estimates]))

    @property
    def mean_rank_error(self) -> float:
        return float(np.mean([each.relative_error for each in self.estimates]))
