"""Processes of our own: each works on one partition at a time, and it is known on which.

So a process that dies (killed, out of memory, a fault in a library) is replaced and its partition
is given to another; and where that one dies of it too, the partition is named. Workers end as soon
as whoever began them is gone.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from polyseme.engine.outcomes import Outcome, PartitionError, attempt, cause_of, name_of, outcome

Partition = TypeVar("Partition")
Result = TypeVar("Result")

#: how processes begin: forked ones have the data already, others are sent them once
START = "fork" if sys.platform == "linux" else "spawn"
#: what must not be forked once it has been used
_NOT_FORKED = ("pyarrow._s3fs", "pyarrow._gcsfs", "fsspec.asyn")
#: results that wait for their turn, for each worker
_AHEAD = 4
#: so many processes may die of one partition
_LIVES = 2
#: seconds between two looks at whether the parent is still there
_LOOK = 1.0
#: seconds that a worker has to end by itself
_GRACE = 2.0
MORE_MEMORY = "use fewer jobs, smaller partitions or a machine with more memory, and run again"


def start_method() -> str:
    """Forking is quickest, but not once threads of network libraries run."""
    if START == "fork" and any(name in sys.modules for name in _NOT_FORKED):
        return "spawn"
    return START


def can_be_sent(*work: object) -> bool:
    """Whether another process, that was not forked, can be given this."""
    try:
        pickle.dumps(work)
    except (pickle.PicklingError, TypeError, AttributeError):
        return False
    return True


def in_processes(
    function: Callable[[Partition], Result], partitions: Sequence[Partition], workers: int
) -> Iterator[Result]:
    """The work in processes of their own, or here where it cannot be sent to them."""
    start = start_method()
    if start != "fork" and not can_be_sent(function, partitions):
        for index, partition in enumerate(partitions):
            yield attempt(function, partition, name_of(partition, index, len(partitions)))
        return
    crew = _Crew(function, partitions, start)
    try:
        for found in crew.outcomes(workers):
            yield found.tell()
    finally:
        crew.end()


@dataclass(eq=False)
class _Worker:
    process: Any
    connection: Connection
    #: the partition in hand
    index: int | None = None


@dataclass(eq=False)
class _Crew:
    """Workers, what they have in hand, and what they have done."""

    function: Callable[[Any], Any]
    partitions: Sequence[Any]
    start: str
    workers: list[_Worker] = field(default_factory=list)
    waiting: deque[int] = field(default_factory=deque)
    done: dict[int, Outcome] = field(default_factory=dict)
    deaths: dict[int, int] = field(default_factory=dict)
    next: int = 0

    def outcomes(self, workers: int) -> Iterator[Outcome]:
        count = len(self.partitions)
        self.waiting.extend(range(count))
        # all at once, before there is any thread of ours: NumPy's own are safe to fork
        for _ in range(workers):
            self._begin()
        while self.next < count:
            self._hand_out(self.next + _AHEAD * workers)
            if self.next not in self.done:
                self._listen()
            while self.next in self.done:
                found = self.done.pop(self.next)
                self.next += 1
                # workers should not wait while the result is looked at
                self._hand_out(self.next + _AHEAD * workers)
                yield found

    def _begin(self) -> None:
        context: Any = get_context(self.start)
        ours, theirs = context.Pipe()
        others = [worker.connection for worker in self.workers] if self.start == "fork" else []
        process = context.Process(
            target=_work,
            args=(theirs, [*others, ours] if self.start == "fork" else []),
            kwargs={
                "function": self.function,
                "partitions": self.partitions,
                "parent": os.getpid(),
            },
            daemon=True,
        )
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*fork.*", DeprecationWarning)
            process.start()
        theirs.close()
        self.workers.append(_Worker(process, ours))

    def _hand_out(self, limit: int) -> None:
        for worker in self.workers:
            if worker.index is None and self.waiting and self.waiting[0] < limit:
                index = self.waiting.popleft()
                try:
                    worker.connection.send(index)
                except (BrokenPipeError, ConnectionError):
                    # it died with nothing in hand: this will be seen
                    self.waiting.appendleft(index)
                    continue
                worker.index = index

    def _listen(self) -> None:
        told: dict[Any, _Worker] = {}
        for worker in self.workers:
            told[worker.connection] = worker
            told[worker.process.sentinel] = worker
        heard = {id(told[each]): told[each] for each in wait(list(told))}
        for worker in heard.values():
            try:
                if worker.connection.poll():
                    self.done[self._in_hand(worker)] = worker.connection.recv()
                    worker.index = None
                    continue
            except (EOFError, ConnectionError):
                pass
            self._bury(worker)

    def _in_hand(self, worker: _Worker) -> int:
        assert worker.index is not None
        return worker.index

    def _bury(self, worker: _Worker) -> None:
        """A worker is dead; another takes its place, and its work."""
        worker.process.join(_GRACE)
        code, index = worker.process.exitcode, worker.index
        worker.connection.close()
        self.workers.remove(worker)
        if index is None:
            # nobody's fault that we know: but not for ever
            index = self.waiting[0] if self.waiting else self.next
            self.deaths[index] = self.deaths.get(index, 0) + 1
        else:
            self.deaths[index] = self.deaths.get(index, 0) + 1
            self.waiting.appendleft(index)
        if self.deaths[index] >= _LIVES and index in self.waiting:
            self.waiting.remove(index)
            self.done[index] = Outcome(
                failure=PartitionError(
                    name_of(self.partitions[index], index, len(self.partitions)),
                    f"{self.deaths[index]} processes that worked on it died, the last one "
                    f"{_ended(code)}",
                    MORE_MEMORY,
                )
            )
        self._begin()

    def end(self) -> None:
        """No worker outlives the work."""
        for worker in self.workers:
            worker.connection.close()
            if worker.index is not None:
                worker.process.terminate()
        until = time.monotonic() + _GRACE
        for worker in self.workers:
            worker.process.join(max(until - time.monotonic(), 0))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join(_GRACE)
            if not worker.process.is_alive():
                worker.process.close()
        self.workers.clear()


def _ended(code: int | None) -> str:
    """How a process ended."""
    if code is None:
        return "in a way that is not known"
    if code >= 0:
        return f"with exit status {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"by {name}" + (", perhaps for want of memory" if name == "SIGKILL" else "")


def _work(
    connection: Connection,
    others: list[Connection],
    *,
    function: Callable[[Any], Any],
    partitions: Sequence[Any],
    parent: int,
) -> None:
    """What a worker does: one partition after another, as it is told."""
    # an interrupt at the terminal reaches every process; workers need not tell of it
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for other in others:
        other.close()
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    while True:
        try:
            index = connection.recv()
        except (EOFError, OSError):
            return
        name = name_of(partitions[index], index, len(partitions))
        found = outcome(function, partitions[index], name)
        try:
            sent = pickle.dumps(found)
        except Exception as error:
            sent = pickle.dumps(Outcome(failure=PartitionError(name, cause_of(error))))
        try:
            connection.send_bytes(sent)
        except OSError:
            return


def _watch(parent: int) -> None:
    """End with whoever began us."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(1)
