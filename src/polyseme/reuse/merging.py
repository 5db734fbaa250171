"""Judgments with more judgments added, as after judging a deeper pool (Sakai et al. 2012)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from polyseme.collection.judgments import Judged, JudgmentBuilder
from polyseme.errors import InputError
from polyseme.results import Result
from polyseme.tables import Column, Report, Row, Table, labels


@dataclass(frozen=True, eq=False)
class Merged(Result):
    """Judgments before and after more were added."""

    before: Judged
    after: Judged
    #: judgments that stood in both, with equal grades
    repeated: int

    def report(self) -> Report:
        """How many judgments have each grade, before and after."""
        sooner, later = grades_of(self.before), grades_of(self.after)
        rows: list[Row] = [
            (str(grade), sooner[grade], later[grade] - sooner[grade], later[grade])
            for grade in sorted({*sooner, *later}, reverse=True)
        ]
        rows += [
            ("all", sooner.total(), later.total() - sooner.total(), later.total()),
            _counted("documents", len(self.before.documents), len(self.after.documents)),
            _counted("relevant", _relevant(self.before), _relevant(self.after)),
            _counted("topics", len(self.before.topics), len(self.after.topics)),
        ]
        columns = (*labels("grade"), *map(Column, ("before", "added", "after")))
        notes = [f"{self.repeated} judgments stood in both, with equal grades"]
        return Report(Table(columns, rows), notes=tuple(notes) if self.repeated else ())


def _counted(name: str, before: int, after: int) -> Row:
    return name, before, after - before, after


def grades_of(judged: Judged) -> Counter[int]:
    """How many judgments have each grade."""
    return Counter(judged.line_grade.tolist())


def _relevant(judged: Judged) -> int:
    return len(set(judged.row_of_line[judged.line_grade > 0].tolist()))


def merge(judged: Judged, more: Judged, *, source: str = "the added judgments") -> Merged:
    """All judgments of both; two grades for one topic, intent and document are an error.

    Probabilities and types of intents are those of the first, where it has the topic.
    """
    held = {(topic, intent, doc): grade for topic, intent, doc, grade in judged.lines()}
    builder = JudgmentBuilder()
    for (topic, intent, document), grade in held.items():
        builder.add(topic, intent, document, grade)
    repeated = 0
    for topic, intent, document, grade in more.lines():
        known = held.get((topic, intent, document))
        if known is None:
            builder.add(topic, intent, document, grade)
        elif known == grade:
            repeated += 1
        else:
            raise InputError(
                f"document {document} has two grades for intent {intent} of topic {topic}: "
                f"{known} before, and {grade}",
                path=source,
                expected="judgments of other documents, or equal grades",
                remedy="remove one of the two",
            )
    return Merged(judged, _with_intents_of(builder.finish(), judged, more), repeated)


def _with_intents_of(merged: Judged, first: Judged, second: Judged) -> Judged:
    """The probabilities and types that were given with the judgments."""
    probabilities: dict[str, dict[str, float]] = {}
    types: dict[str, dict[str, str]] = {}
    for judged in (second, first):
        for index, topic in enumerate(judged.topics):
            low = int(judged.intent_start[index])
            given = judged.given_probability
            named = list(enumerate(judged.intents_of(index), low))
            said = {name: float(given[n]) for n, name in named if given[n] == given[n]}
            if said:
                probabilities[topic] = said
            if any(judged.navigational[n] for n, _ in named):
                types[topic] = {
                    name: "nav" if judged.navigational[n] else "inf" for n, name in named
                }
    return merged.with_intents(probabilities or None, types or None)
