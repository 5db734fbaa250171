"""``polyseme synth``."""

from __future__ import annotations

from typing import Any

import click
import numpy as np

from polyseme.cli import options
from polyseme.cli.output import tell
from polyseme.collection.synthetic import synthesize
from polyseme.tables import Column, Report, Table, labels

_COUNT = click.IntRange(min=1)


def _number(name: str, default: int, text: str) -> options.Decorator[Any]:
    return click.option(
        name, type=_COUNT, default=default, show_default=True, metavar="N", help=text
    )


@click.command(
    short_help="Make a synthetic test collection.",
    epilog=options.examples(
        "polyseme synth demo --seed 1",
        "polyseme synth large --seed 7 --topics 50 --teams 8 --runs-per-team 3 --depth 200",
    ),
)
@click.argument("folder")
@options.seed
@_number("--topics", 20, "Topics.")
@_number("--teams", 5, "Teams.")
@_number("--runs-per-team", 2, "Runs of each team.")
@_number("--intents-max", 6, "Most intents of a topic.")
@_number("--depth", 100, "Documents of a run for each topic.")
@_number("--judged", 20, "How many of them, from the first, are pooled and judged.")
@click.option("--force", is_flag=True, help="Write into a folder that holds files already.")
@options.told
@options.quiet
def synth(folder: str, seed: int, force: bool, told_as: str, quiet: bool, **numbers: int) -> None:
    """Make a synthetic test collection in FOLDER, the same for the same seed.

    Its teams differ in quality, its runs in diversity. Intents are uneven in number, probability
    and relevant documents, and some are navigational. The first half of each team's runs are
    pooled, so that some retrieved documents are unjudged and some judged ones come from one team
    only. The last run lacks a topic.

    FOLDER gets judgments.qrels, probabilities.txt, topics.xml, teams.csv and runs/*.run.
    """
    collection = synthesize(np.random.default_rng(seed), **numbers)
    written = collection.write(folder, force=force)
    made = (
        len(collection.topics),
        len(collection.judged.documents),
        len(collection.runs),
        len(written),
    )
    columns = (*labels("folder"), *map(Column, ("topics", "judged", "runs", "files")))
    tell(
        "{}: {} topics, {} judged documents, {} runs in {} files".format(folder, *made),
        Report(Table(columns, [(folder, *made)])),
        told_as,
        quiet=quiet,
    )
