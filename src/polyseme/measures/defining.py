"""Measures of your own: a formula and a name."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from polyseme.errors import MeasureError
from polyseme.measures.formulas import Formula
from polyseme.measures.measure import CutoffRule, Family, Traits
from polyseme.measures.parameters import Parameter, number
from polyseme.measures.user_models import Base

#: parameters that every measure takes, and the one that D# adds
_TAKEN = ("gain", "gmax", "adhoc", "view", "delta")
_LETTERS_NOT_IN_NAMES = "'()@,=\" \t\n"


@dataclass(frozen=True, eq=False)
class Definition:
    """A measure that somebody defined; ``families`` can join any catalogue."""

    name: str
    families: tuple[Family, ...]

    def __call__(self, cutoff: int | None = None, *, primes: int = 0, **parameters: Any) -> Any:
        """A measure: ``mine(10, p=0.8)``; of one list of gains, that on ad hoc judgments."""
        return self.families[0](cutoff, primes=primes, **parameters)

    def __getitem__(self, name: str) -> Family:
        """One of the measures that the definition makes: ``mine["mine-IA"](10)``."""
        for family in self.families:
            if family.name == name:
                return family
        made = ", ".join(family.name for family in self.families)
        raise MeasureError(f"the definition {self.name!r} makes {made}, and no {name!r}")


def define(
    name: str,
    formula: Formula | Callable[..., Formula],
    *,
    traits: Traits | None = None,
    summary: str = "",
    text: str = "",
    citation: str = "",
    cutoff: CutoffRule = "optional",
) -> Definition:
    """Name a formula.

    A formula for one list of gains, such as ``Sum(Cascade(), Log2())``, gives four measures:
    ``NAME``, ``NAME-IA``, ``D-NAME`` and ``D#-NAME``; one for a topic with its intents gives one.
    A function of numbers with defaults, ``lambda p=0.8: Sum(...)``, makes them parameters.
    """
    if not name or any(letter in _LETTERS_NOT_IN_NAMES for letter in name):
        raise MeasureError(
            f"{name!r} cannot name a measure: no spaces, quotes, commas, parentheses, = or @"
        )
    build: Callable[..., Formula] = formula if not isinstance(formula, Formula) else lambda: formula
    parameters = _parameters_of(name, build) if not isinstance(formula, Formula) else ()
    made = build()
    if not isinstance(made, Formula):
        raise MeasureError(f"{name}: the definition gives {made!r}, which is no formula")
    # nothing is known of a stranger's formula, so nothing is promised
    promised = traits or Traits(range=(None, None), monotone=False)
    said = (text or str(made), summary or f"{name}, defined by the user", citation)
    _check_names(name, parameters, (*_TAKEN, "gamma") if made.level == "row" else _TAKEN)
    home = str(sys._getframe(1).f_globals.get("__name__"))
    if made.level == "row":
        base = Base(name, build, promised, *said, parameters, cutoff, home)
        return Definition(name, base.families())
    family = Family(name, build, promised, *said, parameters, cutoff, group="defined", home=home)
    return Definition(name, (family,))


def _check_names(name: str, parameters: tuple[Parameter, ...], taken: tuple[str, ...]) -> None:
    for each in parameters:
        if each.name in taken:
            raise MeasureError(
                f"{name}: the parameter {each.name} has a meaning for measures of every kind\n"
                f"  to mend it: name it otherwise; taken are {', '.join(taken)}"
            )


def _parameters_of(name: str, build: Callable[..., Formula]) -> tuple[Parameter, ...]:
    found: list[Parameter] = []
    for each in inspect.signature(build).parameters.values():
        if not isinstance(each.default, int | float) or isinstance(each.default, bool):
            raise MeasureError(
                f"{name}: the parameter {each.name} needs a number as its default, "
                f"such as lambda {each.name}=0.5: ..."
            )
        found.append(
            number(each.name, float(each.default), f"as {name} defines it", low=float("-inf"))
        )
    return tuple(found)
