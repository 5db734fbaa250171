"""What is finished is kept: whoever is killed, the same command again ends in the same result."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyseme.collection.formats.writing import write_judgments, write_runs
from polyseme.collection.synthetic import synthesize
from polyseme.errors import InputError, PolysemeError
from polyseme.partitioned import evaluate_partitions, memory

MEASURES = "I-rec@10 ERR-IA@10 nDCG@10"
#: how long nothing may hang
PATIENCE = 60


def small(folder: Path, *, topics: int = 30) -> tuple[Path, list[Path]]:
    made = synthesize(np.random.default_rng(2), topics=topics, teams=2, runs_per_team=1, depth=20)
    judgments = folder / "judgments.qrels"
    write_judgments(made.judged, judgments, format="trec")
    runs = []
    for run in made.runs:
        runs.append(folder / f"{run.name}.run")
        write_runs([run], runs[-1], format="trec")
    return judgments, runs


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, list[Path]]:
    monkeypatch.setattr(memory, "LEAST", 1)
    monkeypatch.setattr("polyseme.collection.partitions.looking._STRETCH", 200)
    return small(tmp_path)


def room(size: int) -> int:
    return memory.PROCESS + size


def marked(folder: Path) -> dict[str, int]:
    """When each result was written."""
    return {path.name: path.stat().st_mtime_ns for path in (folder / "scores").iterdir()}


def test_what_is_finished_is_not_done_again(files: tuple[Path, list[Path]], tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    first = evaluate_partitions(*files, MEASURES, resume=folder, memory=room(30_000))
    assert first.partitions > 3
    before = marked(folder)
    for gone in sorted(before)[1:3]:
        (folder / "scores" / gone).unlink()
    again = evaluate_partitions(*files, MEASURES, resume=folder, memory=room(30_000))
    assert again.totals == first.totals
    after = marked(folder)
    assert {name for name in after if after[name] != before[name]} == set(sorted(before)[1:3])


def test_more_memory_changes_nothing_that_was_begun(
    files: tuple[Path, list[Path]], tmp_path: Path
) -> None:
    folder = tmp_path / "kept"
    first = evaluate_partitions(*files, MEASURES, resume=folder, memory=room(30_000))
    again = evaluate_partitions(*files, MEASURES, resume=folder, memory=room(900_000))
    assert again.partitions == first.partitions
    with pytest.raises(InputError, match="as much memory as when it was begun"):
        evaluate_partitions(*files, MEASURES, resume=folder, memory=room(20_000))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"gain": "exponential"}, r"gain was linear, now exponential"),
        ({"mean": "geom"}, r"means was"),
        ({"measures": "P@5"}, r"P@5 was null"),
        ({"dialect": "rbu"}, r"dialect was polyseme, now rbu"),
        ({"only_topics": ["1"]}, r"only_topics was null, now \[\"1\"\]"),
    ],
    ids=str,
)
def test_another_evaluation_does_not_go_on_from_there(
    files: tuple[Path, list[Path]], tmp_path: Path, said: dict[str, Any], told: str
) -> None:
    folder = tmp_path / "kept"
    evaluate_partitions(*files, MEASURES, resume=folder)
    with pytest.raises(InputError, match=rf"another evaluation was begun .*{told}"):
        evaluate_partitions(*files, said.pop("measures", MEASURES), resume=folder, **said)


def test_inputs_that_changed_are_told(files: tuple[Path, list[Path]], tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    evaluate_partitions(*files, MEASURES, resume=folder)
    changed = files[1][0]
    changed.write_text(changed.read_text().replace(" 1 ", " 1  ", 1))
    with pytest.raises(InputError, match=rf"{changed.name} was \[\d+, \d+\], now"):
        evaluate_partitions(*files, MEASURES, resume=folder)


def test_another_version_does_not_go_on(
    files: tuple[Path, list[Path]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "kept"
    evaluate_partitions(*files, MEASURES, resume=folder)
    monkeypatch.setattr("polyseme.partitioned.evaluation.__version__", "99")
    with pytest.raises(InputError, match=r"polyseme was .*, now 99"):
        evaluate_partitions(*files, MEASURES, resume=folder)


def test_a_folder_with_other_things_is_left_alone(
    files: tuple[Path, list[Path]], tmp_path: Path
) -> None:
    folder = tmp_path / "full"
    folder.mkdir()
    (folder / "thesis.tex").touch()
    with pytest.raises(InputError, match="the folder is not empty"):
        evaluate_partitions(*files, MEASURES, resume=folder)
    assert [path.name for path in folder.iterdir()] == ["thesis.tex"]


def test_values_of_topics_need_a_folder(files: tuple[Path, list[Path]]) -> None:
    with pytest.raises(InputError, match="--resume FOLDER"):
        evaluate_partitions(*files, MEASURES, per_topic=True)


# ---- those who are killed -----------------------------------------------------------------------

#: an evaluation in many partitions, each of which takes a while and leaves a trace
DRIVER = """
import os, sys, time
from pathlib import Path
from polyseme.partitioned import evaluate_partitions
import slow_partitions

if __name__ == "__main__":
    judgments, folder, engine, *runs = sys.argv[1:]
    slow_partitions.install()
    found = evaluate_partitions(
        judgments, runs, "I-rec@10 ERR-IA@10 nDCG@10", resume=folder, engine=engine, jobs=2,
        memory=slow_partitions.enough(engine),
    )
    print(found.totals)
"""


def driver(
    folder: Path, engine: str, files: tuple[Path, list[Path]], root: Path, marks: Path
) -> subprocess.Popen[str]:
    script = folder / "driver.py"
    script.write_text(DRIVER)
    return subprocess.Popen(
        [sys.executable, script, files[0], folder / "kept", engine, *files[1]],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root / "tests"), "MARKS": str(marks)},
        start_new_session=True,
    )


def begun(marks: Path, count: int = 1) -> list[int]:
    """The processes that have begun to work on partitions, once there are so many."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = {int(mark.name.split("-")[1]) for mark in marks.iterdir()}
        if len(found) >= count and len(list(marks.iterdir())) > count:
            return sorted(found)
        time.sleep(0.05)
    raise AssertionError(f"nobody began to work in {PATIENCE} s")


@pytest.fixture
def job(files: tuple[Path, list[Path]], tmp_path: Path, root: Path) -> Iterator[Any]:
    marks = tmp_path / "marks"
    marks.mkdir()
    running: list[subprocess.Popen[str]] = []

    def start(engine: str) -> subprocess.Popen[str]:
        running.append(driver(tmp_path, engine, files, root, marks))
        return running[-1]

    yield start, marks
    for process in running:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        # its pipes are closed, too
        process.communicate()


def ended(process: subprocess.Popen[str]) -> str:
    """What a driver prints, that must end well."""
    out, error = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, error
    return out


def expected(files: tuple[Path, list[Path]]) -> str:
    return f"{evaluate_partitions(*files, MEASURES).totals}\n"


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["processes", "dask"])
def test_a_killed_worker_is_replaced(job: Any, engine: str, files: tuple[Path, list[Path]]) -> None:
    start, marks = job
    process = start(engine)
    os.kill(begun(marks)[0], signal.SIGKILL)
    assert ended(process) == expected(files)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["serial", "processes"])
def test_after_a_killed_driver_the_rest_is_done(
    job: Any, engine: str, files: tuple[Path, list[Path]], tmp_path: Path
) -> None:
    start, marks = job
    first = start(engine)
    begun(marks)
    scores = tmp_path / "kept" / "scores"
    until = time.monotonic() + PATIENCE
    while not (scores.is_dir() and any(scores.glob("*.json"))) and time.monotonic() < until:
        time.sleep(0.05)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    before = marked(tmp_path / "kept")
    assert before
    assert ended(start(engine)) == expected(files)
    after = marked(tmp_path / "kept")
    assert before.items() <= after.items()
    assert len(after) > len(before)


def command(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)},
        start_new_session=True,
    )


class Cluster:
    """A scheduler and workers with nannies, begun by commands."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        self.members: list[subprocess.Popen[str]] = []
        self.begin()

    def begin(self) -> None:
        self.file.unlink(missing_ok=True)
        said = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        self.scheduler = command("dask_scheduler", *said, "--scheduler-file", str(self.file))
        self.members.append(self.scheduler)
        self.address = self._address()
        self.nannies = [
            command(
                "dask_worker",
                f"tcp://{self.address}",
                *("--nworkers", "1", "--nthreads", "1", "--host", "127.0.0.1", "--no-dashboard"),
                *("--death-timeout", "20", "--local-directory", str(self.file.parent)),
            )
            for _ in range(2)
        ]
        self.members += self.nannies

    def _address(self) -> str:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                told = json.loads(self.file.read_text())
                return str(told["address"]).removeprefix("tcp://")
            except (OSError, ValueError):
                time.sleep(0.1)
        raise AssertionError("no scheduler")

    def end(self) -> None:
        for member in self.members:
            if member.poll() is None:
                os.killpg(member.pid, signal.SIGKILL)
            member.wait()


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    marks = tmp_path / "marks"
    monkeypatch.setenv("MARKS", str(marks))
    found = Cluster(tmp_path)
    yield found
    found.end()


@pytest.mark.slow
def test_a_nanny_killed_with_its_workers(
    cluster: Cluster, job: Any, files: tuple[Path, list[Path]]
) -> None:
    start, marks = job
    process = start(f"dask://{cluster.address}")
    begun(marks)
    os.killpg(cluster.nannies[0].pid, signal.SIGKILL)
    assert ended(process) == expected(files)


@pytest.mark.slow
def test_after_a_killed_scheduler_a_new_one_does_the_rest(
    cluster: Cluster, job: Any, files: tuple[Path, list[Path]]
) -> None:
    start, marks = job
    process = start(f"dask://{cluster.address}")
    begun(marks)
    began = time.monotonic()
    os.kill(cluster.scheduler.pid, signal.SIGKILL)
    _, error = process.communicate(timeout=PATIENCE)
    assert process.returncode != 0
    assert "run the same command" in error
    assert time.monotonic() - began < PATIENCE
    cluster.begin()
    assert ended(start(f"dask://{cluster.address}")) == expected(files)


def test_a_partition_that_fails_is_named(files: tuple[Path, list[Path]], tmp_path: Path) -> None:
    poisoned = files[1][0]
    lines = poisoned.read_text().splitlines()
    lines[len(lines) // 2] = "15 Q0 d1 one 1.0 x"
    poisoned.write_text("\n".join(lines) + "\n")
    number = len(lines) // 2 + 1
    with pytest.raises(PolysemeError, match=rf"{poisoned.name}:{number}: the rank is 'one'"):
        evaluate_partitions(*files, MEASURES, memory=room(30_000))
