"""``polyseme doctor``: what is installed, and whether it computes what it should."""

from __future__ import annotations

import json
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest

import polyseme
from commands import done, records, run, spawned
from polyseme import kernels
from polyseme.cli import installation

#: extras for those who work on polyseme itself, and the sum of the others
NOT_FEATURES = {"all", "test", "bench", "lint", "docs", "dev"}


def told() -> dict[tuple[str, str], tuple[str, str]]:
    rows = records(done("doctor", "--format", "csv").stdout)
    return {(row["what"], row["name"]): (row["value"], row["remark"]) for row in rows}


def test_versions_are_those_in_use() -> None:
    found = told()
    assert found["version", "polyseme"][0] == polyseme.__version__
    assert found["version", "numpy"][0] == np.__version__
    assert "Python" in found["version", "python"][0]
    assert Path(found["version", "installed in"][0]).samefile(Path(polyseme.__file__).parent)


def test_every_extra_is_told_with_what_it_is_for(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(installation.NEEDED_FOR) == set(project["optional-dependencies"]) - NOT_FEATURES
    found = told()
    for extra, use in installation.NEEDED_FOR.items():
        value, remark = found["extra", extra]
        assert use in remark
        assert value.startswith("lacking") == ("pip install" in remark)


def test_what_is_lacking_is_told_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    known = installation.version_of
    monkeypatch.setattr(
        installation, "version_of", lambda name: None if name == "pyarrow" else known(name)
    )
    value, remark = told()["extra", "parquet"]
    assert value == "lacking"
    assert remark == "disabled: reading and writing Parquet; pip install 'polyseme[parquet]'"


def test_the_form_of_the_kernels_is_the_one_in_use() -> None:
    value, reason = told()["compiled", "kernels"]
    assert (value == "compiled") == kernels.COMPILED
    assert bool(reason) != kernels.COMPILED


def test_the_form_of_the_readers_is_the_one_in_use() -> None:
    try:
        from polyseme.collection.formats import scanning
    except ImportError:
        pytest.skip("there are no compiled readers yet")
    for name in ("judgments reader", "runs reader"):
        assert (told()["compiled", name][0] == "compiled") == scanning.COMPILED


def test_plain_parts_are_told_with_the_reason() -> None:
    result = spawned("doctor", "--format", "csv", env={"POLYSEME_PLAIN": "1"})
    assert result.returncode == 0
    parts = [row for row in records(result.stdout) if row["what"] == "compiled"]
    assert parts
    assert all(row["remark"] == "POLYSEME_PLAIN is set" for row in parts)


def test_a_compiled_part_that_cannot_be_loaded_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POLYSEME_PLAIN", raising=False)
    monkeypatch.setattr(installation, "_refusal", lambda module: "it cannot be loaded: no symbol")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    assert told()["compiled", "kernels"] == ("NumPy", "it cannot be loaded: no symbol")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "no C compiler" in told()["compiled", "kernels"][1]


def test_the_machine_is_told() -> None:
    found = told()
    assert int(found["machine", "cores"][0].split()[0]) >= 1
    assert found["machine", "temporary files"]


def test_a_sound_installation_passes_its_check() -> None:
    assert installation.self_check() == []
    value, remark = told()["self-check", "scores"]
    assert (value, remark) == ("passed", "5 measures as worked out by hand")


def test_wrong_numbers_are_told_and_make_the_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(installation._KNOWN, "P@2", 0.25)
    result = run("doctor", "--format", "json")
    assert result.exit_code == 1
    held = json.loads(result.stdout)
    assert held["sound"] is False
    assert held["self_check"] == {"scores": "failed"}
    assert held["rows"][-1]["remark"] == "P@2 is 0.5 and should be 0.25"


def test_an_evaluation_that_cannot_even_run_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(installation._KNOWN, "no-such-measure", 0.25)
    result = run("doctor")
    assert result.exit_code == 1
    assert "MeasureError: no measure is named 'no-such-measure'" in result.stdout


def test_json_is_by_name() -> None:
    held = json.loads(done("doctor", "--format", "json").stdout)
    assert held["sound"] is True
    assert held["version"]["polyseme"] == polyseme.__version__
    assert set(held["extra"]) == set(installation.NEEDED_FOR)


def test_a_table_is_printed_wherever_it_goes() -> None:
    assert done("doctor").stdout.splitlines()[0].split() == ["what", "name", "value", "remark"]


def test_an_installation_without_metadata_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> list[str]:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.requires", missing)
    assert told()["extra", "parquet"][0] == "lacking"
