"""Who may answer what: leases on units, never more of them than judges are wanted.

A unit has a row in ``slots`` for each judge wanted, made with the study. To lease one is to write a
judge into a row that is free or whose lease has run out; since rows are never added, there cannot
be more judges than rows, whatever happens at the same time. What a judge has finished is kept for
good (``until`` is NULL).
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import bindparam, func

from polyseme.judging import schema
from polyseme.judging.moment import Moment
from polyseme.judging.protocol import Refused

_slots, _items, _judgments = schema.slots.c, schema.items.c, schema.judgments.c
#: states that count: as many of them as judges are wanted, and the item is complete
FINISHED = ("done", "cannot")
#: states that keep a unit for good; the rest is given to others when the lease runs out
KEPT = ("started", *FINISHED)

_RENEW = (
    sa.update(schema.slots)
    .where(_slots.unit == bindparam("of"), _slots.judge == bindparam("who"))
    .where(_slots.until.is_not(None))
    .values(until=bindparam("till"))
)
_HELD = sa.select(_slots.slot).where(
    _slots.unit == bindparam("of"), _slots.judge == bindparam("who")
)
_FREE = (
    sa.select(_slots.slot)
    .where(_slots.unit == bindparam("of"))
    .where(_slots.judge.is_(None) | (_slots.until <= bindparam("now")))
    .order_by(_slots.judge.is_not(None), _slots.slot)
    .limit(1)
)
_TAKE = (
    sa.update(schema.slots)
    .where(_slots.unit == bindparam("of"), _slots.slot == bindparam("which"))
    .values(judge=bindparam("who"), until=bindparam("till"))
)
_KEEP = (
    sa.update(schema.slots)
    .where(_slots.unit == bindparam("of"), _slots.judge == bindparam("who"))
    .values(until=bindparam("till"))
)
_SAID_OF_UNIT = (
    sa.select(func.count())
    .select_from(schema.judgments.join(schema.items, _items.item == _judgments.item))
    .where(_items.unit == bindparam("of"), _judgments.judge == bindparam("who"))
    .where(_judgments.state.in_(KEPT))
)


def lease(moment: Moment, judge: int, unit: int) -> None:
    """Give a unit to a judge for a while, or keep it given; refused where no place is left."""
    found = {"of": unit, "who": judge, "now": moment.now}
    till = moment.now + moment.settings.lease_ms
    run = moment.connection.execute
    if run(_HELD, found).first() is not None:
        run(_RENEW, {**found, "till": till})
        return
    slot = run(_FREE, found).scalar()
    if slot is None:
        raise Refused("taken", "as many judges as wanted have this item")
    run(_TAKE, {**found, "which": slot, "till": till})


def settle(moment: Moment, judge: int, unit: int, state: str) -> None:
    """After something was said: keep the unit for good, or let the lease run."""
    found = {"of": unit, "who": judge}
    kept = state in KEPT or moment.connection.execute(_SAID_OF_UNIT, found).scalar_one() > 0
    till = None if kept else moment.now + moment.settings.lease_ms
    moment.connection.execute(_KEEP, {**found, "till": till})
