"""Options of the commands that draw random orders of relevant documents."""

from __future__ import annotations

from typing import Any

import click

from polyseme.cli import options
from polyseme.collection.reading import read_qrels, read_runs
from polyseme.collection.runs import Runs
from polyseme.evaluation import Prepared, prepared
from polyseme.measures.means import EXPECTED
from polyseme.meta.orders import DRAWINGS
from polyseme.meta.selection import MEANS

means = click.option(
    "--mean",
    multiple=True,
    metavar="MEAN",
    help=f"Mean over topics: {EXPECTED}; repeatable.  [default: {', '.join(MEANS)}]",
)
drawing = click.option(
    "--drawing",
    type=click.Choice(DRAWINGS),
    default=DRAWINGS[0],
    show_default=True,
    help="All orders alike, or at each rank first an intent by its probability, then one of the "
    "most relevant documents left for it.",
)
orders = click.option(
    "--orders",
    type=click.IntRange(min=2),
    default=1000,
    show_default=True,
    metavar="N",
    help="Random orders of each topic's relevant documents.",
)
threads = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Threads that work at a time.",
)


def prepared_inputs(
    judgments: str,
    runs: tuple[str, ...],
    input_format: str | None,
    runs_format: str | None = None,
    run_names: Any = "file",
    **policies: Any,
) -> Prepared:
    """Judgments, perhaps runs, and policies, all as they were said."""
    options.check_standard_input(judgments, *runs, *policies.values())
    given = Runs(())
    if runs:
        given = read_runs(*runs, format=runs_format or input_format, names=run_names)
    return prepared(read_qrels(judgments, format=input_format), given, **policies)
