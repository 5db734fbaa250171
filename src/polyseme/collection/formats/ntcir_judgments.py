"""NTCIR judgments: ``topic intent doc L2``; intent 0 with L0 is judged, relevant to nothing."""

from __future__ import annotations

import re
from typing import TextIO

from polyseme.collection.formats.fields import spaceless
from polyseme.collection.formats.gathering import JudgmentGatherer
from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.formats.trec_judgments import read_graded
from polyseme.collection.judgments import Judged
from polyseme.errors import InputError

COLUMNS = "topic intent doc L0..L9"
HIGHEST = 9
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
    read_graded(source, report, into, COLUMNS, level_of)


def write(judged: Judged, stream: TextIO) -> None:
    """One line a judgment; what is worse than not relevant has no level of its own."""
    for topic, intent, document, grade in judged.lines():
        if grade > HIGHEST:
            raise InputError(
                f"document {document} has the grade {grade} for intent {intent} of topic {topic}",
                expected=f"grades up to {HIGHEST}, the highest that NTCIR's format holds",
                remedy="write another format",
            )
        names = spaceless(topic=topic, intent=intent, document=document)
        stream.write(f"{names} L{max(grade, 0)}\n")


def lost(judged: Judged) -> list[str]:
    """What these levels cannot say."""
    negative = int((judged.line_grade < 0).sum())
    return [f"{negative} negative grades (spam) are written as L0"] if negative else []
