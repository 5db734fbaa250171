"""Policies: the choices behind every number, all explicit and all printed with the numbers."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, get_args

from polyseme.collection.relevance import RelevanceRules
from polyseme.collection.runs import DUPLICATES, ORDERS, Ordering
from polyseme.errors import PolysemeError
from polyseme.measures.gains import ADHOC_RULES, AdHocRule, Gain, Gmax
from polyseme.measures.measure import Measure

AverageOver = Literal["judged", "retrieved"]
AVERAGE_OVER: tuple[str, ...] = get_args(AverageOver)


@dataclass(frozen=True)
class Policies:
    """What a measure does not say itself, and which topics enter a mean."""

    ordering: Ordering = field(default_factory=Ordering)
    rules: RelevanceRules = field(default_factory=RelevanceRules)
    gain: Gain = field(default_factory=Gain)
    gmax: Gmax = field(default_factory=Gmax)
    adhoc: AdHocRule = "pseudo"
    average_over: AverageOver = "judged"
    #: what a program's own measures take where they do not say it: ("ndeval:alpha", 0.25)
    parameters: tuple[tuple[str, float], ...] = ()
    #: lists are cut here before anything is measured
    max_documents: int | None = None
    #: means are divided by the number of judged topics, whichever entered
    over_all_topics: bool = False
    #: a run's unjudged topics are told as zeros, in no mean
    unjudged_as_zero: bool = False

    def __post_init__(self) -> None:
        for name, given, options in (
            ("order", self.ordering.order, ORDERS),
            ("duplicates", self.ordering.duplicates, (None, *DUPLICATES)),
            ("average_over", self.average_over, AVERAGE_OVER),
            ("adhoc", self.adhoc, (*ADHOC_RULES,)),
        ):
            if given not in options:
                legal = " or ".join(str(option) for option in options if option)
                raise PolysemeError(f"{name} must be {legal}. Got {given!r} instead.")
        if self.rules.relevant_from < 1:
            raise PolysemeError(
                "relevant_from must be a grade of 1 or more. "
                f"Got {self.rules.relevant_from} instead."
            )

    def but(self, **said: Any) -> Policies:
        """The same policies with others in some places; None leaves a policy as it is."""
        given = {name: value for name, value in said.items() if value is not None}

        def part(*names: str) -> dict[str, Any]:
            return {name: given[name] for name in names if name in given}

        return replace(
            self,
            ordering=replace(self.ordering, **part("order", "duplicates")),
            rules=replace(self.rules, **part("keep_empty_intents", "relevant_from")),
            **part("gain", "gmax", "adhoc", "average_over"),
        )

    def meant(self, measure: Measure) -> Measure:
        """The measure with the parameters that the policies fill."""
        program, colon, _ = measure.name.partition(":")
        said = dict(measure.parameters)
        filled = {}
        for name, value in self.parameters:
            parameter = name.removeprefix(program + colon)
            if colon and parameter in measure.family.all_parameters and parameter not in said:
                filled[parameter] = value
        return measure.but(**filled) if filled else measure

    def described(self) -> dict[str, Any]:
        """The policies as plain values, for provenance."""
        return {
            **asdict(self.ordering),
            **asdict(self.rules),
            "gain": str(self.gain),
            "gmax": str(self.gmax),
            "adhoc": self.adhoc,
            "average_over": self.average_over,
            "parameters": [f"{name}={value:g}" for name, value in self.parameters] or None,
            "max_documents": self.max_documents,
            "over_all_topics": self.over_all_topics,
            "unjudged_as_zero": self.unjudged_as_zero,
        }
