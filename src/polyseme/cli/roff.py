"""Manual pages, made from the commands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import click

from polyseme import __version__
from polyseme.cli.tree import (
    ENVIRONMENT,
    EXIT_STATUS,
    NAME,
    commands,
    example_lines,
    options,
    paragraphs,
)

_SUMMARY = "evaluate search results where one query has several intents"


def page_name(*path: str) -> str:
    """What the page of a command is called: ``polyseme-plot-scatter``."""
    return "-".join(path)


def pages() -> dict[str, str]:
    """All manual pages by name: one for polyseme, and one for each command."""
    from polyseme.cli import main

    below = list(commands(main))
    made = {NAME: _page(_overview(main, below))}
    for context in below:
        made[page_name(*context.command_path.split())] = _page(_one(context))
    return made


def _page(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"


def _overview(main: click.Group, below: list[click.Context]) -> Iterator[str]:
    yield from _head(NAME, _SUMMARY)
    yield ".SH SYNOPSIS"
    yield r".B polyseme"
    yield r".I COMMAND"
    yield r"[\fIARGUMENT\fR .\|.\|.]"
    yield ".SH DESCRIPTION"
    yield from _paragraphs(paragraphs(main))
    yield ".SH COMMANDS"
    for context in below:
        yield ".TP"
        yield f".BR {_word(page_name(*context.command_path.split()))} (1)"
        yield _text(context.command.get_short_help_str(limit=200))
    yield ".SH EXIT STATUS"
    for status, meaning in EXIT_STATUS.items():
        yield from (".TP", f".B {status}", _text(meaning))
    yield ".SH ENVIRONMENT"
    for variable, meaning in ENVIRONMENT.items():
        yield from (".TP", f".B {_word(variable)}", _text(meaning))


def _one(context: click.Context) -> Iterator[str]:
    command = context.command
    path = context.command_path
    yield from _head(
        page_name(*path.split()), command.get_short_help_str(limit=200).rstrip(".").lower()
    )
    yield ".SH SYNOPSIS"
    yield f".B {_word(path)}"
    yield _text(" ".join(command.collect_usage_pieces(context)))
    yield ".SH DESCRIPTION"
    yield from _paragraphs(paragraphs(command))
    if isinstance(command, click.Group):
        yield ".SH COMMANDS"
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from (".TP", f".B {_word(name)}", _text(inner.get_short_help_str(limit=200)))
    yield ".SH OPTIONS"
    for _, names, text in options(context):
        yield from (".TP", f".B {_word(names)}", _text(text))
    lines = example_lines(command)
    if lines:
        yield from (".SH EXAMPLES", ".nf")
        yield from map(_word, lines)
        yield ".fi"
    yield ".SH SEE ALSO"
    parent = context.parent
    assert parent is not None
    yield f".BR {_word(page_name(*parent.command_path.split()))} (1)"


def _head(name: str, summary: str) -> Iterator[str]:
    # no date, which would make two builds of one version differ
    yield f'.TH {_word(name.upper())} 1 "" "polyseme {__version__}" "polyseme"'
    yield ".SH NAME"
    yield rf"{_word(name)} \- {_text(summary)}"


def _paragraphs(said: Iterable[str]) -> Iterator[str]:
    for number, each in enumerate(said):
        if number:
            yield ".PP"
        yield _text(each)


def _text(text: str) -> str:
    """Prose: hyphens stay hyphens but for options, whose dashes can be copied."""
    words = [_word(word) if re.match(r"[`(\[]*-", word) else _plain(word) for word in text.split()]
    return _line(" ".join(words))


def _word(text: str) -> str:
    """What is typed as it stands: every hyphen is a minus sign."""
    return _line(_plain(text).replace("-", r"\-"))


def _plain(text: str) -> str:
    return (
        text.replace("\\", r"\e").replace("`", r"\(ga").replace("'", r"\(aq").replace('"', r"\(dq")
    )


def _line(text: str) -> str:
    """No line of text begins like a request."""
    return rf"\&{text}" if text.startswith(".") else text
