"""Which intents runs serve near the top, and how much of what stands there nobody judged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from polyseme.collection.lists import Lists
from polyseme.collection.relevance import Relevance
from polyseme.gathering import Gathered
from polyseme.groups import Bools, Floats, Ints, counts


@dataclass(frozen=True, eq=False)
class Coverage:
    """Of every run and intent: the first rank with a relevant document, 0 if it has none there."""

    relevance: Relevance
    runs: tuple[str, ...]
    #: down to which rank was looked
    cutoff: int
    #: runs x intents
    first: Ints
    #: topics that were looked at
    used: Bools

    @cached_property
    def intents(self) -> Ints:
        """The intents of the topics that were looked at: places in those of the relevance."""
        found: Ints = np.flatnonzero(self.used[self.relevance.topic_of_intent])
        return found

    @cached_property
    def missed(self) -> Ints:
        """How many intents each run misses."""
        found: Ints = (self.first[:, self.intents] == 0).sum(axis=1)
        return found

    @cached_property
    def missed_by_all(self) -> Ints:
        """Intents that no run serves."""
        found: Ints = self.intents[(self.first[:, self.intents] == 0).all(axis=0)]
        return found


def coverage(held: Gathered, relevance: Relevance, used: Bools, cutoff: int) -> Coverage:
    """Where the runs first serve the intents of some topics."""
    lists = held.lists.top(cutoff)
    hit = np.flatnonzero((lists.row >= 0) & used[lists.topic[lists.list_of_hit]])
    row = lists.row[hit]
    many = relevance.start[row + 1] - relevance.start[row]
    hit_of_pair = np.repeat(hit, many)
    place = np.arange(len(hit_of_pair)) - np.repeat(np.cumsum(many) - many, many)
    intent = relevance.intent[np.repeat(relevance.start[row], many) + place]
    never = np.iinfo(np.int64).max
    first = np.full((len(held.names), len(relevance.intents)), never)
    run = lists.run[lists.list_of_hit[hit_of_pair]]
    np.minimum.at(first, (run, intent), lists.rank[hit_of_pair])
    first[first == never] = 0
    return Coverage(relevance, held.names, cutoff, first, used)


@dataclass(frozen=True, eq=False)
class Unjudged:
    """Of every run: the share of the documents near its top that nobody judged."""

    runs: tuple[str, ...]
    cutoffs: tuple[int, ...]
    #: runs x cutoffs: places filled, and those filled with unjudged documents
    places: Ints
    unjudged: Ints

    @property
    def rates(self) -> Floats:
        """Runs x cutoffs; NaN where a run has nothing."""
        filled = self.places > 0
        shares = np.full(self.places.shape, np.nan)
        np.divide(self.unjudged, self.places, out=shares, where=filled)
        return shares

    def overall(self, cutoff: int) -> float:
        """The share over all runs together."""
        place = self.cutoffs.index(cutoff)
        filled = int(self.places[:, place].sum())
        return int(self.unjudged[:, place].sum()) / filled if filled else float("nan")


def unjudged(
    held: Gathered, relevance: Relevance, used: Bools, cutoffs: tuple[int, ...]
) -> Unjudged:
    """How much of what the runs have near their top on some topics is unjudged."""
    lists: Lists = held.lists.part(used[held.lists.topic]).known_to(relevance.is_judged)
    places = np.zeros((len(held.names), len(cutoffs)), dtype=np.int64)
    judged = np.zeros_like(places)
    for place, cutoff in enumerate(cutoffs):
        np.add.at(places[:, place], lists.run, np.minimum(lists.length, cutoff))
        near = lists.rank <= cutoff
        judged[:, place] = counts(lists.run[lists.list_of_hit[near]], len(held.names))
    return Unjudged(held.names, cutoffs, places, places - judged)
