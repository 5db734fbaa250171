"""Judgments and runs in dictionaries."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Literal, cast

from polyseme.collection.formats.fields import (
    grade_of,
    name_of,
    probability_of,
    score_of,
)
from polyseme.collection.formats.gathering import JudgmentGatherer, ProbabilityGatherer
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.runs import Retrieved

By = Literal["intent", "document"]
_SHAPE = {
    "intent": "{topic: {intent: {doc: grade}}}",
    "document": "{topic: {doc: {intent: grade}}}",
}
_RUN_SHAPE = "{run: {topic: [doc, ...]}} or {run: {topic: {doc: score}}}"


def read_judgments(
    given: Mapping[object, object], report: Report, into: JudgmentGatherer, by: By
) -> None:
    """``{topic: {intent: {doc: grade}}}``, or the two inner levels the other way about."""
    second, third = ("intent", "document") if by == "intent" else ("document", "intent")
    for topic_key, inner in given.items():
        place = f"[{topic_key!r}]"
        try:
            topic = name_of(topic_key, "topic")
            for key, innermost in _inner(inner, place, _SHAPE[by]).items():
                place = f"[{topic_key!r}][{key!r}]"
                name = name_of(key, second)
                for last, written in _inner(innermost, place, _SHAPE[by]).items():
                    place = f"[{topic_key!r}][{key!r}][{last!r}]"
                    pair = name, name_of(last, third)
                    intent, document = pair if by == "intent" else pair[::-1]
                    into.add(topic, intent, document, grade_of(written), None, place)
        except MalformedError as error:
            report.malformed(error, None, place)


def read_probabilities(
    given: Mapping[object, object], report: Report, into: ProbabilityGatherer
) -> None:
    """``{topic: {intent: probability}}``."""
    for topic_key, inner in given.items():
        place = f"[{topic_key!r}]"
        try:
            topic = name_of(topic_key, "topic")
            for key, written in _inner(inner, place, "{topic: {intent: probability}}").items():
                place = f"[{topic_key!r}][{key!r}]"
                into.add(topic, name_of(key, "intent"), probability_of(written), None, place)
        except MalformedError as error:
            report.malformed(error, None, place)


def run_name_of(key: object, report: Report) -> str:
    """A run's name."""
    try:
        return name_of(key, "run's name")
    except MalformedError as error:
        report.fatal(error.problem, text=f"[{key!r}]", expected=error.expected, remedy=error.remedy)


def lists_of_run(run: str, given: object, report: Report) -> list[Retrieved]:
    """``{topic: [doc, ...]}`` or ``{topic: {doc: score}}``, copied."""
    lists: list[Retrieved] = []
    place = f"[{run!r}]"
    try:
        for topic_key, found in _inner(given, place, _RUN_SHAPE).items():
            place = f"[{run!r}][{topic_key!r}]"
            topic = name_of(topic_key, "topic")
            documents, scores = _list(found, place)
            lists.append(Retrieved(topic, documents, scores))
    except MalformedError as error:
        report.malformed(error, None, place)
    return lists


def _list(found: object, place: str) -> tuple[list[str], list[float] | None]:
    if isinstance(found, Mapping):
        return _documents(list(found)), _scores(list(found.values()))
    if isinstance(found, Real):
        raise MalformedError(
            f"{place} is a number: this looks like one run, {{topic: {{doc: score}}}}",
            _RUN_SHAPE,
            'name the run: {"my run": ...}',
        )
    if isinstance(found, str | bytes) or not isinstance(found, Iterable):
        raise MalformedError(f"{place} is {found!r:.80}", _RUN_SHAPE, "give a list of documents")
    return _documents(list(found)), None


def _documents(found: list[object]) -> list[str]:
    """Identifiers; where all are plain ASCII without spaces, one look is enough."""
    if set(map(type, found)) == {str}:
        names = cast("list[str]", found)
        text = "|".join(names)
        if text.isascii() and text.isprintable() and " " not in text and all(names):
            return names
    return [name_of(document, "document") for document in found]


def _scores(found: list[object]) -> list[float]:
    """Scores; where all are finite floats, one look is enough."""
    if set(map(type, found)) == {float}:
        numbers = cast("list[float]", found)
        if all(map(math.isfinite, numbers)):
            return numbers
    return [score_of(score) for score in found]


def _inner(given: object, place: str, shape: str) -> Mapping[object, object]:
    if not isinstance(given, Mapping):
        raise MalformedError(
            f"{place} is {given!r:.80}, not a dictionary", shape, "nest the dictionaries like that"
        )
    return given
