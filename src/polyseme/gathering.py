"""Runs joined with judgments: all at once, or a few at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

import numpy as np

from polyseme.averaging import refuse_unjudged
from polyseme.collection.judgments import Judged
from polyseme.collection.lists import NO_LISTS, Lists, joined
from polyseme.collection.runs import FileLists, Joined, Run, Runs, check_any, warn_of_order
from polyseme.engine import Engine, map_partitions
from polyseme.errors import PolysemeError
from polyseme.groups import Bools
from polyseme.policies import Policies

#: the most runs that are joined before any of them is scored, for each worker
MOST_TOGETHER = 16


@dataclass(frozen=True, eq=False)
class Gathered:
    """Runs as lists: read once, they can be scored as often as wanted."""

    names: tuple[str, ...]
    lists: Lists
    #: (run, topic) pairs for which the run retrieved anything
    retrieved: Bools
    #: topics of each run that are not judged
    extra: Mapping[str, tuple[str, ...]]
    #: in how many topics of each run a lower-ranked document has a strictly higher score
    disagreeing: Mapping[str, int] = field(default_factory=dict)

    def only(self, names: Collection[str]) -> Gathered:
        """Some of the runs."""
        kept = np.array([name in names for name in self.names], dtype=np.bool_)
        lists = self.lists.part(kept[self.lists.run])
        return Gathered(
            tuple(name for name in self.names if name in names),
            replace(lists, run=(np.cumsum(kept) - 1)[lists.run]),
            self.retrieved[kept],
            {name: extra for name, extra in self.extra.items() if name in names},
            {name: number for name, number in self.disagreeing.items() if name in names},
        )

    def without_lists(self) -> Gathered:
        """What there is to tell of the runs once their lists have been scored."""
        return replace(self, lists=NO_LISTS)


def gathered(
    judged: Judged,
    runs: Runs,
    policies: Policies,
    jobs: int = 1,
    progress: Callable[[str], None] | None = None,
) -> Gathered:
    """All runs' lists as one batch, which (run, topic) have one, and unjudged topics."""
    held = joined_runs(judged, runs, policies, jobs, progress)
    warn_of_order(held.disagreeing, policies.ordering.order)
    return held


def joined_runs(
    judged: Judged,
    runs: Runs,
    policies: Policies,
    jobs: int = 1,
    progress: Callable[[str], None] | None = None,
) -> Gathered:
    """The same without a word on orders and scores that disagree."""
    check_any(runs)
    join = partial(Run.join, judged=judged, how=policies.ordering)
    found_in = map_partitions(join, runs, *engine_for(runs, jobs))

    def found() -> Iterator[tuple[str, Joined]]:
        for run in runs:
            if progress is not None:
                progress(run.name)
            one = next(found_in)
            if not len(one.lists) and one.extra:
                refuse_unjudged(run.name, run.path, len(one.extra), one.extra[0], judged.topics)
            yield run.name, one

    return together(runs.names, found(), len(judged.topics), policies)


def together(
    names: tuple[str, ...], found: Iterable[tuple[str, Joined]], topics: int, policies: Policies
) -> Gathered:
    """Runs that were joined with judgments of so many topics; some may have retrieved nothing."""
    place = {name: index for index, name in enumerate(names)}
    batches: list[Lists] = []
    retrieved = np.zeros((len(names), topics), dtype=np.bool_)
    extra: dict[str, tuple[str, ...]] = {}
    disagreeing: dict[str, int] = {}
    for name, one in found:
        index, lists = place[name], one.lists
        if policies.max_documents is not None:
            lists = lists.cut(policies.max_documents)
        batches.append(replace(lists, run=np.full(len(lists), index)))
        retrieved[index, one.lists.topic] = True
        extra[name] = one.extra
        disagreeing[name] = one.disagreeing
    lists = joined(batches) if batches else NO_LISTS
    return Gathered(names, lists, retrieved, extra, disagreeing)


def engine_for(runs: Runs, jobs: int) -> tuple[Engine, int]:
    """Threads for files that are scanned without holding Python up, two where there are cores."""
    if jobs < 1:
        raise PolysemeError(f"jobs must be a whole number of 1 or more. Got {jobs} instead.")
    if all(isinstance(run.topics, FileLists) and run.topics.scanned for run in runs):
        return "threads", max(jobs, min(2, os.cpu_count() or 1))
    return "processes", jobs


@dataclass(frozen=True, eq=False)
class Block:
    """Runs that stand together, and where the first of them stands among all."""

    first: int
    runs: Runs

    @property
    def end(self) -> int:
        """Where the next block begins."""
        return self.first + len(self.runs)

    @property
    def name(self) -> str:
        names = self.runs.names
        return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"


def blocks_of(runs: Runs, workers: int, inside: int = 1) -> list[Block]:
    """Runs in blocks of nearly one size: two for each worker, or more where blocks grow large.

    ``inside`` says how many workers there are within a block.
    """
    check_any(runs)
    number = max(2 * workers if workers > 1 else 1, -(-len(runs) // (MOST_TOGETHER * inside)))
    number = min(number, len(runs))
    bounds = [len(runs) * n // number for n in range(number + 1)]
    return [Block(low, Runs(runs[low:high])) for low, high in pairwise(bounds)]


def side_by_side(parts: Sequence[Gathered]) -> Gathered:
    """Several blocks whose lists have been let go of, as one."""
    return Gathered(
        tuple(name for part in parts for name in part.names),
        NO_LISTS,
        np.concatenate([part.retrieved for part in parts]),
        {name: extra for part in parts for name, extra in part.extra.items()},
        {name: number for part in parts for name, number in part.disagreeing.items()},
    )
