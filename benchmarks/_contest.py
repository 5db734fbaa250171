"""Programs that take turns: what each takes as a whole process, in time and in memory.

Nothing here loads more than it must: what a child's largest memory is said to be is never less
than what its parent held when it was started.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median

PEERS = Path(__file__).parent / "peers"
PACKAGES = (
    "polyseme",
    "numpy",
    "isal",
    "pyndeval",
    "ir_measures",
    "pytrec_eval-terrier",
    "ranx",
    "polars",
)


@dataclass(frozen=True)
class Contender:
    name: str
    command: Sequence[str | Path]
    #: ours should be so many times as fast as this
    goal: float | None = None
    #: and this should need no more memory, in MB
    most_memory: float | None = None


@dataclass
class Taken:
    """What one contender took, round by round."""

    seconds: list[float] = field(default_factory=list)
    #: the largest memory, in MB
    memory: float = 0.0

    @property
    def median(self) -> float:
        return median(self.seconds)


def ours(*arguments: str | Path) -> list[str | Path]:
    """The command of this environment."""
    return [Path(sys.executable).parent / "polyseme", *arguments]


def peer(script: str, *arguments: str | Path) -> list[str | Path]:
    """A script of another program, run by this Python."""
    return [sys.executable, PEERS / script, *arguments]


def installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def contest(contenders: Sequence[Contender], rounds: int) -> dict[str, Taken]:
    """Let all take turns. A first round warms caches of files and of code, and is not counted."""
    taken = {contender.name: Taken() for contender in contenders}
    for number in range(rounds + 1):
        for contender in contenders:
            seconds, memory = once(contender.command)
            if number:
                taken[contender.name].seconds.append(seconds)
                taken[contender.name].memory = max(taken[contender.name].memory, memory)
    return taken


def once(command: Sequence[str | Path]) -> tuple[float, float]:
    """Seconds and MB that one process takes; what it prints goes nowhere, unless it fails."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{said.decode(errors='replace')}")
    return seconds, used.ru_maxrss / 1024


def tell(title: str, contenders: Sequence[Contender], taken: Mapping[str, Taken]) -> None:
    """A table; times are how often the first contender would have run meanwhile."""
    base = taken[contenders[0].name].median
    print(f"\n{title}; medians of {len(taken[contenders[0].name].seconds)} rounds")
    print(f"{'':30}{'seconds':>9}{'times':>8}{'goal':>7}{'MB':>8}{'goal':>7}")
    for contender in contenders:
        found = taken[contender.name]
        goal = f"{contender.goal:g}" if contender.goal else ""
        memory = f"{contender.most_memory:g}" if contender.most_memory else ""
        print(
            f"{contender.name:30}{found.median:9.3f}{found.median / base:8.1f}{goal:>7}"
            f"{found.memory:8.0f}{memory:>7}",
            flush=True,
        )


def tell_versions() -> None:
    held = ", ".join(f"{name} {version(name)}" for name in PACKAGES if installed(name))
    print(f"\nPython {sys.version.split()[0]}, {held}; {os.cpu_count()} processors")


def made(folder: Path, **shape: int) -> tuple[Path, list[Path]]:
    """Files of that shape, made by another process: this one stays small."""
    if not (folder / "judgments.qrels").exists():
        options = [word for name, value in shape.items() for word in (f"--{name}", str(value))]
        script = Path(__file__).parent / "_trec_files.py"
        command = [sys.executable, script, folder, *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder / "judgments.qrels", sorted((folder / "runs").glob("*.run"))


def compressed(paths: Sequence[Path]) -> list[Path]:
    """The same files with gzip."""
    for path in paths:
        if not Path(f"{path}.gz").exists():
            subprocess.run([shutil.which("gzip") or "gzip", "-k", "-5", path], check=True)
    return [Path(f"{path}.gz") for path in paths]
