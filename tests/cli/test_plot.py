"""``polyseme plot``: formats, and the help of its kinds."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from commands import done, run
from polyseme.cli import main
from polyseme.reporting.figures import KINDS


@pytest.mark.parametrize("ending", ["svg", "png", "pdf", "html", "json"])
def test_a_figure_is_of_the_format_that_its_file_names(
    ending: str, demo: Path, tmp_path: Path
) -> None:
    runs = sorted((demo / "runs").iterdir())
    place = tmp_path / f"figure.{ending}"
    measures = ("-m", "I-rec@10", "-m", "D-nDCG@10")
    found = done("plot", "scatter", demo / "judgments.qrels", *runs, *measures, "-o", place)
    check(place)
    # a page has its notes in it
    assert bool(found.stderr) == (ending != "html")


def check(path: Path) -> None:
    """A file is what its name says, and not empty."""
    held = path.read_bytes()
    match path.suffix:
        case ".svg":
            root = ET.fromstring(held)
            assert root.tag.endswith("svg")
            assert len(list(root.iter())) > 10
        case ".png":
            assert held.startswith(b"\x89PNG")
        case ".pdf":
            assert held.startswith(b"%PDF")
        case ".html":
            assert held.startswith(b"<!DOCTYPE html>")
        case ".json":
            assert json.loads(held)["$schema"].endswith("v6.json")
        case other:
            raise AssertionError(other)


def test_the_list_of_kinds_is_in_the_help() -> None:
    told = run("plot", "--help").stdout
    assert all(name in told for name in KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_help_with_its_options(kind: str) -> None:
    told = run("plot", kind, "--help").stdout
    assert "--theme" in told
    assert "--title" in told
    command = main.get_command(None, "plot").get_command(None, kind)  # type: ignore[arg-type,attr-defined,union-attr]
    flags = [flag for param in command.params for flag in param.opts]
    assert len(flags) == len(set(flags)), "an option twice"


def test_a_wrong_name_of_a_kind_gets_a_suggestion() -> None:
    found = run("plot", "leave-one-ot")
    assert found.exit_code == 2
    assert "did you mean leave-one-out?" in found.stderr
