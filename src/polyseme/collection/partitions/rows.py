"""Rows of Parquet as lines of TREC's, batch by batch, where they are plainly well formed.

Lines are what the compiled scanners read. Rows with a name that could not stand between spaces, a
number out of bounds or nothing in a column are for the plain readers: every function here then
gives None.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from polyseme.collection.formats.fields import GREATEST_GRADE, GREATEST_RANK
from polyseme.collection.formats.parquet import open_file
from polyseme.collection.formats.topic_lines import TopicOrder, key_of

BATCH = 1 << 16
Batch = Any
Column = Any
#: what a partition has of a run: its lines, block by block
Blocks = dict[str | None, list[bytes]]


def row_groups(path: str) -> list[int]:
    """How many rows each row group holds."""
    with open_file(path) as file:
        held = file.metadata
        return [held.row_group(n).num_rows for n in range(held.num_row_groups)]


def columns_of(path: str) -> list[str]:
    """The names of the columns."""
    with open_file(path) as file:
        return list(file.schema_arrow.names)


def batches(
    path: str, columns: Sequence[str], groups: Sequence[int] | None = None
) -> Iterator[Batch]:
    """Some rows at a time, of some row groups."""
    with open_file(path) as file:
        chosen = range(file.metadata.num_row_groups) if groups is None else list(groups)
        yield from file.iter_batches(
            batch_size=BATCH, columns=list(columns), row_groups=chosen, use_threads=False
        )


def texts(column: Column) -> Column | None:
    """A column of names as strings; None where they are something else, or one is missing."""
    import pyarrow as pa
    from pyarrow import types

    kind = column.type
    if types.is_dictionary(kind):
        kind = kind.value_type
    named = types.is_string(kind) or types.is_large_string(kind) or types.is_integer(kind)
    if column.null_count or not named:
        return None
    return column if types.is_string(column.type) else column.cast(pa.string())


def _letters(column: Column) -> tuple[Any, Any]:
    """The letters of a column of strings, and where each string begins and the last one ends."""
    _, offsets, data = column.buffers()
    start = np.frombuffer(offsets, np.int32)[column.offset : column.offset + len(column) + 1]
    letters = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    return letters[start[0] : start[-1]], start - start[0]


def _names(column: Column, *, first: bool = False) -> Column | None:
    """Names that can stand between spaces, the ``first`` of a line without a comment's mark."""
    import pyarrow.compute as pc

    named = texts(column)
    if named is None:
        return None
    letters, start = _letters(named)
    if (np.diff(start) == 0).any() or (letters <= 0x20).any() or (letters == 0x7F).any():
        return None
    if first and (letters[start[:-1]] == ord("#")).any():
        return None
    if (letters >= 0x80).any():
        trimmed = pc.utf8_trim_whitespace(named)
        if not pc.all(pc.equal(named, trimmed)).as_py():
            return None
        if pc.any(pc.starts_with(named, "\ufeff")).as_py():
            return None
    return named


def _whole(column: Column, greatest: int) -> Column | None:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import types

    if column.null_count or not types.is_integer(column.type):
        return None
    bounds = pc.min_max(column).as_py()
    if not -greatest <= bounds["min"] <= bounds["max"] <= greatest:
        return None
    return column.cast(pa.string())


def _decimal(column: Column) -> Column | None:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import types

    if column.null_count or not (types.is_floating(column.type) or types.is_integer(column.type)):
        return None
    numbers = column.cast(pa.float64(), safe=False)
    if not pc.all(pc.is_finite(numbers)).as_py():
        return None
    return numbers.cast(pa.string())


def _joined(*fields: Column | str | None) -> bytes | None:
    import pyarrow as pa
    import pyarrow.compute as pc

    if any(field is None for field in fields):
        return None
    together = pc.binary_join_element_wise(
        *(pa.scalar(field) if isinstance(field, str) else field for field in fields), " "
    )
    letters, _ = _letters(together)
    return bytes(letters.tobytes())


def lines_of(batch: Batch, role: str) -> dict[str | None, bytes] | None:
    """What the rows of a file in some role say as lines, run by run; judgments are of no run."""
    if role == "run":
        return run_lines(batch)
    lines = judgment_lines(batch)
    return None if lines is None else {None: lines}


def judgment_lines(batch: Batch) -> bytes | None:
    """``topic intent doc grade``."""
    if not len(batch):
        return b""
    return _joined(
        _names(batch.column("topic"), first=True),
        _names(batch.column("intent")),
        _names(batch.column("doc")),
        _whole(batch.column("grade"), GREATEST_GRADE),
        "\n",
    )


def run_lines(batch: Batch) -> dict[str | None, bytes] | None:
    """``topic Q0 doc rank score tag`` of each run."""
    if not len(batch):
        return {}
    names = batch.schema.names
    if "iteration" in names:
        return None
    if "run" not in names:
        lines = _run_lines(batch)
        return None if lines is None else {None: lines}
    import pyarrow.compute as pc

    runs = texts(batch.column("run"))
    if runs is None:
        return None
    found: dict[str | None, bytes] = {}
    for run in pc.unique(runs).to_pylist():
        mine = batch.filter(pc.equal(runs, run))
        lines = _run_lines(mine)
        if lines is None or not run.strip():
            return None
        found[run] = lines
    return found


def _run_lines(batch: Batch) -> bytes | None:
    names = batch.schema.names
    return _joined(
        _names(batch.column("topic"), first=True),
        "Q0",
        _names(batch.column("doc")),
        _whole(batch.column("rank"), GREATEST_RANK) if "rank" in names else "1",
        _decimal(batch.column("score")) if "score" in names else "0",
        "-\n",
    )


# ---- topics in order ----------------------------------------------------------------------------


class RowScan:
    """Are the topics of rows in order? As `TopicScan` for lines; places are rows."""

    def __init__(self, row: int) -> None:
        self._row = row
        self._records = self._topics = 0
        self._first: bytes | None = None
        self._last = b""
        self._ascending = self._numbered = True
        self._marks: list[tuple[bytes, int]] = []
        self.runs: dict[str, None] = {}

    def add(self, batch: Batch) -> bool:
        """Some rows more; false where their topics are no names."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if not len(batch):
            return True
        topics = texts(batch.column("topic"))
        if topics is None:
            return False
        if "run" in batch.schema.names:
            runs = texts(batch.column("run"))
            if runs is None:
                return False
            self.runs.update(dict.fromkeys(pc.unique(runs).to_pylist()))
        ended = pc.run_end_encode(topics)
        names, ends = ended.values, ended.run_ends.to_numpy()
        if len(names) > 1:
            sooner, later = names.slice(0, len(names) - 1), names.slice(1)
            less = pc.less(sooner, later)
            short, long = pc.binary_length(sooner), pc.binary_length(later)
            self._ascending &= pc.all(less).as_py()
            in_length = pc.or_(pc.less(short, long), pc.and_(pc.equal(short, long), less))
            self._numbered &= pc.all(in_length).as_py()
        first, last = names[0].as_py().encode(), names[-1].as_py().encode()
        if self._first is None:
            self._first = first
            self._marks.append((first, self._row))
        else:
            self._ascending &= self._last <= first
            self._numbered &= key_of(self._last, "numbered") <= key_of(first, "numbered")
            if first != self._last:
                self._marks.append((first, self._row))
            elif len(names) > 1:
                self._marks.append((names[1].as_py().encode(), self._row + int(ends[0])))
        self._topics += len(names) - (first == self._last)
        self._last = last
        self._row += len(batch)
        self._records += len(batch)
        assert isinstance(topics, pa.Array)
        return True

    def found(self) -> tuple[bytes, bytes, int, int, bool, bool, list[tuple[bytes, int]]]:
        """As `TopicScan`."""
        return (
            self._first or b"",
            self._last,
            self._records,
            self._topics,
            bool(self._ascending),
            bool(self._numbered),
            self._marks,
        )


def rows_between(
    path: str,
    columns: Sequence[str],
    rows: tuple[int, int],
    low: bytes | None,
    high: bytes | None,
    order: TopicOrder,
) -> Iterator[tuple[int, Batch]]:
    """Rows of topics from ``low`` to before ``high``: they are somewhere in ``rows``.

    With each batch comes the number of its first row, from 0.
    """
    groups, at = [], 0
    first = None
    for number, size in enumerate(row_groups(path)):
        if at < rows[1] and at + size > rows[0]:
            groups.append(number)
            first = at if first is None else first
        at += size
    row = first or 0
    for batch in batches(path, columns, groups):
        if row >= rows[1]:
            return
        topics = texts(batch.column("topic"))
        if topics is None:
            raise ValueError("topics are no names")
        begin = 0 if low is None else _first_from(topics, low, order)
        end = len(topics) if high is None else _first_from(topics, high, order)
        if begin < end:
            yield row + begin, batch.slice(begin, end - begin)
        row += len(batch)


def _first_from(topics: Column, wanted: bytes, order: TopicOrder) -> int:
    """The first of topics in order that is ``wanted`` or later."""
    key = key_of(wanted, order)
    low, high = 0, len(topics)
    while low < high:
        middle = (low + high) // 2
        if key_of(topics[middle].as_py().encode(), order) < key:
            low = middle + 1
        else:
            high = middle
    return low
