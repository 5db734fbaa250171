"""Secret links, sessions, and who asks.

A secret is 32 random bytes; what is stored is its SHA-256, by which it is looked up: who can read
the study cannot open its links, and how long a look-up takes tells nothing of any secret.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hmac import compare_digest
from typing import Any

import sqlalchemy as sa
from sqlalchemy import bindparam, func

from polyseme.errors import PolysemeError, shown
from polyseme.judging import schema
from polyseme.judging.drawing import question_order, shuffled, swapped
from polyseme.judging.moment import Moment
from polyseme.judging.protocol import Refused, canonical, storable

DAY = 86_400_000
#: how long a browser stays known
JUDGE_SESSION, ORGANISER_SESSION = 14 * DAY, DAY // 2
_invitations, _sessions, _judges = (
    schema.invitations.c,
    schema.sessions.c,
    schema.judges.c,
)


@dataclass(frozen=True)
class Asking:
    """The judge whose browser asks."""

    judge: int
    name: str
    #: when the session ends
    until: int


@dataclass(frozen=True)
class Invited:
    """A new secret link: the one time that the secret is at hand."""

    invitation: int
    judge: str
    secret: str
    until: int

    @property
    def path(self) -> str:
        return f"/join/{self.secret}"


def digest_of(secret: str) -> str:
    """What is stored of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


# ---- sessions ------------------------------------------------------------------------------------

_VALID = (
    (_invitations.digest == bindparam("digest"))
    & _invitations.revoked.is_(None)
    & (_invitations.until > bindparam("now"))
)
_INVITED = (
    sa.select(schema.invitations, _judges.name)
    .join(schema.judges, _judges.judge == _invitations.judge)
    .where(_VALID)
)
_SESSION = (
    sa.select(
        _sessions.digest,
        _sessions.until,
        _sessions.invitation,
        _invitations.judge,
        _invitations.revoked,
        _judges.name,
    )
    .select_from(
        schema.sessions.outerjoin(
            schema.invitations, _invitations.invitation == _sessions.invitation
        ).outerjoin(schema.judges, _judges.judge == _invitations.judge)
    )
    .where(_sessions.digest == bindparam("digest"), _sessions.until > bindparam("now"))
)


def invited(moment: Moment, secret: str) -> Asking | None:
    """Whom a secret link is for; None where it is wrong, expired or revoked."""
    digest = digest_of(secret)
    row = moment.connection.execute(_INVITED, {"digest": digest, "now": moment.now}).first()
    if row is None or not compare_digest(row.digest, digest):
        return None
    return Asking(row.judge, row.name, row.until)


def join(moment: Moment, secret: str) -> tuple[str, int]:
    """Begin a session by a secret link: the session's own secret, and when it ends."""
    digest = digest_of(secret)
    row = moment.connection.execute(_INVITED, {"digest": digest, "now": moment.now}).first()
    if row is None or not compare_digest(row.digest, digest):
        raise Refused("session", "the link is wrong, has expired or was revoked")
    return _begin(moment, row.invitation, min(row.until, moment.now + JUDGE_SESSION))


def begin_organiser(moment: Moment) -> tuple[str, int]:
    """Begin the organiser's session, after the password was found right."""
    return _begin(moment, None, moment.now + ORGANISER_SESSION)


def _begin(moment: Moment, invitation: int | None, until: int) -> tuple[str, int]:
    moment.connection.execute(sa.delete(schema.sessions).where(_sessions.until <= moment.now))
    secret = secrets.token_urlsafe(32)
    moment.connection.execute(
        sa.insert(schema.sessions).values(
            digest=digest_of(secret), invitation=invitation, created=moment.now, until=until
        )
    )
    return secret, until


def _session(moment: Moment, secret: str) -> sa.Row[*tuple[Any, ...]] | None:
    digest = digest_of(secret)
    row = moment.connection.execute(_SESSION, {"digest": digest, "now": moment.now}).first()
    return row if row is not None and compare_digest(row.digest, digest) else None


def asking(moment: Moment, secret: str) -> Asking | None:
    """The judge of a session; None where there is none, or no longer."""
    row = _session(moment, secret)
    if row is None or row.judge is None or row.revoked is not None:
        return None
    return Asking(row.judge, row.name, row.until)


def is_organiser(moment: Moment, secret: str) -> bool:
    """Is it the organiser's session?"""
    row = _session(moment, secret)
    return row is not None and row.invitation is None


def leave(moment: Moment, secret: str) -> None:
    """End a session."""
    moment.connection.execute(
        sa.delete(schema.sessions).where(_sessions.digest == digest_of(secret))
    )


# ---- invitations ---------------------------------------------------------------------------------


def invite(moment: Moment, judges: Sequence[str], days: float) -> list[Invited]:
    """A secret link for each judge; judges who are new get their items by lot."""
    return [_invite(moment, name, moment.now + round(days * DAY)) for name in judges]


def new_names(moment: Moment, count: int) -> list[str]:
    """Names for more judges: judge01, judge02 and so on."""
    known = set(moment.connection.execute(sa.select(_judges.name)).scalars())
    found: list[str] = []
    number = 0
    while len(found) < count:
        number += 1
        name = f"judge{number:02}"
        if name not in known:
            found.append(name)
    return found


def _invite(moment: Moment, name: str, until: int) -> Invited:
    judge = moment.connection.execute(sa.select(_judges.judge).where(_judges.name == name)).scalar()
    if judge is None:
        judge = add_judge(moment, name)
    secret = secrets.token_urlsafe(32)
    invitation = next_number(moment, _invitations.invitation)
    moment.connection.execute(
        sa.insert(schema.invitations).values(
            invitation=invitation,
            judge=judge,
            digest=digest_of(secret),
            created=moment.now,
            until=until,
        )
    )
    return Invited(invitation, name, secret, until)


def next_number(moment: Moment, column: sa.Column[int]) -> int:
    """One more than there is; writers take turns."""
    found = moment.connection.execute(sa.select(func.coalesce(func.max(column), 0))).scalar_one()
    return int(found) + 1


def add_judge(moment: Moment, name: str) -> int:
    """A new judge, with side and orders of every item drawn."""
    if not name.strip() or len(name) > 100 or not storable(name) or not name.isprintable():
        raise PolysemeError(
            f"{shown(name)} is no name for a judge\n"
            "  expected: 1 to 100 printable letters\n  to mend it: choose another one"
        )
    judge = next_number(moment, _judges.judge)
    moment.connection.execute(
        sa.insert(schema.judges).values(judge=judge, name=name, created=moment.now)
    )
    rows = [{"judge": judge, **row} for row in presentations_of(moment, name)]
    if rows:
        moment.connection.execute(sa.insert(schema.presentations), rows)
    return judge


def presentations_of(moment: Moment, name: str) -> Iterable[dict[str, object]]:
    """How each item is shown to the judge of that name: drawn from the seed and names alone."""
    settings = moment.settings
    run = moment.connection.execute
    items = {row.name: row for row in run(sa.select(schema.items)).all()}
    units: dict[str, list[str]] = {}
    intents: dict[str, list[str]] = {}
    for row in items.values():
        # all documents of a topic come one after another, in whatever order
        units.setdefault(row.topic if settings.task == "grades" else row.name, []).append(row.name)
    order = sa.select(schema.intents).order_by(schema.intents.c.topic, schema.intents.c.place)
    for row in run(order).all():
        intents.setdefault(row.topic, []).append(row.intent)
    place = 0
    for unit in shuffled(settings.seed, name, "units", units):
        for item in shuffled(settings.seed, name, "items", units[unit]):
            place += 1
            row = items[item]
            asked = settings.kind.questions or intents.get(row.topic, [])
            # in grading intents keep their places while one topic is graded
            yield {
                "item": row.item,
                "place": place,
                "swapped": settings.task == "preferences" and swapped(settings.seed, name, item),
                "questions": canonical(question_order(settings.seed, name, unit, asked)),
            }


def revoke(moment: Moment, invitation: int) -> None:
    """Make a secret link worthless, and end the sessions that it began."""
    found = moment.connection.execute(
        sa.update(schema.invitations)
        .where(_invitations.invitation == invitation)
        .values(revoked=func.coalesce(_invitations.revoked, moment.now))
    )
    if found.rowcount == 0:
        raise Refused("item", f"there is no invitation {invitation}")
    moment.connection.execute(sa.delete(schema.sessions).where(_sessions.invitation == invitation))
