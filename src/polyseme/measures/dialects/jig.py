"""trec-dd-jig's scorer of the TREC Dynamic Domain track, cubetest.py."""

from __future__ import annotations

from dataclasses import replace

from polyseme.measures import cube
from polyseme.measures.measure import Family

FAMILIES: tuple[Family, ...] = tuple(
    replace(
        family,
        name=f"jig:{family.name.lower()}",
        summary=f"{family.summary}, as trec-dd-jig prints it",
        parameters=(),
        rule=None,
        cutoff="required",
        group="jig",
    )
    for family in cube.FAMILIES
)


def columns(cutoff: int) -> tuple[str, ...]:
    """The scorer's columns at so many iterations."""
    return tuple(f"{family.name}@{cutoff}" for family in FAMILIES)
