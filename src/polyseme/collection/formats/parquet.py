"""Parquet files with the columns topic, intent, doc, grade and so on (extra ``parquet``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.places import is_address, open_for_reading
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.tables import Record
from polyseme.errors import InputError, MissingExtra

_BATCH = 1 << 16
_BUFFER = 1 << 20


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("Parquet", "parquet") from None
    return pyarrow


@contextmanager
def open_file(path: str) -> Iterator[Any]:
    """A Parquet file at a path or an address, to be read some rows at a time."""
    pyarrow = _pyarrow()
    try:
        stream = path if not is_address(path) else open_for_reading(path)
        # a row group may be large: no more of it is held than is being read
        with pyarrow.parquet.ParquetFile(stream, buffer_size=_BUFFER, pre_buffer=False) as file:
            yield file
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"the Parquet file cannot be read ({str(error).splitlines()[0][:200]})",
            path=path,
            expected="a whole Parquet file",
            remedy="write or copy the file again",
        ) from None


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
