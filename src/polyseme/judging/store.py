"""An open study: reading and writing it, from programs and from the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa

from polyseme.judging import migrating
from polyseme.judging.database import Database
from polyseme.judging.moment import Clock, Moment, Settings, now, read_settings
from polyseme.judging.writer import Writer

P = ParamSpec("P")
T = TypeVar("T")


class Store:
    """A study. What reads or writes it is a function of a :class:`Moment` and its arguments."""

    def __init__(self, database: Database, *, clock: Clock = now) -> None:
        self.database = database
        self.clock = clock
        with database.reading() as connection:
            self.settings: Settings = read_settings(connection)
        self._writer: Writer | None = None

    @classmethod
    def open(cls, study: str, *, clock: Clock = now) -> Store:
        """Open a study, bringing its tables up to date where an older polyseme made them."""
        database = Database(study)
        try:
            migrating.upgrade(database)
            return cls(database, clock=clock)
        except BaseException:
            database.close()
            raise

    def close(self) -> None:
        """Write what is waiting, and close all connections."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        self.database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *why: object) -> None:
        self.close()

    # ---- for programs -------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[Moment]:
        """One transaction that writes, committed when the block ends."""
        with self.database.writing() as connection:
            yield self._moment(connection)

    @contextmanager
    def reading(self) -> Iterator[Moment]:
        """One transaction that sees one state and changes nothing."""
        with self.database.reading() as connection:
            yield self._moment(connection)

    # ---- for the server -----------------------------------------------------------------------

    async def write(
        self,
        work: Callable[Concatenate[Moment, P], T],
        /,
        *arguments: P.args,
        **named: P.kwargs,
    ) -> T:
        """What the function gives, once what it wrote is on the disk."""
        if self._writer is None:
            self._writer = Writer(self.database)
        done = self._writer.submit(
            lambda connection: work(self._moment(connection), *arguments, **named)
        )
        return await asyncio.wrap_future(done)

    async def read(
        self,
        work: Callable[Concatenate[Moment, P], T],
        /,
        *arguments: P.args,
        **named: P.kwargs,
    ) -> T:
        """What the function gives; it runs in another thread."""
        return await asyncio.to_thread(partial(self._read, work), *arguments, **named)

    def _read(
        self,
        work: Callable[Concatenate[Moment, P], T],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> T:
        with self.reading() as moment:
            return work(moment, *arguments, **named)

    def _moment(self, connection: sa.Connection) -> Moment:
        return Moment(connection, self.settings, self.clock())
