"""Runs: what a system retrieved for each topic, and how it becomes lists."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import gt
from typing import Literal, get_args, overload

import numpy as np

from polyseme.collection.judgments import Judged
from polyseme.collection.lists import Lists
from polyseme.errors import InputError, PolysemeError, PolysemeWarning
from polyseme.groups import offsets

Order = Literal["score", "rank", "file"]
#: what a document retrieved twice for a topic is: an error, kept where it stands better, or
#: non-relevant (but counted) where it comes again
Duplicates = Literal["error", "first", "nonrelevant"]
ORDERS: tuple[str, ...] = get_args(Order)
DUPLICATES: tuple[str, ...] = get_args(Duplicates)


@dataclass(frozen=True)
class Ordering:
    """How a topic's documents become a ranked list."""

    order: Order = "score"
    #: None: an error in a plain run, non-relevant in one with iterations
    duplicates: Duplicates | None = None
    #: scores are equal where single precision cannot tell them apart
    single_precision: bool = False
    #: two documents at one rank are an error where ranks decide
    unique_ranks: bool = False


#: score descending, ties by document id descending
BY_SCORE = Ordering()


@dataclass(frozen=True)
class Retrieved:
    """What one run retrieved for one topic, in the order of the file."""

    topic: str
    documents: Sequence[str]
    scores: Sequence[float] | None = None
    ranks: Sequence[float] | None = None
    #: numbers from 0; None for a plain run
    iterations: Sequence[int] | None = None
    #: line numbers, for error texts
    lines: Sequence[int] | None = None


@dataclass(frozen=True)
class Ordered:
    """A topic's documents from the first rank on, what was retrieved twice being dealt with."""

    documents: list[str]
    #: positions (from 0) whose document counts as non-relevant
    blank: frozenset[int]
    #: the last rank of each iteration
    iteration_ends: list[int] | None
    #: a lower-ranked document has a strictly higher score
    scores_disagree: bool


@dataclass(frozen=True)
class Joined:
    """One run as lists, and what the judgments did not know."""

    lists: Lists
    #: topics of the run that are not judged
    extra: tuple[str, ...]
    #: topics in which a lower-ranked document has a strictly higher score
    disagreeing: int


class FileLists(ABC):
    """A run's lists in a file, which may know a quicker way to what is wanted of them."""

    @property
    @abstractmethod
    def scanned(self) -> bool:
        """That way is known, and other threads need not wait meanwhile."""

    @abstractmethod
    def __call__(self) -> Iterator[Retrieved]:
        """The lists, read anew."""

    @abstractmethod
    def join(self, judged: Judged, how: Ordering) -> Joined | None:
        """What :meth:`Run.join` gives, or None where the lists must be read for it."""

    @abstractmethod
    def prefix(self, depth: int | None, how: Ordering) -> dict[str, list[str]] | None:
        """What :meth:`Run.prefix` gives, or None likewise."""


@dataclass(frozen=True, eq=False)
class Run:
    """One run. ``topics`` reads it anew each time, topic by topic, so that a file need not fit."""

    name: str
    topics: Callable[[], Iterable[Retrieved]] = field(repr=False)
    path: str | None = None

    def ordered(self, how: Ordering = BY_SCORE) -> Iterator[tuple[str, Ordered]]:
        """Every topic's ranked list."""
        for retrieved in self.topics():
            yield retrieved.topic, in_order(retrieved, how, path=self.path)

    def join(self, judged: Judged, how: Ordering = BY_SCORE) -> Joined:
        """The run's lists as ``judged`` knows them."""
        if isinstance(self.topics, FileLists):
            joined = self.topics.join(judged, how)
            if joined is not None:
                return joined
        topic: list[int] = []
        length: list[int] = []
        hits: list[int] = []
        rank: list[int] = []
        row: list[int] = []
        iteration_counts: list[int] = []
        iteration_end: list[int] = []
        extra: list[str] = []
        disagreeing = 0
        iterated = False
        for name, ordered in self.ordered(how):
            disagreeing += ordered.scores_disagree
            index = judged.topic_index.get(name)
            if index is None:
                extra.append(name)
                continue
            found = list(map(judged.rows_of(index).get, ordered.documents))
            for place in ordered.blank:
                found[place] = None
            before = len(rank)
            rank.extend([place for place, known in enumerate(found, 1) if known is not None])
            row.extend([known for known in found if known is not None])
            hits.append(len(rank) - before)
            topic.append(index)
            length.append(len(ordered.documents))
            iterated |= ordered.iteration_ends is not None
            ends = ordered.iteration_ends or [len(ordered.documents)]
            iteration_counts.append(len(ends))
            iteration_end.extend(ends)
        lists = Lists(
            run=np.zeros(len(topic), dtype=np.int64),
            topic=np.array(topic, dtype=np.int64),
            length=np.array(length, dtype=np.int64),
            hit_start=offsets(hits),
            rank=np.array(rank, dtype=np.int64),
            row=np.array(row, dtype=np.int64),
            iteration_start=offsets(iteration_counts) if iterated else None,
            iteration_end=np.array(iteration_end, dtype=np.int64) if iterated else None,
        )
        return Joined(lists, tuple(extra), disagreeing)

    def prefix(self, depth: int | None = None, how: Ordering = BY_SCORE) -> dict[str, list[str]]:
        """The first ``depth`` documents of every topic, by their identifiers."""
        if isinstance(self.topics, FileLists):
            found = self.topics.prefix(depth, how)
            if found is not None:
                return found
        return {topic: ordered.documents[:depth] for topic, ordered in self.ordered(how)}


def in_order(retrieved: Retrieved, how: Ordering = BY_SCORE, *, path: str | None = None) -> Ordered:
    """Rank a topic's documents. Scores descend, ties by document id descending.

    Where an order lacks its column, the other column serves; a list with neither keeps its own.
    Iterations come one after another, each ordered by itself, its ties as the file has them.
    """
    if _descends(retrieved, how):
        return Ordered(list(retrieved.documents), frozenset(), None, False)
    return _put_in_order(retrieved, how, path)


def _put_in_order(retrieved: Retrieved, how: Ordering, path: str | None) -> Ordered:
    count = len(retrieved.documents)
    order, scores, ranks = how.order, retrieved.scores, retrieved.ranks
    documents = retrieved.documents
    if scores is not None and how.single_precision:
        # what is too large for single precision is infinite there, as in C
        with np.errstate(over="ignore"):
            scores = np.asarray(scores, dtype=np.float32).tolist()
    if order == "score" and scores is None:
        order = "rank"
    elif order == "rank" and ranks is None:
        order = "score" if scores is not None else "file"
    places = list(range(count))
    if retrieved.iterations is not None:
        iterations = retrieved.iterations
        if order == "score" and scores is not None:
            places.sort(key=lambda n: (iterations[n], -scores[n]))
        else:
            places.sort(key=lambda n: iterations[n])
    elif order == "score" and scores is not None:
        if len(set(scores)) < count:
            places.sort(key=documents.__getitem__, reverse=True)
        places.sort(key=scores.__getitem__, reverse=True)
    elif order == "rank" and ranks is not None:
        places.sort(key=ranks.__getitem__)
    disagree = (
        scores is not None
        and retrieved.iterations is None
        and any(scores[later] > scores[sooner] for sooner, later in pairwise(places))
    )
    if order == "rank" and how.unique_ranks:
        _check_ranks(retrieved, places, path)
    rule = how.duplicates or ("error" if retrieved.iterations is None else "nonrelevant")
    places, blank = _without_repeats(retrieved, places, rule, path)
    ends: list[int] | None = None
    if retrieved.iterations is not None:
        ends = [0] * (max(retrieved.iterations, default=-1) + 1)
        for n in places:
            ends[retrieved.iterations[n]] += 1
        ends = np.cumsum(ends).tolist()
    return Ordered([documents[n] for n in places], blank, ends, disagree)


def _descends(retrieved: Retrieved, how: Ordering) -> bool:
    """Are these different documents by strictly falling scores already? So most lists are."""
    scores, documents = retrieved.scores, retrieved.documents
    if how.order != "score" or how.single_precision:
        return False
    if scores is None or retrieved.iterations is not None:
        return False
    return all(map(gt, scores, scores[1:])) and len(set(documents)) == len(documents)


def _check_ranks(retrieved: Retrieved, places: list[int], path: str | None) -> None:
    ranks, lines = retrieved.ranks, retrieved.lines
    if ranks is None:
        return
    for sooner, later in pairwise(places):
        if ranks[sooner] == ranks[later]:
            raise InputError(
                f"two documents have the rank {ranks[later]:g} in topic {retrieved.topic}",
                path=path,
                line=lines[later] if lines else None,
                expected="a rank for each document, as the program wants it",
                remedy="number the ranks anew, or say --dialect 'ndeval(traditional=true)' "
                "to order by score",
            )


def _without_repeats(
    retrieved: Retrieved, places: list[int], rule: Duplicates, path: str | None
) -> tuple[list[int], frozenset[int]]:
    documents = retrieved.documents
    if len(set(documents)) == len(documents):
        return places, frozenset()
    first: dict[str, int] = {}
    kept: list[int] = []
    blank: set[int] = set()
    for n in places:
        document = documents[n]
        if document not in first:
            first[document] = n
            kept.append(n)
        elif rule == "error":
            lines = retrieved.lines
            sooner, later = sorted((first[document], n))
            raise InputError(
                f"document {document} is retrieved twice for topic {retrieved.topic}"
                + (f", on lines {lines[sooner]} and {lines[later]}" if lines else ""),
                path=path,
                line=lines[later] if lines else None,
                expected="a document at most once in a topic's list",
                remedy="remove one of the two, or say --duplicates first to keep the better-placed",
            )
        elif rule == "nonrelevant":
            blank.add(len(kept))
            kept.append(n)
    return kept, frozenset(blank)


@dataclass(frozen=True, eq=False)
class Runs(Sequence[Run]):
    """Runs of different names, in the order in which they were given."""

    members: tuple[Run, ...]

    def __post_init__(self) -> None:
        seen: dict[str, Run] = {}
        for run in self.members:
            if run.name in seen:
                raise InputError(
                    f"two runs are named {run.name!r}"
                    + (f" ({seen[run.name].path} and {run.path})" if run.path else ""),
                    expected="a name for each run",
                    remedy="rename a file, or take the names inside the files: --run-names tag",
                )
            seen[run.name] = run

    def __len__(self) -> int:
        return len(self.members)

    @overload
    def __getitem__(self, index: int) -> Run: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Run, ...]: ...
    def __getitem__(self, index: int | slice) -> Run | tuple[Run, ...]:
        return self.members[index]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(run.name for run in self.members)


def check_any(runs: Runs) -> None:
    """An error unless there is a run."""
    if not len(runs):
        raise PolysemeError("no runs were given\n  to mend it: name at least one run")


def warn_of_order(disagreeing: Mapping[str, int], order: Order) -> None:
    """Say once, of all runs, that scores and the order tell different stories."""
    told = {run: topics for run, topics in disagreeing.items() if topics}
    if told:
        run, topics = max(told.items(), key=lambda item: item[1])
        which = f"{run}: in {topics} topics"
        if len(told) > 1:
            which = f"in {sum(told.values())} topics of {len(told)} runs (most: {run}, {topics})"
        warnings.warn(
            f"{which} a lower-ranked document has a strictly higher score; "
            f"the order taken is --order {order}",
            PolysemeWarning,
            stacklevel=2,
        )
