"""The Cube Test against the slow reference, on runs of several iterations."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from polyseme.collection.runs import Retrieved, Run, Runs
from polyseme.measures.sets import parse
from quietly import scored
from reference import Collection

DOCUMENTS = [f"d{n}" for n in range(12)]
NAMES = [
    *(f"{name}{cut}" for name in ("CT", "ACT", "nCT") for cut in ("", "@1", "@3", "@9")),
    *(f"{name}(documents={k})" for name in ("CT", "ACT", "nCT") for k in (1, 4, 20)),
    *("CT(gamma=0.9,height=2)@2", "ACT(gamma=0,height=1)", "nCT(bound=tight)@2"),
    *("CT'@3", "ACT'", "nCT'(documents=4)", "ACT''(delta=0.5)@3"),
]

iterated = st.lists(
    st.lists(st.sampled_from(DOCUMENTS), max_size=4, unique=True), min_size=1, max_size=6
).filter(lambda iterations: bool(iterations[-1]))
judged = st.dictionaries(
    st.sampled_from("123"),
    st.dictionaries(st.sampled_from(DOCUMENTS[:9]), st.integers(0, 4), min_size=1),
    min_size=1,
).filter(lambda intents: any(grade > 0 for graded in intents.values() for grade in graded.values()))


def run_of(iterations: list[list[str]]) -> Runs:
    """A run that goes through these iterations; a number without a document is missing in it."""
    documents = list(itertools.chain.from_iterable(iterations))
    numbers = [number for number, each in enumerate(iterations) for _ in each]
    scores = [float(-place) for place in range(len(documents))]
    retrieved = Retrieved("1", documents, scores, iterations=numbers)
    return Runs((Run("run", lambda: [retrieved]),))


def without_repeats(iterations: list[list[str]]) -> list[list[str]]:
    first = {d: n for n, each in reversed(list(enumerate(iterations))) for d in each}
    kept = [[d for d in each if first[d] == n] for n, each in enumerate(iterations)]
    return kept[: max(first.values()) + 1]


@pytest.mark.parametrize("name", NAMES)
@given(iterations=iterated, intents=judged)
def test_iterations_that_hold_nothing_count_as_one_document(
    name: str, iterations: list[list[str]], intents: dict[str, dict[str, int]]
) -> None:
    held, measure = Collection({"1": intents}), parse(name)
    if measure.primes:  # condensing takes repeated documents out, too
        iterations = without_repeats(iterations)
    found = scored(held, run_of(iterations), [measure]).values[0, 0, 0]
    wanted = reference.score(
        held,
        "1",
        iterations,
        measure.name,
        measure.cutoff,
        primes=measure.primes,
        **dict(measure.parameters),
    )
    assert found == pytest.approx(wanted, abs=1e-9)
