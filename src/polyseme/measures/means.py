"""Means over topics: arithmetic, geometric, or weighed by diversity difficulty or a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from polyseme.errors import MeasureError, did_you_mean
from polyseme.groups import Floats

FLOOR = 1e-5
EXPECTED = "avg, geom, dd, dd(xi_offset=1) or weights=FILE"


@dataclass(frozen=True)
class TopicMean:
    """How topics' values become one."""

    kind: Literal["avg", "geom", "dd", "weights"] = "avg"
    xi_offset: int = 0
    floor: float = FLOOR
    #: the file that the weights came from
    source: str = ""

    @property
    def label(self) -> str:
        """What stands for the topic in an output: ``all``, ``all:geom``..."""
        return "all" if self.kind == "avg" else f"all:{self.kind}"

    def __str__(self) -> str:
        if self.kind == "weights":
            return f"weights={self.source}"
        said = []
        if self.kind == "dd" and self.xi_offset:
            said.append(f"xi_offset={self.xi_offset}")
        if self.kind == "geom" and self.floor != FLOOR:
            said.append(f"floor={self.floor:g}")
        return self.kind + (f"({','.join(said)})" if said else "")

    def of(self, values: Floats, weight: Floats | None, topics: int) -> Floats:
        """Means of columns, a row for each topic that enters; ``topics`` is what they are over."""
        if not topics:
            return np.full(values.shape[1:], np.nan)
        if self.kind == "geom":
            return np.asarray(np.exp(_in_turn(np.log(np.maximum(values, self.floor))) / topics))
        if self.kind == "avg" or weight is None or not (weight > 0).any():
            return _in_turn(values) / topics
        return _in_turn((values.T * weight).T) / _in_turn(weight)


def labels_of(means: Sequence[TopicMean]) -> list[str]:
    """What stands for the topic of each mean; parameters tell means of one kind apart."""
    plain = [mean.label for mean in means]
    return [
        label if plain.count(label) == 1 else f"all:{mean}"
        for mean, label in zip(means, plain, strict=True)
    ]


def _in_turn(values: Floats) -> Floats:
    """Sums of columns, topic by topic: adding up in pairs could change a printed digit."""
    total: Floats = np.cumsum(values, axis=0)[-1] if len(values) else np.zeros(values.shape[1:])
    return total


def parse_means(given: str | TopicMean | Iterable[str | TopicMean]) -> tuple[TopicMean, ...]:
    """One mean or several, as values; one that is named twice is taken once."""
    named = [given] if isinstance(given, str | TopicMean) else given
    return tuple(dict.fromkeys(map(parse_mean, named)))


def parse_mean(text: str | TopicMean) -> TopicMean:
    """Read a mean: ``avg``, ``geom(floor=1e-4)``, ``dd(xi_offset=1)``, ``weights=FILE``..."""
    if isinstance(text, TopicMean):
        return text
    if text.startswith("weights="):
        return TopicMean("weights", source=text.removeprefix("weights="))
    found = re.fullmatch(r"(\w+)(?:\((\w+)=([^)]+)\))?", text.strip())
    try:
        match found.groups() if found else None:
            case ("avg" | "geom" | "dd" as kind, None, None):
                return TopicMean(kind)
            case ("dd", "xi_offset", value):
                return TopicMean("dd", xi_offset=int(value))
            case ("geom", "floor", value) if 0 < float(value) < 1:
                return TopicMean("geom", floor=float(value))
    except ValueError:
        pass
    hint = did_you_mean(text, ("avg", "geom", "dd", "weights="))
    raise MeasureError(
        f"mean must be {EXPECTED}. Got {text!r} instead." + (f" {hint}" if hint else "")
    )
