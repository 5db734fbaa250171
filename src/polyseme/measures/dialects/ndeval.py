"""ndeval, the TREC Web Track's program (Clarke et al.), version 4.5."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from polyseme.collection.relevance import RelevanceRules
from polyseme.measures.cascade import ALPHA
from polyseme.measures.formulas import IA, Formula, IRec, Over, PerRelevant, Scaled, Sum
from polyseme.measures.gains import Gain
from polyseme.measures.ideals import Greedy, Jokers
from polyseme.measures.measure import CutoffRule, Family, Keeps, Traits
from polyseme.measures.parameters import Parameter, number
from polyseme.measures.parts import (
    AtCutoff,
    Log2,
    Novelty,
    Part,
    Power,
    Precision,
    Reciprocal,
)

_KEEPS = Keeps(gain=Gain("binary"), rules=RelevanceRules())
_BETA = number("beta", 0.5, "persistence of NRBP", high=1.0, below=True)
_PLAIN = Traits(uses_grades=False, uses_probabilities=False, needs_ideal=False)
_GREEDY = replace(_PLAIN, range=(0.0, None), needs_ideal=True, normalised=True)
_CITATION = "ndeval 4.5, TREC Web Track"


def _gained(discount: Part, alpha: float) -> Formula:
    return IA(Sum(discount, Novelty(alpha)), "one")


def _over_jokers(discount: Part) -> Callable[..., Formula]:
    return lambda alpha=0.5: Over(_gained(discount, alpha), Jokers())


def _over_greedy(discount: Part) -> Callable[..., Formula]:
    return lambda alpha=0.5: Over(_gained(discount, alpha), Greedy(alpha, "one"))


def _nrbp(alpha: float = 0.5, beta: float = 0.5) -> Formula:
    gained = IA(Sum(Power(beta, offset=1), Novelty(alpha)), "uniform")
    return Scaled(1.0 - (1.0 - alpha) * beta, gained)


def _nnrbp(alpha: float = 0.5, beta: float = 0.5) -> Formula:
    return Over(_gained(Power(beta, offset=1), alpha), Greedy(alpha, "one"))


def _family(
    name: str,
    build: Callable[..., Formula],
    formula: str,
    parameters: tuple[Parameter, ...] = (),
    cutoff: CutoffRule = "required",
    traits: Traits = _PLAIN,
    *,
    undefined_without_relevant: bool = False,
) -> Family:
    return Family(
        f"ndeval:{name}",
        build,
        traits,
        formula,
        f"{name} as ndeval computes it",
        _CITATION,
        parameters,
        cutoff,
        keeps=_KEEPS,
        group="ndeval",
        undefined_without_relevant=undefined_without_relevant,
    )


_OVER_JOKERS = "over that of documents relevant to every intent"
_OVER_GREEDY = "over that of the greedy ideal"
_BOTH = (ALPHA, _BETA)

FAMILIES: tuple[Family, ...] = (
    _family("ERR-IA", _over_jokers(Reciprocal()), f"sum_r Gain(r)/r {_OVER_JOKERS}", (ALPHA,)),
    _family(
        "nERR-IA",
        _over_greedy(Reciprocal()),
        f"sum_r Gain(r)/r {_OVER_GREEDY}",
        (ALPHA,),
        traits=_GREEDY,
    ),
    _family(
        "alpha-DCG",
        _over_jokers(Log2()),
        f"sum_r Gain(r)/log2(r+1) {_OVER_JOKERS}",
        (ALPHA,),
    ),
    _family(
        "alpha-nDCG",
        _over_greedy(Log2()),
        f"sum_r Gain(r)/log2(r+1) {_OVER_GREEDY}",
        (ALPHA,),
        traits=_GREEDY,
    ),
    _family("NRBP", _nrbp, "(1-(1-alpha) beta)/M sum_r beta^(r-1) Gain(r)", _BOTH, "none"),
    _family(
        "nNRBP",
        _nnrbp,
        f"NRBP {_OVER_GREEDY}",
        _BOTH,
        "none",
        _GREEDY,
        undefined_without_relevant=True,
    ),
    _family(
        "MAP-IA",
        lambda: IA(PerRelevant(Precision(), "R"), "uniform"),
        "mean over intents of 1/R sum_r I(r) C(r)/r, over the whole run",
        (),
        "none",
        replace(_PLAIN, needs_ideal=True),
    ),
    _family(
        "P-IA",
        lambda: IA(Sum(AtCutoff(), Precision()), "uniform"),
        "mean over intents of C(l)/l",
    ),
    _family("strec", IRec, "intents with a relevant document in the top l / all intents"),
)

CUTOFFS = (5, 10, 20)
#: the program's 21 columns, in its order, as names of measures
COLUMNS: tuple[str, ...] = (
    *(
        f"ndeval:{name}@{cutoff}"
        for name in ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG")
        for cutoff in CUTOFFS
    ),
    *("ndeval:NRBP", "ndeval:nNRBP", "ndeval:MAP-IA"),
    *(f"ndeval:{name}@{cutoff}" for name in ("P-IA", "strec") for cutoff in CUTOFFS),
)
