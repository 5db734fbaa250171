"""What measures are and what they see, as far as the catalogue knows them."""

from __future__ import annotations

from polyseme.errors import PolysemeError
from polyseme.measures.sets import parse


def summary_of(name: str) -> str:
    """What a measure is, in a few words; empty where the catalogue has none of that name."""
    try:
        return parse(name).family.summary
    except PolysemeError:
        return ""


def sees_only(name: str) -> str:
    """What alone a measure sees: ``relevance`` or ``diversity``; empty where it sees both."""
    try:
        family = parse(name).family
    except PolysemeError:
        return ""
    if family.name in ("I-rec", "ndeval:strec", "ntcireval:I-rec"):
        return "diversity"
    if family.group == "ad hoc" or family.name.startswith("D-"):
        return "relevance"
    return ""
