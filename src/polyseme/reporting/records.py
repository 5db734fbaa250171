"""For programs: CSV, JSON, JSON lines and Parquet, with every digit."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import IO, Any, TextIO

from polyseme.errors import MissingExtra
from polyseme.tables import Cell, Column, Report, Row, Table, without_nan


def write_csv(report: Report, stream: TextIO) -> None:
    """A line of column names, then a line a row; no notes, since no program expects them."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(report.data.names)
    writer.writerows([_csv_cell(cell) for cell in row] for row in report.data.rows)


def _csv_cell(cell: Cell) -> Cell:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return repr(cell) if isinstance(cell, float) else cell


def write_json(report: Report, stream: TextIO) -> None:
    """One object: provenance, notes, what else is known, and the rows, a line each."""
    import json

    stream.write("{\n")
    for name, value in report.head.items():
        text = json.dumps(without_nan(value), indent=2, ensure_ascii=False)
        stream.write(f"  {json.dumps(name)}: {text.replace(chr(10), chr(10) + '  ')},\n")
    stream.write('  "rows": [')
    for number, line in enumerate(_json_lines(report.data)):
        stream.write((",\n    " if number else "\n    ") + line)
    stream.write("\n  ]\n}\n")


def write_jsonl(report: Report, stream: TextIO) -> None:
    """One object a row."""
    for line in _json_lines(report.data):
        stream.write(line + "\n")


def _json_lines(table: Table) -> Iterator[str]:
    import json

    for record in table.records():
        yield json.dumps(without_nan(record), ensure_ascii=False)


def write_parquet(report: Report, stream: IO[bytes]) -> None:
    """A Parquet file; notes and provenance are in its metadata."""
    import json

    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra("writing Parquet", "parquet") from None
    rows = report.data.held
    arrays = [
        pa.array([row[place] for row in rows], type=_arrow_type(column, rows, place, pa))
        for place, column in enumerate(report.data.columns)
    ]
    table = pa.Table.from_arrays(arrays, names=list(report.data.names))
    metadata = {b"polyseme": json.dumps(without_nan(report.head), ensure_ascii=False).encode()}
    pq.write_table(table.replace_schema_metadata(metadata), stream)


def _arrow_type(column: Column, rows: Sequence[Row], place: int, pa: Any) -> Any:
    """One type a column, also where there is no row to tell it."""
    if column.kind != "value":
        return pa.string()
    kinds = {type(row[place]) for row in rows} - {type(None)}
    for kind, known in ((bool, pa.bool_()), (int, pa.int64()), (str, pa.string())):
        if kinds == {kind}:
            return known
    return pa.float64()
