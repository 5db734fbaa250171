from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from polyseme.engine import PartitionError, map_partitions, running, workers
from polyseme.errors import InputError, MissingExtra, PolysemeError
from work_on_partitions import Deadly, Slow, dividing, dying, failing, squared, warned


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    pytest.importorskip("distributed")
    with running("dask", 2) as found:
        yield found


@pytest.fixture(
    params=[
        "serial",
        "threads",
        "processes",
        "executor of threads",
        "executor of processes",
        pytest.param("dask", marks=pytest.mark.slow),
    ]
)
def engine(request: pytest.FixtureRequest) -> Iterator[Any]:
    match request.param:
        case "executor of threads":
            with ThreadPoolExecutor(2) as pool:
                yield pool
        case "executor of processes":
            with ProcessPoolExecutor(2, get_context("spawn")) as processes:
                yield processes
        case "dask":
            yield request.getfixturevalue("cluster")
        case name:
            yield name


class Unsendable(Sequence[int]):
    """What cannot be pickled."""

    def __len__(self) -> int:
        return 3

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return self if isinstance(index, slice) else range(3)[index]

    def __reduce__(self) -> str:
        raise TypeError("cannot be pickled")


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_results_come_in_the_order_of_the_partitions(engine: Any, jobs: int) -> None:
    found = list(map_partitions(squared, range(20), engine, jobs))
    assert found == [number * number for number in range(20)]


def test_nothing_makes_nothing(engine: Any) -> None:
    assert list(map_partitions(squared, [], engine, 4)) == []


def test_warnings_are_told_as_if_the_work_were_done_here(engine: Any) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        list(map_partitions(warned, range(4), engine, 2))
    assert sorted(str(each.message) for each in caught) == [f"beware of {n}" for n in range(4)]


def test_the_first_failure_is_raised_after_the_results_before_it(engine: Any) -> None:
    results = map_partitions(failing, range(8), engine, 2)
    assert [next(results), next(results), next(results)] == [0, 1, 2]
    with pytest.raises(InputError, match="x:3: three\n  to mend it: take two"):
        next(results)


def test_every_error_of_ours_comes_through(engine: Any) -> None:
    with pytest.raises(MissingExtra, match=r"five needs the extra \[parquet\]"):
        list(map_partitions(failing, [5, 6], engine, 2))


def test_a_partition_that_fails_is_named_with_the_cause(engine: Any) -> None:
    with pytest.raises(PartitionError, match=r"partition 4 of 6 .*ZeroDivisionError: division"):
        list(map_partitions(dividing, range(6), engine, 2))


def test_one_can_stop_early(engine: Any) -> None:
    results = map_partitions(squared, range(100), engine, 2)
    assert next(results) == 0
    del results


@pytest.mark.parametrize("name", ["processes", pytest.param("dask", marks=pytest.mark.slow)])
def test_work_goes_on_where_workers_die(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    found = request.getfixturevalue("cluster") if name == "dask" else name
    assert list(map_partitions(Deadly(tmp_path), range(12), found, 2)) == list(range(12))
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("name", ["processes", pytest.param("dask", marks=pytest.mark.slow)])
def test_a_partition_that_workers_die_of_is_named_within_10_s(
    name: str, request: pytest.FixtureRequest
) -> None:
    found = request.getfixturevalue("cluster") if name == "dask" else name
    begin = time.monotonic()
    results = map_partitions(dying, range(12), found, 2)
    assert [next(results), next(results), next(results)] == [0, 1, 2]
    with pytest.raises(PartitionError, match=r"partition 4 of 12 .*died"):
        next(results)
    assert time.monotonic() - begin < 10


def test_how_a_process_died_is_told() -> None:
    with pytest.raises(PartitionError, match=r"2 processes .* by SIGKILL, .* memory.*\n.*fewer"):
        list(map_partitions(dying, range(6), "processes", 2))


def test_an_executor_that_breaks_is_told_with_the_partitions_in_hand() -> None:
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as pool,
        pytest.raises(PartitionError, match=r"partition \d of 6 or .* up to partition \d of 6"),
    ):
        list(map_partitions(dying, range(6), pool))


ORPHANING = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from work_on_partitions import Slow
from polyseme.engine import map_partitions
list(map_partitions(Slow(Path(sys.argv[1]), 60), range(4), "processes", 2))
"""


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.slow
def test_workers_end_when_whoever_began_them_is_killed(tmp_path: Path, root: Path) -> None:
    driver = subprocess.Popen([sys.executable, "-c", ORPHANING, tmp_path, root / "tests"])
    until = time.monotonic() + 30
    while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < until:
        time.sleep(0.1)
    begun = [int(mark.suffix[1:]) for mark in tmp_path.iterdir()]
    assert len(begun) == 2
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    until = time.monotonic() + 10
    while any(map(alive, begun)) and time.monotonic() < until:
        time.sleep(0.1)
    assert not any(map(alive, begun))


def test_all_workers_are_used(tmp_path: Path) -> None:
    assert len(set(map_partitions(Slow(tmp_path, 0.2), range(6), "processes", 2))) == 2


@pytest.mark.slow
def test_processes_that_are_not_forked_are_sent_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "START", "spawn")
    assert list(map_partitions(abs, [-1, -2, 3], "processes", 2)) == [1, 2, 3]


def test_what_cannot_be_sent_is_worked_on_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "START", "spawn")
    assert list(map_partitions(squared, Unsendable(), "processes", 2)) == [0, 1, 4]


def test_what_was_used_by_threads_of_network_libraries_is_not_forked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow._s3fs", sys)
    assert workers.start_method() == "spawn"


@pytest.mark.parametrize("engine", ["magic", 3, "dusk://127.0.0.1:1"])
def test_an_engine_that_there_is_not_is_told(engine: Any) -> None:
    with pytest.raises(PolysemeError, match="engine must be serial, threads, processes, dask"):
        map_partitions(squared, [1], engine)


def test_no_workers_are_none() -> None:
    with pytest.raises(PolysemeError, match="jobs must be 1 or more"):
        map_partitions(squared, [1], "threads", 0)
