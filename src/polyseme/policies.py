"""Policies: the choices behind every number, all explicit and all printed with the numbers."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from polyseme.collection.runs import DUPLICATES, ORDERS, Duplicates, Order
from polyseme.errors import PolysemeError
from polyseme.measures.gains import ADHOC_RULES, AdHocRule, Gain, Gmax

AverageOver = Literal["judged", "retrieved"]
AVERAGE_OVER: tuple[str, ...] = get_args(AverageOver)


@dataclass(frozen=True)
class Policies:
    """What a measure does not say itself, and which topics enter a mean."""

    order: Order = "score"
    duplicates: Duplicates | None = None
    average_over: AverageOver = "judged"
    gain: Gain = field(default_factory=Gain)
    gmax: Gmax = field(default_factory=Gmax)
    adhoc: AdHocRule = "pseudo"
    keep_empty_intents: bool = False
    relevant_from: int = 1
    renormalise: bool = True

    def __post_init__(self) -> None:
        for name, options in (
            ("order", ORDERS),
            ("average_over", AVERAGE_OVER),
            ("adhoc", ADHOC_RULES),
            ("duplicates", (None, *DUPLICATES)),
        ):
            given = getattr(self, name)
            if given not in options:
                legal = " or ".join(str(option) for option in options if option)
                raise PolysemeError(f"{name} must be {legal}. Got {given!r} instead.")
        if self.relevant_from < 1:
            raise PolysemeError(
                f"relevant_from must be a grade of 1 or more. Got {self.relevant_from} instead."
            )

    def described(self) -> dict[str, Any]:
        """The policies as plain values, for provenance."""
        plain: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            plain[each.name] = str(value) if isinstance(value, Gain | Gmax) else value
        return plain
