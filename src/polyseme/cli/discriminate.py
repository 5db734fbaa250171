"""``polyseme discriminate``."""

from __future__ import annotations

from typing import Any

import click

from polyseme.cli import options, testing
from polyseme.cli.given_scores import GivenScores, given
from polyseme.cli.output import Output
from polyseme.meta.discrimination import METHODS
from polyseme.meta.discrimination import discriminate as discriminated


@click.command(
    short_help="Measure how many pairs of runs measures tell apart.",
    epilog=options.examples(
        "polyseme discriminate judgments.qrels runs/*.run -m ntcir --trials 1000 --format table",
        "polyseme discriminate judgments.qrels runs/*.run -m I-rec@10 --test bootstrap --seed 7",
    ),
)
@given(engine=True)
@click.option(
    "--test",
    "method",
    type=click.Choice(METHODS),
    default=METHODS[0],
    show_default=True,
    help="Randomised Tukey HSD, or the paired bootstrap test of each pair alone.",
)
@testing.chance
@options.output()
def discriminate(
    given: GivenScores,
    method: Any,
    chance: dict[str, Any],
    missing: Any,
    output: Output,
) -> None:
    """Measure the discriminative power of measures.

    Power is the share of pairs of runs that differ significantly. Give judgments and runs, or
    --scores. The columns are measure, pairs, significant, power and min_delta, the smallest
    significant difference of means.
    """
    with output.opened() as write:
        scores = given.scores(output)
        with testing.progress(output) as progress:
            found = discriminated(
                scores,
                method=method,
                **chance,
                missing=missing,
                jobs=given.jobs,
                engine=given.engine,
                progress=progress.reached,
            )
        write(found)
