"""Where a command's findings go, and in what format."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, ClassVar

import click

from polyseme.atomic import STANDARD_OUTPUT, write_atomically
from polyseme.collection.formats.opening import name_and_suffix
from polyseme.errors import PolysemeError
from polyseme.reporting.formats import BINARY, FORMATS, SUFFIXES, WITHOUT_NOTES, write
from polyseme.results import Findings
from polyseme.tables import Report

__all__ = ["FORMATS", "Output", "tell"]

#: the format of those who write folders and say so
SENTENCE = "text"
_BY_SUFFIX = {
    **{suffix: form for form, suffix in SUFFIXES.items()},
    ".ndjson": "jsonl",
    ".htm": "html",
}
#: what programs for pictures and offices would open, and could not
_UNWRITTEN = (".pdf", ".png", ".svg", ".docx", ".xlsx", ".ods", ".odt")


@dataclass(frozen=True)
class Output:
    """A format, a place, and whether to be silent on standard error."""

    format: str
    path: str
    quiet: bool
    #: is it a figure that is wanted?
    draws: ClassVar[bool] = False

    @classmethod
    def chosen(
        cls, form: str | None, path: str | None, *, quiet: bool, usual: str | None = None
    ) -> Output:
        """By what was said, else by the file's name, else the usual one, else by who is reading."""
        place = STANDARD_OUTPUT if path is None else path
        if form is None:
            otherwise = usual or ("table" if _is_terminal(place) else "csv")
            suffix = _suffix(place)
            if suffix in _UNWRITTEN:
                raise PolysemeError(
                    f"{place}: nothing here is written as {suffix}\n"
                    f"  to mend it: name a file that ends in {', '.join(SUFFIXES.values())}, "
                    "or say --format"
                )
            form = _BY_SUFFIX.get(suffix, otherwise)
        if form in BINARY:
            refuse_terminal(place, form)
        return cls(form, place, quiet)

    @contextmanager
    def opened(self) -> Iterator[Writer]:
        """Open the place before the work, so that nobody works in vain; it is filled at the end."""
        # two calls, since the kind of stream depends on a literal
        if self.format in BINARY:
            with write_atomically(self.path, binary=True) as stream:
                yield Writer(self, stream)
        else:
            with write_atomically(self.path) as text:
                yield Writer(self, text)


@dataclass(frozen=True)
class Writer:
    """An open output."""

    output: Output
    stream: IO[Any]

    def __call__(self, found: Report | Findings) -> None:
        """Write what was found; notes without a place in the format go to standard error."""
        report = found.report() if isinstance(found, Findings) else found
        write(report, self.output.format, self.stream)
        if self.output.format in WITHOUT_NOTES and not self.output.quiet:
            self.stream.flush()
            for note in report.all_notes:
                click.echo(note, err=True)


def tell(sentence: str, report: Report, form: str, *, quiet: bool) -> None:
    """What a command did that writes folders: a sentence, or a record for programs."""
    if form != SENTENCE:
        write(report, form, sys.stdout)
    elif not quiet:
        click.echo(sentence)


def refuse_terminal(place: str, form: str) -> None:
    """Formats made of bytes are for files and programs."""
    if _is_terminal(place):
        raise PolysemeError(f"{form} is nothing for a terminal\n  to mend it: name a file with -o")


def _is_terminal(place: str) -> bool:
    return place == STANDARD_OUTPUT and sys.stdout is not None and sys.stdout.isatty()


def _suffix(path: str) -> str:
    return name_and_suffix(path)[1].lower()
