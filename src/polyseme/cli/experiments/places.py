"""TOML with the lines that its keys stand on, so that errors can name them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from polyseme.errors import InputError, did_you_mean

Path = tuple[str, ...]
_HEAD = re.compile(r"\s*\[{1,2}(?P<name>[^\[\]]+)\]{1,2}\s*(?:#.*)?$")
_KEY = re.compile(
    r"""\s*(?P<name>(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*="""
)
_PIECE = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
_WHERE = re.compile(r"\s*\(at (?:line (?P<line>\d+), column \d+|end of document)\)$")


@dataclass(frozen=True)
class Document:
    """A file of TOML: its values, and on which line each key stands."""

    name: str
    values: Mapping[str, Any]
    lines: Mapping[Path, int]

    @classmethod
    def read(cls, name: str) -> Document:
        """Read a file; what is no TOML is told with its line."""
        try:
            with open(name, "rb") as stream:
                text = stream.read().decode("utf-8")
        except OSError as error:
            raise InputError(
                f"the file cannot be read ({error.strerror})",
                path=name,
                expected="a file of TOML that declares an experiment",
                remedy="polyseme experiment init writes one",
            ) from None
        except UnicodeDecodeError as error:
            raise InputError(
                f"the byte {error.object[error.start]:#04x} is no UTF-8",
                path=name,
                expected="text in UTF-8",
                remedy="save the file as UTF-8",
            ) from None
        try:
            values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise _no_toml(name, text, str(error)) from None
        return cls(name, values, dict(_places(text)))

    def line_of(self, path: Iterable[str]) -> int | None:
        """Where a key stands; where it does not stand by itself, what it is in."""
        wanted = tuple(path)
        while wanted and wanted not in self.lines:
            wanted = wanted[:-1]
        return self.lines.get(wanted)

    def error(
        self,
        path: Iterable[str],
        problem: str,
        *,
        expected: str | None = None,
        remedy: str | None = None,
    ) -> InputError:
        """An error about a key."""
        return InputError(
            problem,
            path=self.name,
            line=self.line_of(path),
            expected=expected,
            remedy=remedy,
        )

    def unknown(self, path: Path, known: Iterable[str], what: str) -> InputError:
        """An error about a key that means nothing here."""
        names = sorted(known)
        shown = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
        return self.error(
            path,
            f"{what} knows no key {path[-1]!r}",
            expected=f"one of {shown}",
            remedy=did_you_mean(path[-1], names) or "rename it, or leave it out",
        )


def _no_toml(name: str, text: str, said: str) -> InputError:
    found = _WHERE.search(said)
    line = int(found["line"]) if found and found["line"] else text.count("\n") + 1
    lines = text.splitlines()
    return InputError(
        f"this is no TOML: {_WHERE.sub('', said)}",
        path=name,
        line=line,
        text=lines[line - 1] if 0 < line <= len(lines) else None,
        expected='[sections], and keys with values: name = 1, text = "a", list = [1, 2]',
        remedy="texts stand in quotes, numbers do not",
    )


def _places(text: str) -> Iterable[tuple[Path, int]]:
    """The line of each section and key, the first one where it is said again."""
    section: Path = ()
    seen: set[Path] = set()
    within = ""
    for number, line in enumerate(text.splitlines(), 1):
        quotes = line.count('"""') % 2 or line.count("'''") % 2
        if within:
            within = "" if quotes else within
            continue
        head, key = _HEAD.match(line), _KEY.match(line)
        if head:
            section = _pieces(head["name"])
            found = section
        elif key:
            found = (*section, *_pieces(key["name"]))
        else:
            continue
        within = "text" if key and quotes else ""
        for end in range(1, len(found) + 1):
            if found[:end] not in seen:
                seen.add(found[:end])
                yield found[:end], number


def _pieces(name: str) -> Path:
    return tuple(piece.strip("\"'") for piece in _PIECE.findall(name))
