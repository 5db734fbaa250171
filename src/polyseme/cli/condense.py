"""``polyseme condense``."""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from collections.abc import Sequence
from typing import Any

import click

from polyseme.atomic import unwritable
from polyseme.cli import options
from polyseme.cli.output import tell
from polyseme.cli.progress import Progress
from polyseme.collection.condensing import condense as condensed
from polyseme.collection.condensing import told
from polyseme.collection.formats.writing import write_runs
from polyseme.collection.reading import read_qrels, read_runs
from polyseme.collection.runs import Ordering, Run, Runs
from polyseme.errors import InputError, PolysemeWarning
from polyseme.tables import Column, Report, Table, counted, labels

SUFFIX = ".run"


@click.command(
    short_help="Write runs without their unjudged documents.",
    epilog=options.examples(
        "polyseme condense judgments.qrels runs/*.run -o condensed",
        "polyseme condense judgments.qrels runs/alder-1.run -o top --order rank --depth 10",
    ),
)
@click.argument("judgments")
@click.argument("runs", nargs=-1, required=True)
@click.option("-o", "--output", metavar="DIR", required=True, help="Folder to write runs into.")
@options.order
@options.duplicates
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    metavar="N",
    help="Most documents of a topic to keep.  [default: all]",
)
@options.inputs
@click.option("--force", is_flag=True, help="Overwrite files of the same names.")
@options.told
@options.quiet
def condense(
    judgments: str,
    runs: tuple[str, ...],
    output: str,
    order: Any,
    duplicates: Any,
    depth: int | None,
    input_format: str | None,
    runs_format: str | None,
    run_names: Any,
    force: bool,
    told_as: str,
    quiet: bool,
) -> None:
    """Write RUNS without the documents that JUDGMENTS do not know, a file a run.

    Ranks are numbered anew, and a topic's scores are kept where they descend strictly, so that any
    program orders the documents the same way; elsewhere scores count down to 1. A measure of the
    condensed run is the primed measure of the run: ERR-IA@10 of one is ERR-IA'@10 of the other.

    Files are TREC runs, those of runs with iterations TREC Dynamic Domain runs. All are written,
    or none.
    """
    options.check_standard_input(judgments, *runs)
    judged = read_qrels(judgments, format=input_format)
    given = read_runs(*runs, format=runs_format or input_format, names=run_names)
    _check_folder(output, given, force)
    how = Ordering(order or "score", duplicates)
    rows: list[tuple[str, int, int, int, int]] = []
    stage = _stage(output)
    try:
        with Progress(len(given), quiet=quiet) as progress:
            for run in given:
                progress.step(run.name)
                made = condensed(run, judged, how, depth=depth)
                rows.append((run.name, len(made.lists), made.retrieved, made.kept, made.rescored))
                form = "trec-dd" if made.lists[0].iterations is not None else "trec"
                result = Run(run.name, lambda made=made: made.lists)  # type: ignore[misc]
                write_runs([result], os.path.join(stage, run.name + SUFFIX), format=form)
                for sentence in told(made):
                    warnings.warn(sentence, PolysemeWarning, stacklevel=1)
        _move(stage, output, given)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
    columns = (*labels("run"), *map(Column, ("lists", "retrieved", "kept", "rescored")))
    tell(f"{output}: {_said(rows)}", Report(Table(columns, rows)), told_as, quiet=quiet)


def _said(rows: Sequence[tuple[str, int, int, int, int]]) -> str:
    """All runs together, in a sentence."""
    lists, retrieved, kept, rescored = (sum(row[place] for row in rows) for place in range(1, 5))  # type: ignore[misc]
    return (
        f"{counted(len(rows), 'run')}, {kept:,} of {retrieved:,} documents retrieved for judged "
        "topics" + (f"; {rescored:,} of {lists:,} lists have new scores" if rescored else "")
    )


def _check_folder(folder: str, runs: Runs, force: bool) -> None:
    for name in runs.names:
        if name in (".", "..") or os.path.basename(name) != name or not name:
            raise InputError(
                f"a run is named {name!r}, which cannot be a file's name",
                expected="a name without slashes",
                remedy="rename the run",
            )
        path = os.path.join(folder, name + SUFFIX)
        if not force and os.path.lexists(path):
            raise InputError(
                "the file is there already",
                path=path,
                expected="a folder without runs of these names",
                remedy="choose another folder, or say --force to overwrite it",
            )


def _stage(folder: str) -> str:
    """A place on the same disk for files that are not all there yet."""
    try:
        if os.path.lexists(folder) and not os.path.isdir(folder):
            raise NotADirectoryError(20, "it is a file, not a folder", folder)
        above = folder if os.path.isdir(folder) else os.path.dirname(os.path.abspath(folder))
        return tempfile.mkdtemp(prefix=".condensed-", dir=above)
    except (OSError, ValueError) as error:
        raise unwritable(folder, error) from None


def _move(stage: str, folder: str, runs: Runs) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
        for name in runs.names:
            os.replace(os.path.join(stage, name + SUFFIX), os.path.join(folder, name + SUFFIX))
    except OSError as error:
        raise unwritable(folder, error) from None
