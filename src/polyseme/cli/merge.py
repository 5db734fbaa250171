"""``polyseme merge``."""

from __future__ import annotations

import warnings

import click

from polyseme.cli import options
from polyseme.cli.output import Output
from polyseme.collection.formats.writing import JUDGMENT_FORMATS, write_judgments
from polyseme.collection.reading import read_qrels
from polyseme.errors import PolysemeWarning
from polyseme.reuse.merging import merge as merged_judgments


@click.command(
    short_help="Add judgments to judgments.",
    epilog=options.examples(
        "polyseme merge judgments.qrels judgments.qrels",
        "polyseme merge judgments.qrels judgments.qrels --into merged.qrels --format table",
    ),
)
@click.argument("judgments")
@click.argument("more")
@click.option("--into", metavar="FILE", help="Write the merged judgments here.")
@click.option(
    "--into-format",
    type=click.Choice(JUDGMENT_FORMATS),
    help="Format of the merged judgments.  [default: by the file's name, else trec]",
)
@options.input_format
@options.output()
def merge(
    judgments: str,
    more: str,
    into: str | None,
    into_format: str | None,
    input_format: str | None,
    output: Output,
) -> None:
    """Add the judgments of MORE to JUDGMENTS.

    Told is how many judgments have each grade, before and after, with the columns grade, before,
    added and after. Two grades for one topic, intent and document are an error.
    """
    options.check_standard_input(judgments, more)
    with output.opened() as write:
        found = merged_judgments(
            read_qrels(judgments, format=input_format),
            read_qrels(more, format=input_format),
            source=more,
        )
        if into is not None:
            for lost in write_judgments(found.after, into, format=into_format):
                warnings.warn(f"{into}: {lost}", PolysemeWarning, stacklevel=2)
        write(found)
