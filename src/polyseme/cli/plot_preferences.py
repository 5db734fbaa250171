"""Preferences for figures."""

from __future__ import annotations

import click

from polyseme.cli import agree, options
from polyseme.cli.output import Output


@click.command("plot-preferences")
@agree.matrix
def plot_preferences(
    preferences: tuple[str, ...],
    triplets: str | None,
    high_agreement: bool,
    at_least: int | None,
    output: Output,
) -> None:
    """Hand over preferences to be drawn."""
    if len(preferences) > 1:
        raise click.UsageError("one matrix at a time")
    options.check_standard_input(*preferences, triplets)
    with output.opened() as write:
        write(agree.majority_of(preferences[0], triplets, high_agreement, at_least))
