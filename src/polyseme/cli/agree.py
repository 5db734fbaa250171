"""``polyseme agree``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from polyseme.cli import options
from polyseme.cli.given_scores import GivenScores, given
from polyseme.cli.output import Output
from polyseme.meta.preferences import (
    Preferences,
    Triplet,
    preference_agreement,
    read_preferences,
    read_triplets,
    reliability,
)
from polyseme.meta.preferences.agreement import Majority
from polyseme.results import Result
from polyseme.scores import Scores
from polyseme.statistics.ranking import completed

#: which preferences are looked at
matrix = options.all_of(
    click.option(
        "--preferences",
        multiple=True,
        required=True,
        metavar="FILE",
        help="A row for each judge, a column for each triplet: 1 left, 2 both irrelevant, 3 right, "
        "empty where the judge did not say. Repeatable with --reliability.",
    ),
    click.option(
        "--triplets",
        metavar="FILE",
        help="What polyseme pairs wrote: the topic and the runs of each column.",
    ),
    click.option(
        "--high-agreement",
        is_flag=True,
        help="Only triplets on which 9 of 15 judges prefer the same list; of other numbers of "
        "judges three fifths, rounded up.",
    ),
    click.option(
        "--at-least",
        type=click.IntRange(min=1),
        metavar="N",
        help="Only triplets on which N judges prefer the same list.",
    ),
)


@click.command(
    short_help="Tell how measures agree with people's preferences.",
    epilog=options.examples(
        "polyseme agree --preferences relevance.csv --preferences diversity.csv --reliability",
        "polyseme agree judgments.qrels runs/*.run -m sakai2019 --triplets triplets.csv "
        "--preferences diversity.csv --format table",
        "polyseme evaluate judgments.qrels runs/*.run -m nDCG@10 --per-topic -o scores.csv",
        "polyseme agree --scores scores.csv --triplets triplets.csv --preferences diversity.csv "
        "--high-agreement -o agreement.csv",
        "polyseme agree --triplets triplets.csv --preferences diversity.csv --majority",
    ),
)
@given()
@matrix
@click.option("--reliability", "reliable", is_flag=True, help="Krippendorff's alpha of the judges.")
@click.option(
    "--majority", is_flag=True, help="What the judges said of each triplet, and what most prefer."
)
@options.output()
def agree(
    given: GivenScores,
    missing: str | None,
    preferences: tuple[str, ...],
    triplets: str | None,
    reliable: bool,
    majority: bool,
    high_agreement: bool,
    at_least: int | None,
    output: Output,
) -> None:
    """Tell how measures agree with people's preferences, and how people agree.

    The majority of judges says which of two lists is better; triplets with as many votes for the
    left list as for the right one are left out. The columns are measure, agree, disagree, ties
    (the measure prefers neither list), and tau with its 95% interval, low and high. Give
    judgments and runs, or --scores.

    --reliability needs no scores: it tells Krippendorff's alpha of all judges and without each of
    them, also for triplets of high agreement, and of each two matrices the correlation of left
    less right votes.
    """
    if reliable and majority:
        raise click.UsageError("take either --reliability or --majority")
    scored = bool(given.files or given.paths)
    if (reliable or majority) and scored:
        raise click.UsageError("--reliability and --majority are about judges: give no scores")
    if len(preferences) > 1 and not reliable:
        raise click.UsageError("one matrix at a time, but for --reliability")
    if not (reliable or majority) and triplets is None:
        raise click.UsageError(
            "say --triplets FILE: the topic and the runs of each column; or --reliability, which "
            "needs none"
        )
    options.check_standard_input(*given.files, *given.paths, *preferences, triplets)
    with output.opened() as write:
        if majority:
            write(majority_of(preferences[0], triplets, high_agreement, at_least))
            return
        known = None if triplets is None else read_triplets(triplets)
        matrices = [read_preferences(path, known) for path in preferences]
        found: Result
        if reliable:
            found = reliability(*matrices, at_least=at_least)
        else:
            scores, matrix = _answered(given.scores(output), missing, matrices[0], known or ())
            found = preference_agreement(
                scores, matrix, known or (), high_agreement=high_agreement, at_least=at_least
            )
        write(found)


def majority_of(
    path: str, triplets: str | None, high_agreement: bool, at_least: int | None
) -> Majority:
    """What the judges of a file said of each triplet, and what most prefer."""
    known = None if triplets is None else read_triplets(triplets)
    matrix = read_preferences(path, known)
    if high_agreement or at_least is not None:
        matrix = matrix.high_agreement(at_least)
    return Majority(matrix, {each.name: each for each in known or ()})


def _answered(
    scores: Scores, missing: str | None, matrix: Preferences, known: Sequence[Triplet]
) -> tuple[Scores, Preferences]:
    """Scores without gaps; topics that were dropped for that take their triplets along."""
    if missing is None:
        return scores, matrix
    full = completed(scores, missing)  # type: ignore[arg-type]
    dropped = set(scores.topics) - set(full.topics)
    gone = {each.name for each in known if each.topic in dropped}
    return full, matrix.select(name for name in matrix.triplets if name not in gone)
