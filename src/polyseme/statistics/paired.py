"""Tests of the mean of paired differences: bootstrap, t, Wilcoxon, sign flips.

Every function takes differences, topics (first axis) x tests (second), and gives a p-value for
each column. One set of resamples or flips serves all columns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from polyseme.engine import Engine, map_partitions
from polyseme.errors import PolysemeError
from polyseme.groups import Floats, Ints

#: what rounding may take from a difference
TOLERANCE = 1e-10
#: a variance below this share of the mean square is rounding, not variance
_NO_VARIANCE = 1e-12
#: a number below this share of its column's largest is rounding
_NOTHING = 1e-13
#: multiplications in one product of matrices: linear algebra libraries do not divide so few among
#: threads of their own, which would wait for each other on a busy machine
_SMALL = 200_000
#: numbers of differences that one thread holds
_PAIRS_HELD = 500_000
#: how many of all trials are done
Progress = Callable[[int, int], None]


def bootstrap_counts(topics: int, trials: int, seed: int) -> Ints:
    """How often each resample (first axis) holds each topic (second)."""
    if trials < 1:
        raise PolysemeError(f"trials must be 1 or more. Got {trials} instead.")
    rng = np.random.Generator(np.random.Philox(key=seed))
    drawn = rng.integers(0, topics, (trials, topics))
    place = drawn + topics * np.arange(trials)[:, None]
    return np.bincount(place.reshape(-1), minlength=trials * topics).reshape(trials, topics)


def bootstrap(differences: Floats, *, trials: int = 1000, seed: int = 0) -> Floats:
    """The paired bootstrap test of Sakai 2006, section 3: the share of |t*| >= |t|.

    t = mean / (sd / sqrt(n)) of the differences, t* of resamples of the differences less their
    mean. Where a resample has no variance, t* is infinite, or 0 if its mean is 0.
    """
    topics = len(differences)
    counts = bootstrap_counts(topics, trials, seed)
    return share_reaching(counts, differences)


def share_reaching(counts: Ints, differences: Floats) -> Floats:
    """The same with resamples at hand; columns are taken some at a time."""
    trials, topics = counts.shape
    _check_topics(topics)
    # Both sides of |t*| >= |t| are squared and the variance of a resample is written out, S1 and S2
    # being its sums and sums of squares: S1^2 >= k S2, where k belongs to the column.
    mean = differences.mean(axis=0)
    centred = _centred(differences, mean)
    variance = (centred**2).sum(axis=0) / (topics - 1)
    squared = topics * mean**2 / (topics - 1) * (1.0 - TOLERANCE)
    k = np.divide(
        topics * squared, variance + squared, out=np.zeros(len(mean)), where=squared > 0.0
    )
    weight = _Rows(counts)
    found = np.empty(len(mean))
    for here in _spans(differences):
        part = np.ascontiguousarray(centred[:, here])
        total = weight.times(part)
        np.multiply(total, total, out=total)
        # strictly: a resample of nothing but zeros has a t* of 0
        found[here] = (total > weight.times(part**2 * k[here])).sum(axis=0)
    # what reaches a t of 0 is everything
    return np.where(np.abs(mean) <= _NOTHING * _size(differences), 1.0, found / trials)


class _Rows:
    """A matrix of trials x topics, to be multiplied some rows at a time."""

    def __init__(self, rows: Ints | Floats) -> None:
        self._trials, topics = rows.shape
        height = _side(topics)
        blocks = -(-self._trials // height)
        padded = np.zeros((blocks * height, topics))
        padded[: self._trials] = rows
        self._blocks = padded.reshape(blocks, height, topics)

    def times(self, columns: Floats) -> Floats:
        """The product with topics x columns: trials x columns."""
        found: Floats = (self._blocks @ columns).reshape(-1, columns.shape[1])
        return found[: self._trials]


def _side(topics: int) -> int:
    """So many rows are multiplied by so many columns."""
    return max(1, math.isqrt(_SMALL // topics))


def _spans(differences: Floats) -> Iterator[slice]:
    """All columns, as many at a time as are multiplied together."""
    topics, columns = differences.shape
    width = _side(topics)
    yield from (slice(low, low + width) for low in range(0, columns, width))


def _centred(differences: Floats, mean: Floats) -> Floats:
    """Differences less their mean, exactly 0 where only rounding is left."""
    rest = differences - mean
    rest[np.abs(rest) <= _NOTHING * _size(differences)] = 0.0
    return rest


def _size(differences: Floats) -> Floats:
    found: Floats = np.abs(differences).max(axis=0, initial=0.0)
    return found


def _variance(squares: Floats, total: Floats | float, scale: Floats, number: int) -> Floats:
    """Sum of squares less the mean's, over n - 1; exactly 0 where only rounding is left."""
    rest = squares - np.square(total) / number
    return np.where(rest <= _NO_VARIANCE * scale, 0.0, rest) / (number - 1)


def flips(topics: int, trials: int, seed: int) -> Floats:
    """Signs of differences: flips x topics.

    Where there are no more than ``trials`` ways to flip, all of them are there, each once.
    """
    if trials < 1:
        raise PolysemeError(f"trials must be 1 or more. Got {trials} instead.")
    if number_of_flips(topics, trials) == 1 << topics:
        bits = (np.arange(2**topics)[:, None] >> np.arange(topics)) & 1
    else:
        rng = np.random.Generator(np.random.Philox(key=seed))
        bits = rng.integers(0, 2, (trials, topics))
    signs: Floats = np.where(bits == 1, -1.0, 1.0)
    return signs


def number_of_flips(topics: int, trials: int) -> int:
    """As many as were asked for, or all where these are no more."""
    return min(trials, 1 << topics)


def sign_flips(differences: Floats, *, trials: int = 10_000, seed: int = 0) -> Floats:
    """The randomisation test: the share of sign flips whose |mean| reaches the observed one."""
    return share_of_flips(flips(len(differences), trials, seed), differences)


def share_of_flips(signs: Floats, differences: Floats) -> Floats:
    """The same with flips at hand; columns are taken some at a time."""
    topics = len(differences)
    size = np.abs(differences.mean(axis=0))
    weight = _Rows(signs)
    found = np.empty(differences.shape[1])
    for here in _spans(differences):
        total = weight.times(np.ascontiguousarray(differences[:, here]))
        found[here] = (np.abs(total) / topics >= size[here] - TOLERANCE).mean(axis=0)
    return found


def _check_topics(topics: int) -> None:
    if topics < 2:
        raise PolysemeError("at least two topics are needed for a paired test")


def paired_t(differences: Floats) -> Floats:
    """Student's paired t test; 1 where all differences are 0, 0 where all are equal otherwise."""
    from scipy.stats import t as student

    topics = len(differences)
    _check_topics(topics)
    mean = differences.mean(axis=0)
    squares = (differences**2).sum(axis=0)
    centred = ((differences - mean) ** 2).sum(axis=0)
    spread = np.sqrt(_variance(centred, 0.0, squares, topics) / topics)
    size = np.abs(mean)
    t = np.divide(
        size, spread, out=np.where(size > TOLERANCE * 1e-3, np.inf, 0.0), where=spread > 0
    )
    return np.asarray(2.0 * student.sf(t, topics - 1))


def wilcoxon(differences: Floats) -> Floats:
    """Wilcoxon's signed-rank test, differences of 0 left out; 1 where nothing else is there."""
    from scipy import stats

    found = np.ones(differences.shape[1])
    for column, values in enumerate(differences.T):
        moved = values[np.abs(values) > TOLERANCE * 1e-3]
        if len(moved):
            # sizes that differ by rounding are tied
            found[column] = stats.wilcoxon(moved.round(12)).pvalue
    return found


def paired_effects(differences: Floats) -> Floats:
    """Mean over standard deviation (n - 1) of each column; NaN where nothing varies."""
    topics = len(differences)
    mean = differences.mean(axis=0)
    centred = ((differences - mean) ** 2).sum(axis=0)
    spread = np.sqrt(_variance(centred, 0.0, (differences**2).sum(axis=0), max(topics, 2)))
    effects: Floats = np.divide(mean, spread, out=np.full(len(mean), math.nan), where=spread > 0)
    return effects


# ---- pairs of runs ------------------------------------------------------------------------------


def paired_tests(
    values: Floats,
    pairs: Sequence[tuple[int, int]],
    test: str,
    *,
    trials: int = 1,
    seed: int = 0,
    jobs: int = 1,
    engine: Engine = "threads",
    progress: Progress | None = None,
) -> tuple[Floats, Floats, Floats]:
    """Of pairs of runs: mean differences, effects and uncorrected p-values, each measures x pairs.

    ``values`` are runs x topics x measures. The same resamples or flips serve all pairs and
    measures; some pairs at a time are taken by each of ``jobs`` workers, which changes nothing.
    """
    _, topics, measures = values.shape
    width = max(1, _PAIRS_HELD // (topics * measures))
    spans = [pairs[low : low + width] for low in range(0, len(pairs), width)]
    work = partial(_of_pairs, values, _p_values(test, topics, trials, seed))
    found = []
    for done, part in enumerate(map_partitions(work, spans, engine, jobs), 1):
        found.append(part)
        if progress is not None:
            progress(done, len(spans))
    difference, effect, p = np.concatenate(found, axis=1).transpose(0, 2, 1)
    return difference, effect, p


def _p_values(test: str, topics: int, trials: int, seed: int) -> Callable[[Floats], Floats]:
    """The test of columns of differences, with its resamples or flips drawn once."""
    if test == "bootstrap":
        return partial(share_reaching, bootstrap_counts(topics, trials, seed))
    if test == "sign-flip":
        return partial(share_of_flips, flips(topics, trials, seed))
    return {"t": paired_t, "wilcoxon": wilcoxon}[test]


def _of_pairs(
    values: Floats, p_values: Callable[[Floats], Floats], pairs: Sequence[tuple[int, int]]
) -> Floats:
    """Differences, effects and p-values: 3 x pairs x measures."""
    first, second = np.array(pairs).T
    columns = np.concatenate(values[first] - values[second], axis=1)
    found = (columns.mean(axis=0), paired_effects(columns), p_values(columns))
    return np.stack(found).reshape(3, len(pairs), -1)
