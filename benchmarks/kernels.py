"""Running sums and products over many short lists: the compiled kernels against the NumPy ones."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from polyseme import plain_kernels

try:
    from polyseme import _kernels
except ImportError:
    _kernels = None  # type: ignore[assignment]


def least(work: Callable[[], object], times: int = 5) -> float:
    """The shortest of a few runs, in seconds."""
    seconds = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def main() -> None:
    rng = np.random.default_rng(1)
    start = np.concatenate([[0], np.cumsum(rng.integers(0, 40, 100_000))])
    values = rng.random(start[-1])
    print(f"{len(start) - 1:,} lists, {len(values):,} hits; milliseconds")
    print(f"{'':16}{'compiled':>10}{'plain':>10}")
    for name in ("running_sum", "running_product"):
        row = f"{name:16}"
        for module in (_kernels, plain_kernels):
            if module is None:
                row += f"{'-':>10}"
                continue
            function = getattr(module, name)
            row += f"{1000 * least(lambda f=function: f(values, start)):10.1f}"
        print(row)


if __name__ == "__main__":
    main()
