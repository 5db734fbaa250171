"""Random collections and lists, small enough to hit every corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

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
