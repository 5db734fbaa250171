"""What a partition has of every file, read as judgments and as lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any, TypeVar

from polyseme.collection.formats import catalogue, scanning, tables
from polyseme.collection.formats.gathering import (
    JudgmentGatherer,
    ListGatherer,
    Probabilities,
    ProbabilityGatherer,
)
from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.places import Folder, open_for_reading
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.topic_lines import TopicOrder, first_line_of
from polyseme.collection.judgments import Judged, JudgmentBuilder
from polyseme.collection.partitions import rows
from polyseme.collection.partitions.inputs import Input, Piece, Role
from polyseme.collection.partitions.spilling import SpilledTable, extents
from polyseme.collection.partitions.stretches import (
    StretchesSource,
    blocks_of,
    numbered,
    source_of_lines,
    source_of_stretches,
)
from polyseme.collection.runs import Joined, Ordering, Retrieved, Run
from polyseme.errors import InputError

Read = TypeVar("Read")
Gatherer = TypeVar("Gatherer")


@dataclass(frozen=True)
class Partition:
    """Some of the topics: those in a stretch of their order, or those of some buckets."""

    number: int
    low: bytes | None = None
    high: bytes | None = None
    buckets: tuple[int, int] | None = None
    #: of each input the places between which these topics are: lines or rows
    places: tuple[tuple[int, int], ...] = ()

    @property
    def key(self) -> str:
        """What its results are called."""
        return f"{self.number:05}"

    @property
    def name(self) -> str:
        """What its topics have in common."""
        if self.buckets is not None:
            return "buckets {} to {}".format(*self.buckets)
        low = f"from {self.low.decode(errors='replace')}" if self.low is not None else ""
        high = f"before {self.high.decode(errors='replace')}" if self.high is not None else ""
        return f"topics {low} {high}".replace("  ", " ").strip() if low or high else "all topics"


@dataclass(frozen=True)
class _Part:
    """A partition's part of one file: lines for the scanners, or a table, or both."""

    given: Input
    lines: Source | None = None
    table: Any = None
    #: the lines are in another order than in the file
    moved: bool = False


@dataclass(frozen=True)
class Parts:
    """Reads partitions of the inputs."""

    inputs: tuple[Input, ...]
    pieces: tuple[Piece, ...]
    folder: Folder
    order: TopicOrder | None
    #: of each piece that was spilled, what was told of it
    told: Mapping[str, Any]

    # ---- judgments ------------------------------------------------------------------------------

    def judged(self, partition: Partition, role: Role = "judgments") -> Judged:
        """The judgments of the partition's topics, with probabilities that stand among them."""
        parts = [
            part for place in self._of(role) for part in self._parts(place, partition).values()
        ]
        if len(parts) == 1 and parts[0].lines is not None and _is_trec(parts[0].given):
            found = scanning.judgments(parts[0].lines)
            if found is not None:
                return found
        if not parts:
            return JudgmentBuilder().finish()
        return _told(parts, _gathered_judgments)

    def probabilities(self, partition: Partition) -> Probabilities:
        """The probabilities of the intents of the partition's topics."""
        parts = [
            part
            for place in self._of("probabilities")
            for part in self._parts(place, partition).values()
        ]
        return _told(parts, _gathered_probabilities) if parts else Probabilities({}, {})

    def has(self, role: Role) -> bool:
        """Was anything given for it?"""
        return bool(self._of(role))

    def _of(self, role: Role) -> list[int]:
        return [place for place, each in enumerate(self.inputs) if each.role == role]

    # ---- runs -----------------------------------------------------------------------------------

    def joined(
        self, partition: Partition, judged: Judged, how: Ordering
    ) -> Iterator[tuple[str, Joined]]:
        """Each run that retrieved anything, as the judgments know it."""

        def together(place: int) -> object:
            return self.inputs[place].folder or place

        for _, members in groupby(self._of("run"), together):
            parts: dict[str, list[_Part]] = {}
            for place in members:
                for run, part in self._parts(place, partition).items():
                    parts.setdefault(self.inputs[place].run if run is None else run, []).append(
                        part
                    )
            for run in list(parts):
                yield run, _join(run, parts.pop(run), judged, how)

    # ---- one file -------------------------------------------------------------------------------

    def _parts(self, place: int, partition: Partition) -> dict[str | None, _Part]:
        given = self.inputs[place]
        if partition.buckets is not None:
            return self._spilled(place, partition.buckets)
        low, high = partition.places[place]
        if low >= high:
            return {}
        assert self.order is not None
        if given.format == "parquet":
            return self._rows(given, partition, (low, high))
        with open_for_reading(given.path) as stream:
            bounds = []
            for topic, otherwise in ((partition.low, low), (partition.high, high)):
                if topic is None:
                    bounds.append(otherwise)
                    continue
                bounds.append(first_line_of(stream, topic, self.order, low, high))
        if bounds[0] >= bounds[1]:
            return {}
        stretch = ((given.path, bounds[0], bounds[1]),)
        return {None: _Part(given, source_of_stretches(given.path, stretch))}

    def _rows(
        self, given: Input, partition: Partition, bounds: tuple[int, int]
    ) -> dict[str | None, _Part]:
        assert self.order is not None
        order = self.order

        def read() -> Iterator[tuple[int, Any]]:
            return rows.rows_between(
                given.path, given.columns, bounds, partition.low, partition.high, order
            )

        blocks = self._lines_of_rows(given, read) if given.makes_lines else None
        if blocks is not None:
            return {
                run: _Part(given, source_of_lines(given.path, lines), _run_rows(given, read, run))
                for run, lines in blocks.items()
            }
        if not given.holds_runs:
            return {None: _Part(given, None, RowsTable(list(given.columns), read))}
        whole = RowsTable(list(given.columns), read)
        place = given.columns.index("run")
        names = dict.fromkeys(str(record[0][place]) for record in whole.records(given.columns))
        return {run: _Part(given, None, _run_rows(given, read, run)) for run in names}

    @staticmethod
    def _lines_of_rows(
        given: Input, read: Callable[[], Iterator[tuple[int, Any]]]
    ) -> rows.Blocks | None:
        if not scanning.COMPILED:
            return None
        blocks: rows.Blocks = {}
        for _, batch in read():
            found = rows.lines_of(batch, given.role)
            if found is None:
                return None
            for run, block in found.items():
                blocks.setdefault(run, []).append(block)
        return blocks

    def _spilled(self, place: int, buckets: tuple[int, int]) -> dict[str | None, _Part]:
        given = self.inputs[place]
        mine = self._pieces_of[place]
        found: dict[str | None, _Part] = {}
        for run, stretches in extents(self.folder, mine, self.told, *buckets).items():
            if self.told[mine[0].key]["records"]:
                table = SpilledTable(list(given.columns), blocks_of(stretches))
                found[run] = _Part(given, None, table)
            else:
                source = source_of_stretches(given.path, stretches)
                found[run] = _Part(given, source, moved=True)
        return found

    @cached_property
    def _pieces_of(self) -> dict[int, list[Piece]]:
        found: dict[int, list[Piece]] = {}
        for piece in self.pieces:
            found.setdefault(piece.input, []).append(piece)
        return found


@dataclass(frozen=True)
class RowsTable:
    """Rows as columns and records, with the numbers of the rows in their file."""

    columns: list[str]
    batches: Callable[[], Iterator[tuple[int, Any]]]
    run: str | None = None

    def records(self, columns: Sequence[str]) -> Iterator[Any]:
        """The values of ``columns``, row by row."""
        for first, batch in self.batches():
            values = [batch.column(name).to_pylist() for name in columns]
            runs = batch.column("run").to_pylist() if self.run is not None else None
            for place, record in enumerate(zip(*values, strict=True)):
                if runs is None or str(runs[place]) == self.run:
                    yield record, first + place + 1, None


def _run_rows(
    given: Input, read: Callable[[], Iterator[tuple[int, Any]]], run: str | None
) -> RowsTable:
    return RowsTable(list(given.columns), read, run)


# ---- lines and tables as judgments and runs -----------------------------------------------------


def _is_trec(given: Input) -> bool:
    """Are its lines those of TREC?"""
    return given.format == "trec" or given.format == "parquet"


def _format(given: Input) -> str:
    return "trec" if given.format == "parquet" else given.format


def _gathered_judgments(parts: Sequence[_Part]) -> Judged:
    report = Report(parts[0].given.path)
    into = JudgmentGatherer(report)
    _gather(parts, report, into, tables.read_judgments, catalogue.JUDGMENTS)
    return into.finish()


def _gathered_probabilities(parts: Sequence[_Part]) -> Probabilities:
    report = Report(parts[0].given.path)
    into = ProbabilityGatherer(report)
    _gather(parts, report, into, tables.read_probabilities, catalogue.PROBABILITIES)
    return into.finish()


def _gather(
    parts: Sequence[_Part],
    report: Report,
    into: Gatherer,
    of_table: Callable[[list[str], Any, Report, Gatherer], None],
    of_lines: Mapping[str, Callable[[Source, Report, Gatherer], None]],
) -> None:
    """Read all parts, whether they are rows or lines."""
    for part in parts:
        if part.table is not None:
            of_table(part.table.columns, part.table.records, report, into)
        elif part.lines is not None:
            of_lines[_format(part.given)](part.lines, report, into)


def _join(run: str, parts: Sequence[_Part], judged: Judged, how: Ordering) -> Joined:
    given = parts[0].given
    if len(parts) == 1 and parts[0].lines is not None and _format(given) in ("trec", "ntcir"):
        found = scanning.join(parts[0].lines, judged, _ordering(given, how), given.tag)
        if found is not None:
            return found
    return _told(parts, lambda members: _joined_plainly(run, members, judged, how))


def _joined_plainly(run: str, parts: Sequence[_Part], judged: Judged, how: Ordering) -> Joined:
    given = parts[0].given
    report = Report(given.path)
    into = ListGatherer(report)
    into.tag = given.tag
    for part in parts:
        if part.table is not None:
            tables.read_runs(part.table.columns, part.table.records, report, into)
        elif part.lines is not None:
            catalogue.RUNS[_format(given)](part.lines, report, into)
    lists: list[Retrieved] = [
        growing.retrieved(topic)
        for topics in into.runs.values()
        for topic, growing in topics.items()
    ]
    made = Run(run, lambda: lists, given.path)
    return made.join(judged, how if parts[0].table is not None else _ordering(given, how))


def _ordering(given: Input, how: Ordering) -> Ordering:
    """The order of lines that were made of rows: what no column said cannot decide."""
    if not given.is_table or how.order == "file":
        return how
    if "score" not in given.columns:
        return replace(how, order="rank")
    if "rank" not in given.columns:
        return replace(how, order="score", unique_ranks=False)
    return how


def _told(parts: Sequence[_Part], read: Callable[[Sequence[_Part]], Read]) -> Read:
    """What was read; an error names the line of the file."""
    try:
        return read(parts)
    except InputError as error:
        if any(part.table is not None for part in parts):
            raise
        if len(parts) > 1 or parts[0].moved:
            raise InputError(
                re.sub(r", on lines \d+ and \d+", "", error.problem),
                path=error.path,
                text=error.text,
                expected=error.expected,
                remedy=f"{error.remedy}; polyseme validate {error.path} tells the line",
            ) from None
        found = error
    lines = parts[0].lines
    assert isinstance(lines, StretchesSource)
    # the same error, with the numbers of the lines in the file
    read([replace(parts[0], lines=numbered(lines, lines.extents))])
    raise found
