"""Teams: CSV with the columns ``run,team`` and, if wanted, ``task``."""

from __future__ import annotations

from polyseme.collection.formats.csv_files import CsvTable
from polyseme.collection.formats.opening import source_of
from polyseme.collection.formats.report import Report
from polyseme.collection.teams import Teams

COLUMNS = ("run", "team")
EXPECTED = "CSV with the columns run,team, and maybe task"


def read_teams(path: str) -> Teams:
    """The team of each run named, and its task where there is a column for it."""
    source = source_of(path)
    report = Report(source.name)
    table = CsvTable(source, report)
    missing = [name for name in COLUMNS if name not in table.columns]
    if missing:
        report.fatal(
            f"there is no column {missing[0]!r}",
            line=1,
            text=",".join(table.columns),
            expected=EXPECTED,
            remedy="add a header with these names",
        )
    tasks = "task" in table.columns
    teams: dict[str, str] = {}
    task_of_run: dict[str, str] = {}
    for values, line, text in table.records((*COLUMNS, *(["task"] if tasks else []))):
        run, team, *rest = (str(value).strip() for value in values)
        if not run or not team:
            report.fatal(
                "a run or a team has no name",
                line=line,
                text=text,
                expected=EXPECTED,
                remedy="complete the line or remove it",
            )
        if teams.get(run, team) != team:
            report.fatal(
                f"the run {run!r} has two teams: {teams[run]} and {team}",
                line=line,
                text=text,
                expected="one team for each run",
                remedy="remove one of the lines",
            )
        teams[run] = team
        if rest and rest[0]:
            task_of_run[run] = rest[0]
    if not teams:
        report.fatal("there is not one record", expected=EXPECTED, remedy="add the runs")
    return Teams(teams, task_of_run, source.name)
