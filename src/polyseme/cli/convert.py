"""``polyseme convert``."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import click

from polyseme.cli import options
from polyseme.cli.output import refuse_terminal
from polyseme.collection.formats import irds
from polyseme.collection.formats.catalogue import HOLD_BOTH
from polyseme.collection.formats.opening import Source, source_of
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.sniffing import sniff
from polyseme.collection.formats.tables import Kind
from polyseme.collection.formats.writing import (
    JUDGMENT_FORMATS,
    PROBABILITY_FORMATS,
    RUN_FORMATS,
    write_judgments,
    write_probabilities,
    write_runs,
)
from polyseme.collection.reading import read_probabilities, read_qrels, read_runs
from polyseme.collection.validation import identify
from polyseme.errors import InputError, PolysemeWarning

TARGETS = tuple(dict.fromkeys((*JUDGMENT_FORMATS, *RUN_FORMATS, *PROBABILITY_FORMATS)))


@click.command(
    short_help="Write files in other formats.",
    epilog=options.examples(
        "polyseme convert judgments.qrels --probabilities probabilities.txt -o judgments.parquet",
        "polyseme convert judgments.qrels -o judgments.jsonl.gz",
        "polyseme convert judgments.qrels --to ntcir -o judgments.ntcir",
        "polyseme convert probabilities.txt -o probabilities.csv",
        "polyseme convert runs/*.run -o runs.csv",
        "polyseme convert runs/alder-1.run --to jsonl -o -",
    ),
)
@click.argument("files", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    required=True,
    help="File to write, whole or not at all; - is standard output. "
    "A name that ends in .gz or .zst is compressed.",
)
@click.option(
    "--to",
    "--format",
    type=click.Choice(TARGETS),
    help="Format to write.  [default: by the name of OUT, else trec]",
)
@options.kind
@options.input_format
@options.run_names
@options.intents
@options.quiet
def convert(
    files: tuple[str, ...],
    output: str,
    to: str | None,
    kind: Kind | None,
    input_format: str | None,
    run_names: Any,
    probabilities: str | None,
    topics_xml: str | None,
    quiet: bool,
) -> None:
    """Write FILES of judgments, runs or probabilities of intents in another format.

    Several runs become one file of CSV, JSON lines or Parquet. Judgments in these formats, and
    nuggets, can hold probabilities too; to write those alone, convert them with --kind
    probabilities. Judgments may be an identifier of ir_datasets too: irds:NAME.

    What the format cannot hold is said on standard error, line by line.
    """
    del quiet
    options.check_standard_input(*files, probabilities, topics_xml)
    if to == "parquet":
        refuse_terminal(output, to)
    identified = files[0].startswith(irds.PREFIX)
    sources = [] if identified else [source_of(path) for path in files]
    if kind == "probabilities" and sources:
        input_format = input_format or _table_format(sources[0])
    found = "judgments" if identified else _kind_of(sources, kind, input_format)
    if found != "judgments" and (probabilities or topics_xml):
        raise click.UsageError("--probabilities and --topics-xml go with judgments")
    if found == "run":
        runs = read_runs(*sources, format=input_format, names=run_names)
        lost = write_runs(runs, output, format=to)
    elif found == "probabilities":
        given = read_probabilities(_only(sources), format=input_format)
        lost = write_probabilities(given, output, format=to)
    else:
        judged = read_qrels(
            _only(sources or files),
            format=input_format,
            probabilities=probabilities,
            topics_xml=topics_xml,
        )
        lost = write_judgments(judged, output, format=to)
    for sentence in lost:
        warnings.warn(sentence, PolysemeWarning, stacklevel=1)


def _table_format(source: Source) -> str | None:
    """The format of what may hold probabilities among judgments."""
    guess = sniff(source, Report(source.name))
    return guess.format if guess.format in HOLD_BOTH else None


def _kind_of(sources: Sequence[Source], said: Kind | None, form: str | None) -> Kind:
    """What all the files hold."""
    kinds: dict[Kind, str] = {}
    for source in sources:
        kinds.setdefault(identify(source, Report(source.name), said, form)[0], source.name)
    if len(kinds) > 1:
        (first, one), (second, other) = list(kinds.items())[:2]
        raise InputError(
            f"{one} holds {first}, {other} holds {second}",
            path=None,
            expected="one file of judgments or probabilities, or runs only",
            remedy="convert them one after the other; probabilities go with --probabilities",
        )
    (found,) = kinds
    if found == "topics":
        raise InputError(
            "these are topics, which stay what they are",
            path=sources[0].name,
            expected="judgments, runs or probabilities of intents",
            remedy="give topics along with judgments: --topics-xml",
        )
    return found


def _only(files: Sequence[Source | str]) -> Source | str:
    if len(files) > 1:
        second = files[1]
        raise InputError(
            f"there are {len(files)} files",
            path=second if isinstance(second, str) else second.name,
            expected="one file; only runs can stand together",
            remedy="convert one after the other",
        )
    return files[0]
