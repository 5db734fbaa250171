"""Reading and running the code of Markdown pages, in a folder of the page's own.

* a ``console`` block holds ``$ command`` lines and what a terminal of 88 columns shows then;
* a ``python`` block runs in one namespace with the page's others, and the ``output`` block right
  below it is what it prints;
* a ``code-block`` with a caption is a file of that name;
* ``% setup: command`` is run unseen, ``% needs: module`` tells what must be installed.

A line of three dots stands for any lines. What polyseme's version is does not matter. A command
with nothing below it may show anything.
"""

from __future__ import annotations

import argparse
import contextlib
import glob
import importlib.util
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from polyseme import PolysemeWarning
from polyseme.cli import main

COLUMNS = 88
_FENCE = re.compile(
    r"^(?P<fence>```+)(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=fence)[ ]*$", re.MULTILINE | re.DOTALL
)
_SAID = re.compile(r"^% (setup|needs): (.+)$", re.MULTILINE)
_CAPTION = re.compile(r"\A(?::[\w-]+:.*\n)*?:caption: (\S+)\n(?::[\w-]+:.*\n)*\n?")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_VERSION = re.compile(r"(polyseme|numpy)\W+[0-9]+\.[0-9][\w.]*")
_SHELL = re.compile(r"[|<>;&`]|\$\(")


@dataclass(frozen=True)
class Block:
    """One thing to do, or what was shown after it."""

    kind: str
    text: str
    line: int
    #: where its text stands in the page
    span: tuple[int, int]


def blocks(page: str) -> Iterator[Block]:
    """What there is to run on a page, in its order."""
    found = [(match.start(), match) for match in (*_FENCE.finditer(page), *_SAID.finditer(page))]
    for _, match in sorted(found, key=lambda each: each[0]):
        line = page.count("\n", 0, match.start()) + 1
        if match.re is _SAID:
            yield Block(match[1], match[2], line, match.span(2))
            continue
        info, body = match["info"].strip(), match["body"]
        caption = _CAPTION.match(body) if info.startswith("{code-block}") else None
        if caption:
            start = match.start("body") + caption.end()
            yield Block(f"file {caption[1]}", body[caption.end() :], line, (start, start))
        elif info in ("console", "python", "output"):
            yield Block(info, body, line, match.span("body"))


@dataclass
class Runner:
    """Runs a page's blocks in the current folder, and tells where they differ from what is shown.

    With ``repair`` the page is given what was really printed.
    """

    name: str
    page: str
    repair: bool = False
    problems: list[str] = field(default_factory=list)
    _names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    _repairs: list[tuple[tuple[int, int], str]] = field(default_factory=list)

    def lacking(self) -> list[str]:
        """Modules that the page needs and that are not installed."""
        needed = [block.text.split() for block in blocks(self.page) if block.kind == "needs"]
        return [each for some in needed for each in some if importlib.util.find_spec(each) is None]

    def run(self) -> list[str]:
        printed = ""
        for block in blocks(self.page):
            place = f"{self.name}:{block.line}"
            if block.kind == "console":
                self._console(block, place)
            elif block.kind == "python":
                printed = self._python(block, place)
            elif block.kind == "output":
                self._compare(block.text, printed, place, block.span)
            elif block.kind == "setup":
                _shell(block.text)
            elif block.kind.startswith("file "):
                path = Path(block.kind.removeprefix("file "))
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text, encoding="utf-8")
        return self.problems

    def repaired(self) -> str:
        """The page with what was really printed."""
        page = self.page
        for (start, end), text in reversed(self._repairs):
            page = page[:start] + text + page[end:]
        return page

    def _compare(self, shown: str, printed: str, place: str, span: tuple[int, int]) -> None:
        if not agree(shown, printed):
            trimmed = "\n".join(line.rstrip() for line in printed.split("\n"))
            self._repairs.append((span, trimmed))
            if not self.repair:
                self.problems.append(f"{place} shows\n{shown}\nbut not\n{printed}")

    def _console(self, block: Block, place: str) -> None:
        for start, command, shown in commands(block.text):
            printed, status = execute(command)
            fails = re.search(r"^(error|Error):|^  to mend it:", shown, re.M) is not None
            if (status != 0) != fails and not (self.repair and shown == "?\n"):
                self.problems.append(f"{place}: $ {command}\n  ended with {status}:\n{printed}")
            elif shown:
                first = block.span[0] + start
                self._compare(shown, printed, place, (first, first + len(shown)))

    def _python(self, block: Block, place: str) -> str:
        out = io.StringIO()
        source = "\n" * block.line + block.text
        with warnings.catch_warnings(), contextlib.redirect_stdout(out):
            warnings.simplefilter("ignore", PolysemeWarning)
            try:
                exec(compile(source, self.name, "exec"), self._names)
            except Exception:
                self.problems.append(f"{place}:\n{traceback.format_exc()}")
        return out.getvalue()


def commands(text: str) -> Iterator[tuple[int, str, str]]:
    """Each command of a console block with what is shown below it, and where that begins."""
    starts = [match.start() for match in re.finditer(r"^\$ ", text, re.MULTILINE)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        said = re.match(r"(?:.*\\\n)*.*\n", text[start:end])
        assert said is not None
        command = said[0].removeprefix("$ ").replace("\\\n", " ").strip()
        yield start + said.end(), command, text[start + said.end() : end]


class _Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def execute(command: str) -> tuple[str, int]:
    """What a terminal shows, and the status; polyseme runs in this process where it can."""
    words = [] if _SHELL.search(command) else shlex.split(command)
    if words[:1] != ["polyseme"]:
        return _shell(command)
    shown = _Terminal(io.BytesIO(), encoding="utf-8", write_through=True)
    errors = io.TextIOWrapper(shown.buffer, encoding="utf-8", write_through=True)
    arguments = [found for word in words[1:] for found in (sorted(glob.glob(word)) or [word])]
    with (
        contextlib.redirect_stdout(shown),
        contextlib.redirect_stderr(errors),
        _environment(COLUMNS=str(COLUMNS)),
    ):
        try:
            main.main(arguments, prog_name="polyseme")
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0
    errors.detach()
    return _COLOUR.sub("", shown.buffer.getvalue().decode()), status  # type: ignore[attr-defined]


def _shell(command: str) -> tuple[str, int]:
    done = subprocess.run(
        ["bash", "-c", command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        env={**_here(), "COLUMNS": str(COLUMNS)},
    )
    return done.stdout, done.returncode


def _here() -> dict[str, str]:
    folder = str(Path(sys.executable).parent)
    return {**os.environ, "PATH": folder + os.pathsep + os.environ.get("PATH", "")}


@contextlib.contextmanager
def _environment(**said: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in said}
    os.environ.update(said)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def agree(shown: str, printed: str) -> bool:
    """Is what a page shows what was printed, but for lines of dots and versions?"""

    def lines(text: str) -> list[str]:
        return [line.rstrip() for line in _VERSION.sub(r"\1", text).strip("\n").split("\n")]

    pattern = "\n".join(
        r"(?:.*\n)*?.*" if line.strip() == "..." else re.escape(line) for line in lines(shown)
    )
    return re.fullmatch(pattern, "\n".join(lines(printed))) is not None


def repair(path: Path) -> list[str]:
    """Give a page what is really printed; run in a folder that may be filled."""
    runner = Runner(path.name, path.read_text(encoding="utf-8"), repair=True)
    problems = runner.run()
    path.write_text(runner.repaired(), encoding="utf-8")
    return problems


#: what to install for a module that is called differently
PACKAGES = {"pytrec_eval": "pytrec_eval-terrier", "vl_convert": "vl-convert-python"}


def check(pages: list[Path], *, needing: bool) -> tuple[list[str], set[str]]:
    """Problems of the pages that can run, and what to install for the others.

    With ``needing`` only those are run that need more than polyseme.
    """
    problems: list[str] = []
    lacking: set[str] = set()
    for page in pages:
        runner = Runner(str(page), page.read_text(encoding="utf-8"))
        if needing and not any(block.kind == "needs" for block in blocks(runner.page)):
            continue
        if missing := runner.lacking():
            lacking |= {PACKAGES.get(name, name) for name in missing}
            continue
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            problems += runner.run()
    return problems, lacking


def _main() -> int:
    parser = argparse.ArgumentParser(description="Run the code of pages, or repair what they show.")
    parser.add_argument("pages", nargs="+", type=lambda name: Path(name).resolve())
    parser.add_argument("--check", action="store_true", help="run, and repair nothing")
    parser.add_argument(
        "--needing", action="store_true", help="only pages that need other packages"
    )
    parser.add_argument("--lacking", type=Path, help="file for what should be installed")
    said = parser.parse_args()
    if said.check:
        problems, lacking = check(said.pages, needing=said.needing)
        if said.lacking:
            said.lacking.write_text("".join(f"{name}\n" for name in sorted(lacking)))
        elif lacking:
            problems.append(f"not installed: {', '.join(sorted(lacking))}")
    else:
        problems = []
        for page in said.pages:
            with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
                problems += repair(page)
    print(*problems, sep="\n\n")
    return int(said.check and bool(problems))


if __name__ == "__main__":
    sys.exit(_main())
