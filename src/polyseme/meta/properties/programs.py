"""Scores from a program that reads files of judgments and runs, as the official scorers do."""

from __future__ import annotations

import csv
import io
import os
import shlex
import signal
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from polyseme.errors import PolysemeError, did_you_mean, shown
from polyseme.groups import Floats
from polyseme.meta.properties.files import Judgments, write_lists
from polyseme.meta.properties.rankings import Rankings
from polyseme.policies import Policies

#: (topic, name, score) as it was printed
Printed = Iterator[tuple[str, str, str]]
#: {topic: {name: score}}
_Scores = dict[str, dict[str, str]]
#: what a program says of all topics together
_MEANS = ("all", "amean", "gmean", "mean")
#: what programs print beside scores
_NO_SCORES = ("runid", "run", "num_q", "relstring")
#: how much of a program's standard error is shown
_SHOWN = 2000


@dataclass(frozen=True)
class Command:
    """A command line in which ``{qrels}`` and ``{run}`` stand for the files to read.

    Many rankings are topics of one file; one process scores a block of them. A topic for which
    the program is silent is an error, but for the empty ranking, which then scores 0.
    """

    command: str
    #: how its output is read: ndeval, trec_eval or csv
    parser: str = "ndeval"
    #: the columns or measures to read; all of them where none is named
    columns: tuple[str, ...] = ()
    #: the column that names the topic, in CSV
    topic_column: str = "topic"
    #: rankings a process
    block: int = 5000
    #: seconds a process may take
    timeout: float = 300.0
    #: how many processes may run at a time
    jobs: int = 1
    #: what stands before the names of its scores
    prefix: str = ""

    def __post_init__(self) -> None:
        if self.parser not in PARSERS:
            hint = did_you_mean(self.parser, PARSERS)
            raise PolysemeError(
                f"there is no parser {self.parser!r}"
                + (f"; {hint}" if hint else "")
                + f"\n  parsers: {', '.join(PARSERS)}"
            )
        for field, given in (("block", self.block), ("timeout", self.timeout), ("jobs", self.jobs)):
            if given <= 0:
                raise PolysemeError(f"{field} must be above 0. Got {given} instead.")
        for place in ("{qrels}", "{run}"):
            if place not in self.command:
                raise PolysemeError(
                    f"the command {self.command!r} lacks {place}\n"
                    "  expected: a command line such as 'ndeval {qrels} {run}'"
                )
        try:
            shlex.split(self.command)
        except ValueError as error:
            raise PolysemeError(f"the command {self.command!r}: {error}") from None

    @property
    def judgments(self) -> Judgments:
        """trec_eval knows no intents."""
        return "adhoc" if self.parser == "trec_eval" else "intents"

    def scored(self, rankings: Rankings, policies: Policies) -> tuple[tuple[str, ...], Floats]:
        """Names, and every ranking's score under each."""
        names: tuple[str, ...] = ()
        tables: list[Floats] = []
        running: deque[tuple[range, _Running]] = deque()

        def take() -> None:
            nonlocal names
            numbers, oldest = running[0]
            found = self._read(oldest.output(self.timeout))
            running.popleft()
            oldest.end()
            names = names or self._names(found)
            tables.append(_table(found, names, numbers, rankings))

        try:
            for begin in range(0, len(rankings), self.block):
                numbers = range(begin, min(begin + self.block, len(rankings)))
                running.append((numbers, self._started(numbers, rankings)))
                if len(running) >= self.jobs:
                    take()
            while running:
                take()
        finally:
            for _, each in running:
                each.end()
        return tuple(self.prefix + name for name in names), np.concatenate(tables)

    def _names(self, found: _Scores) -> tuple[str, ...]:
        printed = list(dict.fromkeys(name for scores in found.values() for name in scores))
        if not printed:
            raise PolysemeError(
                f"{self._program} printed no scores\n"
                "  expected: a score for every topic, on standard output"
            )
        if not self.columns:
            return tuple(printed)
        for name in self.columns:
            if name not in printed:
                hint = did_you_mean(name, printed)
                raise PolysemeError(
                    f"{self._program} prints no {name!r}"
                    + (f"; {hint}" if hint else "")
                    + f"\n  it prints: {', '.join(printed)}"
                )
        return self.columns

    @property
    def _program(self) -> str:
        return Path(self._words[0]).name

    @property
    def _words(self) -> list[str]:
        return shlex.split(self.command)

    def _started(self, numbers: range, rankings: Rankings) -> _Running:
        """The program at work on some rankings."""
        folder = tempfile.TemporaryDirectory(prefix="polyseme-")
        try:
            qrels, run = Path(folder.name, "judgments.qrels"), Path(folder.name, "lists.run")
            lists = rankings.lists(numbers.start, numbers.stop)
            with qrels.open("w", encoding="utf-8") as q, run.open("w", encoding="utf-8") as r:
                write_lists(lists, rankings.judged, q, r, judgments=self.judgments)
            places = {"{qrels}": str(qrels), "{run}": str(run)}
            return _Running.of([_filled(word, places) for word in self._words], folder)
        except BaseException:
            folder.cleanup()
            raise

    def _read(self, text: str) -> _Scores:
        """What the program printed: {topic: {name: score}}."""
        found: _Scores = {}
        for topic, name, score in PARSERS[self.parser](self, text):
            if topic not in _MEANS and name not in _NO_SCORES:
                found.setdefault(topic, {})[name] = score
        return found


@dataclass(frozen=True, eq=False)
class _Running:
    """A program at work, in a session of its own so that whatever it starts can end with it."""

    name: str
    process: subprocess.Popen[bytes]
    folder: tempfile.TemporaryDirectory[str]
    begun: float

    @classmethod
    def of(cls, words: list[str], folder: tempfile.TemporaryDirectory[str]) -> _Running:
        # to files: a pipe that nobody reads would stop the program
        with (
            open(Path(folder.name, "out"), "wb") as out,
            open(Path(folder.name, "err"), "wb") as err,
        ):
            try:
                process = subprocess.Popen(
                    words, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
                )
            except OSError as error:
                raise PolysemeError(
                    f"{words[0]} cannot be run: {error.strerror}\n"
                    "  to mend it: give the program's path, and see that it may be executed"
                ) from None
        return cls(Path(words[0]).name, process, folder, time.monotonic())

    def output(self, timeout: float) -> str:
        """All that it prints, once it has ended well."""
        try:
            status = self.process.wait(max(self.begun + timeout - time.monotonic(), 0.0))
        except subprocess.TimeoutExpired:
            raise PolysemeError(
                f"{self.name} took more than {timeout:g} seconds{self._complaint}\n"
                "  to mend it: give it more time, or fewer rankings at a time"
            ) from None
        if status != 0:
            raise PolysemeError(f"{self.name} failed with the status {status}{self._complaint}")
        return self._printed("out")

    def _printed(self, name: str) -> str:
        return Path(self.folder.name, name).read_text(encoding="utf-8", errors="replace")

    @property
    def _complaint(self) -> str:
        """What it said on standard error."""
        text = self._printed("err").strip()
        if not text:
            return "; it said nothing on standard error"
        lines = text[-_SHOWN:].splitlines()
        return "\n  its standard error:\n" + "\n".join(f"    {line}" for line in lines)

    def end(self) -> None:
        """Stop it if it is still at work, and remove its files."""
        if self.process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.folder.cleanup()


def _filled(word: str, places: dict[str, str]) -> str:
    for place, path in places.items():
        word = word.replace(place, path)
    return word


def _table(found: _Scores, names: tuple[str, ...], numbers: range, rankings: Rankings) -> Floats:
    values = np.zeros((len(numbers), len(names)))
    for place, number in enumerate(numbers):
        scores = found.get(str(place + 1))
        if scores is None and number == 0:
            continue
        for column, name in enumerate(names):
            score = None if scores is None else scores.get(name)
            if score is None:
                raise PolysemeError(
                    f"the program printed no {name} for the ranking {rankings.name(number)} "
                    f"(topic {place + 1} of its file)\n"
                    "  expected: a score for every topic; some programs print single topics only "
                    "when asked to (trec_eval -q)"
                )
            values[place, column] = _number(score, name, place + 1)
    return values


def _number(score: str, name: str, topic: int) -> float:
    try:
        return float(score)
    except ValueError:
        raise PolysemeError(
            f"the program printed {shown(score)} as {name} of topic {topic}\n"
            "  expected: a number; name the columns to read where others hold text"
        ) from None


# ---- outputs ------------------------------------------------------------------------------------


def _csv(command: Command, text: str) -> Printed:
    """A line of names, then a line of values a topic; ndeval's runid is no score."""
    rows = csv.reader(io.StringIO(text))
    head = next(rows, [])
    if command.topic_column not in head:
        raise PolysemeError(
            f"the program's output has no column {command.topic_column!r}\n"
            f"  its first line: {shown(','.join(head))}"
        )
    place = head.index(command.topic_column)
    for number, row in enumerate(rows, 2):
        if row and len(row) != len(head):
            raise PolysemeError(
                f"line {number} of the program's output has {len(row)} columns, the first line "
                f"{len(head)}\n  the text: {shown(','.join(row))}"
            )
        for column, (name, score) in enumerate(zip(head, row, strict=False)):
            if column != place:
                yield row[place], name, score


def _trec_eval(command: Command, text: str) -> Printed:
    """``measure topic value`` a line."""
    for number, line in enumerate(text.splitlines(), 1):
        pieces = line.split()
        if len(pieces) == 3:
            yield pieces[1], pieces[0], pieces[2]
        elif pieces:
            raise PolysemeError(
                f"line {number} of the program's output has {len(pieces)} columns\n"
                f"  the text: {shown(line)}\n  expected: a measure, a topic and a value"
            )


PARSERS: dict[str, Callable[[Command, str], Printed]] = {
    "ndeval": _csv,
    "trec_eval": _trec_eval,
    "csv": _csv,
}
