"""Data frames of any library that narwhals knows: pandas, polars, pyarrow and others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from polyseme.collection.formats.synonyms import in_our_words
from polyseme.collection.formats.tables import Record
from polyseme.errors import InputError


class FrameTable:
    """A frame as columns and records; lines are rows, from 1."""

    def __init__(self, frame: object, what: str) -> None:
        self._frame = _opened(frame, what)
        self._theirs = in_our_words([str(name) for name in self._frame.columns], what)
        self.columns = list(self._theirs)

    def records(self, columns: Sequence[str]) -> Iterator[Record]:
        """The values of ``columns``, row by row."""
        values = [self._frame[self._theirs[name]].to_list() for name in columns]
        for row, record in enumerate(zip(*values, strict=True), 1):
            yield record, row, None


def _opened(frame: object, what: str) -> Any:
    import narwhals

    try:
        opened: Any = narwhals.from_native(frame, pass_through=True)
        if isinstance(opened, narwhals.LazyFrame):
            opened = opened.collect()
    except narwhals.exceptions.NarwhalsError as error:
        raise InputError(
            f"the frame of {what} cannot be read ({error})",
            expected="a frame whose columns have different names",
            remedy="mend the frame",
        ) from None
    if not isinstance(opened, narwhals.DataFrame):
        raise InputError(
            f"{type(frame).__name__} is not something that {what} can be read from",
            text=f"{frame!r:.200}",
            expected="a path, a dictionary or a data frame",
            remedy="make it one of these",
        )
    return opened
