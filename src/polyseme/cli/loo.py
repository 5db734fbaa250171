"""``polyseme loo``."""

from __future__ import annotations

import os
import warnings
from typing import Any

import click

from polyseme.atomic import make_folder
from polyseme.cli import options, pooling
from polyseme.cli.definitions import catalogue_with
from polyseme.cli.names import names_in
from polyseme.cli.output import Output
from polyseme.cli.progress import Progress
from polyseme.collection.formats.writing import write_judgments as write_qrels
from polyseme.collection.reading import read_qrels, read_runs
from polyseme.errors import InputError, PolysemeWarning
from polyseme.reuse.estimates import VIEWS
from polyseme.reuse.leave_one_out import LeaveOneOut, leave_one_out


@click.command(
    short_help="Leave out each team, and see how fairly its runs are evaluated.",
    epilog=options.examples(
        "polyseme loo judgments.qrels runs/*.run --teams teams.csv --depth 20 "
        '-m "D#-nDCG@10 ERR-IA@10" --format table',
        "polyseme loo judgments.qrels runs/*.run --teams teams.csv --depth 20 "
        '-m "I-rec@10 D-nDCG@10" --views raw,condensed --per-run -o runs.csv',
        "polyseme loo judgments.qrels runs/*.run --teams teams.csv --depth 20 -m ERR-IA@10 "
        "--best-by D#-nDCG@10 --write-judgments without",
    ),
)
@click.argument("judgments")
@click.argument("runs", nargs=-1, required=True)
@options.measures
@options.define
@pooling.teams
@pooling.depth
@pooling.best_by
@click.option("--per-run", is_flag=True, help="Every run of each team, not its best one only.")
@click.option(
    "--evaluated",
    metavar="LIST|FILE",
    help="Runs to rank: a list with commas, or a file with a run a line; all others contribute "
    "only.",
)
@click.option(
    "--views",
    default=",".join(VIEWS),
    show_default=True,
    metavar="LIST",
    help="How lists are seen; raw is always among them.",
)
@click.option(
    "--write-judgments", metavar="DIR", help="Write each team's judgments to DIR/TEAM.qrels."
)
@options.policies
@options.inputs
@options.jobs
@options.output()
def loo(
    judgments: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    define: tuple[str, ...],
    teams: str | None,
    depth: str | None,
    best_by: str | None,
    per_run: bool,
    evaluated: str | None,
    views: str,
    write_judgments: str | None,
    only_topics: str | None,
    input_format: str | None,
    runs_format: str | None,
    run_names: Any,
    jobs: int,
    output: Output,
    **policies: Any,
) -> None:
    """Leave out each team in turn: its runs as newcomers.

    Without what only the team contributed to the pool, all RUNS are scored again, with each
    measure as it is, on condensed lists (M'), on condensed lists whose promoted gains are
    discounted (M''), and with the bounds that a list's unjudged documents leave. A view is
    effective where its error is smaller than that of the measure as it is, in score (absolute) or
    in rank (relative).

    CSV has the columns team, run, measure, score, score_loo, delta, rank and rank_loo, for each
    team's best run, or with --per-run for all.
    """
    options.check_standard_input(judgments, *runs, teams, depth, *policies.values())
    with output.opened() as write, Progress(len(runs), quiet=output.quiet) as progress:
        found = leave_one_out(
            read_qrels(judgments, format=input_format),
            read_runs(*runs, format=runs_format or input_format, names=run_names),
            measures or None,
            teams=teams,
            depth=depth,
            views=[view.strip() for view in views.split(",")],  # type: ignore[misc]
            best_by=best_by,
            evaluated=names_in(evaluated, "runs"),
            catalogue=catalogue_with(define),
            only_topics=names_in(only_topics, "topics"),
            jobs=jobs,
            progress=progress.step,
            **policies,
        )
        progress.done()
        if write_judgments is not None:
            _write_all(found, write_judgments)
        write(found.per_run() if per_run else found)


def _write_all(found: LeaveOneOut, folder: str) -> None:
    """LOO_k of every team in a file of its own."""
    names = {team: team.replace(os.sep, "_").replace("/", "_") for team in found.removed}
    if len(set(names.values())) < len(names):
        raise InputError("two teams would be written to one file", remedy="rename a team")
    make_folder(folder)
    for team, name in names.items():
        path = os.path.join(folder, f"{name}.qrels")
        for lost in write_qrels(found.judgments(team), path, format="trec"):
            warnings.warn(f"{path}: {lost}", PolysemeWarning, stacklevel=2)
