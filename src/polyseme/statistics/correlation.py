"""How two rankings of the same systems agree: Kendall's tau and its top-heavy kin.

A ranking is given by scores, higher ones first; scores that differ by less than 1e-12 or so are
tied, since that is how far rounding reaches.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from polyseme.errors import PolysemeError
from polyseme.groups import Floats
from polyseme.results import Result
from polyseme.tables import Column, Report, Table, labels

#: decimals beyond which scores are tied
TIED = 12
#: of the normal distribution, for intervals of 95%
_NORMAL = 1.959964
#: the variance of the transformed tau times (n - 4), by Long and Cliff 1997
_VARIANCE = 0.437


def kendall_tau(x: npt.ArrayLike, y: npt.ArrayLike, variant: Literal["b", "a"] = "b") -> float:
    """Kendall's tau: pairs ranked alike less pairs ranked otherwise, over all pairs.

    ``b`` leaves tied pairs out of the denominator, each side's from its own factor; ``a`` keeps
    them. NaN where there is no pair to rank.
    """
    if variant not in ("a", "b"):
        raise PolysemeError(f"variant must be a or b. Got {variant!r} instead.")
    first, second = _rankings(x, y)
    upper = np.triu_indices(len(first), 1)
    sign_x = np.sign(first[upper[0]] - first[upper[1]])
    sign_y = np.sign(second[upper[0]] - second[upper[1]])
    alike = float((sign_x * sign_y).sum())
    pairs = float(len(sign_x))
    if variant == "b":
        pairs = math.sqrt(float(np.abs(sign_x).sum()) * float(np.abs(sign_y).sum()))
    return alike / pairs if pairs > 0 else math.nan


def tau_ap(estimate: npt.ArrayLike, truth: npt.ArrayLike) -> float:
    """AP correlation of an estimated ranking with the true one (Yilmaz et al. 2008).

    2/(n-1) sum_{i>1} C(i)/(i-1) - 1, C(i) the systems above the i-th in the estimate that the
    truth puts above it too. Where the estimate has ties, a system is compared with those above its
    group, and the first group with none (tau_ap,b of Urbano and Marrero 2017).
    """
    estimated, true = _rankings(estimate, truth)
    above = estimated[None, :] > estimated[:, None]
    agreeing = above & (true[None, :] > true[:, None])
    number = above.sum(axis=1)
    below = number > 0
    if not below.any() or (true == true[0]).all():
        return math.nan
    return float(2.0 * (agreeing.sum(axis=1)[below] / number[below]).mean() - 1.0)


def symmetric_tau_ap(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """The mean of tau_ap in both directions, where neither ranking is the true one."""
    return (tau_ap(x, y) + tau_ap(y, x)) / 2.0


def _rankings(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Floats]:
    first: Floats = np.asarray(x, dtype=np.float64).round(TIED)
    second: Floats = np.asarray(y, dtype=np.float64).round(TIED)
    if first.ndim != 1 or first.shape != second.shape:
        raise PolysemeError(
            "two rankings must be lists of scores of the same systems. "
            f"Got {first.shape} and {second.shape} instead."
        )
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise PolysemeError("a score to be ranked is not finite")
    return first, second


def tau_interval(tau: float, n: float) -> tuple[float, float]:
    """The 95% interval of Kendall's tau of ``n`` systems (Long and Cliff 1997).

    tanh(atanh tau -+ 1.959964 sqrt(0.437 / (n - 4))); NaN where n is no more than 4.
    """
    if math.isnan(tau) or n <= 4:
        return math.nan, math.nan
    if abs(tau) >= 1.0:
        return tau, tau
    middle, half = math.atanh(tau), _NORMAL * math.sqrt(_VARIANCE / (n - 4.0))
    return math.tanh(middle - half), math.tanh(middle + half)


class Agreement(NamedTuple):
    """Kendall's tau with preferences, and its 95% interval."""

    tau: float
    low: float
    high: float


def agreement(agreeing: float, disagreeing: float) -> Agreement:
    """How a measure agrees with preferences between pairs (Sakai and Zeng 2019).

    tau = (A - B) / (A + B); its interval is that of n = (1 + sqrt(1 + 8 (A + B))) / 2 systems,
    which have as many pairs.
    """
    if agreeing < 0 or disagreeing < 0:
        raise PolysemeError("numbers of preferences must be 0 or more")
    pairs = agreeing + disagreeing
    if pairs == 0:
        return Agreement(math.nan, math.nan, math.nan)
    tau = (agreeing - disagreeing) / pairs
    return Agreement(tau, *tau_interval(tau, (1.0 + math.sqrt(1.0 + 8.0 * pairs)) / 2.0))


@dataclass(frozen=True)
class Correlation(Result):
    """How two rankings agree."""

    a: str
    b: str
    #: how many systems they rank
    systems: int
    tau: float
    low: float
    high: float
    #: symmetric tau_ap
    tau_ap: float

    def report(self) -> Report:
        columns = (*labels("a", "b"), *map(Column, ("tau", "low", "high", "tau_ap")))
        row = (self.a, self.b, self.tau, self.low, self.high, self.tau_ap)
        return Report(Table(columns, [row]), facts={"systems": self.systems})


def correlation(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    variant: Literal["b", "a"] = "b",
    names: tuple[str, str] = ("a", "b"),
) -> Correlation:
    """Kendall's tau with its interval, and symmetric tau_ap, of two rankings."""
    tau = kendall_tau(x, y, variant)
    systems = len(np.asarray(x))
    return Correlation(*names, systems, tau, *tau_interval(tau, systems), symmetric_tau_ap(x, y))
