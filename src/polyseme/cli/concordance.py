"""``polyseme concordance``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from polyseme.cli import options
from polyseme.cli.given_scores import GivenScores, given, named_measures
from polyseme.cli.output import Output
from polyseme.meta.concordance import GOLD_TIES
from polyseme.meta.concordance import concordance as concordant
from polyseme.statistics.ranking import completed


@click.command(
    short_help="Test which measures agree more often with simple ones.",
    epilog=options.examples(
        'polyseme concordance judgments.qrels runs/*.run -m "D#-nDCG@10 ERR-IA@10" --gold I-rec@10',
        "polyseme evaluate judgments.qrels runs/*.run --per-topic -o scores.csv "
        '-m "D#-nDCG@10 ERR-IA@10 RBU@10 I-rec@10 P@10"',
        "polyseme concordance --scores scores.csv --gold I-rec@10+P@10 --gold-ties ignore",
    ),
)
@given()
@click.option(
    "--gold",
    metavar="A+B",
    required=True,
    help="Simple measures that say what is wanted; with + all of them together.",
)
@click.option(
    "--gold-ties",
    type=click.Choice(GOLD_TIES),
    default=GOLD_TIES[0],
    show_default=True,
    help="Does a tie in a gold measure agree with everything, or with nothing?",
)
@options.output()
def concordance(
    given: GivenScores, gold: str, gold_ties: Any, missing: str | None, output: Output
) -> None:
    """Test the intuitiveness of measures.

    Where two measures prefer different runs on a topic, it is counted how often each agrees with
    all the gold measures. Give judgments and runs, or --scores. The columns are left, right, gold,
    total (cases), disagree, left_wins, right_wins and p of a sign test.
    """
    judges = gold.split("+")
    with output.opened() as write:
        if given.files or given.measures:
            # gold measures are scored along with the others
            given = replace(given, measures=(*given.measures, *judges))
        scores = given.scores(output)
        if missing is not None:
            scores = completed(scores, missing)  # type: ignore[arg-type]
        named = _as_scored(judges, scores.measures)
        write(concordant(scores, named, gold_ties=gold_ties))


def _as_scored(judges: list[str], known: tuple[str, ...]) -> list[str]:
    """Gold measures by the names that the scores have for them."""
    from polyseme.errors import MeasureError
    from polyseme.measures.sets import parse

    found: list[str] = []
    for name in named_measures(judges, known):
        try:
            spelled = name if name in known else str(parse(name))
        except MeasureError:
            spelled = name
        found.append(spelled)
    return found
