"""Every problem of a file, where ordinary reading stops at the first."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from polyseme.collection.formats import catalogue, tables
from polyseme.collection.formats.gathering import (
    JudgmentGatherer,
    ListGatherer,
    ProbabilityGatherer,
)
from polyseme.collection.formats.opening import Source, source_of
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.sniffing import sniff
from polyseme.collection.formats.tables import Kind
from polyseme.collection.judgments import JUDGED_ONLY, Judged
from polyseme.collection.reading import format_of, refuse_nothing, run_name
from polyseme.collection.runs import Ordering, Retrieved, in_order
from polyseme.errors import InputError, PolysemeWarning
from polyseme.groups import Bools


@dataclass
class Names:
    """What a file names that others name too."""

    #: of judgments: the intents of each topic; relevant ones are those with a relevant document
    intents: Mapping[str, frozenset[str]] = field(default_factory=dict)
    relevant_intents: Mapping[str, frozenset[str]] = field(default_factory=dict)
    #: of probabilities: the intents of each topic
    weighed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    #: of runs: the topics of each
    topics_of_run: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: of a file of topics
    topics: tuple[str, ...] = ()


@dataclass(frozen=True)
class Validated:
    """What a file holds and what is wrong with it."""

    path: str
    kind: Kind | None
    format: str | None
    #: at most as many as were asked for, in the order of the file where it has one
    problems: list[InputError]
    #: all that were found
    problem_count: int
    #: what is no error but worth knowing
    remarks: list[str]
    #: how much of what could be read: topics, intents, documents and so on
    counts: dict[str, int]
    #: how many judgments have each grade
    grades: Mapping[int, int] = field(default_factory=dict)
    #: the names that other files must know
    names: Names = field(default_factory=Names)

    @property
    def sound(self) -> bool:
        """Nothing is wrong."""
        return self.problem_count == 0


@dataclass
class _Notes:
    limit: int
    problems: list[InputError] = field(default_factory=list)
    count: int = 0
    remarks: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    grades: dict[int, int] = field(default_factory=dict)
    names: Names = field(default_factory=Names)

    def tell(self, error: InputError) -> None:
        self.count += 1
        if len(self.problems) < self.limit:
            self.problems.append(error)


def validate(
    path: str | os.PathLike[str],
    *,
    limit: int = 100,
    kind: Kind | None = None,
    format: str | None = None,  # noqa: A002 - the command's option of that name
) -> Validated:
    """Read a file to its end and tell everything that is wrong with it.

    ``kind`` says what the file should be (``judgments``, ``run``, ``probabilities``, ``topics``);
    without it the content decides. Warnings of reading become remarks.
    """
    notes = _Notes(limit)
    found_kind, chosen = kind, format
    name = os.fspath(path)
    try:
        file = source_of(path)
        name = file.name
        report = Report(name, notes.tell)
        found_kind, chosen = identify(file, report, kind, format)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", PolysemeWarning)
            _CHECKS[found_kind](file, report, chosen, notes)
        notes.remarks[:0] = [
            str(one.message) for one in caught if issubclass(one.category, PolysemeWarning)
        ]
        if not notes.count and not notes.counts["topics"]:
            refuse_nothing(report, found_kind)
    except InputError as error:
        notes.tell(error)
    # What is wrong with the text of a block is found before what is wrong with its records.
    problems = sorted(notes.problems, key=lambda error: error.line or sys.maxsize)
    return Validated(
        name,
        found_kind,
        chosen,
        problems,
        notes.count,
        notes.remarks,
        notes.counts,
        notes.grades,
        notes.names,
    )


def identify(
    file: Source, report: Report, kind: Kind | None, forced: str | None
) -> tuple[Kind, str]:
    """What the file holds, where nobody said so, and in which format."""
    if kind is None:
        guess = sniff(file, report)
        kind = guess.kind or _kind_of_table(file, report, guess.format)
        if kind is None and guess.format == "trec-dd":
            # Whole numbers throughout: either a run or judgments; see sniffing.
            kind = "judgments"
        if kind not in _CHECKS:
            report.fatal(
                f"this looks like {guess.called}" if guess.kind else "the content is not known",
                line=guess.line,
                text=guess.text,
                expected="judgments, a run, intent probabilities or topics",
                remedy="mend the line, or name what the file is and its format",
            )
    return kind, format_of(file, report, kind, forced)


def _kind_of_table(file: Source, report: Report, form: str | None) -> Kind | None:
    if form not in catalogue.TABLES:
        return None
    return tables.kind_of_columns(catalogue.TABLES[form](file, report).columns)


def _check_judgments(file: Source, report: Report, chosen: str, notes: _Notes) -> None:
    into = JudgmentGatherer(report)
    catalogue.JUDGMENTS[chosen](file, report, into)
    judged = into.finish()
    _name_intents(judged, notes.names)
    notes.counts.update(
        topics=len(judged.topics),
        intents=sum(map(len, notes.names.intents.values())),
        documents=len(judged.documents),
        judgments=len(judged.line_grade),
        relevant=int((judged.line_grade > 0).sum()),
    )
    grades, lines = np.unique(judged.line_grade, return_counts=True)
    notes.grades = dict(zip(grades.tolist(), lines.tolist(), strict=True))
    if judged.only_relevant:
        notes.remarks.append(
            "no judgment says that a document is not relevant: "
            "condensing then leaves only relevant documents"
        )


def _name_intents(judged: Judged, names: Names) -> None:
    weighed = ~np.isnan(judged.given_probability)
    relevant = np.zeros(len(judged.intents), dtype=np.bool_)
    relevant[judged.line_intent[judged.line_grade > 0]] = True
    starts = judged.intent_start.tolist()
    spans = {
        topic: range(starts[index], starts[index + 1]) for index, topic in enumerate(judged.topics)
    }

    def those(chosen: Bools) -> dict[str, frozenset[str]]:
        return {
            topic: frozenset(judged.intents[place] for place in span if chosen[place])
            for topic, span in spans.items()
        }

    named = np.array([name != JUDGED_ONLY for name in judged.intents], dtype=np.bool_)
    names.intents = those(named | relevant)
    names.relevant_intents = those(relevant)
    names.weighed = {topic: held for topic, held in those(weighed).items() if held}


def _check_run(file: Source, report: Report, chosen: str, notes: _Notes) -> None:
    into = ListGatherer(report)
    catalogue.RUNS[chosen](file, report, into)
    runs = into.runs.values()
    notes.names.topics_of_run = {
        name or run_name(report.path): tuple(topics) for name, topics in into.runs.items()
    }
    notes.counts.update(
        runs=len(runs),
        topics=len({topic for topics in runs for topic in topics}),
        documents=sum(len(held.documents) for topics in runs for held in topics.values()),
    )
    disagreeing = repeated = 0
    for topics in runs:
        for topic, held in topics.items():
            retrieved = held.retrieved(topic)
            if retrieved.iterations is None:
                _check_repeated(retrieved, report)
            else:
                repeated += len(retrieved.documents) - len(set(retrieved.documents))
            disagreeing += _scores_disagree(retrieved)
    if repeated:
        notes.remarks.append(
            f"{repeated} documents come again in later iterations, where they count as non-relevant"
        )
    if disagreeing:
        notes.remarks.append(
            f"in {disagreeing} topics a document of a worse rank has a strictly higher score: "
            "--order rank and --order score differ there"
        )


def _check_repeated(retrieved: Retrieved, report: Report) -> None:
    """Tell every repetition of a document, as reading does of the first."""
    if len(set(retrieved.documents)) == len(retrieved.documents):
        return
    first: dict[str, int] = {}
    for place, document in enumerate(retrieved.documents):
        if document not in first:
            first[document] = place
            continue
        lines = retrieved.lines
        report.problem(
            f"document {document} is retrieved twice for topic {retrieved.topic}"
            + (f", on lines {lines[first[document]]} and {lines[place]}" if lines else ""),
            line=lines[place] if lines else None,
            expected="a document at most once in a topic's list",
            remedy="remove one of the two, or say --duplicates first to keep the better-placed",
        )


def _scores_disagree(retrieved: Retrieved) -> bool:
    if retrieved.scores is None or retrieved.ranks is None:
        return False
    return in_order(retrieved, Ordering("rank", "first")).scores_disagree


def _check_probabilities(file: Source, report: Report, chosen: str, notes: _Notes) -> None:
    into = ProbabilityGatherer(report)
    catalogue.PROBABILITIES[chosen](file, report, into)
    given = into.finish()
    notes.names.weighed = {
        topic: frozenset(intents) for topic, intents in given.probability.items()
    }
    notes.counts.update(
        topics=len(given.probability),
        intents=sum(len(intents) for intents in given.probability.values()),
        types=sum(len(intents) for intents in given.types.values()),
    )


def _check_topics(file: Source, report: Report, chosen: str, notes: _Notes) -> None:
    from polyseme.collection.formats import trec_topics

    del chosen
    topics = trec_topics.read(file, report)
    notes.names.topics = tuple(topics)
    notes.counts.update(
        topics=len(topics), subtopics=sum(len(topic.subtopics) for topic in topics.values())
    )


_CHECKS: dict[Kind, Callable[[Source, Report, str, _Notes], None]] = {
    "judgments": _check_judgments,
    "run": _check_run,
    "probabilities": _check_probabilities,
    "topics": _check_topics,
}
