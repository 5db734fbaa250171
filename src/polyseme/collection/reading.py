"""The front doors: judgments, probabilities, topics and runs, from wherever they come."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import PurePath
from typing import Literal, NoReturn, cast, get_args

from polyseme.collection.formats import catalogue, mappings, trec_runs
from polyseme.collection.formats.gathering import (
    JudgmentGatherer,
    ListGatherer,
    Probabilities,
    ProbabilityGatherer,
)
from polyseme.collection.formats.mappings import By
from polyseme.collection.formats.opening import Source, source_of
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.sniffing import Guess, Kind, sniff
from polyseme.collection.formats.text import blocks
from polyseme.collection.judgments import Judged
from polyseme.collection.runs import Retrieved, Run, Runs
from polyseme.errors import InputError, did_you_mean

Names = Literal["file", "tag"]
NAMES: tuple[str, ...] = get_args(Names)
_PATHS = (str, os.PathLike)
_RUN_SUFFIXES = {
    *(".run", ".txt", ".res", ".result", ".results", ".trec", ".out", ".dat"),
    *(".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet"),
}


def read_qrels(
    source: object,
    *,
    format: str | None = None,  # noqa: A002 - the command's option of that name
    probabilities: object = None,
    topics_xml: str | os.PathLike[str] | None = None,
    adhoc: object = None,
    by: By = "intent",
) -> Judged:
    """Judgments from a file, a dictionary, a frame, or an ``irds:`` identifier."""
    judged = _judgments(source, format, by)
    if probabilities is not None:
        given = read_probabilities(probabilities)
        judged = judged.with_intents(
            given.probability, given.types, source=_called(probabilities, "the probabilities")
        )
    if adhoc is not None:
        judged = judged.with_adhoc(
            _judgments(adhoc, format=None, by=by), source=_called(adhoc, "the ad hoc judgments")
        )
    return judged


def _judgments(source: object, format: str | None, by: By) -> Judged:  # noqa: A002
    if isinstance(source, Judged):
        return source
    if by not in get_args(By):
        raise InputError(f"by={by!r}", expected="by='intent' or by='document'")
    report = Report("judgments")
    if isinstance(source, Mapping):
        into = JudgmentGatherer(report)
        mappings.read_judgments(source, report, into, by)
    else:
        file = source_of(cast("str", source))
        report = Report(file.name)
        into = JudgmentGatherer(report)
        catalogue.JUDGMENTS[format_of(file, report, "judgments", format)](file, report, into)
    judged = into.finish()
    if not judged.topics:
        report.fatal(
            "there is not one judgment",
            expected=catalogue.EXPECTED["judgments"],
            remedy="give the judgments of a collection",
        )
    return judged


def read_probabilities(source: object, *, format: str | None = None) -> Probabilities:  # noqa: A002
    """Intent probabilities, and types where they are given, from a file or a dictionary."""
    if isinstance(source, Probabilities):
        return source
    if isinstance(source, Mapping):
        report = Report("the probabilities")
        into = ProbabilityGatherer(report)
        mappings.read_probabilities(source, report, into)
        return into.finish()
    file = source_of(cast("str", source))
    report = Report(file.name)
    into = ProbabilityGatherer(report)
    catalogue.PROBABILITIES[format_of(file, report, "probabilities", format)](file, report, into)
    return into.finish()


def read_runs(
    *sources: object,
    format: str | None = None,  # noqa: A002
    names: Names = "file",
) -> Runs:
    """Runs from files, dictionaries and frames. Files are read when the runs are used."""
    if names not in NAMES:
        raise InputError(f"names={names!r}", expected="names='file' or names='tag'")
    members: list[Run] = []
    for source in sources:
        members.extend(_runs(source, format, names))
    if not members:
        raise InputError(
            "no run was given", expected="at least one run", remedy="name a run's file"
        )
    return Runs(tuple(members))


def _runs(source: object, format: str | None, names: Names) -> Iterable[Run]:  # noqa: A002
    if isinstance(source, Run):
        return [source]
    if isinstance(source, Runs):
        return source.members
    if isinstance(source, Mapping):
        report = Report("runs")
        return [
            _held(str(name), mappings.lists_of_run(str(name), lists, report), None)
            for name, lists in source.items()
        ]
    file = source_of(cast("str", source))
    report = Report(file.name)
    chosen = format_of(file, report, "run", format)
    name = _first_tag(file, report) if names == "tag" else run_name(file.name)
    return [Run(name, partial(_topics, file, chosen), file.name)]


def _held(name: str, lists: list[Retrieved], path: str | None) -> Run:
    return Run(name, lambda: lists, path)


def _topics(file: Source, chosen: str) -> Iterator[Retrieved]:
    report = Report(file.name)
    into = ListGatherer(report)
    catalogue.RUNS[chosen](file, report, into)
    topics = into.runs.get(None, {})
    # Each topic is let go of once it has been handed over.
    for topic in list(topics):
        yield topics.pop(topic).retrieved(topic)


def run_name(path: str) -> str:
    """The file's name without its folder and suffixes: ``runs/x.run.gz`` is ``x``.

    A dot may also stand inside a name: ``my.bm25`` and ``my.bm25.run`` are both ``my.bm25``. Of
    suffixes that say nothing of runs one is taken off, if it is all letters.
    """
    whole = PurePath(path)
    while whole.suffix.lower() in (".gz", ".zst"):
        whole = whole.with_suffix("")
    bare = whole
    while bare.suffix.lower() in _RUN_SUFFIXES:
        bare = bare.with_suffix("")
    if bare == whole and bare.suffix[1:].isalpha():
        bare = bare.with_suffix("")
    return bare.name


def _first_tag(file: Source, report: Report) -> str:
    lines = (
        block.split(text) for block in blocks(file, report, size=1 << 16) for text in block.lines
    )
    tag = next((fields[5] for fields in lines if len(fields) == 6), None)
    return tag or report.fatal(
        "no line holds a tag",
        expected=trec_runs.COLUMNS,
        remedy="name runs after their files (--run-names file)",
    )


def format_of(file: Source, report: Report, wanted: Kind, forced: str | None) -> str:
    """The name of the file's format; an error where the file is of another kind."""
    known: Mapping[str, object] = getattr(
        catalogue, {"judgments": "JUDGMENTS", "run": "RUNS"}.get(wanted, "PROBABILITIES")
    )
    if forced is not None:
        if forced not in known:
            raise InputError(
                f"the format {forced!r} is not known for {wanted}",
                expected=", ".join(known),
                remedy=did_you_mean(forced, known) or "name one of these, or none",
            )
        return forced
    guess = sniff(file, report)
    if guess.format in known and guess.kind in (wanted, None):
        return cast("str", guess.format)
    _refuse(report, guess, wanted)


def _refuse(report: Report, guess: Guess, wanted: Kind) -> NoReturn:
    if guess.kind is None:
        report.fatal(
            f"this does not look like {catalogue.EXPECTED[wanted].partition(':')[0]}",
            line=guess.line,
            text=guess.text,
            expected=catalogue.EXPECTED[wanted].partition(": ")[2],
            remedy="mend the line, or name the format (--input-format)",
        )
    report.fatal(
        f"this looks like {guess.called}",
        line=guess.line,
        text=guess.text,
        expected=catalogue.EXPECTED[wanted],
        remedy="judgments come first, then the runs; if it is what is expected all the same, "
        "name the format (--input-format)",
    )


def _called(source: object, otherwise: str) -> str:
    return str(source) if isinstance(source, _PATHS) else otherwise
