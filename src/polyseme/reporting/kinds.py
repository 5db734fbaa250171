"""Kinds of figures and of tables: what each shows, of which findings, and with what options.

A kind is known by name; its module is loaded when it is made. Findings are known by the names of
their classes, so that nothing has to be imported to list the kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from polyseme.errors import PolysemeError, did_you_mean


@dataclass(frozen=True)
class Option:
    """Something to be chosen about a figure or a table.

    Where the command has an option of the same name, it already chooses what is found.
    """

    name: str
    help: str
    metavar: str = "NAME"
    type: type = str
    many: bool = False
    choices: tuple[str, ...] = ()
    flag: bool = False


@dataclass(frozen=True)
class Kind:
    """A kind of figure or table."""

    name: str
    summary: str
    #: classes of findings that it can be made from
    of: tuple[str, ...]
    #: the command whose findings these are
    command: str
    #: module whose function of the kind's name makes it
    module: str
    options: tuple[Option, ...] = ()
    #: what it stands for in papers
    papers: str = ""
    #: how it is made on the command line
    examples: tuple[str, ...] = ()
    #: options of the command that are settled
    presets: Mapping[str, Any] = field(default_factory=dict)
    #: module of the command line that finds what is shown, where it is not the command's own
    source: str = ""
    #: does it set several findings side by side, such as those of two collections?
    several: bool = False

    def function(self, what: str, options: Mapping[str, Any]) -> Callable[..., Any]:
        """What makes it, if it has these options."""
        known = {option.name for option in self.options}
        for name in options:
            if name not in known:
                raise PolysemeError(
                    f"the {what} {self.name} has no option {name!r}; "
                    + (f"it has {', '.join(sorted(known))}" if known else "it has none")
                )
        found: Callable[..., Any] = getattr(import_module(self.module), self.name.replace("-", "_"))
        return found


@dataclass(frozen=True)
class Kinds(Mapping[str, Kind]):
    """All kinds of figures, or of tables, by name."""

    what: str
    #: what is done with it: it is drawn, it is set
    done: str
    all: tuple[Kind, ...]

    def __getitem__(self, name: str) -> Kind:
        for kind in self.all:
            if kind.name == name:
                return kind
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(kind.name for kind in self.all)

    def __len__(self) -> int:
        return len(self.all)

    def said(self, name: str) -> Kind:
        """The kind that somebody named; an error with a suggestion where there is none."""
        if name not in self:
            hint = did_you_mean(name, self)
            raise PolysemeError(
                f"there is no {self.what} {name!r}; "
                + (hint or f"the {self.what}s are {', '.join(self)}")
            )
        return self[name]

    def of(self, found: object) -> tuple[Kind, ...]:
        """The kinds that findings can be shown as, the usual one first."""
        names = [each.__name__ for each in type(found).__mro__]
        return tuple(kind for kind in self.all if any(name in kind.of for name in names))

    def chosen(self, found: Sequence[object], name: str | None) -> Kind:
        """The kind that was named, else the usual one, if it can show the findings."""
        wanted = None if name is None else self.said(name)
        possible = self.of(found[0])
        if not possible:
            raise PolysemeError(f"there is no {self.what} of {type(found[0]).__name__}")
        kind = wanted or possible[0]
        for each in found:
            if kind not in self.of(each):
                raise PolysemeError(
                    f"{type(each).__name__} cannot be {self.done} as {kind.name}; "
                    f"it can as {' or '.join(known.name for known in possible)}"
                )
        if len(found) > 1 and not kind.several:
            raise PolysemeError(f"the {self.what} {kind.name} is of one finding, not of several")
        return kind


def chosen(said: str | None, known: Iterable[str], what: str) -> str:
    """What was said, if it is known, else the first that is."""
    names = list(known)
    if said is None:
        if not names:
            raise PolysemeError(f"there is no {what} to show")
        return names[0]
    if said not in names:
        shown = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
        hint = did_you_mean(said, names)
        raise PolysemeError(
            f"there is no {what} {said!r} to show; " + (hint or f"there is {shown or 'none'}")
        )
    return said
