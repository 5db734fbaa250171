"""Commands as an experiment uses them: their options by name, and what they find."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from typing import Any

import click

from polyseme.cli.kinds import finding_parameters, source_of
from polyseme.cli.output import Output, Writer
from polyseme.reporting.figures.kinds import KINDS as FIGURES
from polyseme.reporting.kinds import Kind
from polyseme.reporting.papers.kinds import KINDS as TABLES

#: commands whose findings can be tables of an experiment
ANALYSES = (
    *("evaluate", "explain", "describe", "pool", "loo", "depth", "correlate", "compare"),
    *("discriminate", "unanimity", "concordance", "pairs", "agree", "sensitivity", "grid"),
    "properties",
)
REPORT = "report"
#: options that say where results go, and how commands work
_NOT_SAID = ("format", "output", "quiet", "jobs", "engine", "help", "write_judgments")


@dataclass(frozen=True)
class Finder:
    """A command that finds something, and what a kind settles of its options."""

    name: str
    command: click.Command = field(compare=False, repr=False)
    parameters: tuple[click.Parameter, ...] = field(compare=False, repr=False)
    presets: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of_kind(cls, kind: Kind) -> Finder:
        return cls(kind.source, source_of(kind), tuple(finding_parameters(kind, ())), kind.presets)

    @classmethod
    def of_command(cls, name: str) -> Finder:
        found: click.Command = getattr(import_module(f"polyseme.cli.{name}"), name)
        kept = tuple(
            each for each in found.params if each.name not in ("format", "output", "quiet")
        )
        return cls(name, found, kept)

    @cached_property
    def options(self) -> dict[str, click.Option]:
        """By the long name, without its dashes; those that may stand in a file."""
        return {
            _long(each): each
            for each in self.parameters
            if isinstance(each, click.Option) and each.name not in _NOT_SAID
        }

    @property
    def inputs(self) -> tuple[str, ...]:
        """What it takes by place."""
        return tuple(str(each.name) for each in self.parameters if isinstance(each, click.Argument))

    def needs_no_scores(self, said: Mapping[str, Any]) -> bool:
        """Is it about people alone?"""
        settled = any(self.presets.get(each) for each in ("reliable", "majority"))
        return settled or "reliability" in said or "majority" in said

    def leaves_runs(self, said: Mapping[str, Any]) -> bool:
        """Does it take no runs as it is asked?"""
        if "of" not in self.options:
            return False
        _, of = said.get("of", ((), self.options["of"].default))
        return bool(of == "sensitivity")

    def check(self, arguments: Sequence[str], place: Callable[[str], Any], reader: Any) -> None:
        """Are these arguments that the command takes? An error names the key."""
        try:
            self.context(arguments)
        except click.UsageError as error:
            option = getattr(error, "option_name", None)
            if isinstance(error, click.BadParameter) and error.param is not None:
                option = _long(error.param) if isinstance(error.param, click.Option) else None
            raise reader.document.error(
                place(str(option).lstrip("-")) if option else place(""),
                f"{option}: {error.message}" if option else error.message,
            ) from None

    def context(self, arguments: Sequence[str]) -> click.Context:
        """The command's parameters with what is said."""
        bare = click.Command(self.name, params=list(self.parameters), add_help_option=False)
        return bare.make_context(self.name, list(arguments))

    def find(self, arguments: Sequence[str], *, draws: bool, quiet: bool, jobs: int) -> Any:
        """What it finds."""
        held: list[Any] = []
        output = (_Drawn if draws else _Kept)("json", "-", quiet, held)
        self.run(arguments, output, jobs)
        return held[0]

    def run(self, arguments: Sequence[str], output: Output, jobs: int) -> None:
        """Let it work, and hand what it finds to an output."""
        said = list(arguments)
        if any(each.name == "jobs" for each in self.parameters):
            said += ["--jobs", str(jobs)]
        work = self.command.callback
        assert work is not None
        # not within the context: warnings look whether the experiment is to be quiet
        work(**self.context(said).params, **self.presets, output=output)


@cache
def known_options() -> frozenset[str]:
    """Options of any analysis."""
    finders = [Finder.of_command(name) for name in ANALYSES]
    finders += [Finder.of_kind(kind) for kinds in (FIGURES, TABLES) for kind in kinds.values()]
    return frozenset(name for finder in finders for name in finder.options)


def _long(option: click.Parameter) -> str:
    return max(option.opts, key=len).lstrip("-")


@dataclass(frozen=True)
class _Kept(Output):
    """A place that keeps what is found."""

    held: list[Any]

    @contextmanager
    def opened(self) -> Iterator[Writer]:
        yield _Keeper(self, io.StringIO(), self.held)


@dataclass(frozen=True)
class _Drawn(_Kept):
    """The same for figures, which need no scores where they show relations."""

    draws = True


@dataclass(frozen=True)
class _Keeper(Writer):
    held: list[Any]

    def __call__(self, found: Any) -> None:
        self.held.append(found)
