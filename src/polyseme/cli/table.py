"""``polyseme table``: a command a kind of table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import click

from polyseme.cli import options
from polyseme.cli.kinds import KindCommands, command_of
from polyseme.cli.output import FORMATS, Output, Writer
from polyseme.reporting.kinds import Kind
from polyseme.reporting.papers.kinds import KINDS, report_as


@dataclass(frozen=True)
class _TableOutput(Output):
    """A place for a table of what a command finds."""

    kind: str
    options: dict[str, Any]

    @contextmanager
    def opened(self) -> Iterator[Writer]:
        with super().opened() as write:
            yield _TableWriter(self, write.stream, self)


@dataclass(frozen=True)
class _TableWriter(Writer):
    """Sets what it is given."""

    wanted: _TableOutput

    def __call__(self, found: Any) -> None:
        super().__call__(report_as(found, kind=self.wanted.kind, **self.wanted.options))


_own = options.all_of(options.form(FORMATS, "table"), options.place, options.quiet)


def _output(kind: Kind, chosen: dict[str, Any], said: dict[str, Any]) -> _TableOutput:
    place = Output.chosen(
        said.pop("format"), said.pop("output"), quiet=said.pop("quiet"), usual="table"
    )
    return _TableOutput(place.format, place.path, place.quiet, kind.name, chosen)


def _command(kind: Kind) -> click.Command:
    return command_of(kind, KINDS.what, options.parameters(_own), _output)


@click.group(
    "table",
    cls=KindCommands,
    kinds=KINDS,
    build=_command,
    short_help="Set a table as papers do.",
    epilog=options.examples(
        "polyseme table leave-one-out judgments.qrels runs/*.run --teams teams.csv --depth 20 "
        '-m "I-rec@10 D#-nDCG@10" -o without.tex',
        "polyseme table agreement --help",
    ),
)
def table() -> None:
    """Set a table in the layout of a paper: for a terminal, or as LaTeX, Markdown or HTML.

    LaTeX is for the packages booktabs, amssymb and adjustbox; the file's first lines say which of
    them it needs. CSV, JSON and Parquet hold what the command finds, every digit of it.
    """
