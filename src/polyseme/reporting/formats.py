"""The formats that every command writes its findings in."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any, TextIO

from polyseme.reporting.markup import write_html, write_latex, write_markdown
from polyseme.reporting.records import write_csv, write_json, write_jsonl, write_parquet
from polyseme.reporting.text import write_text
from polyseme.tables import Report

_TEXTS: dict[str, Callable[[Report, TextIO], None]] = {
    "table": write_text,
    "csv": write_csv,
    "json": write_json,
    "jsonl": write_jsonl,
    "markdown": write_markdown,
    "latex": write_latex,
    "html": write_html,
}
#: formats made of bytes
BINARY: dict[str, Callable[[Report, IO[bytes]], None]] = {"parquet": write_parquet}
FORMATS: tuple[str, ...] = (*_TEXTS, *BINARY)
#: how files of each format end
SUFFIXES: dict[str, str] = {
    **{form: f".{form}" for form in FORMATS},
    "table": ".txt",
    "markdown": ".md",
    "latex": ".tex",
}
#: formats in which sentences for people have no place
WITHOUT_NOTES = ("csv", "jsonl", "parquet")


def write(report: Report, form: str, stream: IO[Any]) -> None:
    """Write a report in the format of that name."""
    writers: dict[str, Callable[[Report, Any], None]] = {**_TEXTS, **BINARY}
    writers[form](report, stream)
