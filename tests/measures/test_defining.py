"""Measures of one's own: composed in three lines, and then like any other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import polyseme
from polyseme import CATALOGUE, MeasureError
from polyseme.groups import Floats
from polyseme.measures import (
    IA,
    AdHoc,
    BlendedRatio,
    Cascade,
    D,
    Definition,
    EachRelevant,
    Gained,
    Greedy,
    IRec,
    Log2,
    Mix,
    Novelty,
    Over,
    Part,
    Power,
    Precision,
    Reciprocal,
    Sum,
    Traits,
    Walk,
)
from polyseme.measures.ideals import Best
from polyseme.measures.measure import Measure
from quietly import scored
from strategies import Case, cases

JUDGMENTS = {"1": {"1": {"a": 1, "b": 2, "x": 0}, "2": {"c": 2}}}
RUN = {"run": {"1": ["x", "a", "c", "y", "b"]}}
FORMS = ("{}", "{}-IA", "D-{}", "D#-{}")


def both(case: Case, one: list[Measure], other: list[Measure]) -> tuple[np.ndarray, np.ndarray]:
    found = scored(case.collection, {"run": case.rankings}, [*one, *other]).values[0]
    return found[:, : len(one)], found[:, len(one) :]


# ---- composed from what is there ----------------------------------------------------------------


def test_three_lines_make_a_measure() -> None:
    log_err = polyseme.define("logERR", Sum(Cascade(), Log2()))
    found = polyseme.evaluate(JUDGMENTS, RUN, log_err(5), adhoc="max").mean()["run"]
    # a at rank 2 satisfies 1 in 3, c at rank 3 then 2 in 3, b at rank 5 then 2 in 3
    stop = [1 / 3, 2 / 3 * 2 / 3, 2 / 3 * 1 / 3 * 2 / 3]
    assert found == {
        "logERR@5": pytest.approx(stop[0] / np.log2(3) + stop[1] / 2 + stop[2] / np.log2(6))
    }


def test_a_formula_for_one_list_gives_four_measures() -> None:
    mine = polyseme.define("mine", Sum(Cascade(), Log2()))
    assert [family.name for family in mine.families] == [form.format("mine") for form in FORMS]
    names = [str(mine[form.format("mine")](10)) for form in FORMS]
    assert names == ["mine@10", "mine-IA@10", "D-mine@10", "D#-mine@10"]
    with pytest.raises(
        MeasureError, match="makes mine, mine-IA, D-mine, D#-mine, and no 'IA-mine'"
    ):
        mine["IA-mine"]


SAME: list[tuple[str, Any]] = [
    ("ERR", Sum(Cascade(), Reciprocal())),
    ("EBR", Sum(Cascade(), BlendedRatio())),
    ("Q", Sum(EachRelevant(), BlendedRatio())),
    ("AP", Sum(EachRelevant(), Precision())),
    ("nDCG", Over(Sum(Log2(), Gained()), Best())),
]


@pytest.mark.parametrize(("name", "formula"), SAME, ids=[name for name, _ in SAME])
@settings(max_examples=20)
@given(case=cases(), cutoff=st.none() | st.integers(1, 9), primes=st.integers(0, 2))
def test_an_existing_measure_composed_anew_has_the_same_values(
    name: str, formula: Any, case: Case, cutoff: int | None, primes: int
) -> None:
    mine = polyseme.define("mine", formula)
    one = [mine[form.format("mine")](cutoff, primes=primes) for form in FORMS]
    other = [CATALOGUE[form.format(name)](cutoff, primes=primes) for form in FORMS]
    ours, theirs = both(case, one, other)
    assert ours == pytest.approx(theirs, abs=1e-12)


@settings(max_examples=20)
@given(case=cases(), cutoff=st.integers(1, 9))
def test_a_formula_for_a_topic_with_its_intents_gives_one_measure(case: Case, cutoff: int) -> None:
    gained = IA(Sum(Log2(), Novelty(0.25)))
    mine = polyseme.define("mine", Mix(0.5, IRec(), Over(gained, Greedy(0.25))))
    assert [family.name for family in mine.families] == ["mine"]
    ours, theirs = both(case, [mine(cutoff)], [CATALOGUE["alpha#-nDCG-IA"](cutoff, alpha=0.25)])
    assert ours == pytest.approx(theirs, abs=1e-12)


def test_a_measure_of_ones_own_takes_what_every_measure_takes() -> None:
    mine = polyseme.define("mine", Sum(Cascade(), Reciprocal()))
    names = ["mine'(gain=exponential)@5", "mine(gmax=4,adhoc=max)", "mine''(delta=0.5)@3"]
    catalogue = CATALOGUE.with_families(mine.families)
    measures = [catalogue.parse(name) for name in names]
    assert [str(measure) for measure in measures] == names
    theirs = [polyseme.parse(name.replace("mine", "ERR")) for name in names]
    one = polyseme.evaluate(JUDGMENTS, RUN, measures).values
    assert (one == polyseme.evaluate(JUDGMENTS, RUN, theirs).values).all()


def test_a_measure_of_ones_own_can_be_named_in_a_catalogue() -> None:
    mine = polyseme.define("mine", Sum(Cascade(), Reciprocal()))
    catalogue = CATALOGUE.with_families(mine.families)
    names = "mine@5 D#-mine(gamma=0.25)@5 Dsharp-mine ERR"
    found = polyseme.evaluate(JUDGMENTS, RUN, names, catalogue=catalogue)
    assert found.measures == ("mine@5", "D#-mine(gamma=0.25)@5", "D#-mine", "ERR")
    with pytest.raises(MeasureError, match="no measure is named 'mine'"):
        polyseme.parse("mine")
    with pytest.raises(MeasureError, match="did you mean mine"):
        catalogue.parse("mien")


# ---- parameters ---------------------------------------------------------------------------------


def test_a_functions_numbers_become_parameters() -> None:
    mine = polyseme.define("mine", lambda p=0.9, q=1: Sum(Cascade(), Power(p * q)))
    assert str(mine(10)) == "mine@10"
    assert str(mine(10, q=0.5, p=0.25)) == "mine(p=0.25,q=0.5)@10"
    assert str(mine["D#-mine"](10, p=0.5, gamma=0)) == "D#-mine(p=0.5,gamma=0)@10"
    assert mine(p=0.9) == mine()
    one = polyseme.evaluate(JUDGMENTS, RUN, [mine(p=0.5), mine(p=0.85)]).values
    other = polyseme.evaluate(JUDGMENTS, RUN, "iRBU(p=0.5) iRBU(p=0.85)").values
    assert (one == other).all()


def test_a_parameter_of_ones_own_may_be_any_number_and_nothing_else() -> None:
    mine = polyseme.define("mine", lambda p=0.9: Sum(Cascade(), Power(p)))
    assert str(mine(p=-1.5)) == "mine(p=-1.5)"
    with pytest.raises(MeasureError, match=r"mine: p must be a number. Got 'x' instead."):
        mine(p="x")
    with pytest.raises(MeasureError, match="mine has no parameter 'q'"):
        mine(q=1)


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda p: Sum(Cascade(), Power(p)), "the parameter p needs a number as its default"),
        (lambda p="x": Sum(Cascade(), Log2()), "the parameter p needs a number"),
        (lambda p=True: Sum(Cascade(), Log2()), "the parameter p needs a number"),
        (lambda delta=0.5: Sum(Cascade(), Power(delta)), "the parameter delta has a meaning"),
        (lambda gain=0.5: IA(Sum(Cascade(), Power(gain))), "the parameter gain has a meaning"),
        (lambda gamma=0.5: Sum(Cascade(), Power(gamma)), "the parameter gamma has a meaning"),
    ],
)
def test_a_parameter_that_cannot_be_one_is_refused(build: Any, said: str) -> None:
    with pytest.raises(MeasureError, match=said):
        polyseme.define("mine", build)


def test_gamma_is_free_where_no_d_sharp_is_made() -> None:
    mine = polyseme.define("mine", lambda gamma=0.5: Mix(gamma, IRec(), IA(Sum(Cascade(), Log2()))))
    assert str(mine(5, gamma=0.25)) == "mine(gamma=0.25)@5"


# ---- parts --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hurried(Part):
    """What is left of the patience after each rank, all of it gone at the horizon."""

    horizon: float = 5.0

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        return np.maximum(1.0 - walk.r / self.horizon, 0.0)


class Squared(Part):
    """The square of the gain."""

    support: ClassVar[Any] = "hits"

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        return walk.g**2


def test_a_part_of_ones_own_is_a_class_with_a_column() -> None:
    mine = polyseme.define("hurried", lambda horizon=5.0: Sum(Hurried(horizon), Squared()))
    found = polyseme.evaluate(
        JUDGMENTS, RUN, [mine(), mine(4), mine(horizon=10)], adhoc="max"
    ).mean()["run"]
    assert found == {
        "hurried": pytest.approx(0.6 * 1 + 0.4 * 4 + 0 * 4),
        "hurried@4": pytest.approx(0.6 * 1 + 0.4 * 4),
        "hurried(horizon=10)": pytest.approx(0.8 * 1 + 0.7 * 4 + 0.5 * 4),
    }


def test_a_part_of_ones_own_works_in_every_form_and_over_an_ideal() -> None:
    mine = polyseme.define("mine", Over(Sum(Hurried(), Squared()), Best()))
    found = polyseme.evaluate(JUDGMENTS, RUN, [f() for f in mine.families], adhoc="max").mean()
    values = found["run"]
    # intent 1: a at rank 2, b at rank 5; its ideal is b, a; intent 2: c at rank 3, ideally at 1
    intents = [0.6 / (0.8 * 4 + 0.6), 0.4 * 4 / (0.8 * 4)]
    assert values["mine-IA"] == pytest.approx(sum(intents) / 2)
    # the global gains are half the grades: a .5, c 1, b 1
    ideal = 0.8 + 0.6 + 0.4 * 0.25
    assert values["D-mine"] == pytest.approx((0.6 * 0.25 + 0.4) / ideal)
    assert values["D#-mine"] == pytest.approx((1 + values["D-mine"]) / 2)
    # ad hoc: c and b have grade 2, a grade 1
    assert values["mine"] == pytest.approx((0.6 + 0.4 * 4) / (0.8 * 4 + 0.6 * 4 + 0.4))


# ---- what is refused and what is promised -------------------------------------------------------


@pytest.mark.parametrize("name", ["", "two words", "it's", "m(x)", "m@5", "a,b", "p=1", 'q"'])
def test_a_name_that_could_not_be_read_back_is_refused(name: str) -> None:
    with pytest.raises(MeasureError, match="cannot name a measure"):
        polyseme.define(name, Sum(Cascade(), Log2()))


def test_what_is_no_formula_is_refused() -> None:
    with pytest.raises(MeasureError, match="the definition gives 3, which is no formula"):
        polyseme.define("mine", lambda: 3)  # type: ignore[arg-type,return-value]


def test_a_formula_for_one_list_cannot_stand_for_a_topic() -> None:
    mine = polyseme.define("mine", Mix(0.5, IRec(), Sum(Cascade(), Log2())))
    with pytest.raises(MeasureError, match=r"put it into IA\(...\), D\(...\) or AdHoc\(...\)"):
        polyseme.evaluate(JUDGMENTS, RUN, mine())
    for inner in (AdHoc, D, IA):
        mended = polyseme.define("mine", Mix(0.5, IRec(), inner(Sum(Cascade(), Log2()))))
        assert polyseme.evaluate(JUDGMENTS, RUN, mended()).mean()["run"]["mine"] > 0


def test_a_name_that_is_taken_cannot_join_the_catalogue() -> None:
    mine = polyseme.define("ERR", Sum(Cascade(), Log2()))
    with pytest.raises(MeasureError, match="a measure named 'ERR' is there already"):
        CATALOGUE.with_families(mine.families)


def test_nothing_is_promised_of_a_strangers_formula_unless_it_is_said() -> None:
    mine = polyseme.define("mine", Sum(Cascade(), Log2()))
    assert mine().family.traits.range == (None, None)
    with pytest.raises(MeasureError, match="bounds nothing"):
        mine(view="upper")
    promised = polyseme.define("mine", Sum(Cascade(), Log2()), traits=Traits(needs_ideal=False))
    assert str(promised(view="upper")) == "mine(view=upper)"
    assert [family.traits.uses_probabilities for family in promised.families] == [
        False,
        True,
        True,
        True,
    ]


def test_a_definition_says_what_it_is_in_the_users_words() -> None:
    mine: Definition = polyseme.define(
        "mine",
        Sum(Cascade(), Log2()),
        summary="what I want",
        text="sum_r P(r)/log2(r+1)",
        citation="me, today",
        cutoff="required",
    )
    family = mine["mine"]
    assert family.summary == "what I want, on one grade for each document"
    assert family.formula == "sum_r P(r)/log2(r+1)"
    assert family.citation == "me, today"
    with pytest.raises(MeasureError, match="mine needs a cutoff"):
        mine()
