"""TREC Dynamic Domain judgments: ``topic subtopic doc passage rating``.

A document's grade for a subtopic is the sum of its passages' ratings, a rating of 0 counting 1, as
the track's own programs have it.
"""

from __future__ import annotations

from typing import TextIO

from polyseme.collection.formats.fields import GREATEST_GRADE, Remembered, spaceless, whole
from polyseme.collection.formats.gathering import JudgmentGatherer
from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.formats.text import records
from polyseme.collection.judgments import Judged

COLUMNS = "topic subtopic doc passage rating"


def rating_of(value: object) -> int:
    """What a passage's rating adds to the grade of its document."""
    return whole(value, "rating", 0, GREATEST_GRADE) or 1


def read(source: Source, report: Report, into: JudgmentGatherer) -> None:
    """Lines are added up; a document's first line stands for it in error texts."""
    ratings = Remembered(rating_of)
    totals: dict[tuple[str, str, str], tuple[int, int]] = {}
    for number, text, (topic, subtopic, document, _, written) in records(source, report, COLUMNS):
        try:
            rating = ratings[written]
        except MalformedError as error:
            report.malformed(error, number, text)
            continue
        key = topic, subtopic, document
        before, line = totals.get(key, (0, number))
        totals[key] = before + rating, line
    for (topic, subtopic, document), (grade, line) in totals.items():
        if grade > GREATEST_GRADE:
            report.problem(
                f"the ratings of {document} for subtopic {subtopic} add up to {grade:,}",
                line=line,
                expected=f"a sum of at most {GREATEST_GRADE:,}",
                remedy="mend the ratings",
            )
            continue
        into.add(topic, subtopic, document, grade, line)


def write(judged: Judged, stream: TextIO) -> None:
    """One line a positive judgment, as if all of it were in one passage."""
    for topic, intent, document, grade in judged.lines():
        if grade > 0:
            names = spaceless(topic=topic, intent=intent, document=document)
            stream.write(names.replace(" ", "\t") + f"\t0\t{grade}\n")


def lost(judged: Judged) -> list[str]:
    """What ratings cannot say."""
    said = ["every grade is written as the rating of a single passage, numbered 0"]
    without = int((judged.line_grade <= 0).sum())
    if without:
        said.append(f"{without} grades of 0 or less are left out: any rating makes relevant")
    return said
