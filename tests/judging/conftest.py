"""Studies on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judging import servers
from judging.servers import Cluster


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    yield from servers.cluster()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a study can be made: once a file, once a database."""
    if request.param == "sqlite":
        return str(tmp_path / "a.study")
    made: Cluster = request.getfixturevalue("cluster")
    return made.database()
