"""``polyseme depth``."""

from __future__ import annotations

from typing import Any

import click

from polyseme.cli import options, pooling
from polyseme.cli.definitions import catalogue_with
from polyseme.cli.names import names_in
from polyseme.cli.output import Output
from polyseme.collection.reading import read_qrels, read_runs
from polyseme.reuse.pool_depth import depth_study


class Depths(click.ParamType):  # type: ignore[type-arg]
    """Whole numbers with commas between them."""

    name = "LIST"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        try:
            found = tuple(int(piece) for piece in str(value).split(","))
        except ValueError:
            self.fail(f"{value!r} is no list of numbers such as 10,20,30", param, ctx)
        if min(found) < 1:
            self.fail(f"{value!r} holds a depth below 1", param, ctx)
        return found


@click.command(
    short_help="Compare pools of several depths at several cutoffs.",
    epilog=options.examples(
        'polyseme depth judgments.qrels runs/*.run -m "I-rec D-nDCG D#-nDCG" --pools 5,10 '
        "--cutoffs 10,20 --format table",
        "polyseme depth judgments.qrels runs/*.run -m D#-nDCG --pools 5 --cutoffs 10,20 "
        "--teams teams.csv --significance --trials 1000 --seed 1",
        "polyseme depth judgments.qrels runs/*.run --deeper judgments.qrels -m I-rec@10",
    ),
)
@click.argument("judgments")
@click.argument("runs", nargs=-1, required=True)
@options.measures
@options.define
@click.option("--deeper", metavar="QRELS", help="Deeper judgments to compare with.")
@click.option(
    "--pools", type=Depths(), default=(), help="Depths of pools, such as 10,20,30.  [default: none]"
)
@click.option(
    "--cutoffs",
    type=Depths(),
    default=(),
    help="Cutoffs to take each measure at.  [default: the measures' own]",
)
@click.option(
    "--significance", is_flag=True, help="Which differences between teams are significant."
)
@click.option(
    "--trials",
    "-B",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    metavar="B",
    help="Trials of the randomised test.",
)
@options.seed
@pooling.teams
@pooling.best_by
@options.policies
@options.inputs
@options.jobs
@options.output()
def depth(
    judgments: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    define: tuple[str, ...],
    deeper: str | None,
    pools: tuple[int, ...],
    cutoffs: tuple[int, ...],
    significance: bool,
    trials: int,
    seed: int,
    teams: str | None,
    best_by: str | None,
    only_topics: str | None,
    input_format: str | None,
    runs_format: str | None,
    run_names: Any,
    jobs: int,
    output: Output,
    **policies: Any,
) -> None:
    """Compare how runs rank with shallower judgments and with deeper ones.

    A pool of depth d keeps the JUDGMENTS of what any of the RUNS ranks d or higher; it is compared
    with --deeper, or else with all JUDGMENTS. CSV has the columns cutoff, measure, pool, tau and
    tau_ap.

    With --significance it is told of each pair of teams' best runs whether they differ
    significantly (randomised Tukey HSD): with the shallowest pool and not with the deeper
    judgments (a false alarm), the other way round (missed), with both, or with neither.
    """
    if not pools and deeper is None:
        raise click.UsageError("say what to compare: --pools, --deeper, or both")
    options.check_standard_input(judgments, deeper, *runs, teams, *policies.values())
    with output.opened() as write:
        study = depth_study(
            read_qrels(judgments, format=input_format),
            read_runs(*runs, format=runs_format or input_format, names=run_names),
            measures or None,
            deeper=None if deeper is None else read_qrels(deeper, format=input_format),
            pools=pools,
            cutoffs=cutoffs,
            teams=teams,
            best_by=best_by,
            catalogue=catalogue_with(define),
            only_topics=names_in(only_topics, "topics"),
            jobs=jobs,
            **policies,
        )
        if significance:
            write(study.significance(trials=trials, seed=seed, jobs=jobs))
        else:
            write(study)
