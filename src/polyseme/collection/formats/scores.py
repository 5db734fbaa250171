"""Scores that anybody computed: long, wide (a column a measure) or as a topic x run matrix."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from polyseme.collection.formats.catalogue import Table
from polyseme.collection.formats.fields import decimal, name_of
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.formats.tables import Record
from polyseme.errors import did_you_mean
from polyseme.groups import Floats, Ints

Layout = Literal["long", "wide", "matrix"]
ROLES = ("run", "topic", "measure", "value")
LONG = "columns run,topic,measure,value; or run,topic and a column for each measure"
#: what programs write where there is no value
_NOTHING = frozenset({"", "na", "nan", "null", "none"})


@dataclass(frozen=True)
class ScoreColumns:
    """How a table's columns are to be read."""

    layout: Layout | None = None
    #: the table's own names of the columns run, topic, measure and value
    names: Mapping[str, str] = field(default_factory=dict)
    #: only records that hold these values
    where: Mapping[str, str] = field(default_factory=dict)

    def name(self, role: str) -> str:
        return self.names.get(role, role)

    def chosen(self, found: Sequence[str]) -> Layout:
        """What was said, else what the columns look like."""
        if self.layout is not None:
            return self.layout
        if {self.name("measure"), self.name("value")} & set(found):
            return "long"
        return "wide"


class ScoreGatherer:
    """Values by run, topic and measure, gathered from any number of tables."""

    def __init__(self) -> None:
        self.runs: dict[str, int] = {}
        self.topics: dict[str, int] = {}
        self.measures: dict[str, int] = {}
        self._place: list[tuple[int, int, int]] = []
        self._value: list[float] = []
        self._line: list[int] = []
        #: where the records of each report begin
        self._reports: list[tuple[int, Report]] = []

    def begin(self, report: Report) -> None:
        """What follows is from this file."""
        self._reports.append((len(self._place), report))

    def add(self, run: str, topic: str, measure: str, value: float, line: int) -> None:
        self._place.append(
            (
                self.runs.setdefault(run, len(self.runs)),
                self.topics.setdefault(topic, len(self.topics)),
                self.measures.setdefault(measure, len(self.measures)),
            )
        )
        self._value.append(value)
        self._line.append(line)

    def finish(self, remedy: str) -> Floats:
        """Runs x topics x measures, NaN where there is no value; two values are an error."""
        shape = (len(self.runs), len(self.topics), len(self.measures))
        values = np.full(shape, np.nan)
        if not self._place:
            return values
        place = np.ravel_multi_index(tuple(np.array(self._place).T), shape)
        order = np.argsort(place, kind="stable")
        again = np.flatnonzero(place[order][1:] == place[order][:-1]) + 1
        if len(again):
            self._refuse(int(order[again].min()), place, remedy)
        values.reshape(-1)[place] = self._value
        return values

    def _refuse(self, second: int, place: Ints, remedy: str) -> None:
        first = int(np.flatnonzero(place[:second] == place[second])[0])
        run, topic, measure = self._place[second]
        report = self._report_of(second)
        other = self._report_of(first)
        at = f"line {self._line[first]}" + ("" if other is report else f" of {other.path}")
        report.fatal(
            f"run {list(self.runs)[run]}, topic {list(self.topics)[topic]} has a second value of "
            f"{list(self.measures)[measure]} (the first: {at})",
            line=self._line[second],
            expected="one value for each run, topic and measure",
            remedy=remedy,
        )

    def _report_of(self, place: int) -> Report:
        return [report for begin, report in self._reports if begin <= place][-1]


def read(
    table: Table, how: ScoreColumns, report: Report, into: ScoreGatherer, called: str
) -> list[str]:
    """Records of scores; the columns that are not read are returned.

    The measure of a matrix is what it is ``called``.
    """
    into.begin(report)
    for column in how.where:
        _needed(column, table.columns, report)
    layout = how.chosen(table.columns)
    if layout == "long":
        return _read_long(table, how, report, into)
    if layout == "wide":
        return _read_wide(table, how, report, into)
    return _read_matrix(table, how, report, into, called)


def _read_long(table: Table, how: ScoreColumns, report: Report, into: ScoreGatherer) -> list[str]:
    names = [_needed(how.name(role), table.columns, report) for role in ROLES]
    for (run, topic, measure, value), line, text in _records(table, names, how):
        try:
            into.add(
                name_of(run, "run"),
                name_of(topic, "topic"),
                name_of(measure, "measure"),
                _value(value),
                line,
            )
        except MalformedError as error:
            report.malformed(error, line, text)
    return [name for name in table.columns if name not in (*names, *how.where, "")]


def _read_wide(table: Table, how: ScoreColumns, report: Report, into: ScoreGatherer) -> list[str]:
    names = [_needed(how.name(role), table.columns, report) for role in ROLES[:2]]
    # an unnamed column is the index of a frame
    measures = [name for name in table.columns if name and name not in (*names, *how.where)]
    if not measures:
        report.fatal(
            "there is no column besides run and topic",
            line=1,
            expected="a column for each measure",
            remedy="check what should have written it",
        )
    for (run, topic, *values), line, text in _records(table, [*names, *measures], how):
        try:
            held = name_of(run, "run"), name_of(topic, "topic")
            for measure, value in zip(measures, values, strict=True):
                into.add(*held, measure, _value(value, measure), line)
        except MalformedError as error:
            report.malformed(error, line, text)
    return []


def _read_matrix(
    table: Table, how: ScoreColumns, report: Report, into: ScoreGatherer, called: str
) -> list[str]:
    topic_column = how.name("topic")
    if topic_column not in table.columns:
        # an unnamed first column, or one named otherwise, says the topics
        topic_column = table.columns[0] if table.columns else topic_column
    runs = [name for name in table.columns if name not in (topic_column, *how.where)]
    if not runs:
        report.fatal(
            "there is no column besides the topic's",
            line=1,
            expected="a row for each topic and a column for each run",
            remedy="check what should have written it",
        )
    for (topic, *values), line, text in _records(table, [topic_column, *runs], how):
        try:
            named = name_of(topic, "topic")
            for run, value in zip(runs, values, strict=True):
                into.add(name_of(run, "run"), named, called, _value(value), line)
        except MalformedError as error:
            report.malformed(error, line, text)
    return []


def _records(table: Table, names: Sequence[str], how: ScoreColumns) -> Iterable[Record]:
    """The records that hold what is wanted of other columns, those columns left out."""
    wanted = list(how.where.items())
    for values, line, text in table.records([*names, *how.where]):
        rest = values[len(names) :]
        if all(_same(value, said) for value, (_, said) in zip(rest, wanted, strict=True)):
            yield values[: len(names)], line, text


def _same(value: object, said: str) -> bool:
    if str(value) == said:
        return True
    try:
        return float(str(value)) == float(said)
    except ValueError:
        return False


def _value(value: object, what: str = "value") -> float:
    """A number, or NaN where there is none."""
    if value is None or (isinstance(value, str) and value.strip().lower() in _NOTHING):
        return math.nan
    if isinstance(value, float) and math.isnan(value):
        return math.nan
    return decimal(value, what)


def _needed(name: str, found: Sequence[str], report: Report) -> str:
    if found.count(name) == 1:
        return name
    if name in found:
        report.fatal(
            f"there are {found.count(name)} columns named {name!r}",
            line=1,
            expected=LONG,
            remedy="rename one of them",
        )
    listed = ", ".join(found[:12]) + (" and more" if len(found) > 12 else "")
    report.fatal(
        f"the column {name!r} is missing, there are {listed or 'no columns'}",
        line=1,
        expected=LONG,
        remedy=did_you_mean(name, found)
        or "name the columns with --column, or say --matrix where each column is a run",
    )


class Headless:
    """Numbers in white-space separated columns: a row a topic, a column a run, no names."""

    def __init__(self, records: Callable[[], Iterable[tuple[int, str, list[str]]]], report: Report):
        self._again = records
        self._report = report
        first = next(iter(records()), (1, "", []))[2]
        self._width = len(first)
        self._named = not all(_is_number(field) for field in first)
        self.columns = list(first) if self._named else self._made()

    def _made(self) -> list[str]:
        return ["topic", *(f"run{number}" for number in range(1, self._width + 1))]

    def records(self, columns: Sequence[str]) -> Iterable[Record]:
        places = [self.columns.index(name) for name in columns]
        for number, (line, text, fields) in enumerate(self._again()):
            if self._named and number == 0:
                continue
            row = fields if self._named else [str(number + 1), *fields]
            # a header may leave out the column of topics, as R's does
            if len(row) != len(self.columns):
                self._report.problem(
                    f"{len(fields)} columns where {self._width} are expected",
                    line=line,
                    text=text,
                    expected="a row for each topic and a column for each run",
                    remedy="complete the line",
                )
                continue
            yield [row[place] for place in places], line, text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
