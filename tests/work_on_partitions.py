"""Work for the tests of engines, where other processes can import it."""

from __future__ import annotations

import os
import signal
import time
import warnings
from pathlib import Path

from polyseme.errors import InputError, MissingExtra, PolysemeWarning


def squared(number: int) -> int:
    return number * number


def warned(number: int) -> int:
    warnings.warn(f"beware of {number}", PolysemeWarning, stacklevel=2)
    return number


def failing(number: int) -> int:
    if number == 3:
        raise InputError("three", path="x", line=3, remedy="take two")
    if number == 5:
        raise MissingExtra("five", "parquet")
    return number


def dividing(number: int) -> float:
    return 1 / (number - 3)


def dying(number: int) -> int:
    """Number 3 is the death of whoever works on it."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


class Deadly:
    """The death of whoever works on it first; harmless afterwards."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, number: int) -> int:
        mark = self.folder / str(number)
        if number % 5 == 3 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number


class Slow:
    """Leaves a trace of every partition, and takes its time."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self.folder = folder
        self.seconds = seconds

    def __call__(self, number: int) -> int:
        (self.folder / f"{number}.{os.getpid()}").touch()
        time.sleep(self.seconds)
        return os.getpid()
