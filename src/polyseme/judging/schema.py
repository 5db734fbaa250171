"""The tables of a study.

Times are milliseconds since 1970 in UTC. What judges say is in ``events``, to which rows are only
ever added (triggers refuse anything else); ``judgments`` is what stands at present and follows from
the events, which ``polyseme judge check`` holds against each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

#: the newest migration
VERSION = "0001"

METADATA = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


def _key(name: str, *more: Any, kind: Any = sa.BigInteger) -> sa.Column[Any]:
    return sa.Column(name, kind, *more, primary_key=True, autoincrement=False)


def _whole(name: str, *more: Any, **said: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.BigInteger, *more, nullable=said.pop("nullable", False), **said)


def _text(name: str, *more: Any, **said: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.Text, *more, nullable=said.pop("nullable", False), **said)


# ---- what is asked -------------------------------------------------------------------------------

settings = sa.Table("settings", METADATA, _key("name", kind=sa.Text), _text("value"))  # JSON
topics = sa.Table(
    "topics",
    METADATA,
    _key("topic", kind=sa.Text),
    _whole("place", unique=True),
    _text("query"),
    _text("description"),
)
intents = sa.Table(
    "intents",
    METADATA,
    _key("topic", sa.ForeignKey("topics.topic"), kind=sa.Text),
    _key("intent", kind=sa.Text),
    _whole("place"),
    _text("text"),
)
documents = sa.Table("documents", METADATA, _key("doc", kind=sa.Text), _text("title"), _text("url"))
#: the lists that are compared, from rank 1 to the study's cutoff
rankings = sa.Table(
    "rankings",
    METADATA,
    _key("topic", sa.ForeignKey("topics.topic"), kind=sa.Text),
    _key("run", kind=sa.Text),
    _key("rank"),
    _text("doc", sa.ForeignKey("documents.doc")),
)
#: what is given to judges as a whole: an item, or in grades all documents of a topic
units = sa.Table("units", METADATA, _key("unit"), _text("topic", sa.ForeignKey("topics.topic")))
items = sa.Table(
    "items",
    METADATA,
    _key("item"),
    _whole("unit", sa.ForeignKey("units.unit"), index=True),
    _text("name", unique=True),
    _text("topic", sa.ForeignKey("topics.topic")),
    _text("run_a", nullable=True),
    _text("run_b", nullable=True),
    _text("doc", sa.ForeignKey("documents.doc"), nullable=True),
)

# ---- who is asked --------------------------------------------------------------------------------

judges = sa.Table("judges", METADATA, _key("judge"), _text("name", unique=True), _whole("created"))
#: secret links; of the secret only its SHA-256 is kept
invitations = sa.Table(
    "invitations",
    METADATA,
    _key("invitation"),
    _whole("judge", sa.ForeignKey("judges.judge"), index=True),
    _text("digest", unique=True),
    _whole("created"),
    _whole("until"),
    _whole("revoked", nullable=True),
)
#: browsers; without an invitation the organiser's
sessions = sa.Table(
    "sessions",
    METADATA,
    _key("digest", kind=sa.Text),
    _whole("invitation", sa.ForeignKey("invitations.invitation"), nullable=True),
    _whole("created"),
    _whole("until"),
)
#: how an item is shown to a judge, drawn once
presentations = sa.Table(
    "presentations",
    METADATA,
    _key("judge", sa.ForeignKey("judges.judge")),
    _key("item", sa.ForeignKey("items.item")),
    _whole("place"),
    sa.Column("swapped", sa.Boolean, nullable=False),
    _text("questions"),  # JSON: their names in order
    sa.UniqueConstraint("judge", "place"),
)
#: as many rows for each unit as judges are wanted, made with the study: there cannot be more
slots = sa.Table(
    "slots",
    METADATA,
    _key("unit", sa.ForeignKey("units.unit")),
    _key("slot"),
    _whole("judge", sa.ForeignKey("judges.judge"), nullable=True, index=True),
    _whole("until", nullable=True),  # NULL with a judge: for good
    sa.UniqueConstraint("unit", "judge"),
)

# ---- what they said ------------------------------------------------------------------------------


def _said() -> Iterator[sa.Column[Any]]:
    yield _text("state")
    yield _text("answers")  # JSON, as the judge saw the page
    yield _text("reason", nullable=True)
    yield _whole("ms")
    yield _whole("at")


#: everything that was ever said, numbered from 1 without gaps, with what stood after it
events = sa.Table(
    "events",
    METADATA,
    _key("event"),
    _whole("judge", sa.ForeignKey("judges.judge")),
    _whole("item", sa.ForeignKey("items.item")),
    _whole("revision"),
    _text("kind"),
    _text("key"),
    _text("digest"),
    *_said(),
    sa.UniqueConstraint("judge", "key"),
    sa.UniqueConstraint("judge", "item", "revision"),
)
#: what stands at present: the last event of each judge and item, with the sum of their times
judgments = sa.Table(
    "judgments",
    METADATA,
    _key("judge", sa.ForeignKey("judges.judge")),
    _key("item", sa.ForeignKey("items.item")),
    _whole("revision"),
    *_said(),
)

#: statements that make the events append-only, by dialect
APPEND_ONLY = {
    "sqlite": tuple(
        f"CREATE TRIGGER events_no_{what.lower()} BEFORE {what} ON events "
        "BEGIN SELECT RAISE(ABORT, 'events are only ever added'); END"
        for what in ("UPDATE", "DELETE")
    ),
    "postgresql": (
        "CREATE FUNCTION events_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'events are only ever added'; END $$",
        "CREATE TRIGGER events_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON events "
        "FOR EACH STATEMENT EXECUTE FUNCTION events_refuse()",
    ),
}
