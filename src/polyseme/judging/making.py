"""Making a study: what is asked, written into an empty database."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice

import sqlalchemy as sa

from polyseme.errors import InputError, PolysemeError
from polyseme.judging import migrating, schema
from polyseme.judging.database import Database, is_url
from polyseme.judging.moment import Settings, write_settings
from polyseme.judging.shown import Document


@dataclass(frozen=True)
class Asked:
    """One item: a topic, with two runs to compare or a document to grade."""

    name: str
    topic: str
    runs: tuple[str, str] | None = None
    doc: str | None = None


@dataclass(frozen=True)
class Intent:
    """An intent in words."""

    name: str
    text: str


@dataclass(frozen=True)
class Content:
    """What a study asks."""

    #: query and description of each topic
    topics: Mapping[str, tuple[str, str]]
    items: Sequence[Asked]
    intents: Mapping[str, Sequence[Intent]] = field(default_factory=dict)
    documents: Mapping[str, Document] = field(default_factory=dict)
    #: the first documents of each topic and run
    rankings: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)


def make(study: str, settings: Settings, content: Content) -> None:
    """Write a new study, whole or not at all."""
    if not content.items:
        raise PolysemeError("there is not one item to judge")
    database = empty(study)
    try:
        with database.writing() as connection:
            migrating.migrate(connection)
            write_settings(connection, asdict(settings))
            for table, rows in _rows(settings, content):
                insert(connection, table, rows)
    except BaseException:
        database.close()
        if not is_url(study):
            remove(study)
        raise
    database.close()


def empty(study: str) -> Database:
    """A database for a new study."""
    database = Database(study, create=True)
    try:
        if migrating.version_of(database) is not None:
            raise InputError(
                "there is a study already",
                path=database.name,
                expected="an empty database",
                remedy="make another database",
            )
    except BaseException:
        database.close()
        raise
    return database


def remove(study: str) -> None:
    """Remove the files of a study that could not be made."""
    for suffix in ("", "-wal", "-shm", ".turn"):
        if os.path.exists(study + suffix):
            os.unlink(study + suffix)


def insert(
    connection: sa.Connection, table: sa.Table, rows: Iterable[Mapping[str, object]]
) -> None:
    """Add rows, some thousands at a time."""
    statement = sa.insert(table)
    left = iter(rows)
    while some := list(islice(left, 5000)):
        connection.execute(statement, some)


def _rows(
    settings: Settings, content: Content
) -> Iterable[tuple[sa.Table, Iterable[dict[str, object]]]]:
    yield (
        schema.topics,
        (
            {"topic": name, "place": place, "query": query, "description": description}
            for place, (name, (query, description)) in enumerate(content.topics.items(), 1)
        ),
    )
    yield (
        schema.intents,
        (
            {"topic": topic, "intent": intent.name, "place": place, "text": intent.text}
            for topic, all_intents in content.intents.items()
            for place, intent in enumerate(all_intents, 1)
        ),
    )
    yield (
        schema.documents,
        (
            {"doc": each.doc, "title": each.title, "url": each.url}
            for each in content.documents.values()
        ),
    )
    yield (
        schema.rankings,
        (
            {"topic": topic, "run": run, "rank": rank, "doc": doc}
            for (topic, run), documents in content.rankings.items()
            for rank, doc in enumerate(documents, 1)
        ),
    )
    units: dict[str, tuple[int, str]] = {}
    for each in content.items:
        units.setdefault(_unit(settings, each), (len(units) + 1, each.topic))
    yield schema.units, ({"unit": unit, "topic": topic} for unit, topic in units.values())
    yield (
        schema.items,
        (
            {
                "item": number,
                "unit": units[_unit(settings, each)][0],
                "name": each.name,
                "topic": each.topic,
                "run_a": each.runs[0] if each.runs else None,
                "run_b": each.runs[1] if each.runs else None,
                "doc": each.doc,
            }
            for number, each in enumerate(content.items, 1)
        ),
    )
    yield (
        schema.slots,
        (
            {"unit": unit, "slot": slot, "judge": None, "until": None}
            for unit, _ in units.values()
            for slot in range(1, settings.wanted + 1)
        ),
    )


def _unit(settings: Settings, item: Asked) -> str:
    """What an item is given to judges with: in grades its topic."""
    return item.topic if settings.task == "grades" else item.name
