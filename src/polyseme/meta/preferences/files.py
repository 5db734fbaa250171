"""Triplets and judge x triplet matrices in files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import PurePath
from typing import NoReturn

import numpy as np

from polyseme.collection.formats.catalogue import TABLES, Table
from polyseme.collection.formats.csv_files import CsvTable
from polyseme.collection.formats.fields import name_of
from polyseme.collection.formats.opening import Source, source_of
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.formats.sniffing import sniff
from polyseme.collection.formats.text import blocks, columns_of
from polyseme.errors import did_you_mean
from polyseme.meta.preferences.matrix import NOT_JUDGED, Preferences
from polyseme.meta.preferences.triplets import Triplet

TRIPLET_COLUMNS = ("topic", "run_a", "run_b")
EXPECTED_TRIPLETS = "CSV, JSON lines or Parquet with the columns topic,run_a,run_b"
EXPECTED_MATRIX = (
    "a row for each judge and a column for each triplet; cells 1 (left), 2 (both irrelevant), "
    "3 (right), or empty (not judged)"
)
_NOTHING = frozenset({"", "-", "na", "nan", "null", "none"})
_DELIMITERS = (",", "\t", ";")
_JUDGE = "judge"


# ---- triplets -----------------------------------------------------------------------------------


def read_triplets(path: str) -> tuple[Triplet, ...]:
    """The triplets of a file, in its order, as ``polyseme pairs`` writes them."""
    source = source_of(path)
    report = Report(source.name)
    guess = sniff(source, report)
    if guess.format not in TABLES:
        report.fatal(
            "this does not look like triplets",
            line=guess.line,
            text=guess.text,
            expected=EXPECTED_TRIPLETS,
            remedy="give what polyseme pairs writes",
        )
    table = TABLES[guess.format](source, report)
    for name in TRIPLET_COLUMNS:
        if table.columns.count(name) != 1:
            report.fatal(
                f"there is no column {name!r}"
                if name not in table.columns
                else f"there are {table.columns.count(name)} columns {name!r}",
                line=guess.line,
                text=",".join(table.columns[:12]),
                expected=EXPECTED_TRIPLETS,
                remedy=did_you_mean(name, table.columns) or "rename the columns",
            )
    found: dict[Triplet, int] = {}
    for values, line, text in table.records(TRIPLET_COLUMNS):
        each = _triplet(values, line, text, report)
        again = each if each in found else Triplet(each.topic, each.run_b, each.run_a)
        if again in found:
            report.fatal(
                f"the triplet stands on line {found[again]} too"
                + ("" if again == each else ", the other way round"),
                line=line,
                text=text,
                expected="each topic and pair of runs once",
                remedy="remove one of the lines",
            )
        found[each] = line
    if not found:
        report.fatal(
            "there is not one triplet",
            expected=EXPECTED_TRIPLETS,
            remedy="choose some with polyseme pairs",
        )
    return tuple(found)


def _triplet(values: Sequence[object], line: int, text: str | None, report: Report) -> Triplet:
    try:
        topic, run_a, run_b = (
            name_of(value, what)
            for value, what in zip(values, ("topic", "run", "run"), strict=True)
        )
    except MalformedError as error:
        report.fatal(
            error.problem, line=line, text=text, expected=error.expected, remedy=error.remedy
        )
    if run_a == run_b:
        report.fatal(
            f"the run {run_a!r} is compared with itself",
            line=line,
            text=text,
            expected="two runs",
            remedy="remove the line",
        )
    return Triplet(topic, run_a, run_b)


# ---- matrices -----------------------------------------------------------------------------------


def read_preferences(
    path: str, triplets: Sequence[Triplet] | None = None, *, name: str | None = None
) -> Preferences:
    """A judge x triplet matrix; it is called by its file's name.

    CSV with a header (``judge`` and the triplets' names), or numbers only, between blanks or
    commas: a line a judge, columns in the order of ``triplets``. With ``triplets`` the columns
    are theirs, by name or else by number.
    """
    source = source_of(path)
    report = Report(source.name)
    first = next(_lines(source, report), None)
    if first is None:
        report.fatal(
            "the file holds nothing but blank lines and comments",
            expected=EXPECTED_MATRIX,
            remedy="check what should have written it",
        )
    line, text = first
    delimiter = max(_DELIMITERS, key=text.count)
    rows: Iterator[tuple[Sequence[object], int, str | None]]
    if not _is_header(text, delimiter):
        columns, rows = _headless(source, report, delimiter)
    else:
        columns, rows = _headed(CsvTable(source, report, delimiter=delimiter), line, report)
    named = _names(columns, triplets, report, line)
    judges: dict[str, int] = {}
    cells: list[list[int]] = []
    for (judge, *values), at, record in rows:
        held = _judge(judge, judges, at, record, report)
        judges[held] = at
        cells.append([_cell(v, c, at, report) for v, c in zip(values, columns, strict=True)])
    if not judges:
        report.fatal(
            "there is not one judge",
            line=line,
            expected=EXPECTED_MATRIX,
            remedy="check what should have written it",
        )
    return Preferences(tuple(judges), named, np.array(cells, np.int8), name or _stem(report.path))


def _is_header(text: str, delimiter: str) -> bool:
    fields = text.split(delimiter) if delimiter in text else columns_of(text)
    numbered = [str(number) for number in range(1, len(fields))]
    # a frame's index has no name
    if len(fields) > 1 and not fields[0].strip('" ') and fields[1:] == numbered:
        return True
    return not all(_is_cell(field) for field in fields)


def _is_cell(text: str) -> bool:
    bare = text.strip().strip('"')
    return bare.lower() in _NOTHING or (bare.isascii() and bare.isdigit() and len(bare) == 1)


def _headed(
    table: Table, line: int, report: Report
) -> tuple[list[str], Iterator[tuple[Sequence[object], int, str | None]]]:
    if len(table.columns) < 2 or table.columns[0].lower() not in (_JUDGE, ""):
        report.fatal(
            "this does not look like a matrix of judges and triplets",
            line=line,
            text=",".join(table.columns[:12]),
            expected="a header that begins with `judge`, then " + EXPECTED_MATRIX,
            remedy="name the first column judge",
        )
    twice = [name for name in table.columns if table.columns.count(name) > 1]
    if twice:
        report.fatal(
            f"there are {table.columns.count(twice[0])} columns named {twice[0]!r}",
            line=line,
            expected=EXPECTED_MATRIX,
            remedy="rename one of them",
        )
    return table.columns[1:], iter(table.records(table.columns))


def _headless(
    source: Source, report: Report, delimiter: str
) -> tuple[list[str], Iterator[tuple[Sequence[object], int, str | None]]]:
    lines = _lines(source, report)
    first = next(lines)

    def split(text: str) -> list[str]:
        return text.split(delimiter) if delimiter in first[1] else columns_of(text)

    width = len(split(first[1]))

    def rows() -> Iterator[tuple[Sequence[object], int, str | None]]:
        for number, (line, text) in enumerate(chain([first], lines), 1):
            values = split(text)
            if len(values) != width:
                report.fatal(
                    f"{len(values)} columns where the first line has {width}",
                    line=line,
                    text=text,
                    expected=EXPECTED_MATRIX,
                    remedy="complete the line",
                )
            yield [f"{number:02}", *values], line, text

    return [str(number) for number in range(1, width + 1)], rows()


def _lines(source: Source, report: Report) -> Iterator[tuple[int, str]]:
    for block in blocks(source, report, free_text=True):
        for number, text in enumerate(block.lines, block.first):
            if text.strip() and not text.lstrip(" \t").startswith("#"):
                yield number, text


def _judge(
    value: object, known: dict[str, int], line: int, text: str | None, report: Report
) -> str:
    try:
        judge = name_of(value, "judge")
    except MalformedError as error:
        report.fatal(
            error.problem, line=line, text=text, expected=error.expected, remedy=error.remedy
        )
    if judge in known:
        report.fatal(
            f"the judge {judge!r} has a second row (the first: line {known[judge]})",
            line=line,
            expected="one row for each judge",
            remedy="remove one of the rows",
        )
    return judge


def _cell(value: object, column: str, line: int, report: Report) -> int:
    text = str(value).strip() if value is not None else ""
    if text in ("1", "2", "3"):
        return int(text)
    if text.lower() in _NOTHING:
        return NOT_JUDGED
    report.fatal(
        f"the answer about the triplet {column!r} is {text!r}",
        line=line,
        expected="1 (left), 2 (both irrelevant), 3 (right), or nothing (not judged)",
        remedy="mend the cell",
    )


def _names(
    columns: list[str], triplets: Sequence[Triplet] | None, report: Report, line: int
) -> tuple[str, ...]:
    """What the columns are called: the triplets' names, where these are known."""
    if triplets is None:
        return tuple(columns)
    names = [each.name for each in triplets]
    if set(columns) <= set(names):
        return tuple(columns)
    if columns == [str(number) for number in range(1, len(columns) + 1)]:
        if len(columns) == len(names):
            return tuple(names)
        _differ(f"{len(columns)} columns and {len(names)} triplets", report, line)
    strange = next(column for column in columns if column not in set(names))
    hint = did_you_mean(strange, names)
    _differ(
        f"the column {strange!r} is none of the {len(names)} triplets"
        + (f"; {hint}" if hint else ""),
        report,
        line,
    )


def _differ(problem: str, report: Report, line: int) -> NoReturn:
    report.fatal(
        problem,
        line=line,
        expected="columns named topic/run_a/run_b, or one for each triplet in their order",
        remedy="give the triplets that were judged",
    )


def _stem(path: str) -> str:
    """A file's name without folders and endings."""
    bare = PurePath(path)
    while bare.suffix in (".gz", ".zst", ".csv", ".tsv", ".txt", ".matrix", ".dat"):
        bare = bare.with_suffix("")
    return bare.name or path
