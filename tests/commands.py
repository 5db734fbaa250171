"""What the tests of commands share: running one in this process or in one of its own, and a tiny
collection whose scores can be worked out by hand.
"""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from inspect import signature
from pathlib import Path

from click.testing import CliRunner, Result

from polyseme.cli import main

#: the installed command
POLYSEME = Path(sys.executable).with_name("polyseme")

JUDGMENTS = """\
1 A d1 2
1 B d1 0
1 B d2 1
1 A d3 -2
1 B d3 -2
2 A d4 1
2 A d5 0
"""
PROBABILITIES = "1 A .75\n1 B .25\n2 A 1\n"
#: d9 is unjudged
FIRST = """\
1 Q0 d1 1 3.0 tagged
1 Q0 d9 2 2.0 tagged
1 Q0 d2 3 1.0 tagged
2 Q0 d5 1 2.0 tagged
2 Q0 d4 2 1.0 tagged
"""
#: lacks topic 2; topic 7 is not judged
SECOND = """\
1 Q0 d3 1 9.5 other
1 Q0 d2 2 9.0 other
7 Q0 d1 1 1.0 other
"""


#: the first versions of click mix both streams unless told not to
_APART = {"mix_stderr": False} if "mix_stderr" in signature(CliRunner).parameters else {}


@dataclass(frozen=True)
class Tiny:
    """The files of the tiny collection."""

    folder: Path

    @property
    def judgments(self) -> str:
        return str(self.folder / "judgments.qrels")

    @property
    def probabilities(self) -> str:
        return str(self.folder / "probabilities.txt")

    @property
    def first(self) -> str:
        return str(self.folder / "first.run")

    @property
    def second(self) -> str:
        return str(self.folder / "second.run")

    def write(self, name: str, text: str) -> str:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)


def tiny(folder: Path) -> Tiny:
    """Write the tiny collection."""
    made = Tiny(folder)
    made.write("judgments.qrels", JUDGMENTS)
    made.write("probabilities.txt", PROBABILITIES)
    made.write("first.run", FIRST)
    made.write("second.run", SECOND)
    return made


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    """Run the command here; it must end by itself, without a traceback."""
    result = CliRunner(**_APART).invoke(main, [str(each) for each in arguments], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "Traceback" not in result.stderr
    return result


def done(*arguments: str | Path, stdin: str | None = None) -> Result:
    """Run the command here; it must succeed."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return result


def spawned(
    *arguments: str | Path, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the installed command in a process of its own."""
    return subprocess.run(
        [str(POLYSEME), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, **(env or {})},
    )


def records(text: str) -> list[dict[str, str]]:
    """CSV with a head as dictionaries."""
    return list(csv.DictReader(io.StringIO(text)))


def values(text: str) -> dict[tuple[str, ...], float]:
    """CSV as {(run, topic, ..., measure): value}."""
    return {
        tuple(cell for name, cell in row.items() if name != "value"): float(row["value"])
        for row in records(text)
    }
