"""``polyseme judge import``."""

from __future__ import annotations

import click

from polyseme.cli import options
from polyseme.cli.judge import database_errors, opened, study
from polyseme.cli.output import tell
from polyseme.tables import Column, Report, Table, labels


@click.command(
    "import",
    short_help="Read what was exported.",
    epilog=options.examples(
        "polyseme judge import copy.study preferences.jsonl.gz",
        "polyseme judge import again.study answers.csv",
    ),
)
@study
@click.argument("file")
@options.told
@options.quiet
def import_(study: str, file: str, told_as: str, quiet: bool) -> None:
    """Make a STUDY of an archive, or add answers to a STUDY that asks the same.

    An archive becomes a new study, on SQLite or PostgreSQL, with its judges and their links; its
    own archive is the same file again. Answers (CSV or JSON lines) are added with their sides,
    orders and times; their judges must not have answered there yet.
    """
    from polyseme.judging import answers_file, archive
    from polyseme.judging.database import shown

    if archive.is_archive(file):
        with database_errors(study):
            count = archive.restore(study, file)
    else:
        with opened(study) as store, store.writing() as moment:
            count = answers_file.add(moment, file)
    columns = (*labels("study"), Column("judgments"))
    tell(
        f"{shown(study)}: {count:,} judgments read",
        Report(Table(columns, [(shown(study), count)])),
        told_as,
        quiet=quiet,
    )
