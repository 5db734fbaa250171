"""Options that commands share, each declared once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import reduce
from typing import Any, TypeVar

import click

from polyseme.cli import values
from polyseme.cli.output import FORMATS, SENTENCE, Output
from polyseme.collection.formats.catalogue import FORMATS as INPUT_FORMATS
from polyseme.collection.formats.catalogue import OF_KIND
from polyseme.collection.reading import NAMES
from polyseme.collection.runs import DUPLICATES, ORDERS
from polyseme.dialects import DIALECTS, NATIVE
from polyseme.engine import check_engine
from polyseme.measures.gains import ADHOC_RULES, EXPECTED_GAIN
from polyseme.measures.means import EXPECTED as EXPECTED_MEAN
from polyseme.policies import AVERAGE_OVER
from polyseme.reporting.formats import BINARY

Function = TypeVar("Function", bound=Callable[..., Any])
Decorator = Callable[[Function], Function]


def all_of(*options: Decorator[Any]) -> Decorator[Any]:
    """Several options as one decorator, in the order in which help lists them."""
    return lambda command: reduce(lambda done, option: option(done), reversed(options), command)


measures = click.option(
    "-m",
    "--measures",
    multiple=True,
    metavar="NAMES",
    help="Measures and sets by name, separated by spaces or commas; repeatable.",
    shell_complete=values.measures,
)
define = click.option(
    "--define",
    multiple=True,
    metavar="FILE.py",
    help="Python file that defines measures of your own; it is executed. Repeatable.",
)
mean = click.option(
    "--mean",
    multiple=True,
    metavar="MEAN",
    help=f"Mean over topics: {EXPECTED_MEAN}; repeatable.  [default: avg]",
)

#: what is known of the intents besides the judgments
intents = all_of(
    click.option("--probabilities", metavar="FILE", help="Probabilities of intents."),
    click.option("--topics-xml", metavar="FILE", help="TREC topics; their subtopics have types."),
)

input_format = click.option(
    "--input-format",
    metavar="FORMAT",
    help=f"Format of the files: {', '.join(INPUT_FORMATS)}.  [default: by content]",
    shell_complete=values.formats,
)
run_names = click.option(
    "--run-names",
    type=click.Choice(NAMES),
    default="file",
    show_default=True,
    help="Name runs after their files, or by the tags inside.",
)
kind = click.option(
    "--kind",
    type=click.Choice(list(OF_KIND)),
    help="What the files hold.  [default: by content]",
)
#: how judgments and runs are read
inputs = all_of(
    input_format,
    click.option(
        "--runs-format",
        metavar="FORMAT",
        help="Format of the runs, where it is another one.",
        shell_complete=values.formats,
    ),
    run_names,
)


def _engine(value: str | None) -> str | None:
    if value is not None:
        check_engine(value)
    return value


def _usual(value: object) -> str:
    return f"  [default: {value}]"


order = click.option(
    "--order",
    type=click.Choice(ORDERS),
    help="What ranks a run's documents; ties of scores by document id, descending."
    + _usual(NATIVE.policies.ordering.order),
)
duplicates = click.option(
    "--duplicates",
    type=click.Choice(DUPLICATES),
    help="What a document retrieved twice is."
    + _usual("error; nonrelevant in runs with iterations"),
)

#: the choices behind every number; their names are those of polyseme.evaluate's arguments, and
#: what is not said is left to the dialect
policies = all_of(
    click.option(
        "--dialect",
        metavar="NAME",
        help="Policies and measures of another program, with its options in parentheses: "
        f"{', '.join(name for name in DIALECTS if name != NATIVE.name)}.",
        shell_complete=values.dialects,
    ),
    intents,
    click.option(
        "--gain",
        metavar="GAIN",
        help=f"Gain of a grade: {EXPECTED_GAIN}.{_usual(NATIVE.policies.gain)}",
    ),
    click.option(
        "--gmax",
        metavar="GMAX",
        help=f"Highest gain: collection, topic or a grade.{_usual(NATIVE.policies.gmax)}",
    ),
    order,
    duplicates,
    click.option(
        "--average-over",
        type=click.Choice(AVERAGE_OVER),
        help="Mean over judged topics with a relevant document, or over judged topics a run has."
        + _usual(NATIVE.policies.average_over),
    ),
    click.option(
        "--keep-empty-intents",
        is_flag=True,
        default=None,
        help="Keep intents without a relevant document.",
    ),
    click.option(
        "--relevant-from",
        type=click.IntRange(min=1),
        metavar="GRADE",
        help="Lowest grade that counts as relevant." + _usual(NATIVE.policies.rules.relevant_from),
    ),
    click.option(
        "--only-topics",
        metavar="LIST|FILE",
        help="Topics to keep: a list with commas, or a file with a topic a line.",
    ),
    click.option(
        "--adhoc",
        metavar="RULE|FILE",
        help="One grade a document for ad hoc measures: "
        f"{', '.join(rule for rule in ADHOC_RULES if rule != 'own')}, or a file of judgments."
        + _usual(f"{NATIVE.policies.adhoc}; grades as they are where all intents are 0"),
    ),
)

jobs = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Read N runs at a time; TREC files two at least.",
)

engine = click.option(
    "--engine",
    metavar="ENGINE",
    help="Who works: serial, threads, processes, dask, or dask://HOST:PORT.",
    callback=lambda context, option, value: _engine(value),
    shell_complete=values.engines,
)

#: how a collection that is larger than memory is worked on
partitions = all_of(
    engine,
    click.option(
        "--memory",
        metavar="SIZE",
        help="Memory that all processes together may take, such as 4G: topics are worked on in "
        "partitions.  [default: a gigabyte for each job]",
    ),
    click.option(
        "--resume",
        metavar="FOLDER",
        help="Keep finished partitions here; the same command again goes on from there.",
    ),
)

seed = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Seed of everything random: the same seed gives the same result.",
)

quiet = click.option(
    "--quiet", is_flag=True, help="No warnings, no progress, no notes on standard error."
)
place = click.option("-o", "--output", metavar="FILE", help="Write to FILE, whole or not at all.")


def form(formats: Collection[str], otherwise: str, *names: str) -> Decorator[Any]:
    """``--format``, by other names too."""
    return click.option(
        "--format",
        *names,
        type=click.Choice(list(formats)),
        help=f"[default: by the file's name with -o, else {otherwise}]",
    )


#: for commands that write folders: how they tell what they did
told = click.option(
    "--format",
    "told_as",
    type=click.Choice((SENTENCE, *(name for name in FORMATS if name not in BINARY))),
    default=SENTENCE,
    show_default=True,
    help="How to tell what was written.",
)


def parameters(*options: Decorator[Any]) -> list[click.Parameter]:
    """Options as the list that a command is made with."""
    return click.command("none")(all_of(*options)(lambda: None)).params


def _into_output(usual: str | None) -> Decorator[Any]:
    """Hand the command one :class:`Output` for the options that say where results go."""
    from functools import update_wrapper

    def handing(function: Function) -> Function:
        def called(*args: Any, **given: Any) -> Any:
            output = given.pop("output")
            # a command that another one calls has its output already
            if not isinstance(output, Output):
                quiet = given.pop("quiet")
                output = Output.chosen(given.pop("format"), output, quiet=quiet, usual=usual)
            return function(*args, output=output, **given)

        wrapped: Function = update_wrapper(called, function)  # type: ignore[assignment]
        return wrapped

    return handing


def output(formats: Sequence[str] = FORMATS, usual: str | None = None) -> Decorator[Any]:
    """``--format``, ``-o`` and ``--quiet``; the command's function gets them as ``output``.

    ``usual`` is the format of those who do not choose, where it does not hang on the reader.
    """
    return all_of(
        form(formats, usual or "table on a terminal, else csv"),
        place,
        quiet,
        _into_output(usual),
    )


def examples(*lines: str) -> str:
    """The end of a command's help: examples that can be run as they stand."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def check_standard_input(*paths: object) -> None:
    """Standard input can stand for one file only."""
    if paths.count("-") > 1:
        raise click.UsageError("standard input (-) can be read only once")
