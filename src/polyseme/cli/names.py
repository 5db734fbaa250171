"""Names given to an option as a list with commas, or as a file."""

from __future__ import annotations

import os
from typing import Literal

from polyseme.collection.formats.opening import source_of
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.text import blocks
from polyseme.errors import InputError


def names_in(said: str | None, what: Literal["topics", "runs"]) -> list[str] | None:
    """Topics or runs from a list with commas, or from a file of that name."""
    if said is None:
        return None
    if os.path.exists(said):
        source = source_of(said)
        found = blocks(source, Report(source.name))
        lines = [" ".join(block.split(line)) for block in found for line in block.lines]
    else:
        lines = [said]
    names = " ".join(lines).replace(",", " ").split()
    if not names:
        raise InputError(
            f"there is no {what[:-1]} to keep",
            path=said or None,
            expected=f"{what} separated by commas, or a file with a {what[:-1]} a line",
            remedy=f"name the {what}, or leave the option out",
        )
    return list(dict.fromkeys(names))
