from __future__ import annotations

import os
import warnings
from collections.abc import Sequence

import pytest

from polyseme.engine import ENGINES, Engine, map_partitions, pools
from polyseme.errors import InputError, MissingExtra, PolysemeError, PolysemeWarning


def squared(number: int) -> int:
    return number * number


def warned(number: int) -> int:
    warnings.warn(f"beware of {number}", PolysemeWarning, stacklevel=2)
    return number


def failing(number: int) -> int:
    if number == 3:
        raise InputError("three", path="x", line=3, remedy="take two")
    if number == 5:
        raise MissingExtra("five", "parquet")
    return number


def dying(number: int) -> int:
    os._exit(1)


class Unsendable(Sequence[int]):
    """What cannot be pickled."""

    def __len__(self) -> int:
        return 3

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return range(3)[index]

    def __reduce__(self) -> str:
        raise TypeError("cannot be pickled")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_results_come_in_the_order_of_the_partitions(engine: Engine, jobs: int) -> None:
    found = list(map_partitions(squared, range(20), engine, jobs))
    assert found == [number * number for number in range(20)]


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_makes_nothing(engine: Engine) -> None:
    assert list(map_partitions(squared, [], engine, 4)) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_warnings_are_told_as_if_the_work_were_done_here(engine: Engine) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        list(map_partitions(warned, range(4), engine, 2))
    assert sorted(str(each.message) for each in caught) == [f"beware of {n}" for n in range(4)]


@pytest.mark.parametrize("engine", ENGINES)
def test_the_first_failure_is_raised_after_the_results_before_it(engine: Engine) -> None:
    results = map_partitions(failing, range(8), engine, 2)
    assert [next(results), next(results), next(results)] == [0, 1, 2]
    with pytest.raises(InputError, match="x:3: three\n  to mend it: take two"):
        next(results)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_error_of_ours_comes_through(engine: Engine) -> None:
    with pytest.raises(MissingExtra, match=r"five needs the extra \[parquet\]"):
        list(map_partitions(failing, [5, 6], engine, 2))


def test_a_process_that_dies_is_told() -> None:
    with pytest.raises(PolysemeError, match="fewer jobs"):
        list(map_partitions(dying, range(4), "processes", 2))


def test_one_can_stop_early() -> None:
    results = map_partitions(squared, range(100), "processes", 2)
    assert next(results) == 0
    del results


@pytest.mark.slow
def test_processes_that_are_not_forked_are_sent_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "START", "spawn")
    assert list(map_partitions(abs, [-1, -2, 3], "processes", 2)) == [1, 2, 3]


def test_what_cannot_be_sent_is_worked_on_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "START", "spawn")
    assert list(map_partitions(squared, Unsendable(), "processes", 2)) == [0, 1, 4]


def test_wrong_arguments_are_told() -> None:
    with pytest.raises(PolysemeError, match="engine must be serial or threads or processes"):
        map_partitions(squared, [1], "magic")  # type: ignore[arg-type]
    with pytest.raises(PolysemeError, match="jobs must be 1 or more"):
        map_partitions(squared, [1], "threads", 0)
