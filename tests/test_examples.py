"""The examples run as they stand, on small collections and with few trials."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from commands import done

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
SYNTHETIC = sorted(path.stem for path in EXAMPLES.glob("*.toml") if "-trec" not in path.name)
TREC = sorted(path.stem for path in EXAMPLES.glob("*-trec.toml"))
SCRIPTS = sorted(path.stem for path in EXAMPLES.glob("[a-z]*2*.py"))
#: what makes numbers finer and takes time
_FINER = re.compile(r"^(trials|orders) = \d+$", re.MULTILINE)


def loaded(name: str) -> ModuleType:
    sys.path.insert(0, str(EXAMPLES))
    try:
        return import_module(name)
    finally:
        sys.path.pop(0)


def prepared(folder: Path, data: Path | None = None) -> Path:
    """The experiments beside what they work on, with fewer trials."""
    for path in EXAMPLES.glob("*.toml"):
        text = _FINER.sub(r"\1 = 20", path.read_text(encoding="utf-8"))
        text = text.replace("length = 10", "length = 5")
        (folder / path.name).write_text(text, encoding="utf-8")
    loaded("prepare").main(data, work=folder / "work", topics=6, most=40)
    return folder


@pytest.fixture(scope="module")
def synthetic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared(tmp_path_factory.mktemp("examples"))


@pytest.fixture(scope="module")
def trec(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Path:
    return prepared(tmp_path_factory.mktemp("trec"), shared / "data")


def check(folder: Path, name: str) -> None:
    """An experiment makes every file that its lock lists, and nothing is left to be made."""
    pytest.importorskip("vl_convert")
    done("experiment", folder / f"{name}.toml", "--quiet", "--jobs", 2)
    made = folder / "work" / "results" / name
    lock = json.loads((made / "experiment.lock.json").read_text(encoding="utf-8"))
    files = [file for step in lock["steps"].values() for file in step["files"]]
    assert len(files) > 10
    assert all((made / file).stat().st_size > 20 for file in files)
    told = done("experiment", folder / f"{name}.toml", "--format", "json").stdout
    assert {row["state"] for row in json.loads(told)["rows"]} == {"reused"}


@pytest.mark.parametrize("name", SYNTHETIC)
def test_an_experiment_runs_on_a_synthetic_collection(name: str, synthetic: Path) -> None:
    check(synthetic, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", TREC)
def test_an_experiment_runs_on_trec(name: str, trec: Path) -> None:
    check(trec, name)


@pytest.mark.slow
def test_what_hangs_on_judgments_alone_is_as_the_paper_prints_it(trec: Path) -> None:
    """Golbus et al. 2013, table 2, whose two maxima the paper swaps."""
    pytest.importorskip("vl_convert")
    done("experiment", trec / "golbus2013-trec.toml", "--quiet", "--only", "tables.2-difficulty")
    table = trec / "work" / "results" / "golbus2013-trec" / "tables" / "2-difficulty.csv"
    rows = [line.split(",") for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    told = [[name, *(f"{float(value):.3f}" for value in values)] for name, *values in rows]
    assert told == [["2010", "0.449", "0.977", "0.727"], ["2011", "0.643", "0.994", "0.809"]]


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_answers_its_question(
    name: str, synthetic: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main: Callable[..., None] = loaded(name).main
    folder = synthetic / "work" / "synthetic"
    given = {"albahem2018": 5, "golbus2013": folder / "judgments.qrels"}.get(name, folder)
    main(given)
    told = capsys.readouterr().out
    assert len(told.splitlines()) > 8
    assert {
        "albahem2018": "ACT violates irrelevance",
        "golbus2013": "responds most to which documents are chosen",
        "sakai2012": "pool depth 5: I-rec@10 ranks with tau",
        "sakai2013": "the best run of a team left out is off by",
        "sakai2019": "asked about diversity, people agree most with",
    }[name] in told


def test_the_readme_lists_every_experiment_and_script() -> None:
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for name in (*SYNTHETIC, *SCRIPTS):
        assert f"`{name}." in text
    assert {name.removesuffix("-trec") for name in TREC} <= set(SYNTHETIC)
