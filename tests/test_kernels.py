from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from itertools import pairwise
from types import ModuleType

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
