"""The memory of a command with all processes that it begins, from Linux's /proc."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path


def peak(
    command: Sequence[str], env: Mapping[str, str] | None = None, *, pause: float = 0.05
) -> tuple[int, int]:
    """The most bytes that a command and its children took together, and its exit status."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, env={**os.environ, **(env or {})}
    )
    most = 0
    while process.poll() is None:
        most = max(most, sum(map(own_bytes, family(process.pid))))
        time.sleep(pause)
    return most, process.returncode


def family(process: int) -> list[int]:
    """A process and all that descend from it."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []
    return [process, *(one for child in children for one in family(int(child)))]


def own_bytes(process: int) -> int:
    """What a process takes; what processes share is divided among them."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) << 10
