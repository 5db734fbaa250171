"""One run on one topic, rank by rank: how each measure's number arises (Sakai 2013, table 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from polyseme.collection.judgments import Judged
from polyseme.collection.lists import Lists
from polyseme.collection.reading import read_runs
from polyseme.collection.relevance import Relevance
from polyseme.collection.teams import teams_of
from polyseme.errors import InputError, PolysemeError, did_you_mean
from polyseme.evaluation import Prepared, prepared, provenance, wanted, weight_files
from polyseme.gathering import gathered
from polyseme.groups import Bools, Floats, totals
from polyseme.measures.catalogue import Catalogue
from polyseme.measures.ideals import best_lists
from polyseme.measures.means import TopicMean
from polyseme.measures.measure import Measure
from polyseme.measures.sets import CATALOGUE
from polyseme.measures.terms import Step, steps_of, terms_of
from polyseme.results import Result
from polyseme.reuse.estimates import View, bare, seen_as
from polyseme.reuse.pools import PoolDepth, sole_contributor
from polyseme.scoring import Scorer
from polyseme.tables import Cell, Column, Report, Row, Table, labels

EXPLAINED: tuple[View, ...] = ("raw", "condensed", "discounted")
UNJUDGED = "unjudged"


@dataclass(frozen=True)
class Line:
    """One rank of a list."""

    rank: int
    document: str
    #: the rank in the raw list; None in an ideal list
    original_rank: int | None
    #: as in the paper: the global gain, and of a relevant document the gains of the intents
    grades: str
    #: what the rank adds to each measure; None where a value is no sum
    terms: tuple[float | None, ...]


@dataclass(frozen=True)
class Sheet:
    """A list as one view shows it, with the measures' values."""

    view: str
    lines: tuple[Line, ...]
    #: the measures in this view, by the columns that are theirs
    values: Mapping[str, float]
    steps: Mapping[str, tuple[Step, ...]]
    #: the column of each of the measures
    column: Mapping[str, str]


@dataclass(frozen=True)
class Explanation(Result):
    """An ideal list, the run's list in several views, and how each number arises."""

    run: str
    topic: str
    intents: tuple[str, ...]
    measures: tuple[str, ...]
    sheets: tuple[Sheet, ...]
    provenance: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    def report(self) -> Report:
        rows: list[Row] = [
            (sheet.view, line.rank, line.document, line.original_rank, line.grades, *line.terms)
            for sheet in self.sheets
            for line in sheet.lines
        ]
        columns = (
            *labels("view"),
            Column("rank"),
            *labels("doc"),
            Column("original_rank"),
            *labels("grades"),
            *map(Column, self.measures),
        )
        return Report(
            Table(columns, rows),
            title=f"{self.run}, topic {self.topic}",
            tables=tuple(self._shown()),
            notes=(
                f"topic {self.topic}, run {self.run}; grades: global gain "
                f"(gains of the intents {', '.join(self.intents)})",
                *self.notes,
            ),
            provenance=self.provenance,
            facts={
                "topic": self.topic,
                "run": self.run,
                "values": {s.view: dict(s.values) for s in self.sheets if s.values},
            },
        )

    def _shown(self) -> Iterator[Table]:
        for sheet in self.sheets:
            yield self._list_table(sheet)
        steps: list[Row] = [
            (sheet.view, measure, ". " * step.level + step.name, step.value)
            for sheet in self.sheets
            for measure, made in sheet.steps.items()
            for step in made
        ]
        yield Table((*labels("view", "measure", "made of"), Column("value")), steps, "values")

    def _list_table(self, sheet: Sheet) -> Table:
        ideal = not sheet.values
        promoted = any(line.original_rank not in (None, line.rank) for line in sheet.lines)
        columns = [Column("rank", "label"), *labels("doc")]
        if promoted:
            columns.append(Column("original rank", "label"))
        columns.append(Column("grades", "label"))
        if not ideal:
            columns += [Column(measure) for measure in sheet.values]
        rows: list[Row] = []
        for line in sheet.lines:
            cells: list[Cell] = [str(line.rank), line.document]
            if promoted:
                cells.append("" if line.original_rank is None else str(line.original_rank))
            cells.append(line.grades)
            if not ideal:
                of_column = dict(zip(self.measures, line.terms, strict=True))
                # zeros are many and say nothing
                cells += [of_column[sheet.column[name]] or None for name in sheet.values]
            rows.append(tuple(cells))
        if not ideal:
            blank: list[Cell] = [""] * (len(columns) - len(sheet.values) - 1)
            rows.append(("value", *blank, *sheet.values.values()))
        return Table(tuple(columns), rows, sheet.view)


def explain(
    judgments: Any,
    run: Any,
    topic: str,
    measures: Any = None,
    *,
    views: Sequence[View] = ("raw", "condensed"),
    without_team: str | None = None,
    others: Any = (),
    teams: Any = None,
    depth: Any = None,
    catalogue: Catalogue = CATALOGUE,
    **policies: Any,
) -> Explanation:
    """How the numbers of one run on one topic arise, rank by rank.

    With ``without_team`` the lists are shown once more without what only that team contributed;
    the ``others`` are the runs that contributed too, and ``teams`` and ``depth`` are those of
    :func:`polyseme.reuse.leave_one_out`.
    """
    given = read_runs(run, *([others] if not isinstance(others, list | tuple) else others))
    made = prepared(judgments, given, **policies)
    asked = wanted(made.dialect.measures if measures is None else measures, catalogue)
    wrong = [view for view in views if view not in EXPLAINED]
    if wrong:
        raise PolysemeError(f"views must be of {', '.join(EXPLAINED)}. Got {wrong[0]!r} instead.")
    place = _place(made.judged, topic)
    page = _Page(made, tuple(dict.fromkeys(map(bare, asked))), tuple(views), place)
    sheets = list(page.sheets(None, ""))
    notes: list[str] = []
    if without_team is not None:
        gone = _gone(made, teams, without_team, depth)
        sheets += page.sheets(gone, f" without {without_team}")
        notes.append(_lost(made.judged, gone, place, without_team))
    return Explanation(
        run=made.runs[0].name,
        topic=topic,
        intents=page.relevance(None).intents_of(place),
        measures=tuple(map(str, page.bases)),
        sheets=tuple(sheets),
        provenance=provenance(made.policies, made.dialect, made.only_topics, (TopicMean(),)),
        notes=tuple(notes),
    )


def _place(judged: Judged, topic: str) -> int:
    if topic not in judged.topic_index:
        hint = did_you_mean(topic, judged.topics)
        raise InputError(
            f"the topic {topic!r} is not judged",
            expected=f"a topic of the judgments, such as {', '.join(judged.topics[:3])}",
            remedy=hint or "name one of these",
        )
    return judged.topic_index[topic]


def _gone(made: Prepared, teams: Any, team: str, depth: Any) -> Bools:
    """The judged documents that only a team contributed."""
    held = gathered(made.judged, made.runs, made.policies)
    owners = teams_of(teams, held.names)
    if team not in owners.names:
        hint = did_you_mean(team, owners.names)
        raise PolysemeError(
            f"there is no team {team!r}\n"
            f"  to mend it: {hint or 'name one of ' + ', '.join(owners.names)}"
        )
    deep = None if depth is None else PoolDepth.of(depth)
    owner = sole_contributor(made.judged, held, owners, deep)
    return np.asarray(owner == owners.names.index(team))


def _lost(judged: Judged, gone: Bools, place: int, team: str) -> str:
    here = gone & (judged.topic_of_row == place)
    relevant = np.unique(judged.row_of_line[(judged.line_grade > 0) & here[judged.row_of_line]])
    return (
        f"only {team} contributed {int(here.sum())} judged documents of the topic, "
        f"{len(relevant)} of them relevant"
    )


@dataclass(frozen=True, eq=False)
class _Page:
    """What is the same whichever documents are judged."""

    made: Prepared
    bases: tuple[Measure, ...]
    views: tuple[View, ...]
    place: int

    @property
    def depth(self) -> int | None:
        """How deep lists are shown: to the deepest cutoff, or to their end."""
        depths = [measure.depth for measure in self.bases]
        known = [depth for depth in depths if depth is not None]
        return max(known) if known and len(known) == len(depths) else None

    def relevance(self, gone: Bools | None) -> Relevance:
        return self.scorer(gone, self.bases).command_relevance

    def scorer(self, gone: Bools | None, measures: Sequence[Measure]) -> Scorer:
        made = self.made
        return Scorer(made.judged, measures, made.policies, weight_files(measures), without=gone)

    def documents(self) -> list[str]:
        """The run's list; empty where the topic is missing."""
        made = self.made
        found = made.runs[0].prefix(made.policies.max_documents, made.policies.ordering)
        return found.get(made.judged.topics[self.place], [])

    def lists(self) -> Lists:
        """The same as hits."""
        joined = self.made.runs[0].join(self.made.judged, self.made.policies.ordering).lists
        mine = joined.part(joined.topic == self.place)
        if not len(mine):
            none = np.zeros(0, dtype=np.int64)
            zero, start = np.zeros(1, dtype=np.int64), np.zeros(2, dtype=np.int64)
            return Lists(zero, np.array([self.place]), zero, start, none, none)
        most = self.made.policies.max_documents
        return mine if most is None else mine.cut(most)

    def sheets(self, gone: Bools | None, suffix: str) -> Iterator[Sheet]:
        relevance = self.relevance(gone)
        grades = _Grades(self.made, relevance, self.place)
        yield Sheet(f"ideal{suffix}", tuple(self._ideal(relevance, grades)), {}, {}, {})
        documents = self.documents()
        for view in self.views:
            yield self._sheet(view, suffix, gone, grades, documents)

    def _ideal(self, relevance: Relevance, grades: _Grades) -> Iterator[Line]:
        best = best_lists(relevance, grades.overall)
        first, last = best.hit_start[self.place], best.hit_start[self.place + 1]
        nothing = (None,) * len(self.bases)
        for rank, row in enumerate(best.row[first:last][: self.depth].tolist(), 1):
            yield Line(rank, relevance.judged.documents[row], None, grades.of_row(row), nothing)

    def _sheet(
        self,
        view: View,
        suffix: str,
        gone: Bools | None,
        grades: _Grades,
        documents: list[str],
    ) -> Sheet:
        shown = [(place, document) for place, document in enumerate(documents, 1)]
        if view != "raw":
            shown = [(place, document) for place, document in shown if grades.judged(document)]
        forms = {base: seen_as(base, view) or seen_as(base, "condensed") for base in self.bases}
        present = [form for form in forms.values() if form is not None]
        scorer, lists = self.scorer(gone, present), self.lists()
        added: dict[Measure, dict[int, float] | None] = {}
        values: dict[str, float] = {}
        steps: dict[str, tuple[Step, ...]] = {}
        column: dict[str, str] = {}
        for base, form in forms.items():
            if form is None:
                continue
            batch = scorer.seen_by(form, lists)
            formula = self.made.policies.meant(form).formula
            terms = terms_of(formula, batch, form.cutoff)
            added[base] = None if terms is None else terms.by_rank()
            name = str(form)
            values[name] = float(batch.value(formula, form.cutoff)[0])
            steps[name] = tuple(steps_of(formula, batch, form.cutoff))
            column[name] = str(base)
        deepest = max([0, *(max(each, default=0) for each in added.values() if each)])
        last = len(shown) if self.depth is None else min(len(shown), self.depth)
        lines = []
        # a term may stand beyond the end of a short list: whoever stops at the cutoff stops there
        for rank in range(1, max(last, deepest) + 1):
            original, document = shown[rank - 1] if rank <= len(shown) else (None, "")
            lines.append(
                Line(
                    rank,
                    document,
                    original,
                    grades.of(document) if document else "",
                    tuple(
                        None if added[base] is None else (added[base] or {}).get(rank, 0.0)
                        for base in self.bases
                    ),
                )
            )
        return Sheet(f"{view}{suffix}", tuple(lines), values, steps, column)


class _Grades:
    """What is known of a topic's documents, as people read it."""

    def __init__(self, made: Prepared, relevance: Relevance, place: int) -> None:
        self._relevance = relevance
        self._place = place
        self._gains = made.policies.gain(relevance.grade)
        weighed = self._gains * relevance.probability[relevance.intent]
        rows = len(relevance.start) - 1
        self.overall: Floats = totals(relevance.row, weighed, rows)
        self._row = relevance.judged.rows_of(place)

    def judged(self, document: str) -> bool:
        row = self._row.get(document)
        return row is not None and bool(self._relevance.is_judged[row])

    def of(self, document: str) -> str:
        return self.of_row(self._row[document]) if self.judged(document) else UNJUDGED

    def of_row(self, row: int) -> str:
        """``0.5(0/1)``: the global gain, and each intent's own; 0 where nothing is relevant."""
        held = self._relevance
        pairs = slice(int(held.start[row]), int(held.start[row + 1]))
        first = int(held.intent_start[self._place])
        number = int(held.intent_count[self._place])
        mine = np.zeros(number)
        mine[held.intent[pairs] - first] = self._gains[pairs]
        if not mine.any():
            return "0"
        return f"{self.overall[row]:.4g}({'/'.join(f'{gain:g}' for gain in mine.tolist())})"
