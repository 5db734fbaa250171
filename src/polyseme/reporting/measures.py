"""The catalogue of measures as reports: all of them, a set, or one in full."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from polyseme.errors import PolysemeError, did_you_mean
from polyseme.measures.advice import advice_on
from polyseme.measures.catalogue import Catalogue, MeasureSet
from polyseme.measures.measure import Family, Keeps, Measure
from polyseme.measures.parameters import Parameter, spelled
from polyseme.tables import Column, Report, Row, Table, labels

_CUTOFF = {"optional": "@k if wanted", "required": "@k needed", "none": "no cutoff"}
_TRAITS = (
    *("uses_grades", "uses_probabilities", "uses_types", "needs_ideal", "monotone", "normalised"),
)
COLUMNS = (
    *labels("name", "group"),
    *(Column(name, "prose") for name in ("summary", "formula", "parameters", "cutoff", "citation")),
    *(Column(name) for name in ("lowest", "highest", *_TRAITS)),
)


def groups(catalogue: Catalogue) -> list[str]:
    """The groups that measures are in, in the catalogue's order."""
    return list(dict.fromkeys(family.group for family in catalogue))


def report_of_catalogue(catalogue: Catalogue, group: str | None = None) -> Report:
    """All measures, or those of a group, and the sets."""
    known = groups(catalogue)
    if group is not None and group not in known:
        hint = did_you_mean(group, known)
        raise PolysemeError(
            f"no group of measures is named {group!r}"
            + (f"; {hint}" if hint else "")
            + f"\n  the groups: {', '.join(known)}"
        )
    shown = [name for name in known if group in (None, name)]
    families = [family for family in catalogue if family.group in shown]
    tables = [
        _overview(name, [family for family in families if family.group == name]) for name in shown
    ]
    if group is None:
        tables.append(_sets(catalogue))
    return Report(
        data=Table(COLUMNS, [_row(family.name, family) for family in families]),
        tables=tuple(tables),
        notes=("polyseme measures NAME tells all of one measure or set",),
        facts={
            "sets": {
                each.name: list(map(str, _members(catalogue, each))) for each in catalogue.sets
            }
        },
    )


def report_of_measures(measures: Iterable[Measure]) -> Report:
    """Some measures by their canonical names, such as the members of a set."""
    chosen = list(measures)
    return Report(
        data=Table(COLUMNS, [_row(str(measure), measure.family) for measure in chosen]),
        tables=(
            Table(
                (Column("measure", "label"), Column("what it is", "prose")),
                [(str(measure), measure.family.summary) for measure in chosen],
            ),
        ),
    )


def report_of_measure(family: Family, measure: Measure | None = None) -> Report:
    """One measure in full."""
    name = family.name if measure is None else str(measure)
    facts: list[Row] = [
        ("measure", name),
        ("what it is", family.summary),
        ("formula", family.formula),
        ("cutoff", f"{_CUTOFF[family.cutoff]}; it counts {family.counts}"),
        ("traits", _traits(family)),
    ]
    for title, text in (
        ("own policies", _kept(measure.keeps if measure is not None else family.keeps)),
        ("also called", ", ".join(_aliases(family))),
        ("when to use it", " ".join(each.use for each in advice_on(family))),
        ("what to mind", " ".join(each.mind for each in advice_on(family))),
        ("citation", family.citation),
        ("group", family.group),
        ("built from", _parts(family, measure)),
    ):
        if text:
            facts.append((title, text))
    parameters = list(family.all_parameters.values())
    columns = (Column("parameter", "label"), Column("value" if measure else "default", "label"))
    return Report(
        data=Table(COLUMNS, [_row(name, family)]),
        tables=(
            Table((Column("", "label"), Column(name, "prose")), facts[1:]),
            Table(
                (*columns, Column("legal values", "prose"), Column("meaning", "prose")),
                [(each.name, _said(each, measure), each.expected, each.doc) for each in parameters],
            ),
        ),
        facts={
            "parameters": [
                {
                    "name": each.name,
                    "default": each.default,
                    "value": _said(each, measure) or None,
                    "expected": each.expected,
                    "meaning": each.doc,
                }
                for each in parameters
            ]
        },
    )


def _row(name: str, family: Family) -> Row:
    low, high = family.traits.range
    return (
        name,
        family.group,
        family.summary,
        family.formula,
        _defaults(family),
        family.cutoff,
        family.citation,
        low,
        high,
        *(bool(getattr(family.traits, trait)) for trait in _TRAITS),
    )


def _overview(group: str, families: list[Family]) -> Table:
    rows: list[Row] = []
    for family in families:
        said = [_CUTOFF[family.cutoff], _defaults(family), _traits(family), family.citation]
        text = "\n".join((family.summary, family.formula, "; ".join(filter(None, said))))
        rows.append((family.name, text))
    return Table((Column("measure", "label"), Column("what it is", "prose")), rows, group)


def _sets(catalogue: Catalogue) -> Table:
    rows: list[Row] = []
    for each in catalogue.sets:
        cutoffs = f"@{each.cutoff}, or another cutoff" if each.cutoff else "cutoffs of its own"
        members = len(_members(catalogue, each))
        rows.append((each.name, f"{each.summary}\n{members} measures, {cutoffs}"))
    return Table((Column("set", "label"), Column("what it is", "prose")), rows, "sets")


def _members(catalogue: Catalogue, chosen: MeasureSet) -> list[Measure]:
    return catalogue.members(chosen.name)


def _defaults(family: Family) -> str:
    """``alpha=0.3, average=cascade``: its own parameters, with their defaults if they have any."""
    return ", ".join(
        each.name if each.default is None else f"{each.name}={spelled(each.default)}"
        for each in family.parameters
    )


def _said(parameter: Parameter, measure: Measure | None) -> str:
    value = parameter.default if measure is None else measure[parameter.name]
    return "" if value is None else spelled(value)


def _traits(family: Family) -> str:
    traits = family.traits
    low, high = traits.range
    said = [
        f"from {low:g}" if low is not None else "no lower bound",
        f"to {high:g}" if high is not None else "no upper bound",
    ]
    if low is not None and high is not None:
        said = [" ".join(said)]
    said += [name.replace("_", " ") for name in _TRAITS if getattr(traits, name)]
    return ", ".join(said)


def _aliases(family: Family) -> list[str]:
    plain = [family.name.replace("#", "sharp")] if "#" in family.name else []
    return list(dict.fromkeys((*plain, *family.aliases)))


def _kept(keeps: Any) -> str:
    """Policies that the measure brings along, whatever the command says."""
    if not isinstance(keeps, Keeps):
        return "some, by its parameters"
    said = [
        f"{each.name.replace('_', ' ')}: {_plain(getattr(keeps, each.name))}"
        for each in fields(keeps)
        if getattr(keeps, each.name) is not None
    ]
    return ", ".join(said)


def _plain(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _parts(family: Family, measure: Measure | None) -> str:
    """The parts of the formula, as one would write them to compose it."""
    formula = family.build() if measure is None else measure.formula
    return re.sub(r"\b\w+=", "", str(formula))
