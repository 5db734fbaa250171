"""Condensed lists, discounted ones and bounds."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import reference
from polyseme.errors import MeasureError, PolysemeWarning
from polyseme.evaluation import evaluate
from polyseme.measures.measure import Family, Measure
from polyseme.measures.sets import CATALOGUE, parse
from quietly import scored
from reference import Collection, Hit, Walk
from strategies import Case, cases, variants

FEW = settings(max_examples=max(12, settings.default.max_examples // 8))
#: what counts documents and no gains
COUNTING = ("P", "AP", "RR", "I-rec")


def primed(primes: int, **more: float) -> list[Measure]:
    """Many measures of every family in a view."""
    return [
        measure.family(measure.cutoff, primes=primes, **dict(measure.parameters), **more)
        for family in CATALOGUE
        for measure in variants(family)
    ]


# ---- condensed lists ----------------------------------------------------------------------------


@pytest.mark.parametrize("primes", [1, 2])
@FEW
@given(case=cases())
def test_condensing_a_list_whose_documents_are_all_judged_changes_nothing(
    primes: int, case: Case
) -> None:
    rankings = {
        topic: [d for d in ranking if d in case.collection.documents(topic)]
        for topic, ranking in case.rankings.items()
    }
    raw = scored(case.collection, {"run": rankings}, primed(0))
    condensed = scored(case.collection, {"run": rankings}, primed(primes))
    assert (raw.values == condensed.values).all()


@FEW
@given(case=cases())
def test_discounting_promoted_gains_by_1_is_plain_condensing(case: Case) -> None:
    condensed = scored(case.collection, {"run": case.rankings}, primed(1))
    discounted = scored(case.collection, {"run": case.rankings}, primed(2, delta=1.0))
    assert (condensed.values == discounted.values).all()


@FEW
@given(case=cases(), delta=st.sampled_from([0.0, 0.5, 0.9]))
def test_discounting_changes_nothing_where_gains_do_not_count(case: Case, delta: float) -> None:
    names = [*COUNTING, "P-IA", "AP-IA", "RR-IA", "D-P", "D-AP", "D-RR", "D#-P"]
    condensed = scored(case.collection, {"run": case.rankings}, [parse(f"{n}'@5") for n in names])
    discounted = scored(
        case.collection, {"run": case.rankings}, [parse(f"{n}''(delta={delta})@5") for n in names]
    )
    assert (condensed.values == discounted.values).all()


JUDGED = {"1": {"1": {"a": 1, "b": 0, "c": 2}}}
RUN = {"run": {"1": ["x", "a", "y", "z", "c", "b"]}}


def test_a_condensed_list_is_cut_after_the_unjudged_documents_have_gone() -> None:
    # of x a y z c b stay a c b
    scores = evaluate(JUDGED, RUN, "P@2 P'@2 RR RR'", adhoc="max").mean()["run"]
    assert scores == {"P@2": 0.5, "P'@2": 1.0, "RR": 0.5, "RR'": 1.0}


def test_promoted_documents_lose_gain_by_the_ranks_that_they_gained() -> None:
    # a rises by one rank and c by three: gains 1 x .9 and 2 x .9^3
    scores = evaluate(JUDGED, RUN, "RBP''(p=0.5)", adhoc="max").mean()["run"]
    assert scores["RBP''(p=0.5)"] == pytest.approx(0.5 * (0.9 / 2 + 0.5 * 2 * 0.9**3 / 2))


@pytest.mark.parametrize("name", COUNTING)
def test_it_is_said_where_discounting_changes_nothing(name: str) -> None:
    with pytest.warns(PolysemeWarning, match="equals the measure with one prime"):
        evaluate(JUDGED, RUN, f"{name}''@5")


def test_it_is_said_that_judgments_without_non_relevant_documents_flatter_condensed_lists() -> None:
    with pytest.warns(PolysemeWarning, match="hold no non-relevant document"):
        evaluate({"1": {"1": {"a": 1}}}, RUN, "RR'")


# ---- bounds -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Graded(reference.Look):
    """A list some of whose unjudged documents have been graded; the ideal stays as it was."""

    grades: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def gain(self, intent: str, document: str, gmax: float) -> float:
        c = self.collection
        if document in self.grades:
            return min(c.gain_of(self.grades[document][intent]), gmax)
        return c.gain_of(c.grade(self.topic, intent, document))

    def hits_of_intent(self, intent: str) -> list[Hit]:
        gmax = self.gmax_of_intent(intent)
        gains = [self.gain(intent, seen.document, gmax) for seen in self.top]
        return [Hit(gain, gain > 0) for gain in gains]

    def walk_of_global_gain(self) -> Walk:
        gains = [
            sum(
                self.probability[i] * self.gain(i, seen.document, float("inf"))
                for i in self.intents
            )
            for seen in self.top
        ]
        hits = [Hit(min(gain, self.global_gmax), gain > 0) for gain in gains]
        return Walk(hits, self.global_ideal, self.global_gmax, self.cutoff)

    def walk_of_adhoc(self) -> Walk:
        known = super().walk_of_adhoc()
        hits = []
        for seen, hit in zip(self.top, known.hits, strict=True):
            if seen.document in self.grades:
                alone = replace(
                    self.collection,
                    judgments={
                        self.topic: {
                            i: {seen.document: grade}
                            for i, grade in self.grades[seen.document].items()
                        }
                    },
                )
                grade = alone.adhoc_grades(self.topic)[seen.document]
                gain = min(alone.gain_of(grade), known.gmax)
                hits.append(Hit(gain, gain > 0))
            else:
                hits.append(hit)
        return replace(known, hits=hits)


MONOTONE = [family for family in CATALOGUE if family.traits.monotone]
OURS = [family for family in MONOTONE if ":" not in family.name]


@st.composite
def partly_judged(draw: st.DrawFn) -> Case:
    """One topic of at most two intents, and a list of at most two unjudged documents."""
    case = draw(cases(max_grade=2))
    name = next(iter(case.collection.judgments))
    intents = dict(itertools.islice(case.collection.judgments[name].items(), 2))
    given = case.collection.probabilities.get(name, {})
    shares = {i: p for i, p in given.items() if i in intents and sum(given[j] for j in intents) > 0}
    total = sum(shares.values())
    collection = Collection(
        {"1": intents},
        {"1": {i: p / total for i, p in shares.items()}} if shares else {},
        gain=case.collection.gain,
        gmax=case.collection.gmax,
        adhoc=case.collection.adhoc,
        relevant_from=case.collection.relevant_from,
    )
    assume(any(collection.relevant("1", i) for i in intents))
    judged = draw(st.permutations(collection.documents("1")))[:3]
    unjudged = draw(st.sampled_from([["x"], ["x", "y"]]))
    return Case(collection, {"1": draw(st.permutations([*judged, *unjudged]))})


def all_gradings(case: Case, measure: Measure) -> list[float]:
    """The measure's value for every way to grade the list's unjudged documents."""
    collection = case.collection
    intents = collection.intents("1")
    bar, top = collection.relevant_from, collection.highest_grade
    judged = collection.documents("1")
    unjudged = [document for document in case.rankings["1"] if document not in judged]
    vectors = list(itertools.product(sorted({0, bar, top}), repeat=len(intents)))
    name, said = reference.measure_named(measure.name), dict(measure.parameters)
    found = []
    for grades in itertools.product(vectors, repeat=len(unjudged)):
        look = Graded(
            collection,
            "1",
            reference.viewed(case.rankings["1"], judged, 0),
            measure.cutoff,
            grades={
                document: dict(zip(intents, vector, strict=True))
                for document, vector in zip(unjudged, grades, strict=True)
            },
        )
        found.append(name(look, **{("lambda_" if k == "lambda" else k): said[k] for k in said}))
    return found


@pytest.mark.parametrize("family", OURS, ids=lambda family: family.name)
@settings(max_examples=6)
@given(case=partly_judged(), cutoff=st.sampled_from([2, 3, 5]))
def test_bounds_are_the_least_and_the_largest_value_of_all_ways_to_grade(
    family: Family, case: Case, cutoff: int
) -> None:
    said = {"discount": "ERR"} if family.name in ("D-cascade", "D#-cascade") else {}
    measures = [family(cutoff), family(cutoff, view="lower"), family(cutoff, view="upper")]
    raw, lower, upper = scored(case.collection, case_runs(case), measures).values[0, 0]
    found = all_gradings(case, replace(measures[0], parameters=tuple(said.items())))
    assert lower == pytest.approx(min(found), abs=1e-12)
    assert upper == pytest.approx(max(found), abs=1e-12)
    assert lower <= raw <= upper + 1e-12


def case_runs(case: Case) -> dict[str, dict[str, list[str]]]:
    return {"run": case.rankings}


@FEW
@given(case=cases())
def test_the_bounds_of_every_monotone_measure_enclose_its_value(case: Case) -> None:
    each = [measure for family in MONOTONE for measure in variants(family)]
    lower = [measure.but(view="lower") for measure in each]
    upper = [measure.but(view="upper") for measure in each]
    found = scored(case.collection, case_runs(case), [*each, *lower, *upper]).values
    raw, low, high = (found[..., n * len(each) : (n + 1) * len(each)] for n in range(3))
    assert (low <= raw).all()
    within = (raw <= high + 1e-12).all(axis=(0, 1))
    assert [str(m) for m, fits in zip(each, within, strict=True) if not fits] == []


def test_an_upper_bound_may_exceed_1_and_it_is_said() -> None:
    with pytest.warns(PolysemeWarning, match="an upper bound may exceed 1"):
        scores = evaluate({"1": {"1": {"a": 1, "b": 0}}}, RUN, "AP(view=upper)@3")
    # x and y turn out to be relevant, one relevant document is known: (1 + 1 + 1) / 1
    assert scores.mean()["run"]["AP(view=upper)@3"] == 3.0


@pytest.mark.parametrize("name", ["ERR'(view=lower)@5", "nDCG-IA''(view=upper)@5"])
def test_a_condensed_list_has_no_bounds(name: str) -> None:
    with pytest.raises(MeasureError, match="take either the primes or the view"):
        parse(name)
