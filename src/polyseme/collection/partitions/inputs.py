"""The files of an evaluation, each with its role, its format and what tells it from another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from polyseme.collection.formats import catalogue, places
from polyseme.collection.formats.opening import STANDARD_INPUT, source_of
from polyseme.collection.formats.places import Stamp
from polyseme.collection.formats.report import Report
from polyseme.collection.formats.tables import Kind, columns_read
from polyseme.collection.partitions import rows
from polyseme.collection.reading import Names, first_tag, format_of, run_name
from polyseme.errors import InputError

Role = Literal["judgments", "probabilities", "adhoc", "run"]
KIND: dict[Role, Kind] = {
    "judgments": "judgments",
    "probabilities": "probabilities",
    "adhoc": "judgments",
    "run": "run",
}
_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xef\xbb\xbf")
#: how much a compressed file may hold, for each of its bytes
_SWELLS = 6
#: about how many bytes a row is as a line
_ROW = 40
#: what one worker looks through at a time
PIECE = 256 << 20
_PIECE_ROWS = 4 << 20


@dataclass(frozen=True)
class Input:
    """One file."""

    role: Role
    path: str
    stamp: Stamp
    format: str
    #: the folder that was named in place of its files
    folder: str = ""
    #: of a run: what it is called, where its rows do not say
    run: str = ""
    tag: str | None = None
    #: columns to read, where columns have names
    columns: tuple[str, ...] = ()
    #: it can only be read from its beginning
    packed: bool = False

    @property
    def is_table(self) -> bool:
        return self.format in catalogue.TABLES

    @property
    def holds_runs(self) -> bool:
        """Its rows say of which run they are."""
        return self.role == "run" and "run" in self.columns

    @property
    def has_places(self) -> bool:
        """Can it be read from any line or row on?"""
        return self.format == "parquet" or not (self.is_table or self.packed)

    @property
    def makes_lines(self) -> bool:
        """Do the compiled scanners read it, perhaps by way of lines made of rows?"""
        if self.format == "parquet":
            return self.role in ("judgments", "adhoc", "run") and not {
                "prob",
                "iteration",
            }.intersection(self.columns)
        return not self.is_table

    @property
    def weight(self) -> int:
        """About how many bytes of text it holds."""
        if self.format == "parquet":
            return sum(rows.row_groups(self.path)) * _ROW
        return self.stamp.size * (_SWELLS if self.packed else 1)


@dataclass(frozen=True)
class Piece:
    """A part of a file that one worker reads: lines that begin, or row groups, in between."""

    input: int
    number: int
    path: str
    start: int
    end: int | None

    @property
    def key(self) -> str:
        """What its results are called."""
        return f"{self.input:04}-{self.number:05}"

    @property
    def name(self) -> str:
        return self.path if not self.number else f"{self.path}, piece {self.number + 1}"


def inputs_of(
    paths: Sequence[str], role: Role, forced: str | None, names: Names = "file"
) -> Iterator[Input]:
    """The files that are named, those of a folder in the place of the folder."""
    for path in paths:
        yield from _inputs_at(path, role, forced, names)


def _inputs_at(path: str, role: Role, forced: str | None, names: Names) -> Iterator[Input]:
    if path == STANDARD_INPUT or path.startswith("irds:"):
        raise InputError(
            "what is read in partitions must be a file",
            path="standard input" if path == STANDARD_INPUT else path,
            expected="a path or an address such as s3://bucket/file",
            remedy="write it to a file first (polyseme convert)",
        )
    stamp = places.stamp_of(path)
    if stamp is not None:
        yield _input(path, role, forced, names, stamp, "")
        return
    members = places.files_in(path)
    if not members:
        raise InputError(
            "there is no file in the folder",
            path=path,
            expected="a folder with files of one format",
            remedy="check the path",
        )
    first: Input | None = None
    for member in members:
        stamp = places.stamp_of(member)
        assert stamp is not None
        found = _input(member, role, forced, names, stamp, path)
        first = first or found
        if found.format != first.format:
            raise InputError(
                f"the folder holds {first.format} ({first.path}) and {found.format}",
                path=member,
                expected="a folder with files of one format",
                remedy="put them into folders of their own, or name the files",
            )
        yield found


def _input(
    path: str, role: Role, forced: str | None, names: Names, stamp: Stamp, folder: str
) -> Input:
    file = source_of(path)
    if file.path is None:
        raise InputError(
            "this can be read only once",
            path=path,
            expected="a file",
            remedy="write it to a file first",
        )
    report = Report(path)
    kind = KIND[role]
    chosen = format_of(file, report, kind, forced)
    columns: tuple[str, ...] = ()
    if chosen in catalogue.TABLES:
        found = catalogue.TABLES[chosen](file, report).columns
        columns = tuple(columns_read(kind, found, report))
    tag, run = None, ""
    if role == "run" and "run" not in columns:
        if names == "tag":
            tag = first_tag(file, report, chosen)
        # lines of TREC's are a run each; tables in a folder may be parts of one
        folder = folder if columns else ""
        run = tag or run_name((folder or path).partition("?")[0].rstrip("/"))
    with file.raw() as stream:
        packed = stream.read(4).startswith(_PACKED)
    return Input(role, path, stamp, chosen, folder, run, tag, columns, packed)


def pieces_of(inputs: Sequence[Input]) -> list[Piece]:
    """Every file in pieces, one after another."""
    return [piece for place, each in enumerate(inputs) for piece in _pieces(place, each)]


def _pieces(place: int, each: Input) -> Iterator[Piece]:
    bounds: list[tuple[int, int | None]] = []
    if each.format == "parquet":
        first = held = 0
        sizes = rows.row_groups(each.path)
        for number, size in enumerate(sizes):
            held += size
            if held >= _PIECE_ROWS or number == len(sizes) - 1:
                bounds.append((first, number + 1))
                first, held = number + 1, 0
    elif each.has_places:
        size = each.stamp.size
        bounds = [(low, min(low + PIECE, size)) for low in range(0, size, PIECE)]
    for number, (start, end) in enumerate(bounds or [(0, None)]):
        yield Piece(place, number, each.path, start, end)


def run_names(inputs: Sequence[Input], told: dict[int, list[str]]) -> tuple[str, ...]:
    """All runs in the order of their files; ``told`` are those that rows name, by the input."""
    owner: dict[str, Input] = {}
    for place, each in enumerate(inputs):
        if each.role != "run":
            continue
        for run in told.get(place, ()) if each.holds_runs else (each.run,):
            other = owner.setdefault(run, each)
            if other is not each and not (each.folder and other.folder == each.folder):
                raise InputError(
                    f"two runs are named {run!r} ({other.path} and {each.path})",
                    expected="a name for each run",
                    remedy="rename a file, or take the names inside the files: --run-names tag",
                )
    return tuple(owner)
