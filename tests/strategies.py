"""Random collections and lists, small enough to hit every corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from polyseme.errors import MeasureError
from polyseme.measures.measure import Family, Measure
from polyseme.measures.parameters import Parameter
from reference import Collection

DOCUMENTS = [f"d{n:02}" for n in range(14)]


@dataclass(frozen=True)
class Case:
    """A collection, and for each of its topics the list of one run (none: not retrieved)."""

    collection: Collection
    rankings: dict[str, list[str]]

    @property
    def policies(self) -> dict[str, Any]:
        """The same policies as arguments of ``evaluate``."""
        held = self.collection
        gain = held.gain
        if isinstance(gain, dict):
            gain = ",".join(f"{grade}:{value!r}" for grade, value in gain.items())
        return {
            "probabilities": held.probabilities or None,
            "gain": gain,
            "gmax": held.gmax,
            "adhoc": held.adhoc,
            "keep_empty_intents": held.keep_empty_intents,
            "relevant_from": held.relevant_from,
        }


def _rounded(weights: list[int]) -> list[float]:
    total = sum(weights)
    return [weight / total for weight in weights] if total else [1.0] + [0.0] * (len(weights) - 1)


@st.composite
def topics(draw: st.DrawFn, grades: int) -> dict[str, dict[str, int]]:
    """One topic: intents (some without a relevant document, maybe intent 0), and grades."""
    names = draw(
        st.lists(
            st.sampled_from(["0", "1", "2", "3", "10", "b"]), min_size=1, max_size=4, unique=True
        )
    )
    pool = draw(st.lists(st.sampled_from(DOCUMENTS), min_size=1, max_size=9, unique=True))
    judged: dict[str, dict[str, int]] = {}
    for name in names:
        lines = draw(
            st.dictionaries(st.sampled_from(pool), st.integers(-2, grades), max_size=len(pool))
        )
        if lines:
            judged[name] = lines
    return judged or {names[0]: {pool[0]: 0}}


@st.composite
def cases(draw: st.DrawFn, *, plain_weights: bool = False, max_grade: int = 4) -> Case:
    """A whole collection of one to three topics, its policies, and one run's lists.

    With ``plain_weights`` probabilities are uniform: products with others round, and where a
    greedy choice hangs on the last bit two right programs may differ.
    """
    names = draw(st.lists(st.sampled_from(["1", "2", "10"]), min_size=1, max_size=3, unique=True))
    judgments = {name: draw(topics(max_grade)) for name in names}
    probabilities: dict[str, dict[str, float]] = {}
    types: dict[str, dict[str, str]] = {}
    for name in names:
        if not plain_weights and draw(st.booleans()):
            known = sorted({*judgments[name], *draw(st.sets(st.sampled_from(["7", "8"])))})
            shares = _rounded(
                draw(st.lists(st.integers(0, 8), min_size=len(known), max_size=len(known)))
            )
            probabilities[name] = dict(zip(known, shares, strict=True))
        types[name] = {i: draw(st.sampled_from(["inf", "nav"])) for i in judgments[name]}
    collection = Collection(
        judgments,
        probabilities,
        types,
        gain=draw(
            st.sampled_from(["linear", "exponential", {g: float(g * g) / 2 for g in range(1, 31)}])
        ),
        gmax=draw(st.sampled_from(["collection", "topic"])),
        adhoc=draw(st.sampled_from(["pseudo", "max", "sum"])),
        keep_empty_intents=draw(st.booleans()),
        relevant_from=draw(st.integers(1, 2)),
    )
    rankings = {
        name: draw(st.lists(st.sampled_from(DOCUMENTS), max_size=12, unique=True)) for name in names
    }
    return Case(collection, rankings)


# --- measures -----------------------------------------------------------------------------------

#: values that a parameter is tried with, besides its default; None: all words that it may be
TRIED: dict[str, list[object] | None] = {
    "p": [0.0, 0.5, 0.85],
    "beta": [0.0, 0.5, 0.9],
    "gamma": [0.0, 0.3, 1.0],
    "lambda": [0.0, 0.25, 1.0],
    "alpha": [0.0, 0.25, 1.0],
    "e": [0.0, 0.05],
    "floor": [0.0, 1e-3],
    "height": [0.5, 1.0],
    "documents": [1, 3],
    "top": [1, 3, 20],
    "norm": None,
    "form": None,
    "effort": None,
    "average": None,
    "discount": None,
    "bound": None,
}


def tried(parameter: Parameter) -> list[object]:
    """Values of a parameter that tests try."""
    values = TRIED[parameter.name]
    return values if values is not None else list(parameter.expected.split(" or "))


@st.composite
def measures(draw: st.DrawFn, family: Family) -> Measure:
    """A measure of the family: any parameters, cutoff and view that it allows."""
    said = {
        parameter.name: draw(st.sampled_from(tried(parameter)))
        for parameter in family.parameters
        if parameter.name != "weights" and draw(st.integers(0, 2)) == 0
    }
    cutoff = draw(st.none() | st.integers(1, 15))
    if said.get("form") == "amigo":
        said.pop("effort", None)
        cutoff = None
    if "floor" in said and said.get("average") != "geom":
        del said["floor"]
    if family.name in ("D-cascade", "D#-cascade") and said.get("discount") != "RBP":
        said.pop("beta", None)
    if family.cutoff == "required" or said.get("effort") == "cutoff":
        cutoff = cutoff or 5
    if "documents" in said or family.cutoff == "none":
        cutoff = None
    primes = draw(st.sampled_from([0, 0, 1, 2]))
    if primes == 2 and draw(st.booleans()):
        said["delta"] = draw(st.sampled_from([0.5, 1.0]))
    if primes == 0 and family.traits.monotone and draw(st.integers(0, 3)) == 0:
        said["view"] = draw(st.sampled_from(["lower", "upper"]))
    return family(cutoff, primes=primes, **said)


def variants(family: Family, *, primes: int = 0, **fixed: Any) -> list[Measure]:
    """The family's measure at several cutoffs, and with one parameter at a time set to a value."""
    cutoffs = {"optional": (None, 1, 3), "required": (20, 1, 3), "none": (None,)}[family.cutoff]
    found = [family(cutoff, primes=primes, **fixed) for cutoff in cutoffs]
    for parameter in family.parameters:
        if parameter.name == "weights" or parameter.name in fixed:
            continue
        for value in tried(parameter):
            for cutoff in cutoffs[:2]:
                try:
                    found.append(family(cutoff, primes=primes, **{**fixed, parameter.name: value}))
                except MeasureError:  # some go with others only, or with a cutoff
                    continue
    return list(dict.fromkeys(found))
