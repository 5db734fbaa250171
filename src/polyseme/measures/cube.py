"""The Cube Test of the TREC Dynamic Domain track (Luo et al. 2013), as its scorer computes it.

Each intent is a column of water that documents fill: the n-th document that adds to it adds
rating * gamma^n, until the column is ``height`` high. CT is the water per iteration, ACT its
average over documents, nCT its share of what could have been reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from polyseme.errors import MeasureError
from polyseme.groups import Floats, Ints, counts, offsets, owners, totals
from polyseme.kernels import running_sum
from polyseme.measures.batch import Batch
from polyseme.measures.formulas import Formula, share
from polyseme.measures.gains import Gain
from polyseme.measures.measure import Family, Keeps, Measure, Traits
from polyseme.measures.parameters import Parameter, choice, count, number
from polyseme.measures.parts import power


@dataclass(frozen=True, eq=False)
class _Reading:
    """How far each list was read: every iteration on the way, list by list."""

    #: of each list: iterations read
    iterations: Floats
    #: of each iteration: its list, its number from 1, the ranks it covers (begin, end]
    owner: Ints
    number: Ints
    begin: Ints
    end: Ints

    @property
    def documents(self) -> Ints:
        """An iteration without documents counts as one with a single non-relevant document."""
        read: Ints = np.maximum(self.end - self.begin, 1)
        return read


def _reading(batch: Batch, iterations: int | None, documents: int | None) -> _Reading:
    lists = batch.held
    if lists.iteration_start is None or lists.iteration_end is None:
        start, end = np.arange(len(lists) + 1), lists.length
    else:
        start, end = lists.iteration_start, lists.iteration_end
    owner = owners(start)
    number = np.arange(len(end)) - start[:-1][owner] + 1
    begin = np.where(number == 1, 0, np.roll(end, 1))
    read = np.ones(len(end), dtype=np.bool_) if iterations is None else number <= iterations
    if documents is not None:
        size = np.maximum(end - begin, 1)
        above = np.cumsum(size) - size
        above -= above[start[:-1]][owner]
        read &= above < documents
        end = np.minimum(end, begin + np.maximum(documents - above, 0))
    owner, number, begin, end = owner[read], number[read], begin[read], end[read]
    return _Reading(counts(owner, len(lists)).astype(np.float64), owner, number, begin, end)


class _Cube(Formula):
    gamma: float = 0.5
    height: float = 5.0
    documents: int | None = None

    def _fill(self, poured: Floats, start: Ints) -> Floats:
        """What of each pour finds room in its column."""
        level = running_sum(poured, start)
        room = self.height - (level - poured)
        return np.where(level <= self.height, poured, np.maximum(room, 0.0))

    def _water(self, batch: Batch) -> tuple[Ints, Floats]:
        """Where each list's adding documents begin and end, their ranks, and all water so far.

        Documents one after another, as the scorer adds them up: the last digit hangs on it.
        """
        walk = batch.intents
        filled = self._fill(walk.g * power(self.gamma, walk.C), walk.start)
        owner = batch.list_of_row[walk.row]
        each = filled * (1.0 / np.maximum(batch.intent_count, 1))[owner]
        order = np.lexsort((walk.r, owner))
        key = owner[order] * _FAR + walk.r[order].astype(np.int64)
        keys, document = np.unique(key, return_inverse=True)
        gained = totals(document.reshape(-1), each[order], len(keys))
        start = np.searchsorted(keys, np.arange(len(batch.held) + 1) * _FAR)
        return keys, running_sum(gained, start)

    def _so_far(self, batch: Batch, owner: Ints, rank: Ints) -> Floats:
        """All water in a list down to a rank."""
        keys, total = self._water(batch)
        place = np.searchsorted(keys, owner * _FAR + rank, side="right")
        first = np.searchsorted(keys, owner * _FAR)
        return np.where(place > first, np.append(total, 0.0)[place - 1], 0.0)

    def _test(self, batch: Batch, reading: _Reading) -> Floats:
        """CT: all water / height / iterations."""
        last = np.zeros(len(batch.held), dtype=np.int64)
        np.maximum.at(last, reading.owner, reading.end)
        total = self._so_far(batch, np.arange(len(last)), last)
        return share(total / self.height, reading.iterations)


#: further than any rank, so that a list and a rank make one number
_FAR = 1 << 40


class CubeTest(_Cube):
    """CT: all water / height / iterations."""

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        return self._test(batch, _reading(batch, cutoff, self.documents))


class AverageCubeTest(_Cube):
    """ACT: the mean of CT over documents, each with the iterations so far."""

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        reading = _reading(batch, cutoff, self.documents)
        start = offsets(reading.documents)
        iteration = owners(start)
        step = np.arange(start[-1]) - start[:-1][iteration] + 1
        rank = np.minimum(reading.begin[iteration] + step, reading.end[iteration])
        owner = reading.owner[iteration]
        test = self._so_far(batch, owner, rank) / self.height / reading.number[iteration]
        read = counts(owner, len(batch.held)).astype(np.float64)
        return share(totals(owner, test, len(batch.held)), read)


class NormalisedCubeTest(_Cube):
    """nCT: CT over a bound, made from the best ratings of each intent."""

    bound: Literal["jig", "tight"] = "jig"

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        reading = _reading(batch, cutoff, self.documents)
        test = self._test(batch, reading)
        iterations = reading.iterations if cutoff is None else np.full(len(test), float(cutoff))
        result = np.zeros(len(test))
        for used in np.unique(iterations).tolist():
            here = iterations == used
            water = self._bound(batch, used)[batch.held.topic]
            result[here] = share(test, water / self.height / max(used, 1.0))[here]
        return result

    def _bound(self, batch: Batch, iterations: float) -> Floats:
        """Of each topic: water of its best ratings, at most 5 * iterations + 1 of an intent."""
        ideal, relevance = batch.yardstick.intents.best, batch.yardstick.relevance
        first = 0.0 if self.bound == "tight" else 1.0
        poured = self._fill(ideal.g * power(self.gamma, ideal.r - first), ideal.start)
        late = ideal.r > 5 * iterations + 1
        filled = totals(ideal.row, np.where(late, 0.0, poured), len(ideal))
        topic = relevance.topic_of_intent
        return totals(topic, filled / relevance.intent_count[topic], len(relevance.topics))


def _cut_once(measure: Measure) -> None:
    if measure["documents"] is not None and measure.cutoff is not None:
        raise MeasureError(
            f"{measure.name}: cut documents (documents=k) or iterations (@k), not both"
        )


_OWN: tuple[Parameter, ...] = (
    number("gamma", 0.5, "what each further document for an intent is worth", high=1.0),
    number("height", 5.0, "how much an intent can take", above=True),
    count("documents", None, "cut after so many documents, in place of iterations"),
)
_TRAITS = Traits(monotone=False, needs_ideal=False, uses_probabilities=False)
#: a rating is a grade, whatever gains other measures make of it
_KEEPS = Keeps(gain=Gain("linear"))
_CITATION = "Luo et al. 2013; Yang et al. 2016"

FAMILIES: tuple[Family, ...] = (
    Family(
        "CT",
        CubeTest,
        _TRAITS,
        "(1/m) sum_i min(height, sum rating gamma^n) / height / iterations",
        "Cube Test: what is known of each intent, per iteration",
        _CITATION,
        _OWN,
        counts="iterations",
        keeps=_KEEPS,
        rule=_cut_once,
        group="cube",
    ),
    Family(
        "ACT",
        AverageCubeTest,
        _TRAITS,
        "mean over documents of CT, each with the iterations so far",
        "average Cube Test",
        _CITATION,
        _OWN,
        counts="iterations",
        keeps=_KEEPS,
        rule=_cut_once,
        group="cube",
    ),
    Family(
        "nCT",
        NormalisedCubeTest,
        Traits(range=(0.0, None), monotone=False, uses_probabilities=False),
        "CT / bound, bound = (1/m) sum_i min(height, sum rating_(n) gamma^n) / (height cutoff)",
        "normalised Cube Test",
        _CITATION,
        (
            *_OWN,
            choice("bound", "jig", ("jig", "tight"), "gamma^n from n = 0, or from 1 as gains are"),
        ),
        counts="iterations",
        keeps=_KEEPS,
        rule=_cut_once,
        group="cube",
    ),
)
