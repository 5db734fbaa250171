"""Measures of one list, each a user model, and what follows from each for a topic's intents.

Every entry of ``BASES`` gives four measures: ``M`` on ad hoc judgments, ``M-IA``, ``D-M`` and
``D#-M`` (Sakai and Zeng 2019, sections 2 and 3).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from polyseme.measures.formulas import IA, AdHoc, D, Formula, IRec, Mix, Over, Sum
from polyseme.measures.ideals import Best
from polyseme.measures.measure import CutoffRule, Family, Traits
from polyseme.measures.parameters import Parameter, choice, number
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
    Persistence,
    Power,
    Precision,
    Reciprocal,
)

GAMMA = number("gamma", 0.5, "weight of I-rec", high=1.0)


def precision(norm: Any = "cutoff") -> Formula:
    """P: the share of the top l that is relevant."""
    return Sum(AtCutoff(), Precision(norm))


def ndcg(form: str = "ms") -> Formula:
    """nDCG, discounted by 1/log2(r+1) or as its first authors did."""
    return Over(Sum(Log2() if form == "ms" else LateLog2(), Gained()), Best())


def q_measure(beta: float = 1.0) -> Formula:
    """Q: the blended ratio at each relevant document."""
    return Sum(EachRelevant(), BlendedRatio(beta))


def err() -> Formula:
    """ERR: the reciprocal rank where a cascading user stops."""
    return Sum(Cascade(), Reciprocal())


def ebr(beta: float = 1.0) -> Formula:
    """EBR: the blended ratio where a cascading user stops."""
    return Sum(Cascade(), BlendedRatio(beta))


def rbp(p: float = 0.99) -> Formula:
    """RBP: gains as a patient user collects them."""
    return Sum(Persistence(p), GainShare())


def irbu(p: float = 0.99) -> Formula:
    """iRBU: p^r where a cascading user stops."""
    return Sum(Cascade(), Power(p))


def average_precision(norm: Any = "cutoff") -> Formula:
    """AP: precision at each relevant document."""
    return Sum(EachRelevant(norm), Precision())


def reciprocal_rank() -> Formula:
    """RR: one over the rank of the first relevant document."""
    return Sum(FirstRelevant(), Reciprocal())


@dataclass(frozen=True, eq=False)
class Base:
    """A measure of one list of gains, from which those for several intents are made."""

    name: str
    build: Callable[..., Formula]
    traits: Traits
    formula: str
    summary: str
    citation: str
    parameters: tuple[Parameter, ...] = ()
    cutoff: CutoffRule = "optional"
    home: str = Family.home

    def families(self) -> tuple[Family, ...]:
        """The measure on ad hoc judgments, intent-aware, on the global gain, and with I-rec."""
        plain = replace(self.traits, uses_probabilities=False)
        weighed = replace(self.traits, uses_probabilities=True)
        return (
            self._family(
                self.name,
                lambda **own: AdHoc(self.build(**own)),
                plain,
                self.formula,
                f"{self.summary}, on one grade for each document",
                self.citation,
                "ad hoc",
            ),
            self._family(
                f"{self.name}-IA",
                lambda **own: IA(self.build(**own)),
                replace(weighed, normalised=False),
                f"sum_i Pr(i) {self.name}_i",
                f"{self.summary}, for each intent, weighed by the intents' probabilities",
                "Agrawal et al. 2009; Sakai and Zeng 2019",
                "intent-aware",
            ),
            self._family(
                f"D-{self.name}",
                lambda **own: D(self.build(**own)),
                weighed,
                f"{self.name} on G(d) = sum_i Pr(i) g_i(d)",
                f"{self.summary}, on the global gain",
                "Sakai and Song 2011",
                "D",
            ),
            self._family(
                f"D#-{self.name}",
                lambda gamma=0.5, **own: Mix(gamma, IRec(), D(self.build(**own))),
                replace(weighed, normalised=False),
                f"gamma I-rec + (1 - gamma) D-{self.name}",
                f"intent recall mixed with {self.name} on the global gain",
                "Sakai and Song 2011",
                "D#",
                (GAMMA,),
            ),
        )

    def _family(
        self,
        name: str,
        build: Callable[..., Formula],
        traits: Traits,
        formula: str,
        summary: str,
        citation: str,
        group: str,
        more: tuple[Parameter, ...] = (),
    ) -> Family:
        return Family(
            name=name,
            build=build,
            traits=traits,
            formula=formula,
            summary=summary,
            citation=citation,
            parameters=(*self.parameters, *more),
            cutoff=self.cutoff,
            group=group,
            home=self.home,
        )


_BINARY = Traits(uses_grades=False)

BASES: tuple[Base, ...] = (
    Base(
        "P",
        precision,
        replace(_BINARY, needs_ideal=False),
        "C(l) / l",
        "precision: the share of the top l that is relevant",
        "",
        (
            choice(
                "norm",
                "cutoff",
                ("cutoff", "length"),
                "divide by l, or by min(l, length of the list)",
            ),
        ),
        "required",
    ),
    Base(
        "nDCG",
        ndcg,
        Traits(normalised=True),
        "sum_r g(r)/log(r+1) / sum_r g*(r)/log(r+1)",
        "normalised discounted cumulative gain",
        "Burges et al. 2005; form=jk: Jarvelin and Kekalainen 2002",
        (
            choice(
                "form",
                "ms",
                ("ms", "jk"),
                "ms: 1/log2(r+1); jk: no discount at ranks 1-2, then 1/log2 r",
            ),
        ),
    ),
    Base(
        "Q",
        q_measure,
        Traits(normalised=True),
        "1/min(l,R) sum_r I(r) BR(r), BR(r) = (C(r) + beta cg(r)) / (r + beta cg*(r))",
        "Q-measure: the blended ratio at each relevant document",
        "Sakai 2004",
        (number("beta", 1.0, "weight of gains against counts"),),
    ),
    Base(
        "ERR",
        err,
        Traits(needs_ideal=False),
        "sum_r P_ERR(r) / r, P_ERR(r) = s(r) prod_{k<r} (1 - s(k)), s(r) = g(r)/(gmax+1)",
        "expected reciprocal rank of the document that satisfies a cascading user",
        "Chapelle et al. 2009",
    ),
    Base(
        "EBR",
        ebr,
        # stopping early at a good document forgoes what many others further down would raise
        Traits(monotone=False),
        "sum_r P_ERR(r) BR(r)",
        "expected blended ratio where a cascading user stops",
        "Sakai and Zeng 2019",
        (number("beta", 1.0, "weight of gains against counts"),),
    ),
    Base(
        "RBP",
        rbp,
        Traits(needs_ideal=False),
        "(1-p) sum_r p^(r-1) g(r)/gmax",
        "rank-biased precision",
        "Moffat and Zobel 2008",
        (
            number(
                "p", 0.99, "persistence: the chance to go on to the next rank", high=1.0, below=True
            ),
        ),
    ),
    Base(
        "iRBU",
        irbu,
        Traits(needs_ideal=False),
        "sum_r P_ERR(r) p^r",
        "intentwise rank-biased utility",
        "Sakai and Zeng 2019",
        (number("p", 0.99, "what is left of the utility after each rank read", high=1.0),),
    ),
    Base(
        "AP",
        average_precision,
        replace(_BINARY, normalised=True),
        "1/min(l,R) sum_r I(r) C(r)/r",
        "average precision",
        "",
        (choice("norm", "cutoff", ("cutoff", "R"), "divide by min(l, R), or by R"),),
    ),
    Base(
        "RR",
        reciprocal_rank,
        replace(_BINARY, needs_ideal=False, normalised=True),
        "1 / (rank of the first relevant document)",
        "reciprocal rank",
        "",
    ),
)

FAMILIES: tuple[Family, ...] = tuple(family for base in BASES for family in base.families())
