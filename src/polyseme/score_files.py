"""Scores from files and frames, ours or anybody's."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import PurePath
from typing import Any, Literal

import numpy as np

from polyseme import __version__
from polyseme.collection.formats import scores as score_format
from polyseme.collection.formats.catalogue import TABLES, Table
from polyseme.collection.formats.opening import Source, source_of
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.scores import Headless, ScoreColumns, ScoreGatherer
from polyseme.collection.formats.sniffing import sniff
from polyseme.collection.formats.text import blocks, columns_of
from polyseme.collection.judgments import natural
from polyseme.errors import InputError, PolysemeError, PolysemeWarning
from polyseme.scores import Scores

#: what programs call the mean over topics in place of a topic
MEAN_TOPIC = "all"
_DELIMITERS = (",", "\t", ";")


def read_scores(
    *sources: Any,
    layout: Literal["long", "wide", "matrix"] | None = None,
    columns: Mapping[str, str] | None = None,
    where: Mapping[str, str] | None = None,
    keep_topic_all: bool = False,
    measures: Collection[str] | None = None,
) -> Scores:
    """Scores of runs on topics by measures, from CSV, JSON lines, Parquet or frames.

    Layouts are ``long`` (columns run, topic, measure, value), ``wide`` (run, topic, and a column
    for each measure) and ``matrix`` (a row for each topic, a column for each run; the measure is
    named after the file). ``columns`` gives other names of the columns, such as
    ``{"run": "system"}``; ``where`` keeps the records that hold a value, such as
    ``{"iteration": "10"}``. The topic ``all``, a mean, is left out unless ``keep_topic_all``.
    """
    if not sources:
        raise PolysemeError("no scores were given\n  to mend it: name at least one file")
    how = ScoreColumns(layout, dict(columns or {}), dict(where or {}))
    unknown = sorted(set(how.names) - set(score_format.ROLES))
    if unknown:
        raise PolysemeError(
            f"there is no column to be named {unknown[0]!r}: name {', '.join(score_format.ROLES)}"
        )
    into = ScoreGatherer()
    for source in sources:
        _read(source, how, into)
    remedy = "remove one of the records" + (
        "" if how.where else ", or choose some of them with --where COLUMN=VALUE"
    )
    values = into.finish(remedy)
    made = _scores(into, values, keep_topic_all)
    if made.runs and not made.topics:
        raise InputError(
            "there are means over topics only",
            path=_name(sources[0]),
            expected="a score for each topic",
            remedy="write the scores of each topic (polyseme evaluate --per-topic), "
            "or say --keep-topic-all",
        )
    if not made.topics:
        raise InputError(
            "no score was found" + (" that --where leaves" if how.where else ""),
            path=_name(sources[0]),
            expected=score_format.LONG,
            remedy="check the file" + (" and what --where says" if how.where else ""),
        )
    return made if measures is None else made.select(measures=measures)


def _read(source: Any, how: ScoreColumns, into: ScoreGatherer) -> None:
    report = Report(_name(source))
    if isinstance(source, str | bytes | os.PathLike | Source):
        file = source_of(source)
        report = Report(file.name)
        table = _table(file, how, report)
    else:
        from polyseme.collection.formats.frames import FrameTable

        table = FrameTable(source, "scores")
    ignored = score_format.read(table, how, report, into, _stem(report.path))
    if ignored:
        import warnings

        warnings.warn(
            f"{report.path}: columns that are not read: {', '.join(ignored)}",
            PolysemeWarning,
            stacklevel=3,
        )


def _table(file: Source, how: ScoreColumns, report: Report) -> Table:
    guess = sniff(file, report)
    if guess.format in ("jsonl", "parquet"):
        return TABLES[guess.format](file, report)
    first = _first_line(file, report)
    if any(mark in first for mark in _DELIMITERS):
        from polyseme.collection.formats.csv_files import CsvTable

        return CsvTable(file, report, delimiter=max(_DELIMITERS, key=first.count))
    if how.layout == "matrix":
        return Headless(lambda: _fields(file, report), report)
    raise InputError(
        "this does not look like scores",
        path=report.path,
        line=guess.line,
        text=first,
        expected=score_format.LONG,
        remedy="give CSV, JSON lines or Parquet, or say --matrix for numbers between blanks",
    )


def _first_line(file: Source, report: Report) -> str:
    return next((text for _, text, _ in _fields(file, report)), "")


def _fields(file: Source, report: Report) -> Any:
    for block in blocks(file, report, free_text=True):
        for number, line in enumerate(block.lines, block.first):
            if line.strip() and not line.lstrip(" \t").startswith("#"):
                yield number, line, columns_of(line)


def _scores(into: ScoreGatherer, values: Any, keep_topic_all: bool) -> Scores:
    named = list(into.topics)
    topics = [
        topic for topic in sorted(named, key=natural) if keep_topic_all or not _is_mean(topic)
    ]
    values = values[:, [into.topics[topic] for topic in topics]]
    held = ~np.isnan(values)
    entered = held.any(axis=2)
    return Scores(
        runs=tuple(into.runs),
        topics=tuple(topics),
        measures=tuple(into.measures),
        values=values,
        entered=entered,
        retrieved=entered.copy(),
        signed=frozenset(
            name
            for place, name in enumerate(into.measures)
            if (values[:, :, place][held[:, :, place]] < 0).any()
        ),
        provenance={"polyseme": __version__, "numpy": np.__version__},
    )


def _is_mean(topic: str) -> bool:
    return topic == MEAN_TOPIC or topic.startswith(f"{MEAN_TOPIC}:")


def _name(source: Any) -> str:
    if isinstance(source, Source):
        return source.name
    return os.fsdecode(source) if isinstance(source, str | bytes | os.PathLike) else "scores"


def _stem(path: str) -> str:
    """A file's name without folders and endings."""
    bare = PurePath(path)
    while bare.suffix in (".gz", ".zst", ".csv", ".tsv", ".txt", ".parquet", ".jsonl", ".matrix"):
        bare = bare.with_suffix("")
    return bare.name or path
