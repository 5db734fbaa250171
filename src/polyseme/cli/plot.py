"""``polyseme plot``: a command a kind of figure.

Each takes what the command takes whose findings it draws, and has the figure in place of its
output.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any

import click

from polyseme.atomic import STANDARD_OUTPUT, write_atomically
from polyseme.cli import options
from polyseme.cli.output import Output, Writer, refuse_terminal
from polyseme.reporting.figures.drawing import BINARY, FORMATS, converter, format_of, rendered
from polyseme.reporting.figures.kinds import KINDS, Kind, Option, figure
from polyseme.reporting.figures.theme import THEMES

if TYPE_CHECKING:
    from polyseme.reporting.figures import Figure
    from polyseme.results import Findings
    from polyseme.tables import Report

_OWN = {"format", "output", "quiet", "theme", "scale"}


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


class _Kinds(click.Group):
    """Kinds of figures by name; the command behind one is loaded when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(KINDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _command(KINDS[cmd_name]) if cmd_name in KINDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in KINDS and not args[0].startswith("-"):
            from polyseme.errors import did_you_mean

            hint = did_you_mean(args[0], KINDS)
            ctx.fail(
                f"there is no figure {args[0]!r}; "
                + (hint or f"the figures are {', '.join(KINDS)}")
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Figures"):
            formatter.write_dl([(kind.name, kind.summary) for kind in KINDS.values()])


def _command(kind: Kind) -> click.Command:
    """The command that draws a kind: that of its findings, but for where these go."""
    base: click.Command = getattr(import_module(f"polyseme.cli.{kind.source}"), kind.source)
    kept = [each for each in base.params if each.name not in _OWN and each.name not in kind.presets]
    find = base.callback
    assert find is not None
    taken = {flag for each in kept for flag in each.opts}
    own = [each for each in kind.options if f"--{each.name}" not in taken]
    papers = f" After {kind.papers}." if kind.papers else ""
    return click.Command(
        kind.name,
        params=[*kept, *map(_parameter, own), *options.parameters(_figure_options)],
        callback=partial(_draw, kind, find),
        help=f"{kind.summary}{papers}\n\nInputs and options are those of polyseme {kind.command}, "
        "and those of the figure.",
        short_help=kind.summary,
        epilog=options.examples(*kind.examples),
    )


def _parameter(option: Option) -> click.Parameter:
    return click.Option(
        [f"--{option.name}", f"figure_{option.name}"],
        metavar=option.metavar,
        type=click.Choice(option.choices) if option.choices else option.type,
        multiple=option.many,
        help=option.help,
    )


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


def _draw(kind: Kind, find: Callable[..., None], **said: Any) -> None:
    chosen = {
        option.name.replace("-", "_"): said.pop(f"figure_{option.name.replace('-', '_')}", None)
        for option in kind.options
    }
    place = said.pop("output")
    form = said.pop("format")
    place = STANDARD_OUTPUT if place is None else place
    if form is None:
        form = "svg" if place == STANDARD_OUTPUT else format_of(place)
    if form in BINARY:
        refuse_terminal(place, form)
    look = _Look(
        kind.name,
        {name: value for name, value in chosen.items() if value not in (None, ())},
        said.pop("theme"),
        said.pop("scale"),
    )
    output = _FigureOutput(form, place, said.pop("quiet"), look)
    find(**said, **kind.presets, output=output)


@click.group(
    "plot",
    cls=_Kinds,
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
