from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from polyseme.errors import PolysemeError
from polyseme.groups import Floats
from polyseme.scores import Scores
from polyseme.statistics import complete_matrix, significance, tukey_hsd
from score_matrices import scores_of


def drawn(runs: int, topics: int, measures: int, seed: int = 0) -> Scores:
    rng = np.random.default_rng(seed)
    ability = rng.random(runs)[:, None, None] * 0.3
    return scores_of(rng.random((runs, topics, measures)) + ability)


def test_two_systems_are_judged_as_by_all_sign_flips() -> None:
    held = drawn(2, 8, 1, seed=4)
    differences = held.values[0, :, 0] - held.values[1, :, 0]
    observed = abs(differences.mean())
    flips = np.array(list(product([1, -1], repeat=8)))
    exact = (np.abs((flips * differences).mean(axis=1)) >= observed - 1e-10).mean()
    found = tukey_hsd(held, trials=20_000, seed=1)
    assert found.p[0, 0] == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 20_000))


def test_p_values_are_those_of_a_slow_loop_over_the_same_permutations() -> None:
    held = drawn(4, 5, 2, seed=2)
    trials = 300
    found = tukey_hsd(held, trials=trials, seed=9)
    by_topic = held.values.transpose(1, 0, 2)
    reached = np.zeros((2, len(found.pairs)))
    for trial in range(trials):
        permuted = shuffled(by_topic, 9, trial)
        for measure in range(2):
            means = [float(np.mean(permuted[:, run, measure])) for run in range(4)]
            for pair, (a, b) in enumerate(found.pairs):
                size = abs(float(np.mean(held.values[a, :, measure] - held.values[b, :, measure])))
                reached[measure, pair] += max(means) - min(means) >= size - 1e-10
    assert np.array_equal(found.p, reached / trials)


def test_each_measure_is_tested_as_if_it_were_alone() -> None:
    held = drawn(5, 12, 3)
    together = tukey_hsd(held, trials=500)
    for place, measure in enumerate(held.measures):
        alone = tukey_hsd(held.select(measures=measure), trials=500)
        assert np.array_equal(together.p[place], alone.p[0])


def test_neither_chunks_nor_threads_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    held = drawn(5, 7, 2)
    whole = tukey_hsd(held, trials=400, seed=3)
    monkeypatch.setattr(significance, "_HELD", 700)
    assert np.array_equal(tukey_hsd(held, trials=400, seed=3).p, whole.p)
    assert np.array_equal(tukey_hsd(held, trials=400, seed=3, jobs=3).p, whole.p)
    assert not np.array_equal(tukey_hsd(held, trials=400, seed=4).p, whole.p)


def splitmix64(start: int, steps: int) -> int:
    """A number of the generator as its authors wrote it (Steele, Lea and Flood 2014)."""
    z = (start + steps * 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return z ^ (z >> 31)


def shuffled(by_topic: Floats, seed: int, trial: int) -> Floats:
    """Fisher and Yates's shuffle of each topic's runs, in one trial."""
    topics, runs, _ = by_topic.shape
    key = splitmix64(seed, 1)
    permuted = np.empty_like(by_topic)
    for topic in range(topics):
        order = list(range(runs))
        for run in range(runs - 1, -1, -1):
            number = (trial * topics + topic) * runs + run
            other = (splitmix64(key, number + 1) >> 32) * (run + 1) >> 32
            order[run], order[other] = order[other], order[run]
            permuted[topic, run] = by_topic[topic, order[run]]
    return permuted


def test_every_permutation_is_as_likely_as_another() -> None:
    scores_of = np.array([[[1.0], [2.0], [3.0]]])
    drawn_orders = [shuffled(scores_of, 5, trial)[0, :, 0].tolist() for trial in range(6000)]
    _, seen = np.unique(drawn_orders, axis=0, return_counts=True)
    assert len(seen) == 6
    assert (np.abs(seen - 1000) < 150).all()


def test_plus1_counts_the_observed_scores_as_one_more_trial() -> None:
    held = drawn(3, 6, 1)
    plain = tukey_hsd(held, trials=99)
    corrected = tukey_hsd(held, trials=99, correction="plus1")
    assert corrected.p == pytest.approx((plain.p * 99 + 1) / 100)


def test_systems_that_are_alike_have_a_p_of_1() -> None:
    values = np.repeat(np.random.default_rng(0).random((1, 5, 1)), 3, axis=0)
    found = tukey_hsd(scores_of(values), trials=50)
    assert (found.p == 1).all()
    assert not np.array(found.significant).any()
    assert np.isnan(found.effect).all()


def test_effects_are_in_residual_standard_deviations() -> None:
    held = drawn(3, 6, 1)
    x = held.values[:, :, 0]
    rest = sum(
        (x[i, j] - x[i].mean() - x[:, j].mean() + x.mean()) ** 2 for i in range(3) for j in range(6)
    )
    found = tukey_hsd(held, trials=10)
    assert found.effect[0, 0] == pytest.approx(
        (x[0].mean() - x[1].mean()) / np.sqrt(rest / (2 * 5))
    )


def test_a_matrix_with_gaps_is_an_error_unless_it_is_said_what_they_are() -> None:
    held = drawn(3, 4, 1)
    held.entered[1, 2] = False
    with pytest.raises(PolysemeError, match=r"run r1, topic t2.*\n.*--missing"):
        tukey_hsd(held, trials=10)
    assert complete_matrix(held, "drop-topic").shape == (3, 3, 1)
    assert complete_matrix(held, "zero")[1, 2, 0] == 0
    assert tukey_hsd(held, trials=10, missing="zero").topics == 4


def test_a_score_that_one_measure_lacks_leaves_the_other_measures_alone() -> None:
    held = drawn(3, 4, 2)
    before = held.values.copy()
    held.values[1, 2, 0] = np.nan
    with pytest.raises(PolysemeError, match="run r1, topic t2, measure m0"):
        complete_matrix(held)
    before[1, 2, 0] = 0.0
    assert complete_matrix(held, "zero").tolist() == before.tolist()
    # all measures are tested on the same topics
    assert complete_matrix(held, "drop-topic").shape == (3, 3, 2)


def test_topics_that_enter_no_mean_are_no_gaps() -> None:
    held = drawn(3, 4, 1)
    held.entered[:, 2] = False
    assert tukey_hsd(held, trials=10).topics == 3


def test_rows_name_pairs_with_their_p_values() -> None:
    found = tukey_hsd(drawn(3, 6, 2), trials=10, seed=2)
    table = found.table()
    assert table.names == ("measure", "a", "b", "difference", "effect", "p", "significant")
    assert [row[:3] for row in table.rows][:2] == [("m0", "r0", "r1"), ("m0", "r0", "r2")]
    assert found.p_of("m1", "r2", "r0") == found.p[1, 1]


@pytest.mark.parametrize(
    ("said", "text"),
    [({"trials": 0}, "trials"), ({"correction": "x"}, "plus1"), ({"missing": "x"}, "drop-topic")],
)
def test_wrong_arguments_are_named(said: dict[str, object], text: str) -> None:
    with pytest.raises(PolysemeError, match=text):
        tukey_hsd(drawn(2, 3, 1), **said)  # type: ignore[arg-type]


def test_one_run_cannot_be_compared() -> None:
    with pytest.raises(PolysemeError, match="two runs"):
        tukey_hsd(drawn(1, 3, 1))
