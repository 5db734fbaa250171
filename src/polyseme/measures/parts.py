"""The parts of a measure: where users stop, what they have gained there, and discounts.

A part is pointwise over the columns of a walk. Its support says where it can differ from 0:
``hits`` only where a relevant document stands, ``ranks`` anywhere, ``end`` only at the cutoff.
"""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from polyseme.groups import Floats
from polyseme.measures.walk import Walk
from polyseme.values import Value

Support = Literal["hits", "ranks", "end"]


class Part(Value):
    """One factor of a sum down the list. Subclass it with a ``column`` to make your own."""

    support: ClassVar[Support] = "ranks"
    #: does the part need to know relevant documents that are not in the list (R or the ideal)?
    needs_ideal: ClassVar[bool] = False
    #: may its column differ from one cutoff to another?
    looks_at_cutoff: ClassVar[bool] = True

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        raise NotImplementedError

    def on(self, walk: Walk, cutoff: int | None) -> Floats:
        """The column, which measures that share the part and the walk share too."""
        key = (self, cutoff if self.looks_at_cutoff else None)
        return walk.column(key, lambda: self.column(walk, cutoff))


def power(base: float, exponent: Floats) -> Floats:
    """One number to many powers; 0 to the 0 is 1."""
    return np.asarray(np.power(base, exponent), dtype=np.float64)


def power_of_count(base: float, count: Floats) -> Floats:
    """The same for exponents that count something: each power is worked out once."""
    most = int(count.max(initial=0.0))
    if most > len(count):
        return power(base, count)
    return power(base, np.arange(most + 1.0))[count.astype(np.int64)]


def preferred(walk: Walk, cutoff: int | None) -> Floats:
    """C(rp) at each step: how many relevant documents stand down to the first best one."""
    best = (walk.I > 0) & (walk.g == walk.of_step(walk.peak(walk.g, cutoff)))
    # C grows with r, so the largest reciprocal among the best is the first one's
    share = walk.peak(np.where(best, 1.0 / np.maximum(walk.C, 1.0), 0.0), cutoff)
    count = np.divide(1.0, share, out=np.zeros(len(share)), where=share > 0)
    return walk.of_step(np.rint(count))


# ---- where users stop -------------------------------------------------------------------------


class Cascade(Part):
    """P_ERR(r) = s(r) prod_{k<r} (1 - s(k)), s(r) = g(r) / (gmax + 1) (Chapelle et al. 2009)."""

    support: ClassVar[Support] = "hits"
    looks_at_cutoff: ClassVar[bool] = False

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        return walk.s * walk.alive


class Persistence(Part):
    """(1 - p) p^(r-1): at every rank, go on with probability p (Moffat and Zobel 2008)."""

    p: float = 0.99
    looks_at_cutoff: ClassVar[bool] = False

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        return walk.by_rank(lambda r: (1.0 - self.p) * power(self.p, np.maximum(r, 1.0) - 1.0))


class EachRelevant(Part):
    """I(r) / min(l, R), or I(r) / R: users stop at relevant documents, all equally likely."""

    norm: Literal["cutoff", "R"] = "cutoff"
    support: ClassVar[Support] = "hits"
    needs_ideal: ClassVar[bool] = True

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        among = walk.within(cutoff if self.norm == "cutoff" else None)
        share = np.divide(1.0, among, out=np.zeros(len(among)), where=among > 0)
        return walk.of_step(share) * walk.I  # I is 0 or 1


class FirstRelevant(Part):
    """Everybody stops at the first relevant document."""

    support: ClassVar[Support] = "hits"
    looks_at_cutoff: ClassVar[bool] = False

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        return np.where(walk.C == 1.0, walk.I, 0.0)


class UpToPreferred(Part):
    """I(r) / C(rp) down to rp, the first rank that holds the list's largest gain (P-plus)."""

    support: ClassVar[Support] = "hits"

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        at = preferred(walk, cutoff)
        return np.where(at >= walk.C, walk.I / np.maximum(at, 1.0), 0.0)


class Preferred(Part):
    """Everybody stops at rp, the first rank that holds the list's largest gain (P-measure)."""

    support: ClassVar[Support] = "hits"

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        at = preferred(walk, cutoff)
        return np.where(at == walk.C, walk.I, 0.0)


class Relevant(Part):
    """I(r): every relevant document counts."""

    support: ClassVar[Support] = "hits"
    looks_at_cutoff: ClassVar[bool] = False

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        return walk.I


class Fading(Part):
    """I(r) p^(C(r)-1): each relevant document counts for less than the one before."""

    p: float = 0.95
    support: ClassVar[Support] = "hits"
    looks_at_cutoff: ClassVar[bool] = False

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        return walk.I * power_of_count(self.p, np.maximum(walk.C - 1.0, 0.0))


class AtCutoff(Part):
    """Everybody stops at the cutoff."""

    support: ClassVar[Support] = "end"
    looks_at_cutoff: ClassVar[bool] = False

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        return np.ones(len(walk.r))


# ---- what they have gained there --------------------------------------------------------------


class Gained(Part):
    """g(r): the gain at the rank."""

    support: ClassVar[Support] = "hits"
    looks_at_cutoff: ClassVar[bool] = False

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        return walk.g


class GainShare(Part):
    """g(r) / gmax: the gain as a share of the largest possible one."""

    support: ClassVar[Support] = "hits"
    looks_at_cutoff: ClassVar[bool] = False

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        gmax = walk.of_step(walk.gmax)
        return np.divide(walk.g, gmax, out=np.zeros(len(gmax)), where=gmax > 0)


class Novelty(Part):
    """g(r) (1 - alpha)^c(r), c(r) the relevant documents above r (Clarke et al. 2008)."""

    alpha: float = 0.5
    support: ClassVar[Support] = "hits"
    looks_at_cutoff: ClassVar[bool] = False

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        return walk.g * power_of_count(1.0 - self.alpha, walk.C - walk.I)


class OnlyFirst(Part):
    """g(r) at the first relevant document, 0 below: a navigational intent is satisfied once."""

    support: ClassVar[Support] = "hits"
    looks_at_cutoff: ClassVar[bool] = False

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        return np.where(walk.I * walk.C == 1.0, walk.g, 0.0)


class BlendedRatio(Part):
    """BR(r) = (C(r) + beta cg(r)) / (r + beta cg*(r)) (Sakai 2004)."""

    beta: float = 1.0
    needs_ideal: ClassVar[bool] = True
    looks_at_cutoff: ClassVar[bool] = False

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        above = walk.C + self.beta * walk.cg
        return above / np.maximum(walk.r + self.beta * walk.cg_star, 1.0)


class Precision(Part):
    """C(r) / r, or C(r) / min(r, length)."""

    norm: Literal["cutoff", "length"] = "cutoff"
    looks_at_cutoff: ClassVar[bool] = False

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        depth = walk.r
        if self.norm == "length":
            depth = np.minimum(depth, walk.of_step(walk.length))
        return walk.C / np.maximum(depth, 1.0)


# ---- discounts, which serve as either -----------------------------------------------------------


class Reciprocal(Part):
    """1 / r."""

    looks_at_cutoff: ClassVar[bool] = False

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        return walk.by_rank(lambda r: 1.0 / np.maximum(r, 1.0))


class Log2(Part):
    """1 / log2(r + 1) (Burges et al. 2005)."""

    looks_at_cutoff: ClassVar[bool] = False

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        return walk.by_rank(lambda r: 1.0 / np.log2(np.maximum(r, 1.0) + 1.0))


class LateLog2(Part):
    """1 at ranks 1 and 2, then 1 / log2 r (Jarvelin and Kekalainen 2002)."""

    looks_at_cutoff: ClassVar[bool] = False

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        return walk.by_rank(lambda r: 1.0 / np.log2(np.maximum(r, 2.0)))


class Power(Part):
    """p^(r - offset): p^r, or p^(r-1) with offset 1."""

    p: float = 0.99
    offset: int = 0
    looks_at_cutoff: ClassVar[bool] = False

    def column(self, walk: Walk, cutoff: int | None) -> Floats:
        return walk.by_rank(lambda r: power(self.p, np.maximum(r, 1.0) - self.offset))
