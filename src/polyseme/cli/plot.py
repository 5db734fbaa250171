"""``polyseme plot``: a command a kind of figure."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

import click

from polyseme.atomic import STANDARD_OUTPUT, write_atomically
from polyseme.cli import options
from polyseme.cli.kinds import KindCommands, command_of
from polyseme.cli.output import Output, Writer, refuse_terminal
from polyseme.reporting.figures.drawing import BINARY, FORMATS, converter, format_of, rendered
from polyseme.reporting.figures.kinds import KINDS, figure
from polyseme.reporting.figures.theme import THEMES
from polyseme.reporting.kinds import Kind

if TYPE_CHECKING:
    from polyseme.reporting.figures import Figure
    from polyseme.results import Findings
    from polyseme.tables import Report


@dataclass(frozen=True)
class _Look:
    """What is drawn, and how."""

    kind: str
    options: dict[str, Any]
    theme: Any
    scale: float


@dataclass(frozen=True)
class _FigureOutput(Output):
    """A place for a figure of what a command finds."""

    look: _Look
    draws = True

    @contextmanager
    def opened(self) -> Iterator[Writer]:
        # nobody should compute for an hour what cannot be drawn
        converter()
        if self.format in BINARY:
            with write_atomically(self.path, binary=True) as stream:
                yield _FigureWriter(self, stream, self.look)
        else:
            with write_atomically(self.path) as text:
                yield _FigureWriter(self, text, self.look)


@dataclass(frozen=True)
class _FigureWriter(Writer):
    """Draws what it is given."""

    stream: IO[Any]
    look: _Look

    def __call__(self, found: Report | Findings) -> None:
        look = self.look
        made: Figure = figure(found, look.kind, **look.options)
        self.stream.write(rendered(made, self.output.format, theme=look.theme, scale=look.scale))
        if not self.output.quiet and self.output.format != "html":
            self.stream.flush()
            for note in made.notes:
                click.echo(note, err=True)


_figure_options = options.all_of(
    options.form(FORMATS, "svg"),
    options.place,
    click.option(
        "--theme",
        type=click.Choice(THEMES),
        default=THEMES[0],
        show_default=True,
        help="Colours of all formats but html, which follows its reader.",
    ),
    click.option(
        "--scale",
        type=click.FloatRange(0, 10, min_open=True),
        default=2.0,
        show_default=True,
        metavar="X",
        help="Pixels of a png for each of the figure's.",
    ),
    options.quiet,
)


def _output(kind: Kind, chosen: dict[str, Any], said: dict[str, Any]) -> _FigureOutput:
    place = said.pop("output")
    form = said.pop("format")
    place = STANDARD_OUTPUT if place is None else place
    if form is None:
        form = "svg" if place == STANDARD_OUTPUT else format_of(place)
    if form in BINARY:
        refuse_terminal(place, form)
    look = _Look(kind.name, chosen, said.pop("theme"), said.pop("scale"))
    return _FigureOutput(form, place, said.pop("quiet"), look)


def _command(kind: Kind) -> click.Command:
    return command_of(kind, KINDS.what, options.parameters(_figure_options), _output)


@click.group(
    "plot",
    cls=KindCommands,
    kinds=KINDS,
    build=_command,
    short_help="Draw a figure of runs, measures or collections.",
    epilog=options.examples(
        'polyseme plot scatter judgments.qrels runs/*.run -m "I-rec@10 D-nDCG@10" -o scatter.html',
        "polyseme plot rankings --help",
    ),
)
def plot() -> None:
    """Draw a figure as an interactive page (html), as svg, png or pdf, or as its specification.

    A page holds everything it needs: it can be read without the network, and follows the reader's
    light or dark. The specification (json) is one of Vega-Lite.
    """
