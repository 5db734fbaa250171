"""What the tests of readers share: writing small files, and seeing judgments and runs as dicts."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from polyseme.collection.judgments import Judged
from polyseme.collection.reading import read_qrels, read_runs
from polyseme.collection.runs import Run
from polyseme.errors import InputError

PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda content: content,
    "gzip": gzip.compress,
    "zstd": zstandard.ZstdCompressor().compress,
}


def written(folder: Path, content: str | bytes, name: str = "file.txt") -> Path:
    """A file of that content."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def by_intent(judged: Judged) -> dict[str, dict[str, dict[str, int]]]:
    """Judgments as {topic: {intent: {doc: grade}}}."""
    found: dict[str, dict[str, dict[str, int]]] = {}
    for topic, intent, document, grade in judged.lines():
        found.setdefault(topic, {}).setdefault(intent, {})[document] = grade
    return found


def probabilities_of(judged: Judged) -> dict[str, dict[str, float]]:
    """Given probabilities as {topic: {intent: p}}, those that are there."""
    found: dict[str, dict[str, float]] = {}
    for place, topic in enumerate(judged.topic_of_intent.tolist()):
        given = float(judged.given_probability[place])
        if given == given:
            found.setdefault(judged.topics[topic], {})[judged.intents[place]] = given
    return found


def rows(run: Run) -> list[tuple[str, str, float | None, float | None, int | None]]:
    """A run as (topic, document, score, rank, iteration), in its own order."""
    found = []
    for one in run.topics():
        for place, document in enumerate(one.documents):
            found.append(
                (
                    one.topic,
                    document,
                    None if one.scores is None else one.scores[place],
                    None if one.ranks is None else one.ranks[place],
                    None if one.iterations is None else one.iterations[place],
                )
            )
    return found


def qrels_error(path: object, **options: object) -> InputError:
    """What reading these judgments is refused for."""
    with pytest.raises(InputError) as caught:
        read_qrels(path, **options)  # type: ignore[arg-type]
    return caught.value


def run_error(path: object, **options: object) -> InputError:
    """What reading this run to its end is refused for."""
    with pytest.raises(InputError) as caught:
        list(map(rows, read_runs(path, **options)))  # type: ignore[arg-type]
    return caught.value
