"""P-values of many tests at once: Holm's and Benjamini and Hochberg's corrections."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from polyseme.errors import PolysemeError
from polyseme.groups import Floats, Ints

Adjustment = Literal["none", "holm", "bh"]
ADJUSTMENTS: tuple[str, ...] = get_args(Adjustment)
#: what each does, for those who read the numbers
ADJUSTING = {
    "none": "p-values are those of each test alone",
    "holm": "Holm's correction keeps the chance of any false alarm at the level",
    "bh": "Benjamini and Hochberg's correction keeps the share of false alarms among the "
    "significant differences at the level",
}


def adjusted(p: Floats, how: Adjustment) -> Floats:
    """P-values corrected along the last axis."""
    if how not in ADJUSTMENTS:
        raise PolysemeError(
            f"the correction must be {' or '.join(ADJUSTMENTS)}. Got {how!r} instead."
        )
    if how == "none" or not p.size:
        return p
    return holm(p) if how == "holm" else benjamini_hochberg(p)


def holm(p: Floats) -> Floats:
    """The largest of (m - j + 1) p_(j) so far, p ascending (Holm 1979)."""
    order, ascending, places = _sorted(p)
    return _back(order, np.maximum.accumulate(ascending * places[::-1], axis=-1))


def benjamini_hochberg(p: Floats) -> Floats:
    """The smallest of m p_(j) / j from here on, p ascending (Benjamini and Hochberg 1995)."""
    order, ascending, places = _sorted(p)
    scaled = ascending * len(places) / places
    return _back(order, np.minimum.accumulate(scaled[..., ::-1], axis=-1)[..., ::-1])


def _sorted(p: Floats) -> tuple[Ints, Floats, Floats]:
    order = np.argsort(p, axis=-1, kind="stable")
    return order, np.take_along_axis(p, order, -1), np.arange(1.0, p.shape[-1] + 1.0)


def _back(order: Ints, values: Floats) -> Floats:
    found = np.empty_like(values)
    np.put_along_axis(found, order, np.minimum(values, 1.0), -1)
    return found
