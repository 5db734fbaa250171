"""Files like those of TREC, of any size, the same for the same seed.

    python benchmarks/_trec_files.py FOLDER --runs 48 --topics 50 --documents 1000

writes judgments.qrels and runs/NN.run. Identifiers look like ClueWeb's; a topic's runs draw on one
pool, and the judged documents are those that stand high in it; every third run has many ties, and
every fifth scores of 17 digits, as programs print that do not round.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Shape:
    runs: int = 48
    topics: int = 50
    documents: int = 1000
    intents: int = 4
    #: documents judged a topic
    judged: int = 300
    seed: int = 1

    @property
    def lines(self) -> int:
        return self.runs * self.topics * self.documents


def write(shape: Shape, folder: Path) -> tuple[Path, list[Path]]:
    """The paths of the judgments and of the runs."""
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    paths = [folder / "runs" / f"{run:02}.run" for run in range(shape.runs)]
    streams = [open(path, "w") for path in paths]  # noqa: SIM115
    judgments = folder / "judgments.qrels"
    with open(judgments, "w") as qrels:
        for topic in range(1, shape.topics + 1):
            rng = np.random.default_rng([shape.seed, topic])
            pool = _pool(shape, rng)
            qrels.writelines(_judgments(shape, topic, pool, rng))
            for run, stream in enumerate(streams):
                stream.writelines(_list(shape, topic, run, pool, rng))
    for stream in streams:
        stream.close()
    return judgments, paths


def _pool(shape: Shape, rng: np.random.Generator) -> list[str]:
    """Identifiers, those that everybody likes first."""
    wanted = max(2 * shape.documents, shape.judged)
    numbers = rng.choice(500_000_000, size=wanted, replace=False).tolist()
    return [
        f"clueweb09-en{number // 10_000_000:04}-{number // 100_000 % 100:02}-{number % 100_000:05}"
        for number in numbers
    ]


def _judgments(
    shape: Shape, topic: int, pool: list[str], rng: np.random.Generator
) -> Iterator[str]:
    grades = rng.choice([0, 0, 0, 1, 2], size=(shape.judged, shape.intents)).tolist()
    for document, row in zip(pool, grades, strict=False):
        relevant = [(intent, grade) for intent, grade in enumerate(row, 1) if grade]
        for intent, grade in relevant or [(1, 0)]:
            yield f"{topic} {intent} {document} {grade}\n"


def _list(
    shape: Shape, topic: int, run: int, pool: list[str], rng: np.random.Generator
) -> Iterator[str]:
    liked = np.arange(len(pool)) / len(pool) + rng.normal(0, 0.4, len(pool))
    order = np.argsort(liked, kind="stable")[: shape.documents]
    scores = np.sort(rng.gamma(2.0, 5.0, len(order)))[::-1]
    if run % 5 == 4:
        written = [repr(score) for score in scores.tolist()]
    else:
        digits = 1 if run % 3 == 2 else 6
        written = [f"{score:.{digits}f}" for score in scores.tolist()]
    for rank, (place, score) in enumerate(zip(order.tolist(), written, strict=True), 1):
        yield f"{topic} Q0 {pool[place]} {rank} {score} run{run:02}\n"


def add_options(parser: argparse.ArgumentParser, shape: Shape) -> None:
    for name in ("runs", "topics", "documents", "intents", "judged", "seed"):
        parser.add_argument(f"--{name}", type=int, default=getattr(shape, name))


def shape_of(options: argparse.Namespace) -> Shape:
    return Shape(
        options.runs,
        options.topics,
        options.documents,
        options.intents,
        options.judged,
        options.seed,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("folder", type=Path)
    add_options(parser, Shape())
    said = parser.parse_args()
    judgments, runs = write(shape_of(said), said.folder)
    print(f"{judgments} and {len(runs)} runs, {shape_of(said).lines:,} lines")
