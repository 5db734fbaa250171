"""Commands made from kinds of figures and of tables.

Each takes what the command takes whose findings it shows, and has the figure or the table in place
of its output.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import click

from polyseme.cli import options
from polyseme.cli.output import Output
from polyseme.reporting.kinds import Kind, Kinds, Option

_OWN = {"format", "output", "quiet"}
#: what the options of a kind are called among a command's parameters
PREFIX = "shown_"


class KindCommands(click.Group):
    """Kinds by name; the command behind one is loaded when it is used."""

    def __init__(
        self, *args: Any, kinds: Kinds, build: Callable[[Kind], click.Command], **said: Any
    ) -> None:
        super().__init__(*args, **said)
        self.kinds = kinds
        self.build = build

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.kinds)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self.build(self.kinds[cmd_name]) if cmd_name in self.kinds else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.kinds and not args[0].startswith("-"):
            from polyseme.errors import PolysemeError

            try:
                self.kinds.said(args[0])
            except PolysemeError as error:
                ctx.fail(str(error))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(f"{self.kinds.what.capitalize()}s"):
            formatter.write_dl([(kind.name, kind.summary) for kind in self.kinds.values()])


def source_of(kind: Kind) -> click.Command:
    """The command that finds what a kind shows."""
    found: click.Command = getattr(import_module(f"polyseme.cli.{kind.source}"), kind.source)
    return found


def finding_parameters(kind: Kind, own: Sequence[click.Parameter]) -> list[click.Parameter]:
    """What says how the findings are made: all but where they go, and what the kind settles."""
    mine = _OWN | {each.name for each in own}
    return [
        each
        for each in source_of(kind).params
        if each.name not in mine and each.name not in kind.presets
    ]


def kind_parameters(kind: Kind, taken: Sequence[click.Parameter]) -> list[click.Parameter]:
    """The options of a kind that are not already those of its command."""
    flags = {flag for each in taken for flag in each.opts}
    return [_parameter(each) for each in kind.options if f"--{each.name}" not in flags]


def _parameter(option: Option) -> click.Parameter:
    chosen: Any = click.Choice(option.choices) if option.choices else option.type
    return click.Option(
        [f"--{option.name}", f"{PREFIX}{option.name}"],
        metavar=None if option.flag else option.metavar,
        is_flag=option.flag,
        type=bool if option.flag else chosen,
        multiple=option.many,
        help=option.help,
    )


def command_of(
    kind: Kind,
    what: str,
    own: Sequence[click.Parameter],
    output: Callable[..., Output],
) -> click.Command:
    """The command that shows a kind; ``output`` makes a place for it of what was said."""
    kept = finding_parameters(kind, own)
    papers = f" After {kind.papers}." if kind.papers else ""
    return click.Command(
        kind.name,
        params=[*kept, *kind_parameters(kind, kept), *own],
        callback=partial(_run, kind, output),
        help=f"{kind.summary}{papers}\n\nInputs and options are those of polyseme {kind.command}, "
        f"and those of the {what}.",
        short_help=kind.summary,
        epilog=options.examples(*kind.examples),
    )


def _run(kind: Kind, place: Callable[..., Output], /, **said: Any) -> None:
    chosen = chosen_options(kind, said)
    find_with(kind, said, place(kind, chosen, said))


def chosen_options(kind: Kind, said: dict[str, Any]) -> dict[str, Any]:
    """The options of a kind, taken out of what was said."""
    chosen = {
        option.name.replace("-", "_"): said.pop(f"{PREFIX}{option.name.replace('-', '_')}", None)
        for option in kind.options
    }
    return {name: value for name, value in chosen.items() if value not in (None, (), False)}


def find_with(kind: Kind, said: dict[str, Any], output: Output) -> None:
    """Let the command find what is shown, and hand it to an output."""
    find = source_of(kind).callback
    assert find is not None
    find(**said, **kind.presets, output=output)
