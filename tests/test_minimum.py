"""The versions at hand are among those that are allowed."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires, version

import pytest


def numbers(text: str) -> tuple[int, ...]:
    return tuple(int(each) for each in re.findall(r"\d+", text)[:3])


@pytest.mark.parametrize("requirement", requires("polyseme") or [])
def test_what_is_installed_is_not_too_old(requirement: str) -> None:
    found = re.match(r"([\w.-]+)(?:\[[^]]*\])?>=([\w.]+)", requirement)
    if found is None:
        pytest.skip("no lower bound")
    try:
        there = version(found[1])
    except PackageNotFoundError:
        pytest.skip(f"{found[1]} is not installed")
    assert numbers(there) >= numbers(found[2])
