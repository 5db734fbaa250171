"""``polyseme judge export``."""

from __future__ import annotations

import click

from polyseme.atomic import STANDARD_OUTPUT, write_atomically
from polyseme.cli import options
from polyseme.cli.judge import opened, study
from polyseme.cli.output import FORMATS, Output
from polyseme.collection.formats.writing import (
    JUDGMENT_FORMATS,
    PROBABILITY_FORMATS,
    write_judgments,
    write_probabilities,
)

_WHAT = ("answers", "relevance", "diversity", "judgments", "probabilities", "archive")
_FORMATS = tuple(dict.fromkeys((*FORMATS, *JUDGMENT_FORMATS, *PROBABILITY_FORMATS)))


@click.command(
    short_help="Write what was answered.",
    epilog=options.examples(
        "polyseme judge export preferences.study -o answers.csv",
        "polyseme judge export preferences.study --what diversity -o diversity.csv",
        "polyseme judge export preferences.study --what archive -o preferences.jsonl.gz",
        "polyseme judge export grades.study --what judgments -o graded.txt",
        "polyseme judge export votes.study --what probabilities -o voted.txt",
    ),
)
@study
@click.option(
    "--what",
    type=click.Choice(_WHAT),
    default="answers",
    show_default=True,
    help="All answers; the judge x triplet matrix of a question; grades as judgments; votes as "
    "probabilities; or the whole study.",
)
@options.form(_FORMATS, "csv; of judgments ntcir (L0 to L4), of probabilities trec", "form")
@options.place
@options.quiet
def export(study: str, what: str, form: str | None, output: str | None, quiet: bool) -> None:
    """Write what was answered.

    Answers have the columns judge, item, question, answer, side, order, seconds, revision, at.
    answer is 1 where run_a is better, 3 where run_b, 2 where both are irrelevant; a grade; a vote
    (1 or 0); or why the judge cannot judge (cannot: REASON). side is ab or ba, the run that stood
    on the left first. order is the item's place in the judge's order and the question's on the page
    (17/2). seconds is the active time on the item.

    relevance and diversity are matrices as polyseme agree reads them. Judgments are the sums of two
    assessors' grades, of what both have graded. An archive holds everything, and polyseme judge
    import makes a study of it, on SQLite or PostgreSQL.
    """
    from polyseme.judging import archive, exporting

    place = STANDARD_OUTPUT if output is None else output
    with opened(study) as store:
        kind = store.settings.kind
        if what not in kind.exports:
            raise click.UsageError(
                f"a study of {kind.name} has no {what}: say --what {', '.join(kind.exports)}"
            )
        if what == "archive":
            if form not in (None, "jsonl"):
                raise click.UsageError("an archive is JSON lines")
            with write_atomically(place) as stream, store.reading() as moment:
                archive.write(moment, stream)
            return
        lost: list[str] = []
        with store.reading() as moment:
            if what == "judgments":
                judged, lost = exporting.judgments(moment)
                lost += write_judgments(judged, place, format=_chosen(form, output, "ntcir"))
            elif what == "probabilities":
                shares, lost = exporting.vote_shares(moment)
                lost += write_probabilities(shares, place, format=_chosen(form, output, "trec"))
            else:
                found = (
                    exporting.answers(moment)
                    if what == "answers"
                    else exporting.matrix(moment, what).report()
                )
                with Output.chosen(form, output, quiet=quiet, usual="csv").opened() as write:
                    write(found)
    for sentence in lost if not quiet else ():
        click.echo(sentence, err=True)


def _chosen(form: str | None, output: str | None, usual: str) -> str | None:
    """The usual format, unless the file's name says another."""
    suffixes = (".csv", ".jsonl", ".ndjson", ".parquet")
    if form is not None or (output or "").removesuffix(".gz").endswith(suffixes):
        return form
    return usual
