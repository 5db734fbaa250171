"""What all tests share: how thoroughly Hypothesis searches, and where the shared data are.

To run every test on the NumPy kernels instead of the compiled ones: `POLYSEME_PLAIN=1 make test`.
A test of a function that exists in both forms takes the fixture `kernels` instead.
"""

from __future__ import annotations

import importlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

settings.register_profile("dev", deadline=None)
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    max_examples=50,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev")
)


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's own folder."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with real judgments, runs and the official programs' output."""
    named = os.environ.get("POLYSEME_SHARED")
    folder = Path(named) if named else ROOT.parent / "shared"
    if not (folder / "data").is_dir() or not (folder / "gold").is_dir():
        pytest.skip(f"no shared data in {folder}: set POLYSEME_SHARED to the folder that has them")
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The system's Chromium, without a window; see ``browsing.visiting``."""
    playwright = pytest.importorskip("playwright.sync_api")
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if program is None:
        pytest.skip("no Chromium on this machine: make system-deps installs it")
    # a page is seen alone: the browser itself speaks to nobody meanwhile
    options = ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    options += ["--no-first-run", "--disable-quic"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--no-sandbox")  # root has none
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=program, args=options)
        yield opened
        opened.close()


@pytest.fixture(params=["plain", "compiled"])
def kernels(request: pytest.FixtureRequest) -> ModuleType:
    """The module with the kernels, once in each form; a form that is not there is skipped."""
    name = {"plain": "polyseme.plain_kernels", "compiled": "polyseme._kernels"}[request.param]
    try:
        return importlib.import_module(name)
    except ImportError:
        pytest.skip(f"{name} was not compiled here")
