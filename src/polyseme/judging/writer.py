"""One thread that writes, and tells nobody before what was written is on the disk.

Jobs that wait are done in one transaction, each in a savepoint of its own: syncing the disk takes
longer than what a job does, and so one sync serves all who wait for it.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

import sqlalchemy as sa

from polyseme.judging.database import Database
from polyseme.judging.protocol import Refused

T = TypeVar("T")
#: how many jobs share a transaction at most
TOGETHER = 64


@dataclass(frozen=True)
class Job:
    """Something to do in a transaction, and where its outcome goes."""

    work: Callable[[sa.Connection], Any]
    outcome: Future[Any] = field(default_factory=Future)


class Writer:
    """Does jobs one after another on one connection."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="polyseme-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[sa.Connection], T]) -> Future[T]:
        """Have something done; the outcome is there after the commit, or there is an error."""
        job = Job(work)
        self._jobs.put(job)
        return job.outcome

    def close(self) -> None:
        """Do what is waiting, and end."""
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            together = [job]
            ended = False
            while not ended and len(together) < TOGETHER:
                try:
                    following = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if following is None:
                    ended = True
                else:
                    together.append(following)
            self._commit([job for job in together if job.outcome.set_running_or_notify_cancel()])
            if ended:
                return

    def _commit(self, jobs: Sequence[Job]) -> None:
        found: list[tuple[Any, Refused | None]] = []
        try:
            with self._database.writing() as connection:
                found = [_done(job, connection) for job in jobs]
        except Exception as error:
            if len(jobs) == 1:
                jobs[0].outcome.set_exception(error)
                return
            # nothing of it was written: one job that fails shall not take the others along
            for job in jobs:
                self._commit([job])
            return
        # from here on it is on the disk
        for job, (value, refused) in zip(jobs, found, strict=True):
            if refused is None:
                job.outcome.set_result(value)
            else:
                job.outcome.set_exception(refused)


def _done(job: Job, connection: sa.Connection) -> tuple[Any, Refused | None]:
    """What a job gives, or why it is refused; of a refused one nothing stays."""
    try:
        with connection.begin_nested():
            return job.work(connection), None
    except Refused as refused:
        return None, refused
