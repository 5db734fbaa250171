"""Typing into a program on a terminal of its own, and reading what it shows."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from types import TracebackType


class Terminal:
    """A program with a terminal; what it wrote is kept."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str]) -> None:
        self._ours, theirs = pty.openpty()
        self._process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=dict(env), close_fds=True
        )
        os.close(theirs)
        self.seen = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def wait_for(self, text: str, seconds: float = 30) -> str:
        """What was shown from here on until the text came."""
        start, end = len(self.seen), time.monotonic() + seconds
        while text not in self.seen[start:]:
            ready = select.select([self._ours], [], [], max(0.0, end - time.monotonic()))[0]
            assert ready, f"no {text!r} in {self.seen[start:]!r}"
            self.seen += os.read(self._ours, 1 << 16).decode(errors="replace")
        return self.seen[start:]
