"""Adding exported answers to a study that asks the same."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import sqlalchemy as sa

from polyseme.collection.formats.columns import read_columns
from polyseme.collection.formats.opening import source_of
from polyseme.collection.formats.report import Report
from polyseme.judging import assignment, schema, tokens
from polyseme.judging.answered import CELLS
from polyseme.judging.exporting import CANNOT
from polyseme.judging.moment import Moment
from polyseme.judging.protocol import Answer, Refused, canonical
from polyseme.judging.recording import add_event, insert_judgment
from polyseme.judging.shown import Judgment
from polyseme.judging.tasks import ANSWER_COLUMNS

EXPECTED = "what polyseme judge export wrote: " + ",".join(ANSWER_COLUMNS)
_ORDER = re.compile(r"([1-9]\d{0,8})/([1-9]\d{0,3})")
_SIDES = {"": False, "ab": False, "ba": True}


@dataclass
class _Given:
    """What the rows of one judge and item say."""

    judge: str
    item: str
    swapped: bool
    place: int
    ms: int
    revision: int
    at: int
    line: int
    answers: dict[str, str] = field(default_factory=dict)
    #: each question's place on the page
    order: dict[str, int] = field(default_factory=dict)


def add(moment: Moment, path: str) -> int:
    """Add the answers of a file: how many judgments there were."""
    source = source_of(path)
    report = Report(source.name)
    found: dict[tuple[str, str], _Given] = {}
    for texts, line, text in read_columns(source, report, ANSWER_COLUMNS, expected=EXPECTED):
        _gather(found, texts, line, text, report)
    if not found:
        report.fatal("there is not one answer", expected=EXPECTED, remedy="export some first")
    by_judge: dict[str, list[_Given]] = {}
    for each in found.values():
        by_judge.setdefault(each.judge, []).append(each)
    items = {row.name: row for row in moment.connection.execute(sa.select(schema.items)).all()}
    for each in found.values():
        if each.item not in items:
            report.fatal(
                f"the study has no item {each.item!r}",
                line=each.line,
                expected="answers about the study's own items",
                remedy="import them into a study of the same items",
            )
    for name, given in by_judge.items():
        _add_judge(moment, name, given, items, report)
    return len(found)


def _gather(
    found: dict[tuple[str, str], _Given],
    texts: Sequence[str],
    line: int,
    text: str | None,
    report: Report,
) -> None:
    judge, item, question, answer, side, order, seconds, revision, at = texts
    places = _ORDER.fullmatch(order)
    try:
        if places is None or side not in _SIDES or not (judge and item and question and answer):
            raise ValueError
        given = _Given(
            judge=judge,
            item=item,
            swapped=_SIDES[side],
            place=int(places[1]),
            ms=round(float(seconds) * 1000),
            revision=int(revision),
            at=_milliseconds(at),
            line=line,
        )
        if given.ms < 0 or given.revision < 1:
            raise ValueError
    except (ValueError, OverflowError):
        report.fatal(
            "this is no answer",
            line=line,
            text=text,
            expected=EXPECTED,
            remedy="give what polyseme judge export wrote, unchanged",
        )
    held = found.setdefault((judge, item), given)
    same = all(
        getattr(held, name) == getattr(given, name)
        for name in ("swapped", "place", "ms", "revision", "at")
    )
    if not same or question in held.answers:
        report.fatal(
            f"{judge!r} says of {item!r} what does not fit line {held.line}",
            line=line,
            text=text,
            expected="one row for each question, alike but for question and answer",
            remedy="give what polyseme judge export wrote, unchanged",
        )
    held.answers[question] = answer
    held.order[question] = int(places[2])


def _milliseconds(text: str) -> int:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError
    return round(moment.timestamp() * 1000)


def _add_judge(
    moment: Moment,
    name: str,
    given: list[_Given],
    items: dict[str, sa.Row[*tuple[object, ...]]],
    report: Report,
) -> None:
    run, judges = moment.connection.execute, schema.judges.c
    judge = run(sa.select(judges.judge).where(judges.name == name)).scalar()
    if judge is None:
        judge = tokens.add_judge(moment, name)
    events = schema.events.c
    if run(sa.select(events.event).where(events.judge == judge).limit(1)).first() is not None:
        report.fatal(
            f"the judge {name!r} has answered in this study already",
            line=given[0].line,
            expected="judges without answers",
            remedy="import into a new study",
        )
    numbered = {row.item: each for each in given for row in (items[each.item],)}
    _present(moment, judge, numbered, report)
    for item, each in numbered.items():
        _add_answer(moment, judge, item, items[each.item].unit, each, report)


def _present(moment: Moment, judge: int, given: dict[int, _Given], report: Report) -> None:
    """Sides and orders as the file has them; what it does not have keeps the order drawn."""
    run, shows = moment.connection.execute, schema.presentations.c
    drawn = (
        run(sa.select(schema.presentations).where(shows.judge == judge).order_by(shows.place))
        .mappings()
        .all()
    )
    taken = {each.place: item for item, each in given.items()}
    if len(taken) < len(given) or max(taken) > len(drawn):
        line = next(iter(given.values())).line
        report.fatal(
            "places of items are not as in the study",
            line=line,
            expected=f"each item at a place of its own, from 1 to {len(drawn)}",
            remedy="import into a study of the same items",
        )
    left = iter([place for place in range(1, len(drawn) + 1) if place not in taken])
    rows = []
    for row in drawn:
        each = given.get(row["item"])
        if each is None:
            rows.append({**row, "place": next(left)})
            continue
        names = json.loads(row["questions"])
        # those without an answer fill the places that are left
        order = sorted(names, key=lambda name: each.order.get(name, len(names)))
        for name, place in sorted(each.order.items(), key=lambda one: one[1]):
            if name in order:
                order.remove(name)
                order.insert(place - 1, name)
        rows.append(
            {
                **row,
                "place": each.place,
                "swapped": each.swapped,
                "questions": canonical(order),
            }
        )
    run(sa.delete(schema.presentations).where(shows.judge == judge))
    run(sa.insert(schema.presentations), rows)


def _add_answer(
    moment: Moment, judge: int, item: int, unit: int, each: _Given, report: Report
) -> None:
    shows = schema.presentations.c
    questions = json.loads(
        moment.connection.execute(
            sa.select(shows.questions).where(shows.judge == judge, shows.item == item)
        ).scalar_one()
    )
    try:
        after = _judgment(moment, each, questions)
        assignment.lease(moment, judge, unit)
    except Refused as refused:
        report.fatal(
            f"{each.judge!r} on {each.item!r}: {refused.message}",
            line=each.line,
            expected="answers that the study can take",
            remedy="import into a new study of the same items",
        )
    at = Moment(moment.connection, moment.settings, each.at)
    add_event(
        at,
        judge=judge,
        item=item,
        kind="import",
        key=f"import-{item:08}",
        digest="",
        ms=each.ms,
        after=after,
    )
    insert_judgment(at, judge, item, after, each.ms)
    assignment.settle(moment, judge, unit, after.state)


def _judgment(moment: Moment, each: _Given, questions: Sequence[str]) -> Judgment:
    reasons = {text for text in each.answers.values() if text.startswith(CANNOT)}
    if reasons:
        if len(reasons) > 1 or set(each.answers) != set(questions):
            raise Refused("malformed", "it is answered, and cannot be judged")
        (reason,) = reasons
        return Judgment(each.revision, "cannot", {}, reason.removeprefix(CANNOT), each.ms / 1000)
    answers = {name: _answer(moment, text, each.swapped) for name, text in each.answers.items()}
    moment.settings.kind.check(answers, questions)
    state = "done" if len(answers) == len(questions) else "started"
    return Judgment(each.revision, state, answers, None, each.ms / 1000)  # type: ignore[arg-type]


def _answer(moment: Moment, text: str, swapped: bool) -> Answer:
    """As the judge saw it, from what stands in the file."""
    if not text.isdigit():
        raise Refused("malformed", f"the answer {text[:100]!r} is none")
    number = int(text)
    if moment.settings.task != "preferences":
        return number
    for answer, cell in CELLS.items():
        if cell == (4 - number if swapped else number):
            return answer
    raise Refused("malformed", f"the answer {text[:100]!r} is none of 1, 2 and 3")
