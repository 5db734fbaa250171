"""A progress bar on a terminal, for work that takes more than a second."""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import rich.progress

PATIENCE = 1.0


class Progress:
    """Counts steps; after a second it shows them on standard error, if that is a terminal."""

    def __init__(self, steps: int = 1, *, quiet: bool = False, name: str = "judgments") -> None:
        self._steps = steps
        self._done = 0
        self._begun = 0
        self._name = name
        self._bar: rich.progress.Progress | None = None
        self._task: rich.progress.TaskID | None = None
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        if not quiet and sys.stderr is not None and sys.stderr.isatty():
            self._timer = threading.Timer(PATIENCE, self._appear)
            self._timer.daemon = True

    def __enter__(self) -> Progress:
        if self._timer is not None:
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.done()

    def step(self, name: str) -> None:
        """The next step begins."""
        with self._lock:
            self._begun += 1
            self._done = self._begun - 1
            self._name = name
            self._show()

    def reached(self, done: int, steps: int, name: str | None = None) -> None:
        """So many of so many steps are done, where both are known only on the way."""
        with self._lock:
            self._done, self._steps = done, steps
            self._name = name or self._name
            self._show()

    def done(self) -> None:
        """All is done, or nothing more will be: the bar goes away."""
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._timer = None
            if self._bar is not None:
                self._bar.stop()
                self._bar = None

    def _appear(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        with self._lock:
            if self._timer is None:
                return
            self._bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TextColumn("{task.completed:.0f} of {task.total:.0f}"),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task("", total=self._steps)
            self._show()
            self._bar.start()

    def _show(self) -> None:
        if self._bar is not None and self._task is not None:
            self._bar.update(
                self._task, description=self._name, completed=self._done, total=self._steps
            )
