"""``polyseme correlate``."""

from __future__ import annotations

from typing import Any

import click

from polyseme.cli import options
from polyseme.cli.given_scores import GivenScores, given
from polyseme.cli.output import Output
from polyseme.statistics.ranking import correlate as correlations


@click.command(
    short_help="Correlate how measures rank runs.",
    epilog=options.examples(
        'polyseme correlate judgments.qrels runs/*.run -m "D#-nDCG@10 ERR-IA@10 I-rec@10"',
        'polyseme correlate judgments.qrels runs/*.run -m "D#-nDCG@10" --mean avg --mean geom '
        '--mean "dd(xi_offset=1)"',
        "polyseme evaluate judgments.qrels runs/*.run -m ntcir --per-topic -o scores.csv",
        "polyseme correlate --scores scores.csv -m D-nDCG@10 -m I-rec@10 --variant a --format json",
    ),
)
@given(mean=True)
@click.option(
    "--variant",
    type=click.Choice(("b", "a")),
    default="b",
    show_default=True,
    help="Kendall's tau-b, which allows for ties, or tau-a.",
)
@options.output()
def correlate(given: GivenScores, variant: Any, missing: Any, output: Output) -> None:
    """Correlate the rankings of runs by each two measures, and by each two means over topics.

    Give judgments and runs, or --scores. The columns are a, b, tau (Kendall's), low and high (its
    95% interval), and tau_ap, which weighs the best runs more.
    """
    with output.opened() as write:
        write(correlations(given.scores(output), variant=variant, missing=missing))
