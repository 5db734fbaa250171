"""``polyseme report``."""

from __future__ import annotations

from typing import Any

import click

from polyseme.cli import options, pooling, testing
from polyseme.cli.given_scores import GivenScores, given
from polyseme.cli.output import Output, refuse_terminal
from polyseme.cli.progress import Progress
from polyseme.reporting.page import Assessment, assess, assess_scores
from polyseme.statistics.comparison import TRIALS

HTML = "html"
#: what is done besides reading runs
STAGES = 3


@click.command(
    short_help="Write a page that answers five questions about runs.",
    epilog=options.examples(
        "polyseme report judgments.qrels runs/*.run --teams teams.csv --depth 20 "
        "--topics-xml topics.xml -o report.html",
        'polyseme report judgments.qrels runs/*.run -m "ERR-IA@10 D#-nDCG@10 I-rec@10" '
        "--by D#-nDCG@10 --team-until - --trials 1000 --seed 7 -o report.html",
        "polyseme report judgments.qrels runs/*.run --trials 1000 --format table",
        "polyseme evaluate judgments.qrels runs/*.run -m ntcir --per-topic -o scores.csv",
        'polyseme report --scores scores.csv --title "From scores alone" -o scores.html',
    ),
)
@given(engine=False)
@click.option(
    "--by",
    metavar="MEASURE",
    help="Measure that decides which run is best, scored too if it is not among the measures."
    "  [default: the first]",
)
@pooling.teams
@click.option(
    "--team-until",
    metavar="TEXT",
    help="In place of --teams: a team is what stands before this text in a run's name, such as _.",
)
@pooling.depth
@click.option("--title", metavar="TEXT", help="Title of the page.")
@testing.chance
@options.output(usual=HTML)
def report(
    given: GivenScores,
    by: str | None,
    teams: str | None,
    team_until: str | None,
    depth: str | None,
    title: str | None,
    chance: dict[str, Any],
    missing: Any,
    output: Output,
) -> None:
    """Write a page about runs for readers who have nothing else.

    It answers: which run is best, and is that real? which intents and topics does each run miss?
    are runs relevant or diverse? would a new system be treated fairly here? which measures agree,
    and which should one use? The page is one file and needs no network; tables can be sorted, runs,
    topics and measures chosen. Other formats have the answers alone.

    Give judgments and runs, or --scores: from scores alone nothing can be said of intents, unjudged
    documents and teams. Without --teams and --team-until each run counts as a team.
    """
    if output.format == HTML:
        refuse_terminal(output.path, "a page")
    if teams is not None and team_until is not None:
        raise click.UsageError("take either --teams or --team-until")
    chance["trials"] = chance["trials"] or TRIALS["hsd"]
    shared = {"by": by, "title": title, "missing": missing, "jobs": given.jobs, **chance}
    pooled = {"teams": teams, "depth": depth, "team_until": team_until}
    with (
        output.opened() as write,
        Progress(len(given.files) + STAGES, quiet=output.quiet, name="reading") as progress,
    ):
        found = _assessed(given, progress, pooled, shared)
        if output.format == HTML:
            progress.step("page")
            write.stream.write(found.to_html())
        else:
            write(found)


def _assessed(
    given: GivenScores,
    progress: Progress,
    pooled: dict[str, Any],
    shared: dict[str, Any],
) -> Assessment:
    if given.are_read:
        for name, value in pooled.items():
            if value is not None:
                raise click.UsageError(
                    f"--{name.replace('_', '-')} is for judgments and runs: scores know no pools"
                )
        return assess_scores(given.read(), progress=progress.step, **shared)
    options.check_standard_input(*given.files, pooled["teams"], pooled["depth"])
    said = given.inputs()
    return assess(
        said.pop("judgments"),
        said.pop("runs"),
        given.measures or None,
        catalogue=given.catalogue,
        progress=progress.step,
        **pooled,
        **shared,
        **said,
    )
