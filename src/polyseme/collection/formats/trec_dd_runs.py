"""TREC Dynamic Domain runs: ``topic iteration doc score rel``; iterations count from 0."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from polyseme.collection.formats.fields import Remembered, iteration_of, spaceless
from polyseme.collection.formats.gathering import ListGatherer
from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.formats.tables import completed
from polyseme.collection.formats.text import blocks
from polyseme.collection.formats.trec_runs import quick_score
from polyseme.collection.runs import Retrieved

COLUMNS = "topic iteration doc score rel"


def read(source: Source, report: Report, into: ListGatherer) -> None:
    """Every line is one document; what the system was told of its relevance is not looked at."""
    iterations = Remembered(iteration_of)
    for block in blocks(source, report):
        split = block.split
        for number, text in enumerate(block.lines, block.first):
            fields = split(text)
            if len(fields) != 5:
                if fields:
                    report.columns(fields, COLUMNS, number, text)
                continue
            topic, written, document, written_score, _ = fields
            try:
                iteration = iterations[written]
                score = quick_score(written_score)
            except MalformedError as error:
                report.malformed(error, number, text)
                continue
            growing = into.list_of(topic)
            growing.documents.append(document)
            growing.scores.append(score)
            growing.iterations.append(iteration)
            growing.lines.append(number)
        into.check_repetition()


def write(name: str, lists: Iterable[Retrieved], stream: TextIO) -> None:
    """One line a document; the run's name has no place, and the last column is 0 throughout."""
    del name
    for given in lists:
        one = completed(given)
        documents, scores = one.documents, one.scores or ()
        places = list(range(len(documents)))
        if one.iterations is None:
            # Ties are taken as the file has them, not by document as in a plain run.
            places.sort(key=lambda place: (scores[place], documents[place]), reverse=True)
        for place in places:
            iteration = 0 if one.iterations is None else one.iterations[place]
            names = spaceless(topic=one.topic, iteration=str(iteration), document=documents[place])
            stream.write(names.replace(" ", "\t") + f"\t{scores[place]!r}\t0\n")
