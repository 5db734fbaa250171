"""The concordance test: which of two measures agrees more often with simple ones (Sakai 2012)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np

from polyseme.errors import PolysemeError
from polyseme.groups import Floats
from polyseme.meta.preference_signs import Signs, signs
from polyseme.results import Result
from polyseme.scores import Scores
from polyseme.tables import Column, Report, Row, Table, labels

GoldTies = Literal["agree", "ignore"]
GOLD_TIES: tuple[str, ...] = get_args(GoldTies)
_TIES_TOLD = {
    "agree": "a tie in a gold measure counts as agreement",
    "ignore": "a tie in a gold measure counts as no agreement",
}


@dataclass(frozen=True)
class Duel:
    """Two measures where they disagree."""

    left: str
    right: str
    disagree: int
    #: disagreements in which each agrees with all gold measures
    left_wins: int
    right_wins: int
    #: two-sided sign test of the disagreements that only one of them wins
    p: float


@dataclass(frozen=True)
class Concordance(Result):
    """All pairs of measures held against gold measures together."""

    gold: tuple[str, ...]
    duels: tuple[Duel, ...]
    total: int
    gold_ties: GoldTies
    made: Mapping[str, Any] = field(default_factory=dict)

    def of(self, left: str, right: str) -> Duel:
        """The duel of two measures, in either order."""
        for duel in self.duels:
            if (duel.left, duel.right) == (left, right):
                return duel
            if (duel.right, duel.left) == (left, right):
                return Duel(left, right, duel.disagree, duel.right_wins, duel.left_wins, duel.p)
        raise PolysemeError(f"no duel of {left!r} and {right!r}")

    def report(self) -> Report:
        columns = (
            *labels("left", "right", "gold"),
            *map(Column, ("total", "disagree", "left_wins", "right_wins", "p")),
        )
        return Report(
            Table(columns, list(self._rows())),
            notes=(
                f"of {self.total:,} cases, each a topic and two runs, disagree are those in which "
                "the two measures prefer different runs; wins are those among them in which a "
                f"measure prefers the same run as {' and '.join(self.gold)}"
                + (" together" if len(self.gold) > 1 else ""),
                "p: the chance that a fair coin would split the wins of one measure only so "
                "unevenly (sign test); the measure that wins more is the more intuitive one, as "
                "far as the gold measures say what is wanted",
                _TIES_TOLD[self.gold_ties],
            ),
            provenance={**self.made, "gold": list(self.gold), "gold_ties": self.gold_ties},
            facts={"total": self.total},
        )

    def _rows(self) -> Iterator[Row]:
        gold = "+".join(self.gold)
        for duel in self.duels:
            wins = (duel.left_wins, duel.right_wins)
            yield duel.left, duel.right, gold, self.total, duel.disagree, *wins, duel.p


def concordance(
    scores: Scores,
    gold: str | Sequence[str],
    *,
    gold_ties: GoldTies = "agree",
    measures: Sequence[str] | None = None,
) -> Concordance:
    """How often each of two measures agrees with gold measures where the two disagree.

    ``gold`` names measures of the scores, with + between those that must all agree. All other
    measures are held against each other, or just ``measures``.
    """
    if gold_ties not in GOLD_TIES:
        raise PolysemeError(f"gold_ties must be agree or ignore. Got {gold_ties!r} instead.")
    known = frozenset(scores.measures)
    named = between_pluses(gold, known.__contains__) if isinstance(gold, str) else tuple(gold)
    judges = scores.select(measures=named).measures
    chosen = measures or [name for name in scores.measures if name not in judges]
    rivals = scores.select(measures=list(chosen)).measures
    if len(rivals) < 2:
        raise PolysemeError(
            "at least two measures besides the gold ones are needed\n  to mend it: name more (-m)"
        )
    counts = _Counts(len(rivals))
    for found in signs(scores.select(measures=[*rivals, *judges])):
        counts.add(found[: len(rivals)], found[len(rivals) :], gold_ties)
    pairs = list(combinations(range(len(rivals)), 2))
    p = _sign_test(counts, pairs)
    duels = tuple(
        Duel(
            rivals[a],
            rivals[b],
            int(counts.disagree[a, b]),
            int(counts.wins[a, b]),
            int(counts.wins[b, a]),
            float(p[place]),
        )
        for place, (a, b) in enumerate(pairs)
    )
    return Concordance(judges, duels, counts.total, gold_ties, dict(scores.provenance))


def between_pluses(text: str, known: Callable[[str], bool]) -> list[str]:
    """Names with + between them, some of which may have a + of their own (``P+Q@10``).

    The longest known name is taken at each place; what is not known ends at the next +.
    """
    pieces = text.split("+")
    found: list[str] = []
    while pieces:
        ends = (end for end in range(len(pieces), 0, -1) if known("+".join(pieces[:end])))
        end = next(ends, 1)
        found.append("+".join(pieces[:end]))
        pieces = pieces[end:]
    return found


class _Counts:
    """Over all topics: disagreements, those that the first wins, and those that both win."""

    def __init__(self, rivals: int) -> None:
        self.total = 0
        self.disagree = np.zeros((rivals, rivals))
        self.wins = np.zeros((rivals, rivals))
        self.both = np.zeros((rivals, rivals))

    def add(self, rivals: Signs, judges: Signs, ties: GoldTies) -> None:
        self.total += rivals.shape[1]
        alike = rivals[:, None, :] == judges[None, :, :]
        if ties == "agree":
            alike |= judges[None, :, :] == 0
        agreeing = alike.all(axis=1)
        up, down = (rivals > 0).astype(np.float64), (rivals < 0).astype(np.float64)
        winning = (up * agreeing, down * agreeing)
        opposed = up @ down.T
        self.disagree += opposed + opposed.T
        self.wins += winning[0] @ down.T + winning[1] @ up.T
        together = winning[0] @ winning[1].T
        self.both += together + together.T


def _sign_test(counts: _Counts, pairs: Sequence[tuple[int, int]]) -> Floats:
    from scipy.stats import binom

    first, second = np.array(pairs).T
    only = counts.wins - counts.both
    left, right = only[first, second], only[second, first]
    less = np.minimum(left, right)
    p: Floats = np.minimum(1.0, 2.0 * binom.cdf(less, left + right, 0.5))
    return p
