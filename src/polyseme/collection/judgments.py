"""Judged documents: topics, their intents, and the grades that assessors gave."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from polyseme.errors import InputError, PolysemeWarning
from polyseme.groups import Bools, Floats, Ints, offsets, owners
from polyseme.identifiers import Identifiers

#: names in groups, and where to look for each: see ``lookup``
Looked = tuple[bytes, Ints, Ints, npt.NDArray[np.uint64], Ints]
Lookup = tuple[Looked, Looked]

#: The intent that lists judged documents relevant to nothing.
JUDGED_ONLY = "0"

#: judged documents whose rows are kept by name: more of them would take memory that files need not
_KEPT_ROWS = 500_000


def natural(name: str) -> tuple[tuple[int, int, str, str], ...]:
    """A sorting key under which topic 9 comes before topic 10."""
    key: list[tuple[int, int, str, str]] = []
    for piece in re.split(r"([0-9]+)", name):
        if piece.isascii() and piece.isdigit():
            # Not int(piece), which refuses thousands of digits.
            digits = piece.lstrip("0")
            key.append((0, len(digits), digits, piece))
        elif piece:
            key.append((1, 0, piece, ""))
    return tuple(key)


@dataclass(frozen=True, eq=False)
class AdHoc:
    """One grade a document, whatever the intent: a collection's own ad hoc judgments."""

    grade: Ints
    listed: Bools
    highest_grade: int


@dataclass(frozen=True)
class Whole:
    """What is known of all judgments of a collection, where only some are at hand."""

    highest_grade: int
    only_relevant: bool
    #: highest ad hoc grade, by the rule that makes such grades and the lowest that counts
    highest_adhoc: Mapping[tuple[str, int], int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Judged:
    """Judgments as they were read; nothing is dropped or renormalised here.

    Topics and intents stand in natural order, a topic's documents ascend by identifier, so that
    a row number (an index into ``documents``) also tells "ties by document id".
    """

    topics: tuple[str, ...]
    #: topic t owns rows document_start[t]:document_start[t + 1]
    document_start: Ints
    documents: Identifiers
    #: topic t owns intents intent_start[t]:intent_start[t + 1]
    intent_start: Ints
    intents: tuple[str, ...]
    #: as given; NaN where nothing was said
    given_probability: Floats
    navigational: Bools
    #: row d owns the judgment lines line_start[d]:line_start[d + 1], ascending by intent
    line_start: Ints
    line_intent: Ints
    line_grade: Ints
    adhoc: AdHoc | None = None
    #: these are a part of the collection's judgments
    whole: Whole | None = None

    @cached_property
    def topic_of_row(self) -> Ints:
        return owners(self.document_start)

    @cached_property
    def topic_of_intent(self) -> Ints:
        return owners(self.intent_start)

    @cached_property
    def row_of_line(self) -> Ints:
        return owners(self.line_start)

    @cached_property
    def listed(self) -> Bools:
        """Rows that the intents' own judgments name (others come from ad hoc judgments)."""
        return np.diff(self.line_start) > 0

    @cached_property
    def highest_grade(self) -> int:
        if self.whole is not None:
            return self.whole.highest_grade
        return max(int(self.line_grade.max(initial=0)), 0)

    @property
    def only_relevant(self) -> bool:
        """No line says that a document is not relevant: condensing leaves relevant ones only."""
        if self.whole is not None:
            return self.whole.only_relevant
        return bool(len(self.line_grade)) and bool((self.line_grade > 0).all())

    @property
    def are_adhoc(self) -> bool:
        """Every line is of intent 0: grades of documents for a topic as a whole."""
        return set(self.intents) == {JUDGED_ONLY}

    @cached_property
    def topic_index(self) -> dict[str, int]:
        return {topic: index for index, topic in enumerate(self.topics)}

    @cached_property
    def lookup(self) -> Lookup:
        """Hash tables of the topics and of their documents, for the compiled scanner."""
        from polyseme.collection.formats import scanning

        return scanning.lookup(self)

    def documents_of(self, topic: int) -> list[str]:
        return self.documents[int(self.document_start[topic]) : int(self.document_start[topic + 1])]

    def rows_of(self, topic: int) -> Mapping[str, int]:
        """The row of each of a topic's documents, kept for the next run where they are few."""
        rows = self._rows.get(topic)
        if rows is None:
            first = int(self.document_start[topic])
            rows = {document: first + n for n, document in enumerate(self.documents_of(topic))}
            if len(self.documents) <= _KEPT_ROWS:
                self._rows[topic] = rows
        return rows

    @cached_property
    def _rows(self) -> dict[int, dict[str, int]]:
        return {}

    def intents_of(self, topic: int) -> tuple[str, ...]:
        return self.intents[self.intent_start[topic] : self.intent_start[topic + 1]]

    def lines(self) -> Iterable[tuple[str, str, str, int]]:
        """Every judgment as (topic, intent, document, grade), in this object's order."""
        topic_of_row = self.topic_of_row
        for row, document in enumerate(self.documents):
            topic = self.topics[topic_of_row[row]]
            for line in range(self.line_start[row], self.line_start[row + 1]):
                yield (
                    topic,
                    self.intents[self.line_intent[line]],
                    document,
                    int(self.line_grade[line]),
                )

    def with_intents(
        self,
        probabilities: Mapping[str, Mapping[str, float]] | None = None,
        types: Mapping[str, Mapping[str, str]] | None = None,
        *,
        source: str = "the probabilities",
    ) -> Judged:
        """The same judgments with intent probabilities and types; new intents are empty ones."""
        nested: dict[str, dict[str, float]] = {
            topic: dict(given) for topic, given in (probabilities or {}).items()
        }
        if probabilities is not None:
            _check_probabilities(nested, self.topics, source)
        grown = self._with_empty_intents(nested)
        probability = grown.given_probability.copy()
        navigational = grown.navigational.copy()
        for index, (topic, intent) in enumerate(
            zip(grown.topic_of_intent.tolist(), grown.intents, strict=True)
        ):
            name = grown.topics[topic]
            if name in nested:
                probability[index] = nested[name].get(intent, np.nan)
            if types is not None and intent in types.get(name, ()):
                navigational[index] = _is_navigational(types[name][intent], name, intent, source)
        return replace(grown, given_probability=probability, navigational=navigational)

    def _with_empty_intents(self, wanted: Mapping[str, Iterable[str]]) -> Judged:
        """Room for intents that no judgment names."""
        intents: list[str] = []
        counts: list[int] = []
        moved = np.zeros(len(self.intents), dtype=np.int64)
        probability: list[float] = []
        navigational: list[bool] = []
        for index, topic in enumerate(self.topics):
            low = int(self.intent_start[index])
            old = {name: low + place for place, name in enumerate(self.intents_of(index))}
            names = sorted(set(old).union(wanted.get(topic, ())), key=natural)
            for place, name in enumerate(names):
                if name in old:
                    moved[old[name]] = len(intents) + place
                probability.append(self.given_probability[old[name]] if name in old else np.nan)
                navigational.append(bool(self.navigational[old[name]]) if name in old else False)
            intents.extend(names)
            counts.append(len(names))
        return replace(
            self,
            intent_start=offsets(counts),
            intents=tuple(intents),
            given_probability=np.array(probability, dtype=np.float64),
            navigational=np.array(navigational, dtype=np.bool_),
            line_intent=moved[self.line_intent] if len(moved) else self.line_intent,
        )

    def with_adhoc(self, adhoc: Judged, *, source: str = "the ad hoc judgments") -> Judged:
        """The same judgments with ad hoc grades of their own, for measures that take one grade."""
        if not set(self.topics) & set(adhoc.topics):
            raise InputError(
                "none of the topics of the ad hoc judgments is a topic of the intents' judgments",
                path=source,
                expected=f"topics such as {', '.join(self.topics[:3])}",
                remedy="give the ad hoc judgments of the same collection",
            )
        grades: dict[str, dict[str, int]] = {}
        for topic, _, document, grade in adhoc.lines():
            held = grades.setdefault(topic, {})
            held[document] = max(grade, held.get(document, grade))
        builder = JudgmentBuilder()
        for topic, intent, document, grade in self.lines():
            builder.add(topic, intent, document, grade)
        for topic in self.topics:
            for document in grades.get(topic, ()):
                builder.add_document(topic, document)
        union = builder.finish()._with_empty_intents(
            {topic: self.intents_of(index) for index, topic in enumerate(self.topics)}
        )
        own_grade = np.zeros(len(union.documents), dtype=np.int64)
        listed = np.zeros(len(union.documents), dtype=np.bool_)
        for row, (topic_index, document) in enumerate(
            zip(union.topic_of_row.tolist(), union.documents, strict=True)
        ):
            given = grades.get(union.topics[topic_index], {}).get(document)
            if given is not None:
                own_grade[row], listed[row] = max(given, 0), True
        return replace(
            union,
            given_probability=self.given_probability,
            navigational=self.navigational,
            adhoc=AdHoc(own_grade, listed, int(own_grade.max(initial=0))),
        )


def _check_probabilities(
    given: Mapping[str, Mapping[str, float]], topics: tuple[str, ...], source: str
) -> None:
    if not set(given) & set(topics):
        raise InputError(
            "none of the topics with probabilities is judged",
            path=source,
            expected=f"topics of the judgments, such as {', '.join(topics[:3])}",
            remedy="give the probabilities of the same collection",
        )
    for topic, intents in given.items():
        for intent, probability in intents.items():
            if not 0 <= probability <= 1:
                raise InputError(
                    f"the probability of intent {intent} of topic {topic} is {probability}",
                    path=source,
                    expected="a number from 0 to 1",
                    remedy="mend the probability",
                )
        total = sum(intents.values())
        if abs(total - 1) > 0.01 + 1e-12:
            raise InputError(
                f"the probabilities of topic {topic} add up to {total:.6g}",
                path=source,
                expected="a sum within 0.01 of 1",
                remedy="mend that topic's probabilities, or leave the topic out for uniform ones",
            )


def _is_navigational(kind: str, topic: str, intent: str, source: str) -> bool:
    if kind not in ("inf", "nav"):
        raise InputError(
            f"intent {intent} of topic {topic} has the type {kind!r}",
            path=source,
            expected="inf (informational) or nav (navigational)",
            remedy="mend the type",
        )
    return kind == "nav"


class JudgmentBuilder:
    """Gathers judgment lines in any order and makes them one :class:`Judged`."""

    def __init__(
        self, path: str | None = None, tell: Callable[[InputError], None] | None = None
    ) -> None:
        self._path = path
        self._tell = tell
        self._grades: dict[str, dict[str, dict[str, int]]] = {}
        self._repeated = 0

    def add(
        self,
        topic: str,
        intent: str,
        document: str,
        grade: int,
        line: int | None = None,
        text: str | None = None,
    ) -> None:
        """One judgment, from a ``line`` of the file that reads ``text``."""
        held = self._grades.setdefault(topic, {}).setdefault(document, {})
        if intent not in held:
            held[intent] = grade
        elif held[intent] == grade:
            self._repeated += 1
        else:
            conflict = InputError(
                f"document {document} has two grades for intent {intent} of topic {topic}: "
                f"{held[intent]} and {grade}",
                path=self._path,
                line=line,
                text=text,
                expected="one grade for a topic, an intent and a document",
                remedy="remove one of the two lines",
            )
            if self._tell is None:
                raise conflict
            self._tell(conflict)

    def add_document(self, topic: str, document: str) -> None:
        """A judged document that no intent's line names."""
        self._grades.setdefault(topic, {}).setdefault(document, {})

    def finish(self) -> Judged:
        if self._repeated:
            warnings.warn(
                f"{self._path or 'judgments'}: {self._repeated} judgments stand twice, "
                "with equal grades; each counts once",
                PolysemeWarning,
                stacklevel=2,
            )
        topics = sorted(self._grades, key=natural)
        documents: list[str] = []
        intents: list[str] = []
        line_intent: list[int] = []
        line_grade: list[int] = []
        document_counts: list[int] = []
        intent_counts: list[int] = []
        line_counts: list[int] = []
        for topic in topics:
            by_document = self._grades[topic]
            names = sorted(set().union(*by_document.values()), key=natural)
            place = {name: len(intents) + index for index, name in enumerate(names)}
            for document in sorted(by_document):
                held = sorted(
                    (place[intent], grade) for intent, grade in by_document[document].items()
                )
                line_intent.extend(intent for intent, _ in held)
                line_grade.extend(grade for _, grade in held)
                line_counts.append(len(held))
                documents.append(document)
            intents.extend(names)
            document_counts.append(len(by_document))
            intent_counts.append(len(names))
        return Judged(
            topics=tuple(topics),
            document_start=offsets(document_counts),
            documents=Identifiers.of(documents),
            intent_start=offsets(intent_counts),
            intents=tuple(intents),
            given_probability=np.full(len(intents), np.nan),
            navigational=np.zeros(len(intents), dtype=np.bool_),
            line_start=offsets(line_counts),
            line_intent=np.array(line_intent, dtype=np.int64),
            line_grade=np.array(line_grade, dtype=np.int64),
        )
