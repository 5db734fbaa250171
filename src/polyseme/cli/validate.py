"""``polyseme validate``."""

from __future__ import annotations

from typing import Any, TextIO, cast

import click

from polyseme.cli import options
from polyseme.cli.output import FORMATS, Output
from polyseme.collection.agreement import cross_checked
from polyseme.collection.validation import validate as validated
from polyseme.reporting.validation import report_of_validation, write_text

TEXT = "text"


@click.command(
    short_help="List everything that is wrong with files.",
    epilog=options.examples(
        "polyseme validate judgments.qrels",
        "polyseme validate judgments.qrels probabilities.txt topics.xml runs/*.run",
        "polyseme validate probabilities.txt --kind probabilities --format json",
        "polyseme validate runs/*.run --limit 5 --format csv -o problems.csv",
    ),
)
@click.argument("files", nargs=-1, required=True)
@options.kind
@options.input_format
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=100,
    show_default=True,
    metavar="N",
    help="Most problems to list of each file; all are counted.",
)
@options.output((TEXT, *FORMATS), usual=TEXT)
def validate(
    files: tuple[str, ...], kind: Any, input_format: str | None, limit: int, output: Output
) -> None:
    """List every problem of FILES: judgments, runs, probabilities of intents, TREC topics.

    Each problem comes with its place, its text, what was expected and how to mend it; then what is
    no error but worth knowing, and what each file holds. Files that are given together are also
    held against each other: topics and intents that the judgments do not know, runs of one name.

    Problems make the exit status 1, remarks do not.
    """
    options.check_standard_input(*files)
    with output.opened() as write:
        found = cross_checked(
            [validated(path, limit=limit, kind=kind, format=input_format) for path in files]
        )
        if output.format == TEXT:
            write_text(found, cast("TextIO", write.stream))
        else:
            write(report_of_validation(found))
    if not all(one.sound for one in found):
        click.get_current_context().exit(1)
