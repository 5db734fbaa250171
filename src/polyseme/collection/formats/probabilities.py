"""Intent probabilities: ``topic intent prob``, NTCIR's with a fourth column ``inf`` or ``nav``."""

from __future__ import annotations

from typing import TextIO

from polyseme.collection.formats.fields import probability_of, spaceless, type_of
from polyseme.collection.formats.gathering import Probabilities, ProbabilityGatherer
from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.formats.tables import probability_records
from polyseme.collection.formats.text import blocks
from polyseme.collection.judgments import Judged

COLUMNS = "topic intent prob"
TYPED_COLUMNS = "topic intent prob type"


def read(source: Source, report: Report, into: ProbabilityGatherer) -> None:
    """Every line is one intent."""
    for block in blocks(source, report):
        for number, text in enumerate(block.lines, block.first):
            fields = block.split(text)
            if not fields:
                continue
            if len(fields) not in (3, 4):
                expected = COLUMNS if len(fields) < 3 else TYPED_COLUMNS
                report.columns(fields, expected, number, text)
                continue
            topic, intent, written = fields[:3]
            try:
                probability = probability_of(written)
                kind = type_of(fields[3]) if len(fields) == 4 else None
            except MalformedError as error:
                report.malformed(error, number, text)
                continue
            into.add(topic, intent, probability, number, text)
            if kind is not None:
                into.add_type(topic, intent, kind, number, text)


def write(given: Judged | Probabilities, stream: TextIO) -> None:
    """One line an intent that has a probability."""
    for topic, intent, probability, _ in probability_records(given):
        stream.write(f"{spaceless(topic=topic, intent=intent)} {probability!r}\n")


def write_typed(given: Judged | Probabilities, stream: TextIO) -> None:
    """The same with each intent's type."""
    for topic, intent, probability, kind in probability_records(given):
        stream.write(f"{spaceless(topic=topic, intent=intent)} {probability!r} {kind}\n")
