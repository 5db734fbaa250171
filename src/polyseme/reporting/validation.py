"""What validation found, as a report and as the text that compilers have taught us to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TextIO

from polyseme.collection.validation import Validated
from polyseme.tables import Column, Kind, Report, Row, Table, labels

COLUMNS: dict[str, Kind] = {
    "file": "label",
    "line": "value",
    "severity": "label",
    "message": "prose",
    "text": "prose",
    "expected": "prose",
    "remedy": "prose",
}
#: as much of an offending line as is of use to programs
LONGEST_TEXT = 1000


def report_of_validation(files: Sequence[Validated]) -> Report:
    """Rows are problems and remarks; the files themselves are tables for people, facts for JSON."""
    rows = [row for one in files for row in _rows(one)]
    tables = [_summary(files)]
    columns = tuple(Column(name, kind) for name, kind in COLUMNS.items())
    if rows:
        tables.insert(0, Table(columns[:4], [row[:4] for row in rows]))
    return Report(
        data=Table(columns, rows),
        tables=tuple(tables),
        facts={"files": [_facts(one) for one in files]},
    )


def write_text(files: Sequence[Validated], stream: TextIO) -> None:
    """Every problem with its place, its text and its remedy; remarks; a line for each file."""
    for one in files:
        for problem in one.problems:
            stream.write(f"{problem}\n")
        hidden = one.problem_count - len(one.problems)
        if hidden:
            stream.write(f"{one.path}: and {hidden:,} more problems (--limit shows more)\n")
        for remark in one.remarks:
            stream.write(f"{one.path}: remark: {remark.removeprefix(f'{one.path}: ')}\n")
    if any(one.problems or one.remarks for one in files):
        stream.write("\n")
    for one in files:
        stream.write(f"{one.path}: {'; '.join(_sentences(one))}\n")


def _rows(one: Validated) -> Iterator[Row]:
    for error in one.problems:
        text = error.text and error.text[:LONGEST_TEXT]
        said = (error.problem, text, error.expected, error.remedy)
        yield (error.path or one.path, error.line, "problem", *said)
    for remark in one.remarks:
        text = remark.removeprefix(f"{one.path}: ")
        yield (one.path, None, "remark", text, None, None, None)


def _summary(files: Sequence[Validated]) -> Table:
    counted = list(dict.fromkeys(name for one in files for name in one.counts))
    columns = (
        *labels("file", "kind", "format"),
        *map(Column, ("problems", "remarks", *counted)),
    )
    rows = [
        (
            *(one.path, one.kind, one.format, one.problem_count, len(one.remarks)),
            *(one.counts.get(name) for name in counted),
        )
        for one in files
    ]
    return Table(columns, rows, "files")


def _facts(one: Validated) -> dict[str, object]:
    return {
        "file": one.path,
        "kind": one.kind,
        "format": one.format,
        "sound": one.sound,
        "problems": one.problem_count,
        "remarks": len(one.remarks),
        "counts": one.counts,
        "grades": {str(grade): count for grade, count in one.grades.items()},
    }


def _sentences(one: Validated) -> Iterator[str]:
    if one.kind is not None:
        counts = ", ".join(
            _number(count, name.removesuffix("s")) for name, count in one.counts.items() if count
        )
        form = f" ({one.format})" if one.format else ""
        yield f"{one.kind}{form}" + (f": {counts}" if counts else "")
    if one.grades:
        yield "grades " + ", ".join(f"{grade}: {count:,}" for grade, count in one.grades.items())
    yield _number(one.problem_count, "problem")
    if one.remarks:
        yield _number(len(one.remarks), "remark")


def _number(count: int, what: str) -> str:
    plural = "" if count == 1 or what == "relevant" else "s"
    return f"{f'{count:,}' if count else 'no'} {what}{plural}"
