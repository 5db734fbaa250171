"""The engines that tests go through: by name, an executor of a user's, a cluster of Dask's."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from polyseme.engine import running

#: takes a while to start
DASK = pytest.param("dask", marks=pytest.mark.slow)


@contextmanager
def engine_called(name: str) -> Iterator[Any]:
    """What a user hands over as ``engine``."""
    if name == "executor":
        with ThreadPoolExecutor(2) as pool:
            yield pool
    elif name == "dask":
        pytest.importorskip("distributed")
        with running("dask", 2) as cluster:
            yield cluster
    else:
        yield name
