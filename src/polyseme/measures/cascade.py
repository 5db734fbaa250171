"""The cascade family: gains that shrink when an intent has been served before.

Gain(r) = sum_i w_i g_i(r) (1 - alpha)^(documents relevant to i above r), under a discount
(Clarke et al. 2008, 2009; Golbus et al. 2013, section 4).
"""

from __future__ import annotations

from typing import Literal

from polyseme.errors import MeasureError
from polyseme.measures.formulas import (
    IA,
    Cut,
    D,
    Formula,
    Geometric,
    IRec,
    Mix,
    Over,
    Ratio,
    Scaled,
    Sum,
)
from polyseme.measures.ideals import Best, Greedy
from polyseme.measures.measure import Family, Measure, Traits
from polyseme.measures.parameters import Parameter, choice, number, text
from polyseme.measures.parts import Gained, Log2, Novelty, Part, Power, Reciprocal

DiscountName = Literal["ERR", "DCG", "RBP"]
Average = Literal["cascade", "micro", "geom", "smr"]


def discount(name: str, beta: float) -> Part:
    """ERR 1/r, DCG 1/log2(r+1), RBP beta^(r-1)."""
    if name == "ERR":
        return Reciprocal()
    return Log2() if name == "DCG" else Power(beta, offset=1)


def alpha_dcg(alpha: float = 0.5) -> Formula:
    """sum_r Gain(r) / log2(r + 1)."""
    return IA(Sum(Log2(), Novelty(alpha)))


def alpha_ndcg(alpha: float = 0.5) -> Formula:
    """alpha-DCG over that of the greedy ideal."""
    return Over(alpha_dcg(alpha), Greedy(alpha))


def nrbp(alpha: float = 0.5, beta: float = 0.5) -> Formula:
    """(1 - (1-alpha) beta)/M sum_r beta^(r-1) Gain(r), all intents alike."""
    gained = IA(Sum(Power(beta, offset=1), Novelty(alpha)), "uniform")
    return Scaled(1.0 - (1.0 - alpha) * beta, gained)


def nnrbp(alpha: float = 0.5, beta: float = 0.5) -> Formula:
    """NRBP over that of the whole greedy ideal, wherever the list is cut."""
    gained = IA(Sum(Power(beta, offset=1), Novelty(alpha)), "one")
    return Ratio(gained, Cut(gained, None), Greedy(alpha, "one"))


def alpha_sharp(
    name: DiscountName,
    alpha: float = 0.3,
    lambda_: float = 0.5,
    beta: float = 0.8,
    average: Average = "cascade",
    floor: float = 1e-5,
    weights: str | None = None,
) -> Formula:
    """lambda I-rec + (1 - lambda) A, A a cascade measure averaged over intents in some way."""
    gained = Sum(discount(name, beta), Novelty(alpha))
    each = Over(gained, Best())
    averaged: Formula
    if weights is not None:
        averaged = IA(each, weights)
    elif average == "cascade":
        averaged = Over(IA(gained), Greedy(alpha))
    elif average == "geom":
        averaged = Geometric(each, floor)
    else:
        averaged = IA(each, "probability" if average == "micro" else "smr")
    return Mix(lambda_, IRec(), averaged)


def d_cascade(discount_: DiscountName = "ERR", beta: float = 0.8) -> Formula:
    """Golbus et al.'s D: the global gain under a discount, with no memory and no stopping."""
    return D(Over(Sum(discount(discount_, beta), Gained()), Best()))


ALPHA = number("alpha", 0.5, "chance that a relevant document leaves nothing to gain", high=1.0)
_SHARP_ALPHA = number("alpha", 0.3, ALPHA.doc, high=1.0)
_LAMBDA = number("lambda", 0.5, "weight of I-rec", high=1.0)
_NRBP_BETA = number("beta", 0.5, "persistence", high=1.0, below=True)
_RBP_BETA = number("beta", 0.8, "persistence of the RBP discount", high=1.0, below=True)
_AVERAGES: tuple[Parameter, ...] = (
    choice(
        "average",
        "cascade",
        ("cascade", "micro", "geom", "smr"),
        "one list; or a mean over intents by probability, geometric, or by subtopic miss rate",
    ),
    number("floor", 1e-5, "least value in the geometric mean", high=1.0),
    text("weights", "a file `topic intent weight`", "weights of intents, in place of an average"),
)


def _one_average(measure: Measure) -> None:
    said = dict(measure.parameters)
    if "weights" in said and "average" in said:
        raise MeasureError(f"{measure.name}: give weights or average, not both")
    if "floor" in said and measure["average"] != "geom":
        raise MeasureError(f"{measure.name}: floor is for average=geom")


def _beta_of_rbp(measure: Measure) -> None:
    if "beta" in dict(measure.parameters) and measure["discount"] != "RBP":
        raise MeasureError(f"{measure.name}: beta is for discount=RBP")


def _alpha_sharp_family(name: DiscountName, label: str) -> Family:
    own = (_SHARP_ALPHA, _LAMBDA, *([_RBP_BETA] if name == "RBP" else []), *_AVERAGES)
    return Family(
        f"alpha#-{label}-IA",
        lambda **said: alpha_sharp(name, **said),
        Traits(range=(0.0, None), monotone=False),
        f"lambda I-rec + (1 - lambda) A, A = {label} of Gain(r) averaged over intents",
        f"intent recall mixed with a cascade measure under the {name} discount",
        "Golbus et al. 2013",
        own,
        rule=_one_average,
        group="cascade",
    )


def _d_family(sharp: bool) -> Family:
    def plain(discount: DiscountName = "ERR", beta: float = 0.8) -> Formula:
        return d_cascade(discount, beta)

    def mixed(discount: DiscountName = "ERR", beta: float = 0.8, lambda_: float = 0.5) -> Formula:
        return Mix(lambda_, IRec(), d_cascade(discount, beta))

    named = choice("discount", "ERR", ("ERR", "DCG", "RBP"), "1/r, 1/log2(r+1) or beta^(r-1)")
    return Family(
        "D#-cascade" if sharp else "D-cascade",
        mixed if sharp else plain,
        Traits(normalised=not sharp),
        "lambda I-rec + (1 - lambda) D-cascade"
        if sharp
        else "sum_r G(r) disc(r) / sum_r G*(r) disc(r)",
        "the global gain under a discount" + (", mixed with intent recall" if sharp else ""),
        "Golbus et al. 2013",
        (named, _RBP_BETA, *([_LAMBDA] if sharp else [])),
        rule=_beta_of_rbp,
        group="cascade",
    )


_GAIN_TEXT = "Gain(r) = sum_i w_i g_i(r) (1-alpha)^c_i(r)"

FAMILIES: tuple[Family, ...] = (
    Family(
        "alpha-DCG",
        alpha_dcg,
        Traits(range=(0.0, None), needs_ideal=False, monotone=False),
        f"sum_r Gain(r) / log2(r+1), {_GAIN_TEXT}",
        "discounted cumulative gain with novelty",
        "Clarke et al. 2008",
        (ALPHA,),
        group="cascade",
    ),
    Family(
        "alpha-nDCG",
        alpha_ndcg,
        Traits(range=(0.0, None), monotone=False, normalised=True),
        f"alpha-DCG / alpha-DCG of the greedy ideal, {_GAIN_TEXT}",
        "discounted cumulative gain with novelty, over that of the greedy ideal list",
        "Clarke et al. 2008",
        (ALPHA,),
        group="cascade",
    ),
    Family(
        "NRBP",
        nrbp,
        Traits(range=(0.0, None), needs_ideal=False, monotone=False, uses_probabilities=False),
        "(1-(1-alpha) beta)/M sum_r beta^(r-1) sum_i g_i(r) (1-alpha)^c_i(r)",
        "novelty- and rank-biased precision",
        "Clarke et al. 2009",
        (ALPHA, _NRBP_BETA),
        group="cascade",
    ),
    Family(
        "nNRBP",
        nnrbp,
        Traits(range=(0.0, None), monotone=False, normalised=True, uses_probabilities=False),
        "NRBP / NRBP of the greedy ideal",
        "novelty- and rank-biased precision, over that of the greedy ideal list",
        "Clarke et al. 2009",
        (ALPHA, _NRBP_BETA),
        group="cascade",
    ),
    _alpha_sharp_family("DCG", "nDCG"),
    _alpha_sharp_family("ERR", "nERR"),
    _alpha_sharp_family("RBP", "nRBP"),
    _d_family(sharp=False),
    _d_family(sharp=True),
)
