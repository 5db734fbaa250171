"""Which of two runs each measure prefers on each topic."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from polyseme.scores import Scores

#: differences below this are ties
TIED = 1e-12

Signs = npt.NDArray[np.int8]


def signs(scores: Scores) -> Iterator[Signs]:
    """Topic by topic, measures x pairs of runs: 1 where the first is preferred, -1, or 0.

    A pair of which a run lacks the topic is left out.
    """
    for topic in range(len(scores.topics)):
        values = scores.values[:, topic]
        held = scores.entered[:, topic] & np.isfinite(values).all(axis=1)
        values = values[held]
        first, second = np.triu_indices(len(values), 1)
        difference = (values[first] - values[second]).T
        found: Signs = (difference > TIED).astype(np.int8)
        yield found - (difference < -TIED)
