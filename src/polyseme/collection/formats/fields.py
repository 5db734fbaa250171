"""What the fields of a record may hold: names, grades, scores, ranks, probabilities."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from numbers import Integral, Real
from typing import TypeGuard

from polyseme.collection.formats.report import MalformedError
from polyseme.errors import InputError

#: a grade's greatest size: far above any scale, far below where sums of gains lose digits
GREATEST_GRADE = 1_000_000
#: ranks are numbers from 1 (or 0), here at most
GREATEST_RANK = 1_000_000_000
#: iterations of a dynamic run are numbered from 0, here at most to
GREATEST_ITERATION = 100_000

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}(?:\.0*)?", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
#: control characters that no name and no line of white-space separated columns holds
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
#: what no name holds
ODD_IN_NAME = re.compile(r"[\x00-\x1f\x7f]")


def whole(value: object, what: str, low: int, high: int) -> int:
    """A whole number between bounds, from text or from a number."""
    number: int | None = None
    if isinstance(value, str):
        if _WHOLE.fullmatch(value):
            number = int(value.partition(".")[0])
    elif _is_number(value) and math.isfinite(value) and value == math.floor(value):
        number = int(value)
    if number is None or not low <= number <= high:
        raise MalformedError(
            f"the {what} is {_told(value)}",
            f"{_a(what)} that is a whole number from {low:,} to {high:,}",
            f"mend the {what}",
        )
    return number


def grade_of(value: object) -> int:
    """A grade of relevance; negative ones are for spam."""
    return whole(value, "grade", -GREATEST_GRADE, GREATEST_GRADE)


def rank_of(value: object) -> int:
    """A rank in a list."""
    return whole(value, "rank", -GREATEST_RANK, GREATEST_RANK)


def iteration_of(value: object) -> int:
    """The number of an iteration of a dynamic run."""
    return whole(value, "iteration", 0, GREATEST_ITERATION)


def decimal(value: object, what: str) -> float:
    """A finite number, from text or from a number."""
    number = math.nan
    if isinstance(value, str):
        if _DECIMAL.fullmatch(value):
            number = float(value)
    elif _is_number(value):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
    if not math.isfinite(number):
        raise MalformedError(
            f"the {what} is {_told(value)}",
            f"{_a(what)} that is a finite number",
            f"mend the {what}",
        )
    return number


def score_of(value: object) -> float:
    """A score by which a run orders its documents."""
    return decimal(value, "score")


def probability_of(value: object) -> float:
    """An intent's probability."""
    number = decimal(value, "probability")
    if not 0 <= number <= 1:
        raise MalformedError(
            f"the probability is {_told(value)}", "a number from 0 to 1", "mend the probability"
        )
    return number


def type_of(value: object) -> str:
    """An intent's type."""
    if value not in ("inf", "nav"):
        raise MalformedError(
            f"the type is {_told(value)}",
            "inf (informational) or nav (navigational)",
            "mend the type",
        )
    return str(value)


def name_of(value: object, what: str) -> str:
    """The name of a topic, an intent, a document or a run; whole numbers are names too."""
    if isinstance(value, Integral) and _is_number(value):
        return str(int(value))
    if isinstance(value, str) and value and (value.isalnum() or _is_name(value)):
        return str(value)
    raise MalformedError(
        f"the {what} is {_told(value)}",
        f"{_a(what)} that is a text of at least one letter, without control characters",
        f"mend the {what}",
    )


def _a(what: str) -> str:
    return f"an {what}" if what[0] in "aeiou" else f"a {what}"


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_name(value: str) -> bool:
    if value != value.strip() or ODD_IN_NAME.search(value):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _told(value: object) -> str:
    if value is None or value == "" or (isinstance(value, float) and math.isnan(value)):
        return "missing" if value is None or value == "" else "not a number"
    written = repr(value)
    return written if len(written) <= 80 else written[:80] + "..."


def spaceless(**names: str) -> str:
    """Names joined by spaces, for files whose columns are separated by them."""
    line = " ".join(names.values())
    if line.count(" ") != len(names) - 1 or line.startswith("#"):
        _check_spaceless(names)
    return line


def _check_spaceless(names: dict[str, str]) -> None:
    for place, (what, name) in enumerate(names.items()):
        if " " in name:
            problem = f"the {what} {name!r} holds a space"
        elif name.startswith("#") and place == 0:
            problem = f"the {what} {name!r} would make its lines comments"
        else:
            continue
        raise InputError(
            problem,
            expected=f"a {what} that can stand in a column between spaces",
            remedy="write CSV, JSON lines or Parquet",
        )


class Remembered(dict[str, int]):
    """What texts mean, each worked out once: a file writes few grades and ranks many times."""

    def __init__(self, meaning: Callable[[object], int], room: int = 100_000) -> None:
        super().__init__()
        self._meaning = meaning
        self._room = room

    def __missing__(self, text: str) -> int:
        value = self._meaning(text)
        if len(self) < self._room:
            self[text] = value
        return value
