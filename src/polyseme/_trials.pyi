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
