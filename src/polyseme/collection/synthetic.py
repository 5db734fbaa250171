"""Synthetic test collections: several teams, uneven intents, pooled judgments.

Everything is drawn with ``rng.random()`` and computed with sums, products and quotients, which are
the same on every machine; so one seed makes one collection everywhere.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from polyseme.atomic import make_folder, write_atomically
from polyseme.collection.formats import trec_topics
from polyseme.collection.formats.writing import (
    write_judgments,
    write_probabilities,
    write_runs,
)
from polyseme.collection.judgments import Judged, JudgmentBuilder
from polyseme.collection.runs import Retrieved, Run, Runs
from polyseme.collection.topics import Subtopic, Topic, intent_types
from polyseme.errors import InputError, PolysemeError

_TEAMS = ("alder", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine")
_QUERIES = (
    *("zeppelin", "jaguar", "mercury", "java", "python", "saturn", "phoenix", "delta"),
    *("avalanche", "bass", "crane", "mint", "seal", "apple", "bark", "pitch", "match"),
    *("spring", "trunk", "wave", "amazon", "cardinal", "eclipse", "falcon", "madonna"),
)
_WANTED = (
    "Find out what is known of {}.",
    "Find the history of {}.",
    "Find news of {}.",
    "Find prices of {}.",
    "Find opinions on {}.",
    "Find places that have to do with {}.",
    "Find instructions that have to do with {}.",
)
_SOUGHT = "Go to the official page of {}."
#: shares of grades 1 to 4 among relevant documents
_GRADES = (0.55, 0.30, 0.11, 0.04)
SPAM = -2


@dataclass(frozen=True)
class SyntheticCollection:
    """Judgments with probabilities and types, topics in words, and runs of several teams."""

    judged: Judged
    topics: Mapping[str, Topic]
    runs: Runs
    #: the team of each run
    teams: Mapping[str, str]

    def write(self, folder: str | os.PathLike[str], *, force: bool = False) -> list[str]:
        """Write all files into a folder that is new or empty; returned are their paths."""
        place = os.fspath(folder)
        if not force:
            _check_empty(place)
        make_folder(place)
        make_folder(os.path.join(place, "runs"))
        written: list[str] = []

        def path(*names: str) -> str:
            written.append(os.path.join(place, *names))
            return written[-1]

        write_judgments(self.judged, path("judgments.qrels"), format="trec")
        write_probabilities(self.judged, path("probabilities.txt"), format="trec")
        with write_atomically(path("topics.xml")) as stream:
            trec_topics.write(self.topics.values(), stream)
        with write_atomically(path("teams.csv")) as stream:
            stream.write("run,team\n")
            stream.writelines(f"{run},{team}\n" for run, team in self.teams.items())
        for run in self.runs:
            write_runs([run], path("runs", f"{run.name}.run"), format="trec")
        return written


def _check_empty(folder: str) -> None:
    if os.path.isdir(folder) and os.listdir(folder):
        raise InputError(
            "the folder is not empty",
            path=folder,
            expected="a new or an empty folder",
            remedy="choose another one, or say --force to overwrite files of the same names",
        )


@dataclass(frozen=True)
class _Topic:
    """What is there to be found, and what is worth finding."""

    name: str
    probabilities: list[float]
    navigational: list[bool]
    documents: list[str]
    #: documents x intents
    grade: npt.NDArray[np.int64]
    #: which intent a document looks like it is about, relevant or not
    about: npt.NDArray[np.int64]
    #: how well each document looks to every system
    appeal: npt.NDArray[np.float64]


@dataclass(frozen=True)
class _System:
    """One run's way to rank."""

    team: str
    name: str
    #: from 0, which sees nothing of relevance, to 1, which sees nothing else
    quality: float
    #: from 0, which looks for the likeliest intent, to 1, which looks for all alike
    diversity: float


def synthesize(
    rng: np.random.Generator,
    *,
    topics: int = 20,
    teams: int = 5,
    runs_per_team: int = 2,
    intents_max: int = 6,
    depth: int = 100,
    judged: int = 20,
) -> SyntheticCollection:
    """Draw a collection.

    Each run has ``depth`` documents a topic. The first ``judged`` of every team's first half of
    runs are judged. The last run lacks a topic, scores have ties, and some judged documents come
    from one team only.
    """
    for name, given in (
        ("topics", topics),
        ("teams", teams),
        ("runs_per_team", runs_per_team),
        ("intents_max", intents_max),
        ("depth", depth),
        ("judged", judged),
    ):
        if given < 1:
            raise PolysemeError(f"{name} must be 1 or more. Got {given} instead.")
    worlds = [_draw_topic(rng, number, intents_max, depth) for number in range(1, topics + 1)]
    retrieved: dict[str, list[Retrieved]] = {}
    team_of: dict[str, str] = {}
    pooled: list[Retrieved] = []
    for team in range(teams):
        systems = list(_draw_systems(rng, team, teams, runs_per_team))
        pooled_here = systems[: (runs_per_team + 1) // 2]
        taste = [rng.random(len(world.documents)) for world in worlds]
        for system in systems:
            team_of[system.name] = system.team
            retrieved[system.name] = [
                _retrieve(rng, world, own, system, depth)
                for world, own in zip(worlds, taste, strict=True)
            ]
        pooled += [each for system in pooled_here for each in retrieved[system.name]]
    if len(retrieved) > 1 and topics > 1:
        last = retrieved[list(retrieved)[-1]]
        del last[len(last) // 2]
    words = {world.name: _in_words(world) for world in worlds}
    return SyntheticCollection(
        judged=_pooled(worlds, pooled, judged).with_intents(
            {
                world.name: {str(i): p for i, p in enumerate(world.probabilities, 1)}
                for world in worlds
            },
            intent_types(words),
        ),
        topics=words,
        runs=Runs(tuple(Run(name, _always(lists)) for name, lists in retrieved.items())),
        teams=team_of,
    )


def _always(lists: list[Retrieved]) -> Callable[[], list[Retrieved]]:
    return lambda: lists


def _draw_topic(rng: np.random.Generator, number: int, intents_max: int, depth: int) -> _Topic:
    least = min(2, intents_max)
    intents = least + int(rng.random() * (intents_max - least + 1))
    navigational = [bool(rng.random() < 0.25) and i > 0 for i in range(intents)]
    relevant = [_how_many(rng, nav) for nav in navigational]
    others = max(3 * depth, 120)
    grade = np.zeros((sum(relevant) + others, intents), dtype=np.int64)
    about = np.zeros(len(grade), dtype=np.int64)
    row = 0
    for intent, count in enumerate(relevant):
        for _ in range(count):
            grade[row, intent] = _draw_grade(rng, navigational[intent])
            also = int(rng.random() * intents)
            if rng.random() < 0.2 and not navigational[also]:
                grade[row, also] = max(grade[row, also], _draw_grade(rng, False))
            about[row] = intent
            row += 1
    about[row:] = (rng.random(others) * intents).astype(np.int64)
    spam = row + np.flatnonzero(rng.random(others) < 0.08)
    grade[spam] = SPAM
    appeal = rng.random(len(grade))
    # spam is made to please
    appeal[spam] = 0.5 + 0.5 * appeal[spam]
    numbers = np.argsort(rng.random(len(grade)), kind="stable") + 1
    return _Topic(
        name=str(number),
        probabilities=_draw_probabilities(rng, intents),
        navigational=navigational,
        documents=[f"doc-{number:03d}-{n:04d}" for n in numbers.tolist()],
        grade=grade,
        about=about,
        appeal=appeal,
    )


def _how_many(rng: np.random.Generator, navigational: bool) -> int:
    """How many documents are relevant to an intent: one, or few and sometimes many."""
    luck = rng.random()
    return 1 if navigational else 2 + int(34 * luck * luck * luck)


def _draw_grade(rng: np.random.Generator, navigational: bool) -> int:
    luck = rng.random()
    if navigational:
        return 4 if luck < 0.5 else 3
    grade = 1
    for share in _GRADES[:-1]:
        luck -= share
        if luck < 0:
            break
        grade += 1
    return grade


def _draw_probabilities(rng: np.random.Generator, intents: int) -> list[float]:
    """Unequal probabilities of four decimals that add up to 1, the first the highest."""
    weights = [0.15 + luck * luck for luck in rng.random(intents).tolist()]
    weights.sort(reverse=True)
    # not sum(), which rounds differently from Python 3.12 on
    parts = [int(10000 * weight / math.fsum(weights)) for weight in weights]
    parts[0] += 10000 - sum(parts)
    return [part / 10000 for part in parts]


def _draw_systems(rng: np.random.Generator, team: int, teams: int, runs: int) -> Iterator[_System]:
    """A team's runs are of a kind; the later ones care more for diversity."""
    name = _TEAMS[team] if team < len(_TEAMS) else f"team{team + 1}"
    skill = 0.22 + 0.24 * (team + rng.random()) / teams
    for run in range(runs):
        yield _System(
            team=name,
            name=f"{name}-{run + 1}",
            quality=skill + 0.10 * (rng.random() - 0.5),
            diversity=(run + rng.random()) / runs,
        )


def _retrieve(
    rng: np.random.Generator,
    topic: _Topic,
    taste: npt.NDArray[np.float64],
    system: _System,
    depth: int,
) -> Retrieved:
    """Rank by what a system sees: relevance and appeal, its team's taste, and chance."""
    emphasis = np.array(topic.probabilities) / max(topic.probabilities)
    emphasis = system.diversity + (1 - system.diversity) * emphasis
    seen = np.where(topic.grade > 0, (2 + topic.grade) / 6 * emphasis, 0.0).max(axis=1)
    noise = 0.4 * topic.appeal + 0.35 * taste + 0.25 * rng.random(len(taste))
    value = system.quality * seen + (1 - system.quality) * noise
    chosen, scores = _diversified(value, topic.about, 0.06 * system.diversity, depth)
    return Retrieved(
        topic=topic.name,
        documents=[topic.documents[row] for row in chosen],
        scores=scores,
        ranks=list(range(1, len(chosen) + 1)),
    )


def _diversified(
    value: npt.NDArray[np.float64], about: npt.NDArray[np.int64], toll: float, depth: int
) -> tuple[list[int], list[float]]:
    """Take the best document again and again, each time a little less keen on its intent.

    Scores are rounded, so that some are equal.
    """
    best_first = np.argsort(-value, kind="stable").tolist()
    waiting: dict[int, list[int]] = {}
    for row in reversed(best_first):
        waiting.setdefault(int(about[row]), []).append(row)
    worth = value.tolist()
    paid = dict.fromkeys(sorted(waiting), 0.0)
    chosen: list[int] = []
    scores: list[float] = []
    while waiting and len(chosen) < depth:
        intent = max(sorted(waiting), key=lambda each: worth[waiting[each][-1]] - paid[each])
        row = waiting[intent].pop()
        chosen.append(row)
        scores.append(round(100 * (worth[row] - paid[intent]), 1))
        paid[intent] += toll / len(chosen)
        if not waiting[intent]:
            del waiting[intent]
    return chosen, scores


def _pooled(worlds: list[_Topic], lists: list[Retrieved], judged: int) -> Judged:
    pool: dict[str, set[str]] = {world.name: set() for world in worlds}
    for one in lists:
        pool[one.topic].update(one.documents[:judged])
    builder = JudgmentBuilder()
    for world in worlds:
        for document, grades in zip(world.documents, world.grade.tolist(), strict=True):
            if document in pool[world.name]:
                for intent, grade in enumerate(grades, 1):
                    builder.add(world.name, str(intent), document, grade)
    return builder.finish()


def _in_words(world: _Topic) -> Topic:
    number = int(world.name) - 1
    query = _QUERIES[number] if number < len(_QUERIES) else f"query {world.name}"
    subtopics = [
        Subtopic(
            str(intent + 1),
            (_SOUGHT if nav else _WANTED[intent % len(_WANTED)]).format(query),
            "nav" if nav else "inf",
        )
        for intent, nav in enumerate(world.navigational)
    ]
    return Topic(
        name=world.name,
        query=query,
        description=subtopics[0].text,
        type="ambiguous" if number % 2 else "faceted",
        subtopics=tuple(subtopics),
    )
