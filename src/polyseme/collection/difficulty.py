"""How hard a topic makes it to be diverse (Golbus et al. 2013, sections 3 and 4)."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from polyseme.collection.relevance import Relevance
from polyseme.groups import Floats, Ints


@dataclass(frozen=True, eq=False)
class Difficulty:
    """Of every topic: coverable share of intents, documents that takes, mean coverage, and dd."""

    d_max: Floats
    xi: Ints
    d_mean: Floats
    dd: Floats


def smallest_cover(covers: list[frozenset[int]], *, exact: bool = False) -> int:
    """How few documents cover all that any of them covers; greedy, or by trying all sets."""
    wanted = frozenset().union(*covers)
    chosen = 0
    left = set(wanted)
    while left:
        best = max(covers, key=lambda cover: len(cover & left))
        left -= best
        chosen += 1
    return _exact_cover(covers, wanted, chosen) if exact else chosen


def _exact_cover(covers: list[frozenset[int]], wanted: frozenset[int], known: int) -> int:
    distinct = set(covers)
    useful = [c for c in distinct if not any(c < other for other in distinct)]
    for size in range(1, known):
        for some in itertools.combinations(useful, size):
            if frozenset().union(*some) == wanted:
                return size
    return known


def difficulty(relevance: Relevance, *, exact: bool = False, xi_offset: int = 0) -> Difficulty:
    """Diversity difficulty of every topic; 0 where nothing is relevant.

    d_mean = 1 - sum_i (1 - R_i / R_T)^xi / M: the intents that xi relevant documents drawn at
    random cover on average (``exact``: drawn without replacement, and xi by exact set cover).
    """
    count = len(relevance.topics)
    d_max, d_mean = np.zeros(count), np.zeros(count)
    xi = np.zeros(count, dtype=np.int64)
    covers = _covers(relevance)
    for topic in range(count):
        if not covers[topic]:
            continue
        intents = int(relevance.intent_count[topic])
        xi[topic] = smallest_cover(covers[topic], exact=exact)
        d_max[topic] = len(frozenset().union(*covers[topic])) / intents
        missed = miss_rates(relevance, topic, int(xi[topic]) + xi_offset, exact=exact)
        d_mean[topic] = 1.0 - missed.sum() / intents
    total = d_max + d_mean
    dd = np.divide(2 * d_max * d_mean, total, out=np.zeros(count), where=total > 0)
    return Difficulty(d_max, xi, d_mean, dd)


def _covers(relevance: Relevance) -> list[list[frozenset[int]]]:
    """Of every topic: the intents that each relevant document covers, by document id ascending."""
    covers: list[list[frozenset[int]]] = [[] for _ in relevance.topics]
    start, topic_of_row = relevance.start, relevance.judged.topic_of_row
    for row in np.flatnonzero(np.diff(start) > 0).tolist():
        intents = frozenset(relevance.intent[start[row] : start[row + 1]].tolist())
        covers[topic_of_row[row]].append(intents)
    return covers


def miss_rates(relevance: Relevance, topic: int, k: int, *, exact: bool = False) -> Floats:
    """(1 - R_i / R_T)^k of a topic's intents: the chance that k relevant documents miss it."""
    span = slice(int(relevance.intent_start[topic]), int(relevance.intent_start[topic + 1]))
    relevant = relevance.relevant_to[span]
    total = int(relevance.relevant_in[topic])
    if total == 0:
        return np.ones(len(relevant))
    if not exact:
        return np.asarray((1.0 - relevant / total) ** k, dtype=np.float64)
    missed = np.ones(len(relevant))
    for drawn in range(min(k, total)):
        missed *= np.maximum(total - relevant - drawn, 0) / (total - drawn)
    return missed


def miss_rate_weights(relevance: Relevance, k: int | None = None) -> Floats:
    """Subtopic miss rates at rank k (default: each topic's xi), normalised over its intents."""
    weights = np.zeros(len(relevance.intents))
    covers = _covers(relevance)
    for topic in range(len(relevance.topics)):
        span = slice(int(relevance.intent_start[topic]), int(relevance.intent_start[topic + 1]))
        if span.start == span.stop:
            continue
        rank = k if k is not None else (smallest_cover(covers[topic]) if covers[topic] else 0)
        rates = miss_rates(relevance, topic, rank)
        total = float(rates.sum())
        weights[span] = rates / total if total > 0 else 1.0 / len(rates)
    return weights
