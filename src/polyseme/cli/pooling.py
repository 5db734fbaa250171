"""Options of the commands that pool runs."""

from __future__ import annotations

import click

from polyseme.cli import values

teams = click.option(
    "--teams",
    metavar="FILE",
    help="CSV with the columns run,team (and task).  [default: each run is a team]",
)
depth = click.option(
    "--depth",
    metavar="N|LIST|FILE",
    help="Depth of the pool: for all topics, TOPIC:N,..., or a file of lines `topic depth`.",
)
best_by = click.option(
    "--best-by",
    metavar="MEASURE",
    shell_complete=values.measures,
    help="A team's best run is the one with the highest mean of this measure.",
)
