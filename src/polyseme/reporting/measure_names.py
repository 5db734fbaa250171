"""Names of measures as tables and figures have room for them."""

from __future__ import annotations

from collections.abc import Sequence

from polyseme.errors import PolysemeError
from polyseme.measures.measure import Measure
from polyseme.measures.sets import parse

AD_HOC = "ad hoc"


def family_of(name: str) -> str:
    """Ad hoc measures are told from those of diversity, as in papers; empty for other names."""
    measure = _parsed(name)
    if measure is None:
        return ""
    return AD_HOC if measure.family.group == AD_HOC else "diversity"


def without_what_all_share(names: Sequence[str]) -> tuple[list[str], str]:
    """Names without the cutoff, gain and so on that all of them have, and what these are."""
    measures = [_parsed(name) for name in names]
    known = [each for each in measures if each is not None]
    if len(known) < len(names) or len(names) < 2:
        return list(names), ""
    shared = [
        (key, value)
        for key, value in dict.fromkeys(pair for each in known for pair in each.parameters)
        if all(_has(each, key, value) for each in known)
    ]
    cutoffs = {each.cutoff for each in known}
    cut = len(cutoffs) == 1 and cutoffs != {None}
    short = [_without(each, [key for key, _ in shared], cut=cut) for each in known]
    if len(set(short)) < len(short):
        return list(names), ""
    said = [f"{key} {value}" for key, value in shared]
    if cut:
        said.append(f"cutoff {next(iter(cutoffs))}")
    return short, ", ".join(said)


def _parsed(name: str) -> Measure | None:
    try:
        return parse(name)
    except PolysemeError:
        return None


def _has(measure: Measure, key: str, value: object) -> bool:
    """Has it this value, if the parameter means anything to it?"""
    held = dict(measure.parameters)
    if key == "gain" and not measure.family.traits.uses_grades:
        return True
    return key not in measure.family.all_parameters or held.get(key) == value


def _without(measure: Measure, keys: Sequence[str], *, cut: bool) -> str:
    said = {key: value for key, value in measure.parameters if key not in keys}
    bare = str(measure.family(measure.cutoff, primes=measure.primes, **said))
    return bare.rpartition("@")[0] if cut else bare
