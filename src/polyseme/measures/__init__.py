"""Measures: immutable values built from parts, each formula written once.

What one needs to compose a measure of one's own is here::

    from polyseme.measures import Cascade, Log2, Sum, define
    log_err = define("logERR", Sum(Cascade(), Log2()))
"""

from polyseme.measures.defining import Definition, define
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
    Over,
    Ratio,
    Scaled,
    Sum,
)
from polyseme.measures.ideals import Best, Greedy, Jokers
from polyseme.measures.measure import Family, Measure, Traits
from polyseme.measures.parts import (
    AtCutoff,
    BlendedRatio,
    Cascade,
    EachRelevant,
    FirstRelevant,
    Gained,
    GainShare,
    LateLog2,
    Log2,
    Novelty,
    OnlyFirst,
    Part,
    Persistence,
    Power,
    Precision,
    Reciprocal,
    UpToPreferred,
)
from polyseme.measures.walk import Walk

__all__ = [
    "IA",
    "AdHoc",
    "AtCutoff",
    "Best",
    "BlendedRatio",
    "ByType",
    "Cascade",
    "Cut",
    "D",
    "Definition",
    "EachRelevant",
    "Effort",
    "Family",
    "FirstRelevant",
    "Formula",
    "GainShare",
    "Gained",
    "Geometric",
    "Greedy",
    "IRec",
    "Jokers",
    "LateLog2",
    "Less",
    "Log2",
    "Measure",
    "Mix",
    "Novelty",
    "OnlyFirst",
    "Over",
    "Part",
    "Persistence",
    "Power",
    "Precision",
    "Ratio",
    "Reciprocal",
    "Scaled",
    "Sum",
    "Traits",
    "UpToPreferred",
    "Walk",
    "define",
]
