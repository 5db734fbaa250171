"""Gains: what a grade is worth, and what the highest one is worth."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from polyseme.errors import InputError, MeasureError
from polyseme.groups import Floats, Ints
from polyseme.values import Value

GainKind = Literal["linear", "exponential", "binary", "table"]
AdHocRule = Literal["pseudo", "max", "sum", "own"]
ADHOC_RULES: tuple[str, ...] = get_args(AdHocRule)
#: larger gains would have sums and products that no number holds
GREATEST_GAIN = 1e100
_GREATEST_EXPONENT = 332
EXPECTED_GAIN = "linear, exponential, binary or a table such as 1:1,2:3"


def number_text(value: float) -> str:
    """A number as it stands in a name: a short text that reads back as the same number."""
    short = f"{value:.12g}"
    return short if float(short) == value else repr(value)


class Gain(Value):
    """The gain of grade L: ``linear`` L, ``exponential`` 2^L - 1, ``binary`` 1, or any table."""

    kind: GainKind = "linear"
    table: tuple[tuple[int, float], ...] = ()

    def __call__(self, grade: Ints) -> Floats:
        if self.kind == "linear":
            return grade.astype(np.float64)
        if self.kind == "exponential":
            return _exponential(grade)
        if self.kind == "binary":
            return (grade > 0).astype(np.float64)
        return self._looked_up(grade)

    @cached_property
    def _gain_of(self) -> dict[int, float]:
        return {0: 0.0, **dict(self.table)}

    def _looked_up(self, grade: Ints) -> Floats:
        missing = [int(value) for value in np.unique(grade) if int(value) not in self._gain_of]
        if missing:
            raise InputError(
                f"the gain table {self} says nothing of grade {missing[0]}",
                expected="a gain for every positive grade of the judgments, and for the ad hoc "
                "grades made from them",
                remedy=f"add {missing[0]}:GAIN to the table",
            )
        known = np.array(sorted(self._gain_of), dtype=np.int64)
        values = np.array([self._gain_of[value] for value in known.tolist()])
        return values[np.searchsorted(known, grade)]

    def of(self, grade: int) -> float:
        return float(self(np.array([grade], dtype=np.int64))[0])

    def __str__(self) -> str:
        if self.kind != "table":
            return self.kind
        return ",".join(f"{grade}:{number_text(gain)}" for grade, gain in self.table)


def _exponential(grade: Ints) -> Floats:
    highest = int(grade.max(initial=0))
    if highest > _GREATEST_EXPONENT:
        raise InputError(
            f"the exponential gain of the grade {highest} is too large to reckon with",
            expected=f"grades up to {_GREATEST_EXPONENT}, 2^L - 1 being the gain of grade L",
            remedy="mend the grade, or say --gain linear or --gain with a table",
        )
    return np.exp2(grade.astype(np.float64)) - 1.0


def parse_gain(given: str | Mapping[int, float] | Gain) -> Gain:
    """Read ``linear``, ``exponential``, ``binary`` or a table: ``1:1,2:3`` or ``{1: 1, 2: 3}``."""
    if isinstance(given, Gain):
        return given
    text = str(given)
    if isinstance(given, Mapping):
        text = ",".join(f"{grade}:{gain}" for grade, gain in given.items())
    match text:
        case "linear" | "exponential" | "binary":
            return Gain(text)
    table: dict[int, float] = {}
    try:
        for pair in text.split(","):
            grade, gain = pair.split(":")
            table[int(grade)] = float(gain)
    except ValueError:
        raise MeasureError(f"gain must be {EXPECTED_GAIN}. Got {text!r} instead.") from None
    beyond = [gain for gain in table.values() if not 0 <= gain <= GREATEST_GAIN]
    if beyond or any(grade < 1 for grade in table):
        raise MeasureError(
            f"gain must give positive grades gains from 0 to {GREATEST_GAIN:g}. "
            f"Got {text!r} instead."
        )
    return Gain("table", tuple(sorted(table.items())))


class Gmax(Value):
    """Which gain counts as the largest possible.

    The ``collection``'s highest, the ideal list's (``topic``), or that of a given ``grade``.
    """

    rule: Literal["collection", "topic", "grade"] = "collection"
    grade: int = 0

    def __str__(self) -> str:
        return str(self.grade) if self.rule == "grade" else self.rule


def parse_gmax(text: str | int | Gmax) -> Gmax:
    """Read ``collection``, ``topic`` or a grade."""
    if isinstance(text, Gmax):
        return text
    if text == "collection" or text == "topic":
        return Gmax("collection" if text == "collection" else "topic")
    try:
        grade = int(str(text))
    except ValueError:
        grade = 0
    if grade < 1:
        raise MeasureError(
            f"gmax must be collection, topic or a grade of 1 or more. Got {text!r} instead."
        )
    return Gmax("grade", grade)
