"""Partitions that take a while and leave a trace of who works on them, in whatever process."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from polyseme.collection.partitions import looking
from polyseme.partitioned import evaluation, memory, work

SECONDS = 0.3


class SlowScoring(work.Scoring):
    """Scores, slowly."""

    def __call__(self, partition: Any) -> dict[str, Any]:
        mark = Path(os.environ["MARKS"]) / f"{partition.key}-{os.getpid()}"
        mark.touch()
        time.sleep(SECONDS)
        return super().__call__(partition)


class NearLooking(looking.Looking):
    """Looks more closely: tiny collections, too, can then be divided."""

    def __call__(self, piece: Any) -> dict[str, Any]:
        looking._STRETCH = 200
        return super().__call__(piece)


def install() -> None:
    """Have many partitions, scored slowly."""
    memory.LEAST = 1
    evaluation.Scoring = SlowScoring  # type: ignore[misc]
    evaluation.Looking = NearLooking  # type: ignore[misc]


def enough(engine: str) -> int:
    """So much memory that each worker has a little room."""
    fixed = memory.PROCESS
    if engine != "serial":
        fixed += 2 * memory.PROCESS
    if engine.startswith("dask"):
        fixed += memory.SCHEDULER + 2 * memory.NANNY
    return fixed + 30_000 * (1 if engine == "serial" else 2)
