"""What a collection is like: its size, its grades, and how diverse its topics can be.

The table of collections is that of Sakai 2013; difficulty and miss rates are Golbus et al. 2013's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from polyseme.collection.difficulty import Difficulty, difficulty, miss_rates
from polyseme.collection.judgments import Judged
from polyseme.collection.reading import read_runs
from polyseme.collection.relevance import Relevance, RelevanceRules, relevance
from polyseme.collection.runs import BY_SCORE, Ordering, Runs
from polyseme.collection.teams import Teams, teams_of
from polyseme.collection.topics import Topic
from polyseme.groups import Ints, counts
from polyseme.results import Result
from polyseme.tables import Cell, Column, Report, Row, Table, labels

#: relevant from grade 1 on, intents without a relevant document left out
USUAL = RelevanceRules()


@dataclass(frozen=True, eq=False)
class Description(Result):
    """Judgments as the policies on relevance see them, and the runs they were made from."""

    relevance: Relevance
    #: of each topic: down to which rank all documents of all runs are judged; None without runs
    judged_depth: Ints | None = None
    teams: Teams | None = None
    topics: Mapping[str, Topic] | None = None

    @property
    def judged(self) -> Judged:
        return self.relevance.judged

    @cached_property
    def grades(self) -> Counter[int]:
        """How many judgments have each grade."""
        return Counter(self.judged.line_grade.tolist())

    @property
    def topics_used(self) -> int:
        """Topics with a relevant document."""
        return int((self.relevance.relevant_in > 0).sum())

    def report(self) -> Report:
        table = self._collection_table()
        # one row is easier to read as a column
        turned = [
            (column.name, column.shown(cell))
            for column, cell in zip(table.columns, table.held[0], strict=True)
            if cell is not None
        ]
        seen = Table((*labels("collection"), Column("", kind="prose")), turned)
        return Report(table, tables=(seen, self.histogram().table()), notes=self._notes())

    def _notes(self) -> tuple[str, ...]:
        notes = []
        nothing = len(self.judged.topics) - self.topics_used
        if nothing:
            notes.append(f"{nothing} topics have no relevant document")
        if self.judged.only_relevant:
            notes.append("only relevant documents are listed: condensed lists keep nothing else")
        return tuple(notes)

    def _collection_table(self) -> Table:
        relevance, judged = self.relevance, self.judged
        used = relevance.relevant_in > 0
        given = ~np.isnan(judged.given_probability)
        # a type that is not told apart from the usual one says nothing
        typed = "nav/inf" if judged.navigational.any() else "-"
        cells: dict[str, Cell] = {
            "topics": self.topics_used,
            "topic types": self._topic_types(),
            "intents per topic": float(relevance.intent_count[used].mean()) if used.any() else 0.0,
            "judged to rank": self._depths(),
            "runs": None if self.teams is None else len(self.teams.of_run),
            "teams": None if self.teams is None else len(self.teams.names),
            "grades": f"{min([0, *self.grades])} to {max([0, *self.grades])}",
            "probabilities": "yes" if given.any() else "no",
            "intent types": typed,
            "judged documents": len(judged.documents),
            "relevant documents": int(relevance.relevant_in.sum()),
            "judgments": len(judged.line_grade),
        }
        kinds = {"topic types", "judged to rank", "grades", "probabilities", "intent types"}
        columns = tuple(
            Column(name, "label" if name in kinds else "value", decimals=2) for name in cells
        )
        return Table(columns, [tuple(cells.values())])

    def _topic_types(self) -> str | None:
        if self.topics is None:
            return None
        types = Counter(
            topic.type for name, topic in self.topics.items() if name in self.judged.topic_index
        )
        return "/".join(name for name, _ in sorted(types.items()) if name) or None

    def _depths(self) -> str | None:
        if self.judged_depth is None:
            return None
        found = self.judged_depth[self.relevance.relevant_in > 0]
        if not len(found):
            return None
        low, high = int(found.min()), int(found.max())
        return str(low) if low == high else f"{low} to {high}"

    def histogram(self) -> Histogram:
        """How many judgments have each grade."""
        return Histogram(dict(sorted(self.grades.items(), reverse=True)))

    def per_topic(self, *, exact: bool = False, xi_offset: int = 0) -> TopicDescription:
        """Intents, relevant and judged documents, and diversity difficulty of each topic."""
        found = difficulty(self.relevance, exact=exact, xi_offset=xi_offset)
        return TopicDescription(self.relevance, found, exact, xi_offset, self._titles)

    def per_intent(
        self,
        *,
        ranks: Sequence[int] = (),
        raw: bool = False,
        exact: bool = False,
        xi_offset: int = 0,
    ) -> IntentDescription:
        """Relevant documents and miss rate of each intent, at xi and at other ranks.

        The offset is that of diversity difficulty, which tables show beside the rates.
        """
        return IntentDescription(self.relevance, tuple(ranks), raw, exact, self._titles, xi_offset)

    @property
    def _titles(self) -> dict[str, str]:
        return {name: topic.query for name, topic in (self.topics or {}).items()}


@dataclass(frozen=True)
class Histogram(Result):
    """How many judgments have each grade."""

    of_grade: Mapping[int, int]

    def report(self) -> Report:
        total = sum(self.of_grade.values())
        rows: list[Row] = [
            (str(grade), number, number / total) for grade, number in self.of_grade.items()
        ]
        return Report(
            Table((*labels("grade"), Column("judgments"), Column("share", decimals=3)), rows)
        )


@dataclass(frozen=True, eq=False)
class TopicDescription(Result):
    """Of each topic with a relevant document: its size and its diversity difficulty."""

    relevance: Relevance
    difficulty: Difficulty
    exact: bool
    xi_offset: int
    #: what was asked, where that is known
    titles: Mapping[str, str] = field(default_factory=dict)

    def report(self) -> Report:
        used = np.flatnonzero(self.relevance.relevant_in > 0)
        judged = counts(
            self.relevance.judged.topic_of_row[self.relevance.is_judged],
            len(self.relevance.topics),
        )
        held = self.difficulty
        rows: list[Row] = [
            (
                self.relevance.topics[topic],
                int(self.relevance.intent_count[topic]),
                int(self.relevance.relevant_in[topic]),
                int(judged[topic]),
                int(held.xi[topic]),
                float(held.d_max[topic]),
                float(held.d_mean[topic]),
                float(held.dd[topic]),
            )
            for topic in used.tolist()
        ]
        names = ("intents", "relevant", "judged", "xi", "d_max", "d_mean", "dd")
        columns = (*labels("topic"), *(Column(name, decimals=3) for name in names))
        dd = held.dd[used]
        summary = Table(
            tuple(Column(name, decimals=3) for name in ("min", "max", "mean")),
            [(float(dd.min()), float(dd.max()), float(dd.mean()))] if len(dd) else [],
            "dd over topics",
        )
        return Report(Table(columns, rows), tables=(Table(columns, rows), summary), **self._said())

    def _said(self) -> dict[str, Any]:
        notes = ["drawn without replacement, smallest covers exact"] if self.exact else []
        if self.xi_offset:
            notes.append(f"exponent xi + {self.xi_offset}")
        return {"notes": tuple(notes)}


@dataclass(frozen=True, eq=False)
class IntentDescription(Result):
    """Of each intent: its relevant documents, and the chance that k relevant ones miss it."""

    relevance: Relevance
    #: ranks besides xi
    ranks: tuple[int, ...]
    raw: bool
    exact: bool
    #: what was asked, where that is known
    titles: Mapping[str, str] = field(default_factory=dict)
    xi_offset: int = 0

    def report(self) -> Report:
        names = ("smr", *(f"smr@{rank}" for rank in self.ranks))
        columns = (
            *labels("topic", "intent"),
            Column("relevant"),
            *(Column(name, decimals=3) for name in names),
        )
        notes = ["smr at xi, the size of the smallest cover of the topic's intents"]
        notes.append("as probabilities" if self.raw else "normalised over the topic's intents")
        return Report(Table(columns, list(self._rows())), notes=(", ".join(notes),))

    def _rows(self) -> Iterator[Row]:
        held = self.relevance
        xi = difficulty(held, exact=self.exact).xi
        for topic, name in enumerate(held.topics):
            if not held.relevant_in[topic]:
                continue
            rates = [self.rates(topic, rank) for rank in (int(xi[topic]), *self.ranks)]
            first = int(held.intent_start[topic])
            for place, intent in enumerate(held.intents_of(topic)):
                row = (name, intent, int(held.relevant_to[first + place]))
                yield (*row, *(float(rate[place]) for rate in rates))

    def rates(self, topic: int, rank: int) -> Sequence[float]:
        """The miss rate of each intent of a topic at a rank."""
        rates = miss_rates(self.relevance, topic, rank, exact=self.exact)
        if not self.raw:
            total = float(rates.sum())
            rates = rates / total if total > 0 else np.full(len(rates), 1.0 / len(rates))
        found: list[float] = rates.tolist()
        return found


def describe(
    judged: Judged,
    runs: Any = None,
    *,
    teams: Any = None,
    topics: Mapping[str, Topic] | None = None,
    rules: RelevanceRules = USUAL,
    ordering: Ordering = BY_SCORE,
) -> Description:
    """Describe judgments, and how deep the lists of some runs are judged."""
    held = relevance(judged, rules)
    if runs is None:
        return Description(held, topics=topics)
    given = runs if isinstance(runs, Runs) else read_runs(runs)
    return Description(
        held,
        judged_depth(held, given, ordering),
        teams_of(teams, given.names),
        topics,
    )


def judged_depth(held: Relevance, runs: Runs, ordering: Ordering = BY_SCORE) -> Ints:
    """Of each topic: down to which rank every document of every run is judged."""
    judged = held.judged
    depth = np.full(len(judged.topics), np.iinfo(np.int64).max)
    longest = np.zeros(len(judged.topics), dtype=np.int64)
    for run in runs:
        lists = run.join(judged, ordering).lists.known_to(held.is_judged)
        # a hit in its place: as many hits above it as ranks
        place = np.arange(len(lists.rank)) - lists.hit_start[:-1][lists.list_of_hit] + 1
        whole = counts(lists.list_of_hit[place == lists.rank], len(lists))
        np.maximum.at(longest, lists.topic, lists.length)
        # a list that is judged to its end says nothing of greater depths
        shown = np.where(whole == lists.length, np.iinfo(np.int64).max, whole)
        np.minimum.at(depth, lists.topic, shown)
    found: Ints = np.minimum(depth, longest)
    return found
