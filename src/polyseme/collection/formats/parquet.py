"""Parquet files with the columns topic, intent, doc, grade and so on (extra ``parquet``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.tables import Record
from polyseme.errors import MissingExtra

_BATCH = 1 << 16


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("Parquet", "parquet") from None
    return pyarrow


class ParquetTable:
    """A Parquet file as columns and records; lines are rows, from 1."""

    def __init__(self, source: Source, report: Report) -> None:
        self._source = source
        self._report = report
        with self._file() as file:
            self.columns: list[str] = list(file.schema_arrow.names)

    def records(self, columns: Sequence[str]) -> Iterator[Record]:
        """The values of ``columns``, record by record."""
        row = 0
        with self._file() as file:
            for batch in file.iter_batches(batch_size=_BATCH, columns=list(columns)):
                values = [batch.column(name).to_pylist() for name in columns]
                for record in zip(*values, strict=True):
                    row += 1
                    yield record, row, None

    @contextmanager
    def _file(self) -> Iterator[Any]:
        pyarrow = _pyarrow()
        with self._source.raw() as stream:
            try:
                yield pyarrow.parquet.ParquetFile(stream)
            except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
                self._report.fatal(
                    f"the Parquet file cannot be read ({str(error).splitlines()[0][:200]})",
                    expected="a whole, uncompressed Parquet file",
                    remedy="write or copy the file again",
                )


def write(stream: IO[bytes], columns: Sequence[str], records: Iterable[Sequence[object]]) -> None:
    """One row a record."""
    pyarrow = _pyarrow()
    kinds = {"grade": pyarrow.int64(), "rank": pyarrow.int64(), "iteration": pyarrow.int64()}
    kinds |= {"prob": pyarrow.float64(), "score": pyarrow.float64()}
    rows = list(records)
    arrays = [
        pyarrow.array([row[place] for row in rows], type=kinds.get(name, pyarrow.string()))
        for place, name in enumerate(columns)
    ]
    pyarrow.parquet.write_table(pyarrow.Table.from_arrays(arrays, names=list(columns)), stream)
