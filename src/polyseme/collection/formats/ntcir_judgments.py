"""NTCIR judgments: ``topic intent doc L2``; intent 0 with L0 is judged, relevant to nothing."""

from __future__ import annotations

import re

from polyseme.collection.formats.fields import Remembered
from polyseme.collection.formats.gathering import JudgmentGatherer
from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.formats.text import blocks

COLUMNS = "topic intent doc L0..L9"
_LEVEL = re.compile(r"L([0-9])", re.ASCII)


def level_of(value: object) -> int:
    """A grade as NTCIR writes it."""
    found = _LEVEL.fullmatch(str(value))
    if found is None:
        raise MalformedError(
            f"the grade is {str(value)[:80]!r}", "a grade from L0 to L9", "mend the grade"
        )
    return int(found.group(1))


def read(source: Source, report: Report, into: JudgmentGatherer) -> None:
    """Every line is one judgment."""
    levels = Remembered(level_of)
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
                grade = levels[written]
            except MalformedError as error:
                report.malformed(error, number, text)
                continue
            add(topic, intent, document, grade, number)
