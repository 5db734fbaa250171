"""Teams: who made which run, and for which task."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from polyseme.errors import InputError, PolysemeWarning, did_you_mean
from polyseme.tables import counted


@dataclass(frozen=True)
class Teams:
    """The team of each run. A team may have many runs, also ones that only contributed."""

    of_run: Mapping[str, str]
    #: the task that a run was made for, where that is known
    task_of_run: Mapping[str, str] = field(default_factory=dict)
    path: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Each team once, in the order in which runs name them."""
        return tuple(dict.fromkeys(self.of_run.values()))

    @property
    def tasks(self) -> tuple[str, ...]:
        """Each task once."""
        return tuple(dict.fromkeys(self.task_of_run.values()))

    def runs_of(self, team: str) -> tuple[str, ...]:
        return tuple(run for run, owner in self.of_run.items() if owner == team)

    def among(self, runs: Sequence[str]) -> Teams:
        """The teams of these runs, in their order; every run must have one."""
        without = [run for run in runs if run not in self.of_run]
        if without:
            raise InputError(
                f"{len(without)} runs have no team (the first: {without[0]!r})",
                path=self.path,
                expected="a line `run,team` for every run, named as its file without suffixes",
                remedy=did_you_mean(without[0], self.of_run) or "add the missing runs",
            )
        absent = [run for run in self.of_run if run not in set(runs)]
        if absent:
            warnings.warn(
                f"{self.path or 'the teams'}: {len(absent)} runs were not given "
                f"(the first: {absent[0]}), so what they alone contributed is not known",
                PolysemeWarning,
                stacklevel=2,
            )
        return Teams(
            {run: self.of_run[run] for run in runs},
            {run: task for run, task in self.task_of_run.items() if run in set(runs)},
            self.path,
        )


def teams_of(source: object, runs: Sequence[str]) -> Teams:
    """The teams of some runs: from a file, a dictionary, or each run as a team of its own."""
    if source is None:
        return Teams({run: run for run in runs})
    if isinstance(source, Teams):
        return source.among(runs)
    if isinstance(source, Mapping):
        return Teams({str(run): str(team) for run, team in source.items()}).among(runs)
    if isinstance(source, str | os.PathLike):
        from polyseme.collection.formats.teams import read_teams

        return read_teams(os.fspath(source)).among(runs)
    raise InputError(
        f"teams are a {type(source).__name__}",
        expected="a CSV file with the columns run,team, or a dictionary {run: team}",
    )


def teams_by_name(runs: Sequence[str], until: str) -> Teams:
    """Teams whose names begin those of their runs, ``until`` some text: ``uog`` of ``uog_1``."""
    if not until:
        raise InputError(
            "the text at which the names of teams end is empty",
            expected="a text that stands in the names of runs, such as _",
            remedy="name it, or give a file of teams",
        )
    without = [run for run in runs if not run.partition(until)[0] or until not in run]
    if without:
        raise InputError(
            f"{counted(len(without), 'run')} without a team before {until!r} "
            f"(the first: {without[0]!r})",
            expected=f"names such as alder{until}1 for every run",
            remedy="give a file of teams (--teams), or name another text",
        )
    return Teams({run: run.partition(until)[0] for run in runs})
