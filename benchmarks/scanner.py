"""A run joined with judgments: the compiled scanner, the plain reader, `wc -l`, and polars.

    python benchmarks/scanner.py --runs 1 --topics 20000 --documents 1000

makes files of that many lines (20 million here) in a temporary folder, plain and with gzip, and
times each contender in rounds that take turns; what is printed are medians, and their ratios to
that of the scanner. Polars streams: it splits the lines at spaces, and keeps those that are judged.
Decompression alone is what gzip costs at least.
"""

from __future__ import annotations

import argparse
import gzip
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from statistics import median

from _trec_files import Shape, add_options, shape_of, write

from polyseme.collection.formats import scanning
from polyseme.collection.formats.opening import source_of
from polyseme.collection.judgments import Judged
from polyseme.collection.reading import read_qrels, read_runs

SMALL = Shape(runs=2, topics=50, documents=1000, intents=4, judged=300)


def contenders(
    judgments: Path, runs: list[Path], packed: list[Path], *, plain: bool
) -> dict[str, Callable[[], object]]:
    judged = read_qrels(judgments)

    def joined(paths: list[Path]) -> Callable[[], object]:
        return lambda: [run.join(judged) for run in read_runs(*paths)]

    def threads() -> object:
        with ThreadPoolExecutor(2) as pool:
            return list(pool.map(lambda run: run.join(judged), read_runs(*runs)))

    found: dict[str, Callable[[], object]] = {
        "scanner": joined(runs),
        "scanner, two threads": threads,
        "scanner, gzip": joined(packed),
        "gzip decompressed": lambda: decompress(packed),
        "wc -l": lambda: subprocess.run(["wc", "-l", *runs], capture_output=True, check=True),
    }
    if plain:
        found["plain reader"] = lambda: read_plainly(joined(runs))
    if (streamed := polars_join(judged, runs)) is not None:
        found["polars, streaming"] = streamed
    return found


def decompress(paths: list[Path]) -> None:
    for path in paths:
        with source_of(path).open() as stream:
            while stream.read(scanning.BLOCK):
                pass


def read_plainly(work: Callable[[], object]) -> object:
    scanning.COMPILED = False
    try:
        return work()
    finally:
        scanning.COMPILED = True


def polars_join(judged: Judged, runs: list[Path]) -> Callable[[], object] | None:
    try:
        import polars as pl
    except ImportError:
        return None
    topics = [judged.topics[topic] for topic in judged.topic_of_row.tolist()]
    known = pl.LazyFrame(
        {"topic": topics, "document": list(judged.documents), "row": range(len(topics))},
        schema={"topic": pl.String, "document": pl.String, "row": pl.Int64},
    )
    columns = {
        "topic": pl.String,
        "Q0": pl.String,
        "document": pl.String,
        "rank": pl.Int64,
        "score": pl.Float64,
        "tag": pl.String,
    }

    def work() -> object:
        for path in runs:
            lines = pl.scan_csv(
                path, separator=" ", has_header=False, schema=columns, quote_char=None
            )
            hits = lines.select("topic", "document", "rank", "score").join(
                known, on=["topic", "document"]
            )
            hits.collect(engine="streaming")
        return None

    return work


def packed_with_gzip(paths: list[Path]) -> list[Path]:
    packed = [path.with_suffix(".run.gz") for path in paths]
    for path, target in zip(paths, packed, strict=True):
        with open(path, "rb") as stream, gzip.open(target, "wb", compresslevel=5) as into:
            shutil.copyfileobj(stream, into, 1 << 20)
    return packed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    add_options(parser, SMALL)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-plain", action="store_true", help="leave the slow plain reader out")
    said = parser.parse_args()
    if not scanning.COMPILED:
        print("nothing is compiled here: there is nothing to compare")
        return
    shape = shape_of(said)
    with tempfile.TemporaryDirectory() as folder:
        judgments, runs = write(shape, Path(folder))
        work = contenders(judgments, runs, packed_with_gzip(runs), plain=not said.no_plain)
        seconds: dict[str, list[float]] = {name: [] for name in work}
        for _ in range(said.rounds):
            for name, run in work.items():
                begin = time.perf_counter()
                run()
                seconds[name].append(time.perf_counter() - begin)
    print(f"{shape.lines:,} lines in {shape.runs} runs, {said.rounds} rounds")
    print(f"{'':22}{'seconds':>10}{'ratio':>8}{'ns/line':>9}")
    base = median(seconds["scanner"])
    for name, times in sorted(seconds.items(), key=lambda item: median(item[1])):
        taken = median(times)
        print(f"{name:22}{taken:10.3f}{taken / base:8.2f}{1e9 * taken / shape.lines:9.1f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    tools = ", ".join(f"{name} {version(name)}" for name in ("polyseme", "numpy", "isal"))
    print(f"peak memory of all together {peak:.0f} MB; Python {sys.version.split()[0]}, {tools}")


if __name__ == "__main__":
    main()
