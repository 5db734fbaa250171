"""Sets of measures that papers and programs report together."""

from __future__ import annotations

from polyseme.measures.catalogue import CATALOGUE_FAMILIES, Catalogue, MeasureSet
from polyseme.measures.dialects import ndeval
from polyseme.measures.measure import Measure

_EXPONENTIAL = "gain=exponential"


def _said(name: str, *parameters: str, cutoff: int) -> str:
    said = ",".join(parameters)
    return f"{name}({said})@{cutoff}" if said else f"{name}@{cutoff}"


def _graded(names: tuple[str, ...], cutoff: int) -> list[str]:
    """Names with the exponential gain; ``NAME(p=.85)`` keeps its parameter."""
    said = []
    for name in names:
        base, _, rest = name.partition("(")
        said.append(_said(base, *([rest.rstrip(")")] if rest else []), _EXPONENTIAL, cutoff=cutoff))
    return said


def _adhoc(cutoff: int) -> tuple[str, ...]:
    graded = ("nDCG", "Q", "ERR", "EBR", "RBP", "RBP(p=0.85)", "iRBU", "iRBU(p=0.85)")
    return (f"P@{cutoff}", *_graded(graded, cutoff))


def _diversity(cutoff: int) -> tuple[str, ...]:
    bases = ("nDCG", "Q", "ERR", "EBR", "RBP", "RBP(p=0.85)")
    return (
        f"I-rec@{cutoff}",
        *_graded(tuple(f"D-{base}" for base in bases), cutoff),
        *_graded(tuple(f"D#-{base}" for base in bases), cutoff),
        *_graded(
            tuple(base.replace("(", "-IA(") if "(" in base else f"{base}-IA" for base in bases),
            cutoff,
        ),
        *_graded(("RBU", "RBU(p=0.85)"), cutoff),
    )


def _golbus(cutoff: int) -> tuple[str, ...]:
    averages = ("cascade", "micro", "geom", "smr")
    discounts = (("nERR", "ERR"), ("nDCG", "DCG"), ("nRBP", "RBP"))
    return (
        *(
            _said(f"alpha#-{label}-IA", f"average={average}", cutoff=cutoff)
            for label, _ in discounts
            for average in averages
        ),
        *(_said("D#-cascade", f"discount={name}", cutoff=cutoff) for _, name in discounts),
    )


SETS: tuple[MeasureSet, ...] = (
    MeasureSet(
        "sakai2019",
        lambda cutoff: (*_adhoc(cutoff), *_diversity(cutoff)),
        10,
        "the 30 measures of Sakai and Zeng 2019, exponential gain",
    ),
    MeasureSet("sakai2019-adhoc", _adhoc, 10, "its nine ad hoc measures"),
    MeasureSet("sakai2019-diversity", _diversity, 10, "its 21 diversity measures"),
    MeasureSet(
        "ntcir",
        lambda cutoff: (f"I-rec@{cutoff}", f"D-nDCG@{cutoff}", f"D#-nDCG@{cutoff}"),
        10,
        "what NTCIR reports",
    ),
    MeasureSet(
        "trec",
        lambda cutoff: ndeval.COLUMNS,
        None,
        "the 21 columns of ndeval",
    ),
    MeasureSet("golbus2013", _golbus, 20, "the alpha#-IA and D# measures of Golbus et al. 2013"),
)

CATALOGUE = Catalogue(CATALOGUE_FAMILIES, SETS)


def parse(name: str) -> Measure:
    """Read one measure's name, such as ``D#-nDCG@10``."""
    return CATALOGUE.parse(name)


def parse_all(names: str) -> list[Measure]:
    """Read names and sets of measures, separated by spaces or commas."""
    return CATALOGUE.parse_all(names)
