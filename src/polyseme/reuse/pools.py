"""Pools: what the runs of some teams retrieved down to a depth, and who contributed what.

C_k are a team's contributions to a topic's pool, U_k those that no other team contributed
(Sakai 2013, section 1).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from polyseme.collection.formats.weights import read_topic_weights
from polyseme.collection.judgments import Judged, JudgmentBuilder, natural
from polyseme.collection.lists import Lists
from polyseme.collection.reading import read_runs
from polyseme.collection.runs import BY_SCORE, Ordering, Runs, check_any
from polyseme.collection.teams import Teams, teams_of
from polyseme.errors import InputError
from polyseme.gathering import Gathered
from polyseme.groups import Ints, counts
from polyseme.results import Result
from polyseme.tables import Column, Report, Row, Table, labels

EXPECTED_DEPTH = "a depth, TOPIC:DEPTH,..., or a file of lines `topic depth`"


@dataclass(frozen=True)
class PoolDepth:
    """How deep a pool is: the same for all topics, or for each its own."""

    for_all: int | None = None
    by_topic: Mapping[str, int] = field(default_factory=dict)
    path: str | None = None

    @classmethod
    def of(cls, said: Any) -> PoolDepth:
        """From a number, ``topic:depth,...``, a dictionary, or a file of ``topic depth``."""
        if isinstance(said, PoolDepth):
            return said
        if isinstance(said, Mapping):
            return cls(by_topic={str(t): _depth(d) for t, d in said.items()})
        text = os.fspath(said) if isinstance(said, os.PathLike) else str(said)
        if text.strip().isascii() and text.strip().isdigit():
            return cls(_depth(text))
        pairs = [piece.rpartition(":") for piece in text.split(",")]
        if all(middle and last.strip().isdigit() for _, middle, last in pairs):
            return cls(by_topic={topic.strip(): _depth(depth) for topic, _, depth in pairs})
        weights = read_topic_weights(text)
        return cls(by_topic={t: _depth(d, text) for t, d in weights.items()}, path=text)

    def at(self, topic: str) -> int | None:
        """The depth of a topic's pool; None where the topic has none."""
        return self.for_all if self.for_all is not None else self.by_topic.get(topic)

    @property
    def deepest(self) -> int:
        """The depth of the deepest pool."""
        return max([self.for_all or 0, *self.by_topic.values()])

    def of_topics(self, topics: tuple[str, ...]) -> Ints:
        """The depths of topics that must all have one."""
        missing = [topic for topic in topics if self.at(topic) is None]
        if missing:
            raise InputError(
                f"{len(missing)} topics have no pool depth (the first: {missing[0]})",
                path=self.path,
                expected=EXPECTED_DEPTH,
                remedy="add the missing topics",
            )
        return np.array([self.at(topic) for topic in topics], dtype=np.int64)

    def __str__(self) -> str:
        if self.for_all is not None:
            return str(self.for_all)
        depths = sorted(set(self.by_topic.values()))
        return "/".join(map(str, depths))


def _depth(said: Any, path: str | None = None) -> int:
    number = float(said)
    if number < 1 or number != int(number):
        raise InputError(
            f"the pool depth is {said}", path=path, expected="a whole number of 1 or more"
        )
    return int(number)


@dataclass(frozen=True)
class Contributions(Result):
    """What each team contributed to each topic's pool, alone and with others."""

    teams: Teams
    #: (team, topic) -> documents contributed, those of this team only, the relevant among these
    counts: Mapping[tuple[str, str], tuple[int, int, int | None]]
    #: of each team: its best run and that run's score
    best: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    best_by: str | None = None
    depth: str = ""

    def of_team(self, team: str) -> tuple[int, int, int | None]:
        """A team's contributions, unique ones, and unique relevant ones over all topics."""
        mine = [found for (owner, _), found in self.counts.items() if owner == team]
        relevant = [found[2] for found in mine]
        known = [number for number in relevant if number is not None]
        return (
            sum(found[0] for found in mine),
            sum(found[1] for found in mine),
            sum(known) if len(known) == len(relevant) else None,
        )

    def report(self) -> Report:
        names = ("contributed", "unique", "unique_relevant")
        rows: list[Row] = [(*key, *found) for key, found in self.counts.items()]
        return Report(
            Table((*labels("team", "topic"), *map(Column, names)), rows),
            tables=(self._team_table(names),),
            notes=(f"pools of depth {self.depth}",),
        )

    def _team_table(self, names: tuple[str, ...]) -> Table:
        """Teams, the one with the best run first where scores are known."""
        tasks = self.teams.tasks
        columns = [*labels("team"), *map(Column, names)]
        columns += [Column(f"{task} runs") for task in tasks] if tasks else [Column("runs")]
        if self.best:
            columns += [*labels("best run"), Column(self.best_by or "score", best="highest")]
        rows: list[Row] = []
        for team in self.teams.names:
            runs = self.teams.runs_of(team)
            made = [self.teams.task_of_run.get(run) for run in runs]
            number: list[int] = [made.count(task) for task in tasks] if tasks else [len(runs)]
            row: Row = (team, *self.of_team(team), *number)
            rows.append((*row, *self.best.get(team, ("", None))) if self.best else row)
        if self.best:
            order = {team: -score for team, (_, score) in self.best.items()}
            rows.sort(key=lambda row: order.get(str(row[0]), np.inf))
        return Table(tuple(columns), rows)


@dataclass(frozen=True)
class Pool(Result):
    """Documents to judge, topic by topic, in an order that reveals nothing of the runs."""

    teams: Teams
    depth: PoolDepth
    #: topic -> document -> the teams that contributed it, a bit each in the order of ``teams``
    contributors: Mapping[str, Mapping[str, int]]
    #: None: by document id
    seed: int | None = None
    #: documents left out since they are judged
    left_out: int = 0
    #: topics of the runs that have no depth
    without_depth: tuple[str, ...] = ()

    def documents(self, topic: str) -> list[str]:
        """A topic's documents, by identifier or in an order of chance that the seed decides."""
        held = sorted(self.contributors.get(topic, ()))
        if self.seed is None:
            return held
        # each topic's order depends on the seed and its name only
        rng = np.random.default_rng([self.seed, *topic.encode()])
        return [held[place] for place in rng.permutation(len(held))]

    def __len__(self) -> int:
        return sum(map(len, self.contributors.values()))

    def minus(self, judged: Judged) -> Pool:
        """The pool without the documents that are judged already."""
        kept: dict[str, dict[str, int]] = {}
        for topic, documents in self.contributors.items():
            place = judged.topic_index.get(topic)
            known = {} if place is None else judged.rows_of(place)
            kept[topic] = {d: who for d, who in documents.items() if d not in known}
        gone = len(self) - sum(map(len, kept.values()))
        return replace(self, contributors=kept, left_out=self.left_out + gone)

    def shuffled(self, seed: int) -> Pool:
        """The same pool, each topic's documents in an order of chance."""
        return replace(self, seed=seed)

    def contributions(self, judged: Judged | None = None, relevant_from: int = 1) -> Contributions:
        """C_k and U_k of every team and topic, and with judgments the relevant ones of U_k."""
        counts: dict[tuple[str, str], tuple[int, int, int | None]] = {}
        for bit, team in enumerate(self.teams.names):
            for topic, documents in self.contributors.items():
                mine = [document for document, who in documents.items() if who >> bit & 1]
                unique = [document for document in mine if documents[document] == 1 << bit]
                found = None
                if judged is not None:
                    relevant = _relevant_documents(judged, topic, relevant_from)
                    found = sum(document in relevant for document in unique)
                counts[team, topic] = (len(mine), len(unique), found)
        return Contributions(self.teams, counts, depth=str(self.depth))

    def report(self) -> Report:
        rows: list[Row] = [
            (topic, document) for topic in self.contributors for document in self.documents(topic)
        ]
        notes = [
            f"{len(self)} documents of {len(self.contributors)} topics, pooled to depth "
            f"{self.depth} from {len(self.teams.of_run)} runs of {len(self.teams.names)} teams"
        ]
        if self.left_out:
            notes.append(f"{self.left_out} pooled documents are left out: they are judged")
        if self.without_depth:
            notes.append(
                f"{len(self.without_depth)} topics of the runs have no depth and no pool "
                f"(the first: {self.without_depth[0]})"
            )
        return Report(
            Table(labels("topic", "doc"), rows),
            notes=tuple(notes),
            provenance={} if self.seed is None else {"seed": self.seed},
        )


def pool(
    runs: Any,
    depth: Any,
    *,
    teams: Any = None,
    minus: Judged | None = None,
    ordering: Ordering = BY_SCORE,
    seed: int | None = None,
) -> Pool:
    """The pool of some runs.

    ``depth`` is a number, ``{topic: depth}`` or a file of lines ``topic depth``; ``teams`` a CSV
    file or ``{run: team}`` (without it each run is a team); documents judged in ``minus`` are left
    out; with a ``seed`` documents stand in an order of chance.
    """
    given = runs if isinstance(runs, Runs) else read_runs(runs)
    check_any(given)
    deep, owners = PoolDepth.of(depth), teams_of(teams, given.names)
    bit = {team: 1 << place for place, team in enumerate(owners.names)}
    found: dict[str, dict[str, int]] = {}
    without: dict[str, None] = {}
    for run in given:
        mine = bit[owners.of_run[run.name]]
        for topic, documents in run.prefix(deep.deepest, ordering).items():
            to = deep.at(topic)
            if to is None:
                without[topic] = None
                continue
            held = found.setdefault(topic, {})
            for document in documents[:to]:
                held[document] = held.get(document, 0) | mine
    made = Pool(
        owners,
        deep,
        {topic: found[topic] for topic in sorted(found, key=natural)},
        seed,
        without_depth=tuple(without),
    )
    return made if minus is None else made.minus(minus)


def sole_contributor(judged: Judged, held: Gathered, teams: Teams, depth: PoolDepth | None) -> Ints:
    """Of every judged document: the number of the only team that contributed it, else -1."""
    lists: Lists = held.lists
    number = {team: place for place, team in enumerate(teams.names)}
    team_of_run = np.array([number[teams.of_run[run]] for run in held.names], dtype=np.int64)
    team = team_of_run[lists.run[lists.list_of_hit]]
    inside = lists.row >= 0
    if depth is not None:
        deep = depth.of_topics(judged.topics)
        inside &= lists.rank <= deep[lists.topic[lists.list_of_hit]]
    pairs = np.unique(lists.row[inside] * len(number) + team[inside])
    row = pairs // len(number)
    alone = counts(row, len(judged.documents)) == 1
    owner = np.full(len(judged.documents), -1)
    owner[row] = pairs % len(number)
    found: Ints = np.where(alone, owner, -1)
    return found


def without_rows(judged: Judged, rows: Ints) -> Judged:
    """Judgments without some documents."""
    gone = set(rows.tolist())
    builder = JudgmentBuilder()
    lines = zip(judged.row_of_line.tolist(), judged.lines(), strict=True)
    for row, (topic, intent, document, grade) in lines:
        if row not in gone:
            builder.add(topic, intent, document, grade)
    return builder.finish()


def _relevant_documents(judged: Judged, topic: str, relevant_from: int) -> set[str]:
    place = judged.topic_index.get(topic)
    return set() if place is None else set(_relevant(judged, place, relevant_from))


def _relevant(judged: Judged, place: int, relevant_from: int) -> Iterator[str]:
    for document, row in judged.rows_of(place).items():
        lines = slice(int(judged.line_start[row]), int(judged.line_start[row + 1]))
        if (judged.line_grade[lines] >= relevant_from).any():
            yield document
