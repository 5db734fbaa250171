"""Threads, and executors of anybody's, that work on partitions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from typing import Any, TypeVar

from polyseme.engine.outcomes import Outcome, PartitionError, attempt, cause_of, name_of, outcome
from polyseme.engine.workers import can_be_sent, in_processes

__all__ = ["in_executor", "in_processes", "in_threads"]

Partition = TypeVar("Partition")
Result = TypeVar("Result")

#: pieces handed out at a time, for each worker: enough that none waits
AHEAD = 2


def in_threads(
    function: Callable[[Partition], Result], partitions: Sequence[Partition], workers: int
) -> Iterator[Result]:
    """The work in threads of this process; warnings need no carrying."""
    with ThreadPoolExecutor(workers) as pool:
        yield from _in_order(pool, attempt, function, partitions, workers)


def in_executor(
    function: Callable[[Partition], Result],
    partitions: Sequence[Partition],
    executor: Executor,
    jobs: int,
) -> Iterator[Result]:
    """The work in an executor that somebody else began and will end."""
    workers = getattr(executor, "_max_workers", None) or max(jobs, 2)
    if isinstance(executor, ThreadPoolExecutor):
        yield from _in_order(executor, attempt, function, partitions, workers)
    elif not can_be_sent(function, partitions[:1]):
        for index, partition in enumerate(partitions):
            yield attempt(function, partition, name_of(partition, index, len(partitions)))
    else:
        for found in _in_order(executor, outcome, function, partitions, workers):
            assert isinstance(found, Outcome)
            yield found.tell()


def _in_order(
    pool: Executor,
    how: Callable[[Callable[[Any], Any], Any, str], Any],
    function: Callable[[Partition], Result],
    partitions: Sequence[Partition],
    workers: int,
) -> Generator[Any, None, None]:
    waiting: deque[tuple[str, Future[Any]]] = deque()
    count = len(partitions)
    try:
        for index, partition in enumerate(partitions):
            name = name_of(partition, index, count)
            waiting.append((name, _submitted(pool, name, how, function, partition)))
            if len(waiting) >= AHEAD * workers:
                yield _result(*waiting.popleft(), waiting)
        while waiting:
            yield _result(*waiting.popleft(), waiting)
    finally:
        for _, future in waiting:
            future.cancel()


def _submitted(pool: Executor, name: str, how: Any, function: Any, partition: Any) -> Future[Any]:
    try:
        return pool.submit(how, function, partition, name)
    except (BrokenExecutor, RuntimeError) as error:
        broken: Future[Any] = Future()
        broken.set_exception(error)
        return broken


def _result(name: str, future: Future[Any], others: deque[tuple[str, Future[Any]]]) -> Any:
    try:
        return future.result()
    except BrokenExecutor as error:
        # which of those in hand did it, only the executor could tell
        last = f" or one of those up to {others[-1][0]}" if others else ""
        raise PartitionError(
            name + last,
            f"the executor broke ({cause_of(error)})",
            "begin a new executor with fewer workers or more memory, and run again",
        ) from error
