"""Runs in memory: polyseme from dictionaries, pyndeval from the tuples that it wants.

    python benchmarks/in_memory.py [--runs 48 ...]

Files are made and read first, which is not measured. Both take turns; medians are told.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from _trec_files import Shape, add_options, shape_of, write

import polyseme

try:
    import pyndeval
except ImportError:
    pyndeval = None

#: how many times as long pyndeval should take
GOAL = 10
ROUNDS = 5


def judgments_of(path: Path) -> list[tuple[str, str, str, int]]:
    with open(path) as lines:
        split = (line.split() for line in lines)
        return [(topic, intent, doc, int(grade)) for topic, intent, doc, grade in split]


def run_of(path: Path) -> list[tuple[str, str, float]]:
    with open(path) as lines:
        split = (line.split() for line in lines)
        return [(topic, doc, float(score)) for topic, _, doc, _, score, _ in split]


def ours(
    judgments: list[tuple[str, str, str, int]], runs: dict[str, list[tuple[str, str, float]]]
) -> Callable[[], object]:
    graded: dict[str, dict[str, dict[str, int]]] = {}
    for topic, intent, document, grade in judgments:
        graded.setdefault(topic, {}).setdefault(intent, {})[document] = grade
    ranked: dict[str, dict[str, dict[str, float]]] = {name: {} for name in runs}
    for name, lines in runs.items():
        for topic, document, score in lines:
            ranked[name].setdefault(topic, {})[document] = score
    return lambda: polyseme.evaluate(graded, ranked, "sakai2019 trec").mean()


def theirs(
    judgments: list[tuple[str, str, str, int]], runs: dict[str, list[tuple[str, str, float]]]
) -> Callable[[], object]:
    def work() -> object:
        evaluator = pyndeval.RelevanceEvaluator(judgments)
        return [evaluator.evaluate(lines) for lines in runs.values()]

    return work


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    add_options(parser, Shape())
    shape = shape_of(parser.parse_args())
    with tempfile.TemporaryDirectory() as folder:
        path, paths = write(shape, Path(folder))
        judgments = judgments_of(path)
        runs = {each.stem: run_of(each) for each in paths}
    work = {"polyseme": ours(judgments, runs)}
    if pyndeval is not None:
        work["pyndeval"] = theirs(judgments, runs)
    seconds: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(ROUNDS):
        for name, each in work.items():
            begin = time.perf_counter()
            each()
            seconds[name].append(time.perf_counter() - begin)
    base = median(seconds["polyseme"])
    print(f"{shape.runs} runs x {shape.topics} topics x {shape.documents} documents, from memory")
    for name, taken in seconds.items():
        print(f"{name:12}{median(taken):8.3f} s{median(taken) / base:8.1f} times (goal: {GOAL})")


if __name__ == "__main__":
    main()
