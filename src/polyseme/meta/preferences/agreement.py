"""How judges agree with each other, and how measures agree with them (tables 4 to 6)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from polyseme.errors import PolysemeError
from polyseme.meta.preference_signs import TIED
from polyseme.meta.preferences.matrix import BOTH_IRRELEVANT, LEFT, RIGHT, Preferences
from polyseme.meta.preferences.triplets import Triplet
from polyseme.results import Result
from polyseme.scores import Scores
from polyseme.statistics.correlation import agreement
from polyseme.statistics.reliability import Alpha, Pearson, pearson
from polyseme.tables import Column, Report, Row, Table, labels

NAMES = {LEFT: "left", BOTH_IRRELEVANT: "both irrelevant", RIGHT: "right"}


# ---- reliability --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reliable:
    """How far the judges of one matrix agree."""

    name: str
    judges: int
    triplets: int
    #: how many answers there are of each kind: left, both irrelevant, right
    answers: tuple[int, int, int]
    alpha: Alpha
    without: Mapping[str, Alpha]
    tied: int
    #: how many judges must agree for a triplet to be of high agreement, and how many triplets are
    at_least: int
    high: int
    high_alpha: Alpha


@dataclass(frozen=True)
class Reliability(Result):
    """Krippendorff's alpha of all judges and without each of them."""

    matrices: tuple[Reliable, ...]
    #: matrices by name in pairs, with the correlation of what is left less right in both
    related: tuple[tuple[str, str, Pearson], ...] = ()

    def report(self) -> Report:
        rows: list[Row] = []
        for each in self.matrices:
            rows.append((each.name, None, each.judges, each.triplets, each.alpha.value))
            rows += [
                (each.name, judge, each.judges - 1, each.triplets, alpha.value)
                for judge, alpha in each.without.items()
            ]
        columns = (
            *labels("preferences", "without"),
            *map(Column, ("judges", "triplets", "alpha")),
        )
        return Report(
            Table(columns, rows),
            tables=(self._alphas(), self._answers(), *self._correlations()),
            notes=tuple(self._notes()),
            facts={
                "correlations": [
                    {"a": a, "b": b, "r": p.r, "low": p.low, "high": p.high, "n": p.n}
                    for a, b, p in self.related
                ],
                "high_agreement": [
                    {
                        "preferences": each.name,
                        "at_least": each.at_least,
                        "triplets": each.high,
                        "alpha": each.high_alpha.value,
                    }
                    for each in self.matrices
                ],
            },
        )

    def _alphas(self) -> Table:
        judges = list(dict.fromkeys(judge for each in self.matrices for judge in each.without))
        columns = (*labels("without"), *(Column(e.name, decimals=3) for e in self.matrices))
        rows: list[Row] = [("nobody", *(each.alpha.value for each in self.matrices))]
        for judge in judges:
            held = [each.without.get(judge) for each in self.matrices]
            rows.append((judge, *(alpha.value if alpha else None for alpha in held)))
        return Table(columns, rows, "Krippendorff's alpha")

    def _answers(self) -> Table:
        names = (
            *("judges", "triplets", *NAMES.values(), "tied"),
            *("agreeing", "high agreement"),
        )
        columns = (
            *labels("preferences"),
            *map(Column, names),
            Column("alpha of these", decimals=3),
        )
        rows: list[Row] = [
            (
                *(each.name, each.judges, each.triplets, *each.answers, each.tied),
                *(each.at_least, each.high, each.high_alpha.value),
            )
            for each in self.matrices
        ]
        return Table(columns, rows, "answers")

    def _correlations(self) -> Iterator[Table]:
        if not self.related:
            return
        columns = (
            *labels("a", "b"),
            *(Column(name, decimals=3) for name in ("r", "low", "high")),
            Column("triplets"),
        )
        rows: list[Row] = [(a, b, p.r, p.low, p.high, p.n) for a, b, p in self.related]
        yield Table(columns, rows, "Pearson's correlation of left less right answers")

    def _notes(self) -> Iterator[str]:
        yield (
            "alpha: 1 is perfect agreement, 0 what chance would give; answers are nominal. The "
            "judge without whom it is highest agrees with the others the least"
        )
        for each in self.matrices:
            told = [("", each.alpha), (" of high agreement", each.high_alpha)]
            told += [(f" without {judge}", alpha) for judge, alpha in each.without.items()]
            reasons: dict[str, list[str]] = {}
            for where, alpha in told:
                if alpha.undefined:
                    reasons.setdefault(alpha.undefined, []).append(f"{each.name}{where}")
            for reason, where_all in reasons.items():
                shown = ", ".join(where_all[:3])
                more = f" and {len(where_all) - 3} more" if len(where_all) > 3 else ""
                yield f"alpha is undefined for {shown}{more}: {reason}"
            yield (
                f"{each.name}: high agreement is {each.at_least} judges or more who find the same "
                f"list better; {each.tied} triplets are tied"
            )


def reliability(*matrices: Preferences, at_least: int | None = None) -> Reliability:
    """How reliable each matrix is, and how each two of them correlate where both have answers."""
    if not matrices:
        raise PolysemeError("no preferences were given\n  to mend it: name at least one matrix")
    names = [each.name for each in matrices]
    if len(set(names)) < len(names):
        raise PolysemeError("two matrices have one name\n  to mend it: rename one of the files")
    return Reliability(
        tuple(_reliable(each, at_least) for each in matrices),
        tuple((a.name, b.name, _related(a, b)) for a, b in combinations(matrices, 2)),
    )


def _reliable(matrix: Preferences, at_least: int | None) -> Reliable:
    high = matrix.high_agreement(at_least) if matrix.usual_agreement or at_least else None
    left, both, right = (int(matrix.counts(answer).sum()) for answer in NAMES)
    return Reliable(
        name=matrix.name,
        judges=len(matrix.judges),
        triplets=len(matrix.triplets),
        answers=(left, both, right),
        alpha=matrix.alpha(),
        without=matrix.leave_one_out(),
        tied=matrix.tied,
        at_least=matrix.usual_agreement if at_least is None else at_least,
        high=0 if high is None else len(high.triplets),
        high_alpha=matrix.alpha() if high is None else high.alpha(),
    )


def _related(a: Preferences, b: Preferences) -> Pearson:
    """Over the triplets that have an answer in both."""
    place = {name: number for number, name in enumerate(b.triplets)}
    pairs = [
        (here, place[name])
        for here, name in enumerate(a.triplets)
        if name in place and a.cells[:, here].any() and b.cells[:, place[name]].any()
    ]
    first, second = a.lead, b.lead
    return pearson(
        np.array([first[here] for here, _ in pairs], dtype=np.float64),
        np.array([second[there] for _, there in pairs], dtype=np.float64),
    )


# ---- measures and preferences -------------------------------------------------------------------


@dataclass(frozen=True)
class Aligned:
    """How one measure agrees with preferences."""

    measure: str
    agree: int
    disagree: int
    #: the measure itself prefers neither list
    ties: int
    tau: float
    low: float
    high: float


@dataclass(frozen=True)
class AgreementTable(Result):
    """How each measure agrees with what the majority of judges prefers."""

    name: str
    measures: tuple[Aligned, ...]
    #: triplets with a majority, and those without
    pairs: int
    tied: int
    #: how many judges at least agree on each triplet, where that was asked for
    at_least: int | None = None
    made: Mapping[str, Any] = field(default_factory=dict)

    def of(self, measure: str) -> Aligned:
        """What was found for a measure."""
        for each in self.measures:
            if each.measure == measure:
                return each
        raise PolysemeError(f"no agreement of {measure!r}")

    def report(self) -> Report:
        ranked = sorted(self.measures, key=lambda each: _last_if_undefined(each.tau))
        columns = (
            *labels("measure"),
            *map(Column, ("agree", "disagree", "ties")),
            Column("tau", best="highest", decimals=3),
            *(Column(name, decimals=3) for name in ("low", "high")),
        )
        return Report(
            Table(columns, [_row(each) for each in self.measures]),
            tables=(Table(columns, [_row(each) for each in ranked], self.name),),
            notes=tuple(self._notes()),
            provenance=self.made,
            facts={"pairs": self.pairs, "tied": self.tied, "at_least": self.at_least},
        )

    def _notes(self) -> Iterator[str]:
        chosen = (
            f" on which at least {self.at_least} judges agree" if self.at_least is not None else ""
        )
        yield (
            f"{self.name}: {self.pairs:,} triplets{chosen} whose majority prefers one list; "
            f"{self.tied} more are tied and left out"
        )
        if any(each.ties for each in self.measures):
            yield "ties: the measure prefers neither list; they are no part of tau"
        yield (
            "tau: (agree - disagree) / (agree + disagree); low and high: its 95% interval, as of "
            "the ranking that has so many pairs (Long and Cliff 1997)"
        )


def _row(each: Aligned) -> Row:
    return (
        *(each.measure, each.agree, each.disagree, each.ties),
        *(each.tau, each.low, each.high),
    )


def _last_if_undefined(tau: float) -> float:
    return math.inf if math.isnan(tau) else -tau


def preference_agreement(
    scores: Scores,
    preferences: Preferences,
    triplets: Sequence[Triplet],
    *,
    high_agreement: bool = False,
    at_least: int | None = None,
) -> AgreementTable:
    """How each measure agrees with the majority of judges on which of two lists is better.

    ``triplets`` say which topic and runs the columns of the matrix are about. ``high_agreement``
    keeps the triplets on which 9 of 15 judges agree (three fifths, rounded up), or ``at_least``.
    """
    known = {each.name: each for each in triplets}
    strange = [name for name in preferences.triplets if name not in known]
    if strange:
        raise PolysemeError(
            f"{preferences.name}: {len(strange)} columns are no triplets (the first: "
            f"{strange[0]!r})\n  to mend it: give the triplets that were judged"
        )
    threshold = None
    used = preferences
    if high_agreement or at_least is not None:
        threshold = preferences.usual_agreement if at_least is None else at_least
        used = preferences.high_agreement(threshold) if threshold else preferences
    gold = {known[name]: answer for name, answer in used.majority().items()}
    counts = _counted(scores, gold)
    return AgreementTable(
        preferences.name,
        tuple(
            Aligned(measure, *row, *agreement(row[0], row[1]))
            for measure, row in zip(scores.measures, counts, strict=True)
        ),
        len(gold),
        used.tied,
        threshold,
        dict(scores.provenance),
    )


def _counted(scores: Scores, gold: Mapping[Triplet, int]) -> list[tuple[int, int, int]]:
    """Of each measure: triplets on which it agrees, disagrees, and prefers neither list."""
    run = {name: place for place, name in enumerate(scores.runs)}
    topic = {name: place for place, name in enumerate(scores.topics)}
    counts = np.zeros((3, len(scores.measures)), np.int64)
    for each, answer in gold.items():
        for name, places, what in (
            (each.topic, topic, "topic"),
            (each.run_a, run, "run"),
            (each.run_b, run, "run"),
        ):
            if name not in places:
                _refuse(each, f"{what} {name!r}")
        at = topic[each.topic]
        pair = [run[each.run_a], run[each.run_b]]
        values = scores.values[pair, at]
        if not (scores.entered[pair, at].all() and np.isfinite(values).all()):
            _refuse(each, "value for every measure")
        gap = values[0] - values[1]
        agreeing = (gap if answer == LEFT else -gap) > TIED
        tied = np.abs(gap) <= TIED
        counts += np.stack([agreeing, ~agreeing & ~tied, tied])
    return [(int(a), int(b), int(c)) for a, b, c in counts.T]


def _refuse(triplet: Triplet, lacking: str) -> None:
    raise PolysemeError(
        f"the scores have no {lacking}, and there are preferences about the triplet "
        f"{triplet.name!r}\n  to mend it: give scores of all runs and topics that were judged, or "
        "say --missing zero"
    )


# ---- what the majority prefers ------------------------------------------------------------------


@dataclass(frozen=True)
class Majority(Result):
    """What the judges said of each triplet, and what more of them prefer."""

    preferences: Preferences
    triplets: Mapping[str, Triplet] = field(default_factory=dict)

    def report(self) -> Report:
        held = self.preferences
        counts = [held.counts(answer).tolist() for answer in NAMES]
        majority = held.majority()
        rows: list[Row] = []
        for place, name in enumerate(held.triplets):
            about = self.triplets.get(name)
            named = (about.topic, about.run_a, about.run_b) if about else ()
            preferred = majority.get(name)
            rows.append(
                (
                    *(named if self.triplets else (name,)),
                    *(count[place] for count in counts),
                    None if preferred is None else NAMES[preferred],
                )
            )
        about_what = ("topic", "run_a", "run_b") if self.triplets else ("triplet",)
        columns = (*labels(*about_what), *map(Column, ("left", "both", "right")))
        return Report(
            Table((*columns, *labels("preferred")), rows),
            notes=(
                f"{held.name}: {len(majority):,} triplets have a majority, {held.tied} are tied",
            ),
        )
