"""What is released: complete, the same whenever it is built, installed with everything, typed."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import polyseme
from polyseme.cli import main, tree

EPOCH = "1700000000"
#: a user's program, as strict as mypy can be
SCRIPT = """\
from pathlib import Path

import polyseme
from polyseme import Measure, Scores

judgments = {"1": {"band": {"d1": 2, "d2": 1}, "airship": {"d3": 1}}}
runs: dict[str, dict[str, list[str]]] = {"mine": {"1": ["d1", "d9", "d3"]}}
measure: Measure = polyseme.parse("D#-nDCG@10")
scores: Scores = polyseme.evaluate(judgments, runs, [measure, "I-rec@10"], gain="exponential")
best: float = max(means["D#-nDCG@10"] for means in scores.mean().values())
judged = polyseme.read_qrels(judgments, probabilities={"1": {"band": 0.8, "airship": 0.2}})
lists = polyseme.read_runs(runs)
names: tuple[str, ...] = judged.topics
print(best, names, [run.name for run in lists], Path(__file__).name, scores.to_json(indent=2))
"""
#: and one with mistakes that types should show
WRONG = """\
import polyseme

scores = polyseme.evaluate({}, {}, "I-rec@10", jobs="two")
number: int = polyseme.parse("I-rec@10")
scores.no_such_method()
"""


@pytest.fixture(scope="module")
def project(root: Path) -> dict[str, Any]:
    with (root / "pyproject.toml").open("rb") as stream:
        found: dict[str, Any] = tomllib.load(stream)["project"]
    return found


# ---- what stands beside the code ----------------------------------------------------------------


def test_the_citation_is_of_this_version(root: Path) -> None:
    yaml = pytest.importorskip("yaml")
    cited = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == polyseme.__version__
    assert cited["license"] == "Apache-2.0"
    assert [each["year"] for each in cited["references"]] == [2012, 2013, 2013, 2018, 2019]


def test_the_oldest_versions_are_the_lower_bounds(root: Path, project: dict[str, Any]) -> None:
    users = [name for name in project["optional-dependencies"] if name not in DEVELOPERS]
    wanted = {
        name.lower(): bound
        for group in (
            project["dependencies"],
            *(project["optional-dependencies"][n] for n in users),
        )
        for name, bound in map(bound_of, group)
        if name != "polyseme"
    }
    lines = (root / "constraints-minimum.txt").read_text(encoding="utf-8").splitlines()
    held = dict(line.lower().split("==") for line in lines if not line.startswith("#"))
    assert held == wanted


DEVELOPERS = ("test", "bench", "lint", "docs", "dev")


def bound_of(requirement: str) -> tuple[str, str]:
    found = re.match(r"([\w.-]+)(?:\[[^]]*\])?(?:>=([\w.]+))?$", requirement)
    assert found is not None, requirement
    return found[1], found[2] or ""


def test_every_requirement_is_in_the_set_of_known_versions(
    root: Path, project: dict[str, Any]
) -> None:
    text = (root / "constraints.txt").read_text(encoding="utf-8").lower().replace("_", "-")
    known = set(re.findall(r"^([\w.-]+)==", text, re.MULTILINE))
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    for name, _ in (bound_of(each) for group in groups for each in group):
        assert name.lower().replace("_", "-") in known | {"polyseme"}, name


def test_contributors_and_reporters_find_what_they_need(root: Path) -> None:
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    for page in ("CONTRIBUTING.md", "README.md", "SECURITY.md"):
        text = (root / page).read_text(encoding="utf-8")
        for said in re.findall(r"^make ([a-z -]+?)(?:  |$)|`make ([a-z-]+)`", text, re.MULTILINE):
            assert set(" ".join(said).split()) <= targets, (page, said)


# ---- distributions ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def distributions(root: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The folders of two builds from two copies of the project in different places."""
    pytest.importorskip("build")
    if shutil.which("git") is None or not (root / ".git").exists():
        pytest.skip("only a clone knows which files are the project's")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        check=True,
    ).stdout
    one = tmp_path_factory.mktemp("one") / "one"
    for each in filter(None, os.fsdecode(listed).split("\0")):
        if (root / each).is_file():
            (one / each).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / each, one / each)
    other = tmp_path_factory.mktemp("other") / "another-place"
    shutil.copytree(one, other)
    for folder in (one, other):
        built = subprocess.run(
            ["tools/build-dist", sys.executable, "dist"],
            cwd=folder,
            env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH},
            capture_output=True,
            text=True,
            check=False,
        )
        if built.returncode and "No matching distribution" in built.stdout + built.stderr:
            pytest.skip("what building needs cannot be had here")
        assert built.returncode == 0, built.stdout[-4000:] + built.stderr[-4000:]
    return [one / "dist", other / "dist"]


def the(folder: Path, suffix: str) -> Path:
    (found,) = folder.glob(f"polyseme-*{suffix}")
    return found


@pytest.mark.slow
def test_two_builds_in_two_places_are_the_same(distributions: list[Path]) -> None:
    one, other = (
        {path.name: digest(path) for path in folder.iterdir()} for folder in distributions
    )
    assert one == other, differences(*distributions)
    assert len(one) == 2


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def differences(one: Path, other: Path) -> list[str]:
    """The members of the wheels that differ."""
    with zipfile.ZipFile(the(one, ".whl")) as a, zipfile.ZipFile(the(other, ".whl")) as b:
        names = sorted({*a.namelist(), *b.namelist()})
        return [
            name
            for name in names
            if name not in a.namelist() or name not in b.namelist() or a.read(name) != b.read(name)
        ]


@pytest.mark.slow
def test_the_sdist_holds_what_is_needed_to_work_on(distributions: list[Path]) -> None:
    with tarfile.open(the(distributions[0], ".tar.gz")) as held:
        names = {name.partition("/")[2] for name in held.getnames()}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"} <= names
    assert {"CITATION.cff", "constraints.txt", "tests/reference.py", "docs/conf.py"} <= names
    assert not [name for name in names if name.startswith((".git/", "build/", ".venv/"))]


@pytest.mark.slow
def test_the_wheel_brings_manual_pages_completion_and_types(distributions: list[Path]) -> None:
    with zipfile.ZipFile(the(distributions[0], ".whl")) as wheel:
        names = {re.sub(r"^polyseme-[^/]*\.data/data/", "", name) for name in wheel.namelist()}
    for context in tree.commands(main):
        assert f"share/man/man1/{context.command_path.replace(' ', '-')}.1" in names
    assert "share/man/man1/polyseme.1" in names
    assert "share/bash-completion/completions/polyseme" in names
    assert "share/zsh/site-functions/_polyseme" in names
    assert "share/fish/vendor_completions.d/polyseme.fish" in names
    assert "polyseme/py.typed" in names
    assert not [name for name in names if name.endswith((".pyx", ".pxd", ".c"))]


@pytest.fixture(scope="module")
def installed(distributions: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel in it; what it depends on comes from here."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-input"),
            *("--target", str(packages), str(the(distributions[0], ".whl"))),
        ],
        check=True,
        capture_output=True,
    )
    (packages / "here.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    where = run([python, "-c", "import polyseme; print(polyseme.__file__)"], folder)
    assert Path(where.strip()).is_relative_to(packages)
    return python


@pytest.mark.slow
def test_a_users_script_is_typed_by_the_installed_wheel(installed: Path, tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    good = typed(tmp_path / "script.py", installed)
    assert good.returncode == 0, good.stdout
    bad = typed(tmp_path / "wrong.py", installed)
    assert re.findall(r"wrong\.py:(\d+): error: .*\[([a-z-]+)\]", bad.stdout) == [
        ("3", "arg-type"),
        ("4", "assignment"),
        ("5", "attr-defined"),
    ]


def typed(script: Path, python: Path) -> subprocess.CompletedProcess[str]:
    """What mypy says of a script in that Python's environment."""
    return subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-incremental"),
            *("--python-executable", str(python), str(script)),
        ],
        cwd=script.parent,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_the_installed_wheel_computes_what_this_clone_does(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    here = run([Path(sys.executable), "script.py"], tmp_path)
    assert here == run([installed, "script.py"], tmp_path)


def run(command: Sequence[str | Path], folder: Path) -> str:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
