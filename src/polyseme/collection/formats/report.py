"""Where every reader tells of what is wrong: the first problem raised, or all of them listed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from polyseme.errors import InputError


class MalformedError(ValueError):
    """A field that cannot be used; whoever knows the file and the line makes it an InputError."""

    def __init__(self, problem: str, expected: str, remedy: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.expected = expected
        self.remedy = remedy


def raise_first(error: InputError) -> None:
    """Ordinary reading: the first problem ends it."""
    raise error


@dataclass(frozen=True)
class Report:
    """Problems of one file, each told to ``tell``: it raises, or keeps the problem and goes on."""

    path: str
    tell: Callable[[InputError], None] = raise_first

    def problem(
        self,
        problem: str,
        *,
        line: int | None = None,
        text: str | None = None,
        expected: str | None = None,
        remedy: str | None = None,
    ) -> None:
        """Something that reading can go on after, the line being left out."""
        self.tell(
            InputError(
                problem, path=self.path, line=line, text=text, expected=expected, remedy=remedy
            )
        )

    def malformed(self, error: MalformedError, line: int | None, text: str | None) -> None:
        """A field of a line cannot be used."""
        self.problem(
            error.problem, line=line, text=text, expected=error.expected, remedy=error.remedy
        )

    def columns(self, fields: Sequence[str], expected: str, line: int, text: str) -> None:
        """A line has too few columns or too many."""
        wanted = len(expected.split())
        if len(fields) < wanted:
            remedy = "complete the line or remove it; the file may have been cut short"
        else:
            remedy = "remove the extra columns; names hold no spaces"
        self.problem(
            f"{len(fields)} column{'' if len(fields) == 1 else 's'} where {wanted} are expected",
            line=line,
            text=text,
            expected=expected,
            remedy=remedy,
        )

    def fatal(
        self,
        problem: str,
        *,
        line: int | None = None,
        text: str | None = None,
        expected: str | None = None,
        remedy: str | None = None,
    ) -> NoReturn:
        """Something that reading cannot go on after."""
        raise InputError(
            problem, path=self.path, line=line, text=text, expected=expected, remedy=remedy
        )
