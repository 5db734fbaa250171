"""Whatever the bytes, every reader gives a result or one of our errors."""

from __future__ import annotations

import gzip
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

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

WORDS = "1|0|01|Q0|doc|a,b|L1|L10|-2|.5|1e9|nan|inf|nav|#|topic|intent|grade|prob|score|rank|run"
word = st.sampled_from([*WORDS.split("|"), '"', "é", "\x85", "９", "1_0"])
gap = st.sampled_from([" ", "\t", "  ", ",", ";", "\r", "\x0b", "\0", ": "])
line = st.lists(st.one_of(word, gap), max_size=14).map("".join)
lines = st.lists(line, max_size=8).map(lambda found: "\n".join(found).encode())
headers = st.sampled_from([b"topic,intent,doc,grade,prob\n", b"run,topic,doc,score,rank\n"])
table = st.tuples(headers, lines)
scalar = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5))
json_like = st.lists(
    st.dictionaries(
        st.sampled_from(["topic", "intent", "doc", "grade", "prob", "score", "run", "other"]),
        st.one_of(scalar, st.lists(st.none())),
        max_size=6,
    ),
    max_size=4,
).map(lambda records: "\n".join(map(repr, records)).replace("'", '"').encode())
xml_parts = """<t> </t> <topic_number='1'> </topic> <subtopic_number='1'_type='nav'> </subtopic>
    <query> </query> &amp; &x; é <!DOCTYPE_t_[ ]> text <!ENTITY_x_'y'> <!-- --> <![CDATA[
    <?xml_version='1.0'_encoding='utf-16'?>"""
xml_like = st.lists(
    st.sampled_from([part.replace("_", " ") for part in xml_parts.split()]),
    max_size=10,
).map(lambda parts: "".join(parts).encode())
content = st.one_of(
    st.binary(max_size=200),
    lines,
    table.map(b"".join),
    json_like,
    xml_like,
    st.binary(max_size=60).map(lambda tail: b"PAR1" + tail + b"PAR1"),
    st.binary(max_size=60).map(lambda tail: b"\x1f\x8b\x08" + tail),
    st.binary(max_size=60).map(lambda tail: b"\x28\xb5\x2f\xfd" + tail),
)
packed = st.one_of(
    content,
    content.map(gzip.compress),
    content.map(zstandard.ZstdCompressor().compress),
    content.map(lambda plain: gzip.compress(plain)[:-3]),
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
