"""A synthetic collection for tests that only read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import done


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three teams with two runs each, of which one is pooled."""
    folder = tmp_path_factory.mktemp("reuse") / "demo"
    done("synth", folder, "--seed", "1", "--topics", "8", "--teams", "3", "--depth", "40")
    return folder
