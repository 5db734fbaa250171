"""Measures of a topic with several intents that are not made from a measure of one list."""

from __future__ import annotations

from typing import Literal

from polyseme.errors import MeasureError
from polyseme.measures.formulas import IA, ByType, D, Effort, Formula, IRec, Less, Mix, Ratio, Sum
from polyseme.measures.gains import Gain, Gmax
from polyseme.measures.ideals import Best, Weighting
from polyseme.measures.measure import Family, Keeps, Measure, Traits
from polyseme.measures.parameters import choice, number
from polyseme.measures.parts import (
    BlendedRatio,
    Cascade,
    Gained,
    Log2,
    OnlyFirst,
    Persistence,
    Power,
    UpToPreferred,
)
from polyseme.measures.user_models import GAMMA, irbu, q_measure


def rbu(
    p: float = 0.99,
    e: float = 0.01,
    effort: Literal["length", "cutoff"] = "length",
    form: Literal["sakai", "amigo"] = "sakai",
) -> Formula:
    """Rank-biased utility: what each intent gains, less the effort of reading.

    ``sakai`` is Sakai and Zeng 2019, equation 9; ``amigo`` what the program of its inventors
    (Amigo et al. 2018) computes: sum_r (1-p) p^(r-1) (sum_i Pr(i) P_ERR,i(r) - e).
    """
    if form == "amigo":
        return rbu_amigo(p, e, "probability")
    return Less(IA(irbu(p)), e, Effort(Power(p), to_cutoff=effort == "cutoff"))


def rbu_amigo(p: float, e: float, weights: Weighting) -> Formula:
    """sum_r (1-p) p^(r-1) (sum_i w_i P_ERR,i(r) - e)."""
    satisfied = IA(Sum(Cascade(), Persistence(p)), weights)
    return Less(satisfied, e * (1.0 - p), Effort(Power(p, offset=1)))


def _rbu_keeps(measure: Measure) -> Keeps:
    if measure["form"] == "amigo":
        return Keeps(gain=Gain("exponential"), gmax=Gmax("topic"))
    return Keeps()


def _rbu_rule(measure: Measure) -> None:
    said = dict(measure.parameters)
    if measure["form"] == "amigo":
        if measure.cutoff is not None:
            raise MeasureError("RBU(form=amigo) takes no cutoff: it reads the whole list")
        for name in ("gain", "gmax", "effort"):
            if name in said:
                raise MeasureError(f"RBU(form=amigo) takes no {name}: that form fixes it")
    elif said.get("effort") == "cutoff" and measure.cutoff is None:
        raise MeasureError("RBU(effort=cutoff) needs a cutoff, such as RBU(effort=cutoff)@10")


def din_ndcg() -> Formula:
    """A navigational intent gains from its first relevant document only (Sakai 2012, DIN)."""
    gained = IA(ByType(Sum(Log2(), Gained()), Sum(Log2(), OnlyFirst())))
    return Ratio(gained, D(Sum(Log2(), Gained())), Best())


def p_plus_q(beta: float = 1.0) -> Formula:
    """Q for informational intents, P-plus for navigational ones."""
    return IA(ByType(q_measure(beta), Sum(UpToPreferred(), BlendedRatio(beta))))


_BETA = number("beta", 1.0, "weight of gains against counts")

FAMILIES: tuple[Family, ...] = (
    Family(
        "I-rec",
        IRec,
        Traits(uses_grades=False, uses_probabilities=False, needs_ideal=False),
        "intents with a relevant document in the top l / all intents",
        "intent recall",
        "Zhai et al. 2003; Sakai and Song 2011",
        group="diversity",
    ),
    Family(
        "RBU",
        rbu,
        Traits(range=(None, 1.0), needs_ideal=False),
        "iRBU-IA@l - e sum_{r<=min(l,length)} p^r",
        "rank-biased utility: what each intent gains, less the effort of reading",
        "Amigo et al. 2018; Sakai and Zeng 2019",
        (
            number("p", 0.99, "what is left of the utility after each rank read", high=1.0),
            number("e", 0.01, "effort of reading a document"),
            choice(
                "effort",
                "length",
                ("length", "cutoff"),
                "sum efforts to min(l, length), or always to l",
            ),
            choice(
                "form",
                "sakai",
                ("sakai", "amigo"),
                "equation 9, or what its inventors' program does",
            ),
        ),
        keeps=_rbu_keeps,
        rule=_rbu_rule,
        group="diversity",
    ),
    Family(
        "DIN-nDCG",
        din_ndcg,
        Traits(monotone=False, uses_types=True),
        "sum_r G_DIN(r)/log(r+1) / sum_r G*(r)/log(r+1)",
        "nDCG on the global gain, where a navigational intent gains once",
        "Sakai 2012",
        group="diversity",
    ),
    Family(
        "P+Q",
        p_plus_q,
        Traits(monotone=False, uses_types=True),
        "sum_inf Pr(i) Q_i + sum_nav Pr(j) P-plus_j, P-plus = sum_{r<=rp} I(r) BR(r) / C(rp)",
        "Q for informational intents, P-plus for navigational ones",
        "Sakai 2012",
        (_BETA,),
        group="diversity",
    ),
    Family(
        "P+Q#",
        lambda beta=1.0, gamma=0.5: Mix(gamma, IRec(), p_plus_q(beta)),
        Traits(monotone=False, uses_types=True),
        "gamma I-rec + (1 - gamma) P+Q",
        "intent recall mixed with P+Q",
        "Sakai 2012",
        (_BETA, GAMMA),
        group="diversity",
    ),
)
