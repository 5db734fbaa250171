"""trec_eval, on one grade for each document."""

from __future__ import annotations

from polyseme.measures.formulas import AdHoc, Formula, Over, PerRelevant, Sum
from polyseme.measures.gains import Gain
from polyseme.measures.ideals import Best
from polyseme.measures.measure import CutoffRule, Family, Keeps, Traits
from polyseme.measures.parts import (
    AtCutoff,
    FirstRelevant,
    Gained,
    Log2,
    Power,
    Precision,
    Reciprocal,
    Relevant,
)

_BINARY = Traits(uses_grades=False, uses_probabilities=False, needs_ideal=False)


def _family(
    name: str,
    formula: Formula,
    said: str,
    traits: Traits,
    cutoff: CutoffRule = "none",
    *,
    alias: str = "",
    added_up: bool = False,
) -> Family:
    return Family(
        f"trec_eval:{name}",
        lambda: AdHoc(formula),
        traits,
        said,
        f"{name} as trec_eval computes it",
        "trec_eval 9.0",
        cutoff=cutoff,
        aliases=(f"trec_eval:{alias}",) if alias else (),
        keeps=Keeps(gain=Gain("linear"), adhoc="max"),
        group="trec_eval",
        added_up=added_up,
    )


FAMILIES: tuple[Family, ...] = (
    _family(
        "recip_rank",
        Sum(FirstRelevant(), Reciprocal()),
        "1 / (rank of the first relevant document)",
        Traits(uses_grades=False, uses_probabilities=False, needs_ideal=False, normalised=True),
        alias="RR",
    ),
    _family("P", Sum(AtCutoff(), Precision()), "C(l) / l", _BINARY, "required"),
    _family(
        "ndcg_cut",
        Over(Sum(Log2(), Gained()), Best()),
        "sum_r g(r)/log2(r+1) / sum_r g*(r)/log2(r+1)",
        Traits(uses_probabilities=False, normalised=True),
        "required",
        alias="nDCG",
    ),
    _family(
        "map",
        PerRelevant(Precision(), "R"),
        "1/R sum_r I(r) C(r)/r",
        Traits(uses_grades=False, uses_probabilities=False, normalised=True),
        alias="AP",
    ),
    _family(
        "num_rel_ret",
        Sum(Relevant(), Power(1.0)),
        "relevant documents retrieved",
        Traits(range=(0.0, None), uses_grades=False, uses_probabilities=False, needs_ideal=False),
        added_up=True,
    ),
)
COLUMNS: tuple[str, ...] = (
    "trec_eval:recip_rank",
    "trec_eval:P@5",
    "trec_eval:P@10",
    "trec_eval:ndcg_cut@5",
    "trec_eval:ndcg_cut@10",
    "trec_eval:map",
    "trec_eval:num_rel_ret",
)
