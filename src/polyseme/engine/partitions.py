"""Map a function over partitions, in order, with bounded work in flight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias, TypeGuard, TypeVar

from polyseme.engine.outcomes import attempt, name_of
from polyseme.errors import PolysemeError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from distributed import Client

    from polyseme.engine.clusters import Cluster

Partition = TypeVar("Partition")
Result = TypeVar("Result")

#: the engines that have names; dask also with the address of a scheduler behind it
ENGINES = ("serial", "threads", "processes", "dask")
EXPECTED_ENGINE = "serial, threads, processes, dask, dask://HOST:PORT or an Executor"

#: a name, an executor of the standard library's kind, or a cluster or client of Dask's
Engine: TypeAlias = "str | Executor | Cluster | Client"


def check_engine(engine: object) -> None:
    """An error unless this is an engine."""
    if isinstance(engine, str):
        known = engine in ENGINES or is_cluster(engine)
    else:
        known = is_executor(engine) or hasattr(engine, "scheduler_info")
        known = known or hasattr(engine, "client")
    if not known:
        raise PolysemeError(f"engine must be {EXPECTED_ENGINE}. Got {engine!r} instead.")


def is_executor(engine: object) -> TypeGuard[Executor]:
    """Is this an executor of the standard library's kind?"""
    # Not at the top: the module takes as long to load as much else, and few commands need it.
    from concurrent.futures import Executor

    return isinstance(engine, Executor)


def is_cluster(engine: object) -> bool:
    """Is this the name of a cluster of Dask's?"""
    return isinstance(engine, str) and (
        engine == "dask" or engine.startswith(("dask://", "tls://", "tcp://"))
    )


def map_partitions(
    function: Callable[[Partition], Result],
    partitions: Sequence[Partition],
    engine: Engine = "serial",
    jobs: int = 1,
) -> Iterator[Result]:
    """``function`` of each partition, in the order of the partitions.

    ``engine`` is ``serial``, ``threads``, ``processes``, ``dask`` (a cluster on this machine),
    ``dask://HOST:PORT`` (one that is there already), any ``concurrent.futures.Executor``, or what
    :func:`running` gives; ``jobs`` says how many workers there are, where the engine does not know.

    Results, warnings and errors are the same for any engine and any number of jobs: the first
    partition that fails raises, by its name and with the cause. A worker that dies is replaced, and
    its partition tried once more. Results must be picklable, and for engines that do not fork so
    must be the function and the partitions; what is not is worked on here.
    """
    check_engine(engine)
    if jobs < 1:
        raise PolysemeError(f"jobs must be 1 or more. Got {jobs} instead.")
    if not isinstance(engine, str):
        return _elsewhere(function, partitions, engine, jobs)
    workers = min(jobs, len(partitions))
    if is_cluster(engine) and len(partitions):
        return _in_cluster(function, partitions, engine, jobs)
    if engine == "serial" or workers < 2:
        return _here(function, partitions)
    from polyseme.engine import pools

    if engine == "threads":
        return pools.in_threads(function, partitions, workers)
    return pools.in_processes(function, partitions, workers)


@contextmanager
def running(engine: Engine, jobs: int = 1) -> Iterator[Engine]:
    """The engine, ready for several maps: a cluster is begun, or found, only once."""
    check_engine(engine)
    if not isinstance(engine, str) or not is_cluster(engine):
        yield engine
        return
    from polyseme.engine.clusters import cluster

    with cluster(engine, jobs) as found:
        yield found


def _here(
    function: Callable[[Partition], Result], partitions: Sequence[Partition]
) -> Iterator[Result]:
    for index, partition in enumerate(partitions):
        yield attempt(function, partition, name_of(partition, index, len(partitions)))


def _elsewhere(
    function: Callable[[Partition], Result],
    partitions: Sequence[Partition],
    engine: Executor | Cluster | Client,
    jobs: int,
) -> Iterator[Result]:
    if is_executor(engine):
        from polyseme.engine import pools

        return pools.in_executor(function, partitions, engine, jobs)
    from polyseme.engine import clusters

    return clusters.in_cluster(function, partitions, engine)


def _in_cluster(
    function: Callable[[Partition], Result], partitions: Sequence[Partition], name: str, jobs: int
) -> Iterator[Result]:
    with running(name, jobs) as engine:
        assert not isinstance(engine, str)
        yield from _elsewhere(function, partitions, engine, jobs)
