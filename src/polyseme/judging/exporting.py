"""What was answered, in the formats that the rest of polyseme reads."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime

import sqlalchemy as sa

from polyseme.collection.formats import ntcir_judgments, probabilities
from polyseme.collection.formats.gathering import Probabilities
from polyseme.collection.judgments import Judged
from polyseme.collection.reading import read_qrels
from polyseme.errors import PolysemeError
from polyseme.judging import archive, schema
from polyseme.judging.answered import answered, number_of
from polyseme.judging.moment import Moment
from polyseme.judging.protocol import Refused
from polyseme.judging.tasks import ANSWER_COLUMNS
from polyseme.meta.preferences import Preferences
from polyseme.meta.preferences.matrix import of_answers
from polyseme.reporting.formats import write
from polyseme.tables import Column, Report, Row, Table, labels

#: an answer that says why there is none
CANNOT = "cannot: "
_items, _shows, _judgments = schema.items.c, schema.presentations.c, schema.judgments.c


def iso(ms: int) -> str:
    """A time as text, in UTC."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


# ---- answers ------------------------------------------------------------------------------------


def answers(moment: Moment) -> Report:
    """Every answer that stands, a row each."""
    columns = (*labels(*ANSWER_COLUMNS[:3]), *map(Column, ANSWER_COLUMNS[3:]))
    return Report(Table(columns, list(_answers(moment))))


def _answers(moment: Moment) -> Iterator[Row]:
    rows = moment.connection.execute(
        sa.select(
            schema.judgments,
            schema.judges.c.name.label("judge_name"),
            _items.name.label("item_name"),
            _items.run_a,
            _shows.swapped,
            _shows.place,
            _shows.questions,
        )
        .select_from(
            schema.judgments.join(
                schema.presentations,
                (_shows.judge == _judgments.judge) & (_shows.item == _judgments.item),
            )
            .join(schema.items, _items.item == _judgments.item)
            .join(schema.judges, schema.judges.c.judge == _judgments.judge)
        )
        .order_by(_judgments.judge, _shows.place)
    )
    for row in rows:
        side = "" if row.run_a is None else "ba" if row.swapped else "ab"
        said = json.loads(row.answers)
        for place, question in enumerate(json.loads(row.questions), 1):
            if row.state == "cannot":
                answer: str | int = CANNOT + str(row.reason)
            elif question in said:
                answer = number_of(said[question], swapped=row.swapped)
            else:
                continue
            yield (
                *(row.judge_name, row.item_name, question, answer, side or None),
                *(f"{row.place}/{place}", row.ms / 1000, row.revision, iso(row.at)),
            )


# ---- products -----------------------------------------------------------------------------------


def matrix(moment: Moment, question: str) -> Preferences:
    """The judge x triplet matrix of one question: 1 the first run is better, 3 the second."""
    judges = _names(moment, schema.judges, "judge")
    items = _names(moment, schema.items, "item")
    return of_answers(
        list(judges.values()),
        list(items.values()),
        (
            (judges[each.judge], items[each.item], each.answer)
            for each in answered(moment)
            if each.question == question
        ),
        name=question,
    )


def _names(moment: Moment, table: sa.Table, key: str) -> dict[int, str]:
    rows = moment.connection.execute(sa.select(table.c[key], table.c.name).order_by(table.c[key]))
    return dict(rows.all())


def judgments(moment: Moment) -> tuple[Judged, list[str]]:
    """Grades summed over the assessors, and what was left out."""
    wanted = moment.settings.wanted
    summed: dict[tuple[int, str], list[int]] = {}
    for each in answered(moment):
        summed.setdefault((each.item, each.question), []).append(each.answer)
    nested: dict[str, dict[str, dict[str, int]]] = {}
    incomplete = 0
    for item, topic, doc, intent in _graded(moment):
        given = summed.get((item, intent), [])
        if len(given) < wanted:
            incomplete += 1
            continue
        nested.setdefault(topic, {}).setdefault(intent, {})[doc] = sum(given)
    if not nested:
        raise PolysemeError(
            f"no document has the grades of {wanted} assessors yet\n"
            "  to mend it: wait until two have graded a topic, or export the answers"
        )
    left = (
        [f"left out: {incomplete:,} documents x intents without the grades of {wanted} assessors"]
        if incomplete
        else []
    )
    return read_qrels(nested), left


def _graded(moment: Moment) -> Iterator[tuple[int, str, str, str]]:
    intents = schema.intents.c
    rows = moment.connection.execute(
        sa.select(_items.item, _items.topic, _items.doc, intents.intent)
        .join(schema.intents, intents.topic == _items.topic)
        .order_by(_items.item, intents.place)
    )
    yield from rows


def vote_shares(moment: Moment) -> tuple[Probabilities, list[str]]:
    """Each intent's votes out of all votes of its topic, and what was left out."""
    intents, topics = schema.intents.c, schema.topics.c
    order = moment.connection.execute(
        sa.select(intents.topic, intents.intent)
        .join(schema.topics, topics.topic == intents.topic)
        .order_by(topics.place, intents.place)
    )
    votes: dict[str, dict[str, int]] = {}
    for topic, intent in order:
        votes.setdefault(topic, {})[intent] = 0
    topic_of = dict(moment.connection.execute(sa.select(_items.item, _items.topic)).all())
    for each in answered(moment, finished=True):
        votes[topic_of[each.item]][each.question] += each.answer
    silent = [topic for topic, given in votes.items() if not any(given.values())]
    shares = {
        topic: {intent: count / sum(given.values()) for intent, count in given.items()}
        for topic, given in votes.items()
        if topic not in silent
    }
    if not shares:
        raise PolysemeError("nobody has voted yet\n  to mend it: wait until somebody has")
    left = [f"left out: {len(silent)} topics without votes"] if silent else []
    return Probabilities(shares, {}), left


# ---- as files to save ---------------------------------------------------------------------------


def exported(moment: Moment, what: str) -> tuple[str, str, str]:
    """A file's name, its type and its content."""
    if what not in moment.settings.kind.exports:
        raise Refused("item", f"there is no export {what[:100]!r}")
    stream = io.StringIO()
    try:
        if what == "archive":
            stream.writelines(archive.lines(moment))
            return f"{what}.jsonl", "application/x-ndjson", stream.getvalue()
        if what == "judgments":
            ntcir_judgments.write(judgments(moment)[0], stream)
            return f"{what}.txt", "text/plain", stream.getvalue()
        if what == "probabilities":
            probabilities.write(vote_shares(moment)[0], stream)
            return f"{what}.txt", "text/plain", stream.getvalue()
    except PolysemeError as error:
        raise Refused("item", str(error)) from None
    found = answers(moment) if what == "answers" else matrix(moment, what).report()
    write(found, "csv", stream)
    return f"{what}.csv", "text/csv", stream.getvalue()
