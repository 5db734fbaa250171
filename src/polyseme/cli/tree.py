"""All commands, as a tree that documentation, the manual and completion walk."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

NAME = "polyseme"
#: by which a shell asks for completion
COMPLETE = "_POLYSEME_COMPLETE"

EXIT_STATUS = {
    0: "Done.",
    1: "Bad input, a failed check, or a place that cannot be written.",
    2: "Bad usage: an unknown command or option, or a value that it does not take.",
    130: "Interrupted.",
    141: "The reader of the output went away.",
}
ENVIRONMENT = {
    "NO_COLOR": "If set to anything, no colours. What is not a terminal never gets any.",
    "COLUMNS": "The width that tables on a terminal should fit.",
    "POLYSEME_PLAIN": "If set to 1, the plain Python versions of all compiled functions are used.",
}


def commands(root: click.Group) -> Iterator[click.Context]:
    """Every command in the order of help, a group before the commands in it."""
    yield from _below(click.Context(root, info_name=NAME))


def _below(context: click.Context) -> Iterator[click.Context]:
    group = context.command
    assert isinstance(group, click.Group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context)
        yield inner
        if isinstance(command, click.Group):
            yield from _below(inner)


def paragraphs(command: click.Command) -> list[str]:
    """What a command's help says, without the examples."""
    text = inspect.cleandoc(command.help or "")
    return [" ".join(each.removeprefix("\b\n").split()) for each in text.split("\n\n")]


def example_lines(command: click.Command) -> list[str]:
    """The examples at the end of a command's help."""
    lines = (command.epilog or "").removeprefix("\b\n").splitlines()
    return [line.strip() for line in lines[1:]]


def options(context: click.Context) -> Iterator[tuple[click.Option, str, str]]:
    """Every option that help shows: its names, and what it does."""
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context)
        if isinstance(parameter, click.Option) and record is not None:
            yield parameter, *record
