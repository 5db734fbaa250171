"""How parts become a measure.

Two kinds of formula: one for a single ranked list of gains (``row``: as one intent, the global
gain or ad hoc judgments see it), and one for the lists of a topic with all its intents
(``lists``). ``IA``, ``D`` and ``AdHoc`` turn the first kind into the second; ``Over`` and ``Mix``
serve both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from polyseme.errors import MeasureError
from polyseme.groups import Floats
from polyseme.measures.ideals import Best, Ideal, Weighting
from polyseme.measures.parts import Part, Power, Relevant, Support, power
from polyseme.measures.rounding import Rounding, written
from polyseme.measures.walk import Walk
from polyseme.values import Value

if TYPE_CHECKING:
    from polyseme.measures.batch import Batch

Level = Literal["row", "lists"]


class Formula(Value):
    """Anything that gives a number for each row of a walk, or for each list of a batch."""

    @property
    def level(self) -> Level:
        """Does it score one list of gains (``row``) or a topic with all its intents (``lists``)?"""
        return "lists"

    def rows(self, walk: Walk, cutoff: int | None) -> Floats:
        raise MeasureError(
            f"{type(self).__name__} scores a topic with all its intents; "
            "it cannot stand where a formula for one list of gains is wanted"
        )

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        raise MeasureError(
            f"{type(self).__name__} scores one list of gains; "
            "put it into IA(...), D(...) or AdHoc(...)"
        )


def share(above: Floats, below: Floats) -> Floats:
    """A quotient that is 0 where there is nothing to divide by."""
    return np.divide(above, below, out=np.zeros(len(above)), where=below > 0)


# ---- one list of gains --------------------------------------------------------------------------


class Sum(Formula):
    """sum_r stop(r) * utility(r), down to the cutoff."""

    stop: Part
    utility: Part

    @property
    def level(self) -> Level:
        return "row"

    @property
    def support(self) -> Support:
        supports = (self.stop.support, self.utility.support)
        if "end" in supports:
            return "end"
        return "hits" if "hits" in supports else "ranks"

    def steps(self, walk: Walk, cutoff: int | None) -> Walk:
        """The walk that this sum needs: hits where it vanishes elsewhere, else every rank."""
        if self.support == "hits":
            return walk
        return walk.end(cutoff) if self.support == "end" else walk.every_rank(cutoff)

    def rows(self, walk: Walk, cutoff: int | None) -> Floats:
        steps = self.steps(walk, cutoff)
        return steps.total(self.stop.on(steps, cutoff), cutoff, self.utility.on(steps, cutoff))


class PerRelevant(Formula):
    """sum_r I(r) utility(r), divided in the end by min(l, R) or by R.

    The same as a sum over ``EachRelevant``, rounded as programs round that divide once.
    """

    utility: Part
    norm: Literal["cutoff", "R"] = "cutoff"

    @property
    def level(self) -> Level:
        return "row"

    def rows(self, walk: Walk, cutoff: int | None) -> Floats:
        above = Sum(Relevant(), self.utility).rows(walk, cutoff)
        return share(above, walk.within(cutoff if self.norm == "cutoff" else None))


class ByType(Formula):
    """One formula for informational intents, another for navigational ones; see ``IA``."""

    informational: Formula
    navigational: Formula

    @property
    def level(self) -> Level:
        return "row"


# ---- both ---------------------------------------------------------------------------------------


class Ratio(Formula):
    """One formula on the list over another on its ideal list."""

    above: Formula
    below: Formula
    ideal: Ideal

    def __repr__(self) -> str:
        if self.above == self.below:
            return f"Over({self.above!r}, {self.ideal!r})"
        return super().__repr__()

    @property
    def level(self) -> Level:
        return self.above.level

    def rows(self, walk: Walk, cutoff: int | None) -> Floats:
        if not isinstance(self.ideal, Best):
            raise MeasureError(f"{self.ideal} is an ideal for a topic with all its intents")
        best, row = walk.best
        below = best.column((self.below, cutoff), lambda: self.below.rows(best, cutoff))
        return share(self.above.rows(walk, cutoff), below[row])

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        depth = self.below.cutoff if isinstance(self.below, Cut) else cutoff
        below = batch.on_ideal(self.below, self.ideal, depth)
        return share(batch.value(self.above, cutoff), below)


def Over(formula: Formula, ideal: Ideal) -> Ratio:
    """A formula over its own value on the ideal list."""
    return Ratio(formula, formula, ideal)


class Mix(Formula):
    """share * first + (1 - share) * second."""

    share: float
    first: Formula
    second: Formula

    @property
    def level(self) -> Level:
        return self.first.level

    def rows(self, walk: Walk, cutoff: int | None) -> Floats:
        first, second = self.first.rows(walk, cutoff), self.second.rows(walk, cutoff)
        return self.share * first + (1.0 - self.share) * second

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        first, second = batch.value(self.first, cutoff), batch.value(self.second, cutoff)
        return self.share * first + (1.0 - self.share) * second


class Scaled(Formula):
    """A formula times a constant."""

    factor: float
    formula: Formula

    @property
    def level(self) -> Level:
        return self.formula.level

    def rows(self, walk: Walk, cutoff: int | None) -> Floats:
        return self.factor * self.formula.rows(walk, cutoff)

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        return self.factor * batch.value(self.formula, cutoff)


class Rounded(Formula):
    """A formula's value as a program reads it that was printed with so many decimals."""

    decimals: int
    formula: Formula

    @property
    def level(self) -> Level:
        return self.formula.level

    def rows(self, walk: Walk, cutoff: int | None) -> Floats:
        return written(self.formula.rows(walk, cutoff), f"%.{self.decimals}f")

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        return written(batch.value(self.formula, cutoff), f"%.{self.decimals}f")


class TopOnly(Formula):
    """A formula on lists cut at a depth, as if nothing below had been retrieved.

    A measure with a cutoff has its own depth.
    """

    depth: int
    formula: Formula

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        held = batch.cut(self.depth) if cutoff is None else batch
        return held.value(self.formula, cutoff)


class Less(Formula):
    """A formula less a constant times another."""

    formula: Formula
    factor: float
    cost: Formula

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        return batch.value(self.formula, cutoff) - self.factor * batch.value(self.cost, cutoff)


class Cut(Formula):
    """A formula at a cutoff of its own, whatever the measure's."""

    formula: Formula
    cutoff: int | None

    @property
    def level(self) -> Level:
        return self.formula.level

    def rows(self, walk: Walk, cutoff: int | None) -> Floats:
        return self.formula.rows(walk, self.cutoff)

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        return batch.value(self.formula, self.cutoff)


# ---- a topic with all its intents ---------------------------------------------------------------


class AdHoc(Formula):
    """A formula on one grade for each document: intents do not count."""

    formula: Formula

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        return self.formula.rows(batch.adhoc, cutoff)


class D(Formula):
    """A formula on the global gain G(d) = sum_i Pr(i) g_i(d) (Sakai and Song 2011)."""

    formula: Formula
    rounding: Rounding | None = None

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        return self.formula.rows(batch.overall(self.rounding), cutoff)


class IA(Formula):
    """sum_i Pr(i) M_i: a formula for each intent, weighed (Agrawal et al. 2009)."""

    formula: Formula
    weights: Weighting = "probability"

    def each(self, batch: Batch, cutoff: int | None) -> Floats:
        """The values of every list for every intent of its topic."""
        if not isinstance(self.formula, ByType):
            return self.formula.rows(batch.intents, cutoff)
        return np.where(
            batch.navigational,
            self.formula.navigational.rows(batch.intents, cutoff),
            self.formula.informational.rows(batch.intents, cutoff),
        )

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        each = self.each(batch, cutoff)
        if self.weights == "uniform":
            # dividing once, as programs do, keeps the last digit
            return batch.over_intents(each) / np.maximum(batch.intent_count, 1)
        return batch.over_intents(each, batch.weights(self.weights))


class Geometric(Formula):
    """exp(mean_i log max(M_i, floor)): the geometric mean over intents."""

    formula: Formula
    floor: float = 1e-5

    def each(self, batch: Batch, cutoff: int | None) -> Floats:
        return self.formula.rows(batch.intents, cutoff)

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        raised = np.maximum(self.each(batch, cutoff), self.floor)
        with np.errstate(divide="ignore"):
            logs = np.log(raised)
        mean = batch.over_intents(logs, batch.weights("uniform"))
        return np.where(batch.intent_count > 0, np.exp(mean), 0.0)


class IRec(Formula):
    """I-rec: the share of the intents with a relevant document."""

    def each(self, batch: Batch, cutoff: int | None) -> Floats:
        return batch.intents.begun(cutoff).astype(np.float64)

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        found = batch.over_intents(self.each(batch, cutoff))
        return found / np.maximum(batch.intent_count, 1)


class Effort(Formula):
    """sum of a discount p^(r - offset) over the ranks that were read: min(l, length), or l."""

    discount: Power
    to_cutoff: bool = False

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        depth = batch.length
        if cutoff is not None:
            depth = (
                np.full(len(depth), float(cutoff)) if self.to_cutoff else np.minimum(depth, cutoff)
            )
        p = self.discount.p
        first = float(p ** (1.0 - self.discount.offset))
        return first * depth if p == 1.0 else first * (1.0 - power(p, depth)) / (1.0 - p)
