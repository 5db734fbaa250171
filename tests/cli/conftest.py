"""Collections for commands to work on."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import Tiny, done, tiny


@pytest.fixture
def small(tmp_path: Path) -> Tiny:
    """The tiny collection, in a folder of its own."""
    return tiny(tmp_path)


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A synthetic collection, for tests that only read it."""
    folder = tmp_path_factory.mktemp("synthetic") / "demo"
    done("synth", folder, "--seed", "1", "--topics", "8", "--teams", "3", "--depth", "40")
    return folder
