"""What the tests of reports share: a page, and what other commands print of the same files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from commands import done
from reading_pages import Page

MEASURES = "D#-nDCG@10 I-rec@10 D-nDCG@10 ERR-IA@10 RBU@10"
CHANCE = ("--trials", "300", "--seed", "3")


@dataclass(frozen=True)
class Made:
    """A page, and what it was made from."""

    path: Path
    folder: Path

    @cached_property
    def page(self) -> Page:
        return Page.at(self.path)

    @property
    def judgments(self) -> str:
        return str(self.folder / "judgments.qrels")

    @property
    def runs(self) -> list[str]:
        return [str(path) for path in sorted((self.folder / "runs").iterdir())]

    def printed(self, command: str, *more: str, measures: str = MEASURES) -> str:
        """What another command prints of the same files."""
        return done(command, self.judgments, *self.runs, "-m", measures, *more).stdout

    def printed_of_judgments(self, command: str, *more: str) -> str:
        return done(command, self.judgments, *more).stdout
