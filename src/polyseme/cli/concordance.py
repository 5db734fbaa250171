"""``polyseme concordance``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from polyseme.cli import options
from polyseme.cli.given_scores import GivenScores, given, named_measures
from polyseme.cli.output import Output
from polyseme.errors import MeasureError
from polyseme.meta.concordance import GOLD_TIES, between_pluses
from polyseme.meta.concordance import concordance as concordant
from polyseme.scores import Scores
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
    with output.opened() as write:
        scores = _scores(given, gold, output)
        named = between_pluses(gold, lambda name: _spelled(name, scores, given) is not None)
        golds = [_spelled(name, scores, given) or name for name in named]
        rivals = named_measures(() if given.files else given.measures, scores.measures)
        chosen = [name for name in rivals or scores.measures if name not in golds]
        scores = scores.select(measures=[*chosen, *dict.fromkeys(golds)])
        if missing is not None:
            scores = completed(scores, missing)  # type: ignore[arg-type]
        write(concordant(scores, golds, gold_ties=gold_ties))


def _scores(given: GivenScores, gold: str, output: Output) -> Scores:
    """The measures and the gold ones: scored, or all that were read."""
    if not given.files:
        return replace(given, measures=()).scores(output)
    golds = between_pluses(gold, lambda name: _parsed(name, given) is not None)
    return given.scores(output, also=golds)


def _spelled(name: str, scores: Scores, given: GivenScores) -> str | None:
    """What the scores call a measure, if they have it."""
    if name in scores.measures:
        return name
    parsed = _parsed(name, given)
    return parsed if parsed in scores.measures else None


def _parsed(name: str, given: GivenScores) -> str | None:
    try:
        return str(given.catalogue.parse(name))
    except MeasureError:
        return None
