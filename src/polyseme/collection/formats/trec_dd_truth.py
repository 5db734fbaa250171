"""TREC Dynamic Domain judgments: ``topic subtopic doc passage rating``.

A document's grade for a subtopic is the sum of its passages' ratings, a rating of 0 counting 1, as
the track's own programs have it.
"""

from __future__ import annotations

from polyseme.collection.formats.fields import GREATEST_GRADE, Remembered, whole
from polyseme.collection.formats.gathering import JudgmentGatherer
from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.formats.text import blocks

COLUMNS = "topic subtopic doc passage rating"


def rating_of(value: object) -> int:
    """What a passage's rating adds to the grade of its document."""
    return whole(value, "rating", 0, GREATEST_GRADE) or 1


def read(source: Source, report: Report, into: JudgmentGatherer) -> None:
    """Lines are added up; a document's first line stands for it in error texts."""
    ratings = Remembered(rating_of)
    totals: dict[tuple[str, str, str], tuple[int, int]] = {}
    for block in blocks(source, report):
        split = block.split
        for number, text in enumerate(block.lines, block.first):
            fields = split(text)
            if len(fields) != 5:
                if fields:
                    report.columns(fields, COLUMNS, number, text)
                continue
            topic, subtopic, document, _, written = fields
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
