"""``polyseme grid``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from polyseme.cli import drawing as drawings
from polyseme.cli import options, testing, values
from polyseme.cli.names import names_in
from polyseme.cli.output import Output
from polyseme.cli.progress import Progress
from polyseme.evaluation import Prepared
from polyseme.meta.discrimination import METHODS
from polyseme.meta.grid import GridValues, grid_sensitivity
from polyseme.meta.grid_of_runs import PERFECT_RUNS, grid_power, grid_tau
from polyseme.meta.selection import MEANS
from polyseme.meta.variants import AVERAGES, DISCOUNTS, DSHARP, TENTHS, Grid

Kind = TypeVar("Kind", float, int, str)
WHAT = ("sensitivity", "power", "tau")


def _values(
    option: str, kind: Callable[[str], Kind], default: str, text: str
) -> options.Decorator[Any]:
    """An option that takes values with commas between them."""

    def read(context: click.Context, parameter: click.Parameter, said: str | None) -> Any:
        if said is None:
            return None
        try:
            return tuple(kind(each) for each in said.replace(",", " ").split())
        except ValueError:
            raise click.BadParameter(f"{said!r} is no list of numbers with commas") from None

    name = option.removeprefix("--").replace("lambda", "lambda_")
    help_text = f"{text}, with commas.  [default: {default}]"
    return click.option(option, name, metavar="LIST", callback=read, help=help_text)


grid_options = options.all_of(
    _values("--alpha", float, "0,.1,...,1", "Values of alpha"),
    _values("--lambda", float, "0,.1,...,1", "Values of lambda"),
    _values("--discount", str, ",".join(DISCOUNTS), "Discounts"),
    _values("--average", str, ",".join((*AVERAGES, DSHARP)), "Means over intents, and D#"),
    _values("--cutoff", int, "5,10,20 for sensitivity, else 20", "Ranks at which lists are cut"),
    click.option(
        "--beta",
        type=click.FloatRange(0, 1, max_open=True),
        default=0.8,
        show_default=True,
        metavar="P",
        help="Persistence of the RBP discount.",
    ),
    click.option(
        "--floor",
        type=click.FloatRange(0, 1),
        default=1e-5,
        show_default=True,
        metavar="X",
        help="Least value in the geometric mean over intents.",
    ),
)


@click.command(
    short_help="Measure the alpha#-IA family over a grid of parameters.",
    epilog=options.examples(
        "polyseme grid judgments.qrels --orders 100 --format table",
        "polyseme grid judgments.qrels runs/*.run --of power --alpha 0,.5 --lambda 0,.5,1 "
        "--cutoff 10 --trials 200",
        "polyseme grid judgments.qrels --of power --alpha .3 --lambda .5 --perfect 10 --trials 100",
        'polyseme grid judgments.qrels runs/*.run --of tau --against "D#-nDCG@10" --cutoff 10 '
        "--average cascade,smr -o tau.csv",
    ),
)
@click.argument("judgments")
@click.argument("runs", nargs=-1)
@click.option(
    "--of",
    type=click.Choice(WHAT),
    default=WHAT[0],
    show_default=True,
    help="What to compute: document selection sensitivity, discriminative power, or Kendall's tau.",
)
@grid_options
@drawings.means
@drawings.orders
@drawings.drawing
@click.option(
    "--perfect",
    type=click.IntRange(min=2),
    default=PERFECT_RUNS,
    show_default=True,
    metavar="N",
    help="Artificial runs for power, where no RUNS are given.",
)
@click.option(
    "--test",
    "method",
    type=click.Choice(METHODS),
    default="bootstrap",
    show_default=True,
    help="Test for power.",
)
@testing.trials
@testing.level
@click.option(
    "--against",
    metavar="MEASURE",
    shell_complete=values.measures,
    help="Measure whose ranking of runs tau compares with.  [default: D#-nDCG at the last cutoff]",
)
@options.seed
@options.policies
@options.inputs
@drawings.threads
@options.output()
def grid(
    judgments: str,
    runs: tuple[str, ...],
    of: str,
    only_topics: str | None,
    input_format: str | None,
    runs_format: str | None,
    run_names: Any,
    output: Output,
    **said: Any,
) -> None:
    """Compute sensitivity, power or tau for all combinations of parameters.

    The measures are lambda I-rec + (1 - lambda) A of Golbus et al. (2013), where A has an alpha, a
    discount and a mean over intents, and their D#. Sensitivity needs JUDGMENTS only; power is that
    on RUNS, or without any on artificial runs, random orders of the relevant documents; tau is the
    correlation of rankings of RUNS with those of another measure.

    The columns are measure, topic_mean, cutoff, alpha, lambda, discount, average, and what was
    asked for. A table for people shows the largest values over alpha and lambda.
    """
    if of == "sensitivity" and runs:
        raise click.UsageError("sensitivity is of judgments alone: leave the runs out")
    if of == "tau" and not runs:
        raise click.UsageError("tau needs runs to rank: name them after the judgments")
    own = _own(said)
    made = _grid(own, of)
    topics = names_in(only_topics, "topics")
    with output.opened() as write:
        held = drawings.prepared_inputs(
            judgments, runs, input_format, runs_format, run_names, **said
        )
        steps = len(held.judged.topics) if of == "sensitivity" else len(held.runs)
        with Progress(steps + len(made.averages) * len(made.cutoffs), quiet=output.quiet) as bar:
            found = _computed(of, held, made, own, {"only_topics": topics, "progress": bar.step})
        write(found)


def _own(said: dict[str, Any]) -> dict[str, Any]:
    """The options that are no policies, taken out."""
    names = ("alpha", "lambda_", "discount", "average", "cutoff", "beta", "floor", "mean")
    more = ("orders", "drawing", "perfect", "method", "trials", "level", "against", "seed", "jobs")
    return {name: said.pop(name) for name in (*names, *more)}


def _grid(own: dict[str, Any], of: str) -> Grid:
    cutoffs = own["cutoff"] or ((5, 10, 20) if of == "sensitivity" else (20,))
    return Grid(
        alphas=own["alpha"] or TENTHS,
        lambdas=own["lambda_"] or TENTHS,
        discounts=own["discount"] or DISCOUNTS,
        averages=own["average"] or (*AVERAGES, DSHARP),
        cutoffs=tuple(sorted(set(cutoffs))),
        beta=own["beta"],
        floor=own["floor"],
    )


def _computed(
    of: str, held: Prepared, made: Grid, own: dict[str, Any], more: dict[str, Any]
) -> GridValues:
    more |= {"policies": held.policies, "jobs": own["jobs"]}
    if of == "tau":
        against, means = own["against"], own["mean"] or MEANS
        return grid_tau(held.judged, held.runs, made, against=against, means=means, **more)
    more |= {"seed": own["seed"], "drawing": own["drawing"]}
    if of == "power":
        names = ("method", "trials", "level", "perfect")
        more |= {name: own[name] for name in names}
        return grid_power(held.judged, held.runs if len(held.runs) else None, made, **more)
    means = own["mean"] or MEANS
    return grid_sensitivity(held.judged, made, orders=own["orders"], means=means, **more)
