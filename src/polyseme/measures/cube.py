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
from polyseme.groups import Floats, Ints, counts, totals
from polyseme.kernels import running_sum
from polyseme.measures.batch import Batch
from polyseme.measures.formulas import Formula, share
from polyseme.measures.gains import Gain
from polyseme.measures.measure import Family, Keeps, Measure, Traits
from polyseme.measures.parameters import Parameter, choice, count, number


@dataclass(frozen=True, eq=False)
class _Reading:
    """How far each list was read: the last rank, and documents and iterations on the way."""

    last: Ints
    iterations: Floats
    #: of each iteration read: its list, its number from 1, its last rank, its documents
    owner: Ints
    number: Floats
    end: Ints
    documents: Floats


def _reading(batch: Batch, iterations: int | None, documents: int | None) -> _Reading:
    """An iteration without documents counts as one with a single non-relevant document."""
    lists = batch.held
    if lists.iteration_start is None or lists.iteration_end is None:
        start, end = np.arange(len(lists) + 1), lists.length
    else:
        start, end = lists.iteration_start, lists.iteration_end
    owner = np.repeat(np.arange(len(lists)), np.diff(start))
    number = np.arange(len(end)) - start[:-1][owner] + 1
    begin = np.where(number == 1, 0, np.roll(end, 1))
    if documents is not None:
        end, begin = np.minimum(end, documents), np.minimum(begin, documents)
    # an iteration beyond the documents read was not read; an empty one between read ones was
    read = (number == 1) | (
        begin < (lists.length if documents is None else np.minimum(lists.length, documents))[owner]
    )
    if iterations is not None:
        read &= number <= iterations
    owner, number, begin, end = owner[read], number[read], begin[read], end[read]
    last = np.zeros(len(lists), dtype=np.int64)
    np.maximum.at(last, owner, end)
    return _Reading(
        last=last,
        iterations=counts(owner, len(lists)).astype(np.float64),
        owner=owner,
        number=number.astype(np.float64),
        end=end,
        documents=np.maximum(end - begin, 1).astype(np.float64),
    )


@dataclass(frozen=True)
class _Cube(Formula):
    gamma: float = 0.5
    height: float = 5.0
    documents: int | None = None

    def _water(self, batch: Batch, reading: _Reading) -> tuple[Ints, Floats, Floats]:
        """Of every document that adds to an intent: its list, its rank, and what it adds."""
        walk = batch.intents
        poured = running_sum(walk.g * self.gamma**walk.C, walk.start)
        capped = np.minimum(poured, self.height)
        before = np.concatenate([[0.0], capped[:-1]])
        before[walk.start[:-1][walk.start[:-1] < len(before)]] = 0.0
        owner = batch.list_of_row[walk.row]
        inside = walk.r <= reading.last[owner]
        added = (capped - before) / np.maximum(batch.intent_count[owner], 1)
        return owner[inside], walk.r[inside], added[inside]


@dataclass(frozen=True)
class CubeTest(_Cube):
    """CT: all water / height / iterations."""

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        reading = _reading(batch, cutoff, self.documents)
        owner, _, added = self._water(batch, reading)
        total = totals(owner, added, len(batch.held))
        return share(total, self.height * reading.iterations)


@dataclass(frozen=True)
class AverageCubeTest(_Cube):
    """ACT: the mean of CT over documents, each with the iterations so far."""

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        reading = _reading(batch, cutoff, self.documents)
        owner, rank, added = self._water(batch, reading)
        count = len(batch.held)
        # water poured at a rank counts for that document and all later ones: 1 / iteration each
        later = reading.documents / reading.number
        from_here = np.cumsum(later[::-1])[::-1]
        first = np.searchsorted(reading.owner, np.arange(count + 1))
        beyond = np.append(from_here, 0.0)[first[1:]]
        place = np.searchsorted(
            reading.owner * (1 << 40) + reading.end, owner * (1 << 40) + rank.astype(np.int64)
        )
        remaining = (reading.end[place] - rank + 1) / reading.number[place]
        weight = remaining + from_here[place] - later[place] - beyond[owner]
        total = totals(owner, added * weight, count)
        documents = totals(reading.owner, reading.documents, count)
        return share(total, self.height * documents)


@dataclass(frozen=True)
class NormalisedCubeTest(_Cube):
    """nCT: CT over a bound, made from the best ratings of each intent."""

    bound: Literal["jig", "tight"] = "jig"

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        reading = _reading(batch, cutoff, self.documents)
        ct = CubeTest(self.gamma, self.height, self.documents).lists(batch, cutoff)
        iterations = reading.iterations if cutoff is None else np.full(len(ct), float(cutoff))
        ideal = batch.yardstick.ideal_intents
        # intents' ratings fill their columns with the first 5 * cutoff + 1 documents at most
        late = ideal.r[:, None] > 5 * np.unique(iterations)[None, :] + 1
        poured = ideal.g * self.gamma ** (ideal.r - (0.0 if self.bound == "tight" else 1.0))
        relevance = batch.yardstick.relevance
        result = np.zeros(len(ct))
        for index, used in enumerate(np.unique(iterations).tolist()):
            filled = totals(ideal.row, np.where(late[:, index], 0.0, poured), len(ideal))
            water = totals(
                relevance.topic_of_intent,
                np.minimum(filled, self.height),
                len(relevance.topics),
            ) / np.maximum(relevance.intent_count, 1)
            here = iterations == used
            bound = water[batch.held.topic] / (self.height * used)
            result[here] = share(ct, bound)[here]
        return result


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
