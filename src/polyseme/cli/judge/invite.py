"""``polyseme judge invite``."""

from __future__ import annotations

import click

from polyseme.cli import options
from polyseme.cli.judge import opened, study
from polyseme.cli.output import Output
from polyseme.tables import Column, Report, Row, Table, labels

URL = "http://127.0.0.1:8080"


@click.command(
    short_help="Make secret links for judges.",
    epilog=options.examples(
        "polyseme judge invite preferences.study --judges 15 -o links.csv",
        "polyseme judge invite preferences.study --judge Sachiko --judge Haruto --days 14 "
        "--url https://study.example.org",
    ),
)
@study
@click.option("--judges", type=click.IntRange(1, 1000), metavar="N", help="So many new judges.")
@click.option(
    "--judge",
    "names",
    multiple=True,
    metavar="NAME",
    help="A judge by name; one who is there gets another link. Repeatable.",
)
@click.option(
    "--days",
    type=click.FloatRange(0, 3650, min_open=True),
    default=90.0,
    show_default=True,
    metavar="D",
    help="How long the links are good.",
)
@click.option(
    "--url", default=URL, show_default=True, metavar="URL", help="Where the study is served."
)
@options.output()
def invite(
    study: str,
    judges: int | None,
    names: tuple[str, ...],
    days: float,
    url: str,
    output: Output,
) -> None:
    """Make a secret link for each judge. The columns are judge, link, until.

    Whoever has a link is that judge: send each to one person only. The links are told this once;
    the study keeps hashes of them. They can be made while the study is served.
    """
    from polyseme.judging import exporting, tokens

    if (judges is None) == (not names):
        raise click.UsageError("say --judges N for new judges, or --judge NAME")
    with output.opened() as write, opened(study) as store:
        with store.writing() as moment:
            wanted = list(names) or tokens.new_names(moment, judges or 0)
            invited = tokens.invite(moment, wanted, days)
        rows: list[Row] = [
            (each.judge, url.rstrip("/") + each.path, exporting.iso(each.until)) for each in invited
        ]
        write(
            Report(
                Table((*labels("judge"), Column("link", "prose"), Column("until")), rows),
                notes=(f"{len(rows)} links, good until {rows[0][2]}; they are told this once",),
            )
        )
