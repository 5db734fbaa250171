"""Lines out of bytes: encodings, white space, line ends, and what is no text at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.collection.formats.opening import source_of_bytes
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.text import LONGEST_LINE, blocks, columns_of
from polyseme.collection.reading import read_qrels
from small_files import PACKINGS, by_intent, qrels_error, written

EXPECTED = {"1": {"1": {"a": 1, "b": 0}}}


@pytest.mark.parametrize(
    "content",
    [
        "1 1 a 1\n1 1 b 0\n",
        "1 1 a 1\n1 1 b 0",
        "1\t1\ta\t1\n1\t1\tb\t0\n",
        "  1 \t 1   a\t\t1 \t\n1 1 b 0\n",
        "1 1 a 1\r\n1 1 b 0\r\n",
        "1 1 a 1\r\n1 1 b 0",
        "1 1 a 1\n1 1 b 0\r",
        "# made by hand\n\n1 1 a 1\n   \t\n  # 1 1 c 1\n#\n1 1 b 0\n\n",
        "1 1 b 0\n1 1 a 1\n",
    ],
)
def test_white_space_comments_and_line_ends_change_nothing(tmp_path: Path, content: str) -> None:
    assert by_intent(read_qrels(written(tmp_path, content))) == EXPECTED


def test_only_spaces_and_tabs_separate_columns(tmp_path: Path) -> None:
    path = written(tmp_path, "1 1 a\u00a0b\u2003c\x85d 1\n1 1 é 0\n")
    assert by_intent(read_qrels(path)) == {"1": {"1": {"a\u00a0b\u2003c\x85d": 1, "é": 0}}}


@pytest.mark.parametrize(
    ("content", "problem", "remedy"),
    [
        (b"", "the file is empty", "check what should have written it"),
        (b"\n \n# nothing\n", "nothing but blank lines and comments", "check what"),
        (b"\xef\xbb\xbf1 1 a 1\n", "byte-order mark", "tail -c +4"),
        ("1 1 a 1\n".encode("utf-16"), "the file is UTF-16", "iconv -f UTF-16 -t UTF-8"),
        (b"\xfe\xff" + "1 1 a 1\n".encode("utf-16-be"), "the file is UTF-16", "iconv"),
        ("1 1 a 1\n".encode("utf-32"), "the file is UTF-32", "iconv -f UTF-32"),
        ("1 1 a 1\n".encode("utf-16-le"), "zero byte", "check that the file"),
        (b"\x7fELF\x00\x01", "zero byte", "check that the file"),
    ],
)
@pytest.mark.parametrize("packing", PACKINGS)
def test_what_is_no_text_is_refused(
    tmp_path: Path, content: bytes, problem: str, remedy: str, packing: str
) -> None:
    error = qrels_error(written(tmp_path, PACKINGS[packing](content)))
    assert problem in error.problem
    assert error.path == str(tmp_path / "file.txt")
    assert error.expected
    assert remedy in str(error.remedy)


def test_a_line_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    error = qrels_error(written(tmp_path, b"1 1 a 1\n1 1 caf\xe9 1\n"))
    assert error.problem == "the line is not UTF-8"
    assert error.line == 2
    assert error.text == "1 1 caf\\xe9 1"
    assert "iconv -f LATIN1" in str(error.remedy)


def test_a_zero_byte_is_named_by_its_line(tmp_path: Path) -> None:
    error = qrels_error(written(tmp_path, b"1 1 a 1\n1 1 b\0 1\n"))
    assert error.line == 2
    assert error.text is not None
    assert error.text.startswith("1 1 b")


@pytest.mark.parametrize("control", ["\x0b", "\x0c", "\x1c", "\r", "\x1a", "\x7f"])
def test_a_control_character_is_an_error(tmp_path: Path, control: str) -> None:
    error = qrels_error(written(tmp_path, f"1 1 a 1\n1 1 b{control}c 1\n"))
    assert error.line == 2
    assert repr(control) in error.problem


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_line_of_a_hundred_megabytes_is_an_error(tmp_path: Path, packing: str) -> None:
    content = b"1 1 a 1\n1 1 " + b"b" * 100_000_000 + b" 1\n"
    error = qrels_error(written(tmp_path, PACKINGS[packing](content)))
    assert f"longer than {LONGEST_LINE:,} bytes" in error.problem
    assert error.line == 2
    assert len(str(error)) < 1000


def test_a_long_last_line_without_an_end_is_an_error(tmp_path: Path) -> None:
    error = qrels_error(written(tmp_path, b"1 1 a 1\n" * 10 + b"x" * (LONGEST_LINE + 1)))
    assert error.line == 11


@given(
    lines=st.lists(st.text(alphabet=" \tab#é\r", max_size=12), max_size=30),
    size=st.integers(1, 64),
    end=st.sampled_from(["", "\n", "\r\n"]),
)
def test_blocks_of_any_size_give_the_same_lines(lines: list[str], size: int, end: str) -> None:
    content = ("x\n" + "\n".join(lines) + end).encode()
    report = Report("lines", lambda _: None)
    cut = [
        (block.first + place, columns_of(line))
        for block in blocks(source_of_bytes(content, "lines"), report, size=size)
        for place, line in enumerate(block.lines)
    ]
    whole = [
        (number, columns_of(line) if "\r" not in line and line.strip(" \t")[:1] != "#" else [])
        for number, line in enumerate(
            (line.removesuffix("\r") for line in content.decode().split("\n")), 1
        )
    ]
    while cut and not cut[-1][1]:
        cut.pop()
    while whole and not whole[-1][1]:
        whole.pop()
    assert cut == whole
