"""Which ranking should not score above which other one, and why.

S is a ranking, r a document relevant to something, x one relevant to nothing (Albahem et al. 2018,
section 3.1, and the two properties below):

* relevance: S <= S r (equation 9)
* irrelevance: S x <= S (equation 10)
* redundancy: S p <= S n, where p is about intents that S covers and n about ones that it does not
  (equation 11); with unequal probabilities or grades only if p is not worth more than n
* replacement: S x T <= S r T
* swap: S x r T <= S r x T
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np

from polyseme.groups import Ints
from polyseme.measures.gains import Gain
from polyseme.meta.properties.rankings import EMPTY, Rankings

Property = Literal["relevance", "irrelevance", "redundancy", "replacement", "swap"]
PROPERTIES: tuple[Property, ...] = get_args(Property)
#: those of the paper
PAPER: tuple[Property, ...] = ("relevance", "irrelevance", "redundancy")

#: each property as an inequality
SAID: dict[Property, str] = {
    "relevance": "S <= S r",
    "irrelevance": "S x <= S",
    "redundancy": "S p <= S n",
    "replacement": "S x T <= S r T",
    "swap": "S x r T <= S r x T",
}


@dataclass(frozen=True, eq=False)
class Edges:
    """Relations of one property and one slot; in ``higher`` no ranking stands twice.

    A slot tells what is appended, replaced or swapped, so that a ranking has at most one
    predecessor in it.
    """

    property: Property
    slot: int
    #: lower[n] should not score above higher[n]
    lower: Ints
    higher: Ints
    #: relations from the empty ranking hold too, but are not counted as cases
    counted: bool = True

    def __len__(self) -> int:
        return len(self.lower)


@dataclass(frozen=True)
class Relations:
    """All relations between rankings; gains decide what a redundant document is worth."""

    rankings: Rankings
    gain: Gain = field(default_factory=Gain)

    def of(self, name: Property, length: int) -> Iterator[Edges]:
        """A property's relations whose longer ranking has that length."""
        makers: dict[Property, Callable[[int], Iterator[Edges]]] = {
            "relevance": self._relevance,
            "irrelevance": self._irrelevance,
            "redundancy": self._redundancy,
            "replacement": self._replacement,
            "swap": self._swap,
        }
        return (edges for edges in makers[name](length) if len(edges))

    def all_of(self, name: Property) -> Iterator[Edges]:
        """A property's relations, the shorter rankings first."""
        for length in range(1, self.rankings.length + 1):
            yield from self.of(name, length)

    # ---- appending --------------------------------------------------------------------------

    def _shorter(self, length: int) -> Ints:
        first = self.rankings.first
        return np.arange(first[length - 1], first[length])

    def _child(self, ranking: Ints, kind: int) -> Ints:
        return ranking * self.rankings.base + 1 + kind

    def _relevance(self, length: int) -> Iterator[Edges]:
        before = self._shorter(length)
        for kind in range(self.rankings.x):
            after = self._child(before, kind)
            yield Edges("relevance", 0, before, after, counted=length > 1)

    def _irrelevance(self, length: int) -> Iterator[Edges]:
        before = self._shorter(length)
        after = self._child(before, self.rankings.x)
        yield Edges("irrelevance", 0, after, before, counted=length > 1)

    def _redundancy(self, length: int) -> Iterator[Edges]:
        rankings = self.rankings
        before = self._shorter(length)
        seen = rankings.seen[before]
        for seen_kind, new_kind in self._redundant:
            old, new = rankings.kinds[seen_kind].intents, rankings.kinds[new_kind].intents
            here = before[(seen & (old | new)) == old]
            yield Edges(
                "redundancy", seen_kind, self._child(here, seen_kind), self._child(here, new_kind)
            )

    @property
    def _redundant(self) -> list[tuple[int, int]]:
        """Pairs of kinds about different intents, the first worth no more than the second."""
        kinds, worth = self.rankings.kinds, self.rankings.worth(self.gain)
        return [
            (p, n)
            for p in range(self.rankings.x)
            for n in range(self.rankings.x)
            if not kinds[p].intents & kinds[n].intents and worth[p] <= worth[n] + 1e-12
        ]

    # ---- changing a document ----------------------------------------------------------------

    def _with_at(self, length: int, rank: int, kinds: tuple[int, ...]) -> Ints:
        """The rankings of a length that have documents of these kinds from a rank on."""
        base = self.rankings.base
        rest = length - rank - len(kinds) + 1
        middle = 0
        for kind in kinds:
            middle = middle * base + kind
        top = np.arange(base ** (rank - 1)) * base ** (length - rank + 1)
        value = (top[:, None] + middle * base**rest + np.arange(base**rest)).reshape(-1)
        numbers: Ints = value + self.rankings.first[length]
        return numbers

    def _replacement(self, length: int) -> Iterator[Edges]:
        x, base = self.rankings.x, self.rankings.base
        for rank in range(1, length + 1):
            lower = self._with_at(length, rank, (x,))
            for kind in range(x):
                higher = lower + (kind - x) * base ** (length - rank)
                yield Edges("replacement", rank, lower, higher)

    def _swap(self, length: int) -> Iterator[Edges]:
        x, base = self.rankings.x, self.rankings.base
        for rank in range(1, length):
            for kind in range(x):
                lower = self._with_at(length, rank, (x, kind))
                swapped = (kind * base + x) - (x * base + kind)
                yield Edges("swap", rank, lower, lower + swapped * base ** (length - rank - 1))

    # ---- reasons ----------------------------------------------------------------------------

    def reason(self, name: Property, lower: int, higher: int) -> str:
        """Why the first ranking should not score above the second."""
        rankings = self.rankings
        low, high = rankings.kinds_of(lower), rankings.kinds_of(higher)
        if name == "relevance":
            added = _document(rankings, high, len(high))
            return f"{_said(rankings, lower)} with {added} added"
        if name == "irrelevance":
            return f"{_said(rankings, higher)} loses nothing by staying without one more x"
        if name == "redundancy":
            before = _said(rankings, rankings.number_of(low[:-1]))
            p, n = rankings.kinds[low[-1]].name, rankings.kinds[high[-1]].name
            return f"after {before} the document {n} brings a new intent, {p} does not"
        rank = next(n for n, pair in enumerate(zip(low, high, strict=True), 1) if len({*pair}) > 1)
        if name == "replacement":
            put = _document(rankings, high, rank)
            return f"at rank {rank} {put} stands in place of x"
        moved = rankings.kinds[high[rank - 1]].name
        return f"the relevant document {moved} moved up to rank {rank}, past x"


def _document(rankings: Rankings, kinds: Sequence[int], rank: int) -> str:
    """The document at a rank; those of a kind past the last relevant one only stand for such."""
    kind = kinds[rank - 1]
    name, known = rankings.kinds[kind].name, rankings.relevant_of_kind
    if list(kinds[:rank]).count(kind) > known:
        return f"one more {name} (at most {known} of them relevant)"
    return f"a relevant document ({name})"


def _said(rankings: Rankings, number: int) -> str:
    name = rankings.name(number)
    return "the empty ranking" if name == EMPTY else name
