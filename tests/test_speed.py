"""That nothing has become slow by a mistake: ratios within one run, never times.

How fast things are is for `make bench` to tell. Here a small version of its work must keep a wide
margin over the plain readers and kernels, in processor time, which a busy machine changes least.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import POLYSEME
from polyseme import kernels

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"
SHAPE = {"runs": 6, "topics": 40, "documents": 1000, "intents": 4, "judged": 300}
ROUNDS = 3

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not kernels.COMPILED, reason="nothing is compiled here"),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Judgments, then runs."""
    folder = tmp_path_factory.mktemp("speed")
    options = [word for name, value in SHAPE.items() for word in (f"--{name}", str(value))]
    script = BENCHMARKS / "_trec_files.py"
    subprocess.run([sys.executable, script, folder, *options], check=True, capture_output=True)
    return [folder / "judgments.qrels", *sorted((folder / "runs").iterdir())]


def taken(files: list[Path], *, plain: bool = False) -> tuple[float, bytes]:
    """Processor seconds of a whole `polyseme evaluate`, and what it wrote."""
    command = [POLYSEME, "evaluate", *files, "-m", "sakai2019 trec", "--quiet"]
    environment = {**os.environ, "POLYSEME_PLAIN": "1" if plain else "0"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        written = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime, written


def rounds(files: list[Path]) -> Iterator[tuple[float, float]]:
    """Both, in turns, so that a busy spell slows both."""
    for _ in range(ROUNDS):
        (fast, one), (slow, other) = taken(files), taken(files, plain=True)
        assert one == other
        yield fast, slow


def test_compiled_code_takes_less_than_half_of_what_plain_code_takes(files: list[Path]) -> None:
    fast, slow = (min(column) for column in zip(*rounds(files), strict=True))
    assert slow > 2 * fast, f"compiled {fast:.2f} s, plain {slow:.2f} s"


def test_five_times_the_runs_take_less_than_eight_times_as_long(files: list[Path]) -> None:
    judgments, *runs = files
    one = min(taken([judgments, runs[0]])[0] for _ in range(ROUNDS))
    five = min(taken([judgments, *runs[:5]])[0] for _ in range(ROUNDS))
    assert five < 8 * one, f"one run {one:.2f} s, five {five:.2f} s"
