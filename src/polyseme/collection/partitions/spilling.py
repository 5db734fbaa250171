"""What is in no order, written to disk again: topic by topic in buckets.

A spill is one file that holds the buckets one after another, many times over; next to it stands an
index of where each of them is. Lines are kept as they are. What cannot be a line is a record: the
values of its columns as JSON, with the number of its line or row.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from polyseme.collection.formats import catalogue
from polyseme.collection.formats.fields import name_of
from polyseme.collection.formats.opening import source_of
from polyseme.collection.formats.places import Folder, open_for_reading
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.formats.topic_lines import (
    BLOCK,
    bucket_of,
    line_start,
    topic_split,
    without_mark,
)
from polyseme.collection.partitions import rows
from polyseme.collection.partitions.inputs import Input, Piece

#: where a spill's parts are: for each the run, the bucket, where it begins and ends
Index = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Spilling:
    """Divides pieces of the inputs among buckets."""

    inputs: tuple[Input, ...]
    folder: Folder
    buckets: int
    #: bytes that are held before they are written
    held: int
    #: inputs, by their number, that are written as records
    as_records: frozenset[int] = frozenset()

    def __call__(self, piece: Piece) -> dict[str, Any]:
        """What was written; ``lines`` is false where the piece must be written as records."""
        given = self.inputs[piece.input]
        spill = _Spill(self.buckets, self.held)
        with self._open(piece) as stream:
            spill.stream = stream
            if given.makes_lines and piece.input not in self.as_records:
                if not _spill_lines(given, piece, spill):
                    return {"lines": False, "runs": [], "sizes": [], "records": False}
                records = False
            else:
                _spill_records(given, piece, spill)
                records = True
            spill.flush()
        index = np.array(spill.index, dtype=np.int64).reshape(-1, 4)
        content = io.BytesIO()
        np.save(content, index)
        self.folder.write(content.getvalue(), "spilled", f"{piece.key}.npy")
        sizes = np.zeros(self.buckets, dtype=np.int64)
        np.add.at(sizes, index[:, 1], index[:, 3] - index[:, 2])
        return {
            "lines": True,
            "runs": list(spill.runs),
            "sizes": sizes.tolist(),
            "records": records,
        }

    def _open(self, piece: Piece) -> Any:
        return self.folder.writing("spilled", piece.key)


@dataclass(eq=False)
class _Spill:
    """Buckets of every run, written when they hold much."""

    buckets: int
    held: int
    stream: IO[bytes] | None = None
    runs: dict[str | None, int] = field(default_factory=dict)
    index: list[tuple[int, int, int, int]] = field(default_factory=list)
    _splits: list[Any] = field(default_factory=list)
    _place: int = 0

    def add(self, run: str | None, block: bytes) -> None:
        """Lines of a run."""
        number = self.runs.setdefault(run, len(self.runs))
        if number == len(self._splits):
            self._splits.append(topic_split(self.buckets))
        self._splits[number].feed(block)
        if sum(split.held for split in self._splits) > self.held:
            self.flush(finished=False)

    def flush(self, *, finished: bool = True) -> None:
        """Write what is held."""
        for run, split in enumerate(self._splits):
            if finished:
                split.finish()
            self.write(run, split.taken())

    def write(self, run: int, buckets: Sequence[bytes]) -> None:
        """What the buckets of a run hold."""
        assert self.stream is not None
        for bucket, content in enumerate(buckets):
            if content:
                self.stream.write(content)
                self.index.append((run, bucket, self._place, self._place + len(content)))
                self._place += len(content)


def _spill_lines(given: Input, piece: Piece, spill: _Spill) -> bool:
    if given.format != "parquet":
        for block in _blocks(given, piece):
            spill.add(None, block)
        return True
    for batch in _batches(given, piece):
        found = rows.lines_of(batch, given.role)
        if found is None:
            return False
        for run, block in found.items():
            spill.add(run, block)
    return True


def _batches(given: Input, piece: Piece) -> Iterator[Any]:
    groups = None if piece.end is None else range(piece.start, piece.end)
    return rows.batches(piece.path, given.columns, groups)


def _blocks(given: Input, piece: Piece) -> Iterator[bytes]:
    if given.packed or piece.end is None:
        with source_of(piece.path).open() as packed:
            yield from without_mark(_read(packed.read))
        return
    with open_for_reading(piece.path) as stream:
        start, end = line_start(stream, piece.start), line_start(stream, piece.end)
        stream.seek(start)
        left = end - start
        while left > 0 and (block := stream.read(min(BLOCK, left))):
            left -= len(block)
            yield block


def _read(read: Callable[[int], bytes]) -> Iterator[bytes]:
    while block := read(BLOCK):
        yield block


# ---- records ------------------------------------------------------------------------------------


def _spill_records(given: Input, piece: Piece, spill: _Spill) -> None:
    """Values by column, whatever they are: it is their reader who judges them."""
    report = Report(given.path)
    topic = given.columns.index("topic")
    run = given.columns.index("run") if given.holds_runs else None
    held: dict[int, list[list[bytes]]] = {}
    size = 0
    for values, line, text in _records(given, piece, report):
        try:
            name = name_of(values[topic], "topic")
            owner = None if run is None else name_of(values[run], "run")
        except MalformedError as error:
            report.malformed(error, line, text)
            continue
        number = spill.runs.setdefault(owner, len(spill.runs))
        buckets = held.setdefault(number, [[] for _ in range(spill.buckets)])
        record = json.dumps([line, *values], default=str).encode() + b"\n"
        buckets[bucket_of(name.encode(), spill.buckets)].append(record)
        size += len(record) + 64
        if size > spill.held:
            _write_records(held, spill)
            size = 0
    _write_records(held, spill)


def _write_records(held: dict[int, list[list[bytes]]], spill: _Spill) -> None:
    for number, buckets in held.items():
        spill.write(number, [b"".join(bucket) for bucket in buckets])
    held.clear()


def _records(given: Input, piece: Piece, report: Report) -> Iterable[Any]:
    if given.format == "parquet":
        row = sum(rows.row_groups(piece.path)[: piece.start])
        for batch in _batches(given, piece):
            columns = [batch.column(name).to_pylist() for name in given.columns]
            for values in zip(*columns, strict=True):
                row += 1
                yield values, row, None
        return
    table = catalogue.TABLES[given.format](source_of(given.path), report)
    yield from table.records(given.columns)


# ---- what was spilled ---------------------------------------------------------------------------

#: stretches of files: their path, where they begin and end
Extents = tuple[tuple[str, int, int], ...]


def extents(
    folder: Folder, pieces: Sequence[Piece], told: Mapping[str, Any], low: int, high: int
) -> dict[str | None, Extents]:
    """Where the buckets from ``low`` to before ``high`` are, of each run of one input."""
    found: dict[str | None, list[tuple[str, int, int]]] = {}
    for piece in pieces:
        content = folder.read("spilled", f"{piece.key}.npy")
        assert content is not None
        index: Index = np.load(io.BytesIO(content))
        index = index[(index[:, 1] >= low) & (index[:, 1] < high)]
        runs = told[piece.key]["runs"]
        path = folder.path("spilled", piece.key)
        for run, _, start, end in index.tolist():
            stretches = found.setdefault(runs[run], [])
            if stretches and stretches[-1][0] == path and stretches[-1][2] == start:
                stretches[-1] = (path, stretches[-1][1], end)
            else:
                stretches.append((path, start, end))
    return {run: tuple(stretches) for run, stretches in found.items()}


@dataclass(frozen=True)
class SpilledTable:
    """Records as they were spilled: columns and values, with the numbers of their lines."""

    columns: list[str]
    blocks: Callable[[], Iterator[bytes]]

    def records(self, columns: Sequence[str]) -> Iterator[Any]:
        """The values of ``columns``, record by record."""
        place = [1 + self.columns.index(name) for name in columns]
        kept = b""
        for block in self.blocks():
            *lines, kept = (kept + block).split(b"\n")
            for text in lines:
                record = json.loads(text)
                yield [record[column] for column in place], record[0], None
