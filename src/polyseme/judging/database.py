"""Connections to a study: a SQLite file, or a PostgreSQL database by its URL.

Whoever writes takes turns. On SQLite a turn is ``BEGIN IMMEDIATE`` inside a lock on the file
``STUDY.turn``, so that the server and a command beside it never write and checkpoint at the same
instant (SQLite before 3.51.3 could then lose committed pages in WAL mode); on PostgreSQL it is an
advisory lock for the length of the transaction. Readers see one consistent state and cannot write.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from polyseme.errors import InputError, MissingExtra, PolysemeError

_URL = re.compile(r"postgres(ql)?(\+\w+)?://")
_SOME_URL = re.compile(r"[A-Za-z][\w+.-]+://")
_WAIT = 30
#: the first half of PostgreSQL's locks, for turns of writers and for the one who serves; the second
#: is the schema, so that studies in one database do not wait for each other
_TURN, _SERVING = 0x706F6C79, 0x73656D65
_TAKE_TURN = sa.text(f"SELECT pg_advisory_xact_lock({_TURN}, hashtext(current_schema()))")
_SERVE = sa.text(f"SELECT pg_advisory_lock({_SERVING}, hashtext(current_schema()))")
_REMEDY_NEW = "make one with polyseme judge new"


def is_url(study: str) -> bool:
    """Is a study a PostgreSQL database, and not a file?"""
    return _URL.match(study) is not None


def shown(study: str) -> str:
    """A study's name as it may be printed: without a password."""
    if not is_url(study):
        return study
    return sa.make_url(study).render_as_string(hide_password=True)


class Database:
    """The two ways to a study: one connection that writes, and some that read."""

    def __init__(self, study: str, *, create: bool = False) -> None:
        self.study = study
        self.name = shown(study)
        if is_url(study):
            self.writer, self.reader = _postgres(study)
            self._turns = ""
        elif _SOME_URL.match(study):
            raise InputError(
                "this is no study",
                text=study,
                expected="a SQLite file, or postgresql://USER@HOST/DATABASE",
                remedy="name a file",
            )
        else:
            _check_file(study, create)
            self.writer, self.reader = _sqlite(study, create), _sqlite(study, create, reads=True)
            self._turns = f"{study}.turn"

    @property
    def dialect(self) -> str:
        return str(self.writer.dialect.name)

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A transaction that no other writer overlaps; it is committed when the block ends."""
        with _held(self._turns), self.writer.connect() as connection, connection.begin():
            if self.dialect == "postgresql":
                connection.execute(_TAKE_TURN)
            yield connection

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A transaction that sees one state of the study and changes nothing."""
        with self.reader.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def only_server(self) -> Iterator[None]:
        """Be the one process that serves the study."""
        problem = PolysemeError(
            f"{self.name} is being served already\n  to mend it: stop the other server first"
        )
        if self.dialect == "sqlite":
            with _held(f"{self.study}.serving", refuse=problem):
                yield
            return
        with self.reader.connect() as connection:
            # a server that was killed a moment ago may still have a connection
            connection.exec_driver_sql("SET lock_timeout = '5s'")
            try:
                connection.execute(_SERVE)
            except OperationalError:
                raise problem from None
            connection.rollback()  # session locks outlive transactions
            yield

    def close(self) -> None:
        """Close all connections; the last one of a SQLite file folds the log into it."""
        self.reader.dispose()
        with _held(self._turns):
            self.writer.dispose()


@contextmanager
def _held(path: str, *, refuse: PolysemeError | None = None) -> Iterator[None]:
    """Hold the lock of that name; wait for it, or refuse where somebody has it."""
    try:
        import fcntl
    except ImportError:  # Windows: SQLite's own locks must do
        path = ""
    if not path:
        yield
        return
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (fcntl.LOCK_NB if refuse else 0))
        except BlockingIOError:
            assert refuse is not None
            raise refuse from None
        yield
    finally:
        os.close(handle)


# ---- SQLite --------------------------------------------------------------------------------------


def _check_file(path: str, create: bool) -> None:
    if os.path.isdir(path):
        raise InputError("this is a folder", path=path, expected="a study", remedy="name a file")
    if not create:
        if not os.path.exists(path):
            raise InputError(
                "there is no such study", path=path, expected="a study", remedy=_REMEDY_NEW
            )
        with open(path, "rb") as stream:
            if stream.read(16) != b"SQLite format 3\0":
                raise InputError(
                    "this is no study", path=path, expected="a SQLite file", remedy=_REMEDY_NEW
                )
    elif os.path.exists(path):
        raise InputError(
            "there is something of that name already",
            path=path,
            expected="a new file",
            remedy="choose another name",
        )


def _sqlite(path: str, create: bool, *, reads: bool = False) -> sa.Engine:
    mode = "rwc" if create else "rw"
    uri = f"file:{quote(os.path.abspath(path))}?mode={mode}"

    def connect() -> sqlite3.Connection:
        # the driver shall begin nothing by itself
        made = sqlite3.connect(
            uri, uri=True, timeout=_WAIT, isolation_level=None, check_same_thread=False
        )
        mode = made.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if mode != "wal":
            made.close()
            raise PolysemeError(
                f"{path}: SQLite cannot keep a write-ahead log there\n"
                "  to mend it: put the study on a local disk, or use PostgreSQL"
            )
        made.execute("PRAGMA synchronous = FULL")
        made.execute("PRAGMA fullfsync = ON")  # elsewhere than on macOS this does nothing
        made.execute("PRAGMA foreign_keys = ON")
        if reads:
            made.execute("PRAGMA query_only = ON")
            made.execute("PRAGMA wal_autocheckpoint = 0")
        return made

    engine = sa.create_engine(
        "sqlite://",
        creator=connect,
        poolclass=sa.pool.QueuePool,
        pool_size=8 if reads else 1,
        max_overflow=8 if reads else 0,
        pool_reset_on_return="rollback",
    )
    begin = "BEGIN" if reads else "BEGIN IMMEDIATE"
    sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


# ---- PostgreSQL ----------------------------------------------------------------------------------


def _postgres(url: str) -> tuple[sa.Engine, sa.Engine]:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise MissingExtra("judging on PostgreSQL", "postgres") from None
    address = sa.make_url(url).set(drivername="postgresql+psycopg")
    usual: dict[str, Any] = {"pool_pre_ping": True}
    writer = sa.create_engine(address, pool_size=1, max_overflow=0, **usual)
    reader = sa.create_engine(
        address, pool_size=8, max_overflow=8, isolation_level="REPEATABLE READ", **usual
    ).execution_options(postgresql_readonly=True)

    def durable(connection: Any, record: object) -> None:
        # stronger settings than `on` stay as they are
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT set_config('synchronous_commit', 'on', false) "
                "WHERE current_setting('synchronous_commit') = 'off'"
            )
            cursor.execute(f"SET lock_timeout = '{_WAIT}s'")
        connection.commit()

    sa.event.listen(writer, "connect", durable)
    return writer, reader
