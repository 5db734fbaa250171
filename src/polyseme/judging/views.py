"""Reading what pages show.

Everything here is about one judge, and is asked for with the judge's own number from the session,
so that no page can show what another one said.
"""

from __future__ import annotations

import json

import sqlalchemy as sa
from sqlalchemy import bindparam, func

from polyseme.judging import assignment, schema
from polyseme.judging.assignment import FINISHED
from polyseme.judging.moment import Moment
from polyseme.judging.protocol import Refused
from polyseme.judging.recording import NOTHING, judgment_of
from polyseme.judging.shown import Document, Entry, ItemView, JudgeView, Progressed, Question

_items, _shows, _slots = schema.items.c, schema.presentations.c, schema.slots.c
_judgments, _events = schema.judgments.c, schema.events.c
_END = 2**53

_own = schema.slots.alias("own")
_free = schema.slots.alias("free")
#: the judge has the unit, or there is a place left
_IS_OPEN = sa.exists().where(
    _own.c.unit == _items.unit, _own.c.judge == bindparam("judge")
) | sa.exists().where(
    _free.c.unit == _items.unit, _free.c.judge.is_(None) | (_free.c.until <= bindparam("now"))
)
_OWN = schema.presentations.join(schema.items, _items.item == _shows.item).outerjoin(
    schema.judgments, (_judgments.judge == _shows.judge) & (_judgments.item == _shows.item)
)
_STATE = func.coalesce(_judgments.state, "todo").label("state")
_MINE = _shows.judge == bindparam("judge")
_LIST = (
    sa.select(
        _shows.item,
        _items.topic,
        _items.doc,
        schema.topics.c.query,
        _STATE,
    )
    .select_from(_OWN.join(schema.topics, schema.topics.c.topic == _items.topic))
    .where(_MINE, _IS_OPEN)
    .order_by(_shows.place)
)
_STATES = (
    sa.select(_shows.item, _STATE).select_from(_OWN).where(_MINE, _IS_OPEN).order_by(_shows.place)
)
_FINISHED = sa.select(func.count()).where(
    _judgments.judge == bindparam("judge"), _judgments.state.in_(FINISHED)
)
_OPEN = sa.select(func.count()).select_from(_OWN).where(_MINE, _IS_OPEN)
_ALL = sa.select(func.count()).where(_MINE)
_JUDGES = sa.select(func.count()).select_from(schema.judges)
#: the first open one, from some place on round the whole order; skipped ones come last
_NEXT = (
    sa.select(_shows.item)
    .select_from(_OWN)
    .where(_MINE, _IS_OPEN, _shows.item != bindparam("after"))
    .where(_STATE.in_(bindparam("states", expanding=True)))
    .where(_shows.place.between(bindparam("begin"), bindparam("end")))
    .order_by(_shows.place)
    .limit(1)
)
_PLACE = sa.select(_shows.place).where(_MINE, _shows.item == bindparam("item"))
_LAST = (
    sa.select(_events.item)
    .where(_events.judge == bindparam("judge"), _events.kind != "release")
    .order_by(_events.event.desc())
    .limit(1)
)
_ITEM = (
    sa.select(schema.items, _shows.swapped, _shows.questions)
    .join(schema.presentations, _shows.item == _items.item)
    .where(_shows.judge == bindparam("judge"), _items.item == bindparam("item"))
)


def progressed(moment: Moment, judge: int, item: int | None) -> Progressed:
    """How far a judge is, and the item to go on with after one."""
    run, about = moment.connection.execute, {"judge": judge, "now": moment.now}
    # while there are no more judges than wanted, everything is open to everybody
    crowded = run(_JUDGES).scalar_one() > moment.settings.wanted
    total = run(_OPEN if crowded else _ALL, about).scalar_one()
    return Progressed(run(_FINISHED, about).scalar_one(), total, _next(moment, judge, item))


def _next(moment: Moment, judge: int, item: int | None) -> int | None:
    run, about = moment.connection.execute, {"judge": judge, "now": moment.now}
    after = 0 if item is None else item
    place = run(_PLACE, {"judge": judge, "item": after}).scalar() or 0
    for states in (["todo", "started"], ["skipped"]):
        for begin, end in ((place + 1, _END), (1, place)):
            where = {"after": after, "states": states, "begin": begin, "end": end}
            found = run(_NEXT, {**about, **where}).scalar()
            if found is not None:
                return int(found)
    return None


def last_said(moment: Moment, judge: int) -> int | None:
    """The item about which a judge said something last."""
    found: int | None = moment.connection.execute(_LAST, {"judge": judge}).scalar()
    return found


def beside_item(moment: Moment, judge: int, item: int) -> tuple[Progressed, int | None]:
    """What the page of an item shows besides it: how far the judge is, and what was said last."""
    return progressed(moment, judge, item), last_said(moment, judge)


def judge_view(moment: Moment, judge: int) -> JudgeView:
    """A judge's list."""
    run, about = moment.connection.execute, {"judge": judge, "now": moment.now}
    entries = tuple(
        Entry(row.item, number, row.topic, row.query, row.doc, row.state)
        for number, row in enumerate(run(_LIST, about).all(), 1)
    )
    last = last_said(moment, judge)
    name = run(sa.select(schema.judges.c.name).where(schema.judges.c.judge == judge)).scalar_one()
    return JudgeView(
        judge=name,
        title=moment.settings.title,
        task=moment.settings.task,
        entries=entries,
        done=sum(entry.state in FINISHED for entry in entries),
        total=len(entries),
        next=_next(moment, judge, last),
        last=last,
    )


def open_item(moment: Moment, judge: int, item: int) -> ItemView:
    """Lease an item to a judge, and show it."""
    row = _row(moment, judge, item)
    assignment.lease(moment, judge, row["unit"])
    return _view(moment, judge, row)


def item_view(moment: Moment, judge: int, item: int) -> ItemView:
    """Show an item without leasing it."""
    return _view(moment, judge, _row(moment, judge, item))


def _row(moment: Moment, judge: int, item: int) -> sa.RowMapping:
    row = moment.connection.execute(_ITEM, {"judge": judge, "item": item}).mappings().first()
    if row is None:
        raise Refused("item", "there is no such item for this judge")
    return row


def _view(moment: Moment, judge: int, row: sa.RowMapping) -> ItemView:
    run, item = moment.connection.execute, row["item"]
    topic = run(sa.select(schema.topics).where(schema.topics.c.topic == row["topic"])).one()
    states = run(_STATES, {"judge": judge, "now": moment.now}).all()
    order = [each for each, _ in states]
    place = order.index(item) if item in order else 0
    present = (
        run(sa.select(schema.judgments).where(_judgments.judge == judge, _judgments.item == item))
        .mappings()
        .first()
    )
    lists = [_list(moment, row["topic"], run_) for run_ in (row["run_a"], row["run_b"]) if run_]
    if row["swapped"]:
        lists.reverse()
    left, right = lists or ((), ())
    return ItemView(
        item=item,
        number=place + 1,
        total=len(order),
        task=moment.settings.task,
        topic=topic.topic,
        query=topic.query,
        description=topic.description,
        questions=_questions(moment, row),
        left=left,
        right=right,
        document=None if row["doc"] is None else _document(moment, row["doc"]),
        judgment=NOTHING if present is None else judgment_of(present),
        previous=order[place - 1] if place > 0 else None,
        next=order[place + 1] if place + 1 < len(order) else None,
    )


def _questions(moment: Moment, row: sa.RowMapping) -> tuple[Question, ...]:
    intents = schema.intents.c
    texts = dict(
        moment.connection.execute(
            sa.select(intents.intent, intents.text).where(intents.topic == row["topic"])
        ).all()
    )
    kind = moment.settings.kind
    return tuple(
        Question(name, "" if kind.questions else texts.get(name, ""), kind.choices)
        for name in json.loads(row["questions"])
    )


def _list(moment: Moment, topic: str, run: str) -> tuple[Document, ...]:
    held, known = schema.rankings.c, schema.documents.c
    rows = moment.connection.execute(
        sa.select(known.doc, known.title, known.url)
        .join(schema.rankings, held.doc == known.doc)
        .where(held.topic == topic, held.run == run)
        .order_by(held.rank)
    )
    return tuple(Document(*row) for row in rows)


def _document(moment: Moment, doc: str) -> Document:
    known = schema.documents.c
    row = moment.connection.execute(
        sa.select(known.doc, known.title, known.url).where(known.doc == doc)
    ).one()
    return Document(*row)


def is_document(moment: Moment, doc: str) -> bool:
    """Is it a document of the study? Any judge may be given any item."""
    known = schema.documents.c
    return (
        moment.connection.execute(sa.select(known.doc).where(known.doc == doc)).first() is not None
    )
