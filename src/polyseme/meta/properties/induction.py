"""What relations induce together: if A <= B and B <= C, then A <= C (Albahem et al., section 3.2).

Relations form no cycle, for all of them raise one number, a ranking's height: the sum over its
relevant documents of h + 2 - rank, less the number of non-relevant ones, doubled; and one more if
the last document is about new intents only. Rankings in the order of heights come after all their
predecessors, so one pass over the relations finds the best of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from polyseme.groups import Bools, Ints
from polyseme.meta.properties.rankings import Rankings
from polyseme.meta.properties.relations import Edges, Property, Relations


def heights(rankings: Rankings) -> Ints:
    """A number for each ranking that every relation raises."""
    found = np.zeros(len(rankings), dtype=np.int64)
    last = np.zeros(len(rankings), dtype=np.int64)
    bits = np.array([kind.intents for kind in rankings.kinds], dtype=np.uint32)
    for length in range(1, rankings.length + 1):
        step = np.full(rankings.base, 2 * (rankings.length + 2 - length))
        step[rankings.x] = -2
        begin, middle, end = rankings.first[length - 1 : length + 2]
        found[middle:end] = (found[begin:middle, None] + step).reshape(-1)
        new = (rankings.seen[begin:middle, None] & bits) == 0
        new[:, rankings.x] = False
        last[middle:end] = new.reshape(-1)
    return found + last


@dataclass(frozen=True, eq=False)
class Order:
    """Some properties' relations, sorted so that one pass induces all others."""

    relations: Relations
    properties: tuple[Property, ...]

    @cached_property
    def slots(self) -> list[Edges]:
        """The relations slot by slot, those of low rankings first."""
        height = heights(self.relations.rankings)
        held: dict[tuple[Property, int], list[Edges]] = {}
        for name in self.properties:
            for edges in self.relations.all_of(name):
                held.setdefault((name, edges.slot), []).append(edges)
        found = []
        for (name, slot), pieces in held.items():
            lower = np.concatenate([each.lower for each in pieces])
            higher = np.concatenate([each.higher for each in pieces])
            order = np.argsort(height[higher], kind="stable")
            found.append(Edges(name, slot, lower[order], higher[order]))
        return found

    @cached_property
    def steps(self) -> list[tuple[Ints, Ints]]:
        """(lower, higher): what may be done at once, in the order in which it must be done."""
        height = heights(self.relations.rankings)
        found: list[tuple[int, Ints, Ints]] = []
        for edges in self.slots:
            at = height[edges.higher]
            bounds = [0, *(np.flatnonzero(np.diff(at)) + 1).tolist(), len(at)]
            for begin, end in pairwise(bounds):
                found.append((int(at[begin]), edges.lower[begin:end], edges.higher[begin:end]))
        found.sort(key=lambda step: step[0])
        return [(lower, higher) for _, lower, higher in found]

    @cached_property
    def has_predecessor(self) -> Bools:
        """Rankings that some relation says should not score below another."""
        found = np.zeros(len(self.relations.rankings), dtype=np.bool_)
        for edges in self.slots:
            found[edges.higher] = True
        return found

    def raised(self, scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The best score among each ranking and all its predecessors, for every column."""
        top = scores.copy()
        for lower, higher in self.steps:
            top[higher] = np.maximum(top[higher], top[lower])
        return top

    def into(self, ranking: int) -> Iterator[tuple[Property, int]]:
        """The direct predecessors of one ranking."""
        for edges in self._by_higher:
            begin, end = np.searchsorted(edges.higher, [ranking, ranking + 1])
            for place in range(begin, end):
                yield edges.property, int(edges.lower[place])

    @cached_property
    def _by_higher(self) -> list[Edges]:
        found = []
        for edges in self.slots:
            order = np.argsort(edges.higher, kind="stable")
            found.append(Edges(edges.property, edges.slot, edges.lower[order], edges.higher[order]))
        return found

    def witness(
        self, ranking: int, scores: npt.NDArray[np.float64], top: npt.NDArray[np.float64]
    ) -> list[tuple[Property, int]]:
        """A way down to the best predecessor, as (property, ranking), the nearest one first."""
        best, way, here = top[ranking], list[tuple[Property, int]](), ranking
        while scores[here] < best:
            name, here = next(step for step in self.into(here) if top[step[1]] == best)
            way.append((name, here))
        return way


#: rankings whose followers are found at once, in words of 64
WORDS = 16
#: pairs are counted for no more rankings than this: their number grows with the square
MOST_FOR_PAIRS = 300_000


def pairs(order: Order) -> Iterator[tuple[Ints, Ints]]:
    """Every (lower, higher) that the relations induce, in blocks."""
    size = len(order.relations.rankings)
    begins = np.unique(np.concatenate([edges.lower for edges in order.slots]))
    for block in _blocks(begins, WORDS * 64):
        reached = np.zeros((size, WORDS), dtype=np.uint64)
        word, bit = np.divmod(np.arange(len(block)), 64)
        own = np.uint64(1) << bit.astype(np.uint64)
        reached[block, word] = own
        for lower, higher in order.steps:
            reached[higher] |= reached[lower]
        reached[block, word] ^= own
        yield from _expanded(reached, block)


def _expanded(reached: npt.NDArray[np.uint64], block: Ints) -> Iterator[tuple[Ints, Ints]]:
    for word in range(reached.shape[1]):
        column = reached[:, word]
        higher = np.flatnonzero(column)
        for some in _blocks(higher, 1 << 18):
            held = column[some].astype("<u8").view(np.uint8).reshape(-1, 8)
            bits = np.unpackbits(held, axis=1, bitorder="little")
            row, bit = np.nonzero(bits)
            yield block[word * 64 + bit], some[row]


def _blocks(members: Ints, size: int) -> Iterable[Ints]:
    return (members[begin : begin + size] for begin in range(0, len(members), size))
