"""Is a study whole? The database by its own means, and what stands against all that was said."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from polyseme.judging import schema
from polyseme.judging.assignment import FINISHED, KEPT
from polyseme.judging.moment import Moment
from polyseme.judging.protocol import Refused

#: SQLite's own list of what was mended: in WAL mode committed pages could be lost
MENDED_SQLITE = (3, 51, 3)
_HELD_TOGETHER = ("revision", "state", "answers", "reason", "at")


@dataclass(frozen=True)
class Checked:
    """One thing that was looked at."""

    what: str
    #: none where all is well
    problems: tuple[str, ...] = ()
    remark: str = ""


def check(moment: Moment) -> Iterator[Checked]:
    """Everything that can be looked at."""
    yield from _database(moment)
    for what, look in _LOOKS.items():
        yield Checked(what, tuple(look(moment)))


def problems(moment: Moment) -> list[str]:
    """What is wrong with what a study holds."""
    return [problem for look in _LOOKS.values() for problem in look(moment)]


# ---- the database -------------------------------------------------------------------------------


def _database(moment: Moment) -> Iterator[Checked]:
    run = moment.connection.exec_driver_sql
    if moment.connection.dialect.name == "postgresql":
        version = run("SHOW server_version").scalar()
        yield Checked("database", remark=f"PostgreSQL {version}")
        for name, why in _POSTGRES.items():
            value = run(f"SHOW {name}").scalar()
            wrong = (f"{name} is {value}: {why}",) if value == "off" else ()
            yield Checked(name, wrong, str(value))
        return
    version = sqlite3.sqlite_version
    remark = f"SQLite {version}"
    if sqlite3.sqlite_version_info < MENDED_SQLITE:
        remark += (
            "; before 3.51.3, writing and checkpointing in WAL mode at the same instant could lose "
            "pages: polyseme has one writer at a time, which avoids it; so let no other program "
            "write to the file"
        )
    yield Checked("database", remark=remark)
    found = [str(row[0]) for row in run("PRAGMA integrity_check")]
    yield Checked("integrity_check", tuple(each for each in found if each != "ok"))
    broken = run("PRAGMA foreign_key_check").all()
    yield Checked(
        "foreign_key_check", tuple(f"a row of {row[0]} hangs in the air" for row in broken)
    )
    mode = run("PRAGMA journal_mode").scalar()
    yield Checked("journal_mode", () if mode == "wal" else (f"it is {mode}, not wal",), str(mode))


_POSTGRES = {
    "fsync": "a crash of the machine can lose everything; turn it on",
    "full_page_writes": "a crash of the machine can break the database; turn it on",
}


# ---- what it holds ------------------------------------------------------------------------------


def _events(moment: Moment) -> Iterator[str]:
    """Numbered without gaps, and so are the revisions of each judgment."""
    events = schema.events.c
    rows = moment.connection.execute(sa.select(schema.events).order_by(events.event)).all()
    for number, row in enumerate(rows, 1):
        if row.event != number:
            yield f"event {number} is missing"
            break
    last: dict[tuple[int, int], int] = {}
    for row in rows:
        before = last.get((row.judge, row.item))
        follows = row.revision == (before or 0) + 1
        if not follows and not (before is None and row.kind == "import"):
            yield f"event {row.event} has revision {row.revision} after {before or 0}"
        last[row.judge, row.item] = row.revision


def _judgments(moment: Moment) -> Iterator[str]:
    """What stands is what the last events say."""
    run = moment.connection.execute
    last: dict[tuple[int, int], sa.Row[*tuple[object, ...]]] = {}
    spent: Counter[tuple[int, int]] = Counter()
    for row in run(sa.select(schema.events).order_by(schema.events.c.event)).all():
        last[row.judge, row.item] = row
        spent[row.judge, row.item] += row.ms
    standing = {(row.judge, row.item): row for row in run(sa.select(schema.judgments)).all()}
    for key in sorted(last.keys() | standing.keys()):
        where = f"judge {key[0]}, item {key[1]}"
        if key not in standing:
            yield f"{where}: the judgment is missing"
        elif key not in last:
            yield f"{where}: nobody said what the judgment says"
        else:
            event, row = last[key], standing[key]
            for name in _HELD_TOGETHER:
                if getattr(event, name) != getattr(row, name):
                    yield f"{where}: {name} of the judgment is not that of the last event"
            if row.ms != spent[key]:
                yield f"{where}: the time of the judgment is not the sum of the events'"


def _slots(moment: Moment) -> Iterator[str]:
    """No unit has more judges than wanted, and whoever finished something has a place for good."""
    run, wanted = moment.connection.execute, moment.settings.wanted
    units = set(run(sa.select(schema.units.c.unit)).scalars())
    rows = run(sa.select(schema.slots)).all()
    places = Counter(row.unit for row in rows)
    yield from (
        f"unit {u} has {places[u]} places, not {wanted}" for u in units if places[u] != wanted
    )
    kept = {(row.unit, row.judge) for row in rows if row.judge is not None and row.until is None}
    said = run(
        sa.select(schema.judgments.c.judge, schema.items.c.unit, schema.items.c.item)
        .join(schema.items, schema.items.c.item == schema.judgments.c.item)
        .where(schema.judgments.c.state.in_(KEPT))
    )
    for judge, unit, item in said:
        if (unit, judge) not in kept:
            yield f"judge {judge} said something of item {item} without a place"


def _overlap(moment: Moment) -> Iterator[str]:
    judgments = schema.judgments.c
    rows = moment.connection.execute(
        sa.select(judgments.item, sa.func.count())
        .where(judgments.state.in_(FINISHED))
        .group_by(judgments.item)
        .having(sa.func.count() > moment.settings.wanted)
    )
    for item, count in rows:
        yield f"item {item} has {count} judgments, more than {moment.settings.wanted}"


def _presentations(moment: Moment) -> Iterator[str]:
    """Every judge has every item once, in places from 1 on."""
    run, shows = moment.connection.execute, schema.presentations.c
    items = run(sa.select(sa.func.count()).select_from(schema.items)).scalar_one()
    found = run(
        sa.select(
            schema.judges.c.name,
            sa.func.count(shows.item),
            sa.func.min(shows.place),
            sa.func.max(shows.place),
        )
        .select_from(schema.judges.outerjoin(schema.presentations))
        .group_by(schema.judges.c.name)
    )
    for name, count, first, end in found:
        if (count, first, end) != (items, 1, items):
            yield f"{name} has {count} of {items} items, in places {first} to {end}"


def _answers(moment: Moment) -> Iterator[str]:
    """Answers are such as can be given."""
    shows, judgments = schema.presentations.c, schema.judgments.c
    rows = moment.connection.execute(
        sa.select(schema.judgments, shows.questions).join(
            schema.presentations,
            (shows.judge == judgments.judge) & (shows.item == judgments.item),
        )
    )
    for row in rows:
        answers, questions = json.loads(row.answers), json.loads(row.questions)
        where = f"judge {row.judge}, item {row.item}"
        try:
            moment.settings.kind.check(answers, questions)
        except Refused as refused:
            yield f"{where}: {refused.message}"
        if (row.state == "done") != (len(answers) == len(questions) and row.state != "cannot"):
            yield f"{where}: it is {row.state} with {len(answers)} answers"


_LOOKS = {
    "events": _events,
    "judgments": _judgments,
    "places": _slots,
    "overlap": _overlap,
    "presentations": _presentations,
    "answers": _answers,
}
