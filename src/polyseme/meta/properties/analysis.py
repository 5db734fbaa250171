"""Formal properties of measures by exhaustive case analysis (Albahem et al. 2018)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from polyseme import __version__
from polyseme.engine import Engine
from polyseme.errors import PolysemeError, did_you_mean
from polyseme.groups import Floats
from polyseme.measures.catalogue import Catalogue
from polyseme.measures.sets import CATALOGUE
from polyseme.meta.properties.checking import Checker, Finding
from polyseme.meta.properties.rankings import Rankings
from polyseme.meta.properties.relations import PAPER, PROPERTIES, SAID, Property, Relations
from polyseme.meta.properties.scorers import score_all
from polyseme.policies import Policies
from polyseme.results import Result
from polyseme.tables import Column, Report, Row, Table, labels

INDUCED = "induced"
PAIRS = "pairs"
#: what can be asked for, besides ``all`` of it
CHOICES: tuple[str, ...] = (*PROPERTIES, INDUCED)


@dataclass(frozen=True)
class PropertyAnalysis(Result):
    """Which measures have which properties, among all short rankings."""

    rankings: Rankings
    #: what was scored
    names: tuple[str, ...]
    properties: tuple[Property, ...]
    findings: tuple[Finding, ...]
    #: (ranking, name)
    scores: Floats = field(repr=False, compare=False)
    tolerance: float = 1e-9
    gain: str = "linear"
    #: tell the counter-examples in place of the counts
    show_examples: bool = False

    @cached_property
    def _found(self) -> dict[tuple[str, str], Finding]:
        return {(each.measure, each.property_name): each for each in self.findings}

    def of(self, measure: object, name: str) -> Finding:
        """What was found on one measure and one property."""
        found = self._found.get((str(measure), name))
        if found is None:
            known = sorted({each.property_name for each in self.findings})
            raise PolysemeError(
                f"nothing was found out on {measure} and {name}\n"
                f"  measures: {', '.join(self.names)}\n  properties: {', '.join(known)}"
            )
        return found

    def score(self, measure: object, ranking: str) -> float:
        """The score of one ranking, such as ``abx``."""
        if str(measure) not in self.names:
            raise PolysemeError(f"{measure} was not scored\n  scored: {', '.join(self.names)}")
        column = self.names.index(str(measure))
        return float(self.scores[self.rankings.number(ranking), column])

    # ---- telling ----------------------------------------------------------------------------

    def report(self) -> Report:
        counted = Table(
            (
                *labels("measure", "property"),
                Column("cases"),
                Column("violations"),
                Column("share"),
            ),
            [
                (f.measure, f.property_name, f.cases, f.violations, f.share if f.cases else None)
                for f in self.findings
            ],
        )
        examples = self._examples()
        tables = (self._summary(), *([examples] if examples.held else []))
        return Report(
            examples if self.show_examples else counted,
            tables=(examples,) if self.show_examples else tables,
            notes=self._notes,
            provenance={"polyseme": __version__},
            facts={
                "rankings": self._setting,
                "counter_examples": list(examples.records()),
            },
        )

    def _summary(self) -> Table:
        """Measures by properties: the paper's table 1."""
        asked = list(dict.fromkeys(finding.property_name for finding in self.findings))
        rows: list[Row] = [
            (name, *(_verdict(self.of(name, each)) for each in asked)) for name in self.names
        ]
        return Table(labels("measure", *asked), rows, caption="violations of properties")

    def _examples(self) -> Table:
        rows: list[Row] = [
            (
                finding.measure,
                finding.property_name,
                each.lower,
                each.lower_score,
                each.higher,
                each.higher_score,
                each.reason,
            )
            for finding in self.findings
            for each in finding.examples
        ]
        columns = (
            *labels("measure", "property", "lower"),
            Column("lower_score"),
            *labels("higher"),
            Column("higher_score"),
            Column("reason", "prose"),
        )
        return Table(
            columns, rows, caption="smallest counter-examples: lower should not score above higher"
        )

    @property
    def _setting(self) -> dict[str, Any]:
        rankings = self.rankings
        return {
            "rankings": len(rankings),
            "intents": rankings.intents,
            "length": rankings.length,
            "relevant": rankings.relevant_of_kind,
            "grades": rankings.grades,
            "multi": rankings.multi,
            "terminal": rankings.terminal,
            "probabilities": rankings.weights.tolist(),
            "gain": self.gain,
            "tolerance": self.tolerance,
        }

    @property
    def _notes(self) -> tuple[str, ...]:
        rankings = self.rankings
        kinds = ", ".join(kind.name for kind in rankings.kinds)
        notes = [
            f"all {len(rankings):,} rankings of up to {rankings.length} documents of the kinds "
            f"{kinds}; {rankings.relevant_of_kind} documents of each kind but x are relevant",
            "a case is violated if its lower ranking scores more than "
            f"{self.tolerance:g} above its higher one",
            *(f"{name}: {SAID[name]}" for name in self.properties),
        ]
        if any(each.property_name.startswith(INDUCED) for each in self.findings):
            notes.append(
                "induced: cases are rankings with a predecessor, violations those that score "
                "below their best one"
            )
        if rankings.relevant_of_kind < rankings.length:
            notes.append(
                f"documents of a kind beyond {rankings.relevant_of_kind} are not relevant, but "
                "stand in the properties as if they were"
            )
        if rankings.probabilities is not None or rankings.grades > 1 or rankings.multi:
            weights = ", ".join(f"{weight:g}" for weight in rankings.weights)
            notes.append(
                f"probabilities {weights}; in redundancy p is worth no more than n by these and "
                f"{self.gain} gains"
            )
        if rankings.terminal is not None:
            notes.append(
                f"rankings shorter than {rankings.length} end in a document of grade "
                f"{rankings.terminal} for every intent"
            )
        return tuple(notes)


def _verdict(finding: Finding) -> str:
    if not finding.cases:
        return "no cases"
    return "holds" if finding.holds else f"{finding.violations} of {finding.cases}"


@dataclass(frozen=True)
class Asked:
    """The properties to count, those that induce others, and whether what they induce counts."""

    direct: tuple[Property, ...]
    inducing: tuple[Property, ...]
    induced: bool

    @classmethod
    def of(cls, said: str | Iterable[str]) -> Asked:
        """From names, ``induced`` and ``all`` among them; the paper's induce where none does."""
        names = said.replace(",", " ").split() if isinstance(said, str) else list(said)
        for name in names:
            if name not in (*CHOICES, "all"):
                hint = did_you_mean(name, (*CHOICES, "all"))
                raise PolysemeError(
                    f"there is no property {name!r}"
                    + (f"; {hint}" if hint else "")
                    + f"\n  properties: {', '.join((*CHOICES, 'all'))}"
                )
        if not names:
            raise PolysemeError(f"no property was named\n  properties: {', '.join(CHOICES)}, all")
        if "all" in names:
            return cls(PROPERTIES, PROPERTIES, True)
        direct = tuple(name for name in PROPERTIES if name in names)
        return cls(direct, direct or PAPER, INDUCED in names)


def check_properties(
    measures: Any = "all",
    rankings: Rankings | None = None,
    *,
    properties: str | Sequence[str] = (*PAPER, INDUCED),
    pairs: bool = False,
    policies: Policies | None = None,
    tolerance: float = 1e-9,
    examples: int = 3,
    catalogue: Catalogue = CATALOGUE,
    engine: Engine = "serial",
    jobs: int = 1,
) -> PropertyAnalysis:
    """Score all rankings, and count the relations between them that the scores contradict.

    ``measures`` are names, sets, measures, ``all`` of the catalogue, functions from lists to
    numbers by name, programs (:class:`Command`), or a list of any of these; with None there are
    the rankings and their relations alone, to be drawn. ``properties`` are
    ``relevance``, ``irrelevance``, ``redundancy``, ``replacement``, ``swap``, ``induced`` (what
    each of the others induces alone, ``induced:NAME``, and all of them together) or ``all``.
    With ``pairs`` every pair that they induce is counted too.
    """
    asked = Asked.of(properties)
    rankings, policies = rankings or Rankings(), policies or Policies()
    gain = str(policies.gain)
    if measures is None:
        nothing = np.empty((len(rankings), 0))
        return PropertyAnalysis(rankings, (), asked.inducing, (), nothing, tolerance, gain)
    names, scores = score_all(measures, rankings, policies, catalogue, engine, jobs)
    checker = Checker(Relations(rankings, policies.gain), names, scores, tolerance, examples)
    found = [checker.direct(name) for name in asked.direct]
    if asked.induced:
        if len(asked.inducing) > 1:
            found += [checker.induced([name], f"{INDUCED}:{name}") for name in asked.inducing]
        found.append(checker.induced(asked.inducing, INDUCED))
    if pairs:
        found.append(checker.all_pairs(asked.inducing, PAIRS))
    return PropertyAnalysis(
        rankings=rankings,
        names=names,
        properties=asked.inducing,
        # measure by measure
        findings=tuple(each for row in zip(*found, strict=True) for each in row),
        scores=scores,
        tolerance=tolerance,
        gain=gain,
    )


@dataclass(frozen=True)
class Truncation(Result):
    """What each measure makes of a list that ends early."""

    names: tuple[str, ...]
    #: of each measure: rankings that one more non-relevant document leaves, lowers and raises
    counts: tuple[tuple[int, int, int], ...]
    length: int

    def report(self) -> Report:
        rows: list[Row] = [
            (name, *counts, _truncated(*counts))
            for name, counts in zip(self.names, self.counts, strict=True)
        ]
        columns = (*labels("measure"), *map(Column, ("same", "lower", "higher")))
        return Report(
            Table((*columns, Column("a_short_list", "prose")), rows),
            notes=(
                f"how many rankings of fewer than {self.length} documents score the same, lower "
                "or higher with one more non-relevant document at their end",
            ),
        )


def _truncated(same: int, lower: int, higher: int) -> str:
    if not lower and not higher:
        return "scores as if non-relevant documents followed"
    if not higher:
        return "never scores below the same list filled up with non-relevant documents"
    if not lower:
        return "never scores above the same list filled up with non-relevant documents"
    return "scores above or below the same list filled up with non-relevant documents"


def truncation(analysis: PropertyAnalysis) -> Truncation:
    """Compare every list, also the empty one, with the same list and one more x."""
    rankings = analysis.rankings
    before = np.arange(rankings.first[rankings.length])
    after = before * rankings.base + 1 + rankings.x
    counts = []
    for column in analysis.scores.T:
        change = column[after] - column[before]
        lower = int((change < -analysis.tolerance).sum())
        higher = int((change > analysis.tolerance).sum())
        counts.append((len(before) - lower - higher, lower, higher))
    return Truncation(analysis.names, tuple(counts), rankings.length)
