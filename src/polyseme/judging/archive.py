"""A whole study as lines of JSON: to keep, and to move between SQLite and PostgreSQL.

Every table but the browsers' sessions, rows in the order of their keys, in JSON that is the same
text for the same value: the archive of a study made from an archive is the same file. The last line
has the number of lines and the SHA-256 of what stands before it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NoReturn

import sqlalchemy as sa

from polyseme.collection.formats.opening import source_of
from polyseme.errors import InputError, PolysemeError
from polyseme.judging import checking, making, migrating, schema
from polyseme.judging.database import is_url
from polyseme.judging.moment import Moment, now, read_settings
from polyseme.judging.protocol import canonical

FORMAT = "polyseme study"
EXPECTED = "what polyseme judge export --what archive wrote"
#: in an order in which rows can be added
TABLES = tuple(table for table in schema.METADATA.sorted_tables if table is not schema.sessions)
_OF_NAME = {table.name: table for table in TABLES}


def lines(moment: Moment) -> Iterator[str]:
    """The archive, line by line."""
    hashed = hashlib.sha256()
    count = 0
    for record in _records(moment):
        line = canonical(record) + "\n"
        hashed.update(line.encode())
        count += 1
        yield line
    yield canonical({"lines": count, "sha256": hashed.hexdigest()}) + "\n"


def _records(moment: Moment) -> Iterator[Any]:
    yield {"format": FORMAT, "version": schema.VERSION}
    for table in TABLES:
        keys = [column.name for column in table.primary_key]
        rows = moment.connection.execute(sa.select(table)).mappings().all()
        # here and not in the database: each has an order of letters of its own
        for row in sorted(rows, key=lambda row: [row[key] for key in keys]):
            yield [table.name, dict(row)]


def is_archive(path: str) -> bool:
    """Does a file begin as archives do?"""
    with source_of(path).open() as stream:
        return bytes(stream.read(200)).startswith(b'{"format":"' + FORMAT.encode() + b'"')


def restore(study: str, path: str) -> int:
    """Make a study from an archive, whole or not at all: how many judgments it has."""
    records = _checked(path)
    head = next(records)
    if head.get("version") != schema.VERSION:
        _refuse(path, 1, f"the archive has version {head.get('version')} of the tables")
    database = making.empty(study)
    try:
        with database.writing() as connection:
            migrating.migrate(connection)
            for table, rows in _by_table(path, records):
                making.insert(connection, table, rows)
            moment = Moment(connection, read_settings(connection), now())
            problems = checking.problems(moment)
            if problems:
                raise InputError(
                    f"the archive does not fit together: {problems[0]}",
                    path=path,
                    expected=EXPECTED,
                    remedy="take another copy of it",
                )
            count = sa.select(sa.func.count()).select_from(schema.judgments)
            judgments: int = connection.execute(count).scalar_one()
    except BaseException:
        database.close()
        if not is_url(study):
            making.remove(study)
        raise
    database.close()
    return judgments


def _by_table(path: str, records: Iterator[Any]) -> Iterator[tuple[sa.Table, Iterable[Any]]]:
    numbered = enumerate(records, 2)
    for name, rows in groupby(numbered, key=lambda each: _table_of(path, each)):
        yield _OF_NAME[name], (record[1] for _, record in rows)


def _table_of(path: str, numbered: tuple[int, Any]) -> str:
    line, record = numbered
    match record:
        case [str(name), dict(row)] if name in _OF_NAME:
            if set(row) == set(_OF_NAME[name].columns.keys()):
                return name
    _refuse(path, line, "this is no row of a study")


def _checked(path: str) -> Iterator[Any]:
    """The records of an archive whose last line tells of the others as it should."""
    hashed = hashlib.sha256()
    held: list[bytes] = []
    with source_of(path).open() as stream:
        # read whole: nothing is believed before the last line was seen
        content = b"".join(iter(lambda: stream.read(1 << 20), b""))
    held = content.splitlines(keepends=True)
    for line in held[:-1]:
        hashed.update(line)
    end = _json(path, len(held), held[-1]) if held else None
    if end != {"lines": len(held) - 1, "sha256": hashed.hexdigest()}:
        _refuse(path, len(held), "the archive is cut short or was changed")
    for number, line in enumerate(held[:-1], 1):
        yield _json(path, number, line)


def _json(path: str, number: int, line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        _refuse(path, number, "this is no line of JSON")


def _refuse(path: str, line: int, problem: str) -> NoReturn:
    raise InputError(
        problem, path=path, line=line, expected=EXPECTED, remedy="take another copy of it"
    )


def write(moment: Moment, stream: Any) -> None:
    """Write the archive of a study."""
    try:
        stream.writelines(lines(moment))
    except UnicodeEncodeError as error:  # no text of ours has halves of letters
        raise PolysemeError(f"the study holds text that cannot be written: {error}") from None
