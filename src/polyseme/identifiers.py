"""Many document identifiers in one block of bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import overload

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class Identifiers(Sequence[str]):
    """A sequence of names kept as UTF-8 in one block: millions cost their letters and no more."""

    block: bytes
    start: npt.NDArray[np.int64]

    @classmethod
    def of(cls, names: Iterable[str]) -> Identifiers:
        encoded = [name.encode() for name in names]
        start = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(name) for name in encoded], out=start[1:])
        return cls(b"".join(encoded), start)

    def __len__(self) -> int:
        return len(self.start) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            low, high, step = index.indices(len(self))
            if step != 1:
                return [self[i] for i in range(low, high, step)]
            bounds = pairwise(self.start[low : max(low, high) + 1].tolist())
            return [self.block[begin:end].decode() for begin, end in bounds]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        index %= len(self)
        return self.block[self.start[index] : self.start[index + 1]].decode()

    def __iter__(self) -> Iterator[str]:
        bounds = self.start.tolist()
        for low, high in pairwise(bounds):
            yield self.block[low:high].decode()
