"""The shape of the code: what may import what, how modules are named and how long they are.

And that it starts quickly, which is the same matter: what is imported late cannot slow a start.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "polyseme"

# The rooms of the house, each line above what it may import. A room imports what stands on
# lower lines and itself, not its neighbours on the same line.
STREAM = """
    __main__
    cli
    polyseme
    judging
    reporting ir_measures
    reuse meta
    statistics
    partitioned
    evaluation score_files
    gathering
    dialects averaging
    scoring
    scores
    policies
    measures
    collection
    kernels
    results
    hypertext
    trials
    plain_kernels
    plain_greedy
    tables identifiers groups values atomic _kernels plain_trials _trials
    errors
"""
LINES = [line.split() for line in reversed(STREAM.split("\n")) if line.strip()]
LEVEL = {room: level for level, line in enumerate(LINES) for room in line}
LEAF = "engine"  # anything may call it, and it calls nothing but errors
# The doors that open against the stream. A user says `found.plot()` or `found.table(kind)` of
# whatever was found; nothing in the stream calls these, so findings know neither figures nor tables
# of papers, which load when asked for.
DOORS = {
    ("results.py", "polyseme.reporting.figures"),
    ("results.py", "polyseme.reporting.papers"),
}

FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "misc"}
LONGEST_MODULE = 450

MODULES = sorted(PACKAGE.rglob("*.py"))
has_command = pytest.mark.skipif(
    not (PACKAGE / "cli" / "__init__.py").exists(), reason="there is no command yet"
)


def dotted(path: Path, package: Path = PACKAGE) -> str:
    """The module's full name, a package's without `__init__`."""
    parts = [package.name, *path.relative_to(package).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room(module: str) -> str:
    """The first part of a module's name below the package, or the package itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else parts[0]


def imported(path: Path, package: Path = PACKAGE) -> Iterator[tuple[int, str]]:
    """Line and full name of everything of ours that a module imports, wherever it does so."""
    here = dotted(path, package)
    around = here if path.name == "__init__.py" else here.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        match node:
            case ast.Import():
                names = [alias.name for alias in node.names]
            case ast.ImportFrom():
                module = resolve_name("." * node.level + (node.module or ""), around)
                names = [f"{module}.{alias.name}" for alias in node.names]
            case ast.Call(args=[ast.Constant(value=str(name)), *_]):
                if ast.unparse(node.func).rpartition(".")[2] not in {"import_module", "__import__"}:
                    continue
                names = [resolve_name(name, around)]
            case _:
                continue
        for name in names:
            if name.partition(".")[0] == package.name:
                yield node.lineno, name


def imported_room(name: str, package: Path) -> str:
    """The room an imported name belongs to; the package itself for what only it defines."""
    below = room(name)
    there = (package / below).is_dir() or (package / f"{below}.py").exists()
    return below if there or below in LEVEL or below == LEAF else package.name


def against_the_stream(path: Path, package: Path = PACKAGE) -> list[str]:
    """The imports of a module that it may not make, each with its line."""
    own = room(dotted(path, package))
    if own == LEAF:
        allowed = {LEAF, "errors"}
    else:
        # A room that is not in STREAM fails another test; here it may import anything.
        level = LEVEL.get(own, len(LINES))
        allowed = {own, LEAF} | {other for other in LEVEL if LEVEL[other] < level}
    return [
        f"{path.relative_to(package)}:{line}: {own} may not import {name}"
        for line, name in imported(path, package)
        if imported_room(name, package) not in allowed
        and (path.relative_to(package).as_posix(), name.rpartition(".")[0]) not in DOORS
        # Outputs tell the version: `from polyseme import __version__` drags nothing in.
        and name != "polyseme.__version__"
    ]


def test_every_room_has_its_place_in_the_stream() -> None:
    rooms = {room(dotted(path)) for path in MODULES}
    assert rooms <= {*LEVEL, LEAF}, "place the new room in STREAM, in tests/test_architecture.py"


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_imports_follow_the_stream(path: Path) -> None:
    assert against_the_stream(path) == []


@pytest.mark.parametrize(
    ("module", "source", "found"),
    [
        ("measures/err.py", "from polyseme.collection.lists import Lists", 0),
        ("measures/err.py", "from polyseme.measures import walk", 0),
        ("measures/err.py", "from . import walk\nfrom .walk import Walk", 0),
        ("measures/err.py", "from polyseme.engine import map_partitions", 0),
        ("measures/err.py", "from polyseme import __version__", 0),
        ("measures/err.py", "from polyseme.scores import Scores", 1),
        ("measures/err.py", "from polyseme import scores, evaluation", 2),
        ("measures/err.py", "from polyseme import evaluate", 1),
        ("measures/err.py", "import polyseme.cli", 1),
        ("measures/err.py", "import polyseme", 1),
        ("measures/err.py", "def late():\n    from polyseme.scores import Scores", 1),
        ("measures/err.py", "from ..scores import Scores", 1),
        ("measures/err.py", "from .. import scores", 1),
        ("measures/deep/err.py", "from ...scores import Scores", 1),
        ("measures/__init__.py", "from ..scores import Scores", 1),
        ("measures/__init__.py", "from .scores import Scores", 0),
        ("measures/err.py", "import importlib\nimportlib.import_module('polyseme.cli')", 1),
        ("reuse/pool_depth.py", "from polyseme.meta import unanimity", 1),
        ("engine/__init__.py", "from polyseme.collection import runs", 1),
        ("__init__.py", "from .evaluation import evaluate", 0),
        ("__init__.py", "from .cli import main", 1),
        ("results.py", "from polyseme.reporting.figures import figure", 0),
        ("results.py", "from polyseme.reporting.text import write_text", 1),
        ("scores.py", "from polyseme.reporting.figures import figure", 1),
    ],
)
def test_the_check_sees_imports_of_every_form(
    tmp_path: Path, module: str, source: str, found: int
) -> None:
    package = tmp_path / "polyseme"
    path = package / module
    path.parent.mkdir(parents=True)
    path.write_text(source, encoding="utf-8")
    assert len(against_the_stream(path, package)) == found


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_no_module_is_named_after_nothing_in_particular(path: Path) -> None:
    assert FORBIDDEN_NAMES.isdisjoint(dotted(path).split("."))


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_no_module_is_too_long_to_read(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE


def test_the_version_is_the_same_wherever_it_stands(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    source = (PACKAGE / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__(?:: \S+)? = "(.+)"$', source, re.MULTILINE)
    assert found is not None
    assert found[1] == project["version"]


def python(code: str) -> str:
    """What a fresh interpreter prints when it runs the code."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    return done.stdout


VERSION = """
import sys
import polyseme
from polyseme.cli import main
sys.argv = ["polyseme", "--version"]
try:
    main()
except SystemExit as exit:
    assert not exit.code, exit.code
"""


@has_command
def test_a_start_loads_nothing_that_only_some_commands_use() -> None:
    heavy = (
        "scipy rich narwhals pandas polars pyarrow dask duckdb jinja2 altair sqlalchemy starlette"
    )
    loaded = python(VERSION + "print(*{name.split('.')[0] for name in sys.modules})")
    assert not set(heavy.split()) & set(loaded.split())


@has_command
@pytest.mark.slow
def test_a_start_takes_at_most_30_ms_more_than_numpy_and_click() -> None:
    def seconds(code: str) -> float:
        begin = time.perf_counter()
        python(code)
        return time.perf_counter() - begin

    # Interleaved, so that a busy spell slows both; the least is what the work itself takes.
    times = [(seconds("import numpy, click"), seconds(VERSION)) for _ in range(12)]
    floor, start = (min(column) for column in zip(*times, strict=True))
    assert start - floor < 0.030, f"{start:.3f} s against {floor:.3f} s"
