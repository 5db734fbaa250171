"""``polyseme unanimity``."""

from __future__ import annotations

import click

from polyseme.cli import options
from polyseme.cli.given_scores import GivenScores, given
from polyseme.cli.output import Output
from polyseme.meta.unanimity import unanimity as unanimous
from polyseme.statistics.ranking import completed


@click.command(
    short_help="Measure how measures agree with all others.",
    epilog=options.examples(
        "polyseme unanimity judgments.qrels runs/*.run -m sakai2019-diversity --format table",
        'polyseme unanimity judgments.qrels runs/*.run -m "I-rec@5 D#-nDCG@5 ERR-IA@5"',
    ),
)
@given()
@options.output()
def unanimity(given: GivenScores, missing: str | None, output: Output) -> None:
    """Measure how often each measure prefers the run that all other measures agree on.

    Give judgments and runs, or --scores. The columns are measure and unanimity, the logarithm to
    base 2 of how much oftener than by chance that is. Where a run lacks a topic, its pairs are
    left out there, unless --missing says otherwise.
    """
    with output.opened() as write:
        scores = given.scores(output)
        if missing is not None:
            scores = completed(scores, missing)  # type: ignore[arg-type]
        write(unanimous(scores))
