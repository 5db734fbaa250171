"""``polyseme judge status``."""

from __future__ import annotations

import click

from polyseme.cli import options
from polyseme.cli.judge import opened, study
from polyseme.cli.output import Output
from polyseme.tables import Column, Report, Row, Table, labels


@click.command(
    short_help="Tell how far judges are, and how they agree.",
    epilog=options.examples(
        "polyseme judge status preferences.study",
        "polyseme judge status preferences.study --format json",
    ),
)
@study
@options.output(usual="table")
def status(study: str, output: Output) -> None:
    """Tell how far each judge is, and Krippendorff's alpha of what is there.

    The columns are judge, done, cannot, skipped, started, total, seconds (the median of active
    time of an item), last.
    """
    from statistics import median

    from polyseme.judging import organising
    from polyseme.judging.exporting import iso

    with output.opened() as write, opened(study) as store:
        with store.reading() as moment:
            found = organising.organiser_view(moment)
        rows: list[Row] = [
            (
                *(each.judge, each.done, each.cannot, each.skipped, each.started, each.total),
                median(each.seconds) if each.seconds else None,
                None if each.last is None else iso(each.last),
            )
            for each in found.judges
        ]
        columns = (
            *labels("judge"),
            *map(Column, ("done", "cannot", "skipped", "started", "total")),
            Column("seconds", decimals=1),
            Column("last"),
        )
        notes = [
            f"{found.title}: {found.complete:,} of {found.items:,} items have {found.wanted} judges"
        ]
        for each in found.agreement:
            value = "undefined yet" if each.alpha is None else f"{each.alpha:.3f}"
            notes.append(f"Krippendorff's alpha, {each.question}: {value}")
        write(
            Report(
                Table(columns, rows),
                notes=tuple(notes),
                facts={
                    "items": found.items,
                    "wanted": found.wanted,
                    "complete": found.complete,
                    "agreement": [
                        {"question": a.question, "alpha": a.alpha, "without": dict(a.without)}
                        for a in found.agreement
                    ],
                },
            )
        )
