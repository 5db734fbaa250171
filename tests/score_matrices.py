"""Scores out of plain matrices, for what only needs numbers."""

from __future__ import annotations

import numpy as np

from polyseme.groups import Bools, Floats
from polyseme.scores import Scores


def scores_of(values: Floats, entered: Bools | None = None) -> Scores:
    """Values of runs x topics x measures, which are called r0, t0, m0 and so on."""
    runs, topics, measures = values.shape
    if entered is None:
        entered = np.ones((runs, topics), np.bool_)
    return Scores(
        runs=tuple(f"r{n}" for n in range(runs)),
        topics=tuple(f"t{n}" for n in range(topics)),
        measures=tuple(f"m{n}" for n in range(measures)),
        values=values,
        entered=entered,
        retrieved=entered,
    )
