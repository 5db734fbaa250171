"""Groups of commands that are loaded when they are used."""

from __future__ import annotations

import keyword
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class LateGroup(click.Group):
    """Commands known by name and short help.

    Each is the function of its name in the module of its name; what Python keeps for itself
    (``import``) has an underscore there.
    """

    def __init__(self, *given: Any, known: Mapping[str, str], package: str, **more: Any) -> None:
        super().__init__(*given, **more)
        self.known = known
        self.package = package

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.known)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.known:
            return None
        name = f"{cmd_name}_" if keyword.iskeyword(cmd_name) else cmd_name
        with one_thread_each():
            command: click.Command = getattr(import_module(f"{self.package}.{name}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.known and not args[0].startswith("-"):
            from polyseme.errors import did_you_mean

            hint = did_you_mean(args[0], self.known)
            ctx.fail(
                f"there is no command {args[0]!r}; "
                + (hint or f"the commands are {', '.join(self.known)}")
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self.known.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        from click.shell_completion import CompletionItem

        return [
            CompletionItem(name, help=text)
            for name, text in self.known.items()
            if name.startswith(incomplete)
        ]


@contextmanager
def one_thread_each() -> Iterator[None]:
    """NumPy's library for matrices, loaded meanwhile, begins no threads: ours have the processors.

    Unless somebody said how many there should be; other programs are not told.
    """
    name = "OPENBLAS_NUM_THREADS"
    if name in os.environ:
        yield
        return
    os.environ[name] = "1"
    try:
        yield
    finally:
        del os.environ[name]
