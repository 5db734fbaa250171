"""Values of topics as a data set of Parquet files, one for each partition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from polyseme.collection.formats.places import Folder
from polyseme.errors import MissingExtra
from polyseme.scores import LONG_COLUMNS, Scores

FOLDER = "per-topic"


def write_topics(scores: Scores, folder: Folder, key: str) -> None:
    """The rows (run, topic, measure, value) of the topics that enter the means."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise MissingExtra("writing values of topics", "parquet") from None
    names = pa.dictionary(pa.int32(), pa.string())
    schema = pa.schema(
        [(name, names) for name in LONG_COLUMNS[:-1]] + [(LONG_COLUMNS[-1], pa.float64())]
    )
    with (
        folder.writing(FOLDER, f"part-{key}.parquet") as stream,
        parquet.ParquetWriter(stream, schema, compression="zstd") as writer,
    ):
        for table in _tables(scores, schema, pa):
            writer.write_table(table)


def _tables(scores: Scores, schema: Any, pa: Any) -> Iterator[Any]:
    measures = len(scores.measures)
    for run, name in enumerate(scores.runs):
        topics = np.flatnonzero(scores.entered[run])
        beyond = scores.extra.get(name, ()) if scores.unjudged_as_zero else ()
        values = scores.values[run, topics].reshape(-1)
        place = np.concatenate([topics, len(scores.topics) + np.arange(len(beyond))])
        yield pa.Table.from_arrays(
            [
                _named(pa, np.zeros(len(place) * measures), [name]),
                _named(pa, np.repeat(place, measures), [*scores.topics, *beyond]),
                _named(pa, np.tile(np.arange(measures), len(place)), scores.measures),
                pa.array(np.concatenate([values, np.zeros(len(beyond) * measures)])),
            ],
            schema=schema,
        )


def _named(pa: Any, place: Any, names: Any) -> Any:
    return pa.DictionaryArray.from_arrays(
        pa.array(place.astype(np.int32)), pa.array(list(names), pa.string())
    )
