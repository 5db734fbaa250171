"""``polyseme explain``."""

from __future__ import annotations

from typing import Any

import click

from polyseme.cli import options, pooling
from polyseme.cli.definitions import catalogue_with
from polyseme.cli.output import Output
from polyseme.collection.reading import read_qrels, read_runs
from polyseme.reuse.explanation import explain as explained


@click.command(
    short_help="Show rank by rank how a run's numbers arise.",
    epilog=options.examples(
        'polyseme explain judgments.qrels runs/alder-1.run --topic 1 -m "D#-nDCG@10 ERR-IA@10" '
        "--format table",
        "polyseme explain judgments.qrels runs/alder-1.run runs/*-2.run --topic 1 -m ERR-IA@10 "
        "--without-team alder-1 --depth 20 --format html -o explained.html",
        "polyseme explain judgments.qrels runs/alder-1.run --topic 2 -m alpha-nDCG@5",
    ),
)
@click.argument("judgments")
@click.argument("run")
@click.argument("others", nargs=-1)
@click.option("--topic", metavar="TOPIC", required=True, help="The topic to explain.")
@options.measures
@options.define
@click.option(
    "--views",
    default="raw,condensed",
    show_default=True,
    metavar="LIST",
    help="How the list is seen: raw, condensed, discounted.",
)
@click.option(
    "--without-team",
    metavar="TEAM",
    help="Also without what only this team contributed; needs the OTHERS that contributed too.",
)
@pooling.teams
@pooling.depth
@options.policies
@options.inputs
@options.output()
def explain(
    judgments: str,
    run: str,
    others: tuple[str, ...],
    topic: str,
    measures: tuple[str, ...],
    define: tuple[str, ...],
    views: str,
    without_team: str | None,
    teams: str | None,
    depth: str | None,
    only_topics: str | None,
    input_format: str | None,
    runs_format: str | None,
    run_names: Any,
    output: Output,
    **policies: Any,
) -> None:
    """Explain the numbers of one RUN on one topic.

    Shown are the ideal list by global gain, the run's list as it is and condensed, with what each
    rank adds to each measure, and how each value is made of its parts. A geometric mean and a Cube
    Test are no sums, so that their ranks have no terms.

    CSV has the columns view, rank, doc, original_rank, grades, and one for each measure's terms.
    """
    options.check_standard_input(judgments, run, *others, teams, depth, *policies.values())
    if without_team is not None and not others:
        raise click.UsageError("--without-team needs the OTHERS, whose documents stay judged")
    with output.opened() as write:
        named = {"format": runs_format or input_format, "names": run_names}
        found = explained(
            read_qrels(judgments, format=input_format),
            read_runs(run, **named),
            topic,
            measures or None,
            views=[view.strip() for view in views.split(",")],  # type: ignore[misc]
            without_team=without_team,
            others=[read_runs(*others, **named)] if others else (),
            teams=teams,
            depth=depth,
            catalogue=catalogue_with(define),
            **policies,
        )
        write(found)
