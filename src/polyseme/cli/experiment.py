"""``polyseme experiment``."""

from __future__ import annotations

import os
from pathlib import Path

import click

from polyseme.atomic import write_atomically
from polyseme.cli import options
from polyseme.cli.output import SENTENCE, tell
from polyseme.errors import InputError
from polyseme.tables import Column, Report, Table, labels

_USUAL = "experiment.toml"


class _Experiment(click.Group):
    """``init``, or else the file of an experiment."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands:
            args = ["run", *args]
        return super().resolve_command(ctx, args)


@click.group(
    "experiment",
    cls=_Experiment,
    short_help="Make tables, figures and the report that a file declares.",
    epilog=options.examples(
        "polyseme experiment init",
        "polyseme experiment experiment.toml",
        "polyseme experiment experiment.toml --only tables.scores",
    ),
)
def experiment() -> None:
    """Make all tables and figures that a file of TOML declares, and the report, in a folder.

    The file says which collections, measures, tests and figures; `polyseme experiment init` writes
    one with comments. The folder gets a lock with versions, digests of inputs and seeds: what did
    not change is reused the next time, and each step says why it was made.
    """


@experiment.command(
    short_help="Run the experiment that a file declares.",
    epilog=options.examples(
        "polyseme experiment init",
        "polyseme experiment run experiment.toml --folder results",
        "polyseme experiment run experiment.toml --folder results --format json",
    ),
)
@click.argument("file")
@click.option("--folder", metavar="DIR", help="Where results go.  [default: what the file says]")
@click.option("--only", multiple=True, metavar="STEP", help="Only this step; repeatable.")
@click.option("--fresh", is_flag=True, help="Make everything again.")
@click.option("--check", is_flag=True, help="Only see whether the declaration is sound.")
@options.jobs
@options.told
@options.quiet
def run(
    file: str,
    folder: str | None,
    only: tuple[str, ...],
    fresh: bool,
    check: bool,
    jobs: int,
    told_as: str,
    quiet: bool,
) -> None:
    """Run the experiment that FILE declares.

    Its folder gets a file for each table and format, for each figure and format, index.html and
    experiment.lock.json. Paths in FILE are as seen from its own folder.
    """
    from polyseme.cli.experiments.declaration import declared
    from polyseme.cli.experiments.places import Document
    from polyseme.cli.experiments.running import Done, Work

    wanted = declared(Document.read(file))
    place = Path(folder) if folder else Path(os.path.dirname(file), wanted.folder)
    said = told_as == SENTENCE and not quiet

    def say(done: Done) -> None:
        if said:
            why = f" ({done.why})" if done.why else ""
            click.echo(f"{done.title}: {done.state}{why}")

    if check:
        found = [
            Done(step.title, "sound", "", tuple(step.files().values())) for step in wanted.steps
        ]
        sentence = f"{file}: {len(found)} steps, all sound"
    else:
        work = Work(wanted, place.resolve(), fresh=fresh, jobs=jobs, quiet=quiet, tell=say)
        found = work.run(only)
        made = sum(done.state == "made" for done in found)
        sentence = f"{place}: {made} of {len(found)} steps made, the others reused"
    rows = [(each.title, each.state, each.why, " ".join(each.files)) for each in found]
    columns = (*labels("step", "state", "why"), Column("files", "label"))
    tell(sentence, Report(Table(columns, rows)), told_as, quiet=quiet)


@experiment.command(
    short_help="Write a file that declares an experiment, with comments.",
    epilog=options.examples(
        "polyseme experiment init", "polyseme experiment init mine.toml --force"
    ),
)
@click.argument("file", default=_USUAL)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@options.told
@options.quiet
def init(file: str, force: bool, told_as: str, quiet: bool) -> None:
    """Write FILE, an experiment with comments, to be changed as you like.

    It is about judgments.qrels and runs/*.run, and runs as it stands in a folder that polyseme
    synth made.
    """
    from polyseme.cli.experiments.template import TEMPLATE

    if os.path.exists(file) and not force:
        raise InputError(
            "there is a file of this name",
            path=file,
            expected="a new name",
            remedy="choose another name, or say --force",
        )
    with write_atomically(file) as stream:
        stream.write(TEMPLATE)
    sentence = f"{file} is written; run it with: polyseme experiment {file}"
    tell(sentence, Report(Table(labels("file"), [(file,)])), told_as, quiet=quiet)
