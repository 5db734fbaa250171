from __future__ import annotations

import importlib
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme import plain_trials, trials
from polyseme.groups import Floats, Ints


@pytest.fixture(params=["plain", "compiled"])
def module(request: pytest.FixtureRequest) -> ModuleType:
    name = {"plain": "polyseme.plain_trials", "compiled": "polyseme._trials"}[request.param]
    try:
        return importlib.import_module(name)
    except ImportError:
        pytest.skip(f"{name} was not compiled here")


def by_hand(
    ranked: Ints, gains: Floats, alphas: Floats, discounts: Floats, cutoffs: list[int]
) -> Floats:
    """Lists x intents x cutoffs x alphas x discounts, one term after another."""
    found = np.zeros((len(ranked), gains.shape[1], len(cutoffs), len(alphas), len(discounts)))
    for n, i, k, a, d in np.ndindex(found.shape):
        seen = 0
        for r, document in enumerate(ranked[n].tolist()[: cutoffs[k]]):
            if document >= 0 and gains[document, i] > 0:
                worth = gains[document, i] * (1 - alphas[a]) ** seen
                found[n, i, k, a, d] += worth * discounts[d, r]
                seen += 1
    return found


@given(st.integers(0, 2**32), st.integers(0, 4), st.integers(1, 4), st.integers(1, 6))
def test_novelty_means_are_their_definition_in_both_forms(
    seed: int, lists: int, intents: int, depth: int
) -> None:
    rng = np.random.default_rng(seed)
    gains = rng.integers(0, 3, (5, intents)) * rng.random((5, intents))
    ranked = rng.integers(-1, 5, (lists, depth))
    alphas, cutoffs = np.array([0.0, 0.3, 1.0]), [1, 3, 9]
    discounts = rng.random((2, 9))
    powers = (1 - alphas)[:, None] ** np.arange(9.0)
    scale = rng.random((3, intents, len(cutoffs) * 6))
    each = by_hand(ranked, gains, alphas, discounts, cutoffs).reshape(lists, intents, 18)
    expected = (each[:, None] * scale).sum(axis=2)
    expected[:, 1] = np.maximum(each * scale[1], 0.01).prod(axis=1)
    forms = [trials.novelty_means]
    found = [
        form(ranked, gains, powers, discounts, cutoffs, scale, product=1, floor=0.01)
        for form in forms
    ]
    plain = plain_trials.novelty_means(
        *(
            np.ascontiguousarray(x, dtype=float) if x is not ranked else ranked
            for x in (ranked, gains, powers, discounts)
        ),
        np.array(cutoffs),
        scale,
        1,
        0.01,
        1.0,
    )
    assert found[0] == pytest.approx(expected)
    assert np.array_equal(found[0], plain)


def test_roots_are_taken_of_each_factor(module: ModuleType) -> None:
    ranked, gains = np.array([[0, -1]]), np.array([[1.0, 0.0]])
    powers, discounts, scale = np.ones((1, 2)), np.array([[1.0, 0.5]]), np.full((1, 2, 1), 0.25)
    found = module.novelty_means(
        ranked, gains, powers, discounts, np.array([2]), scale, 0, 0.04, 0.5
    )
    assert found[0, 0, 0] == pytest.approx(0.5 * 0.2)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ranked", [[5]]),
        ("ranked", [[-2]]),
        ("ranked", [0]),
        ("powers", np.ones((1, 0))),
        ("discounts", np.ones((1, 0))),
        ("cutoffs", [0]),
        ("cutoffs", [2, 2]),
        ("scale", np.ones((1, 1, 2))),
    ],
)
def test_arguments_that_would_reach_outside_are_refused(name: str, value: object) -> None:
    said: dict[str, object] = {
        "ranked": [[0]],
        "gains": [[1.0]],
        "powers": [[1.0]],
        "discounts": [[1.0]],
        "cutoffs": [1],
        "scale": [[[1.0]]],
    }
    assert trials.novelty_means(**said).tolist() == [[[1.0]]]  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        trials.novelty_means(**{**said, name: value})  # type: ignore[arg-type]


@given(st.integers(0, 2**64 - 1), st.integers(0, 5), st.integers(0, 9))
def test_permutations_are_the_same_in_both_forms_and_in_any_pieces(
    seed: int, first: int, count: int
) -> None:
    by_topic = np.random.default_rng(1).random((3, 4, 2))
    whole = trials.permuted_ranges(by_topic, seed=seed, first=0, trials=first + count)
    part = trials.permuted_ranges(by_topic, seed=seed, first=first, trials=count)
    assert np.array_equal(whole[first:], part)
    start = np.array([(seed + 0x9E3779B97F4A7C15) % 2**64], dtype=np.uint64)
    key = int(plain_trials.mixed(start)[0])
    assert np.array_equal(plain_trials.permuted_ranges(by_topic, key, first, count), part)


def test_permutations_of_nothing_have_no_range(module: ModuleType) -> None:
    assert module.permuted_ranges(np.ones((2, 1, 3)), 1, 0, 2).tolist() == [[0.0] * 3] * 2
    assert module.permuted_ranges(np.ones((2, 3, 0)), 1, 0, 2).shape == (2, 0)
    with pytest.raises(ValueError, match="three dimensions"):
        trials.permuted_ranges([1.0], seed=0, first=0, trials=1)
    with pytest.raises(ValueError, match="0 or more"):
        trials.permuted_ranges(np.ones((1, 1, 1)), seed=0, first=-1, trials=1)
