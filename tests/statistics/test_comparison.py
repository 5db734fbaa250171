from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import PolysemeError
from polyseme.scores import Scores
from polyseme.statistics import compare, tukey_hsd
from polyseme.statistics.adjusting import adjusted
from polyseme.statistics.comparison import TESTS
from polyseme.statistics.grouping import groups, letters
from score_matrices import scores_of


def drawn(runs: int = 4, topics: int = 10, measures: int = 2, seed: int = 0) -> Scores:
    rng = np.random.default_rng(seed)
    return scores_of(rng.random((runs, topics, measures)) + 0.2 * np.arange(runs)[:, None, None])


def test_holm_and_benjamini_hochberg_are_those_of_r() -> None:
    # p.adjust(c(.01, .04, .03, .005, .2), "holm") and "BH" of R 4
    p = np.array([0.01, 0.04, 0.03, 0.005, 0.2])
    assert adjusted(p, "holm") == pytest.approx([0.04, 0.09, 0.09, 0.025, 0.2])
    assert adjusted(p, "bh") == pytest.approx([0.025, 0.05, 0.05, 0.025, 0.2])
    assert adjusted(p, "none") is p
    assert adjusted(np.array([[0.6, 0.9]]), "holm").tolist() == [[1.0, 1.0]]


def test_tukey_hsd_is_the_usual_test_and_keeps_its_p_values() -> None:
    held = drawn()
    found = compare(held, trials=200, seed=3)
    plain = tukey_hsd(held, trials=200, seed=3)
    assert np.array_equal(found.p, plain.p)
    assert np.array_equal(found.difference, plain.difference)
    against = compare(held, trials=200, seed=3, baseline="r1")
    assert [found.runs[a] for a, _ in against.pairs] == ["r0", "r2", "r3"]
    assert against.p_of("m1", "r0", "r1") == plain.p_of("m1", "r1", "r0")
    assert against.difference[0, 1] == -plain.difference[0, plain.pairs.index((1, 2))]


@pytest.mark.parametrize("test", TESTS)
def test_every_test_compares_every_pair_on_every_measure(test: str) -> None:
    found = compare(drawn(), test=test, trials=100, seed=2)  # type: ignore[arg-type]
    rows = list(found.report().data.records())
    assert len(rows) == 2 * 6
    assert list(rows[0]) == ["measure", "a", "b", "difference", "effect", "p", "significant"]
    values = drawn().values
    for row, (measure, (a, b)) in zip(
        rows, [(m, pair) for m in range(2) for pair in combinations(range(4), 2)], strict=True
    ):
        expected = (values[a, :, measure] - values[b, :, measure]).mean()
        assert row["difference"] == pytest.approx(expected)
    held = json.loads(found.to_json())["provenance"]
    assert {"B", "seed", "correction", "test"} <= set(held)


def test_paired_tests_are_corrected_over_the_pairs_of_a_measure() -> None:
    raw = compare(drawn(), test="t", adjust="none")
    assert compare(drawn(), test="t").p == pytest.approx(adjusted(raw.p, "holm"))
    assert compare(drawn(), test="t", adjust="bh").p == pytest.approx(adjusted(raw.p, "bh"))


@pytest.mark.parametrize("test", TESTS)
def test_how_much_is_held_at_once_changes_nothing(
    test: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = drawn(measures=5)
    whole = compare(held, test=test, trials=60)  # type: ignore[arg-type]
    monkeypatch.setattr("polyseme.statistics.paired._PAIRS_HELD", 130)
    monkeypatch.setattr("polyseme.statistics.significance._HELD", 700)
    parts = compare(held, test=test, trials=60, jobs=3)  # type: ignore[arg-type]
    assert np.array_equal(whole.p, parts.p)
    assert np.array_equal(whole.effect, parts.effect)
    assert np.array_equal(whole.difference, parts.difference)


@pytest.mark.parametrize("test", TESTS)
def test_progress_is_told_until_all_is_done(test: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyseme.statistics.paired._PAIRS_HELD", 50)
    told: list[tuple[int, int]] = []
    compare(drawn(), test=test, trials=60, progress=lambda *done: told.append(done))  # type: ignore[arg-type]
    assert len(told) > 1
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert {of for _, of in told} == {told[-1][0]}


def test_runs_may_be_compared_with_several_baselines() -> None:
    held = drawn()
    found = compare(held, test="t", baseline=["r1", "r3"])
    names = [(found.runs[a], found.runs[b]) for a, b in found.pairs]
    assert names == [("r0", "r1"), ("r2", "r1"), ("r3", "r1"), ("r0", "r3"), ("r2", "r3")]
    raw = compare(held, test="t", adjust="none")
    expected = [[raw.p_of(measure, a, b) for a, b in names] for measure in held.measures]
    assert found.p == pytest.approx(adjusted(np.array(expected), "holm"))
    one = compare(held, baseline=["r1"], trials=50)
    assert one.p.tolist() == compare(held, baseline="r1", trials=50).p.tolist()
    assert json.loads(one.to_json())["baselines"] == ["r1"]


def test_all_ways_to_flip_are_said_to_be_all() -> None:
    few = compare(drawn(topics=5), test="sign-flip")
    assert few.trials == 32
    assert any("all the ways" in note for note in few.report().notes)
    many = compare(drawn(topics=5), test="sign-flip", trials=31)
    assert many.trials == 31
    assert not any("all the ways" in note for note in many.report().notes)


def test_intervals_of_means_are_students() -> None:
    from scipy import stats

    held = drawn()
    found = compare(held, test="t")
    x = held.values[1, :, 0]
    low, high = stats.t.interval(0.95, 9, x.mean(), x.std(ddof=1) / np.sqrt(10))
    assert found.means[0, 1] - found.half[0, 1] == pytest.approx(low)
    assert found.means[0, 1] + found.half[0, 1] == pytest.approx(high)


@given(
    st.integers(1, 7).flatmap(
        lambda n: st.tuples(
            st.just(n), st.sets(st.sampled_from(list(combinations(range(n), 2)) or [(0, 0)]))
        )
    )
)
def test_letters_are_shared_by_just_those_who_do_not_differ(
    case: tuple[int, set[tuple[int, int]]],
) -> None:
    count, differing = case
    differing = {pair for pair in differing if pair[0] != pair[1]}
    said = letters(count, sorted(differing))
    assert all(said)
    for a, b in combinations(range(count), 2):
        assert bool(set(said[a]) & set(said[b])) == ((a, b) not in differing)
    sets = [set(group) for group in groups(count, sorted(differing))]
    assert not any(one < other for one in sets for other in sets)


def test_the_best_runs_group_is_a() -> None:
    values = (
        np.random.default_rng(1).normal(0, 0.01, (3, 12, 1)) + np.array([0, 5, 5])[:, None, None]
    )
    found = compare(scores_of(values), trials=200)
    said = found.letters("m0")
    assert said["r0"] == "b"
    assert {said["r1"], said["r2"]} == {"a"}
    shown = found.report().seen[0]
    assert shown.names == ("measure", "run", "mean", "low", "high", "groups")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ({"test": "anova"}, "test must be hsd"),
        ({"adjust": "holm"}, "by itself"),
        ({"test": "t", "correction": "plus1"}, "for Tukey HSD"),
        ({"test": "t", "adjust": "x"}, "holm or bh"),
        ({"baseline": "r9"}, "not among the runs; there are r0, r1, r2, r3"),
        ({"level": 1.5}, "between 0 and 1"),
    ],
)
def test_what_does_not_go_together_is_told(said: dict[str, object], text: str) -> None:
    with pytest.raises(PolysemeError, match=text):
        compare(drawn(), **said)  # type: ignore[arg-type]


def test_one_run_alone_is_told_to_bring_others() -> None:
    alone = drawn(runs=1)
    told = r"at least two runs are needed to compare. Got 1 instead.\n  to mend it: name more runs"
    for tested in (compare, tukey_hsd):
        with pytest.raises(PolysemeError, match=told):
            tested(alone)


def test_gaps_are_told_before_anything_is_compared() -> None:
    held = drawn()
    held.entered[1, 2] = False
    with pytest.raises(PolysemeError, match="--missing"):
        compare(held, test="t")
    assert compare(held, test="t", missing="drop-topic").topics == 9
