"""Which formats there are, by name, for each kind of content."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Protocol, TypeVar

from polyseme.collection.formats import (
    ntcir_judgments,
    nuggets,
    probabilities,
    tables,
    trec_dd_runs,
    trec_dd_truth,
    trec_judgments,
    trec_runs,
)
from polyseme.collection.formats.gathering import (
    JudgmentGatherer,
    ListGatherer,
    ProbabilityGatherer,
)
from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import Report

Into = TypeVar("Into")


class Table(Protocol):
    """Records with named columns."""

    columns: list[str]

    def records(self, columns: Sequence[str], /) -> Iterable[tables.Record]:
        """The values of ``columns``, record by record."""


def csv_table(source: Source, report: Report) -> Table:
    """A CSV file."""
    from polyseme.collection.formats.csv_files import CsvTable

    return CsvTable(source, report)


def json_table(source: Source, report: Report) -> Table:
    """A file of JSON lines."""
    from polyseme.collection.formats.jsonl import JsonTable

    return JsonTable(source, report)


def parquet_table(source: Source, report: Report) -> Table:
    """A Parquet file."""
    from polyseme.collection.formats.parquet import ParquetTable

    return ParquetTable(source, report)


#: formats whose columns have names, whatever the content
TABLES: dict[str, Callable[[Source, Report], Table]] = {
    "csv": csv_table,
    "jsonl": json_table,
    "parquet": parquet_table,
}


def _from_table(
    table_of: Callable[[Source, Report], Table],
    read: Callable[[Sequence[str], tables.Records, Report, Into], None],
    source: Source,
    report: Report,
    into: Into,
) -> None:
    table = table_of(source, report)
    read(table.columns, table.records, report, into)


JUDGMENTS: dict[str, Callable[[Source, Report, JudgmentGatherer], None]] = {
    "trec": trec_judgments.read,
    "ntcir": ntcir_judgments.read,
    "trec-dd": trec_dd_truth.read,
    **{name: partial(_from_table, table, tables.read_judgments) for name, table in TABLES.items()},
    nuggets.NUGGETS: nuggets.read,
}
#: NTCIR and TREC have one format for runs: either name will do
RUNS: dict[str, Callable[[Source, Report, ListGatherer], None]] = {
    "trec": trec_runs.read,
    "ntcir": trec_runs.read,
    "trec-dd": trec_dd_runs.read,
    **{name: partial(_from_table, table, tables.read_runs) for name, table in TABLES.items()},
}
PROBABILITIES: dict[str, Callable[[Source, Report, ProbabilityGatherer], None]] = {
    "trec": probabilities.read,
    "ntcir": probabilities.read,
    **{
        name: partial(_from_table, table, tables.read_probabilities)
        for name, table in TABLES.items()
    },
    nuggets.NUGGETS: nuggets.read_probabilities,
}
#: formats in which probabilities may stand among judgments
HOLD_BOTH: tuple[str, ...] = (*TABLES, nuggets.NUGGETS)
#: every name that a reader can be forced to
FORMATS: tuple[str, ...] = tuple(JUDGMENTS)

#: the formats of each kind of content
OF_KIND: dict[tables.Kind, tuple[str, ...]] = {
    "judgments": tuple(JUDGMENTS),
    "run": tuple(RUNS),
    "probabilities": tuple(PROBABILITIES),
    "topics": ("xml",),
}

EXPECTED: dict[tables.Kind, str] = {
    "judgments": "judgments: topic intent doc grade, or another format of judgments",
    "run": "a run: topic Q0 doc rank score tag, or another format of runs",
    "probabilities": "intent probabilities: topic intent prob",
    "topics": "topics: TREC topics in XML",
}
