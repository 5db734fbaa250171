"""The compiled scanners and the plain readers give the same, errors and warnings too."""

from __future__ import annotations

import math
import random
import struct
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.collection.formats import scanning
from polyseme.collection.formats.opening import source_of
from polyseme.collection.judgments import Judged
from polyseme.collection.lists import Lists
from polyseme.collection.reading import read_qrels, read_runs
from polyseme.collection.runs import DUPLICATES, ORDERS, Ordering
from polyseme.dialects import parse_dialect
from polyseme.errors import PolysemeError
from small_files import PACKINGS, written

pytestmark = pytest.mark.skipif(not scanning.COMPILED, reason="not compiled here")

ORDERINGS = [
    Ordering(order, duplicates, single_precision, unique_ranks)  # type: ignore[arg-type]
    for order, duplicates, single_precision, unique_ranks in product(
        ORDERS, (None, *DUPLICATES), (False, True), (False, True)
    )
]
JUDGMENTS = {
    "1": {"1": {"a": 1, "b": 0, "é": 2}, "2": {"a": 0}},
    "2": {"1": {"aa": 1, "ab": -2, "ba": 0, "a" * 20: 1, "a" * 19 + "b": 1}},
    "é": {"x": {"日本": 3, "a": 0}},
}

# --- what is compared ---------------------------------------------------------------------------


def told(work: Callable[[], object]) -> tuple[object, list[str], str | None]:
    """A result, warnings and the error's text."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result, error = work(), None
        except PolysemeError as refused:
            result, error = None, f"{type(refused).__name__}: {refused}"
    return result, [f"{one.category.__name__}: {one.message}" for one in caught], error


def parts(value: Lists | Judged) -> dict[str, object]:
    """All fields in a form that can be compared, with the arrays' types."""
    found: dict[str, object] = {}
    for name in value.__dataclass_fields__:
        held = getattr(value, name)
        if isinstance(held, np.ndarray):
            found[name] = held.dtype.str, held.shape, [repr(one) for one in held.tolist()]
        elif name == "documents":
            found[name] = held.block, held.start.dtype.str, held.start.tolist()
        else:
            found[name] = held
    return found


def both(
    work: Callable[[], object], block: int = scanning.BLOCK
) -> list[tuple[object, list[str], str | None]]:
    """What work tells with the scanners and without."""
    outcomes = []
    for compiled in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(scanning, "COMPILED", compiled)
            patch.setattr(scanning, "BLOCK", block)
            outcomes.append(told(work))
    return outcomes


def joined(path: object, how: Ordering, **options: Any) -> Callable[[], object]:
    def work() -> object:
        (run,) = read_runs(path, format="trec", **options)
        found = run.join(read_qrels(JUDGMENTS), how)
        return parts(found.lists), found.extra, found.disagreeing

    return work


def first(path: object, how: Ordering, depth: int | None) -> Callable[[], object]:
    def work() -> object:
        (run,) = read_runs(path, format="trec")
        return list(run.prefix(depth, how).items())

    return work


def judged(path: object) -> Callable[[], object]:
    return lambda: parts(read_qrels(path, format="trec"))


def is_scanned(path: Path) -> bool:
    """Whether the scanner reads the run itself."""
    source = source_of(path)
    found = scanning.join(source, read_qrels(JUDGMENTS), Ordering())
    assert (found is None) == (scanning.prefix(source, None, Ordering()) is None)
    return found is not None


# --- files --------------------------------------------------------------------------------------

gap = st.sampled_from([" ", " ", " ", "\t", "  ", " \t "])
margin = st.sampled_from(["", "", "", " ", "\t"])
end = st.sampled_from(["\n", "\n", "\n", "\r\n"])
topic = st.sampled_from(["1", "1", "2", "é", "7", "topic-12"])
document = st.sampled_from(
    [
        *(
            "a",
            "b",
            "é",
            "e\u0301",
            "日本",
            "aa",
            "ab",
            "ba",
            "c",
            "\u00a0",
            "\U0001f600",
            "z\x85",
            "#",
        ),
        *("a" * 20, "a" * 19 + "b", "b" * 8, "b" * 16),
    ]
)
rank = st.sampled_from(["1", "2", "3", "0", "-1", "+4", "5.", "6.00", "007", "1000000000"])
score = st.one_of(
    st.sampled_from(["1", "2", "2.0", "0", "-0", "1e2", ".5", "5.", "+3", "1E-3", "2.0000000001"]),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(0, 30).map(repr),
)
odd_field = st.sampled_from(
    [
        *("nan", "inf", "1e400", "1_0", "٣", "x", "1.5", "0x1", "1e", "-", "+", ".", "1e+", "--1"),
        *("99999999999", "\x0b", "\r", "\x7f", "a\x0cb", "\0", "1e-400", "1.0e0005", "9" * 19),
        "0" * 30 + "1",
    ]
)
oddity = st.sampled_from(
    [
        b"\xff",
        b"\xed\xa0\x80",
        b"\xc0\xaf",
        b"\xf4\x90\x80\x80",
        b"\xe2\x82",
        b"\xef\xbb\xbf",
        b"\xf0",
    ]
)
idle = st.sampled_from(["", "   ", "\t", "# a comment", "  #é \x01", "#", "#\0", "\r", " \r"])


@st.composite
def lines(draw: st.DrawFn, fields: list[st.SearchStrategy[str]], oddities: bool) -> bytes:
    parts = []
    for _ in range(draw(st.integers(0, 12))):
        kind = draw(st.integers(0, 30))
        if kind == 0 and oddities:
            parts.append(draw(oddity))
        if kind < 3:
            parts.append((draw(idle) + draw(end)).encode())
            continue
        row = [draw(field) for field in fields]
        if kind == 3 and oddities:
            row[draw(st.integers(0, len(row) - 1))] = draw(odd_field)
        if kind == 4 and oddities:
            row = row[: draw(st.integers(1, len(row)))] + draw(st.sampled_from([[], ["more"]]))
        text = draw(margin)
        for place, field in enumerate(row):
            text += (draw(gap) if place else "") + field
        parts.append((text + draw(margin) + draw(end)).encode())
    content = b"".join(parts)
    return content.rstrip(b"\r\n") if draw(st.booleans()) else content


RUN = [topic, st.sampled_from(["Q0", "0"]), document, rank, score, st.sampled_from(["t", "t", "u"])]
QRELS = [topic, st.sampled_from(["1", "2", "10", "x", "é"]), document]
QRELS += [st.sampled_from(["0", "1", "2", "-2", "+1", "1.", "1000000", "03"])]


@st.composite
def unique_lines(draw: st.DrawFn) -> bytes:
    """A run whose documents do not come twice, grouped or not, with ties."""
    pairs = draw(st.lists(st.tuples(topic, document), max_size=40, unique=True))
    if draw(st.booleans()):
        pairs.sort(key=lambda pair: pair[0])
    scores = st.sampled_from(["1", "1", "2", "3", "1.5"])
    rows = [f"{t} Q0 {d} {n} {draw(scores)} t" for n, (t, d) in enumerate(pairs, 1)]
    return ("\n".join(rows) + "\n").encode()


sizes = st.sampled_from([1, 2, 7, 64, scanning.BLOCK])
packing = st.sampled_from(["plain", "plain", "gzip", "zstd"])


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scanning") / "x.run"


@given(
    content=st.one_of(unique_lines(), lines(RUN, False), lines(RUN, True)),
    how=st.sampled_from(ORDERINGS),
    names=st.sampled_from(["file", "file", "tag"]),
    packed=packing,
    block=sizes,
)
def test_runs_are_joined_alike(
    content: bytes, how: Ordering, names: str, packed: str, block: int, path: Path
) -> None:
    path.write_bytes(PACKINGS[packed](content))
    compiled, plain = both(joined(path, how, names=names), block)
    assert compiled == plain


@given(
    content=st.one_of(unique_lines(), lines(RUN, True)),
    how=st.sampled_from(ORDERINGS),
    depth=st.sampled_from([None, 0, 1, 2, 5, 100, -1]),
    block=sizes,
)
def test_first_documents_are_alike(
    content: bytes, how: Ordering, depth: int | None, block: int, path: Path
) -> None:
    path.write_bytes(content)
    compiled, plain = both(first(path, how, depth), block)
    assert compiled == plain


@given(
    content=st.one_of(lines(QRELS, False), lines(QRELS, True)),
    packed=packing,
    block=sizes,
)
def test_judgments_are_read_alike(content: bytes, packed: str, block: int, path: Path) -> None:
    path.write_bytes(PACKINGS[packed](content))
    compiled, plain = both(judged(path), block)
    assert compiled == plain


@st.composite
def unique_judgments(draw: st.DrawFn) -> bytes:
    names = st.sampled_from(["1", "01", "2", "10", "x", "x10", "x9", "é", "1a"])
    keys = draw(st.lists(st.tuples(names, names, document), max_size=60, unique=True))
    if draw(st.booleans()):
        keys.sort(key=lambda key: key[0])
    return "".join(f"{' '.join(key)} {len(key[2]) % 4 - 1}\n" for key in keys).encode()


@given(content=unique_judgments(), block=sizes)
def test_judgments_in_any_order_are_arranged_alike(content: bytes, block: int, path: Path) -> None:
    path.write_bytes(content)
    compiled, plain = both(judged(path), block)
    assert compiled == plain


# --- what the scanner must read itself, and what it must not --------------------------------------


@pytest.mark.parametrize(
    ("content", "by_itself"),
    [
        ("1 Q0 a 1 1 t\n", True),
        ("1 Q0 a 1 1 t\n2 Q0 a 1 1 t\n1 Q0 b 2 1 t\n", True),
        ("# é\r\n\r\n1\tQ0\té  1 1.12345678901234567890123 t\r\n", True),
        ("1 Q0 a 1 1 t\n1 Q0 a 2 1 t\n", False),
        ("1 Q0 a 1 1 t\n1 Q0 b 2 1_1 t\n", False),
        ("1 Q0 a 1 1 t\n1 Q0 b 2\n", False),
        ("1 Q0 a 1 1 t\n1 Q0 b\x0b 2 1 t\n", False),
    ],
)
def test_only_well_formed_files_are_scanned(tmp_path: Path, content: str, by_itself: bool) -> None:
    assert is_scanned(written(tmp_path, content)) == by_itself


@pytest.mark.parametrize("content", [b"\xef\xbb\xbf1 Q0 a 1 1 t\n", b"1 Q0 a 1 1e39 t\r\r\n"])
@pytest.mark.parametrize("block", [1, 2, 64])
def test_marks_and_odd_line_ends_are_alike(tmp_path: Path, content: bytes, block: int) -> None:
    compiled, plain = both(joined(written(tmp_path, content), Ordering()), block)
    assert compiled == plain


def test_scores_too_great_for_single_precision_are_alike(tmp_path: Path) -> None:
    path = written(tmp_path, "1 Q0 a 1 1 t\n1 Q0 b 1 1e39 t\n1 Q0 c 1 1e38 t\n")
    compiled, plain = both(joined(path, Ordering(single_precision=True)))
    assert compiled == plain


@pytest.mark.parametrize("block", [1000, 1 << 18])
@pytest.mark.parametrize("interleaved", [False, True])
def test_long_lists_and_many_topics_are_alike(
    tmp_path: Path, interleaved: bool, block: int
) -> None:
    rng = random.Random(3)
    documents = {str(n): [f"d{n % 7}-{place:05}" for place in range(n * 40)] for n in range(60)}
    rows = [
        f"{topic} Q0 {document} {rng.randrange(300)} {rng.choice([rng.random(), 0.5, 1 / 3])} t\n"
        for topic, found in documents.items()
        for document in rng.sample(found, len(found))
    ]
    if interleaved:
        rng.shuffle(rows)
    qrels = read_qrels(
        {t: {"1": dict.fromkeys(found[::3], 1)} for t, found in documents.items() if found[3:]}
    )
    path = written(tmp_path, "".join(rows))
    for order in ("score", "rank", "file"):
        how = Ordering(order)

        def work(how: Ordering = how) -> object:
            (run,) = read_runs(path)
            found = run.join(qrels, how)
            return parts(found.lists), found.extra, found.disagreeing, run.prefix(10, how)

        compiled, plain = both(work, block)
        assert compiled == plain


def test_judgments_of_many_documents_and_intents_are_alike(tmp_path: Path) -> None:
    rng = random.Random(5)
    keys = {(rng.randrange(30), rng.randrange(50), rng.randrange(4000)) for _ in range(20_000)}
    rows = [f"{t} {t}.{i} d{d} {d % 3}\n" for t, i, d in keys]
    for name, content in {"mixed": rows, "sorted": sorted(rows)}.items():
        compiled, plain = both(judged(written(tmp_path, "".join(content), name)))
        assert compiled == plain


@pytest.mark.parametrize("length", [(1 << 20) - 30, (1 << 20) - 5, 1 << 20, (1 << 20) + 1])
def test_very_long_lines_are_alike(tmp_path: Path, length: int) -> None:
    content = "1 Q0 a 1 2 t\n1 Q0 " + "b" * length + " 2 1 t\n1 Q0 c 1 1 t"
    path = written(tmp_path, content)
    compiled, plain = both(joined(path, Ordering()))
    assert compiled == plain


# --- numbers --------------------------------------------------------------------------------------


def scores_of(texts: list[str], path: Path) -> list[float]:
    """Scores as the scanner reads them, seen by what sorts where against them."""
    path.write_text("".join(f"1 Q0 d{n} {n} {text} t\n" for n, text in enumerate(texts)))
    from polyseme.collection.formats import _run_scan

    scan = _run_scan.RunScan("file", False, False, None, False, None, -1)
    assert scan.feed(path.read_bytes()) == 0
    return list(scan.scores())


@given(
    texts=st.lists(
        st.one_of(
            st.floats(allow_nan=False, allow_infinity=False).map(repr),
            st.floats(1e-30, 1e30).map(lambda x: f"{x:.20g}"),
            st.decimals(allow_nan=False, allow_infinity=False).map(str),
            st.tuples(st.integers(0, 10**19), st.integers(-45, 45)).map(lambda p: f"{p[0]}e{p[1]}"),
            st.from_regex(r"[+-]?[0-9]{0,25}\.[0-9]{1,25}([eE][+-]?[0-9]{1,3})?", fullmatch=True),
        ).filter(lambda text: text.isascii() and math.isfinite(float(text))),
        min_size=1,
    )
)
def test_scores_are_the_nearest_doubles(texts: list[str], path: Path) -> None:
    found = scores_of(texts, path)
    assert list(map(bits, found)) == [bits(float(text)) for text in texts]


def bits(value: float) -> bytes:
    return struct.pack("<d", value)


def halfway() -> Iterator[str]:
    """Numbers that lie between two doubles, to the last digit or next to it."""
    rng = random.Random(1)
    for _ in range(3000):
        whole = rng.getrandbits(53) | 1 << 52
        power = rng.randrange(0, 9)
        # (2 whole + 1) / 2^power has at most 19 digits when it is short enough
        text = f"{(2 * whole + 1) * 5**power}e-{power}"
        yield text
        for change in (-1, 1):
            yield f"{(2 * whole + 1) * 5**power * 10 + change}e-{power + 1}"
    for _ in range(30_000):
        yield f"{rng.getrandbits(rng.randrange(1, 65))}e{rng.randrange(-28, 1)}"


def test_scores_between_two_doubles_go_to_the_even_one(path: Path) -> None:
    texts = list(halfway())
    found = scores_of(texts, path)
    assert [text for text, value in zip(texts, found, strict=True) if value != float(text)] == []


# --- what can be read once ------------------------------------------------------------------------


@pytest.mark.parametrize("packed", PACKINGS)
@pytest.mark.parametrize("bad", ["", "1 Q0 b 2\n", "2 Q0 b 1 3 t\n1 Q0 c 3 1 t\n"])
def test_standard_input_is_scanned_and_read_again(
    monkeypatch: pytest.MonkeyPatch, packed: str, bad: str
) -> None:
    content = PACKINGS[packed](f"1 Q0 a 1 1 t\n{bad}".encode())

    def work() -> object:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=BytesIO(content)))
        return joined("-", Ordering())()

    compiled, plain = both(work)
    assert compiled == plain


def test_runs_are_scanned_in_threads_at_once(tmp_path: Path) -> None:
    rows = [f"{t} Q0 d{d} {d} {-d} t\n" for t in range(50) for d in range(400)]
    path = written(tmp_path, "".join(rows))
    qrels = read_qrels({str(t): {"1": {f"d{d}": 1 for d in range(0, 400, 3)}} for t in range(50)})
    found: list[object] = []

    def work() -> None:
        (run,) = read_runs(path)
        found.extend(parts(run.join(qrels).lists) for _ in range(3))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 12
    assert all(one == found[0] for one in found)


def test_a_run_with_other_topics_is_not_scanned(tmp_path: Path) -> None:
    (run,) = read_runs(written(tmp_path, "1 Q0 a 1 1 t\n"))
    renamed = replace(run, topics=lambda: [replace(one, topic="2") for one in run.topics()])
    assert renamed.join(read_qrels(JUDGMENTS)).lists.topic.tolist() == [1]


@pytest.mark.parametrize(
    "topics",
    [["1", "2", "7"], ["1", "wt09-2"], ["01", "2"], ["7", "x-8"], ["1", "x"], ["1", "01"]],
)
@pytest.mark.parametrize("numbered", [True, False])
def test_topics_that_a_dialect_numbers_are_scanned_alike(
    tmp_path: Path, topics: list[str], numbered: bool
) -> None:
    path = written(
        tmp_path, "".join(f"{t} Q0 {d} {n} 1 t\n" for t in topics for n, d in enumerate("ba"))
    )
    dialect = parse_dialect("ndeval")
    qrels = read_qrels({topic: {"1": {"a": 1}} for topic in ("1", "wt09-2")})
    qrels = dialect.judged(qrels) if numbered else qrels

    def work() -> object:
        (run,) = dialect.runs(read_runs(path))
        found = run.join(qrels, dialect.policies.ordering)
        return parts(found.lists), found.extra, list(run.prefix(1).items())

    compiled, plain = both(work)
    assert compiled == plain
