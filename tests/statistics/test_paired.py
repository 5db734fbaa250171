from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats

from polyseme.errors import PolysemeError
from polyseme.groups import Floats
from polyseme.statistics import paired


def exact_t(values: list[Fraction]) -> tuple[int, Fraction]:
    """|t| as something that can be compared: (1, 0) for infinity, else (0, t^2)."""
    n = len(values)
    mean = sum(values, Fraction(0)) / n
    variance = sum(((v - mean) ** 2 for v in values), Fraction(0)) / (n - 1)
    if variance == 0:
        return (0, Fraction(0)) if mean == 0 else (1, Fraction(0))
    return 0, mean * mean * n / variance


def by_definition(values: list[Fraction], counts: Floats) -> Fraction:
    """Sakai 2006, figure 1, in exact numbers."""
    observed = exact_t(values)
    mean = sum(values, Fraction(0)) / len(values)
    hits = 0
    for row in counts.astype(int).tolist():
        resample = [v - mean for v, times in zip(values, row, strict=True) for _ in range(times)]
        hits += exact_t(resample) >= observed
    return Fraction(hits, len(counts))


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 3],
        [0, 0, 1],
        [1, 1, 1],
        [0, 0, 0],
        [-1, 1, 0],
        [2, 2, -1],
        [5, 1, 1, 1],
        [1, -1, 1, -1],
        [3, 0, 0, 1],
    ],
)
@pytest.mark.parametrize("scale", [1, 7, 1000])
def test_the_bootstrap_is_its_definition_over_all_resamples(values: list[int], scale: int) -> None:
    n = len(values)
    every = np.array([np.bincount(drawn, minlength=n) for drawn in product(range(n), repeat=n)])
    exact = [Fraction(value, scale) for value in values]
    columns = np.array([[float(value)] for value in exact])
    found = paired.share_reaching(every, columns)
    assert found[0] == pytest.approx(float(by_definition(exact, every)), abs=1e-12)


def test_the_bootstrap_of_many_columns_is_that_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    differences = np.random.default_rng(3).normal(0.1, 1, (12, 9))
    together = paired.bootstrap(differences, trials=400, seed=5)
    for column in range(9):
        alone = paired.bootstrap(differences[:, [column]], trials=400, seed=5)
        assert alone[0] == together[column]
    monkeypatch.setattr(paired, "_SMALL", 100)
    assert np.array_equal(paired.bootstrap(differences, trials=400, seed=5), together)


def test_the_bootstrap_agrees_with_a_loop_in_floating_point() -> None:
    z = np.random.default_rng(8).normal(0.3, 1, 20)
    counts = paired.bootstrap_counts(20, 500, seed=1)
    assert (counts.sum(axis=1) == 20).all()
    t = z.mean() / (z.std(ddof=1) / math.sqrt(20))
    w, hits = z - z.mean(), 0
    for row in counts:
        star = np.repeat(w, row)
        hits += abs(star.mean() / (star.std(ddof=1) / math.sqrt(20))) >= abs(t)
    assert paired.bootstrap(z[:, None], trials=500, seed=1)[0] == hits / 500


def test_a_constant_difference_cannot_be_chance_and_none_can() -> None:
    columns = np.array([[0.1, 0.0], [0.1, 0.0], [0.1, 0.0]])
    for test in (paired.bootstrap, paired.paired_t):
        assert test(columns).tolist() == [0.0, 1.0]
    assert np.isnan(paired.paired_effects(columns)).all()
    assert paired.wilcoxon(columns)[1] == 1


def test_t_and_wilcoxon_are_scipys() -> None:
    z = np.random.default_rng(2).normal(0.2, 1, (15, 4))
    assert paired.paired_t(z) == pytest.approx(stats.ttest_1samp(z, 0).pvalue)
    expected = [stats.wilcoxon(column).pvalue for column in z.T]
    assert paired.wilcoxon(z) == pytest.approx(expected)


def test_sign_flips_are_all_taken_where_they_are_few() -> None:
    z = np.random.default_rng(4).normal(0.5, 1, (8, 3))
    flips = np.array(list(product([1, -1], repeat=8)))
    expected = (np.abs(flips @ z) / 8 >= np.abs(z.mean(axis=0)) - 1e-10).mean(axis=0)
    assert paired.sign_flips(z).tolist() == expected.tolist()
    drawn = paired.sign_flips(z, trials=255, seed=1)
    assert drawn == pytest.approx(expected, abs=0.15)
    assert paired.sign_flips(z, trials=255, seed=1).tolist() == drawn.tolist()


def test_one_topic_is_too_few() -> None:
    for test in (paired.bootstrap, paired.paired_t):
        with pytest.raises(PolysemeError, match="two topics"):
            test(np.ones((1, 1)))
