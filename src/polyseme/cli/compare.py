"""``polyseme compare``."""

from __future__ import annotations

from typing import Any

import click

from polyseme.cli import options, testing
from polyseme.cli.given_scores import GivenScores, given
from polyseme.cli.output import Output
from polyseme.statistics.adjusting import ADJUSTMENTS
from polyseme.statistics.comparison import TESTS
from polyseme.statistics.comparison import compare as compared


@click.command(
    short_help="Test differences between runs for significance.",
    epilog=options.examples(
        'polyseme compare judgments.qrels runs/*.run -m "D#-nDCG@10" --trials 1000 --format table',
        "polyseme compare judgments.qrels runs/*.run -m ERR-IA@10 --baseline alder-1 --trials 1000",
        "polyseme evaluate judgments.qrels runs/*.run -m I-rec@10 --per-topic -o scores.csv",
        "polyseme compare --scores scores.csv --test wilcoxon --adjust bh -o pairs.csv",
    ),
)
@given(engine=True)
@click.option(
    "--test",
    type=click.Choice(TESTS),
    default=TESTS[0],
    show_default=True,
    help="Randomised Tukey HSD of all runs at once, or a test of each pair.",
)
@click.option(
    "--baseline",
    multiple=True,
    metavar="RUN",
    help="Compare all others with this run; repeatable.  [default: all pairs]",
)
@click.option(
    "--adjust",
    type=click.Choice(ADJUSTMENTS),
    help="Correct the p-values of paired tests for their number.  [default: holm]",
)
@testing.chance
@options.output()
def compare(
    given: GivenScores,
    test: Any,
    baseline: tuple[str, ...],
    adjust: Any,
    chance: dict[str, Any],
    missing: Any,
    output: Output,
) -> None:
    """Tell which differences between the means of runs are more than chance.

    Give judgments and runs, or --scores. The columns are measure, a, b, difference (a less b),
    effect, p and significant. A table for people also has the means with their intervals, and
    letters: runs that share a letter cannot be told apart.
    """
    with output.opened() as write:
        scores = given.scores(output)
        with testing.progress(output) as progress:
            found = compared(
                scores,
                test=test,
                baseline=baseline,
                adjust=adjust,
                **chance,
                missing=missing,
                jobs=given.jobs,
                engine=given.engine,
                progress=progress.reached,
            )
        write(found)
