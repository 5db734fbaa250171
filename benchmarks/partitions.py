"""Evaluation in partitions: one process, two, and Dask on this machine; and memory with Parquet.

    python benchmarks/partitions.py --topics 1000000 --runs 10 --depth 20 --folder /tmp/large
    python benchmarks/partitions.py --topics 1000000 --depth 30 --runs 1 --form parquet

makes a collection of that many topics (200 million retrieved documents here, 6 GB as TREC files),
evaluates it with each engine in turn and prints seconds, the most memory of all processes together
and ratios. Every process computes with one thread. Without options the collection is small.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
import time
from pathlib import Path

from _large_files import Large, write
from _process_memory import peak

POLYSEME = Path(sys.executable).with_name("polyseme")
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--topics", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--depth", type=int, default=20)
    parser.add_argument("--intents", type=int, default=4)
    parser.add_argument("--judged", type=int, default=12)
    parser.add_argument("--form", choices=("trec", "parquet"), default="trec")
    parser.add_argument("--engines", default="serial,processes,dask")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--memory", default="1G")
    parser.add_argument("--folder", type=Path, help="keep the files here, and find them again")
    said = parser.parse_args()
    large = Large(said.topics, said.runs, said.depth, said.intents, said.judged)
    with tempfile.TemporaryDirectory() as temporary:
        folder = said.folder or Path(temporary)
        judgments, runs = found(large, folder, said.form) or write(large, folder, said.form)
        print(f"{large.triples:,} retrieved documents, {said.topics:,} topics, {said.runs} runs")
        first: dict[tuple[str, str], float] | None = None
        took: dict[str, float] = {}
        for engine in said.engines.split(","):
            output = Path(temporary) / "means.csv"
            jobs = 1 if engine == "serial" else said.jobs
            seconds, most = timed(
                [
                    *(str(POLYSEME), "evaluate", str(judgments), *map(str, runs)),
                    *("--engine", engine, "--jobs", str(jobs), "--memory", said.memory),
                    *("-o", str(output), "--quiet"),
                ]
            )
            took[engine] = seconds
            means = read(output)
            first = first or means
            assert means == first, "another engine, other numbers"
            ratio = took[next(iter(took))] / seconds
            print(f"{engine:10} {seconds:7.1f} s  {ratio:5.2f}x  {most >> 20:5} MB")


def found(large: Large, folder: Path, form: str) -> tuple[Path, list[Path]] | None:
    judgments = folder / f"judgments.{form}"
    runs = [folder / f"run{n:02}.{form}" for n in range(large.runs)]
    return (judgments, runs) if all(path.exists() for path in (judgments, *runs)) else None


def timed(command: list[str]) -> tuple[float, int]:
    """Seconds, and the most bytes that all processes took together."""
    begin = time.perf_counter()
    most, status = peak(command, ONE_THREAD, pause=0.1)
    if status:
        raise SystemExit(status)
    return time.perf_counter() - begin, most


def read(path: Path) -> dict[tuple[str, str], float]:
    with path.open(newline="") as stream:
        return {(r["run"], r["measure"]): float(r["value"]) for r in csv.DictReader(stream)}


if __name__ == "__main__":
    main()
