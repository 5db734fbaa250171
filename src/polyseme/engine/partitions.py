"""Map a function over partitions, in order, with bounded work in flight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeVar, get_args

from polyseme.errors import PolysemeError

Partition = TypeVar("Partition")
Result = TypeVar("Result")

Engine = Literal["serial", "threads", "processes"]
ENGINES: tuple[str, ...] = get_args(Engine)


def map_partitions(
    function: Callable[[Partition], Result],
    partitions: Sequence[Partition],
    engine: Engine = "serial",
    jobs: int = 1,
) -> Iterator[Result]:
    """``function`` of each partition, in the order of the partitions.

    Results, warnings and errors are the same for any engine and any number of jobs: the first
    partition that fails raises. Results must be picklable. Where processes cannot be forked, work
    that is not picklable is done here.
    """
    if engine not in ENGINES:
        raise PolysemeError(f"engine must be {' or '.join(ENGINES)}. Got {engine!r} instead.")
    if jobs < 1:
        raise PolysemeError(f"jobs must be 1 or more. Got {jobs} instead.")
    workers = min(jobs, len(partitions))
    if engine == "serial" or workers < 2:
        return map(function, partitions)
    from polyseme.engine import pools

    if engine == "threads":
        return pools.in_threads(function, partitions, workers)
    return pools.in_processes(function, partitions, workers)
