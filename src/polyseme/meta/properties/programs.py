"""Scores from a program that reads files of judgments and runs, as the official scorers do."""

from __future__ import annotations

import csv
import io
import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from polyseme.collection.lists import Lists
from polyseme.engine import map_partitions
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
        starts = range(0, len(rankings), self.block)
        blocks = [(begin, min(begin + self.block, len(rankings))) for begin in starts]

        def run(block: tuple[int, int]) -> _Scores:
            return self._run(rankings.lists(*block), rankings)

        names: tuple[str, ...] = ()
        tables: list[Floats] = []
        found_in = map_partitions(run, blocks, "threads", self.jobs)
        for (begin, end), found in zip(blocks, found_in, strict=True):
            names = names or self._names(found)
            tables.append(_table(found, names, range(begin, end), rankings))
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
        return Path(shlex.split(self.command)[0]).name

    def _run(self, lists: Lists, rankings: Rankings) -> _Scores:
        """What the program prints on some lists: {topic: {name: score}}."""
        with tempfile.TemporaryDirectory(prefix="polyseme-") as folder:
            qrels, run = Path(folder, "judgments.qrels"), Path(folder, "lists.run")
            with qrels.open("w", encoding="utf-8") as q, run.open("w", encoding="utf-8") as r:
                write_lists(lists, rankings.judged, q, r, judgments=self.judgments)
            text = self._output(str(qrels), str(run))
        found: _Scores = {}
        for topic, name, score in PARSERS[self.parser](self, text):
            if topic not in _MEANS and name not in _NO_SCORES:
                found.setdefault(topic, {})[name] = score
        return found

    def _output(self, qrels: str, run: str) -> str:
        places = {"{qrels}": qrels, "{run}": run}
        words = [_filled(word, places) for word in shlex.split(self.command)]
        try:
            # a session of its own, so that whatever it starts ends with it
            process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise PolysemeError(
                f"{words[0]} cannot be run: {error.strerror}\n"
                "  to mend it: give the program's path, and see that it may be executed"
            ) from None
        try:
            out, err = process.communicate(timeout=self.timeout)
        except subprocess.TimeoutExpired:
            _end(process)
            _, err = process.communicate()
            raise PolysemeError(
                f"{self._program} took more than {self.timeout:g} seconds{_told(err)}\n"
                "  to mend it: give it more time, or fewer rankings at a time"
            ) from None
        except BaseException:
            _end(process)
            process.communicate()
            raise
        if process.returncode != 0:
            raise PolysemeError(
                f"{self._program} failed with the status {process.returncode}{_told(err)}"
            )
        return out.decode("utf-8", errors="replace")


def _filled(word: str, places: dict[str, str]) -> str:
    for place, path in places.items():
        word = word.replace(place, path)
    return word


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _told(stderr: bytes) -> str:
    """What the program said when it failed."""
    text = stderr.decode("utf-8", errors="replace").strip()
    if not text:
        return "; it said nothing on standard error"
    lines = text[-_SHOWN:].splitlines()
    return "\n  its standard error:\n" + "\n".join(f"    {line}" for line in lines)


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
