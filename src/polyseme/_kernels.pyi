import numpy as np
from numpy.typing import NDArray

def running_sum(values: NDArray[np.float64], start: NDArray[np.int64]) -> NDArray[np.float64]: ...
def running_product(
    values: NDArray[np.float64], start: NDArray[np.int64]
) -> NDArray[np.float64]: ...
def grouped(
    group: NDArray[np.int64], number: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
