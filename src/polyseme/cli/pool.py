"""``polyseme pool``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from polyseme.cli import options, pooling
from polyseme.cli.output import Output
from polyseme.collection.reading import read_qrels, read_runs
from polyseme.collection.runs import Ordering
from polyseme.evaluation import evaluate
from polyseme.reuse.best_runs import best_runs
from polyseme.reuse.pools import pool as make_pool


@click.command(
    short_help="Pool runs, and tell who contributed what.",
    epilog=options.examples(
        "polyseme pool runs/*.run --depth 20 -o pool.csv",
        "polyseme pool runs/*.run --depth 20 --minus judgments.qrels --shuffle --seed 7",
        "polyseme pool runs/*.run --depth 20 --teams teams.csv --contributions "
        "--qrels judgments.qrels --format table",
        "polyseme pool runs/*.run --depth 20 --teams teams.csv --contributions "
        '--qrels judgments.qrels --best-by "D#-nDCG@10" --format markdown',
    ),
)
@click.argument("runs", nargs=-1, required=True)
@pooling.depth
@pooling.teams
@click.option("--minus", metavar="QRELS", help="Leave out the documents that are judged here.")
@click.option("--shuffle", is_flag=True, help="Documents in an order of chance, not by id.")
@options.seed
@click.option(
    "--contributions", is_flag=True, help="What each team contributed, in place of the pool."
)
@click.option("--qrels", metavar="QRELS", help="Judgments, for contributions that are relevant.")
@pooling.best_by
@options.order
@options.duplicates
@options.inputs
@options.output()
def pool(
    runs: tuple[str, ...],
    depth: str | None,
    teams: str | None,
    minus: str | None,
    shuffle: bool,
    seed: int,
    contributions: bool,
    qrels: str | None,
    best_by: str | None,
    order: Any,
    duplicates: Any,
    input_format: str | None,
    runs_format: str | None,
    run_names: Any,
    output: Output,
) -> None:
    """Pool the documents that RUNS retrieved down to a depth.

    The pool has the columns topic and doc, in an order that reveals nothing of the runs: by
    document id, or with --shuffle by chance. With --minus it is incremental: only what is not
    judged yet.

    With --contributions it is told instead how many documents each team contributed to the pool,
    how many of them no other team did, and how many of these are relevant.
    """
    if depth is None:
        raise click.UsageError("say how deep the pool is: --depth N, or a file of depths")
    if not contributions and (qrels or best_by):
        raise click.UsageError("--qrels and --best-by go with --contributions")
    if best_by and not qrels:
        raise click.UsageError("--best-by needs judgments: say --qrels")
    options.check_standard_input(*runs, depth, teams, minus, qrels)
    with output.opened() as write:
        given = read_runs(*runs, format=runs_format or input_format, names=run_names)
        made = make_pool(
            given,
            depth,
            teams=teams,
            minus=None if minus is None else read_qrels(minus, format=input_format),
            ordering=Ordering(order or "score", duplicates),
            seed=seed if shuffle else None,
        )
        if not contributions:
            write(made)
            return
        judged = None if qrels is None else read_qrels(qrels, format=input_format)
        found = made.contributions(judged)
        if best_by is not None:
            scores = evaluate(judged, given, best_by, order=order, duplicates=duplicates)
            found = replace(found, best=best_runs(scores, made.teams), best_by=scores.measures[0])
        write(found)
