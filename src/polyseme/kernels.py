"""Running sums and products over the segments of an array, compiled where that was possible.

A batch of lists keeps the hits of all its lists one after the other; `start` says where each list
begins, with the total as a last entry. So list `i` is `values[start[i]:start[i + 1]]`.

`COMPILED` says which versions are in use. The results are equal to the last bit; setting the
environment variable `POLYSEME_PLAIN=1` before polyseme is imported forces the NumPy ones.
"""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["COMPILED", "grouped", "running_product", "running_sum"]

try:
    if os.environ.get("POLYSEME_PLAIN", "0") not in {"", "0"}:
        raise ImportError("POLYSEME_PLAIN asks for the NumPy kernels")
    from polyseme import _kernels as _chosen

    COMPILED = True
except ImportError:
    from polyseme import plain_kernels as _chosen  # type: ignore[no-redef]

    COMPILED = False


def running_sum(values: ArrayLike, start: ArrayLike) -> NDArray[np.float64]:
    """Inclusive running sum of each segment: at an element, the sum of all up to and with it."""
    return _chosen.running_sum(*_checked(values, start))


def running_product(values: ArrayLike, start: ArrayLike) -> NDArray[np.float64]:
    """Exclusive running product of each segment: at an element, the product of all before it.

    The first element of a segment gets 1. This is the cascade: with the probabilities of going on
    as values, what comes out is the chance of arriving at each element.
    """
    return _chosen.running_product(*_checked(values, start))


def grouped(group: ArrayLike, number: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Members by group, in their order: their places, and where each of the groups begins."""
    groups = np.asarray(group, dtype=np.int64)
    if groups.ndim != 1:
        raise ValueError("group must have one dimension")
    if len(groups) and not (groups.min() >= 0 and groups.max() < number):
        raise ValueError(f"groups must be numbers from 0 and below {number}")
    return _chosen.grouped(groups, number)


def _checked(values: ArrayLike, start: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The arguments as the kernels need them; they trust `start` not to point outside `values`."""
    numbers = np.asarray(values, dtype=np.float64)
    bounds = np.asarray(start, dtype=np.int64)
    if numbers.ndim != 1 or bounds.ndim != 1:
        raise ValueError("values and start must have one dimension each")
    if not len(bounds) or bounds[0] != 0 or bounds[-1] != len(numbers):
        raise ValueError(
            f"start must begin with 0 and end with the number of values, {len(numbers)}. "
            f"Got {bounds[:1].tolist() + bounds[-1:].tolist()} instead."
        )
    if np.any(bounds[1:] < bounds[:-1]):
        raise ValueError("start must not descend")
    return numbers, bounds
