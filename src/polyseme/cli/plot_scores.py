"""Scores for figures: made of judgments and runs, or read."""

from __future__ import annotations

from typing import Any

import click

from polyseme.cli.given_scores import GivenScores, given
from polyseme.cli.output import Output
from polyseme.statistics.ranking import completed


@click.command("plot-scores")
@given(mean=True)
def plot_scores(given: GivenScores, missing: Any, output: Output) -> None:
    """Hand over scores to be drawn."""
    with output.opened() as write:
        scores = given.scores(output)
        write(scores if missing is None else completed(scores, missing))
