"""What ``import polyseme`` offers is the same in every place where it is written down."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import polyseme


def typed() -> dict[str, str]:
    """The names that a type checker sees, with the modules they come from."""
    tree = ast.parse(Path(polyseme.__file__).read_text(encoding="utf-8"))
    guarded = [
        node
        for block in tree.body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
    ]
    return {
        alias.name: str(node.module).removeprefix("polyseme.")
        for node in guarded
        for alias in node.names
    }


def test_the_lists_of_public_names_are_in_step() -> None:
    assert typed() == polyseme._HOMES
    assert sorted({*polyseme._HOMES, "__version__"}) == sorted(polyseme.__all__)
    assert list(polyseme._HOMES) == sorted(polyseme._HOMES)
    assert dir(polyseme) == sorted(polyseme.__all__)


@pytest.mark.parametrize("name", polyseme.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    value = getattr(polyseme, name)
    assert value is getattr(polyseme, name)
    assert isinstance(value, str) or value.__doc__


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'polyseme' has no attribute 'nothing'"):
        polyseme.nothing  # noqa: B018


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    code = "import sys, polyseme; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
