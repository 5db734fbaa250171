"""Parameters of measures: what may be said in parentheses, checked and spelled one way."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from polyseme.errors import MeasureError
from polyseme.measures.gains import (
    ADHOC_RULES,
    EXPECTED_GAIN,
    number_text,
    parse_gain,
    parse_gmax,
)


@dataclass(frozen=True)
class Parameter:
    """One parameter: ``read`` turns text or a value into the checked value, or raises."""

    name: str
    default: Any
    expected: str
    doc: str
    read: Callable[[Any], Any]

    def value(self, given: Any, measure: str) -> Any:
        try:
            return self.read(given)
        except (ValueError, TypeError):
            raise MeasureError(
                f"{measure}: {self.name} must be {self.expected}. Got {given!r} instead."
            ) from None


def number(
    name: str,
    default: float,
    doc: str,
    *,
    low: float = 0.0,
    high: float = math.inf,
    above: bool = False,
    below: bool = False,
) -> Parameter:
    """A finite number from ``low`` to ``high``, the ends left out if ``above`` or ``below``."""

    def read(given: Any) -> float:
        value = float(given)
        fits = (value > low if above else value >= low) and (
            value < high if below else value <= high
        )
        if not (fits and math.isfinite(value)) or isinstance(given, bool):
            raise ValueError
        return value

    start = "above" if above else "from" if high < math.inf else "at least"
    expected = f"a number {start} {low:g}" if low > -math.inf else "a number"
    if high < math.inf:
        expected += f" {'and below' if below else 'to' if not above else 'and at most'} {high:g}"
    return Parameter(name, default, expected, doc, read)


def count(name: str, default: int | None, doc: str) -> Parameter:
    """A whole number from 1."""

    def read(given: Any) -> int:
        value = int(given)
        if value < 1 or value != float(given) or isinstance(given, bool):
            raise ValueError
        return value

    return Parameter(name, default, "a whole number of 1 or more", doc, read)


def choice(name: str, default: str | None, options: tuple[str, ...], doc: str) -> Parameter:
    """One of some words."""

    def read(given: Any) -> str:
        if given not in options:
            raise ValueError
        return str(given)

    return Parameter(name, default, " or ".join(options), doc, read)


def text(name: str, expected: str, doc: str) -> Parameter:
    """Any text without spaces, such as a file's name."""

    def read(given: Any) -> str:
        value = str(given)
        if not value or any(letter.isspace() or letter in ",()" for letter in value):
            raise ValueError
        return value

    return Parameter(name, None, expected, doc, read)


GAIN = Parameter("gain", None, EXPECTED_GAIN, "gain of a grade, else the policy's", parse_gain)
GMAX = Parameter(
    "gmax",
    None,
    "collection, topic or a grade",
    "largest possible gain, else the policy's",
    parse_gmax,
)
ADHOC = choice("adhoc", None, ADHOC_RULES, "how intents' grades become one, else the policy's")
VIEW = choice(
    "view", None, ("lower", "upper"), "bound over all ways to grade the list's unjudged documents"
)
DELTA = number("delta", 0.9, "discount of a gain for each rank promoted, with two primes", high=1.0)


def spelled(value: Any) -> str:
    """A parameter's value as it stands in a measure's name."""
    return number_text(value) if isinstance(value, float) else str(value)
