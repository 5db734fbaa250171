"""``polyseme judge password``."""

from __future__ import annotations

import click

from polyseme.cli import options
from polyseme.cli.judge import opened, password_file, study
from polyseme.cli.output import Output
from polyseme.tables import Column, Report, Table, labels


@click.command(
    short_help="Give the organiser another password.",
    epilog=options.examples("polyseme judge password preferences.study"),
)
@study
@password_file
@options.output(usual="table")
def password(study: str, password_file: str | None, output: Output) -> None:
    """Give the organiser another password, and end the sessions of the old one."""
    from polyseme.cli.judge.new import TOLD_ONCE, first_line
    from polyseme.judging import passwords

    made = passwords.new_password() if password_file is None else None
    with output.opened() as write, opened(study) as store:
        with store.writing() as moment:
            passwords.set_password(moment, made or first_line(str(password_file)))
        columns = (*labels("study"), Column("password"))
        rows = [(store.database.name, made or "as in the file")]
        write(Report(Table(columns, rows), notes=(TOLD_ONCE,) if made else ()))
