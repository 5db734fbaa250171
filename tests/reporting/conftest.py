"""A collection for tables and figures of what is found on it."""

from __future__ import annotations

import numpy as np
import pytest

from polyseme.collection.synthetic import SyntheticCollection, synthesize


@pytest.fixture(scope="session")
def collection() -> SyntheticCollection:
    """A synthetic collection, for tests that only read it."""
    return synthesize(np.random.default_rng(1), topics=8, teams=4, runs_per_team=2, depth=40)
