"""What a file is, told from its first lines."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass

from polyseme.collection.formats.fields import GREATEST_ITERATION
from polyseme.collection.formats.nuggets import NUGGETS
from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.tables import Kind, kind_of_columns
from polyseme.collection.formats.text import blocks, columns_of
from polyseme.errors import InputError

_LINES = 50
_BLOCK = 1 << 13
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_WHOLE = re.compile(r"[0-9]{1,9}", re.ASCII)
Shape = tuple[Kind | None, str | None]
#: five columns are told apart by more than one line
_FIVE: Shape = (None, "five")
_DELIMITERS = (",", "\t", ";")


@dataclass(frozen=True)
class Guess:
    """A kind of content and the format it is in; ``kind`` is None where it might be anything."""

    kind: Kind | None
    format: str | None
    #: the first line that is neither blank nor a comment
    line: int = 1
    text: str = ""

    @property
    def called(self) -> str:
        """What to call it in an error text."""
        return _CALLED.get((self.kind, self.format), f"{self.kind} in {self.format}")


_CALLED: dict[tuple[Kind | None, str | None], str] = {
    ("judgments", "trec"): "TREC judgments (topic intent doc grade)",
    ("judgments", "ntcir"): "NTCIR judgments (topic intent doc L0..L9)",
    ("judgments", "trec-dd"): "TREC Dynamic Domain judgments (topic subtopic doc passage rating)",
    ("run", "trec"): "a TREC run (topic Q0 doc rank score tag)",
    ("run", "trec-dd"): "a TREC Dynamic Domain run (topic iteration doc score rel)",
    ("judgments", NUGGETS): "nuggets of answers (JSON lines)",
    ("probabilities", "trec"): "intent probabilities (topic intent prob)",
    ("probabilities", "ntcir"): "intent probabilities with types (topic intent prob inf|nav)",
    ("topics", "xml"): "TREC topics in XML",
    ("scores", "csv"): "scores in CSV",
    ("scores", "jsonl"): "scores in JSON",
}


def sniff(source: Source, report: Report) -> Guess:
    """What the file is, by most of its first lines."""
    with source.open() as stream:
        start = stream.read(16)
    if start.startswith(b"PAR1"):
        return Guess(None, "parquet")
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"<?xml", b"<!", b"<")):
        return Guess("topics", "xml")
    lines = _first_lines(source, report)
    if not lines:
        report.fatal(
            "the file holds nothing but blank lines and comments",
            expected="at least one line",
            remedy="check what should have written it",
        )
    number, first = lines[0]
    if first.lstrip().startswith("{"):
        keys = _json_keys(first)
        if NUGGETS in keys:
            return Guess("judgments", NUGGETS, number, first)
        return Guess(kind_of_columns(keys), "jsonl", number, first)
    delimiter = delimiter_of(first)
    if delimiter is not None:
        names = next(csv.reader([first], delimiter=delimiter, skipinitialspace=True), [])
        return Guess(kind_of_columns({name.strip() for name in names}), "csv", number, first)
    votes = Counter(_shape(columns_of(text)) for _, text in lines)
    # Counter keeps the order of arrival, and most_common is stable: the earlier shape wins a tie.
    (kind, form), _ = votes.most_common(1)[0]
    if (kind, form) == _FIVE:
        kind, form = _five_columns([columns_of(text) for _, text in lines])
    return Guess(kind, form, number, first)


def _first_lines(source: Source, report: Report) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    # What is wrong with a line is told when it is read; a guess only needs some good ones.
    wrong: list[InputError] = []
    quiet = Report(report.path, wrong.append)
    for block in blocks(source, quiet, size=_BLOCK):
        for number, text in enumerate(block.lines, block.first):
            if text and text.strip(" \t"):
                found.append((number, text))
                if len(found) == _LINES:
                    return found
        del wrong[1:]
    if wrong and not found:
        raise wrong[0]
    return found


def delimiter_of(header: str) -> str | None:
    """The character that separates the columns of a CSV file, None where it is not one."""
    for delimiter in _DELIMITERS:
        names = [name.strip().strip('"') for name in header.split(delimiter)]
        if len(names) > 1 and "topic" in names:
            return delimiter
    columns = columns_of(header)
    if len(columns) < 3 and header.count(",") >= 2:
        return ","
    return None


def _json_keys(line: str) -> set[str]:
    import json

    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return set()
    return set(record) if isinstance(record, dict) else set()


def _shape(fields: list[str]) -> Shape:
    count = len(fields)
    if count == 3 and _NUMBER.fullmatch(fields[2]):
        return "probabilities", "trec"
    if count == 4:
        if re.fullmatch(r"L[0-9]+", fields[3], re.ASCII):
            return "judgments", "ntcir"
        if fields[3] in ("inf", "nav") and _NUMBER.fullmatch(fields[2]):
            return "probabilities", "ntcir"
        return "judgments", "trec"
    if count == 5:
        return ("run", "trec") if fields[1].upper() == "Q0" else _FIVE
    if count == 6:
        return "run", "trec"
    return None, None


def _five_columns(lines: list[list[str]]) -> Shape:
    """``topic iteration doc score rel``, or ``topic subtopic doc passage rating``."""
    five = [fields for fields in lines if len(fields) == 5]
    numbered = [
        fields
        for fields in five
        if _WHOLE.fullmatch(fields[1])
        and int(fields[1]) <= GREATEST_ITERATION
        and _NUMBER.fullmatch(fields[3])
    ]
    # Most lines decide: a malformed one is told of when it is read.
    if 2 * len(numbered) <= len(five):
        return "judgments", "trec-dd"
    # Iterations count from 0; a subtopic is hardly ever called so. Passages have no fractions.
    if numbered[0][1] == "0" or not all(_WHOLE.fullmatch(fields[3]) for fields in numbered):
        return "run", "trec-dd"
    return None, "trec-dd"
