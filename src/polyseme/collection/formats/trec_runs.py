"""TREC runs: ``topic Q0 doc rank score tag``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from polyseme.collection.formats.fields import Remembered, rank_of, score_of, spaceless
from polyseme.collection.formats.gathering import GrowingList, ListGatherer
from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.formats.tables import completed
from polyseme.collection.formats.text import Block, blocks
from polyseme.collection.runs import Retrieved

COLUMNS = "topic Q0 doc rank score tag"


def read(source: Source, report: Report, into: ListGatherer) -> None:
    """Every line is one document; the second column is not looked at."""
    ranks = Remembered(rank_of)
    for block in blocks(source, report):
        _read_block(block, ranks, report, into)
        into.check_repetition()


def _read_block(block: Block, ranks: Remembered, report: Report, into: ListGatherer) -> None:
    split = block.split
    wanted = into.tag
    current = None
    growing = GrowingList()
    for number, text in enumerate(block.lines, block.first):
        fields = split(text)
        if len(fields) != 6:
            if fields:
                report.columns(fields, COLUMNS, number, text)
            continue
        topic, _, document, written_rank, written_score, tag = fields
        try:
            rank = ranks[written_rank]
            score = quick_score(written_score)
        except MalformedError as error:
            report.malformed(error, number, text)
            continue
        if tag != wanted and wanted is not None:
            report.problem(
                f"the tag {tag!r} comes after the tag {wanted!r}",
                line=number,
                text=text,
                expected="one tag in a file, when runs are named after tags",
                remedy="one run a file; or name runs after their files (--run-names file)",
            )
            continue
        if topic != current:
            current = topic
            growing = into.list_of(topic)
        growing.documents.append(document)
        growing.scores.append(score)
        growing.ranks.append(rank)
        growing.lines.append(number)


def quick_score(text: str) -> float:
    """A score from text, the common ones without a regular expression."""
    try:
        score = float(text)
    except ValueError:
        return score_of(text)
    # float() also takes nan, inf, digits of every script, and underscores between digits.
    if score - score != 0 or "_" in text or not text.isascii():
        return score_of(text)
    return score


def write(name: str, lists: Iterable[Retrieved], stream: TextIO) -> None:
    """One line a document, ranks and scores made from each other where one is not there."""
    tag = spaceless(run=name)
    for given in lists:
        one = completed(given)
        for document, rank, score in zip(
            one.documents, one.ranks or (), one.scores or (), strict=True
        ):
            place = spaceless(topic=one.topic, iteration="Q0", document=document)
            stream.write(f"{place} {rank} {score!r} {tag}\n")
