"""TREC judgments: diversity (``topic intent doc grade``) and ad hoc (``topic 0 doc grade``)."""

from __future__ import annotations

from typing import TextIO

from polyseme.collection.formats.fields import Remembered, grade_of, spaceless
from polyseme.collection.formats.gathering import JudgmentGatherer
from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.formats.text import blocks
from polyseme.collection.judgments import Judged

COLUMNS = "topic intent doc grade"


def read(source: Source, report: Report, into: JudgmentGatherer) -> None:
    """Every line is one judgment."""
    grades = Remembered(grade_of)
    add = into.add
    for block in blocks(source, report):
        split = block.split
        for number, text in enumerate(block.lines, block.first):
            fields = split(text)
            if len(fields) != 4:
                if fields:
                    report.columns(fields, COLUMNS, number, text)
                continue
            topic, intent, document, written = fields
            try:
                grade = grades[written]
            except MalformedError as error:
                report.malformed(error, number, text)
                continue
            add(topic, intent, document, grade, number, text)


def write(judged: Judged, stream: TextIO) -> None:
    """One line a judgment."""
    for topic, intent, document, grade in judged.lines():
        names = spaceless(topic=topic, intent=intent, document=document)
        stream.write(f"{names} {grade}\n")
