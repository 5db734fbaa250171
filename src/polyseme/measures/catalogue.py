"""All measures by name: reading names, and telling what is legal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from polyseme.errors import MeasureError, did_you_mean
from polyseme.measures import cascade, cube, diversity, user_models
from polyseme.measures.dialects import jig, ndeval, ntcireval, rbu, trec_eval
from polyseme.measures.measure import Family, Measure

_NAME = re.compile(
    r"(?P<name>[^'\s(@]+)(?P<primes>'*)(?:\((?P<said>[^()]*)\))?(?:@(?P<cutoff>[^@]*))?\Z"
)
FORM = "NAME['|''][(parameter=value,...)][@cutoff], such as D#-nDCG@10 or RBP-IA'(p=0.85)@10"


@dataclass(frozen=True)
class MeasureSet:
    """Several measures under one name; a cutoff replaces the usual one."""

    name: str
    members: Callable[[int], tuple[str, ...]]
    cutoff: int | None
    summary: str


@dataclass(frozen=True, eq=False)
class Catalogue:
    """Families of measures by name, and named sets."""

    families: tuple[Family, ...]
    sets: tuple[MeasureSet, ...] = ()

    @cached_property
    def _by_name(self) -> dict[str, Family]:
        return {family.name: family for family in self.families}

    @cached_property
    def aliases(self) -> dict[str, Family]:
        """Other names: spellings in plain letters (``sharp`` for ``#``), and what families have."""
        plain = {
            family.name.replace("#", "sharp"): family
            for family in self.families
            if "#" in family.name
        }
        return plain | {name: family for family in self.families for name in family.aliases}

    @cached_property
    def _sets_by_name(self) -> dict[str, MeasureSet]:
        return {each.name: each for each in self.sets}

    def __iter__(self) -> Iterator[Family]:
        return iter(self.families)

    def __getitem__(self, name: str) -> Family:
        family = self._by_name.get(name) or self.aliases.get(name)
        if family is None:
            raise MeasureError(self._unknown(name))
        return family

    def with_families(self, families: Iterable[Family]) -> Catalogue:
        """This catalogue and some more measures."""
        added = tuple(families)
        for family in added:
            if family.name in self._by_name:
                raise MeasureError(f"a measure named {family.name!r} is there already")
        return Catalogue((*self.families, *added), self.sets)

    def parse(self, text: str) -> Measure:
        """Read one measure's name."""
        found = _NAME.match(text.strip())
        if found is None:
            raise MeasureError(f"{text!r} is no measure's name\n  expected: {FORM}")
        self._check_spelling(found["name"], found["said"], found["cutoff"])
        family = self[found["name"]]
        if len(found["primes"]) > 2:
            raise MeasureError(f"{text!r} has more than two primes\n  expected: {FORM}")
        parameters = _parameters(found["said"] or "", text)
        return family(_cutoff(found["cutoff"], text), primes=len(found["primes"]), **parameters)

    def parse_all(self, text: str) -> list[Measure]:
        """Read names and sets, separated by spaces or commas."""
        measures: list[Measure] = []
        for name in _split(text):
            base, at, cutoff = name.partition("@")
            if base in self._sets_by_name:
                measures.extend(self.members(base, _cutoff(cutoff if at else None, name)))
            else:
                measures.append(self.parse(name))
        return measures

    def members(self, name: str, cutoff: int | None = None) -> list[Measure]:
        """The measures of a set."""
        chosen = self._sets_by_name[name]
        if cutoff is not None and chosen.cutoff is None:
            raise MeasureError(f"the set {name} has cutoffs of its own: say {name}")
        return [self.parse(member) for member in chosen.members(cutoff or chosen.cutoff or 0)]

    def _check_spelling(self, name: str, said: str | None, cutoff: str | None) -> None:
        """Refuse ir_measures' names: two measures here could be meant."""
        offers = [
            f"{self._like(meant, said, cutoff)} ({what})"
            for meant, what in _as_ir_measures(name, self._by_name)
        ]
        if offers and name not in self._by_name:
            raise MeasureError(
                f"{name!r} is how ir_measures spells a measure; polyseme keeps the official "
                f"program's apart from the graded one\n  say {' or '.join(offers)}"
            )

    def _like(self, name: str, said: str | None, cutoff: str | None) -> str:
        """A measure of that name with what was said of another one, as far as it may be said."""
        parameters = f"({said})" if said else ""
        at = f"@{cutoff}" if cutoff else ""
        for rest in (parameters + at, at, ""):
            try:
                return str(self.parse(name + rest))
            except MeasureError:
                continue
        return f"{name}@20"

    def _unknown(self, name: str) -> str:
        if name in self._sets_by_name:
            return f"{name} is a set of measures, where one measure is wanted: parse_all reads sets"
        names = [*self._by_name, *self.aliases, *self._sets_by_name]
        programs = [each for each in names if each.lower().endswith(f":{name.lower()}")]
        hint = did_you_mean(name, names)
        if programs:
            hint = f"did you mean {' or '.join(programs)}?"
        return (
            f"no measure is named {name!r}"
            + (f"; {hint}" if hint else "")
            + "\n  polyseme measures lists all"
        )


_IR_MEASURES = {
    "AP_IA": ("ndeval:MAP-IA", "AP-IA"),
    "StRecall": ("ndeval:strec", "I-rec"),
    "alpha_DCG": ("ndeval:alpha-DCG", "alpha-DCG"),
}


def _as_ir_measures(name: str, known: Mapping[str, Family]) -> list[tuple[str, str]]:
    """What a name with underscores may stand for, and what each is."""
    dashed = name.replace("_", "-")
    if name == dashed and name not in _IR_MEASURES:
        return []
    official, graded = _IR_MEASURES.get(name, (f"ndeval:{dashed}", dashed))
    meant = ((official, "what ir_measures computes"), (graded, "graded"))
    return [(each, what) for each, what in meant if each in known]


def _inside(text: str, comma: int) -> bool:
    """Does the comma belong to a name? NTCIREVAL has NCUrb,P and its like."""
    return text[:comma].endswith("NCUrb")


def _split(text: str) -> list[str]:
    """Cut at spaces and commas outside parentheses."""
    names: list[str] = []
    depth, start = 0, 0
    for place, letter in enumerate(text + " "):
        depth += (letter == "(") - (letter == ")")
        if depth <= 0 and (letter.isspace() or (letter == "," and not _inside(text, place))):
            if place > start:
                names.append(text[start:place])
            start = place + 1
    if depth > 0:
        names.append(text[start:])
    return names


def _cutoff(said: str | None, text: str) -> int | None:
    if said is None:
        return None
    # the length first: thousands of digits are no number to Python
    if len(said) > 9 and said.isdigit():
        raise MeasureError(f"{text!r}: a cutoff must have 9 digits at most. Got {said!r} instead.")
    if not (said.isascii() and said.isdigit()) or int(said) < 1:
        raise MeasureError(
            f"{text!r}: a cutoff must be a whole number of 1 or more. Got {said!r} instead."
        )
    return int(said)


def _parameters(said: str, text: str) -> dict[str, Any]:
    """Read ``alpha=0.3,gain=1:1,2:3``: a piece without ``=`` continues the one before."""
    pieces: list[tuple[str, str]] = []
    for piece in said.split(",") if said.strip() else []:
        name, equals, value = piece.partition("=")
        if equals and name.strip() and value.strip():
            if any(name.strip() == before for before, _ in pieces):
                raise MeasureError(f"{text!r} says {name.strip()} twice")
            pieces.append((name.strip(), value.strip()))
        elif pieces and not equals and piece.strip():
            pieces[-1] = (pieces[-1][0], f"{pieces[-1][1]},{piece.strip()}")
        else:
            raise MeasureError(f"{text!r}: {piece!r} is no parameter\n  expected: {FORM}")
    return dict(pieces)


CATALOGUE_FAMILIES: tuple[Family, ...] = (
    *user_models.FAMILIES,
    *diversity.FAMILIES,
    *cascade.FAMILIES,
    *cube.FAMILIES,
    *ndeval.FAMILIES,
    *ntcireval.FAMILIES,
    *trec_eval.FAMILIES,
    *rbu.FAMILIES,
    *jig.FAMILIES,
)
