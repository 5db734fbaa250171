import numpy as np
from numpy.typing import NDArray

def running_sum(values: NDArray[np.float64], start: NDArray[np.int64]) -> NDArray[np.float64]: ...
def running_product(
    values: NDArray[np.float64], start: NDArray[np.int64]
) -> NDArray[np.float64]: ...
def grouped(
    group: NDArray[np.int64], number: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def sums(
    values: NDArray[np.float64],
    factors: NDArray[np.float64] | None,
    start: NDArray[np.int64],
    rank: NDArray[np.float64] | None,
    deepest: float,
) -> NDArray[np.float64]: ...
def at_depth(
    cumulated: NDArray[np.float64],
    start: NDArray[np.int64],
    of_segment: NDArray[np.int64],
    segment_start: NDArray[np.int64],
    rank: NDArray[np.float64],
) -> NDArray[np.float64]: ...
def spread(
    row: NDArray[np.int64],
    hit_start: NDArray[np.int64],
    base: NDArray[np.int64],
    pair_start: NDArray[np.int64],
    intent: NDArray[np.int64],
    gain: NDArray[np.float64],
    number: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]: ...
def ranked(
    group: NDArray[np.int64], number: int, gain: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def greedy(
    document_start: NDArray[np.int64],
    pair_start: NDArray[np.int64],
    intent_start: NDArray[np.int64],
    intent: NDArray[np.int64],
    value: NDArray[np.float64],
    left: float,
    depth: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def keep_memory() -> None: ...
