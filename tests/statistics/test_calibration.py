"""Where runs do not differ, tests must not find that they do oftener than they promise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from polyseme.groups import Floats
from polyseme.statistics import compare, tukey_hsd
from score_matrices import scores_of

COLLECTIONS = 1000
RUNS, TOPICS = 8, 25


def without_differences(rng: np.random.Generator, kind: str) -> Floats:
    """Scores of equally good runs: topics differ in difficulty and in how far scores scatter."""
    difficulty = rng.random((1, TOPICS))
    if kind == "skewed":
        return rng.beta(0.4 + 2 * difficulty, 2.0, (RUNS, TOPICS))
    return difficulty + rng.random((1, TOPICS)) * rng.normal(size=(RUNS, TOPICS))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "skewed"])
def test_tukey_hsd_keeps_the_family_wise_error_at_5_percent(kind: str) -> None:
    rng = np.random.default_rng(20)
    alarms = 0
    for collection in range(COLLECTIONS):
        held = scores_of(without_differences(rng, kind)[:, :, None])
        alarms += (tukey_hsd(held, trials=1000, seed=collection).p < 0.05).any()
    low, high = binom.interval(0.95, COLLECTIONS, 0.05)
    assert low <= alarms <= high


@pytest.mark.slow
def test_holm_keeps_the_family_wise_error_of_paired_tests_below_5_percent() -> None:
    rng = np.random.default_rng(21)
    alarms = 0
    for _ in range(COLLECTIONS):
        held = scores_of(without_differences(rng, "normal")[:, :, None])
        alarms += (compare(held, test="t").p < 0.05).any()
    assert alarms <= binom.interval(0.95, COLLECTIONS, 0.05)[1]
