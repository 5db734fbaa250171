import numpy as np
from numpy.typing import NDArray

from polyseme.collection.judgments import Looked

class JudgedNames:
    def __init__(self, topics: Looked, documents: Looked) -> None: ...

class RunScan:
    def __init__(
        self,
        order: str,
        single_precision: bool,
        unique_ranks: bool,
        tag: bytes | None,
        interleaved: bool,
        judged: JudgedNames | None = None,
        depth: int = -1,
    ) -> None: ...
    def feed(self, block: bytes | memoryview, /) -> int: ...
    def finish(self) -> int: ...
    def names_of_topics(self) -> list[str]: ...
    def found(
        self,
    ) -> tuple[
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int64],
        int,
    ]: ...
    def scores(self) -> list[float]: ...
    def first_documents(self) -> tuple[NDArray[np.int64], bytes, NDArray[np.int64]]: ...
