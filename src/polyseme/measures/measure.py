"""A measure: an immutable, comparable, printable value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import Any, Literal

from polyseme.collection.relevance import RelevanceRules
from polyseme.errors import MeasureError, did_you_mean
from polyseme.measures.formulas import AdHoc, Formula
from polyseme.measures.gains import AdHocRule, Gain, Gmax
from polyseme.measures.parameters import ADHOC, DELTA, GAIN, GMAX, VIEW, Parameter, spelled

CutoffRule = Literal["optional", "required", "none"]


@dataclass(frozen=True)
class Traits:
    """What a measure promises; one test walks the catalogue and checks every promise."""

    #: the least and the largest value; None where there is no bound
    range: tuple[float | None, float | None] = (0.0, 1.0)
    #: does a higher grade count for more than a lower one?
    uses_grades: bool = True
    #: do the intents' probabilities count?
    uses_probabilities: bool = True
    #: does it look at relevant documents that are not in the list?
    needs_ideal: bool = True
    #: does a non-relevant document that turns out to be relevant never lower the value?
    monotone: bool = True
    #: is its ideal list worth 1?
    normalised: bool = False
    #: do the intents' types count?
    uses_types: bool = False

    @property
    def signed(self) -> bool:
        """May a value be below 0?"""
        return self.range[0] is None or self.range[0] < 0


@dataclass(frozen=True)
class Keeps:
    """Policies that a program's own measure keeps, whatever the command says."""

    gain: Gain | None = None
    gmax: Gmax | None = None
    adhoc: AdHocRule | None = None
    rules: RelevanceRules | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Family:
    """Measures of one name that differ in their parameters."""

    name: str
    build: Callable[..., Formula]
    traits: Traits
    formula: str
    summary: str
    citation: str = ""
    parameters: tuple[Parameter, ...] = ()
    cutoff: CutoffRule = "optional"
    #: what a cutoff counts: documents, or iterations of an interactive search
    counts: Literal["documents", "iterations"] = "documents"
    #: policies of its own; they may depend on the measure's parameters
    keeps: Keeps | Callable[[Measure], Keeps] = field(default_factory=Keeps)
    #: what else a measure of this family must fulfil; raises MeasureError
    rule: Callable[[Measure], None] | None = None
    aliases: tuple[str, ...] = ()
    group: str = ""
    #: what stands for all topics is their sum, not their mean, as a program prints it
    added_up: bool = False
    #: its program prints no number for a topic with nothing relevant, where it is 0 here
    undefined_without_relevant: bool = False
    #: the module that holds it, in a catalogue or a definition: where pickle finds it again
    home: str = "polyseme.measures.sets"

    @cached_property
    def all_parameters(self) -> dict[str, Parameter]:
        """Its own parameters, and those that every measure takes."""
        kept = self.keeps if isinstance(self.keeps, Keeps) else Keeps()
        shared = [GAIN] if kept.gain is None else []
        if kept.gain is None and kept.gmax is None:
            shared.append(GMAX)
        if isinstance(self.build(), AdHoc) and kept.adhoc is None:
            shared.append(ADHOC)
        shared += [VIEW] * self.traits.monotone + [DELTA]
        return {parameter.name: parameter for parameter in (*self.parameters, *shared)}

    def __call__(self, cutoff: int | None = None, *, primes: int = 0, **parameters: Any) -> Measure:
        """A measure of this family: ``family(10, alpha=0.3)``."""
        known = self.all_parameters
        held: dict[str, Any] = {}
        for name, given in parameters.items():
            if name not in known:
                raise MeasureError(self._unknown(name))
            value = known[name].value(given, self.name)
            if value != known[name].default:
                held[name] = value
        measure = Measure(
            self, tuple((name, held[name]) for name in known if name in held), primes, cutoff
        )
        measure.check()
        return measure

    def __repr__(self) -> str:
        return f"<Family {self.name}>"

    # Measures of one family are equal in every process, so a family is its name and its home.

    def __copy__(self) -> Family:
        return self

    def __deepcopy__(self, memo: object) -> Family:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if family_of(self.home, self.name) is not self:
            raise MeasureError(
                f"another measure named {self.name!r} is in the module {self.home}, so this one "
                "cannot be sent to another process\n  to mend it: give it a name of its own"
            )
        return family_of, (self.home, self.name)

    def _unknown(self, name: str) -> str:
        if name == "view":
            return (
                f"{self.name} can fall when a document turns out to be relevant, so grading all "
                "unjudged documents alike bounds nothing; view= is for monotone measures "
                "(polyseme measures lists them)"
            )
        known = self.all_parameters
        legal = ", ".join(f"{p.name} ({p.expected})" for p in known.values())
        hint = did_you_mean(name, known)
        return (
            f"{self.name} has no parameter {name!r}"
            + (f"; {hint}" if hint else "")
            + f"\n  its parameters: {legal}"
        )


def family_of(home: str, name: str) -> Family:
    """The family of that name that a module holds, in a catalogue or a definition."""
    try:
        held = list(vars(import_module(home)).values())
    except ImportError:
        held = []
    for value in held:
        families = getattr(value, "families", ())
        for family in families if isinstance(families, tuple) else ():
            if isinstance(family, Family) and family.name == name:
                return family
    raise MeasureError(
        f"the measure {name!r} cannot be sent to another process: it is not found in the module "
        f"{home}\n  to mend it: give what define() returns a name in a module that can be imported"
    )


@dataclass(frozen=True, repr=False)
class Measure:
    """A family with its parameters, the view of the list it takes, and its cutoff."""

    family: Family
    #: what differs from the defaults, in the family's order
    parameters: tuple[tuple[str, Any], ...] = ()
    #: 1: condensed lists; 2: condensed lists with promoted gains discounted
    primes: int = 0
    cutoff: int | None = None

    @property
    def name(self) -> str:
        return self.family.name

    @cached_property
    def _said(self) -> Mapping[str, Any]:
        return dict(self.parameters)

    @cached_property
    def formula(self) -> Formula:
        """What is computed, as a value built from parts."""
        own = {p.name: self._said.get(p.name, p.default) for p in self.family.parameters}
        # `lambda` is a word of the language; builders spell it `lambda_`
        return self.family.build(**{("lambda_" if k == "lambda" else k): v for k, v in own.items()})

    def __getitem__(self, parameter: str) -> Any:
        known = self.family.all_parameters
        return self._said.get(parameter, known[parameter].default if parameter in known else None)

    @cached_property
    def keeps(self) -> Keeps:
        """The policies that the measure brings along, its own parameters among them."""
        kept = self.family.keeps
        own = kept if isinstance(kept, Keeps) else kept(self)
        said = {name: self[name] for name in ("gain", "gmax", "adhoc") if self[name] is not None}
        return replace(own, **said)

    @property
    def view(self) -> Literal["lower", "upper"] | None:
        bound: Literal["lower", "upper"] | None = self["view"]
        return bound

    @property
    def depth(self) -> int | None:
        """The last rank that can count, where a cutoff counts documents."""
        return self.cutoff if self.family.counts == "documents" else None

    def check(self) -> None:
        if self.cutoff is not None and self.cutoff < 1:
            raise MeasureError(
                f"{self.name}: a cutoff must be 1 or more. Got {self.cutoff} instead."
            )
        if self.family.cutoff == "required" and self.cutoff is None:
            raise MeasureError(f"{self.name} needs a cutoff, such as {self.name}@10")
        if self.family.cutoff == "none" and self.cutoff is not None:
            raise MeasureError(f"{self.name} takes no cutoff: say {self.name}")
        if "delta" in self._said and self.primes != 2:
            raise MeasureError(
                f"{self.name}: delta goes with discounted condensed lists, {self.name}''(delta=...)"
            )
        if self.view is not None and self.primes:
            raise MeasureError(
                f"{self.name}: a condensed list has no unjudged documents; "
                "take either the primes or the view"
            )
        if self.family.rule is not None:
            self.family.rule(self)
        _ = self.formula

    def but(self, **changes: Any) -> Measure:
        """The same measure with other parameters."""
        return self.family(self.cutoff, primes=self.primes, **{**self._said, **changes})

    def at(self, cutoff: int | None) -> Measure:
        """The same measure at another cutoff."""
        return self.family(cutoff, primes=self.primes, **self._said)

    def __reduce__(self) -> tuple[Any, ...]:
        # without what was computed on the way
        return Measure, (self.family, self.parameters, self.primes, self.cutoff)

    def __repr__(self) -> str:
        return f"<Measure {self}>"

    def __str__(self) -> str:
        said = ",".join(f"{name}={spelled(value)}" for name, value in self.parameters)
        return (
            self.name
            + "'" * self.primes
            + (f"({said})" if said else "")
            + (f"@{self.cutoff}" if self.cutoff is not None else "")
        )
