"""``polyseme judge check``."""

from __future__ import annotations

import click

from polyseme.cli import options
from polyseme.cli.judge import opened, study
from polyseme.cli.output import Output
from polyseme.tables import Column, Report, Row, Table, labels

#: no more of one kind is shown
_SHOWN = 20


@click.command(
    short_help="Check that a study is whole.",
    epilog=options.examples("polyseme judge check preferences.study"),
)
@study
@options.output(usual="table")
def check(study: str, output: Output) -> None:
    """Check that a study is whole: its database, and what stands against all that was said.

    Where something is wrong the exit status is 1. The columns are check, result, remark.
    """
    from polyseme.judging.checking import check

    with output.opened() as write, opened(study) as store:
        with store.reading() as moment:
            found = list(check(moment))
        rows: list[Row] = []
        for each in found:
            if not each.problems:
                rows.append((each.what, "ok", each.remark))
            rows += [(each.what, "wrong", problem) for problem in each.problems[:_SHOWN]]
            if len(each.problems) > _SHOWN:
                rows.append((each.what, "wrong", f"and {len(each.problems) - _SHOWN:,} more"))
        wrong = any(each.problems for each in found)
        write(
            Report(
                Table((*labels("check", "result"), Column("remark", "prose")), rows),
                facts={"sound": not wrong},
            )
        )
    if wrong:
        click.get_current_context().exit(1)
