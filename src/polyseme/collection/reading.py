"""The front doors: judgments, probabilities, topics and runs, from wherever they come."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NoReturn, cast, get_args

from polyseme.collection.formats import (
    catalogue,
    irds,
    mappings,
    nuggets,
    objects,
    scanning,
    tables,
    trec_judgments,
    trec_runs,
)
from polyseme.collection.formats.gathering import (
    JudgmentGatherer,
    ListGatherer,
    Probabilities,
    ProbabilityGatherer,
)
from polyseme.collection.formats.mappings import By
from polyseme.collection.formats.opening import (
    STANDARD_INPUT_NAME,
    Source,
    name_and_suffix,
    source_of,
    split_suffix,
)
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.sniffing import Guess, sniff
from polyseme.collection.formats.tables import Kind
from polyseme.collection.formats.text import blocks
from polyseme.collection.judgments import Judged
from polyseme.collection.runs import FileLists, Joined, Ordering, Retrieved, Run, Runs
from polyseme.collection.topics import Topic, intent_types
from polyseme.errors import InputError, did_you_mean

Path = str | os.PathLike[str] | Source
Names = Literal["file", "tag"]
NAMES: tuple[str, ...] = get_args(Names)
BY: tuple[str, ...] = get_args(By)
_PATHS = (str, bytes, os.PathLike, Source)
_RUN_SUFFIXES = {
    *(".run", ".txt", ".res", ".result", ".results", ".trec", ".out", ".dat"),
    *(".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet"),
}


def read_qrels(
    source: object,
    *,
    format: str | None = None,  # noqa: A002 - the command's option of that name
    probabilities: object = None,
    topics_xml: Path | None = None,
    adhoc: object = None,
    by: By = "intent",
) -> Judged:
    """Judgments, with what else is known of their intents.

    ``source`` and ``adhoc`` are paths (``-`` is standard input), identifiers of ir_datasets
    (``irds:...``), dictionaries ``{topic: {intent: {doc: grade}}}`` (with ``by="document"``
    ``{topic: {doc: {intent: grade}}}``), lists of queries with their nuggets, data frames,
    iterables of named tuples as ir_measures and ir_datasets have them, or judgments already read.
    ``probabilities`` is a path, a frame, or ``{topic: {intent: probability}}``; ``topics_xml`` the
    path of TREC topics, whose subtopics have types.
    """
    judged = _judgments(source, format, by)
    if topics_xml is not None:
        judged = judged.with_intents(
            types=intent_types(read_topics(topics_xml)), source=_called(topics_xml, "the topics")
        )
    if probabilities is not None:
        given = read_probabilities(probabilities)
        judged = judged.with_intents(
            given.probability, given.types, source=_called(probabilities, "the probabilities")
        )
    if adhoc is not None:
        judged = judged.with_adhoc(
            _judgments(adhoc, None, by), source=_called(adhoc, "the ad hoc judgments")
        )
    return judged


def _judgments(source: object, form: str | None, by: By) -> Judged:
    if isinstance(source, Judged):
        return source
    if by not in BY:
        raise InputError(f"by={by!r}", expected="by='intent' or by='document'")
    report = Report(_called(source, "judgments"))
    if isinstance(source, Mapping):
        into = JudgmentGatherer(report)
        mappings.read_judgments(source, report, into, by)
    elif isinstance(source, str) and source.startswith(irds.PREFIX):
        table: catalogue.Table = irds.judgments(source)
        into = JudgmentGatherer(report)
        tables.read_judgments(table.columns, table.records, report, into)
    elif isinstance(source, _PATHS):
        file = source_of(cast("Path", source))
        report = Report(file.name)
        into = JudgmentGatherer(report)
        read = catalogue.JUDGMENTS[format_of(file, report, "judgments", form)]
        scanned = scanning.judgments(file) if read is trec_judgments.read else None
        if scanned is not None:
            return scanned
        read(file, report, into)
    elif nuggets.are_nuggets(source):
        into = JudgmentGatherer(report)
        nuggets.read_objects(cast("list[Mapping[str, object]]", source), report, into)
    else:
        table = _table(source, "judgments")
        into = JudgmentGatherer(report)
        tables.read_judgments(table.columns, table.records, report, into)
    judged = into.finish()
    if not judged.topics:
        refuse_nothing(report, "judgments")
    return judged


def read_probabilities(
    source: object,
    *,
    format: str | None = None,  # noqa: A002
) -> Probabilities:
    """Intent probabilities, and types where they are given: from a file, a dictionary, a frame."""
    if isinstance(source, Probabilities):
        return source
    report = Report(_called(source, "the probabilities"))
    if isinstance(source, Mapping):
        into = ProbabilityGatherer(report)
        mappings.read_probabilities(source, report, into)
    elif isinstance(source, _PATHS):
        file = source_of(cast("Path", source))
        report = Report(file.name)
        into = ProbabilityGatherer(report)
        chosen = format_of(file, report, "probabilities", format)
        catalogue.PROBABILITIES[chosen](file, report, into)
    else:
        table = _table(source, "probabilities")
        into = ProbabilityGatherer(report)
        tables.read_probabilities(table.columns, table.records, report, into)
    return into.finish()


def read_topics(path: Path) -> dict[str, Topic]:
    """Topics with their subtopics from TREC's XML, by number."""
    from polyseme.collection.formats import trec_topics

    file = source_of(path)
    report = Report(file.name)
    format_of(file, report, "topics", None)
    return trec_topics.read(file, report)


def read_runs(
    *sources: object,
    format: str | None = None,  # noqa: A002
    names: Names = "file",
) -> Runs:
    """Runs, to be read when they are used.

    A source is a path (``-`` is standard input), a dictionary ``{run: {topic: [doc, ...]}}`` or
    ``{run: {topic: {doc: score}}}`` (in place of a run's topics a frame or a path will do), a data
    frame, runs already read, or a list of such. A run is named after its file, or with
    ``names="tag"`` by the tag inside it.
    """
    if names not in NAMES:
        raise InputError(f"names={names!r}", expected="names='file' or names='tag'")
    members = [run for source in sources for run in _runs(source, format, names)]
    if not members:
        raise InputError("no run was given", expected="at least one run", remedy="name a run")
    return Runs(tuple(members))


def _runs(source: object, form: str | None, names: Names) -> Iterable[Run]:
    if isinstance(source, Run):
        return [source]
    if isinstance(source, Runs):
        return source.members
    if (table := objects.table_of_objects(source, "runs")) is not None:
        return _runs_of_table(table, "run")
    if isinstance(source, list | tuple):
        return [run for one in source for run in _runs(one, form, names)]
    if isinstance(source, Mapping):
        return [run for name, lists in source.items() for run in _run_of_mapping(name, lists, form)]
    if not isinstance(source, _PATHS):
        return _runs_of_table(_table(source, "runs"), "run")
    return _runs_of_file(source_of(cast("Path", source)), form, names)


def _runs_of_file(file: Source, form: str | None, names: Names) -> Iterable[Run]:
    report = Report(file.name)
    chosen = format_of(file, report, "run", form)
    if chosen in catalogue.TABLES:
        columns = catalogue.TABLES[chosen](file, report).columns
        if "run" in columns:
            return _held(_gathered(file, chosen, None), file.name, _file_run_name(file), report)
    tag = first_tag(file, report, chosen) if names == "tag" else None
    return [Run(tag or _file_run_name(file), _Lists(file, chosen, tag), file.name)]


def _run_of_mapping(key: object, lists: object, form: str | None) -> Iterable[Run]:
    report = Report("runs")
    name = mappings.run_name_of(key, report)
    if isinstance(lists, _PATHS):
        found = list(_runs_of_file(source_of(cast("Path", lists)), form, "file"))
        if len(found) == 1:
            return [replace(found[0], name=name)]
        report.fatal(
            f"the file {_called(lists, '')} holds {len(found)} runs, which cannot all be {name!r}",
            expected="a file of one run",
            remedy="give the file without a name of its own",
        )
    if isinstance(lists, Mapping) or not _is_table(lists):
        return [_kept(name, mappings.lists_of_run(name, lists, report), None)]
    return _runs_of_table(_table(lists, "runs"), name)


def _is_table(lists: object) -> bool:
    if isinstance(lists, list) and lists and isinstance(lists[0], str):
        return False  # documents, where a topic is missing
    return hasattr(type(lists), "columns") or isinstance(lists, list | Iterator)


def _runs_of_table(table: catalogue.Table, name: str) -> Iterable[Run]:
    report = Report(name)
    into = ListGatherer(report)
    tables.read_runs(table.columns, table.records, report, into)
    return _held(into, None, name, report)


def _held(into: ListGatherer, path: str | None, otherwise: str, report: Report) -> Iterable[Run]:
    """Runs that were read together stay in memory."""
    if not into.runs:
        refuse_nothing(report, "run")
    return [
        _kept(
            name or otherwise, [growing.retrieved(topic) for topic, growing in topics.items()], path
        )
        for name, topics in into.runs.items()
    ]


def _kept(name: str, lists: list[Retrieved], path: str | None) -> Run:
    return Run(name, lambda: lists, path)


def _gathered(file: Source, chosen: str, tag: str | None) -> ListGatherer:
    report = Report(file.name)
    into = ListGatherer(report)
    into.tag = tag
    catalogue.RUNS[chosen](file, report, into)
    return into


@dataclass(frozen=True)
class _Lists(FileLists):
    """The lists of a run's file, in a format that is known by name."""

    file: Source
    chosen: str
    tag: str | None

    def __call__(self) -> Iterator[Retrieved]:
        topics = _gathered(self.file, self.chosen, self.tag).runs.get(None, {})
        if not topics:
            refuse_nothing(Report(self.file.name), "run")
        # Each list is let go of once it has been handed over.
        for topic in list(topics):
            yield topics.pop(topic).retrieved(topic)

    def join(self, judged: Judged, how: Ordering) -> Joined | None:
        return scanning.join(self.file, judged, how, self.tag) if self.scanned else None

    def prefix(self, depth: int | None, how: Ordering) -> dict[str, list[str]] | None:
        return scanning.prefix(self.file, depth, how, self.tag) if self.scanned else None

    @property
    def scanned(self) -> bool:
        return scanning.COMPILED and catalogue.RUNS[self.chosen] is trec_runs.read


def _file_run_name(file: Source) -> str:
    return "stdin" if file.name == STANDARD_INPUT_NAME else run_name(file.name)


def run_name(path: str) -> str:
    """The file's name without its folder and suffixes: ``runs/x.run.gz`` is ``x``.

    A dot may also stand inside a name: ``my.bm25`` and ``my.bm25.run`` are both ``my.bm25``. Of
    suffixes that say nothing of runs one is taken off, if it is all letters.
    """
    bare, suffix = name_and_suffix(path)
    if suffix.lower() not in _RUN_SUFFIXES:
        return bare if suffix[1:].isalpha() else bare + suffix
    while split_suffix(bare)[1].lower() in _RUN_SUFFIXES:
        bare = split_suffix(bare)[0]
    return bare


def first_tag(file: Source, report: Report, chosen: str) -> str:
    """The tag of a run's first line."""
    lines = (
        block.split(text) for block in blocks(file, report, size=1 << 16) for text in block.lines
    )
    tag = None
    if catalogue.RUNS[chosen] is trec_runs.read:
        tag = next((fields[5] for fields in lines if len(fields) == 6), None)
    return tag or report.fatal(
        "no line holds a tag",
        expected=trec_runs.COLUMNS,
        remedy="name runs after their files (--run-names file)",
    )


def format_of(file: Source, report: Report, wanted: Kind, forced: str | None) -> str:
    """The name of the file's format; an error where the file is of another kind."""
    known = catalogue.OF_KIND[wanted]
    if forced is None:
        guess = sniff(file, report)
        if guess.format not in known or guess.kind not in (wanted, None):
            raise _refusal(report, guess, wanted)
        return guess.format
    if forced not in known:
        raise InputError(
            f"the format {forced!r} is not known for {wanted}",
            expected=", ".join(known),
            remedy=did_you_mean(forced, known) or "name one of these, or none",
        )
    return forced


def _refusal(report: Report, guess: Guess, wanted: Kind) -> InputError:
    expected = catalogue.EXPECTED[wanted]
    if guess.kind is None:
        problem = f"this does not look like {expected.partition(':')[0]}"
        remedy = "mend the line, or name the format (--input-format)"
    else:
        problem = f"this looks like {guess.called}"
        place = (
            "judgments come first, then the runs"
            if {wanted, guess.kind} == {"judgments", "run"}
            else f"give the file of {wanted if wanted != 'run' else 'a run'}"
        )
        remedy = (
            f"{place}; if the file is what it should be all the same, "
            "name its format (--input-format)"
        )
    return InputError(
        problem,
        path=report.path,
        line=guess.line,
        text=guess.text,
        expected=expected,
        remedy=remedy,
    )


def refuse_nothing(report: Report, kind: Kind) -> NoReturn:
    """A file with a header and nothing below it, or a dictionary with nothing inside."""
    report.fatal(
        "there is not one record",
        expected=catalogue.EXPECTED[kind],
        remedy="check what should have written it",
    )


def _table(source: object, what: str) -> catalogue.Table:
    """Named tuples or a frame."""
    table = objects.table_of_objects(source, what)
    if table is not None:
        return table
    from polyseme.collection.formats.frames import FrameTable

    return FrameTable(source, what)


def _called(source: object, otherwise: str) -> str:
    if isinstance(source, Source):
        return source.name
    return os.fsdecode(source) if isinstance(source, str | bytes | os.PathLike) else otherwise
