"""Threads and processes that work on partitions; imported only where there are several."""

from __future__ import annotations

import pickle
import signal
import sys
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, TypeVar

from polyseme.errors import PolysemeError, PolysemeWarning

Partition = TypeVar("Partition")
Result = TypeVar("Result")

#: how processes begin: forked ones have the data already, others are sent them once
START = "fork" if sys.platform == "linux" else "spawn"
#: pieces handed out at a time, for each worker: enough that none waits
_AHEAD = 2


def in_threads(
    function: Callable[[Partition], Result], partitions: Sequence[Partition], workers: int
) -> Iterator[Result]:
    """The work in threads of this process."""
    return _in_order(ThreadPoolExecutor(workers), function, partitions, workers)


def _in_order(
    pool: Executor,
    function: Callable[[Partition], Result],
    partitions: Sequence[Partition],
    workers: int,
) -> Generator[Result, None, None]:
    waiting: deque[Future[Result]] = deque()
    try:
        for partition in partitions:
            waiting.append(pool.submit(function, partition))
            if len(waiting) >= _AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def in_processes(
    function: Callable[[Partition], Result], partitions: Sequence[Partition], workers: int
) -> Iterator[Result]:
    """The work in processes of their own, or here where it cannot be sent to them."""
    if START != "fork" and not _can_be_sent(function, partitions):
        yield from map(function, partitions)
        return
    pool = ProcessPoolExecutor(
        workers, get_context(START), initializer=_begin, initargs=(function, partitions)
    )
    outcomes = _in_order(pool, _outcome, range(len(partitions)), workers)
    try:
        with warnings.catch_warnings():
            # all workers start at once, before any thread of ours; NumPy's own are safe to fork
            warnings.filterwarnings("ignore", ".*fork.*", DeprecationWarning)
            first = next(outcomes)
        yield _told(first)
        for outcome in outcomes:
            yield _told(outcome)
    except BrokenProcessPool:
        raise PolysemeError(
            "a process that did part of the work died, perhaps for want of memory\n"
            "  to mend it: use fewer jobs"
        ) from None
    finally:
        outcomes.close()


def _can_be_sent(*work: object) -> bool:
    try:
        pickle.dumps(work)
    except (pickle.PicklingError, TypeError, AttributeError):
        return False
    return True


#: what a worker works on; set once, in the worker only
_work: tuple[Callable[[Any], Any], Sequence[Any]] | None = None


def _begin(function: Callable[[Any], Any], partitions: Sequence[Any]) -> None:
    global _work
    _work = (function, partitions)
    # an interrupt at the terminal reaches every process; workers need not tell of it
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _outcome(index: int) -> tuple[Any, list[str], Exception | None]:
    """A result, the warnings on the way to it, and the error there was instead."""
    assert _work is not None
    function, partitions = _work
    result, failure = None, None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", PolysemeWarning)
        try:
            result = function(partitions[index])
        except PolysemeError as error:
            failure = error
    told = [str(each.message) for each in caught if issubclass(each.category, PolysemeWarning)]
    return result, told, failure


def _told(outcome: tuple[Any, list[str], Exception | None]) -> Any:
    result, told, failure = outcome
    for text in told:
        warnings.warn(text, PolysemeWarning, stacklevel=4)
    if failure is not None:
        raise failure
    return result
