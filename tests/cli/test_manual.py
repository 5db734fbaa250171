"""Manual pages: every command has one, and it reads as a manual page should."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from commands import done, run
from polyseme.cli import main, tree
from polyseme.cli.roff import page_name, pages

EVERY = list(tree.commands(main))
PAGES = pages()


def needed(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def shown(text: str) -> str:
    """A page as `man` shows it, in one line."""
    done = subprocess.run(
        [needed("man"), "--warnings", "-l", "-"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
        env={
            "PATH": "/usr/bin:/bin",
            "MANWIDTH": "4000",
            "LC_ALL": "C.UTF-8",
            "MANOPT": "--nh --nj",
        },
    )
    assert done.stderr == ""
    return " ".join(re.sub(r".\x08", "", done.stdout).split())


def test_every_command_has_a_page_and_is_in_the_first_one() -> None:
    names = {page_name(*context.command_path.split()) for context in EVERY}
    assert set(PAGES) == names | {"polyseme"}
    text = shown(PAGES["polyseme"])
    for name in names:
        assert f"{name}(1)" in text


@pytest.mark.parametrize("context", EVERY, ids=lambda context: str(context.command_path))
def test_a_page_tells_what_help_tells(context: object) -> None:
    assert isinstance(context, tree.click.Context)
    text = shown(PAGES[page_name(*context.command_path.split())])
    for paragraph in tree.paragraphs(context.command):
        assert paragraph.replace("`", "") in text.replace("`", "")
    for _, names, meaning in tree.options(context):
        assert f"{names} {' '.join(meaning.split())}" in text
    for line in tree.example_lines(context.command):
        assert " ".join(line.split()) in text


def test_no_page_has_anything_that_mandoc_complains_of(tmp_path: Path) -> None:
    done("manual", "--into", tmp_path / "man1")
    files = sorted((tmp_path / "man1").iterdir())
    assert {file.stem for file in files} == set(PAGES)
    checked = subprocess.run(
        [needed("mandoc"), "-T", "lint", "-W", "warning", *files],
        capture_output=True,
        text=True,
        check=False,
    )
    # a date would make two builds of one version differ
    said = [line for line in checked.stdout.splitlines() if "missing date" not in line]
    assert said == []


def test_a_page_is_printed_by_its_commands_name() -> None:
    assert done("manual").stdout == PAGES["polyseme"]
    assert done("manual", "plot", "scatter").stdout == PAGES["polyseme-plot-scatter"]
    wrong = run("manual", "evalute")
    assert wrong.exit_code == 1
    assert "did you mean polyseme-evaluate" in wrong.stderr
    assert run("manual", "evaluate", "--into", "man1").exit_code == 2
