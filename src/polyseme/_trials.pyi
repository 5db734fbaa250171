import numpy as np
from numpy.typing import NDArray

def novelty_means(
    ranked: NDArray[np.int64],
    gains: NDArray[np.float64],
    powers: NDArray[np.float64],
    discounts: NDArray[np.float64],
    cutoffs: NDArray[np.int64],
    scale: NDArray[np.float64],
    product: int,
    floor: float,
    root: float,
) -> NDArray[np.float64]: ...
def permuted_ranges(
    by_topic: NDArray[np.float64], key: int, first: int, trials: int
) -> NDArray[np.float64]: ...
