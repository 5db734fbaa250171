"""``polyseme plot``: every example that its help shows, formats and themes."""

from __future__ import annotations

import csv
import io
import json
import shlex
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from commands import done, run
from polyseme.cli import main
from polyseme.reporting.figures import KINDS


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A synthetic collection, pairs of its lists, and what three judges said of these."""
    folder = tmp_path_factory.mktemp("plotted")
    done(
        "synth", folder, "--seed", "1", "--topics", "6", "--teams", "4", "--depth", "60", "--force"
    )
    runs = sorted(str(path) for path in (folder / "runs").iterdir())
    pairs = ["pairs", str(folder / "judgments.qrels"), *runs]
    done(*pairs, "--quiet", "-o", folder / "triplets.csv")
    chosen = list(csv.DictReader(io.StringIO((folder / "triplets.csv").read_text())))
    assert chosen
    names = [f"{row['topic']}/{row['run_a']}/{row['run_b']}" for row in chosen]
    table = [["judge", *names]]
    for number, judge in enumerate(("Ann", "Bob", "Cleo")):
        table.append([judge, *(str(1 + (n + number * (n % 2)) % 3) for n in range(len(names)))])
    with (folder / "diversity.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows(table)
    return folder


def expanded(line: str, folder: Path) -> list[str]:
    """A command line as a shell would hand it over."""
    words: list[str] = []
    for word in shlex.split(line)[1:]:
        found = (
            sorted(str(path.relative_to(folder)) for path in folder.glob(word))
            if "*" in word
            else []
        )
        words += found or [word]
    return words


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_the_examples_of_every_kind_draw_what_they_name(
    kind, judged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(judged)
    for line in kind.examples:
        words = expanded(line, judged)
        done(*words, "--quiet")
        if words[0] == "plot":
            check(judged / words[words.index("-o") + 1])


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
