"""``polyseme judge revoke``."""

from __future__ import annotations

import click

from polyseme.cli import options
from polyseme.cli.judge import opened, study
from polyseme.cli.output import tell
from polyseme.tables import Column, Report, Table, labels


@click.command(
    short_help="Make a judge's links worthless.",
    epilog=options.examples(
        "polyseme judge revoke preferences.study judge02",
        "polyseme judge revoke preferences.study judge03 --release",
    ),
)
@study
@click.argument("judge")
@click.option(
    "--release",
    is_flag=True,
    help="Give to others what the judge has opened or only begun; that is withdrawn.",
)
@options.told
@options.quiet
def revoke(study: str, judge: str, release: bool, told_as: str, quiet: bool) -> None:
    """Make all links of a JUDGE worthless, at once; what was answered stays."""
    from polyseme.judging import organising

    with opened(study) as store, store.writing() as moment:
        links = organising.revoke_judge(moment, judge)
        released = organising.release(moment, judge) if release else 0
    sentence = f"{judge}: {links} links revoked"
    if release:
        sentence += f", {released} items or topics open to others again"
    columns = (*labels("judge"), Column("links"), Column("released"))
    tell(sentence, Report(Table(columns, [(judge, links, released)])), told_as, quiet=quiet)
