"""Values taken apart: what each rank adds to a measure's number, and how its parts make it.

The terms are those that the formulas add up. A formula that is no sum (a geometric mean, a rounded
value, a Cube Test) has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from polyseme.groups import Bools, Floats, Ints
from polyseme.measures.batch import Batch
from polyseme.measures.formulas import (
    IA,
    AdHoc,
    ByType,
    Cut,
    D,
    Effort,
    Formula,
    Geometric,
    IRec,
    Less,
    Mix,
    PerRelevant,
    Ratio,
    Scaled,
    Sum,
    TopOnly,
    share,
)
from polyseme.measures.parts import Part, Relevant, power
from polyseme.measures.walk import Walk


@dataclass(frozen=True, eq=False)
class Terms:
    """Terms of a sum: the row of a walk that each belongs to, its rank, and its value."""

    row: Ints
    rank: Ints
    value: Floats

    def times(self, factor: Floats | float) -> Terms:
        """The terms times a factor for all, or one for each row."""
        by = factor if isinstance(factor, float) else factor[self.row]
        return Terms(self.row, self.rank, self.value * by)

    def of_rows(self, chosen: Bools) -> Terms:
        kept = chosen[self.row]
        return Terms(self.row[kept], self.rank[kept], self.value[kept])

    def by_rank(self) -> dict[int, float]:
        """What each rank adds, over all rows."""
        added: dict[int, float] = {}
        for rank, value in zip(self.rank.tolist(), self.value.tolist(), strict=True):
            added[rank] = added.get(rank, 0.0) + value
        return added


def _together(first: Terms | None, second: Terms | None) -> Terms | None:
    if first is None or second is None:
        return None
    return Terms(
        np.concatenate([first.row, second.row]),
        np.concatenate([first.rank, second.rank]),
        np.concatenate([first.value, second.value]),
    )


def _times(terms: Terms | None, factor: Floats | float) -> Terms | None:
    return None if terms is None else terms.times(factor)


# ---- one list of gains --------------------------------------------------------------------------


@singledispatch
def row_terms(formula: Formula, walk: Walk, cutoff: int | None) -> Terms | None:
    """The terms of a formula for one list of gains, on every row of a walk."""
    return None


@row_terms.register
def _(formula: Sum, walk: Walk, cutoff: int | None) -> Terms | None:
    steps = formula.steps(walk, cutoff)
    value = formula.stop.column(steps, cutoff) * formula.utility.column(steps, cutoff)
    inside = np.ones(len(steps.r), np.bool_) if cutoff is None else steps.r <= cutoff
    return Terms(steps.row[inside], steps.r[inside].astype(np.int64), value[inside])


@row_terms.register
def _(formula: PerRelevant, walk: Walk, cutoff: int | None) -> Terms | None:
    above = row_terms(Sum(Relevant(), formula.utility), walk, cutoff)
    among = walk.within(cutoff if formula.norm == "cutoff" else None)
    return _times(above, share(np.ones(len(among)), among))


@row_terms.register
def _(formula: Ratio, walk: Walk, cutoff: int | None) -> Terms | None:
    best, row = walk.best
    below = formula.below.rows(best, cutoff)[row]
    return _times(row_terms(formula.above, walk, cutoff), share(np.ones(len(below)), below))


@row_terms.register
def _(formula: Mix, walk: Walk, cutoff: int | None) -> Terms | None:
    return _together(
        _times(row_terms(formula.first, walk, cutoff), formula.share),
        _times(row_terms(formula.second, walk, cutoff), 1.0 - formula.share),
    )


@row_terms.register
def _(formula: Scaled, walk: Walk, cutoff: int | None) -> Terms | None:
    return _times(row_terms(formula.formula, walk, cutoff), formula.factor)


@row_terms.register
def _(formula: Cut, walk: Walk, cutoff: int | None) -> Terms | None:
    return row_terms(formula.formula, walk, formula.cutoff)


# ---- a topic with all its intents ---------------------------------------------------------------


@singledispatch
def terms_of(formula: Formula, batch: Batch, cutoff: int | None) -> Terms | None:
    """The terms of a formula on a single list; None where its value is no sum."""
    return None


@terms_of.register
def _(formula: AdHoc, batch: Batch, cutoff: int | None) -> Terms | None:
    return row_terms(formula.formula, batch.adhoc, cutoff)


@terms_of.register
def _(formula: D, batch: Batch, cutoff: int | None) -> Terms | None:
    return row_terms(formula.formula, batch.overall(formula.rounding), cutoff)


@terms_of.register
def _(formula: IA, batch: Batch, cutoff: int | None) -> Terms | None:
    walk, each = batch.intents, formula.formula
    if isinstance(each, ByType):
        informational = row_terms(each.informational, walk, cutoff)
        navigational = row_terms(each.navigational, walk, cutoff)
        if informational is None or navigational is None:
            return None
        found = _together(
            informational.of_rows(~batch.navigational), navigational.of_rows(batch.navigational)
        )
    else:
        found = row_terms(each, walk, cutoff)
    return _times(found, batch.weights(formula.weights))


@terms_of.register
def _(formula: IRec, batch: Batch, cutoff: int | None) -> Terms | None:
    """An intent counts where it is found first."""
    walk = batch.intents
    found = walk.I > 0 if cutoff is None else (walk.I > 0) & (walk.r <= cutoff)
    row, first = np.unique(walk.row[found], return_index=True)
    rank = walk.r[found][first].astype(np.int64)
    return Terms(row, rank, np.full(len(row), 1.0 / max(int(batch.intent_count[0]), 1)))


@terms_of.register
def _(formula: Ratio, batch: Batch, cutoff: int | None) -> Terms | None:
    below = _below(formula, batch, cutoff)
    above = terms_of(formula.above, batch, cutoff)
    return _times(above, 1.0 / below if below > 0 else 0.0)


@terms_of.register
def _(formula: Mix, batch: Batch, cutoff: int | None) -> Terms | None:
    return _together(
        _times(terms_of(formula.first, batch, cutoff), formula.share),
        _times(terms_of(formula.second, batch, cutoff), 1.0 - formula.share),
    )


@terms_of.register
def _(formula: Scaled, batch: Batch, cutoff: int | None) -> Terms | None:
    return _times(terms_of(formula.formula, batch, cutoff), formula.factor)


@terms_of.register
def _(formula: Less, batch: Batch, cutoff: int | None) -> Terms | None:
    return _together(
        terms_of(formula.formula, batch, cutoff),
        _times(terms_of(formula.cost, batch, cutoff), -formula.factor),
    )


@terms_of.register
def _(formula: Cut, batch: Batch, cutoff: int | None) -> Terms | None:
    return terms_of(formula.formula, batch, formula.cutoff)


@terms_of.register
def _(formula: TopOnly, batch: Batch, cutoff: int | None) -> Terms | None:
    held = batch.cut(formula.depth) if cutoff is None else batch
    return terms_of(formula.formula, held, cutoff)


@terms_of.register
def _(formula: Effort, batch: Batch, cutoff: int | None) -> Terms | None:
    depth = int(batch.length[0])
    if cutoff is not None:
        depth = cutoff if formula.to_cutoff else min(depth, cutoff)
    rank = np.arange(1, depth + 1)
    worth = power(formula.discount.p, rank.astype(np.float64) - formula.discount.offset)
    return Terms(np.zeros(depth, dtype=np.int64), rank, worth)


def _below(formula: Ratio, batch: Batch, cutoff: int | None) -> float:
    depth = formula.below.cutoff if isinstance(formula.below, Cut) else cutoff
    return float(batch.on_ideal(formula.below, formula.ideal, depth)[0])


# ---- how a value is made of others --------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """A value on the way to a measure's number; the steps below it have a deeper level."""

    level: int
    name: str
    value: float


def steps_of(formula: Formula, batch: Batch, cutoff: int | None, level: int = 0) -> Iterator[Step]:
    """How the value of a single list is made, from the whole to its parts."""
    yield Step(level, _named(formula), float(batch.value(formula, cutoff)[0]))
    yield from _parts(formula, batch, cutoff, level + 1)


@singledispatch
def _parts(formula: Formula, batch: Batch, cutoff: int | None, level: int) -> Iterable[Step]:
    return ()


@_parts.register
def _(formula: Mix, batch: Batch, cutoff: int | None, level: int) -> Iterable[Step]:
    for part in (formula.first, formula.second):
        yield from steps_of(part, batch, cutoff, level)


@_parts.register
def _(formula: Less, batch: Batch, cutoff: int | None, level: int) -> Iterable[Step]:
    yield from steps_of(formula.formula, batch, cutoff, level)
    yield from steps_of(formula.cost, batch, cutoff, level)


@_parts.register
def _(formula: Scaled, batch: Batch, cutoff: int | None, level: int) -> Iterable[Step]:
    yield from steps_of(formula.formula, batch, cutoff, level)


@_parts.register(Cut)
@_parts.register(TopOnly)
def _(formula: Cut | TopOnly, batch: Batch, cutoff: int | None, level: int) -> Iterable[Step]:
    if isinstance(formula, Cut):
        yield from steps_of(formula.formula, batch, formula.cutoff, level)
    else:
        held = batch.cut(formula.depth) if cutoff is None else batch
        yield from steps_of(formula.formula, held, cutoff, level)


@_parts.register
def _(formula: Ratio, batch: Batch, cutoff: int | None, level: int) -> Iterable[Step]:
    yield Step(level, "the list", float(batch.value(formula.above, cutoff)[0]))
    yield Step(level, "the ideal list", _below(formula, batch, cutoff))


@_parts.register(IA)
@_parts.register(Geometric)
def _(formula: IA | Geometric, batch: Batch, cutoff: int | None, level: int) -> Iterable[Step]:
    weights = batch.weights(formula.weights if isinstance(formula, IA) else "uniform").tolist()
    names = [batch.yardstick.relevance.intents[intent] for intent in batch.intent_of_row.tolist()]
    values = formula.each(batch, cutoff).tolist()
    for name, weight, value in zip(names, weights, values, strict=True):
        yield Step(level, f"intent {name}, weight {weight:.4g}", value)


@_parts.register(D)
@_parts.register(AdHoc)
def _(formula: D | AdHoc, batch: Batch, cutoff: int | None, level: int) -> Iterable[Step]:
    inner = formula.formula
    if not isinstance(inner, Ratio):
        return
    walk = batch.overall(formula.rounding) if isinstance(formula, D) else batch.adhoc
    best, row = walk.best
    yield Step(level, "the list", float(inner.above.rows(walk, cutoff)[0]))
    yield Step(level, "the ideal list", float(inner.below.rows(best, cutoff)[row][0]))


@singledispatch
def _named(formula: Formula) -> str:
    """A formula in words."""
    return type(formula).__name__


@_named.register
def _(formula: Mix) -> str:
    return f"{formula.share:g} times the first and {1 - formula.share:g} times the second"


@_named.register
def _(formula: Less) -> str:
    return f"the first less {formula.factor:g} times the second"


@_named.register
def _(formula: Scaled) -> str:
    return f"{formula.factor:g} times"


@_named.register
def _(formula: IRec) -> str:
    return "share of the intents that are found"


@_named.register
def _(formula: IA) -> str:
    return f"sum over intents of {_named(formula.formula)}"


@_named.register
def _(formula: Geometric) -> str:
    return f"geometric mean over intents of {_named(formula.formula)}"


@_named.register
def _(formula: D) -> str:
    return f"on the global gain, {_named(formula.formula)}"


@_named.register
def _(formula: AdHoc) -> str:
    return f"on one grade a document, {_named(formula.formula)}"


@_named.register
def _(formula: Ratio) -> str:
    return f"{_named(formula.above)}, over that of the ideal list"


@_named.register
def _(formula: Sum) -> str:
    return f"sum of {_part(formula.stop)} x {_part(formula.utility)}"


@_named.register
def _(formula: PerRelevant) -> str:
    return f"mean over relevant documents of {_part(formula.utility)}"


@_named.register
def _(formula: Cut) -> str:
    return f"{_named(formula.formula)}, to rank {formula.cutoff or 'the end'}"


@_named.register
def _(formula: TopOnly) -> str:
    return f"of the top {formula.depth}"


@_named.register
def _(formula: ByType) -> str:
    informational, navigational = _named(formula.informational), _named(formula.navigational)
    return f"{informational} (informational) or {navigational} (navigational)"


@_named.register
def _(formula: Effort) -> str:
    return "effort of reading"


def _part(part: Part) -> str:
    """A part as its formula: what its docstring begins with."""
    formula = str(part.__doc__ or type(part).__name__).partition("\n")[0].partition(":")[0]
    return formula.partition(" = ")[0].partition(" (")[0].rstrip(".")
