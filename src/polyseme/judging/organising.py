"""What the organiser sees and does."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy import func

from polyseme.judging import schema, tokens
from polyseme.judging.answered import agreement
from polyseme.judging.assignment import FINISHED
from polyseme.judging.moment import Moment
from polyseme.judging.protocol import Refused
from polyseme.judging.recording import add_event, change_judgment
from polyseme.judging.shown import Invitation, Judgment, OrganiserView, Progress
from polyseme.judging.tokens import Invited

MOST_JUDGES, MOST_DAYS = 200, 730
_slots, _items, _judgments = schema.slots.c, schema.items.c, schema.judgments.c


def invite_by_fields(moment: Moment, fields: Mapping[str, Any]) -> list[Invited]:
    """Invite as the organiser's page asks for it."""
    days = fields.get("days", 90)
    if not isinstance(days, int | float) or isinstance(days, bool) or not 0 < days <= MOST_DAYS:
        raise Refused("malformed", f"days must be a number up to {MOST_DAYS}")
    judge, count = fields.get("judge"), fields.get("judges", 1)
    if judge is not None:
        known = sa.select(schema.judges.c.judge).where(schema.judges.c.name == str(judge))
        if moment.connection.execute(known).first() is None:
            raise Refused("item", "there is no judge of that name")
        return tokens.invite(moment, [str(judge)], days)
    if type(count) is not int or not 1 <= count <= MOST_JUDGES:
        raise Refused("malformed", f"judges must be a whole number from 1 to {MOST_JUDGES}")
    return tokens.invite(moment, tokens.new_names(moment, count), days)


def release(moment: Moment, name: str) -> int:
    """Give to others what a judge has leased or only begun: how many units.

    A unit of which everything is finished stays the judge's. Of the others what was said is
    withdrawn, so that no item is ever judged by more judges than wanted; the events remain.
    """
    run = moment.connection.execute
    judge = run(sa.select(schema.judges.c.judge).where(schema.judges.c.name == name)).scalar()
    if judge is None:
        raise Refused("item", "there is no judge of that name")
    finished = func.count().filter(_judgments.state.in_(FINISHED))
    units = (
        run(
            sa.select(_slots.unit)
            .join(schema.items, _items.unit == _slots.unit)
            .outerjoin(
                schema.judgments,
                (_judgments.judge == _slots.judge) & (_judgments.item == _items.item),
            )
            .where(_slots.judge == judge)
            .group_by(_slots.unit)
            .having(finished < func.count())
        )
        .scalars()
        .all()
    )
    for unit in units:
        _withdraw(moment, judge, unit)
        run(
            sa.update(schema.slots)
            .where(_slots.unit == unit, _slots.judge == judge)
            .values(judge=None, until=None)
        )
    return len(units)


def _withdraw(moment: Moment, judge: int, unit: int) -> None:
    rows = (
        moment.connection.execute(
            sa.select(schema.judgments)
            .join(schema.items, _items.item == _judgments.item)
            .where(_items.unit == unit, _judgments.judge == judge, _judgments.state != "todo")
        )
        .mappings()
        .all()
    )
    for row in rows:
        after = Judgment(row["revision"] + 1, "todo", {}, None, row["ms"] / 1000)
        key = f"release-{row['item']}-{after.revision}"
        add_event(
            moment,
            judge=judge,
            item=row["item"],
            kind="release",
            key=key,
            digest="",
            ms=0,
            after=after,
        )
        change_judgment(moment, judge, row["item"], after, row["ms"])


def revoke_judge(moment: Moment, name: str) -> int:
    """Make all links of a judge worthless: how many there were."""
    links = schema.invitations.c
    found = moment.connection.execute(
        sa.select(links.invitation)
        .join(schema.judges, schema.judges.c.judge == links.judge)
        .where(schema.judges.c.name == name, links.revoked.is_(None))
    )
    numbers = found.scalars().all()
    if not numbers:
        raise Refused("item", f"there is no judge {name!r} with a link")
    for number in numbers:
        tokens.revoke(moment, number)
    return len(numbers)


# ---- how far the study is -----------------------------------------------------------------------


def organiser_view(moment: Moment) -> OrganiserView:
    """The whole study as it stands."""
    run, settings = moment.connection.execute, moment.settings
    finished = (
        sa.select(_judgments.item)
        .where(_judgments.state.in_(FINISHED))
        .group_by(_judgments.item)
        .having(func.count() >= settings.wanted)
        .subquery()
    )
    items = run(sa.select(func.count()).select_from(schema.items)).scalar_one()
    return OrganiserView(
        title=settings.title,
        task=settings.task,
        created=settings.created,
        items=items,
        wanted=settings.wanted,
        complete=run(sa.select(func.count()).select_from(finished)).scalar_one(),
        judges=tuple(_progress(moment, items)),
        agreement=tuple(agreement(moment)),
        exports=settings.kind.exports,
    )


def _progress(moment: Moment, items: int) -> Iterator[Progress]:
    run = moment.connection.execute
    said: dict[int, list[Any]] = {}
    for row in run(sa.select(schema.judgments)).all():
        said.setdefault(row.judge, []).append(row)
    links: dict[int, list[Invitation]] = {}
    for row in run(sa.select(schema.invitations).order_by(schema.invitations.c.invitation)).all():
        link = Invitation(row.invitation, row.created, row.until, row.revoked)
        links.setdefault(row.judge, []).append(link)
    for judge in run(sa.select(schema.judges).order_by(schema.judges.c.judge)).all():
        rows = said.get(judge.judge, [])
        states = Counter(row.state for row in rows)
        given = Counter(a for row in rows for a in json.loads(row.answers).values())
        yield Progress(
            judge=judge.name,
            done=states["done"],
            cannot=states["cannot"],
            skipped=states["skipped"],
            started=states["started"],
            total=items,
            last=max((row.at for row in rows), default=None),
            seconds=tuple(row.ms / 1000 for row in rows if row.state == "done"),
            given=dict(given),
            invitations=tuple(links.get(judge.judge, ())),
        )
