"""Whatever the bytes, every reader gives a result or one of our errors."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from any_bytes import json_like, lines, packed, scalar, table
from polyseme.collection.formats.catalogue import JUDGMENTS, PROBABILITIES, RUNS
from polyseme.collection.reading import read_probabilities, read_qrels, read_runs, read_topics
from polyseme.collection.validation import validate
from polyseme.errors import InputError, PolysemeError, PolysemeWarning
from small_files import rows


def read_run(path: Path, form: str | None) -> object:
    return [rows(run) for run in read_runs(path, format=form)]


READERS: dict[str, Callable[[Path], object]] = {
    "qrels": lambda path: read_qrels(path),
    "run": lambda path: read_run(path, None),
    "probabilities": lambda path: read_probabilities(path),
    "topics": lambda path: read_topics(path),
}
for _form in JUDGMENTS:
    READERS[f"qrels as {_form}"] = lambda path, form=_form: read_qrels(path, format=form)  # type: ignore[misc]
for _form in RUNS:
    READERS[f"run as {_form}"] = lambda path, form=_form: read_run(path, form)  # type: ignore[misc]
for _form in PROBABILITIES:
    READERS[f"probabilities as {_form}"] = lambda path, form=_form: read_probabilities(  # type: ignore[misc]
        path, format=form
    )


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bytes") / "x"


def refusal(read: Callable[..., object], *arguments: object) -> PolysemeError | None:
    """The error of ours that reading ends in; any other error is the test's end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PolysemeWarning)
        try:
            read(*arguments)
        except PolysemeError as error:
            return error
    return None


@pytest.mark.parametrize("reader", READERS)
@given(given_bytes=packed)
def test_any_bytes_give_a_result_or_an_error_of_ours(
    reader: str, given_bytes: bytes, path: Path
) -> None:
    path.write_bytes(given_bytes)
    error = refusal(READERS[reader], path)
    if isinstance(error, InputError):
        assert error.problem
        assert error.expected
        assert error.remedy
        assert error.path
        assert len(str(error)) < 5000


@given(given_bytes=packed)
def test_any_bytes_can_be_validated(given_bytes: bytes, path: Path) -> None:
    path.write_bytes(given_bytes)
    found = validate(path)
    assert found.problem_count == len(found.problems)


@given(given_bytes=st.one_of(lines, table.map(b"".join), json_like))
def test_validation_finds_a_problem_exactly_where_reading_does(
    given_bytes: bytes, path: Path
) -> None:
    path.write_bytes(given_bytes)
    found = validate(path, kind="judgments")
    error = refusal(read_qrels, path)
    assert (error is None) == found.sound
    assert error is None or str(error) in map(str, found.problems)


anything: Any = st.recursive(
    scalar,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(st.text(max_size=2), st.integers()), inner, max_size=3),
    ),
    max_leaves=12,
)


@given(source=anything.filter(lambda source: not isinstance(source, str)))
def test_any_object_gives_a_result_or_an_error_of_ours(source: object) -> None:
    for read in (read_qrels, read_runs, read_probabilities):
        error = refusal(read, source)
        assert error is None or str(error)
