"""Options of the commands that test differences for significance."""

from __future__ import annotations

import click

from polyseme.cli import options

trials = click.option(
    "--trials",
    "-B",
    type=click.IntRange(min=1),
    metavar="B",
    help="Permutations, resamples or flips.  [default: 10000; bootstrap: 1000]",
)
level = click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    metavar="P",
    help="Differences with a smaller p-value are significant.",
)
correction = click.option(
    "--correction",
    type=click.Choice(("plus1",)),
    help="Of Tukey HSD's p-values: plus1 is (k + 1) / (B + 1), which is never 0.",
)
#: how many trials, from what seed, at what level
chance = options.all_of(trials, correction, level, options.seed)
