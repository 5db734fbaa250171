"""What comes of the work on one partition, wherever it was done."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from polyseme.errors import PolysemeError, PolysemeWarning

Work = Callable[[Any], Any]


class EngineError(PolysemeError):
    """Whoever was to do the work is not there, or is there no more."""


class PartitionError(PolysemeError):
    """A partition that cannot be worked on, by its name and with the cause."""

    def __init__(self, partition: str, cause: str, remedy: str = "") -> None:
        self.partition = partition
        self.cause = cause
        self.remedy = remedy
        mending = f"\n  to mend it: {remedy}" if remedy else ""
        super().__init__(f"{partition} cannot be worked on: {cause}{mending}")

    def __reduce__(self) -> tuple[type[PartitionError], tuple[str, str, str]]:
        return PartitionError, (self.partition, self.cause, self.remedy)


@dataclass(frozen=True)
class Outcome:
    """A result, the warnings on the way to it, and the error there was instead."""

    result: Any = None
    told: tuple[str, ...] = ()
    failure: PolysemeError | None = None

    def tell(self) -> Any:
        """The result as if the work had been done here: with its warnings, or the error."""
        for text in self.told:
            warnings.warn(text, PolysemeWarning, stacklevel=4)
        if self.failure is not None:
            raise self.failure
        return self.result


def name_of(partition: object, index: int, count: int | None = None) -> str:
    """What to call a partition: by its number, from 1, and the name that it may have."""
    numbered = f"partition {index + 1}" + (f" of {count}" if count is not None else "")
    own = getattr(partition, "name", None)
    return f"{numbered} ({own})" if isinstance(own, str) else numbered


def attempt(work: Work, partition: Any, name: str) -> Any:
    """The result here and now; what is no error of ours becomes one that names the partition."""
    try:
        return work(partition)
    except PolysemeError:
        raise
    except Exception as error:
        raise PartitionError(name, cause_of(error)) from error


def cause_of(error: BaseException) -> str:
    """An error in a line."""
    said = " ".join(str(error).split())[:500]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def outcome(work: Work, partition: Any, name: str) -> Outcome:
    """The same as a value, to be sent from wherever this is."""
    result, failure = None, None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", PolysemeWarning)
        try:
            result = attempt(work, partition, name)
        except PolysemeError as error:
            failure = error
    told = tuple(str(each.message) for each in caught if issubclass(each.category, PolysemeWarning))
    return Outcome(result, told, failure)
