"""What many random trials ask for, compiled where that was possible.

`COMPILED` says which versions are in use. The results are equal to the last bit; setting the
environment variable `POLYSEME_PLAIN=1` before polyseme is imported forces the NumPy ones.
"""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polyseme.plain_trials import mixed

__all__ = ["COMPILED", "novelty_means", "permuted_ranges"]

try:
    if os.environ.get("POLYSEME_PLAIN", "0") not in {"", "0"}:
        raise ImportError("POLYSEME_PLAIN asks for the NumPy versions")
    from polyseme import _trials as _chosen

    COMPILED = True
except ImportError:
    from polyseme import plain_trials as _chosen  # type: ignore[no-redef]

    COMPILED = False

#: neighbouring seeds are to begin far from each other
_SEEDED = 0x9E3779B97F4A7C15


def novelty_means(
    ranked: ArrayLike,
    gains: ArrayLike,
    powers: ArrayLike,
    discounts: ArrayLike,
    cutoffs: ArrayLike,
    scale: ArrayLike,
    *,
    product: int = -1,
    floor: float = 0.0,
    root: float = 1.0,
) -> NDArray[np.float64]:
    """Cascade measures of lists at all parameters at once, some means over intents.

    ``ranked`` (lists x ranks) holds places in ``gains`` (documents x intents), or -1. For each
    intent and each row of ``powers`` (alphas x counts) and ``discounts`` (discounts x ranks) it is
    sum_r discount(r) g(r) (1-alpha)^c(r) down to each cutoff, ascending. ``scale`` (means x intents
    x all of these) multiplies it, and the intents are added up; but for the mean ``product``, whose
    factors are raised to ``floor``, to the power of ``root``, and multiplied.

    What comes out is lists x means x (cutoffs, alphas, discounts).
    """
    places = np.ascontiguousarray(ranked, dtype=np.int64)
    gain, power, discount, scales = (
        np.ascontiguousarray(each, dtype=np.float64) for each in (gains, powers, discounts, scale)
    )
    cuts = np.ascontiguousarray(cutoffs, dtype=np.int64)
    if places.ndim != 2 or gain.ndim != 2 or power.ndim != 2 or discount.ndim != 2:
        raise ValueError("ranked, gains, powers and discounts must have two dimensions each")
    if places.size and not (places.min() >= -1 and places.max() < len(gain)):
        raise ValueError(f"ranked must hold places from -1 and below {len(gain)}")
    depth = places.shape[1]
    if power.shape[1] < depth or discount.shape[1] < depth:
        raise ValueError("powers and discounts must be as deep as the lists")
    if cuts.ndim != 1 or (len(cuts) and cuts[0] < 1) or np.any(np.diff(cuts) <= 0):
        raise ValueError("cutoffs must be 1 or more and ascend")
    variants = len(cuts) * len(power) * len(discount)
    if scales.ndim != 3 or scales.shape[1:] != (gain.shape[1], variants):
        raise ValueError(f"scale must be means x {gain.shape[1]} x {variants}")
    return _chosen.novelty_means(places, gain, power, discount, cuts, scales, product, floor, root)


def permuted_ranges(
    by_topic: ArrayLike, *, seed: int, first: int, trials: int
) -> NDArray[np.float64]:
    """Of each trial and measure: the largest total over topics less the smallest, runs permuted.

    ``by_topic`` is topics x runs x measures. In every trial each topic's scores are permuted over
    the runs, all measures' alike, by Fisher and Yates's shuffle from the last run to the first. Its
    luck is the upper half of the SplitMix64 number (trial * topics + topic) * runs + run of the
    seed, so that it hangs on nothing but these. What comes out is trials x measures.
    """
    values = np.ascontiguousarray(by_topic, dtype=np.float64)
    if values.ndim != 3:
        raise ValueError("by_topic must have three dimensions")
    if first < 0 or trials < 0:
        raise ValueError("first and trials must be 0 or more")
    start = np.array([(seed + _SEEDED) % 2**64], dtype=np.uint64)
    return _chosen.permuted_ranges(values, int(mixed(start)[0]), first, trials)
