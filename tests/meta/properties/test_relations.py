"""Counts and relations against a naive checker that writes every ranking and pair out."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import PolysemeError
from polyseme.measures.gains import Gain
from polyseme.meta.properties import PROPERTIES, PropertyAnalysis, Rankings, check_properties
from polyseme.meta.properties.induction import heights
from polyseme.meta.properties.relations import PAPER, Relations
from polyseme.policies import Policies

#: a document is its grades, a ranking is its documents
Document = tuple[int, ...]
Ranking = tuple[Document, ...]
Edge = tuple[Ranking, Ranking]


@dataclass(frozen=True)
class Naive:
    """The same analysis, slowly: documents are tuples of grades, rankings tuples of these."""

    intents: int
    length: int
    grades: int
    multi: bool
    probabilities: tuple[float, ...]

    @property
    def documents(self) -> list[Document]:
        found = []
        for document in itertools.product(range(self.grades + 1), repeat=self.intents):
            if self.multi or sum(grade > 0 for grade in document) <= 1:
                found.append(document)
        return found

    @property
    def rankings(self) -> list[Ranking]:
        lengths = range(self.length + 1)
        return [r for n in lengths for r in itertools.product(self.documents, repeat=n)]

    def name(self, ranking: Ranking) -> str:
        letters = "abcdefg"
        said = []
        for document in ranking:
            parts = [
                letters[intent] + (str(grade) if self.grades > 1 else "")
                for intent, grade in enumerate(document)
                if grade
            ]
            said.append("".join(parts) or "x")
        single = self.grades == 1 and not (self.multi and self.intents > 1)
        return ("" if single else " ").join(said)

    def edges(self, name: str) -> Iterator[Edge]:
        relevant = [document for document in self.documents if any(document)]
        nothing = (0,) * self.intents
        for s in self.rankings:
            if len(s) < self.length:
                if name == "relevance":
                    yield from ((s, (*s, r)) for r in relevant)
                if name == "irrelevance":
                    yield (*s, nothing), s
                if name == "redundancy":
                    yield from self.redundant(s, relevant)
            for place, document in enumerate(s):
                before, after = s[:place], s[place + 1 :]
                if name == "replacement" and document == nothing:
                    yield from ((s, (*before, r, *after)) for r in relevant)
                if name == "swap" and document == nothing and after and any(after[0]):
                    yield s, (*before, after[0], nothing, *after[1:])

    def redundant(self, s: Ranking, relevant: list[Document]) -> Iterator[Edge]:
        seen = {i for i in range(self.intents) if any(document[i] for document in s)}
        for p, n in itertools.product(relevant, repeat=2):
            of_p = {i for i in range(self.intents) if p[i]}
            of_n = {i for i in range(self.intents) if n[i]}
            if of_p <= seen and not of_n & seen:
                worth_p, worth_n = (
                    sum(w * g for w, g in zip(self.probabilities, document, strict=True))
                    for document in (p, n)
                )
                if worth_p <= worth_n + 1e-12:
                    yield (*s, p), (*s, n)

    def above(self, names: tuple[str, ...]) -> dict[Ranking, set[Ranking]]:
        """All that should not score below each ranking, by walking from each."""
        direct: dict[Ranking, set[Ranking]] = {ranking: set() for ranking in self.rankings}
        for name in names:
            for low, high in self.edges(name):
                direct[low].add(high)
        found = {}
        for ranking in direct:
            reached: set[Ranking] = set()
            waiting = [ranking]
            while waiting:
                for high in direct[waiting.pop()] - reached:
                    reached.add(high)
                    waiting.append(high)
            found[ranking] = reached
        return found


@st.composite
def settings_of_rankings(draw: st.DrawFn) -> Naive:
    intents = draw(st.integers(1, 3))
    multi = draw(st.booleans())
    grades = draw(st.integers(1, 2))
    kinds = (grades + 1) ** intents if multi else grades * intents + 1
    longest = next(n for n in (4, 3, 2, 1) if n == 1 or kinds**n <= 130)
    shares = draw(st.lists(st.integers(1, 4), min_size=intents, max_size=intents))
    return Naive(
        intents,
        draw(st.integers(1, longest)),
        grades,
        multi,
        tuple(share / sum(shares) for share in shares),
    )


def analysed(
    naive: Naive, scores: dict[Ranking, float], **asked: Any
) -> tuple[Rankings, PropertyAnalysis]:
    """The analysis of scores that are looked up ranking by ranking."""
    rankings = Rankings(
        naive.intents,
        naive.length,
        probabilities=naive.probabilities,
        grades=naive.grades,
        multi=naive.multi,
    )
    table = np.full(len(rankings), np.nan)
    for ranking, score in scores.items():
        table[rankings.number(naive.name(ranking))] = score
    return rankings, check_properties({"f": lambda lists: table[lists.run]}, rankings, **asked)


@given(naive=settings_of_rankings(), seed=st.integers(0, 10_000), levels=st.sampled_from([2, 50]))
def test_counts_are_those_of_a_naive_checker(naive: Naive, seed: int, levels: int) -> None:
    draw = np.random.default_rng(seed)
    scores = {ranking: float(draw.integers(levels)) for ranking in naive.rankings}
    rankings, found = analysed(naive, scores, properties="all", pairs=True, examples=2)
    assert len(rankings) == len(scores)
    for name in PROPERTIES:
        edges = [
            # relations from the empty ranking do not count
            edge
            for edge in naive.edges(name)
            if name not in ("relevance", "irrelevance") or all(edge)
        ]
        fallen = [edge for edge in edges if scores[edge[0]] > scores[edge[1]] + 1e-9]
        finding = found.of("f", name)
        assert (finding.cases, finding.violations) == (len(edges), len(fallen)), name
        told = {(example.lower, example.higher) for example in finding.examples}
        assert told <= {(naive.name(low), naive.name(high)) for low, high in fallen}
        shortest = sorted(max(len(low), len(high)) for low, high in fallen)[:2]
        lengths = [
            max(len(rankings.kinds_of(rankings.number(each))) for each in pair)
            for pair in ((example.lower, example.higher) for example in finding.examples)
        ]
        assert lengths == shortest
    for label, names in [("induced", PROPERTIES), *((f"induced:{p}", (p,)) for p in PROPERTIES)]:
        check_induced(naive, scores, names, found, label)


def check_induced(
    naive: Naive,
    scores: dict[Ranking, float],
    names: tuple[str, ...],
    found: PropertyAnalysis,
    label: str,
) -> None:
    above = naive.above(names)
    assert all(ranking not in higher for ranking, higher in above.items()), "there is a cycle"
    below: dict[Ranking, list[Ranking]] = {ranking: [] for ranking in above}
    for low, highs in above.items():
        for high in highs:
            below[high].append(low)
    cases = {ranking: lows for ranking, lows in below.items() if lows}
    violated = {r for r, lows in cases.items() if max(scores[low] for low in lows) > scores[r]}
    finding = found.of("f", label)
    assert (finding.cases, finding.violations) == (len(cases), len(violated)), label
    by_name = {naive.name(ranking): ranking for ranking in above}
    for example in finding.examples:
        low, high = (by_name[each.replace("∅", "")] for each in (example.lower, example.higher))
        assert high in above[low]
        assert example.lower_score == scores[low] > scores[high] == example.higher_score
    if label == "induced":
        pairs = [(low, high) for low, highs in above.items() for high in highs]
        wrong = sum(scores[low] > scores[high] for low, high in pairs)
        assert (found.of("f", "pairs").cases, found.of("f", "pairs").violations) == (
            len(pairs),
            wrong,
        )


@pytest.mark.parametrize(
    "rankings",
    [
        Rankings(2, 6),
        Rankings(1, 8),
        Rankings(4, 4, probabilities=(0.4, 0.3, 0.2, 0.1)),
        Rankings(2, 4, grades=3),
        Rankings(3, 3, multi=True),
        Rankings(2, 3, grades=2, multi=True),
    ],
    ids=repr,
)
def test_every_relation_raises_the_height(rankings: Rankings) -> None:
    height = heights(rankings)
    relations = Relations(rankings)
    for name in PROPERTIES:
        for edges in relations.all_of(name):
            assert (height[edges.lower] < height[edges.higher]).all()
            assert len(np.unique(edges.higher)) == len(edges)


def test_the_number_of_pairs_is_known() -> None:
    """0.9 million for the paper's properties at length 10; far more with the other two."""
    found = check_properties({"f": lambda lists: lists.length * 0.0}, properties=PAPER, pairs=True)
    assert found.of("f", "pairs").cases == 855_921
    assert found.of("f", "pairs").violations == 0


def test_redundancy_hangs_on_the_gain_where_probabilities_differ() -> None:
    """2 x .3 is below 1 x .7, (2^2 - 1) x .3 above."""
    rankings = Rankings(2, 2, grades=3, probabilities=(0.7, 0.3))

    def related(gain: Gain) -> set[tuple[str, str]]:
        return {
            (rankings.name(low), rankings.name(high))
            for edges in Relations(rankings, gain).all_of("redundancy")
            for low, high in zip(edges.lower.tolist(), edges.higher.tolist(), strict=True)
        }

    linear, exponential = related(Gain()), related(Gain("exponential"))
    assert ("a1 a1", "a1 b2") not in linear
    assert ("a1 a1", "a1 b2") in exponential
    for held in (linear, exponential):
        assert ("a1 a1", "a1 b1") not in held
        assert ("a1 a1", "a1 b3") in held
    found = check_properties("P@2", rankings, policies=Policies(gain=Gain("exponential")))
    assert any("exponential gains" in note for note in found.report().notes)


# ---- rankings themselves ------------------------------------------------------------------------


@given(number=st.integers(0, 88_572))
def test_a_number_is_a_name_and_a_name_a_number(number: int) -> None:
    rankings = Rankings()
    assert rankings.number(rankings.name(number)) == number
    assert rankings.number_of(rankings.kinds_of(number)) == number
    assert rankings.length_of(number) == len(rankings.kinds_of(number))


def test_kinds_are_named_after_their_intents_and_grades() -> None:
    def names(**said: Any) -> list[str]:
        return [kind.name for kind in Rankings(length=2, **said).kinds]

    assert names() == ["a", "b", "x"]
    assert names(intents=1) == ["a", "x"]
    assert names(grades=2) == ["a1", "a2", "b1", "b2", "x"]
    assert names(multi=True) == ["a", "b", "ab", "x"]
    assert names(multi=True, intents=3)[3:] == ["ab", "ac", "bc", "abc", "x"]
    assert names(multi=True, grades=2)[4:] == ["a1b1", "a1b2", "a2b1", "a2b2", "x"]
    assert len(names(intents=23)) == 24
    assert Rankings(length=2, grades=2).name(Rankings(length=2, grades=2).number("b2 x")) == "b2 x"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"intents": 0}, "intents must be 1 or more"),
        ({"intents": 30, "length": 1}, "at most 23"),
        ({"length": 40}, "more than 30,000,000 rankings"),
        ({"relevant": 0}, "relevant must be 1 or more"),
        ({"terminal": 2}, "a grade from 0 to 1"),
        ({"probabilities": (0.5,)}, "one for each intent. Got 1"),
        ({"probabilities": (0.9, 0.5)}, "add up to 1"),
        ({"probabilities": (1.5, -0.5)}, "add up to 1"),
    ],
)
def test_wrong_settings_are_told(said: dict[str, Any], told: str) -> None:
    with pytest.raises(PolysemeError, match=told):
        Rankings(**said)


def test_names_of_no_ranking_are_told() -> None:
    with pytest.raises(PolysemeError, match="there is no kind 'c'"):
        Rankings().number("abc")
    with pytest.raises(PolysemeError, match="holds 3 documents"):
        Rankings(length=2).number("aaa")
