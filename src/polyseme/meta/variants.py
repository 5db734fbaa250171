"""The alpha#-IA family and D# at many parameters at once (Golbus et al. 2013, section 6.2).

A variant is lambda I-rec + (1 - lambda) A, where A has an alpha, a discount, a mean over intents
and a cutoff. All A of a list come out of one pass over its relevant documents; lambda is left to
whoever needs it, for it is linear.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from polyseme.collection.difficulty import miss_rate_weights
from polyseme.errors import PolysemeError
from polyseme.groups import Floats, Ints
from polyseme.measures.ideals import Greedy
from polyseme.measures.measure import Measure
from polyseme.measures.yardstick import Yardstick
from polyseme.meta.orders import RelevantDocuments, relevant_documents
from polyseme.trials import novelty_means

TENTHS = tuple(round(0.1 * n, 1) for n in range(11))
DISCOUNTS = ("ERR", "DCG", "RBP")
#: means over intents; D# has none, and no alpha
AVERAGES = ("cascade", "micro", "geom", "smr")
DSHARP = "D#"
#: so many factors of 1e-5 can be multiplied
_MANY_INTENTS = 50
_LABELS = {"ERR": "nERR", "DCG": "nDCG", "RBP": "nRBP"}
#: what the family of a variant says without a parameter
_SAID_BY_FAMILY: Mapping[str, Mapping[str, str]] = {
    "D#-cascade": {"average": DSHARP},
    **{f"alpha#-{label}-IA": {"discount": discount} for discount, label in _LABELS.items()},
}


@dataclass(frozen=True)
class Grid:
    """Which variants: all combinations of the parameters."""

    alphas: tuple[float, ...] = TENTHS
    lambdas: tuple[float, ...] = TENTHS
    discounts: tuple[str, ...] = DISCOUNTS
    averages: tuple[str, ...] = (*AVERAGES, DSHARP)
    cutoffs: tuple[int, ...] = (5, 10, 20)
    beta: float = 0.8
    floor: float = 1e-5

    def __post_init__(self) -> None:
        for name, given, known in (
            ("discount", self.discounts, DISCOUNTS),
            ("average", self.averages, (*AVERAGES, DSHARP)),
        ):
            wrong = [each for each in given if each not in known]
            if wrong or not given:
                raise PolysemeError(
                    f"each {name} must be one of {', '.join(known)}. "
                    f"Got {wrong[0] if wrong else 'none'!r} instead."
                )
        for letter, values in (("alpha", self.alphas), ("lambda", self.lambdas)):
            if not values or not all(0 <= value <= 1 for value in values):
                raise PolysemeError(f"each {letter} must be from 0 to 1. Got {values} instead.")
        if (
            not self.cutoffs
            or self.cutoffs[0] < 1
            or list(self.cutoffs) != sorted(set(self.cutoffs))
        ):
            raise PolysemeError(
                f"cutoffs must be 1 or more and ascend. Got {self.cutoffs} instead."
            )

    @property
    def depth(self) -> int:
        return max(self.cutoffs)

    @property
    def means(self) -> tuple[str, ...]:
        """The means over intents, without D#."""
        return tuple(each for each in self.averages if each != DSHARP)

    def discount_table(self) -> Floats:
        """Discounts x ranks."""
        r = np.arange(1.0, self.depth + 1.0)
        table = {"ERR": 1.0 / r, "DCG": 1.0 / np.log2(r + 1.0), "RBP": self.beta ** (r - 1.0)}
        return np.stack([table[name] for name in self.discounts])

    def powers(self) -> Floats:
        """(1 - alpha)^c: alphas x counts."""
        base = 1.0 - np.array(self.alphas)
        return np.asarray(base[:, None] ** np.arange(float(self.depth)))

    def name(self, average: str, discount: str, cutoff: int, alpha: float, lambda_: float) -> str:
        """How the catalogue calls a variant, defaults said or not."""
        said = [f"lambda={lambda_!r}"]
        if average == DSHARP:
            said.append(f"discount={discount}")
            name = "D#-cascade"
        else:
            said += [f"alpha={alpha!r}", f"average={average}"]
            name = f"alpha#-{_LABELS[discount]}-IA"
        if discount == "RBP":
            said.append(f"beta={self.beta!r}")
        if average == "geom":
            said.append(f"floor={self.floor!r}")
        return f"{name}({','.join(said)})@{cutoff}"


def parameter_of(measure: Measure, name: str) -> Any:
    """A parameter of the grid in a measure's name, or None where the measure has no such one."""
    held = measure.family.all_parameters
    if name == "average" and "weights" in held and measure["weights"] is not None:
        return "weights"
    if name in held:
        return measure[name]
    return _SAID_BY_FAMILY.get(measure.family.name, {}).get(name)


@dataclass(frozen=True, eq=False)
class TopicVariants:
    """One topic, ready to value lists of its relevant documents."""

    documents: RelevantDocuments
    grid: Grid
    #: gains of documents x intents
    gains: Floats
    #: means x intents x (cutoffs x alphas x discounts): a weight over the ideal's value
    scale: Floats
    #: global gain of each document, and the ideal's: cutoffs x discounts
    overall: Floats
    ideal_overall: Floats
    intents: int
    #: the topic's name
    name: str
    #: the mean over intents that multiplies, as a place in ``scale``; -1 for none
    product: int = field(default=-1)

    def irec(self, ranked: Ints) -> Floats:
        """Lists x cutoffs."""
        covers = np.concatenate([self.documents.covers, np.zeros_like(self.documents.covers[:1])])
        found = np.empty((len(ranked), len(self.grid.cutoffs)))
        for place, cutoff in enumerate(self.grid.cutoffs):
            seen = covers[ranked[:, :cutoff]].max(axis=1, initial=0)
            found[:, place] = seen.sum(axis=1) / self.intents
        return found

    def values(self, ranked: Ints) -> Floats:
        """A of lists (places of relevant documents by rank, -1 for others).

        Lists x means x cutoffs x alphas x discounts.
        """
        grid = self.grid
        # a product of many small factors would vanish before its root is taken
        late = self.intents <= _MANY_INTENTS
        found = novelty_means(
            ranked,
            self.gains,
            grid.powers(),
            grid.discount_table(),
            grid.cutoffs,
            self.scale,
            product=self.product,
            floor=grid.floor,
            root=1.0 if late else 1.0 / self.intents,
        )
        if self.product >= 0 and late:
            product = found[:, self.product]
            np.power(product, 1.0 / self.intents, out=product)
        shape = (len(grid.cutoffs), len(grid.alphas), len(grid.discounts))
        return found.reshape(len(ranked), len(grid.means), *shape)

    def all_values(self, ranked: Ints) -> Floats:
        """A of lists for all averages of the grid; that of D# is the same for all alphas."""
        values = self.values(ranked)
        if DSHARP not in self.grid.averages:
            return values
        alike = np.broadcast_to(
            self.d_values(ranked)[:, None, :, None, :], (*values.shape[:1], 1, *values.shape[2:])
        )
        place = self.grid.averages.index(DSHARP)
        return np.concatenate([values[:, :place], alike, values[:, place:]], axis=1)

    def d_values(self, ranked: Ints) -> Floats:
        """D of lists: lists x cutoffs x discounts."""
        table = self.grid.discount_table()
        gain = np.append(self.overall, 0.0)[ranked]
        found = np.empty((len(ranked), len(self.grid.cutoffs), len(table)))
        for place, cutoff in enumerate(self.grid.cutoffs):
            found[:, place] = gain[:, :cutoff] @ table[:, : gain[:, :cutoff].shape[1]].T
        return _share(found, self.ideal_overall)


def topic_variants(yardstick: Yardstick, grid: Grid) -> Iterator[TopicVariants]:
    """Every topic with a relevant document."""
    relevance = yardstick.relevance
    smr = miss_rate_weights(relevance) if "smr" in grid.averages else None
    greedy = (
        [_greedy(yardstick, alpha, grid.depth) for alpha in grid.alphas]
        if "cascade" in grid.averages
        else []
    )
    for documents in relevant_documents(relevance):
        yield _prepared(yardstick, grid, documents, smr, [each[documents.topic] for each in greedy])


def _greedy(yardstick: Yardstick, alpha: float, depth: int) -> list[Ints]:
    """Of each topic the rows of the greedy ideal list."""
    lists = yardstick.ideal_lists(Greedy(alpha), depth)
    return [
        lists.row[lists.hit_start[n] : lists.hit_start[n + 1]][:depth] for n in range(len(lists))
    ]


def _prepared(
    yardstick: Yardstick,
    grid: Grid,
    documents: RelevantDocuments,
    smr: Floats | None,
    greedy: list[Ints],
) -> TopicVariants:
    relevance = yardstick.relevance
    first = int(relevance.intent_start[documents.topic])
    intents = documents.grades.shape[1]
    gains = np.where(documents.grades > 0, yardstick.gain(documents.grades), 0.0)
    overall = gains @ documents.probability
    weight = {
        "cascade": documents.probability,
        "micro": documents.probability,
        "smr": None if smr is None else smr[first : first + intents],
        "geom": np.ones(intents),
    }
    each = _of_ideal_intents(gains, grid)
    scale = np.zeros((len(grid.means), intents, each.shape[1]))
    for place, average in enumerate(grid.means):
        below = each
        if average == "cascade":
            below = _of_greedy(documents, gains, grid, greedy)[None, :]
        mine = weight[average]
        assert mine is not None
        scale[place] = _share(np.broadcast_to(mine[:, None], each.shape), below)
    return TopicVariants(
        documents=documents,
        grid=grid,
        gains=gains,
        scale=scale,
        overall=overall,
        ideal_overall=_of_ideal_overall(overall, grid),
        intents=intents,
        name=relevance.topics[documents.topic],
        product=grid.means.index("geom") if "geom" in grid.means else -1,
    )


def _of_ideal_intents(gains: Floats, grid: Grid) -> Floats:
    """Each intent's own best list: intents x (cutoffs x alphas x discounts)."""
    best = -np.sort(-gains, axis=0)[: grid.depth].T
    table = grid.discount_table()[:, : best.shape[1]]
    powers = grid.powers()[:, : best.shape[1]]
    found = [
        np.einsum("ir,ar,dr->iad", best[:, :cutoff], powers[:, :cutoff], table[:, :cutoff]).reshape(
            len(best), -1
        )
        for cutoff in grid.cutoffs
    ]
    return np.concatenate(found, axis=1)


def _of_greedy(
    documents: RelevantDocuments, gains: Floats, grid: Grid, greedy: list[Ints]
) -> Floats:
    """The greedy ideal list of each alpha, at that alpha: cutoffs x alphas x discounts, flat."""
    table, powers = grid.discount_table(), grid.powers()
    found = np.zeros((len(grid.cutoffs), len(grid.alphas), len(table)))
    for place, rows in enumerate(greedy):
        gain = gains[np.searchsorted(documents.rows, rows)]
        seen: Ints = np.cumsum(gain > 0, axis=0) - (gain > 0)
        worth = (gain * powers[place][seen]) @ documents.probability
        for number, cutoff in enumerate(grid.cutoffs):
            found[number, place] = table[:, : len(worth)][:, :cutoff] @ worth[:cutoff]
    return found.reshape(-1)


def _of_ideal_overall(overall: Floats, grid: Grid) -> Floats:
    best = -np.sort(-overall)[: grid.depth]
    table = grid.discount_table()[:, : len(best)]
    return np.stack([table[:, :cutoff] @ best[:cutoff] for cutoff in grid.cutoffs])


def _share(above: Floats, below: Floats) -> Floats:
    """A quotient, 0 where there is nothing to divide by."""
    shape = np.broadcast_shapes(above.shape, below.shape)
    found: Floats = np.divide(above, below, out=np.zeros(shape), where=below > 0)
    return found


def places_of(documents: RelevantDocuments, rank: Ints, row: Ints, depth: int) -> Ints:
    """A list's relevant documents by rank: their places, -1 where another document stands."""
    ranked = np.full(depth, -1, dtype=np.int64)
    place = np.minimum(np.searchsorted(documents.rows, row), len(documents) - 1)
    good = (row >= 0) & (documents.rows[place] == row) & (rank <= depth)
    ranked[rank[good] - 1] = place[good]
    return ranked
