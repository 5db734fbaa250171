"""Counting the relations that scores contradict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from polyseme.errors import PolysemeError
from polyseme.groups import Bools, Floats, Ints
from polyseme.meta.properties.induction import MOST_FOR_PAIRS, Order, pairs
from polyseme.meta.properties.rankings import Rankings
from polyseme.meta.properties.relations import Edges, Property, Relations

#: numbers compared at once
BLOCK = 1 << 21


@dataclass(frozen=True)
class CounterExample:
    """Two rankings that a measure puts in the wrong order, and why it is wrong."""

    lower: str
    higher: str
    #: the score of the ranking that should not be above the other
    lower_score: float
    higher_score: float
    reason: str


@dataclass(frozen=True)
class Finding:
    """How often a measure contradicts a property."""

    measure: str
    property_name: str
    cases: int
    violations: int
    #: the smallest ones
    examples: tuple[CounterExample, ...] = ()

    @property
    def share(self) -> float:
        """Violations among cases; NaN where there is no case."""
        return self.violations / self.cases if self.cases else float("nan")

    @property
    def holds(self) -> bool:
        return not self.violations


@dataclass(frozen=True, eq=False)
class Checker:
    """Scores of all rankings, held against relations."""

    relations: Relations
    names: tuple[str, ...]
    #: (ranking, name)
    scores: Floats
    tolerance: float = 1e-9
    #: how many counter-examples to tell for each name and property
    examples: int = 3

    @property
    def rankings(self) -> Rankings:
        return self.relations.rankings

    # ---- a property itself ------------------------------------------------------------------

    def direct(self, name: Property) -> list[Finding]:
        """The cases of one property."""
        cases = 0
        violations = np.zeros(len(self.names), dtype=np.int64)
        examples: list[list[tuple[int, int]]] = [[] for _ in self.names]
        for length in range(1, self.rankings.length + 1):
            here: list[list[tuple[int, int]]] = [[] for _ in self.names]
            lacking = np.array([len(held) < self.examples for held in examples], dtype=np.bool_)
            for edges in self.relations.of(name, length):
                if not edges.counted:
                    continue
                cases += len(edges)
                for lower, higher, fallen in self._compared(edges):
                    violations += fallen.sum(axis=0)
                    self._gather(here, lower, higher, fallen, lacking)
            for held, new in zip(examples, here, strict=True):
                new.sort(key=lambda pair: (max(pair), min(pair)))
                held.extend(new[: self.examples - len(held)])
        return [
            Finding(
                self.names[column],
                name,
                cases,
                int(violations[column]),
                tuple(self._example(column, *pair, name) for pair in examples[column]),
            )
            for column in range(len(self.names))
        ]

    def _compared(self, edges: Edges) -> Iterator[tuple[Ints, Ints, Bools]]:
        size = max(BLOCK // len(self.names), 1)
        for begin in range(0, len(edges), size):
            lower = edges.lower[begin : begin + size]
            higher = edges.higher[begin : begin + size]
            yield lower, higher, self.scores[lower] - self.scores[higher] > self.tolerance

    def _gather(
        self,
        found: list[list[tuple[int, int]]],
        lower: Ints,
        higher: Ints,
        fallen: Bools,
        lacking: Bools,
    ) -> None:
        """The first violations of those who lack examples; edges ascend, so they are smallest."""
        for column in np.flatnonzero(fallen.any(axis=0) & lacking).tolist():
            some = np.flatnonzero(fallen[:, column])[: self.examples]
            found[column].extend(zip(lower[some].tolist(), higher[some].tolist(), strict=True))

    def _example(self, column: int, lower: int, higher: int, name: Property) -> CounterExample:
        return self._told(column, lower, higher, self.relations.reason(name, lower, higher))

    def _told(self, column: int, lower: int, higher: int, reason: str) -> CounterExample:
        return CounterExample(
            self.rankings.name(lower),
            self.rankings.name(higher),
            float(self.scores[lower, column]),
            float(self.scores[higher, column]),
            reason,
        )

    # ---- what properties induce -------------------------------------------------------------

    def induced(self, properties: Sequence[Property], label: str) -> list[Finding]:
        """Rankings below their best predecessor, among those that have one."""
        order = Order(self.relations, tuple(properties))
        cases = int(order.has_predecessor.sum())
        found: list[Finding] = []
        for begin, scores, top in self._raised(order):
            fallen = top - scores > self.tolerance
            for column in range(scores.shape[1]):
                violating = np.flatnonzero(fallen[:, column])
                examples = tuple(
                    self._induced_example(
                        order, begin + column, ranking, scores[:, column], top[:, column]
                    )
                    for ranking in violating[: self.examples].tolist()
                )
                name = self.names[begin + column]
                found.append(Finding(name, label, cases, len(violating), examples))
        return found

    def _raised(self, order: Order) -> Iterator[tuple[int, Floats, Floats]]:
        """Some columns at a time: the first one's place, scores, and the predecessors' best."""
        size = max((1 << 25) // len(self.rankings), 1)
        for begin in range(0, len(self.names), size):
            scores = np.ascontiguousarray(self.scores[:, begin : begin + size])
            yield begin, scores, order.raised(scores)

    def _induced_example(
        self, order: Order, column: int, ranking: int, scores: Floats, top: Floats
    ) -> CounterExample:
        way = order.witness(ranking, scores, top)
        said = [f">= {self.rankings.name(below)} ({name})" for name, below in way]
        if len(said) > 4:
            said = [*said[:2], f"... {len(said) - 3} more steps ...", said[-1]]
        reason = " ".join([self.rankings.name(ranking), *said])
        return self._told(column, way[-1][1], ranking, reason)

    def all_pairs(self, properties: Sequence[Property], label: str) -> list[Finding]:
        """Every pair of rankings that the relations put in order, one by one."""
        if len(self.rankings) > MOST_FOR_PAIRS:
            raise PolysemeError(
                f"pairs of {len(self.rankings):,} rankings are too many to count: no more than "
                f"{MOST_FOR_PAIRS:,} rankings can be paired\n  to mend it: say a smaller length"
            )
        order = Order(self.relations, tuple(properties))
        # who never scores below the best predecessor scores below none
        columns = {
            begin + place: np.ascontiguousarray(scores[:, place])
            for begin, scores, top in self._raised(order)
            for place in np.flatnonzero((top - scores > self.tolerance).any(axis=0)).tolist()
        }
        cases = 0
        violations = [0] * len(self.names)
        for lower, higher in pairs(order):
            cases += len(lower)
            for number, column in columns.items():
                fallen = column[lower] - column[higher] > self.tolerance
                violations[number] += int(np.count_nonzero(fallen))
        return [
            Finding(name, label, cases, count)
            for name, count in zip(self.names, violations, strict=True)
        ]
