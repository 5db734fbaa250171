"""What everything in a study is done with: a transaction, the study's settings, and the time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import sqlalchemy as sa

from polyseme.judging import schema, tasks
from polyseme.judging.protocol import canonical
from polyseme.judging.tasks import Task

#: milliseconds since 1970
Clock = Callable[[], int]


def now() -> int:
    """The time by the system's clock."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class Settings:
    """What a study was made with."""

    title: str
    task: str
    #: judges for each item
    wanted: int
    #: of sides and orders
    seed: int
    #: when it was made
    created: int
    #: how many documents of a list are shown
    cutoff: int = 10
    #: how long an item is kept for a judge who opened it
    lease_ms: int = 4 * 3_600_000
    #: Markdown
    guidelines: str = ""
    #: where documents are: a folder, a JSONL or a WARC file; empty where there are none
    documents: str = ""
    #: Argon2 of the organiser's password
    password: str = ""

    @property
    def kind(self) -> Task:
        return tasks.of(self.task)


@dataclass(frozen=True)
class Moment:
    """One transaction on a study."""

    connection: sa.Connection
    settings: Settings
    now: int


def read_settings(connection: sa.Connection) -> Settings:
    """The settings that a study has."""
    known = {each.name for each in fields(Settings)}
    rows = connection.execute(sa.select(schema.settings)).all()
    return Settings(**{row.name: json.loads(row.value) for row in rows if row.name in known})


def write_settings(connection: sa.Connection, values: Mapping[str, Any]) -> None:
    """Set some settings."""
    table = schema.settings
    for name, value in values.items():
        connection.execute(sa.delete(table).where(table.c.name == name))
        connection.execute(sa.insert(table).values(name=name, value=canonical(value)))
