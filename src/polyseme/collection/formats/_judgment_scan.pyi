import numpy as np
from numpy.typing import NDArray

class JudgmentScan:
    def __init__(self, interleaved: bool) -> None: ...
    def feed(self, block: bytes | memoryview, /) -> int: ...
    def finish(self) -> int: ...
    def names_of_topics(self) -> list[str]: ...
    def names_of_intents(self) -> list[str]: ...
    def arranged(
        self, topic_order: NDArray[np.int64], intent_place: NDArray[np.int64]
    ) -> (
        tuple[
            NDArray[np.int64],
            bytes,
            NDArray[np.int64],
            NDArray[np.int64],
            NDArray[np.int64],
            NDArray[np.int64],
            NDArray[np.int64],
            NDArray[np.int64],
        ]
        | None
    ): ...

def hashed(
    block: bytes, start: NDArray[np.int64], group: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]: ...
