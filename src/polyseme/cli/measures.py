"""``polyseme measures``."""

from __future__ import annotations

import click

from polyseme.cli import options, values
from polyseme.cli.definitions import catalogue_with
from polyseme.cli.output import FORMATS, Output
from polyseme.errors import MeasureError
from polyseme.measures.catalogue import Catalogue
from polyseme.measures.measure import Family, Measure
from polyseme.reporting.measures import (
    report_of_catalogue,
    report_of_measure,
    report_of_measures,
)

NAMES_ONLY = "name"


@click.command(
    short_help="List the measures, or explain one.",
    epilog=options.examples(
        "polyseme measures",
        "polyseme measures --group cascade",
        'polyseme measures "D#-nDCG@10"',
        "polyseme measures golbus2013@10 --format name",
        "polyseme measures Dsharp-nDCG@10 --format name",
        "polyseme measures --format csv -o measures.csv",
    ),
)
@click.argument("name", required=False, shell_complete=values.measures)
@click.option("--group", metavar="GROUP", help="Only the measures of this group.")
@options.define
@options.output((*FORMATS, NAMES_ONLY))
def measures(name: str | None, group: str | None, define: tuple[str, ...], output: Output) -> None:
    """List the measures and sets, or explain the one called NAME.

    The list tells each measure's summary, formula, cutoff, parameters with their defaults, traits
    and citation; NAME alone tells the legal values of its parameters too. A set is listed by its
    members. --format name prints canonical names only.
    """
    catalogue = catalogue_with(define)
    if name is not None and group is not None:
        raise click.UsageError("take either a NAME or --group")
    if name is None:
        report = report_of_catalogue(catalogue, group)
    else:
        family, found = _found(catalogue, name)
        if family is not None:
            report = report_of_measure(family, found[0] if found else None)
        else:
            report = report_of_measures(found)
    with output.opened() as write:
        if output.format == NAMES_ONLY:
            write.stream.writelines(f"{row[0]}\n" for row in report.data.rows)
        else:
            write(report)


def _found(catalogue: Catalogue, name: str) -> tuple[Family | None, list[Measure]]:
    """One family, perhaps with parameters and a cutoff; or the measures of a set or a list."""
    try:
        found = catalogue.parse_all(name)
    except MeasureError:
        # a family that needs a cutoff can be explained without one
        if name in {family.name for family in catalogue}:
            return catalogue[name], []
        raise
    if not found:
        raise MeasureError("no measure was named\n  to mend it: name one, such as D#-nDCG@10")
    is_set = name.partition("@")[0] in {each.name for each in catalogue.sets}
    return (None, found) if is_set or len(found) > 1 else (found[0].family, found)
