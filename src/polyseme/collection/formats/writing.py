"""Writing judgments, probabilities and runs; what the target cannot hold is said, not dropped."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import TextIO

from polyseme.atomic import STANDARD_OUTPUT, write_atomically
from polyseme.collection.formats import (
    csv_files,
    jsonl,
    ntcir_judgments,
    nuggets,
    parquet,
    probabilities,
    tables,
    trec_dd_runs,
    trec_dd_truth,
    trec_judgments,
    trec_runs,
)
from polyseme.collection.formats.gathering import Probabilities
from polyseme.collection.judgments import Judged
from polyseme.collection.runs import Retrieved, Run
from polyseme.errors import InputError, did_you_mean

Path = str | os.PathLike[str]
_TABLES = {"csv": csv_files.write, "jsonl": jsonl.write}
_COMPRESSED = (".gz", ".zst")
_BY_SUFFIX = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}

_JUDGMENTS: dict[str, Callable[[Judged, TextIO], None]] = {
    "trec": trec_judgments.write,
    "ntcir": ntcir_judgments.write,
    "trec-dd": trec_dd_truth.write,
    nuggets.NUGGETS: nuggets.write,
}
_JUDGMENTS_LOST: dict[str, Callable[[Judged], list[str]]] = {
    "ntcir": ntcir_judgments.lost,
    "trec-dd": trec_dd_truth.lost,
    nuggets.NUGGETS: nuggets.lost,
}
_PROBABILITIES: dict[str, Callable[[Judged | Probabilities, TextIO], None]] = {
    "trec": probabilities.write,
    "ntcir": probabilities.write_typed,
}
_RUNS: dict[str, Callable[[str, Iterable[Retrieved], TextIO], None]] = {
    "trec": trec_runs.write,
    "ntcir": trec_runs.write,
    "trec-dd": trec_dd_runs.write,
}
_RUN_COLUMNS = {
    "trec": ("rank", "score"),
    "ntcir": ("rank", "score"),
    "trec-dd": ("iteration", "score"),
}
_TABLE_FORMATS = (*_TABLES, "parquet")
JUDGMENT_FORMATS: tuple[str, ...] = (*_JUDGMENTS, *_TABLE_FORMATS)
PROBABILITY_FORMATS: tuple[str, ...] = (*_PROBABILITIES, *_TABLE_FORMATS)
RUN_FORMATS: tuple[str, ...] = (*_RUNS, *_TABLE_FORMATS)


def write_judgments(
    judged: Judged,
    path: Path,
    *,
    format: str | None = None,  # noqa: A002 - the command's option of that name
) -> list[str]:
    """Write judgments; returned are sentences on what the format cannot hold of them."""
    chosen = _chosen(path, format, JUDGMENT_FORMATS)
    if chosen in _JUDGMENTS:
        with write_atomically(path) as stream:
            _JUDGMENTS[chosen](judged, stream)
        return [
            *(_JUDGMENTS_LOST[chosen](judged) if chosen in _JUDGMENTS_LOST else ()),
            *([] if chosen == nuggets.NUGGETS else probabilities_lost(judged)),
            *tables.adhoc_lost(judged),
        ]
    _write_table(path, chosen, tables.judgment_columns(judged), tables.judgment_records(judged))
    return tables.judgments_lost(judged)


def probabilities_lost(judged: Judged) -> list[str]:
    """What plain lines of judgments do not say of intents."""
    if not any(tables.probability_records(judged)) and not judged.navigational.any():
        return []
    return [
        "the probabilities and types of intents are left out: write them to a file of their own"
    ]


def write_probabilities(
    given: Judged | Probabilities,
    path: Path,
    *,
    format: str | None = None,  # noqa: A002
) -> list[str]:
    """Write the probabilities of intents, in ``ntcir`` and tables with their types."""
    chosen = _chosen(path, format, PROBABILITY_FORMATS)
    if chosen in _PROBABILITIES:
        with write_atomically(path) as stream:
            _PROBABILITIES[chosen](given, stream)
        typed = any(kind == "nav" for _, _, _, kind in tables.probability_records(given))
        return ["the types of intents are left out"] if typed and chosen == "trec" else []
    _write_table(path, chosen, tables.PROBABILITIES, tables.probability_records(given))
    return []


def write_runs(
    runs: Sequence[Run],
    path: Path,
    *,
    format: str | None = None,  # noqa: A002
) -> list[str]:
    """Write one run, or many where the format names them (CSV, JSON lines, Parquet)."""
    chosen = _chosen(path, format, RUN_FORMATS)
    held = [(run.name, list(run.topics())) for run in runs]
    if chosen not in _RUNS:
        columns = tables.run_columns(held)
        _write_table(path, chosen, columns, tables.run_records(held, columns))
        return tables.runs_lost(held, columns)
    if len(held) != 1:
        raise InputError(
            f"{len(held)} runs cannot stand in one {chosen} file",
            path=None if path == STANDARD_OUTPUT else os.fspath(path),
            expected="one run",
            remedy="write each to a file of its own, or choose csv, jsonl or parquet",
        )
    with write_atomically(path) as stream:
        _RUNS[chosen](*held[0], stream)
    return tables.runs_lost(held, _RUN_COLUMNS[chosen])


def _write_table(
    path: Path, chosen: str, columns: Sequence[str], records: Iterator[tuple[object, ...]]
) -> None:
    if chosen == "parquet":
        if PurePath(path).suffix in _COMPRESSED:
            raise InputError(
                "Parquet is compressed already",
                path=os.fspath(path),
                expected="a name that ends in .parquet",
                remedy=f"leave {PurePath(path).suffix} away",
            )
        with write_atomically(path, binary=True) as bytes_stream:
            parquet.write(bytes_stream, columns, records)
        return
    with write_atomically(path) as stream:
        _TABLES[chosen](stream, columns, records)


def _chosen(path: Path, forced: str | None, known: Sequence[str]) -> str:
    if forced is None:
        bare = PurePath(path)
        while bare.suffix in _COMPRESSED:
            bare = bare.with_suffix("")
        return _BY_SUFFIX.get(bare.suffix.lower(), "trec")
    if forced not in known:
        raise InputError(
            f"the format {forced!r} cannot be written",
            expected=", ".join(known),
            remedy=did_you_mean(forced, known) or "name one of these",
        )
    return forced
