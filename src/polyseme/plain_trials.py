"""What many random trials ask for, in NumPy: where nothing was compiled, and as the reference.

A number is made by the same operations in the same order as in the compiled functions, so the
results are equal to the last bit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["novelty_means", "permuted_ranges"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
#: SplitMix64's step, the golden ratio
STEP = np.uint64(0x9E3779B97F4A7C15)


def novelty_means(
    ranked: Ints,
    gains: Floats,
    powers: Floats,
    discounts: Floats,
    cutoffs: Ints,
    scale: Floats,
    product: int,
    floor: float,
    root: float,
) -> Floats:
    """Lists x means x (cutoffs, alphas, discounts); see `polyseme.trials`."""
    lists, depth = ranked.shape
    intents = gains.shape[1]
    variants = len(powers) * len(discounts)
    extended = np.concatenate([gains, np.zeros((1, intents))])
    total = np.zeros((lists, intents, len(powers), len(discounts)))
    seen = np.zeros((lists, intents), dtype=np.int64)
    found = np.zeros((lists, len(scale), len(cutoffs), variants))
    done = 0
    for rank in range(depth + 1):
        while done < len(cutoffs) and (rank == cutoffs[done] or rank == depth):
            held = total.reshape(lists, intents, variants)
            part = scale.reshape(len(scale), intents, len(cutoffs), variants)[:, :, done]
            for mean in range(len(scale)):
                found[:, mean, done] = _over_intents(held, part[mean], mean == product, floor, root)
            done += 1
        if rank == depth or done == len(cutoffs):
            break
        gain = extended[ranked[:, rank]]
        for intent in range(intents):
            worth = gain[:, intent, None] * powers[:, seen[:, intent]].T
            total[:, intent] += worth[:, :, None] * discounts[:, rank]
        seen += gain > 0
    return found.reshape(lists, len(scale), len(cutoffs) * variants)


def _over_intents(held: Floats, scale: Floats, product: bool, floor: float, root: float) -> Floats:
    """A weighted sum over intents, or the product of what is at least the floor."""
    mean = np.ones if product else np.zeros
    found: Floats = mean((len(held), held.shape[2]))
    for intent in range(held.shape[1]):
        share = held[:, intent] * scale[intent]
        if not product:
            found += share
            continue
        raised = np.maximum(share, floor)
        found *= raised if root == 1.0 else raised**root
    return found


def mixed(z: Words) -> Words:
    """SplitMix64's output (Steele, Lea and Flood 2014)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def permuted_ranges(by_topic: Floats, key: int, first: int, trials: int) -> Floats:
    """Of each trial and measure the largest total less the smallest; see `polyseme.trials`."""
    topics, runs, measures = by_topic.shape
    if not (trials and runs and measures):
        return np.zeros((trials, measures))
    total = np.zeros((runs, trials, measures))
    each = np.arange(trials)
    trial = np.arange(first, first + trials, dtype=np.uint64)
    for topic in range(topics):
        counter = (trial * np.uint64(topics) + np.uint64(topic)) * np.uint64(runs) + np.uint64(1)
        order = np.tile(np.arange(runs)[:, None], (1, trials))
        for run in range(runs - 1, -1, -1):
            luck = mixed(np.uint64(key) + (counter + np.uint64(run)) * STEP) >> np.uint64(32)
            other = ((luck * np.uint64(run + 1)) >> np.uint64(32)).astype(np.int64)
            moved = order[other, each]
            order[other, each] = order[run]
            total[run] += by_topic[topic][moved]
    ranges: Floats = total.max(axis=0) - total.min(axis=0)
    return ranges
