"""Tests of significance and selection sensitivity, against plain NumPy.

    python benchmarks/trials.py [hsd] [bootstrap] [sensitivity]

Each baseline is what one would write without this package; all are in this file. What would take
minutes is measured in part and multiplied, which the table says.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable

import numpy as np

from polyseme import trials
from polyseme.collection.judgments import Judged, JudgmentBuilder
from polyseme.groups import Floats, Ints
from polyseme.meta.grid import grid_sensitivity, variants_of
from polyseme.meta.orders import random_orders
from polyseme.meta.variants import AVERAGES, Grid, TopicVariants
from polyseme.policies import Policies
from polyseme.scores import Scores
from polyseme.statistics import compare, tukey_hsd

RUNS, TOPICS, MEASURES = 20, 100, 30
PERMUTATIONS, RESAMPLES, ORDERS = 10_000, 1_000, 1_000
JOBS = 2


def least(*works: Callable[[], object], rounds: int = 5) -> list[float]:
    """The shortest of a few runs of each, in seconds; they take turns, so that noise hits all."""
    seconds: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, taken in zip(works, seconds, strict=True):
            begin = time.perf_counter()
            work()
            taken.append(time.perf_counter() - begin)
    return [min(taken) for taken in seconds]


def told(what: str, ours: float, baseline: str, theirs: float, wanted: float) -> None:
    print(
        f"{what}\n  polyseme {ours:.3f} s; {baseline} {theirs:.1f} s; {theirs / ours:.0f} x "
        f"(wanted: {wanted:.0f} x)"
    )


def drawn() -> Scores:
    rng = np.random.default_rng(1)
    values = rng.random((RUNS, TOPICS, MEASURES)) + 0.1 * rng.random((RUNS, 1, 1))
    held = np.ones((RUNS, TOPICS), np.bool_)
    names = [
        tuple(f"{letter}{n}" for n in range(count))
        for letter, count in (("r", RUNS), ("t", TOPICS), ("m", MEASURES))
    ]
    return Scores(*names, values, held, held)  # type: ignore[arg-type]


# ---- randomised Tukey HSD -----------------------------------------------------------------------


def hsd_loop(x: Floats, permutations: int, rng: np.random.Generator) -> Floats:
    """One measure, runs x topics: p-values of all pairs."""
    means = x.mean(axis=1)
    sizes = np.abs(means[:, None] - means)
    reached = np.zeros(sizes.shape)
    for _ in range(permutations):
        permuted = rng.permuted(x, axis=0).mean(axis=1)
        reached += permuted.max() - permuted.min() >= sizes - 1e-10
    return reached / permutations


def hsd_measure_by_measure(by_topic: Floats, permutations: int) -> None:
    """Compiled, but each measure with permutations of its own, on one thread."""
    for measure in range(by_topic.shape[2]):
        trials.permuted_ranges(
            by_topic[:, :, [measure]], seed=measure, first=0, trials=permutations
        )


def hsd() -> None:
    scores = drawn()
    by_topic = scores.values.transpose(1, 0, 2)
    part = PERMUTATIONS // 20
    rng = np.random.default_rng(2)
    ours, one, alone = least(
        lambda: tukey_hsd(scores, trials=PERMUTATIONS, jobs=JOBS),
        lambda: hsd_loop(scores.values[:, :, 0], part, rng),
        lambda: hsd_measure_by_measure(by_topic, part),
    )
    what = f"Tukey HSD: {RUNS} runs x {TOPICS} topics x {MEASURES} measures, B {PERMUTATIONS:,}"
    loop = "a loop over measures and permutations (1 measure, 1/20 of B, multiplied)"
    told(what, ours, loop, one * PERMUTATIONS / part * MEASURES, 40)
    compiled = "a compiled loop over measures on one thread (1/20 of B, multiplied)"
    told(what, ours, compiled, alone * PERMUTATIONS / part, 10)


# ---- paired bootstrap ---------------------------------------------------------------------------


def bootstrap_of_pair(z: Floats, drawn: Ints) -> Floats:
    """One pair, topics x measures, all resamples (resamples x topics) at once: p-values."""
    n = len(z)
    t = z.mean(axis=0) / (z.std(axis=0, ddof=1) / np.sqrt(n))
    resampled = (z - z.mean(axis=0))[drawn]
    star = resampled.mean(axis=1) / (resampled.std(axis=1, ddof=1) / np.sqrt(n))
    return (np.abs(star) >= np.abs(t)).mean(axis=0)


def bootstrap() -> None:
    scores = drawn()
    index = np.random.default_rng(3).integers(0, TOPICS, (RESAMPLES, TOPICS))
    pairs = [(a, b) for a in range(RUNS) for b in range(a + 1, RUNS)]
    part = pairs[::10]
    ours, seconds = least(
        lambda: compare(scores, test="bootstrap", trials=RESAMPLES, jobs=JOBS),
        lambda: [bootstrap_of_pair(scores.values[a] - scores.values[b], index) for a, b in part],
    )
    told(
        f"paired bootstrap: {len(pairs)} pairs x {MEASURES} measures, B {RESAMPLES:,}",
        ours,
        f"each pair with all its measures and resamples at once ({len(part)} pairs, multiplied)",
        seconds * len(pairs) / len(part),
        30,
    )


# ---- document selection sensitivity -------------------------------------------------------------


def collection() -> Judged:
    """As many relevant documents and intents as in the TREC web tracks."""
    rng = np.random.default_rng(4)
    builder = JudgmentBuilder()
    for topic in range(TOPICS):
        intents, documents = int(rng.integers(3, 8)), int(rng.integers(20, 180))
        for document in range(documents):
            covers = rng.random(intents) < 0.3
            covers[rng.integers(intents)] = True
            for intent in np.flatnonzero(covers).tolist():
                builder.add(str(topic + 1), str(intent + 1), f"d{document:04}", 1)
    return builder.finish()


def one_variant(
    topic: TopicVariants,
    ranked: Ints,
    place: tuple[int, int, int, int],
    lambda_: float,
) -> float:
    """The sensitivity of one variant on one topic, all orders at once."""
    grid = topic.grid
    average, k, a, d = place
    cutoff, alpha = grid.cutoffs[k], grid.alphas[a]
    ranks = np.arange(1, cutoff + 1)
    discount = {"ERR": 1 / ranks, "DCG": 1 / np.log2(ranks + 1), "RBP": grid.beta ** (ranks - 1)}
    gains = topic.gains[ranked[:, :cutoff]]
    relevant = gains > 0
    seen = np.cumsum(relevant, axis=1) - relevant
    weight = discount[grid.discounts[d]][: gains.shape[1]]
    each = np.einsum("nri,r->ni", gains * (1 - alpha) ** seen, weight)
    scale = topic.scale[average].reshape(topic.intents, len(grid.cutoffs), len(grid.alphas), -1)
    shares = each * scale[:, k, a, d]
    if grid.means[average] == "geom":
        value = np.exp(np.log(np.maximum(shares, grid.floor)).mean(axis=1))
    else:
        value = shares.sum(axis=1)
    irec = relevant.any(axis=1).mean(axis=1)
    mixed = lambda_ * irec + (1 - lambda_) * value
    return float(mixed.std(ddof=1) / mixed.mean())


def sensitivity() -> None:
    judged = collection()
    grid = Grid(averages=AVERAGES)
    found = grid_sensitivity(judged, grid, orders=ORDERS, means=["avg"], jobs=JOBS)
    # the ideal lists are given to the baseline for nothing
    every = variants_of(judged, grid, Policies(), None)
    shape = (len(grid.means), len(grid.cutoffs), len(grid.alphas), len(grid.discounts))
    places = [tuple(map(int, each)) for each in np.argwhere(np.ones(shape))][::37]
    chosen = every[::25]

    def loop() -> None:
        for topic in chosen:
            ranked = random_orders(topic.documents, ORDERS, grid.depth, 0)
            for place in places:
                one_variant(topic, ranked, place, 0.5)  # type: ignore[arg-type]

    ours, seconds = least(
        lambda: grid_sensitivity(judged, grid, orders=ORDERS, means=["avg"], jobs=JOBS),
        loop,
        rounds=3,
    )
    share = len(chosen) * len(places) / (len(every) * int(np.prod(shape)) * len(grid.lambdas))
    values = [
        one_variant(topic, random_orders(topic.documents, ORDERS, grid.depth, 0), (0, 2, 3, 1), 0.5)
        for topic in every
    ]
    assert np.isclose(np.mean(values), found.values[0, 0, 2, 3, 1, 5])
    told(
        f"selection sensitivity: {len(every)} topics x {ORDERS:,} orders x "
        f"{int(np.prod(shape)) * len(grid.lambdas):,} variants",
        ours,
        f"a loop over topics and variants (1/{1 / share:,.0f} of it, multiplied)",
        seconds / share,
        500,
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  largest memory of this process: {peak:.0f} MB (wanted: under 1,024)")


BENCHMARKS = {"hsd": hsd, "bootstrap": bootstrap, "sensitivity": sensitivity}


def main() -> None:
    print(f"compiled: {'yes' if trials.COMPILED else 'no'}; {JOBS} threads")
    for name in sys.argv[1:] or BENCHMARKS:
        BENCHMARKS[name]()


if __name__ == "__main__":
    main()
