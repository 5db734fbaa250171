"""``polyseme manual``."""

from __future__ import annotations

import os

import click

from polyseme.atomic import make_folder, write_atomically
from polyseme.cli import options
from polyseme.cli.roff import page_name, pages
from polyseme.errors import InputError, did_you_mean


@click.command(
    short_help="Print manual pages.",
    epilog=options.examples(
        "polyseme manual",
        "polyseme manual evaluate",
        "polyseme manual --into man1",
    ),
)
@click.argument("command", nargs=-1)
@click.option("--into", metavar="DIR", help="Write all pages into this folder.")
def manual(command: tuple[str, ...], into: str | None) -> None:
    """Print the manual page of polyseme, or of COMMAND, for `man -l -`; or write all of them.

    Where polyseme was installed from a wheel, `man polyseme` and `man polyseme-evaluate` find
    their pages without this.
    """
    made = pages()
    if into is not None:
        if command:
            raise click.UsageError("take either COMMAND or --into")
        make_folder(into)
        for name, text in made.items():
            with write_atomically(os.path.join(into, f"{name}.1")) as stream:
                stream.write(text)
        return
    wanted = page_name("polyseme", *command)
    if wanted not in made:
        said = " ".join(command)
        hint = did_you_mean(wanted, made)
        raise InputError(
            f"there is no manual page for {said!r}",
            remedy=hint or "say a command that polyseme --help lists",
        )
    click.echo(made[wanted], nl=False)
