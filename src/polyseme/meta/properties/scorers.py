"""Whatever gives every ranking a number: measures, functions of lists, other people's programs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from polyseme.collection.lists import Lists
from polyseme.engine import Engine, map_partitions
from polyseme.errors import PolysemeError
from polyseme.evaluation import wanted
from polyseme.groups import Floats
from polyseme.measures.catalogue import Catalogue
from polyseme.measures.measure import Measure
from polyseme.measures.sets import CATALOGUE
from polyseme.meta.properties.rankings import Rankings
from polyseme.policies import Policies
from polyseme.scoring import Scorer

#: in place of measures' names: every measure of the catalogue
ALL = "all"


class Scoring(Protocol):
    """Names, and for every ranking (first axis) a score under each name (second axis)."""

    def scored(self, rankings: Rankings, policies: Policies) -> tuple[tuple[str, ...], Floats]: ...


@dataclass(frozen=True)
class ByMeasures:
    """Measures of ours."""

    measures: tuple[Measure, ...]
    engine: Engine = "serial"
    jobs: int = 1

    def scored(self, rankings: Rankings, policies: Policies) -> tuple[tuple[str, ...], Floats]:
        scorer = Scorer(rankings.judged, self.measures, policies)
        values = np.empty((len(rankings), len(self.measures)))
        spans = rankings.spans()
        work = partial(_scores, scorer, rankings)
        found = map_partitions(work, spans, self.engine, self.jobs)
        for (begin, end), scores in zip(spans, found, strict=True):
            values[begin:end] = scores
        return tuple(map(str, self.measures)), values


def _scores(scorer: Scorer, rankings: Rankings, span: tuple[int, int]) -> Floats:
    return scorer.score(rankings.lists(*span))


@dataclass(frozen=True)
class ByFunction:
    """A function that gives each of some lists a number, or one under each of several names."""

    names: tuple[str, ...]
    function: Callable[[Lists], npt.ArrayLike]

    def scored(self, rankings: Rankings, policies: Policies) -> tuple[tuple[str, ...], Floats]:
        values = np.empty((len(rankings), len(self.names)))
        for lists in rankings.chunks():
            given = np.asarray(self.function(lists), dtype=np.float64)
            shape = (len(lists), len(self.names))
            if given.shape != shape and not (len(self.names) == 1 and given.shape == shape[:1]):
                raise PolysemeError(
                    f"{', '.join(self.names)}: the function gave numbers of the shape "
                    f"{given.shape} for {len(lists)} lists\n"
                    f"  expected: the shape {shape}, a number for each list and name"
                )
            values[lists.run] = given.reshape(shape)
        return self.names, values


def scorings(
    what: Any,
    rankings: Rankings,
    catalogue: Catalogue = CATALOGUE,
    engine: Engine = "serial",
    jobs: int = 1,
) -> list[Scoring]:
    """Names, sets and measures; functions by name; programs; or several of these."""
    found: list[Scoring] = []
    measures: list[str | Measure] = []
    for each in _flat(what):
        if isinstance(each, str | Measure):
            measures.extend(_named(each, catalogue, rankings))
        elif hasattr(each, "scored"):
            found.append(each)
        else:
            raise PolysemeError(
                f"{each!r} scores no rankings\n  expected: measures or their names, functions by "
                "name ({name: function}), or a Command"
            )
    if not measures:
        return found
    return [ByMeasures(wanted(measures, catalogue), engine, jobs), *found]


def _flat(what: Any) -> Iterator[Any]:
    if isinstance(what, Mapping):
        for names, function in what.items():
            yield ByFunction((names,) if isinstance(names, str) else tuple(names), function)
    elif isinstance(what, str | Measure) or hasattr(what, "scored"):
        yield what
    elif callable(what):
        yield ByFunction((str(getattr(what, "__name__", "function")),), what)
    else:
        try:
            members = list(what)
        except TypeError:
            members = []
            yield what
        for each in members:
            yield from _flat(each)


def _named(said: str | Measure, catalogue: Catalogue, rankings: Rankings) -> list[str | Measure]:
    """What was said; ``all`` stands for every measure, also among others."""
    if isinstance(said, Measure):
        return [said]
    words = re.split(rf"(?:^|(?<=[\s,])){ALL}(?=[\s,]|$)", said)
    every = every_measure(catalogue, rankings) if len(words) > 1 else []
    return [*every, *(word for word in words if word.strip(" ,"))]


def every_measure(catalogue: Catalogue, rankings: Rankings) -> list[str | Measure]:
    """Every family of a catalogue; those that need a cutoff get the longest ranking's length."""
    return [
        family(rankings.length) if family.cutoff == "required" else family() for family in catalogue
    ]


def score_all(
    what: Any,
    rankings: Rankings,
    policies: Policies,
    catalogue: Catalogue = CATALOGUE,
    engine: Engine = "serial",
    jobs: int = 1,
) -> tuple[tuple[str, ...], Floats]:
    """Names, and the scores of all rankings under each; every score is a finite number."""
    names: list[str] = []
    columns: list[Floats] = []
    for scoring in scorings(what, rankings, catalogue, engine, jobs):
        said, values = scoring.scored(rankings, policies)
        bad = np.argwhere(~np.isfinite(values))
        if len(bad):
            number, column = bad[0].tolist()
            raise PolysemeError(
                f"{said[column]} gives the ranking {rankings.name(number)} the score "
                f"{values[number, column]}\n  expected: a finite number"
            )
        twice = next((name for n, name in enumerate(said) if name in (*names, *said[:n])), None)
        if twice is not None:
            raise PolysemeError(f"two scores are named {twice!r}\n  to mend it: rename one")
        names.extend(said)
        columns.append(values)
    if not names:
        raise PolysemeError(
            "nothing was asked for\n  to mend it: name a measure, such as D#-nDCG@10, or say all"
        )
    return tuple(names), columns[0] if len(columns) == 1 else np.concatenate(columns, axis=1)
