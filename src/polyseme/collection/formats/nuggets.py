"""Nuggets of answers as JSON lines: a query, the facts that its answer needs, what supports them.

A line is one query::

    {"query": "q1", "nuggets": [{"id": "price", "importance": 0.7, "passages": {"p1": 2, "p2": 0}},
                                {"id": "warranty", "importance": 0.3, "passages": ["p2", "p3"]}],
     "judged": ["p9"]}

A nugget is an intent, its share of the importance the intent's probability, and a passage's support
a document's grade. Other programs' keys and labels are understood: see the tables below.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

from polyseme.collection.formats import jsonl
from polyseme.collection.formats.fields import decimal, grade_of, name_of
from polyseme.collection.formats.gathering import JudgmentGatherer, ProbabilityGatherer
from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.judgments import JUDGED_ONLY, Judged

NUGGETS = "nuggets"
#: the key that names a query, the first that is there; a `query` beside another one is its text
QUERY_KEYS = ("topic", "qid", "query_id", "topic_id", "request_id", "query")
#: the key that names a nugget; without any it is named by its place among the query's, from 1
NUGGET_KEYS = ("id", "nugget_id", "intent", "question_id")
PASSAGE_KEYS = ("passages", "docs", "documents", "support")
#: where passages are objects: what names one, and what tells how far it supports the nugget
NAME_KEYS = ("passage", "doc", "docid", "doc_id", "id")
SUPPORT_KEYS = ("grade", "support", "assignment")
#: passages that were looked at and support nothing
JUDGED = "judged"

#: labels of importance, as the TREC RAG track weighs them, and of support
IMPORTANCE: Mapping[str, float] = {"vital": 1.0, "okay": 0.5}
SUPPORT: Mapping[str, int] = {"support": 2, "partial_support": 1, "not_support": 0}

EXPECTED = (
    'a query and its nuggets, such as {"query": "q1", "nuggets": '
    '[{"id": "price", "importance": 0.7, "passages": {"p1": 2, "p2": 0}}]}'
)


@dataclass(frozen=True)
class _Nugget:
    name: str
    importance: float | None
    support: list[tuple[str, int]]


#: an object with its line and its text
Numbered = tuple[int, Mapping[str, object], str | None]


def read(source: Source, report: Report, into: JudgmentGatherer) -> None:
    """Judgments and the intents' probabilities."""
    _gather(_objects(source, report), report, into)


def are_nuggets(source: object) -> bool:
    """Is this a list of queries with their nuggets, as they stand on lines?"""
    return (
        isinstance(source, list | tuple)
        and bool(source)
        and all(isinstance(each, Mapping) and NUGGETS in each for each in source)
    )


def read_objects(
    source: Iterable[Mapping[str, object]], report: Report, into: JudgmentGatherer
) -> None:
    """The same from objects in memory; lines are objects, from 1."""
    _gather(((number, each, None) for number, each in enumerate(source, 1)), report, into)


def _gather(objects: Iterable[Numbered], report: Report, into: JudgmentGatherer) -> None:
    for topic, nuggets, judged, line in _queries(objects, report):
        for nugget in nuggets:
            for passage, grade in nugget.support:
                into.add(topic, nugget.name, passage, grade, line, None)
        for passage in judged:
            into.add(topic, JUDGED_ONLY, passage, 0, line, None)
        if any(nugget.support for nugget in nuggets) or judged:
            _weigh(topic, nuggets, into.probabilities, line)
        else:
            report.problem(
                f"no passage of query {topic} is known to support a nugget or to support none",
                line=line,
                expected=f"{PASSAGE_KEYS[0]} of a nugget, or {JUDGED}",
                remedy="add what was judged, or remove the line",
            )


def read_probabilities(source: Source, report: Report, into: ProbabilityGatherer) -> None:
    """The importance of nuggets alone."""
    for topic, nuggets, _, line in _queries(_objects(source, report), report):
        _weigh(topic, nuggets, into, line)


def _weigh(topic: str, nuggets: Sequence[_Nugget], into: ProbabilityGatherer, line: int) -> None:
    """Shares of the importance; where none is said all nuggets are alike."""
    said = [1.0 if nugget.importance is None else nugget.importance for nugget in nuggets]
    total = sum(said)
    for nugget, importance in zip(nuggets, said, strict=True):
        into.add(topic, nugget.name, importance / total, line)


def _objects(source: Source, report: Report) -> Iterator[Numbered]:
    import json

    yield from jsonl.objects(source, report, json.JSONDecoder(object_pairs_hook=_once))


def _queries(
    objects: Iterable[Numbered], report: Report
) -> Iterator[tuple[str, list[_Nugget], list[str], int]]:
    """Topic, nuggets, passages that support nothing, and the line."""
    seen: dict[str, int] = {}
    for line, record, text in objects:
        try:
            topic = _named(record, QUERY_KEYS, "query")
            if topic in seen:
                raise MalformedError(
                    f"query {topic} was on line {seen[topic]} already",
                    "one line a query",
                    "put its nuggets into one list",
                )
            seen[topic] = line
            yield topic, _nuggets(topic, record), _unsupporting(topic, record), line
        except MalformedError as error:
            report.malformed(error, line, text)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    held = dict(pairs)
    if len(held) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} is there twice in one object")
    return held


def _named(record: Mapping[str, object], keys: Sequence[str], what: str) -> str:
    key = next((each for each in keys if each in record), None)
    if key is None:
        raise MalformedError(f"the {what} has no name", f"a key {' or '.join(keys)}", "add it")
    return name_of(record[key], what)


def _nuggets(topic: str, record: Mapping[str, object]) -> list[_Nugget]:
    given = record.get(NUGGETS)
    if not isinstance(given, list) or not (given or record.get(JUDGED)):
        raise MalformedError(f"query {topic} has no list of nuggets", EXPECTED, "add its nuggets")
    nuggets = [_nugget(topic, place, each) for place, each in enumerate(given, 1)]
    names = [nugget.name for nugget in nuggets]
    for name in names:
        if names.count(name) > 1:
            raise MalformedError(
                f"query {topic} has two nuggets named {name}",
                "a name of its own for each nugget",
                "rename one",
            )
    said = [nugget.importance for nugget in nuggets if nugget.importance is not None]
    if 0 < len(said) < len(nuggets):
        raise MalformedError(
            f"{len(said)} of the {len(nuggets)} nuggets of query {topic} have an importance",
            "an importance for all nuggets of a query, or for none",
            "add what is missing",
        )
    if said and not sum(said):
        raise MalformedError(
            f"no nugget of query {topic} is of any importance",
            "an importance above 0 for at least one",
            "mend the importance",
        )
    return nuggets


def _nugget(topic: str, place: int, given: object) -> _Nugget:
    where = f"nugget {place} of query {topic}"
    if not isinstance(given, Mapping):
        raise MalformedError(f"{where} is no object", EXPECTED, "write each nugget as an object")
    name = str(place)
    if any(key in given for key in NUGGET_KEYS):
        name = _named(given, NUGGET_KEYS, "nugget")
    importance = given.get("importance")
    support = next((given[key] for key in PASSAGE_KEYS if key in given), None)
    return _Nugget(
        name,
        None if importance is None else _importance(where, importance),
        list(_support(where, support)),
    )


def _importance(where: str, said: object) -> float:
    if isinstance(said, str) and said in IMPORTANCE:
        return IMPORTANCE[said]
    try:
        weight = decimal(said, "importance")
    except MalformedError:
        weight = -1.0
    if weight < 0:
        raise MalformedError(
            f"the importance of {where} is {said!r:.80}",
            f"a number of 0 or more, or {' or '.join(IMPORTANCE)}",
            "mend the importance",
        )
    return weight


def _support(where: str, given: object) -> Iterator[tuple[str, int]]:
    """Passages with grades: a list of names, an object of grades, or a list of objects."""
    if given is None:
        return
    if isinstance(given, Mapping):
        for passage, said in given.items():
            yield name_of(passage, "passage"), _grade(where, said)
    elif isinstance(given, list):
        for each in given:
            if isinstance(each, Mapping):
                said = next((each[key] for key in SUPPORT_KEYS if key in each), 1)
                yield _named(each, NAME_KEYS, "passage"), _grade(where, said)
            else:
                yield name_of(each, "passage"), 1
    else:
        raise MalformedError(
            f"the passages of {where} are {given!r:.80}",
            'a list of names, ["p1", "p2"], or grades by name, {"p1": 2, "p2": 0}',
            "mend the passages",
        )


def _grade(where: str, said: object) -> int:
    if isinstance(said, str) and said in SUPPORT:
        return SUPPORT[said]
    try:
        return grade_of(said)
    except MalformedError:
        raise MalformedError(
            f"a passage's support of {where} is {said!r:.80}",
            f"a grade, which is a whole number, or {', '.join(SUPPORT)}",
            "mend the support",
        ) from None


def _unsupporting(topic: str, record: Mapping[str, object]) -> list[str]:
    given = record.get(JUDGED, [])
    if not isinstance(given, list):
        raise MalformedError(
            f"{JUDGED} of query {topic} is {given!r:.80}",
            'a list of passages that support nothing, ["p8", "p9"]',
            f"mend {JUDGED}",
        )
    return [name_of(each, "passage") for each in given]


# --- writing -------------------------------------------------------------------------------------


def write(judged: Judged, stream: TextIO) -> None:
    """One line a topic, with probabilities as importance where they were given."""
    import json

    support: dict[tuple[str, str], dict[str, int]] = {}
    for topic, intent, document, grade in judged.lines():
        support.setdefault((topic, intent), {})[document] = grade
    for index, topic in enumerate(judged.topics):
        intents = judged.intents_of(index)
        nothing = support.get((topic, JUDGED_ONLY), {})
        if any(nothing.values()):
            nothing = {}  # it is an intent like any other
        start = int(judged.intent_start[index])
        given = judged.given_probability[start : start + len(intents)].tolist()
        line: dict[str, object] = {
            "query": topic,
            NUGGETS: [
                _written(intent, importance, any(map(math.isfinite, given)), support, topic)
                for intent, importance in zip(intents, given, strict=True)
                if not (intent == JUDGED_ONLY and nothing)
            ],
        }
        if nothing:
            line[JUDGED] = list(nothing)
        stream.write(json.dumps(line, ensure_ascii=False) + "\n")


def _written(
    intent: str,
    importance: float,
    weighed: bool,
    support: Mapping[tuple[str, str], Mapping[str, int]],
    topic: str,
) -> dict[str, object]:
    nugget: dict[str, object] = {"id": intent}
    if weighed:
        nugget["importance"] = importance if math.isfinite(importance) else 0.0
    nugget[PASSAGE_KEYS[0]] = support.get((topic, intent), {})
    return nugget


def lost(judged: Judged) -> list[str]:
    """What nuggets cannot say."""
    said = ["the types of intents are left out"] if judged.navigational.any() else []
    bare = sum(
        set(judged.intents_of(index)) <= {JUDGED_ONLY} for index in range(len(judged.topics))
    )
    if bare:
        said.append(f"{bare} topics have no intent but {JUDGED_ONLY}")
    return said
