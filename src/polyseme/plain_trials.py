"""What many random trials ask for, in NumPy: where nothing was compiled, and as the reference.

A number is made by the same operations in the same order as in the compiled functions, so the
results are equal to the last bit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["novelty_means"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


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
