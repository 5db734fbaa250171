"""The catalogue's measures as measures of ir_measures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import ir_measures

from polyseme.errors import MeasureError
from polyseme.ir_measures.spelling import PREFIX, identifier, parameter
from polyseme.measures.measure import Family, Measure
from polyseme.measures.sets import CATALOGUE

#: what a family has in ir_measures beside parameters of its own
_JUDGED_ONLY = "judged_only"
_DISCOUNTED = "discounted"


class MeanOverTopics(ir_measures.MeanAgg):
    """The mean over the topics that count: for a topic with nothing relevant there is no value."""

    def add(self, value: float) -> None:
        if not math.isnan(value):
            super().add(value)


class IntentMeasure(ir_measures.Measure):
    """A measure of the catalogue: ``D_sharp_nDCG(gamma=0.3) @ 10``."""

    #: the family of measures that it belongs to; each has a subclass of its own
    family: ClassVar[Family]
    __name__: str
    #: the topics that do not count, should another provider's be asked for
    DEFAULT = math.nan

    def validate_params(self) -> None:
        """Refuse what the measure does not know, in the catalogue's words."""
        if not self.validated:
            _ = self.measure
            self.validated = True

    @property
    def measure(self) -> Measure:
        """The measure as polyseme knows it."""
        said = dict(self.params)
        cutoff = said.pop(self.AT_PARAM, None)
        condensed, discounted = said.pop(_JUDGED_ONLY, False), said.pop(_DISCOUNTED, False)
        if not (isinstance(condensed, bool) and isinstance(discounted, bool)):
            raise MeasureError(
                f"{self.__name__}: {_JUDGED_ONLY} and {_DISCOUNTED} are True or False"
            )
        if cutoff is not None and (not isinstance(cutoff, int) or isinstance(cutoff, bool)):
            raise MeasureError(
                f"{self.__name__}: a cutoff must be a whole number of 1 or more. "
                f"Got {cutoff!r} instead."
            )
        theirs = {parameter(name): name for name in self.family.all_parameters}
        given = {theirs.get(name, name): value for name, value in said.items()}
        return self.family(cutoff, primes=2 if discounted else int(condensed), **given)

    def aggregator(self) -> MeanOverTopics:
        return MeanOverTopics()

    def __getitem__(self, key: str) -> Any:
        known = self.SUPPORTED_PARAMS.get(key)
        return self.params.get(key, known.default if known is not None else None)

    def __repr__(self) -> str:
        # parameters in one order, so that equal measures are equal however they were said
        said = {name: self.params[name] for name in self.SUPPORTED_PARAMS if name in self.params}
        rest = {name: value for name, value in self.params.items() if name not in said}
        ordered = type(self)(**said)
        text: str = ir_measures.Measure.__repr__(ordered)
        return text if not rest else f"{text} with unknown {', '.join(map(str, rest))}"

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (self.family.name, dict(self.params))


def restored(family: str, params: Mapping[str, Any]) -> IntentMeasure:
    """A measure from another process."""
    measure: IntentMeasure = ALL[family](**params)
    return measure


def _class_of(family: Family) -> type[IntentMeasure]:
    short = identifier(family.name)
    name = PREFIX + short if short in ir_measures.measures.registry else short
    parameters = {
        parameter(each.name): ir_measures.ParamInfo(default=each.default, desc=each.doc)
        for each in family.all_parameters.values()
    }
    views = {
        _JUDGED_ONLY: ir_measures.ParamInfo(
            dtype=bool, default=False, desc="on condensed lists, without unjudged documents"
        ),
        _DISCOUNTED: ir_measures.ParamInfo(
            dtype=bool, default=False, desc="the same, with promoted gains discounted"
        ),
    }
    cutoff = ir_measures.ParamInfo(
        dtype=int, required=family.cutoff == "required", desc=f"{family.counts} that are looked at"
    )
    return type(
        name,
        (IntentMeasure,),
        {
            "family": family,
            "__name__": name,
            "__doc__": f"{family.summary}: {family.formula}",
            "NAME": name,
            "PRETTY_NAME": family.name,
            "SHORT_DESC": family.summary,
            "SUPPORTED_PARAMS": {**parameters, **views, "cutoff": cutoff},
        },
    )


def _all() -> dict[str, IntentMeasure]:
    return {family.name: _class_of(family)() for family in CATALOGUE}


#: a measure of each family of the catalogue, by the family's name
ALL: Mapping[str, IntentMeasure] = _all()


def register() -> None:
    """Have ``ir_measures.parse_measure`` know all of them: by a short name where it is free."""
    registry = ir_measures.measures.registry
    for each in ALL.values():
        if registry.get(each.__name__) is each:
            continue
        long = PREFIX + identifier(each.family.name)
        aliases = [] if long == each.__name__ else [long]
        ir_measures.measures.register(each, aliases=aliases, name=each.__name__)
