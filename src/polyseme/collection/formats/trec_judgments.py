"""TREC judgments: diversity (``topic intent doc grade``) and ad hoc (``topic 0 doc grade``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from polyseme.collection.formats.fields import Remembered, grade_of, spaceless
from polyseme.collection.formats.gathering import JudgmentGatherer
from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.formats.text import records
from polyseme.collection.judgments import Judged

COLUMNS = "topic intent doc grade"


def read(source: Source, report: Report, into: JudgmentGatherer) -> None:
    """Every line is one judgment."""
    read_graded(source, report, into, COLUMNS, grade_of)


def read_graded(
    source: Source,
    report: Report,
    into: JudgmentGatherer,
    columns: str,
    meaning: Callable[[object], int],
) -> None:
    """Lines of a topic, an intent, a document and a grade, in whatever way it is written."""
    grades = Remembered(meaning)
    add = into.add
    for number, text, (topic, intent, document, written) in records(source, report, columns):
        try:
            grade = grades[written]
        except MalformedError as error:
            report.malformed(error, number, text)
        else:
            add(topic, intent, document, grade, number, text)


def write(judged: Judged, stream: TextIO) -> None:
    """One line a judgment."""
    for topic, intent, document, grade in judged.lines():
        names = spaceless(topic=topic, intent=intent, document=document)
        stream.write(f"{names} {grade}\n")
