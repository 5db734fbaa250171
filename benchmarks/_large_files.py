"""Large collections for benchmarks: topics in order, drawn some at a time, as Parquet or TREC."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

#: topics drawn at a time
_STRETCH = 20_000


@dataclass(frozen=True)
class Large:
    """How large a collection is."""

    topics: int
    runs: int
    depth: int
    intents: int
    #: documents a topic; a run ranks some of them, and as many that are not judged
    judged: int

    @property
    def triples(self) -> int:
        return self.topics * self.runs * self.depth


def write(large: Large, folder: Path, form: str) -> tuple[Path, list[Path]]:
    """Judgments and runs; every run finds about half of its documents among the judged."""
    folder.mkdir(parents=True, exist_ok=True)
    judgments = folder / f"judgments.{form}"
    runs = [folder / f"run{n:02}.{form}" for n in range(large.runs)]
    with _opened(judgments, form, ("topic", "intent", "doc", "grade")) as into:
        for low in range(0, large.topics, _STRETCH):
            into.write(_judgments(large, low, min(low + _STRETCH, large.topics)))
    for number, path in enumerate(runs):
        with _opened(path, form, ("topic", "doc", "rank", "score")) as into:
            for low in range(0, large.topics, _STRETCH):
                into.write(_run(large, number, low, min(low + _STRETCH, large.topics)))
    return judgments, runs


def _judgments(large: Large, low: int, high: int) -> dict[str, Any]:
    """Each judged document is relevant to one of the intents or two, or to none."""
    rng = np.random.default_rng([7, low])
    topics, documents = high - low, large.judged
    topic = np.repeat(np.arange(low, high), documents)
    document = np.tile(np.arange(documents), topics)
    grade = rng.choice([0, 1, 2, 3], size=len(topic), p=[0.4, 0.35, 0.15, 0.1])
    intent = rng.integers(1, large.intents + 1, len(topic))
    return {"topic": topic, "intent": intent, "doc": document, "grade": grade}


def _run(large: Large, number: int, low: int, high: int) -> dict[str, Any]:
    rng = np.random.default_rng([11, number, low])
    topics = high - low
    pool = 2 * max(large.judged, large.depth)
    # the documents of a topic in a random order, drawn as a walk around a ring: none comes twice
    first = rng.integers(0, pool, (topics, 1))
    step = rng.choice([n for n in range(1, pool) if np.gcd(n, pool) == 1], (topics, 1))
    document = (first + step * np.arange(large.depth)) % pool
    rank = np.tile(np.arange(1, large.depth + 1), topics)
    score = 1.0 / rank
    return {
        "topic": np.repeat(np.arange(low, high), large.depth),
        "doc": document.reshape(-1),
        "rank": rank,
        "score": score,
    }


class _Into:
    def __init__(self, path: Path, form: str, columns: tuple[str, ...]) -> None:
        self._path, self._form, self._columns = path, form, columns
        self._writer: Any = None

    def __enter__(self) -> _Into:
        self._stream = self._path.open("wb")
        return self

    def __exit__(self, *error: object) -> None:
        if self._writer is not None:
            self._writer.close()
        self._stream.close()

    def write(self, values: dict[str, Any]) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc
        from pyarrow import csv, parquet

        columns: dict[str, Any] = {name: pa.array(values[name]) for name in self._columns}
        columns["topic"] = columns["topic"].cast(pa.string())
        columns["doc"] = pc.binary_join_element_wise("d", columns["doc"].cast(pa.string()), "")
        if "intent" in columns:
            columns["intent"] = columns["intent"].cast(pa.string())
        if self._form == "parquet":
            table = pa.table(columns)
            if self._writer is None:
                self._writer = parquet.ParquetWriter(self._stream, table.schema, compression="zstd")
            self._writer.write_table(table, row_group_size=1 << 18)
            return
        if "rank" in columns:
            columns = {
                "topic": columns["topic"],
                "q": pa.array(["Q0"] * len(columns["doc"])),
                **{name: columns[name] for name in ("doc", "rank", "score")},
                "tag": pa.array(["r"] * len(columns["doc"])),
            }
        csv.write_csv(
            pa.table(columns),
            self._stream,
            csv.WriteOptions(include_header=False, delimiter=" ", quoting_style="none"),
        )


def _opened(path: Path, form: str, columns: tuple[str, ...]) -> _Into:
    return _Into(path, form, columns)
