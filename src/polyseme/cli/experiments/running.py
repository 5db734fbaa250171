"""Running an experiment: what changed is made again, all else is left as it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import IO, Any

import click

from polyseme.atomic import make_folder, write_atomically
from polyseme.cli.experiments.commands import REPORT
from polyseme.cli.experiments.declaration import Experiment, Step
from polyseme.cli.experiments.locking import Inputs, Lock, Record, digest
from polyseme.cli.output import Output
from polyseme.errors import InputError, PolysemeError, did_you_mean
from polyseme.hypertext import document
from polyseme.reporting.figures.drawing import BINARY as BINARY_FIGURES
from polyseme.reporting.figures.drawing import rendered
from polyseme.reporting.figures.kinds import figure
from polyseme.reporting.formats import BINARY, write
from polyseme.reporting.papers.kinds import report_as
from polyseme.results import Findings
from polyseme.tables import Report

INDEX = "index.html"
_PICTURES = (".svg", ".png")


@dataclass(frozen=True)
class Done:
    """What became of a step."""

    title: str
    state: str
    why: str
    files: tuple[str, ...]


@dataclass
class Work:
    """An experiment at work in a folder."""

    experiment: Experiment
    folder: Path
    fresh: bool = False
    jobs: int = 1
    quiet: bool = False
    tell: Callable[[Done], None] = lambda done: None
    _found: dict[Any, Any] = field(default_factory=dict)

    def run(self, only: Collection[str] = ()) -> list[Done]:
        """Make what is not as it should be; ``only`` names steps."""
        steps = self._wanted(only)
        make_folder(str(self.folder))
        lock = Lock.read(self.folder)
        found: list[Done] = []
        with _inside(os.path.dirname(self.experiment.document.name) or "."):
            inputs = Inputs()
            for step in steps:
                found.append(self._step(step, lock, inputs))
                self.tell(found[-1])
                lock.write(self.folder, self.experiment)
        if not only:
            for done in self._removed(lock):
                found.append(done)
                self.tell(done)
            # in the order of the file, whatever was made first
            lock.steps = {step.title: lock.steps[step.title] for step in self.experiment.steps}
        lock.write(self.folder, self.experiment)
        self._write_index(lock)
        return found

    def _wanted(self, only: Collection[str]) -> list[Step]:
        known = {step.title: step for step in self.experiment.steps}
        for name in only:
            if name not in known:
                raise PolysemeError(
                    f"there is no step {name!r}; "
                    + (did_you_mean(name, known) or f"the steps are {', '.join(known)}")
                )
        return [step for title, step in known.items() if not only or title in only]

    # ---- one step -----------------------------------------------------------------------------

    def _step(self, step: Step, lock: Lock, inputs: Inputs) -> Done:
        wanted = Record.wanted(step, inputs)
        before = lock.steps.get(step.title)
        why = "asked for" if self.fresh else wanted.outdated(before, self.folder)
        files = tuple(step.files().values())
        if why is None and before is not None:
            self._drop(before, files)
            kept = {name: before.files[name] for name in files}
            lock.steps[step.title] = Record(wanted.made_of, kept, before.notes)
            return Done(step.title, "reused", "", files)
        try:
            notes = self._made(step)
        except click.UsageError as error:
            raise self._wrong(step, error.message) from None
        except PolysemeError as error:
            raise self._wrong(step, str(error)) from None
        if before is not None:
            self._drop(before, files)
        lock.steps[step.title] = wanted.written(self.folder, notes)
        return Done(step.title, "made", why or "", files)

    def _drop(self, before: Record, files: Collection[str]) -> None:
        """Files of formats that are wanted no more."""
        for name, held in before.files.items():
            if name not in files:
                _forget(self.folder / name, held)

    def _wrong(self, step: Step, problem: str) -> InputError:
        place = (REPORT,) if step.section == REPORT else (step.section, step.name)
        return self.experiment.document.error(place, f"{step.title}: {problem}")

    def _made(self, step: Step) -> tuple[str, ...]:
        """Write the files of a step, and give the notes that belong to it."""
        places = {form: self.folder / name for form, name in step.files().items()}
        for place in places.values():
            make_folder(str(place.parent))
        if step.section == REPORT:
            (request,) = step.requests
            output = Output("html", str(places["html"]), self.quiet)
            request.finder.run(request.arguments, output, self.jobs)
            return ()
        found = [self._finding(step, number) for number in range(len(step.requests))]
        if step.section == "figures":
            made = figure(found[0], step.kind.name if step.kind else None, **step.options)
            for form, place in places.items():
                _write(place, rendered(made, form, **step.look), form in BINARY_FIGURES)
            return (f"{made.title}. {made.description}", *made.notes)
        report = _reported(found[0])
        if step.kind is not None:
            report = report_as(*found, kind=step.kind.name, names=step.names, **step.options)
        for form, place in places.items():
            with _opened(place, binary=form in BINARY) as stream:
                write(report, form, stream)
        captions = [table.caption for table in report.seen if table.caption]
        return (*captions[:1], *report.all_notes)

    def _finding(self, step: Step, number: int) -> Any:
        """What a request finds; steps that ask the same share it."""
        request = step.requests[number]
        draws = step.section == "figures"
        presets = tuple(sorted((key, str(each)) for key, each in request.finder.presets.items()))
        key = (request.finder.name, presets, request.arguments)
        if key not in self._found:
            self._found[key] = request.finder.find(
                request.arguments, draws=draws, quiet=self.quiet, jobs=self.jobs
            )
        return self._found[key]

    # ---- what is left -------------------------------------------------------------------------

    def _removed(self, lock: Lock) -> Iterator[Done]:
        """Files of steps that are declared no more; what somebody changed stays."""
        declared = {step.title for step in self.experiment.steps}
        current = {name for step in self.experiment.steps for name in step.files().values()}
        for title in [each for each in lock.steps if each not in declared]:
            files = lock.steps.pop(title).files
            for name, held in files.items():
                if name not in current:
                    _forget(self.folder / name, held)
            yield Done(title, "removed", "it is declared no more", tuple(files))

    def _write_index(self, lock: Lock) -> None:
        """A page with all that was made."""
        pieces = []
        for title, record in lock.steps.items():
            links = ", ".join(
                f'<a href="{escape(name)}">{escape(name)}</a>' for name in record.files
            )
            shown = next((name for name in record.files if name.endswith(_PICTURES)), None)
            about = escape(record.notes[0]) if record.notes else ""
            picture = f'<img src="{escape(shown)}" alt="{about}" loading="lazy">' if shown else ""
            notes = "".join(f"<p>{escape(note)}</p>" for note in record.notes)
            pieces.append(f"<h2>{escape(title)}</h2>\n<p>{links}</p>\n{picture}\n{notes}")
        with write_atomically(self.folder / INDEX) as stream:
            stream.write(document(self.experiment.title, "\n".join(pieces), pictures=True))


def _reported(found: Any) -> Report:
    report: Report = found.report() if isinstance(found, Findings) else found
    return report


def _write(place: Path, made: str | bytes, binary: bool) -> None:
    with _opened(place, binary=binary) as stream:
        stream.write(made)


@contextmanager
def _opened(place: Path, *, binary: bool) -> Iterator[IO[Any]]:
    # two calls, since the kind of stream depends on a literal
    if binary:
        with write_atomically(place, binary=True) as stream:
            yield stream
    else:
        with write_atomically(place) as text:
            yield text


def _forget(path: Path, held: str) -> None:
    """Remove a file that is as it was made."""
    if path.is_file() and (not held or digest(path) == held):
        path.unlink()


@contextmanager
def _inside(folder: str) -> Iterator[None]:
    """Paths of an experiment are as seen from its file's folder."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
