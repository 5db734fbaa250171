"""Values of options that a shell can complete: names of measures, dialects, means and so on.

Imported by every command, so what the values come from is imported when they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import click

from polyseme.engine import ENGINES

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from polyseme.measures.measure import Family

    Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem[str]]]

#: what can go on without a space: a shell that can hold back the space does
PART = "part"


def _items(
    found: Iterable[tuple[str, str]], begun: str, before: str = "", kind: str = PART
) -> list[CompletionItem[str]]:
    from click.shell_completion import CompletionItem

    return [
        CompletionItem(before + value, type=kind, help=text or None)
        for value, text in found
        if value.startswith(begun)
    ]


def one_of(names: Callable[[], Iterable[str]]) -> Complete:
    """Completion by a list that is made when it is needed."""

    def complete(
        context: click.Context, parameter: click.Parameter, begun: str
    ) -> list[CompletionItem[str]]:
        del context, parameter
        return _items(((name, "") for name in names()), begun, kind="plain")

    return complete


def measures(
    context: click.Context, parameter: click.Parameter, begun: str
) -> list[CompletionItem[str]]:
    """The last name of a list of measures: of a family or a set, then parameters and a cutoff."""
    from polyseme.measures.sets import CATALOGUE

    del context, parameter
    start = _last(begun)
    before, name = begun[:start], begun[start:]
    known = {family.name: family for family in CATALOGUE}
    base, parenthesis, said = name.partition("(")
    if parenthesis and ")" not in said and base.rstrip("'") in known:
        done, comma, last = said.rpartition(",")
        family = known[base.rstrip("'")]
        return _items(_parameters(family), last, f"{before}{base}({done}{comma}")
    if "@" in name:
        base, _, cutoff = name.rpartition("@")
        return _items(((each, "") for each in ("5", "10", "20", "100")), cutoff, f"{before}{base}@")
    return _items(_names(name), name, before)


def _last(begun: str) -> int:
    """Where the last name of a list begins: behind the last space or comma between names."""
    depth, start = 0, 0
    for place, letter in enumerate(begun):
        depth += (letter == "(") - (letter == ")")
        if not depth and letter in ", \t" and not begun[:place].endswith("NCUrb"):
            start = place + 1
    return start


def _names(begun: str) -> Iterator[tuple[str, str]]:
    from polyseme.measures.sets import CATALOGUE

    for each in CATALOGUE.sets:
        yield each.name, each.summary
    for family in CATALOGUE:
        # a prefixed name of another program is there for those who begin it
        if ":" not in family.name or begun:
            yield family.name, family.summary
    # plain letters for # are there for those who write them
    for alias, family in CATALOGUE.aliases.items():
        if "sharp" in begun:
            yield alias, family.summary


def _parameters(family: Family) -> Iterator[tuple[str, str]]:
    for name, each in family.all_parameters.items():
        yield f"{name}=", f"{each.doc}: {each.expected}"


def _dialects() -> Iterable[str]:
    from polyseme.dialects import DIALECTS

    return DIALECTS


def _formats() -> Iterable[str]:
    from polyseme.collection.formats.catalogue import FORMATS

    return FORMATS


dialects = one_of(_dialects)
formats = one_of(_formats)
engines = one_of(lambda: ENGINES)
