"""Named tuples, as ir_measures and ir_datasets hand them out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from polyseme.collection.formats.synonyms import in_our_words
from polyseme.collection.formats.tables import Record


class ObjectTable:
    """Objects of one kind as columns and records; lines are objects, from 1."""

    def __init__(self, objects: Iterable[object], fields: Sequence[str], what: str) -> None:
        self._objects = objects
        self._theirs = in_our_words(fields, what)
        self.columns = list(self._theirs)

    def records(self, columns: Sequence[str]) -> Iterator[Record]:
        """The values of ``columns``, object by object."""
        names = [self._theirs[name] for name in columns]
        for number, each in enumerate(self._objects, 1):
            yield [getattr(each, name, None) for name in names], number, str(each)


def table_of_objects(source: object, what: str) -> ObjectTable | None:
    """The table that a list or an iterator of named tuples is; None for anything else."""
    if not isinstance(source, list | tuple | Iterator) or hasattr(source, "_fields"):
        return None
    objects = iter(source)
    first = next(objects, None)
    fields = getattr(first, "_fields", None)
    return None if fields is None else ObjectTable(chain([first], objects), fields, what)
