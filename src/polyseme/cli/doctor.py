"""``polyseme doctor``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

import polyseme
from polyseme.cli import installation, options
from polyseme.cli.output import Output
from polyseme.tables import Column, Report, Row, Table, labels

COLUMNS = ("what", "name", "value", "remark")


@click.command(
    short_help="Check this installation.",
    epilog=options.examples("polyseme doctor", "polyseme doctor --format json"),
)
@options.output(usual="table")
def doctor(output: Output) -> None:
    """Tell what is installed: versions, compiled or plain parts, extras and what they are for.

    A tiny collection is evaluated and compared with known numbers; where they differ, the exit
    status is 1. What is printed is a good beginning of a report of an error.
    """
    with output.opened() as write:
        wrong = installation.self_check()
        rows = list(_rows(wrong))
        write(
            Report(
                data=Table(
                    (*labels(*COLUMNS[:3]), Column(COLUMNS[3], "prose")),
                    rows,
                ),
                facts=_facts(rows, wrong),
            )
        )
    if wrong:
        click.get_current_context().exit(1)


def _rows(wrong: list[str]) -> Iterator[Row]:
    for name, value in installation.versions():
        yield "version", name, value, ""
    yield "version", "installed in", str(Path(polyseme.__file__).parent), ""
    for name, form, reason in installation.compiled_parts():
        yield "compiled", name, form, reason
    packages = installation.requirements()
    for extra, use in installation.NEEDED_FOR.items():
        held = {name: installation.version_of(name) for name in packages.get(extra, [])}
        there = ", ".join(f"{name} {version}" for name, version in held.items() if version)
        lacking = [name for name, version in held.items() if version is None]
        if held and not lacking:
            yield "extra", extra, there, use
        else:
            remedy = f"pip install 'polyseme[{extra}]'"
            lacks = f" ({', '.join(lacking)})" if there else ""
            yield "extra", extra, f"lacking{lacks}", f"disabled: {use}; {remedy}"
    for name, value in installation.machine():
        yield "machine", name, value, ""
    count = installation.checked_measures()
    if not wrong:
        yield "self-check", "scores", "passed", f"{count} measures as worked out by hand"
    for sentence in wrong:
        yield "self-check", "scores", "failed", sentence


def _facts(rows: list[Row], wrong: list[str]) -> dict[str, Any]:
    """The same by names, for programs that look for one thing."""
    held: dict[str, Any] = {"sound": not wrong}
    for what, name, value, _ in rows:
        held.setdefault(str(what).replace("-", "_"), {})[str(name)] = value
    return held
