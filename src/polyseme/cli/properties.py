"""``polyseme properties``."""

from __future__ import annotations

from dataclasses import replace

import click

from polyseme.cli import options
from polyseme.cli.definitions import catalogue_with
from polyseme.cli.output import Output
from polyseme.errors import PolysemeError
from polyseme.measures.gains import EXPECTED_GAIN, parse_gain, parse_gmax
from polyseme.meta.properties import (
    Command,
    Rankings,
    check_properties,
    truncation,
)
from polyseme.meta.properties.analysis import CHOICES, INDUCED
from polyseme.meta.properties.programs import PARSERS
from polyseme.meta.properties.relations import PAPER
from polyseme.policies import Policies

_USUAL = ",".join((*PAPER, INDUCED))
#: before the names of what a program prints, which may be names of ours
_PREFIX = "command:"

_rankings = options.all_of(
    click.option("--intents", type=int, default=2, show_default=True, help="Number of intents."),
    click.option(
        "--length", type=int, default=10, show_default=True, help="Length of the longest ranking."
    ),
    click.option(
        "--relevant",
        type=int,
        help="Relevant documents of each kind.  [default: 10, or --length if that is more]",
    ),
    click.option(
        "--probabilities", metavar="P,P,...", help="Probabilities of the intents.  [default: equal]"
    ),
    click.option(
        "--grades", type=int, default=1, show_default=True, help="Highest grade of a document."
    ),
    click.option("--multi", is_flag=True, help="Documents may be relevant to several intents."),
    click.option(
        "--terminal",
        type=int,
        metavar="GRADE",
        help="End every ranking shorter than --length in a document of this grade for all intents.",
    ),
)
_program = options.all_of(
    click.option(
        "--command",
        metavar="LINE",
        help="Program that scores rankings: a command line with {qrels} and {run}.",
    ),
    click.option(
        "--parser",
        type=click.Choice(list(PARSERS)),
        default="ndeval",
        show_default=True,
        help="What the program's output looks like.",
    ),
    click.option(
        "--column", multiple=True, metavar="NAME", help="Column of it to read; repeatable."
    ),
    click.option(
        "--topic-column",
        default="topic",
        show_default=True,
        metavar="NAME",
        help="Column that names the topic, in CSV.",
    ),
    click.option(
        "--block", type=int, default=5000, show_default=True, help="Rankings a run of the program."
    ),
    click.option(
        "--timeout",
        type=float,
        default=300,
        show_default=True,
        metavar="SECONDS",
        help="How long a run of the program may take.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        metavar="N",
        help="Work on N pieces at once, or let the program run N times at once.",
    ),
)
_gains = options.all_of(
    click.option(
        "--gain",
        metavar="GAIN",
        help=f"Gain of a grade: {EXPECTED_GAIN}.  [default: linear]",
    ),
    click.option(
        "--gmax",
        metavar="GMAX",
        help="Highest gain: collection, topic or a grade.  [default: collection]",
    ),
)


@click.command(
    short_help="Check formal properties of measures on all short rankings.",
    epilog=options.examples(
        "polyseme properties -m ACT,AP-IA(norm=R),trec",
        'polyseme properties -m "RBU@6 ERR-IA@6" --length 6 --properties all --pairs',
        "polyseme properties -m all --length 6 --counter-examples -o examples.csv",
        "polyseme properties -m all --length 6 --truncated --format markdown",
        "polyseme properties -m D-nDCG@4 --length 4 --grades 2 --probabilities .7,.3",
    ),
)
@options.measures
@options.define
@click.option(
    "--properties",
    "names",
    default=_USUAL,
    show_default=True,
    metavar="LIST",
    help=f"Properties to check: {', '.join(CHOICES)} or all.",
)
@_rankings
@_gains
@click.option("--pairs", is_flag=True, help="Count all pairs that the properties induce, too.")
@click.option(
    "--tolerance",
    type=click.FloatRange(min=0),
    default=1e-9,
    show_default=True,
    help="Smaller differences between scores are none.",
)
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="N",
    help="Counter-examples of each measure and property.",
)
@click.option("--counter-examples", is_flag=True, help="Tell counter-examples, in place of counts.")
@click.option(
    "--truncated",
    is_flag=True,
    help="Tell what measures make of lists that end early, in place of counts.",
)
@_program
@options.engine
@options.output()
def properties(
    measures: tuple[str, ...],
    define: tuple[str, ...],
    names: str,
    intents: int,
    length: int,
    relevant: int | None,
    probabilities: str | None,
    grades: int,
    multi: bool,
    terminal: int | None,
    gain: str | None,
    gmax: str | None,
    pairs: bool,
    tolerance: float,
    examples: int,
    counter_examples: bool,
    truncated: bool,
    command: str | None,
    parser: str,
    column: tuple[str, ...],
    topic_column: str,
    block: int,
    timeout: float,
    jobs: int,
    engine: str | None,
    output: Output,
) -> None:
    """Score all rankings of up to --length documents, and count violations of properties.

    A document is relevant to one intent (a, b, ...) or to nothing (x). S is any ranking, r a
    relevant document, p one about intents that S covers, n one about others. The properties are
    relevance (S <= S r), irrelevance (S x <= S), redundancy (S p <= S n), replacement
    (S x T <= S r T), swap (S x r T <= S r x T), and induced: no ranking scores below another that
    the properties put below it, each property alone and all together.

    "-m all" checks every measure there is, at the cutoff --length where one is needed. Other
    people's programs are checked with --command, such as "ndeval {qrels} {run}" or
    "trec_eval -q {qrels} {run}" with --parser trec_eval; rankings are topics of one run, and what
    the program prints as NAME is told as command:NAME.
    """
    if counter_examples and truncated:
        raise click.UsageError("take either --counter-examples or --truncated")
    if not measures and command is None and not output.draws:
        raise click.UsageError("say what to check: -m NAMES, -m all, or --command LINE")
    rankings = Rankings(
        intents, length, relevant, _probabilities(probabilities), grades, multi, terminal
    )
    policies = Policies().but(
        gain=None if gain is None else parse_gain(gain),
        gmax=None if gmax is None else parse_gmax(gmax),
    )
    checked: list[object] = list(measures)
    if command is not None:
        checked.append(
            Command(
                command,
                parser,
                column,
                topic_column=topic_column,
                block=block,
                timeout=timeout,
                jobs=jobs,
                prefix=_PREFIX,
            )
        )
    with output.opened() as write:
        found = check_properties(
            checked or None,
            rankings,
            properties=names,
            pairs=pairs,
            policies=policies,
            tolerance=tolerance,
            examples=max(examples, 1) if counter_examples else examples,
            catalogue=catalogue_with(define),
            engine=engine or "threads",
            jobs=jobs,
        )
        if truncated:
            write(truncation(found))
        else:
            write(replace(found, show_examples=counter_examples))


def _probabilities(said: str | None) -> tuple[float, ...] | None:
    if said is None:
        return None
    try:
        return tuple(float(each) for each in said.replace(",", " ").split())
    except ValueError:
        raise PolysemeError(
            f"probabilities must be numbers, such as .7,.3. Got {said!r} instead."
        ) from None
