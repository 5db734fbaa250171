"""Lines of text out of bytes: UTF-8, block by block, however long the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from polyseme.collection.formats.fields import CONTROL
from polyseme.collection.formats.opening import Readable, Source
from polyseme.collection.formats.report import Report

BLOCK = 1 << 20
LONGEST_LINE = 1 << 20
_WHITE = re.compile(r"[ \t]+")
_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


@dataclass(frozen=True)
class Block:
    """Some lines without their ends; comments and lines that cannot be read are empty."""

    #: the number of the first line, from 1
    first: int
    lines: list[str]
    #: parts a line at spaces and tabs
    split: Callable[[str], list[str]]


def columns_of(line: str) -> list[str]:
    """The parts of a line between spaces and tabs, and at no other white space."""
    return _WHITE.split(line.strip(" \t")) if line.strip(" \t") else []


def blocks(
    source: Source, report: Report, *, free_text: bool = False, size: int = BLOCK
) -> Iterator[Block]:
    """The lines of a file. ``free_text`` keeps comments and control characters (CSV, JSON)."""
    with source.open() as stream:
        first = source.first_line
        for piece in _whole_lines(stream, report, size):
            lines, split = _lines(piece, first, report, free_text)
            yield Block(first, lines, split)
            first += len(lines)


def _whole_lines(stream: Readable, report: Report, size: int) -> Iterator[bytes]:
    """Bytes cut at line ends, the last line's end left off."""
    kept = b""
    line = 1
    begun = False
    while True:
        data = stream.read(size)
        if not begun:
            while len(data) < 4 and (more := stream.read(4)):
                data += more
            _check_beginning(data, report)
            begun = True
        if not data:
            break
        cut = data.rfind(b"\n")
        if cut < 0:
            kept += data
            if len(kept) > LONGEST_LINE:
                _too_long(kept, line, report)
            continue
        piece = kept + data[:cut]
        kept = data[cut + 1 :]
        if len(piece) > LONGEST_LINE:
            for number, one in enumerate(piece.split(b"\n"), line):
                if len(one) > LONGEST_LINE:
                    _too_long(one, number, report)
        line += piece.count(b"\n") + 1
        yield piece
    if kept:
        yield kept


def _check_beginning(data: bytes, report: Report) -> None:
    if not data:
        report.fatal(
            "the file is empty",
            expected="at least one line",
            remedy="check what should have written it",
        )
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            report.fatal(
                f"the file is {encoding}",
                expected="UTF-8",
                remedy=f"convert it: iconv -f {encoding} -t UTF-8 FILE > NEW",
            )
    if data.startswith(b"\xef\xbb\xbf"):
        report.fatal(
            "the file begins with a byte-order mark",
            line=1,
            expected="UTF-8 without a mark",
            remedy="save it without the mark: tail -c +4 FILE > NEW",
        )


def _too_long(line: bytes, number: int, report: Report) -> None:
    _refuse_zero(line, number, report)
    report.fatal(
        f"a line is longer than {LONGEST_LINE:,} bytes",
        line=number,
        text=line[:80].decode(errors="backslashreplace"),
        expected="one record a line",
        remedy="check that the file is what you think it is, and its line ends",
    )


def _refuse_zero(piece: bytes, first: int, report: Report) -> None:
    zero = piece.find(b"\0")
    if zero >= 0:
        report.fatal(
            "the file holds a zero byte: it is binary, or UTF-16 without a mark",
            line=first + piece.count(b"\n", 0, zero),
            text=piece[piece.rfind(b"\n", 0, zero) + 1 : zero + 40].decode(
                errors="backslashreplace"
            ),
            expected="text in UTF-8",
            remedy="check that the file is what you think it is",
        )


def _lines(
    piece: bytes, first: int, report: Report, free_text: bool
) -> tuple[list[str], Callable[[str], list[str]]]:
    _refuse_zero(piece, first, report)
    try:
        text = piece.decode()
    except UnicodeDecodeError:
        text = _decoded(piece, first, report)
    if "\r" in text:
        text = text.replace("\r\n", "\n").removesuffix("\r")
    lines = text.split("\n")
    if free_text:
        return lines, columns_of
    if "#" in text:
        lines = ["" if line.lstrip(" \t").startswith("#") else line for line in lines]
    if _has_control(text):
        _without_control(lines, first, report)
    return lines, (str.split if text.isascii() else columns_of)


def _has_control(text: str) -> bool:
    # Line ends are control characters too: search the text without them.
    return CONTROL.search(text.replace("\n", "")) is not None


def _decoded(piece: bytes, first: int, report: Report) -> str:
    lines: list[str] = []
    for number, line in enumerate(piece.split(b"\n"), first):
        try:
            lines.append(line.decode())
        except UnicodeDecodeError:
            lines.append("")
            report.problem(
                "the line is not UTF-8",
                line=number,
                text=line[:200].decode(errors="backslashreplace"),
                expected="text in UTF-8",
                remedy="convert the file: iconv -f LATIN1 -t UTF-8 FILE > NEW",
            )
    return "\n".join(lines)


def _without_control(lines: list[str], first: int, report: Report) -> None:
    for place, line in enumerate(lines):
        odd = CONTROL.search(line)
        if odd:
            lines[place] = ""
            report.problem(
                f"the line holds the control character {odd.group()!r}",
                line=first + place,
                text=line,
                expected="columns separated by spaces or tabs, lines that end in a line feed",
                remedy="remove the character (carriage returns alone: tr '\\r' '\\n')",
            )


def records(source: Source, report: Report, columns: str) -> Iterator[tuple[int, str, list[str]]]:
    """Every line that has the columns: its number, its text and its fields."""
    wanted = len(columns.split())
    for block in blocks(source, report):
        split = block.split
        for number, text in enumerate(block.lines, block.first):
            fields = split(text)
            if len(fields) == wanted:
                yield number, text, fields
            elif fields:
                report.columns(fields, columns, number, text)
