"""``polyseme sensitivity``."""

from __future__ import annotations

from typing import Any

import click

from polyseme.cli import drawing as drawings
from polyseme.cli import options
from polyseme.cli.definitions import catalogue_with
from polyseme.cli.names import names_in
from polyseme.cli.output import Output
from polyseme.cli.progress import Progress
from polyseme.evaluation import wanted
from polyseme.meta.selection import MEANS, selection_sensitivity


@click.command(
    short_help="Measure how measures respond to diversity alone.",
    epilog=options.examples(
        'polyseme sensitivity judgments.qrels -m "D#-nDCG@5 ERR-IA@5 I-rec@5" --orders 200',
        "polyseme sensitivity judgments.qrels -m alpha-nDCG@10 --drawing intent-first "
        '--probabilities probabilities.txt --mean avg --mean "dd(xi_offset=1)" --orders 200',
    ),
)
@click.argument("judgments")
@options.measures
@options.define
@drawings.means
@drawings.orders
@drawings.drawing
@options.seed
@options.policies
@options.input_format
@drawings.threads
@options.engine
@options.output()
def sensitivity(
    judgments: str,
    measures: tuple[str, ...],
    define: tuple[str, ...],
    mean: tuple[str, ...],
    orders: int,
    drawing: Any,
    seed: int,
    only_topics: str | None,
    input_format: str | None,
    jobs: int,
    engine: str | None,
    output: Output,
    **policies: Any,
) -> None:
    """Measure the document selection sensitivity of measures.

    Of every topic random orders of the relevant documents are scored. Sensitivity is the standard
    deviation of their scores over the mean, averaged over topics in several ways. Without -m the
    measures are those of golbus2013.

    The columns are measure, topic_mean, cutoff, alpha, lambda, discount, average (where a measure
    has them) and sensitivity.
    """
    chosen = wanted(measures or "golbus2013", catalogue_with(define))
    with output.opened() as write:
        held = drawings.prepared_inputs(judgments, (), input_format, **policies)
        with Progress(len(held.judged.topics), quiet=output.quiet) as progress:
            found = selection_sensitivity(
                held.judged,
                chosen,
                policies=held.policies,
                only_topics=names_in(only_topics, "topics"),
                orders=orders,
                seed=seed,
                drawing=drawing,
                means=mean or MEANS,
                jobs=jobs,
                engine=engine or "threads",
                progress=progress.step,
            )
        write(found)
