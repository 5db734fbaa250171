"""Options of the commands that test differences for significance."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

import click

from polyseme.cli import options
from polyseme.cli.output import Output
from polyseme.cli.progress import Progress

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


def _into_chance(function: Callable[..., Any]) -> Callable[..., Any]:
    def called(*args: Any, **said: Any) -> Any:
        held = {name: said.pop(name) for name in ("trials", "correction", "level", "seed")}
        return function(*args, chance=held, **said)

    return update_wrapper(called, function)


#: how many trials, from what seed, at what level; the command's function gets them as ``chance``
chance = options.all_of(trials, correction, level, options.seed, _into_chance)


def progress(output: Output) -> Progress:
    """A bar for the trials of a test."""
    return Progress(quiet=output.quiet, name="trials")
