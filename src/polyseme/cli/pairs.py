"""``polyseme pairs``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from polyseme.cli import options
from polyseme.cli.given_scores import GivenScores, given
from polyseme.cli.output import Output
from polyseme.collection.formats.titles import read_titles
from polyseme.collection.reading import read_runs
from polyseme.collection.runs import Ordering
from polyseme.meta.preferences import Shown, choose_triplets
from polyseme.meta.preferences.triplets import CUTOFF, DIFFERENCE, SHORT
from polyseme.statistics.ranking import completed


@click.command(
    short_help="Choose pairs of result lists for people to compare.",
    epilog=options.examples(
        "polyseme pairs judgments.qrels runs/*.run -o triplets.csv",
        "polyseme pairs judgments.qrels runs/*.run --titles titles.csv --funnel --format table",
        "polyseme pairs judgments.qrels runs/*.run --cutoff 5 --difference 0.2 --short triplet",
        'polyseme pairs judgments.qrels runs/*.run -m "nDCG@10 I-rec@10" -o triplets.csv',
    ),
)
@given()
@click.option(
    "--cutoff",
    type=click.IntRange(min=1),
    default=CUTOFF,
    show_default=True,
    metavar="N",
    help="How many documents of a list are shown, and how deep P and I-rec look.",
)
@click.option(
    "--difference",
    type=click.FloatRange(min=0),
    default=DIFFERENCE,
    show_default=True,
    metavar="D",
    help="Lists must differ by more than D in every measure, in whatever direction.",
)
@click.option(
    "--short",
    type=click.Choice(SHORT),
    default=SHORT[0],
    show_default=True,
    help="What a list of fewer than N documents removes: its topic, or only its triplets.",
)
@click.option(
    "--titles",
    metavar="FILE",
    help="CSV or JSON lines with the columns doc,title: documents without a title, or with one "
    "that could not be decoded, remove their triplets.",
)
@click.option("--funnel", is_flag=True, help="How many triplets each step left, in their place.")
@options.output()
def pairs(
    given: GivenScores,
    missing: str | None,
    cutoff: int,
    difference: float,
    short: Any,
    titles: str | None,
    funnel: bool,
    output: Output,
) -> None:
    """Choose triplets of a topic and two runs whose lists people shall compare.

    Out of all topics and pairs of runs those are taken whose lists differ clearly in relevance
    (P) and in diversity (I-rec), or in the measures named with -m. Then topics are removed for
    which a run is too short, and triplets with a document that has no title. The steps are told,
    and with --funnel they are the output.

    Give judgments and runs; or --scores, which say nothing of lists. The columns are topic, run_a,
    run_b, and the difference a - b in each measure (difference_p, difference_irec).
    """
    if not given.measures:
        given = replace(given, measures=(f"P@{cutoff} I-rec@{cutoff}",))
    if titles is not None and given.paths:
        raise click.UsageError("--titles goes with judgments and runs: scores know no documents")
    options.check_standard_input(*given.files, titles)
    if "-" in given.files[1:]:
        raise click.UsageError("runs are read twice here, and standard input only once")
    with output.opened() as write:
        scores = given.scores(output)
        if missing is not None:
            scores = completed(scores, missing)  # type: ignore[arg-type]
        shown = _shown(given, cutoff, titles) if given.files else None
        found = choose_triplets(scores, shown, difference=difference, short=short)
        write(found.funnel().report() if funnel else found.report())


def _shown(given: GivenScores, cutoff: int, titles: str | None) -> Shown:
    """The first documents of every run, and their titles."""
    said = given.said
    runs = read_runs(
        *given.files[1:],
        format=said["runs_format"] or said["input_format"],
        names=said["run_names"],
    )
    how = Ordering(said["order"] or "score", said["duplicates"])
    known = None if titles is None else read_titles(titles)
    return Shown(
        {run.name: run.prefix(cutoff, how) for run in runs},
        title=None if known is None else known.get,
        cutoff=cutoff,
    )
