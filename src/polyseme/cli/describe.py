"""``polyseme describe``."""

from __future__ import annotations

from typing import Any

import click

from polyseme.cli import options, pooling
from polyseme.cli.output import Output
from polyseme.collection.reading import read_qrels, read_runs, read_topics
from polyseme.collection.relevance import RelevanceRules
from polyseme.collection.runs import Ordering
from polyseme.results import Result
from polyseme.reuse.description import describe as described


@click.command(
    short_help="Describe a collection and the difficulty of its topics.",
    epilog=options.examples(
        "polyseme describe judgments.qrels --topics-xml topics.xml --format table",
        "polyseme describe judgments.qrels runs/*.run --teams teams.csv --format markdown",
        "polyseme describe judgments.qrels --per-topic --exact -o topics.csv",
        "polyseme describe judgments.qrels --per-intent --rank 5 --rank 10 --raw",
        "polyseme describe judgments.qrels --grades",
    ),
)
@click.argument("judgments")
@click.argument("runs", nargs=-1)
@click.option("--grades", is_flag=True, help="How many judgments have each grade.")
@click.option("--per-topic", is_flag=True, help="Size and diversity difficulty of each topic.")
@click.option("--per-intent", is_flag=True, help="Size and miss rate of each intent.")
@click.option(
    "--exact", is_flag=True, help="Draw without replacement, and search for the smallest cover."
)
@click.option(
    "--rank",
    "ranks",
    multiple=True,
    type=click.IntRange(min=0),
    metavar="K",
    help="Miss rates at this rank too; repeatable.",
)
@click.option("--raw", is_flag=True, help="Miss rates as probabilities, not normalised.")
@click.option(
    "--xi-offset",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Add N to the exponent of d_mean; 1 gives what Golbus et al. 2013 print.",
)
@pooling.teams
@options.intents
@click.option(
    "--keep-empty-intents", is_flag=True, help="Keep intents without a relevant document."
)
@click.option(
    "--relevant-from",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="GRADE",
    help="Lowest grade that counts as relevant.",
)
@options.order
@options.duplicates
@options.inputs
@options.output()
def describe(
    judgments: str,
    runs: tuple[str, ...],
    grades: bool,
    per_topic: bool,
    per_intent: bool,
    exact: bool,
    ranks: tuple[int, ...],
    raw: bool,
    xi_offset: int,
    teams: str | None,
    probabilities: str | None,
    topics_xml: str | None,
    keep_empty_intents: bool,
    relevant_from: int,
    order: Any,
    duplicates: Any,
    input_format: str | None,
    runs_format: str | None,
    run_names: Any,
    output: Output,
) -> None:
    """Describe a collection: its JUDGMENTS, and the RUNS they were made from.

    Told are topics, intents, grades, probabilities and types; with RUNS also how deep all their
    lists are judged. --per-topic adds the diversity difficulty: xi documents cover what can be
    covered, d_max is the share of intents that can be, d_mean what xi relevant documents drawn at
    random cover on average, dd their harmonic mean. --per-intent adds the subtopic miss rate.
    """
    if sum((grades, per_topic, per_intent)) > 1:
        raise click.UsageError("take one of --grades, --per-topic and --per-intent")
    options.check_standard_input(judgments, *runs, probabilities, topics_xml, teams)
    with output.opened() as write:
        found = described(
            read_qrels(
                judgments,
                format=input_format,
                probabilities=probabilities,
                topics_xml=topics_xml,
            ),
            read_runs(*runs, format=runs_format or input_format, names=run_names) if runs else None,
            teams=teams,
            topics=None if topics_xml is None else read_topics(topics_xml),
            rules=RelevanceRules(keep_empty_intents, relevant_from),
            ordering=Ordering(order or "score", duplicates),
        )
        result: Result = found
        if grades:
            result = found.histogram()
        elif per_topic:
            result = found.per_topic(exact=exact, xi_offset=xi_offset)
        elif per_intent:
            result = found.per_intent(ranks=ranks, raw=raw, exact=exact, xi_offset=xi_offset)
        write(result)
