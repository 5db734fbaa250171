"""What judges say, kept: the durable core.

Everything that is said becomes an event with the next revision of its judgment; the event holds
what stands after it. The same key again gives the first reply again and adds nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy import bindparam, func

from polyseme.judging import assignment, schema
from polyseme.judging.moment import Moment
from polyseme.judging.protocol import Answers, Refused, Said, canonical
from polyseme.judging.shown import Judgment, State

_events, _judgments = schema.events.c, schema.judgments.c
_CONTENT = ("revision", "state", "answers", "reason")

_BY_KEY = sa.select(schema.events).where(
    _events.judge == bindparam("judge"), _events.key == bindparam("key")
)
_ITEM = (
    sa.select(schema.items.c.unit, schema.presentations.c.questions)
    .join(schema.presentations, schema.presentations.c.item == schema.items.c.item)
    .where(schema.items.c.item == bindparam("item"))
    .where(schema.presentations.c.judge == bindparam("judge"))
)
_PRESENT = sa.select(schema.judgments).where(
    _judgments.judge == bindparam("judge"), _judgments.item == bindparam("item")
)
_HISTORY = (
    sa.select(schema.events)
    .where(_events.judge == bindparam("judge"), _events.item == bindparam("item"))
    .order_by(_events.revision)
)
_LAST = sa.select(func.coalesce(func.max(_events.event), 0))
_ADD_EVENT = sa.insert(schema.events)
_ADD = sa.insert(schema.judgments)
_CHANGE = (
    sa.update(schema.judgments)
    .where(_judgments.judge == bindparam("of_judge"), _judgments.item == bindparam("of_item"))
    .values({name: bindparam(name) for name in (*_CONTENT, "ms", "at")})
)


@dataclass(frozen=True)
class Saved:
    """What stands after something was said."""

    item: int
    judgment: Judgment
    #: the key had been saved before
    repeated: bool = False


NOTHING = Judgment(0, "todo", {}, None, 0.0)


def record(moment: Moment, judge: int, said: Said) -> Saved:
    """Keep what a judge says about an item; refused, with nothing kept, where that cannot be."""
    run = moment.connection.execute
    about = {"judge": judge, "item": said.item}
    before = run(_BY_KEY, {"judge": judge, "key": said.key}).mappings().first()
    if before is not None:
        return _again(moment, before, said)
    found = run(_ITEM, about).first()
    if found is None:
        raise Refused("item", "there is no such item for this judge")
    unit, questions = found.unit, json.loads(found.questions)
    row = run(_PRESENT, about).mappings().first()
    present = NOTHING if row is None else judgment_of(row)
    if said.revision != present.revision:
        raise Refused(
            "stale",
            f"the judgment is at revision {present.revision}, the page at {said.revision}",
            judgment=vars(present),
        )
    after = _after(moment, about, said, present, questions)
    assignment.lease(moment, judge, unit)
    _keep(moment, about, said, after, row)
    assignment.settle(moment, judge, unit, after.state)
    return Saved(said.item, after)


def _again(moment: Moment, event: Any, said: Said) -> Saved:
    """The first reply to a key, without what came later."""
    if event["digest"] != said.digest:
        raise Refused("key", "the key was used for something else")
    until = sa.select(func.sum(_events.ms)).where(
        _events.judge == event["judge"],
        _events.item == event["item"],
        _events.revision <= event["revision"],
    )
    spent = int(moment.connection.execute(until).scalar_one())
    return Saved(said.item, replace(judgment_of(event), seconds=spent / 1000), repeated=True)


def judgment_of(row: Any) -> Judgment:
    """A row of judgments, or what stood after an event."""
    return Judgment(
        row["revision"], row["state"], json.loads(row["answers"]), row["reason"], row["ms"] / 1000
    )


# ---- what stands after something was said --------------------------------------------------------


def _after(
    moment: Moment, about: Any, said: Said, present: Judgment, questions: Sequence[str]
) -> Judgment:
    state: State
    answers, reason = present.answers, present.reason
    match said.kind:
        case "answer":
            moment.settings.kind.check(said.answers, questions)
            answers, reason = said.answers, None
            state = _state(answers, questions)
        case "cannot":
            answers, reason, state = {}, said.reason, "cannot"
        case "skip":
            state = "skipped" if present.state in ("todo", "skipped") else present.state
        case "undo":
            before = _before(moment, about)
            answers, reason, state = before.answers, before.reason, before.state
    return Judgment(present.revision + 1, state, answers, reason, present.seconds + said.ms / 1000)


def _state(answers: Answers, questions: Sequence[str]) -> State:
    if len(answers) == len(questions):
        return "done"
    return "started" if answers else "todo"


def _before(moment: Moment, about: Any) -> Judgment:
    """What stood before the last thing that was not taken back."""
    stood = [NOTHING]
    for event in moment.connection.execute(_HISTORY, about).mappings():
        if event["kind"] == "undo":
            stood.pop()
        elif event["kind"] == "release":
            stood = [NOTHING]
        else:
            stood.append(judgment_of(event))
    if len(stood) < 2:
        raise Refused("nothing", "there is nothing to undo")
    return stood[-2]


# ---- keeping it ----------------------------------------------------------------------------------


def _keep(moment: Moment, about: Any, said: Said, after: Judgment, row: Any) -> None:
    add_event(
        moment,
        **about,
        kind=said.kind,
        key=said.key,
        digest=said.digest,
        ms=said.ms,
        after=after,
    )
    if row is None:
        insert_judgment(moment, about["judge"], about["item"], after, said.ms)
    else:
        change_judgment(moment, about["judge"], about["item"], after, row["ms"] + said.ms)


def insert_judgment(moment: Moment, judge: int, item: int, after: Judgment, ms: int) -> None:
    """Have something stand where nothing stood."""
    content = {**_content(after), "ms": ms, "at": moment.now}
    moment.connection.execute(_ADD, {"judge": judge, "item": item, **content})


def change_judgment(moment: Moment, judge: int, item: int, after: Judgment, ms: int) -> None:
    """Have something else stand."""
    content = {**_content(after), "ms": ms, "at": moment.now}
    moment.connection.execute(_CHANGE, {"of_judge": judge, "of_item": item, **content})


def add_event(
    moment: Moment,
    *,
    judge: int,
    item: int,
    kind: str,
    key: str,
    digest: str,
    ms: int,
    after: Judgment,
) -> None:
    """Add to what was said; events are numbered without gaps, since writers take turns."""
    moment.connection.execute(
        _ADD_EVENT,
        {
            "event": moment.connection.execute(_LAST).scalar_one() + 1,
            "judge": judge,
            "item": item,
            "kind": kind,
            "key": key,
            "digest": digest,
            **_content(after),
            "ms": ms,
            "at": moment.now,
        },
    )


def _content(judgment: Judgment) -> dict[str, Any]:
    return {
        "revision": judgment.revision,
        "state": judgment.state,
        "answers": canonical(judgment.answers),
        "reason": judgment.reason,
    }
