"""NTCIREVAL 230128 (Sakai), which judges a list of gains, and intents through it.

Its pieces hand numbers to each other in print: the global gain with six digits (four decimals in
a system's list), every value with four decimals before it is mixed or averaged over intents. A
list is cut at the cutoff before anything else, so measures without a cutoff cover the top, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from polyseme.collection.relevance import RelevanceRules
from polyseme.groups import Floats
from polyseme.measures.batch import Batch
from polyseme.measures.formulas import (
    IA,
    ByType,
    D,
    Formula,
    IRec,
    Level,
    Mix,
    Over,
    PerRelevant,
    Rounded,
    Sum,
    TopOnly,
    share,
)
from polyseme.measures.gains import Gmax
from polyseme.measures.ideals import Best
from polyseme.measures.measure import CutoffRule, Family, Keeps, Traits
from polyseme.measures.parameters import count
from polyseme.measures.parts import (
    AtCutoff,
    BlendedRatio,
    Cascade,
    Fading,
    FirstRelevant,
    Gained,
    GainShare,
    LateLog2,
    Log2,
    Part,
    Persistence,
    Power,
    Precision,
    Preferred,
    Reciprocal,
    UpToPreferred,
    power,
)
from polyseme.measures.rounding import Rounding
from polyseme.measures.walk import Walk

DECIMALS = 4
RULES = RelevanceRules(renormalise=False, typed_decimals=6)
_KEEPS = Keeps(gmax=Gmax("topic"), rules=RULES)
_TOP = count("top", 10, "how much of the list the program was given")


class RankBiasedNCU(Formula):
    """NCU with a user who fades from one relevant document to the next (Sakai and Robertson 2008).

    sum I(r) p^(C(r)-1) U(r) over sum_{i<=R} p^(i-1); with a cutoff, over min(l, R).
    """

    utility: Part
    p: float = 0.95

    @property
    def level(self) -> Level:
        return "row"

    def rows(self, walk: Walk, cutoff: int | None) -> Floats:
        above = Sum(Fading(self.p), self.utility).rows(walk, cutoff)
        whole = (1.0 - power(self.p, walk.R)) / (1.0 - self.p)
        return share(above, whole if cutoff is None else walk.within(cutoff))


class IRecAtIntents(Formula):
    """I-rec at as many documents as the topic has intents."""

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        walk = batch.intents
        depth = batch.intent_count[batch.list_of_row]
        early = np.where(walk.r <= depth[walk.row], walk.I, 0.0)
        found = batch.over_intents((walk.total(early, None) > 0).astype(np.float64))
        return found / np.maximum(batch.intent_count, 1)


class IntentCount(Formula):
    """How many intents the topic has."""

    def lists(self, batch: Batch, cutoff: int | None) -> Floats:
        return batch.intent_count.astype(np.float64)


_BR = BlendedRatio()
_ROUNDING = Rounding()
_Q = PerRelevant(_BR)
_P_PLUS = Sum(UpToPreferred(), _BR)
_AP = PerRelevant(Precision())
_RBP = Sum(Persistence(0.95), GainShare())
_ERR = Sum(Cascade(), Reciprocal())
_EBR = Sum(Cascade(), _BR)
_IRBU = Sum(Cascade(), Power(0.99))
_MSNDCG = Over(Sum(Log2(), Gained()), Best())

_COUNTED = Traits(uses_grades=False)
_FIRST = replace(_COUNTED, needs_ideal=False, normalised=True)
_STOPPED = Traits()
#: a gain may be larger in the system's list than in the ideal one, where it keeps more digits
_GRADED = Traits(range=(0.0, None))
_NORMALISED = replace(_GRADED, normalised=True)
_BLENDED = replace(_GRADED, monotone=False)
_BLENDED_ONCE = replace(_NORMALISED, monotone=False)
#: of these even probabilities that add up to 1.01 make no mean above 1
_BELOW_99 = ("NCUrb,IE", "iRBU")

#: name, formula, traits, what it computes, and whether it has a cutoff
_COLUMNS: tuple[tuple[str, Formula, Traits, str, CutoffRule], ...] = (
    ("RR", Sum(FirstRelevant(), Reciprocal()), _FIRST, "1/r1", "none"),
    ("O-measure", Sum(FirstRelevant(), _BR), _BLENDED_ONCE, "BR(r1)", "none"),
    ("P-measure", Sum(Preferred(), _BR), _BLENDED_ONCE, "BR(rp)", "none"),
    ("P-plus", _P_PLUS, _BLENDED_ONCE, "sum_{r<=rp} I(r) BR(r) / C(rp)", "none"),
    ("AP", _AP, _COUNTED, "1/min(l,R) sum_r I(r) C(r)/r", "optional"),
    ("Q-measure", _Q, _NORMALISED, "1/R sum_r I(r) BR(r)", "none"),
    ("NCUrb,P", RankBiasedNCU(Precision()), _COUNTED, "rank-biased NCU, C(r)/r", "optional"),
    ("NCUrb,BR", RankBiasedNCU(_BR), _GRADED, "rank-biased NCU, BR(r)", "optional"),
    ("NCUrb,IE", RankBiasedNCU(Power(0.99)), _COUNTED, "rank-biased NCU, .99^r", "optional"),
    ("RBP", _RBP, _GRADED, ".05 sum_r .95^(r-1) g(r)/gmax", "optional"),
    ("ERR", _ERR, _STOPPED, "sum_r P_ERR(r)/r", "optional"),
    ("EBR", _EBR, _BLENDED, "sum_r P_ERR(r) BR(r)", "optional"),
    ("iRBU", _IRBU, _STOPPED, "sum_r P_ERR(r) .99^r", "optional"),
    ("Q", _Q, _NORMALISED, "1/min(l,R) sum_r I(r) BR(r)", "required"),
    (
        "nDCG",
        Over(Sum(LateLog2(), Gained()), Best()),
        _NORMALISED,
        "nDCG of Jarvelin and Kekalainen, base 2",
        "required",
    ),
    ("MSnDCG", _MSNDCG, _NORMALISED, "nDCG of Burges et al.", "required"),
    (
        "Prec",
        Sum(AtCutoff(), Precision()),
        replace(_COUNTED, needs_ideal=False),
        "C(l)/l",
        "required",
    ),
    ("nRBP", Over(_RBP, Best()), _NORMALISED, "RBP over that of the ideal list", "required"),
    ("nERR", Over(_ERR, Best()), _NORMALISED, "ERR over that of the ideal list", "required"),
    ("nEBR", Over(_EBR, Best()), _BLENDED_ONCE, "EBR over that of the ideal list", "required"),
    ("niRBU", Over(_IRBU, Best()), _NORMALISED, "iRBU over that of the ideal list", "required"),
    ("Hit", Sum(FirstRelevant(), Power(1.0)), _FIRST, "1 if anything is relevant", "required"),
)
#: what the program mixes with I-rec, four decimals of it; its D#-RBU mixes iRBU
_SHARP: dict[str, tuple[Formula, Traits]] = {
    "Q": (_Q, Traits()),
    "MSnDCG": (_MSNDCG, _GRADED),
    "RBP": (_RBP, _GRADED),
    "EBR": (_EBR, Traits(monotone=False)),
    "RBU": (_IRBU, Traits()),
}


def _family(
    name: str,
    build: Callable[..., Formula],
    traits: Traits,
    said: str,
    summary: str,
    cutoff: CutoffRule = "required",
) -> Family:
    return Family(
        f"ntcireval:{name}",
        build,
        traits,
        said,
        summary,
        "NTCIREVAL 230128",
        () if cutoff == "required" else (_TOP,),
        cutoff,
        keeps=_KEEPS,
        group="ntcireval",
    )


def _of_gains(
    name: str, formula: Formula, traits: Traits, said: str, cutoff: CutoffRule
) -> Iterator[Family]:
    """A measure on the global gain, and its mean over intents where it has a cutoff."""
    on_gain = D(formula, _ROUNDING)
    build: Callable[..., Formula] = lambda: on_gain  # noqa: E731 - one of two
    if cutoff != "required":
        build = lambda top=10: TopOnly(top, on_gain)  # noqa: E731
    yield _family(name, build, traits, said, f"{name} on the global gain", cutoff)
    if cutoff != "none":
        yield _family(
            f"{name}-IA",
            lambda: IA(Rounded(DECIMALS, formula)),
            replace(traits, range=(0.0, 1.0 if name in _BELOW_99 else None), normalised=False),
            f"sum_i Pr(i) M_i, M = {said}",
            f"{name} for each intent, weighed",
        )


def _mixed(formula: Formula) -> Formula:
    return Mix(0.5, Rounded(DECIMALS, IRec()), Rounded(DECIMALS, formula))


def _diversity() -> Iterator[Family]:
    irec = Traits(uses_grades=False, uses_probabilities=False, needs_ideal=False)
    yield _family(
        "#intent_num",
        lambda top=10: IntentCount(),
        replace(irec, range=(0.0, None)),
        "M",
        "intents of the topic",
        "none",
    )
    yield _family(
        "I-rec-n",
        lambda top=10: IRecAtIntents(),
        replace(irec, normalised=True),
        "intents found in the top M / M",
        "I-rec at as many documents as the topic has intents, of the whole list",
        "none",
    )
    yield _family("I-rec", IRec, irec, "intents found in the top l / M", "intent recall")
    for name, (formula, traits) in _SHARP.items():
        yield _family(
            f"D#-{name}",
            lambda formula=formula: _mixed(D(formula, _ROUNDING)),
            traits,
            "(I-rec + D) / 2",
            f"intent recall mixed with {name} on the global gain",
        )
    plain = IA(ByType(Rounded(DECIMALS, _Q), Rounded(DECIMALS, _P_PLUS)))
    typed = replace(_GRADED, uses_types=True, monotone=False)
    said = "sum_inf Pr(i) Q_i + sum_nav Pr(j) P-plus_j"
    yield _family("P+Q", lambda: plain, typed, said, "Q or P-plus by an intent's type")
    yield _family(
        "P+Q#", lambda: _mixed(plain), typed, "(I-rec + P+Q) / 2", "intent recall mixed with P+Q"
    )


FAMILIES: tuple[Family, ...] = (
    *(family for column in _COLUMNS for family in _of_gains(*column)),
    *_diversity(),
)

_NCU = ("NCUrb,P", "NCUrb,BR", "NCUrb,IE")
_WHOLE = (
    *("RR", "O-measure", "P-measure", "P-plus", "AP", "Q-measure", *_NCU),
    *("RBP", "ERR", "EBR", "iRBU"),
)
_CUT = (
    *("AP", "Q", *_NCU, "nDCG", "MSnDCG", "Prec", "RBP", "nRBP"),
    *("ERR", "nERR", "EBR", "nEBR", "iRBU", "niRBU", "Hit"),
)


def columns(cutoff: int) -> tuple[str, ...]:
    """The program's columns at a cutoff, in its order, as names of measures."""
    return (
        *(f"ntcireval:{name}" for name in _WHOLE),
        *(f"ntcireval:{name}@{cutoff}" for name in _CUT),
        "ntcireval:#intent_num",
        "ntcireval:I-rec-n",
        f"ntcireval:I-rec@{cutoff}",
        *(f"ntcireval:D#-{name}@{cutoff}" for name in _SHARP),
    )
