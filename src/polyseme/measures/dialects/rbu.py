"""The program of RBU's inventors (Amigo et al. 2018): their form of it, over whole lists."""

from __future__ import annotations

from polyseme.collection.relevance import RelevanceRules
from polyseme.measures.diversity import rbu_amigo
from polyseme.measures.formulas import Formula
from polyseme.measures.gains import Gain, Gmax
from polyseme.measures.measure import Family, Keeps, Traits
from polyseme.measures.parameters import number


def _rbu(p: float = 0.8, e: float = 0.03) -> Formula:
    return rbu_amigo(p, e, "uniform")


FAMILIES: tuple[Family, ...] = (
    Family(
        "rbu:RBU",
        _rbu,
        Traits(range=(None, 1.0), needs_ideal=False, uses_probabilities=False),
        "sum_r (1-p) p^(r-1) (mean_i s_i(r) prod_{k<r} (1 - s_i(k)) - e), s_i = (2^L-1)/2^Lmax",
        "rank-biased utility as its inventors' program computes it",
        "Amigo et al. 2018",
        (
            number("p", 0.8, "chance to go on to the next rank", high=1.0, below=True),
            number("e", 0.03, "effort of reading a document"),
        ),
        "none",
        keeps=Keeps(gain=Gain("exponential"), gmax=Gmax("topic"), rules=RelevanceRules()),
        group="rbu",
    ),
)

#: the program's only measure
COLUMN = FAMILIES[0].name
