from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from polyseme import kernels as chosen
from polyseme import plain_kernels

FUNCTIONS = ["running_sum", "running_product"]
Segments = tuple[NDArray[np.float64], NDArray[np.int64]]


def running_sum(values: NDArray[np.float64], start: NDArray[np.int64]) -> list[float]:
    out: list[float] = []
    for begin, end in pairwise(start):
        for at in range(begin, end):
            out.append(float(values[at]) if at == begin else out[-1] + float(values[at]))
    return out


def running_product(values: NDArray[np.float64], start: NDArray[np.int64]) -> list[float]:
    out: list[float] = []
    for begin, end in pairwise(start):
        product = 1.0
        for at in range(begin, end):
            out.append(product)
            product *= float(values[at])
    return out


LOOPS = {"running_sum": running_sum, "running_product": running_product}


@st.composite
def segments(draw: st.DrawFn) -> Segments:
    lengths = draw(st.lists(st.integers(0, 9) | st.integers(0, 40), max_size=12))
    start = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)
    numbers = st.floats(allow_nan=False, allow_infinity=False) | st.floats(0, 1)
    return draw(arrays(np.float64, int(start[-1]), elements=numbers)), start


def same_bits(a: NDArray[np.float64], b: NDArray[np.float64] | list[float]) -> bool:
    """Equal with the signs of zeros; any NaN (inf - inf) is as good as another."""
    b = np.asarray(b, dtype=np.float64)
    return (
        a.dtype == b.dtype
        and np.array_equal(a, b, equal_nan=True)
        and bool(np.all((np.signbit(a) == np.signbit(b)) | np.isnan(a)))
    )


@pytest.mark.parametrize("name", FUNCTIONS)
@given(case=segments(), cells=st.sampled_from([1, 7, 64, plain_kernels.BLOCK_CELLS]))
@example(case=(np.empty(0), np.zeros(1, np.int64)), cells=64)
@example(case=(np.empty(0), np.zeros(4, np.int64)), cells=64)
@example(case=(np.array([-0.0, -0.0, 3.0]), np.array([0, 0, 1, 3, 3])), cells=64)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_kernels_equal_a_loop_to_the_last_bit(
    kernels: ModuleType, name: str, case: Segments, cells: int
) -> None:
    values, start = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_kernels, "BLOCK_CELLS", cells)
        got = getattr(kernels, name)(values, start)
    assert same_bits(got, LOOPS[name](values, start))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_compiled_and_plain_agree_on_many_long_lists(name: str) -> None:
    compiled = pytest.importorskip("polyseme._kernels", reason="not compiled here")
    rng = np.random.default_rng(7)
    lengths = rng.integers(0, 60, 20_000)
    lengths[::1000] = 5_000
    start = np.concatenate([[0], np.cumsum(lengths)])
    values = rng.random(start[-1])
    assert same_bits(
        getattr(compiled, name)(values, start), getattr(plain_kernels, name)(values, start)
    )


@pytest.mark.parametrize("name", FUNCTIONS)
def test_anything_like_an_array_will_do(name: str) -> None:
    function = getattr(chosen, name)
    expected = {"running_sum": [1, 3, 3, 7], "running_product": [1, 1, 1, 3]}[name]
    assert function([1, 2, 3, 4], [0, 2, 4]).tolist() == expected
    strided = np.repeat(np.arange(1.0, 5.0), 2)[::2]
    strided.flags.writeable = False
    assert function(strided, np.array([0, 2, 4], np.int32)).tolist() == expected


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(
    ("start", "message"),
    [
        ([], "begin with 0"),
        ([1, 3], "begin with 0"),
        ([0, 2], "number of values, 3"),
        ([0, 4], "number of values, 3"),
        ([0, 2, 1, 3], "must not descend"),
        ([[0, 3]], "one dimension"),
    ],
)
def test_a_start_that_does_not_divide_the_values_is_refused(
    name: str, start: list[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        getattr(chosen, name)([1.0, 2.0, 3.0], start)


@pytest.mark.parametrize(("setting", "forced"), [("1", True), ("0", False), ("", False)])
def test_an_environment_variable_forces_the_plain_kernels(setting: str, forced: bool) -> None:
    forced = forced or importlib.util.find_spec("polyseme._kernels") is None
    done = subprocess.run(
        [sys.executable, "-c", "from polyseme.kernels import COMPILED; print(COMPILED)"],
        env={**os.environ, "POLYSEME_PLAIN": setting},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str(not forced)


@given(st.lists(st.integers(0, 6), max_size=40))
def test_members_are_grouped_in_their_order(groups: list[int]) -> None:
    expected = [at for group in range(7) for at, held in enumerate(groups) if held == group]
    start = [sum(held < group for held in groups) for group in range(8)]
    modules: list[ModuleType] = [plain_kernels, chosen]
    for module in modules:
        order, begin = module.grouped(np.array(groups, dtype=np.int64), 7)
        assert order.tolist() == expected
        assert begin.tolist() == start


def test_a_group_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ValueError, match="from 0 and below 3"):
        chosen.grouped([0, 3], 3)


# --- sums and ideals ------------------------------------------------------------------------------

MODULES: list[ModuleType] = [plain_kernels, chosen._chosen]


@given(case=segments(), data=st.data())
def test_sums_equal_a_loop_to_the_last_bit(case: Segments, data: st.DataObject) -> None:
    values, start = case
    small = st.floats(-4, 4)
    factors = data.draw(st.none() | arrays(np.float64, len(values), elements=small))
    rank = np.concatenate([np.arange(1.0, n + 1) for n in np.diff(start)] or [np.zeros(0)])
    deepest = data.draw(st.none() | st.integers(0, 12))
    expected = []
    for begin, end in pairwise(start.tolist()):
        total = 0.0
        for at in range(begin, end):
            if deepest is None or rank[at] <= deepest:
                total += float(values[at]) * (1.0 if factors is None else float(factors[at]))
        expected.append(total)
    for module in MODULES:
        held = None if deepest is None else rank
        far = np.inf if deepest is None else float(deepest)
        with np.errstate(all="ignore"):
            got = module.sums(values, factors, start, held, far)
        assert same_bits(got, expected)


@given(case=segments(), data=st.data())
def test_a_list_has_below_its_end_what_it_ends_with(case: Segments, data: st.DataObject) -> None:
    cumulated, start = case
    lists = len(start) - 1
    asked = data.draw(st.lists(st.integers(0, lists - 1), max_size=6)) if lists else []
    ranks = [sorted(data.draw(st.lists(st.integers(0, 50), max_size=5))) for _ in asked]
    held = [
        0.0
        if not min(rank, stop - begin)
        else float(cumulated[begin + min(rank, stop - begin) - 1])
        for of, mine in zip(asked, ranks, strict=True)
        for begin, stop in [(int(start[of]), int(start[of + 1]))]
        for rank in mine
    ]
    bounds = np.concatenate([[0], np.cumsum([len(mine) for mine in ranks], dtype=np.int64)])
    flat = np.array([rank for mine in ranks for rank in mine], dtype=np.float64)
    for module in MODULES:
        got = module.at_depth(
            cumulated, start, np.array(asked, dtype=np.int64), bounds.astype(np.int64), flat
        )
        assert same_bits(got, held)


@st.composite
def relevances(draw: st.DrawFn) -> dict[str, NDArray[np.int64] | NDArray[np.float64]]:
    """Topics of some documents and intents, and what documents are worth for some intents."""
    sizes = draw(st.lists(st.tuples(st.integers(0, 7), st.integers(1, 4)), max_size=4))
    values: list[float] = []
    intents: list[int] = []
    pairs, first = [0], 0
    for documents, own in sizes:
        for _ in range(documents):
            here = sorted(draw(st.sets(st.integers(0, own - 1))))
            intents += [first + intent for intent in here]
            values += [draw(st.sampled_from([0.0, 0.5, 1.0, 3.0])) for _ in here]
            pairs.append(len(values))
        first += own
    return {
        "document_start": np.cumsum([0, *(size for size, _ in sizes)], dtype=np.int64),
        "pair_start": np.array(pairs, dtype=np.int64),
        "intent_start": np.cumsum([0, *(own for _, own in sizes)], dtype=np.int64),
        "intent": np.array(intents, dtype=np.int64),
        "value": np.array(values, dtype=np.float64),
    }


def slow_greedy(held: dict[str, Any], left: float, depth: int) -> tuple[list[int], list[int]]:
    """Every remaining document looked at anew at each step."""
    numbers, chosen_rows = [], []
    for low, high in pairwise(held["document_start"].tolist()):
        gains = {
            row: {
                int(held["intent"][pair]): float(held["value"][pair])
                for pair in range(held["pair_start"][row], held["pair_start"][row + 1])
            }
            for row in range(low, high)
        }
        remaining = [row for row in range(low, high) if gains[row]]
        state: dict[int, float] = {}
        rows: list[int] = []
        while remaining and len(rows) != depth:

            def worth(row: int) -> tuple[float, int]:
                total = 0.0
                for intent, value in gains[row].items():  # noqa: B023
                    total += value * state.get(intent, 1.0)  # noqa: B023
                return total, row

            best = max(remaining, key=worth)
            remaining.remove(best)
            rows.append(best)
            for intent, value in gains[best].items():
                if value > 0:
                    state[intent] = state.get(intent, 1.0) * left
        numbers.append(len(rows))
        chosen_rows += rows
    return numbers, chosen_rows


@given(relevances(), st.sampled_from([0.0, 0.3, 0.5, 1.0]), st.integers(-1, 5))
def test_a_greedy_ideal_takes_at_each_step_what_adds_most(
    held: dict[str, Any], left: float, depth: int
) -> None:
    expected = slow_greedy(held, left, depth)
    for module in MODULES:
        number, rows = module.greedy(*held.values(), left, depth)
        assert (number.tolist(), rows.tolist()) == expected


@given(relevances(), st.data())
def test_hits_are_spread_over_what_they_are_relevant_to(
    held: dict[str, Any], data: st.DataObject
) -> None:
    documents = len(held["pair_start"]) - 1
    hits = st.lists(st.integers(0, documents - 1), max_size=6) if documents else st.just([])
    lists = data.draw(st.lists(hits, max_size=4))
    intents = int(held["intent_start"][-1])
    row = np.array([row for one in lists for row in one], dtype=np.int64)
    start = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    base = np.arange(len(lists)) * intents
    expected = [
        (int(base[n] + held["intent"][pair]), hit, float(held["value"][pair]))
        for n in range(len(lists))
        for hit in range(start[n], start[n + 1])
        for pair in range(held["pair_start"][row[hit]], held["pair_start"][row[hit] + 1])
        if held["value"][pair] > 0
    ]
    expected.sort(key=lambda one: one[:2])
    number = len(lists) * intents
    for module in MODULES:
        begin, hit, gain = module.spread(
            row, start, base, held["pair_start"], held["intent"], held["value"], number
        )
        group = np.repeat(np.arange(number), np.diff(begin)).tolist()
        assert list(zip(group, hit.tolist(), gain.tolist(), strict=True)) == expected


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from([0.5, 1.0, 3.0])), max_size=40))
def test_members_are_ranked_by_gain_and_the_later_first(members: list[tuple[int, float]]) -> None:
    expected = sorted(range(len(members)), key=lambda n: (members[n][0], -members[n][1], -n))
    group = np.array([group for group, _ in members], dtype=np.int64)
    gain = np.array([gain for _, gain in members], dtype=np.float64)
    for module in MODULES:
        order, start = module.ranked(group, 5, gain)
        assert order.tolist() == expected
        assert np.diff(start).tolist() == np.bincount(group, minlength=5).tolist()


def test_arrays_that_do_not_fit_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="2 of them"):
        chosen.sums([1.0, 2.0], [0, 2], [1.0])
    with pytest.raises(ValueError, match="go together"):
        chosen.sums([1.0, 2.0], [0, 2], rank=[1.0, 2.0])
    with pytest.raises(ValueError, match="one of the lists"):
        chosen.at_depth([1.0], [0, 1], [1], [0, 1], [1.0])
    with pytest.raises(ValueError, match="outside the judgments"):
        chosen.spread([1], [0, 1], [0], [0, 1], [0], [1.0], 1)
    with pytest.raises(ValueError, match="outside the judgments"):
        chosen.spread([0], [0, 1], [1], [0, 1], [0], [1.0], 1)
    with pytest.raises(ValueError, match="those of its topic"):
        chosen.greedy([0, 1], [0, 1], [0, 1], [1], [1.0], 0.5, None)
