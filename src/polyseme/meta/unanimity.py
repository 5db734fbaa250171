"""Unanimity: how a measure agrees with what all others agree on (Amigo et al. 2018)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from polyseme.errors import PolysemeError
from polyseme.groups import Floats
from polyseme.meta.preference_signs import signs
from polyseme.results import Result
from polyseme.scores import Scores
from polyseme.tables import Column, Report, Row, Table, labels


@dataclass(frozen=True)
class Unanimity(Result):
    """The unanimity of each measure with respect to all of them."""

    values: Mapping[str, float]
    #: topic x pair of runs
    cases: int
    made: Mapping[str, Any] = field(default_factory=dict)

    def report(self) -> Report:
        columns = (*labels("measure"), Column("unanimity", best="highest"))
        rows: list[Row] = list(self.values.items())
        ranked = sorted(rows, key=lambda row: -_ordering(row[1]))
        return Report(
            Table(columns, rows),
            tables=(Table(columns, ranked),),
            notes=(
                "unanimity: how much likelier than by chance (in powers of 2) a measure prefers "
                "the same of two runs on a topic as all other measures together, where these agree "
                "among themselves; it hangs on which measures are taken, so compare it only within "
                "one table",
                f"{self.cases:,} cases, each a topic and two runs; a unanimous tie counts one half",
            ),
            provenance=self.made,
            facts={"cases": self.cases},
        )


def _ordering(value: object) -> float:
    number = float(value) if isinstance(value, int | float) else math.nan
    return -math.inf if math.isnan(number) else number


def unanimity(scores: Scores) -> Unanimity:
    """log2( |U(M) and U(rest)|/N / (|U(M)|/N x |U(rest)|/N) ) of every measure M.

    U(S) are the cases, each a topic and two runs, on which all measures of S prefer the same run
    or all see a tie; a tie has the size 1/2. -inf where M and the rest never agree, NaN where
    the rest never agree among themselves.
    """
    measures = len(scores.measures)
    if measures < 2:
        raise PolysemeError(
            "at least two measures are needed for unanimity\n  to mend it: name more (-m)"
        )
    cases = 0
    own, rest, both = np.zeros(measures), np.zeros(measures), np.zeros(measures)
    for found in signs(scores):
        cases += found.shape[1]
        for sign, size in ((1, 1.0), (-1, 1.0), (0, 0.5)):
            agreeing = found == sign
            others = agreeing.sum(axis=0)[None, :] - agreeing == measures - 1
            own += size * agreeing.sum(axis=1)
            rest += size * others.sum(axis=1)
            both += size * (others & agreeing).sum(axis=1)
    if not cases:
        raise PolysemeError("no two runs have scores on the same topic")
    values = _log_ratio(both, own, rest, cases)
    return Unanimity(
        dict(zip(scores.measures, values.tolist(), strict=True)), cases, dict(scores.provenance)
    )


def _log_ratio(both: Floats, own: Floats, rest: Floats, cases: int) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        values: Floats = np.log2(both * cases / (own * rest))
    return values
