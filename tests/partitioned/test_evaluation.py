"""Evaluation in partitions gives what `polyseme.evaluate` gives, however topics are divided."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines import DASK, engine_called
from polyseme.collection.formats.writing import write_judgments, write_probabilities, write_runs
from polyseme.collection.synthetic import SyntheticCollection, synthesize
from polyseme.evaluation import evaluate
from polyseme.partitioned import PartitionedScores, evaluate_partitions, memory

MEASURES = "I-rec@10 D#-nDCG@10 ERR-IA@10 alpha-nDCG@10 nDCG@10 ERR-IA'@10 Q@10 RBU@10"


@pytest.fixture(autouse=True)
def small_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for so little that tiny collections need several partitions."""
    monkeypatch.setattr(memory, "LEAST", 1)
    monkeypatch.setattr("polyseme.collection.partitions.looking._STRETCH", 200)
    monkeypatch.setattr("polyseme.collection.partitions.inputs.PIECE", 3000)
    monkeypatch.setattr("polyseme.collection.partitions.rows.BATCH", 40)


def room(size: int, workers: int = 1) -> int:
    """So much memory that each worker has a little room."""
    return memory.PROCESS + (workers * memory.PROCESS if workers > 1 else 0) + workers * size


def collection(seed: int = 3, topics: int = 12) -> SyntheticCollection:
    return synthesize(np.random.default_rng(seed), topics=topics, teams=2, depth=30)


@dataclass
class Written:
    """A collection's files."""

    judgments: Path
    probabilities: Path
    runs: list[Path]

    def here(self, **said: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return evaluate(
                self.judgments,
                [str(run) for run in self.runs],
                said.pop("measures", MEASURES),
                probabilities=self.probabilities,
                **said,
            )

    def there(self, **said: Any) -> PartitionedScores:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return evaluate_partitions(
                self.judgments,
                self.runs,
                said.pop("measures", MEASURES),
                probabilities=self.probabilities,
                **said,
            )


def written(
    folder: Path, form: str = "trec", *, shuffled: bool = False, seed: int = 3, topics: int = 12
) -> Written:
    folder.mkdir(parents=True, exist_ok=True)
    made = collection(seed, topics)
    suffix = {"trec": "txt", "packed": "txt.gz"}.get(form, form)
    of: Any = None if form not in ("trec", "packed") else "trec"
    files = Written(
        folder / f"judgments.{suffix}",
        folder / "probabilities.txt",
        [folder / f"{run.name}.{suffix}" for run in made.runs],
    )
    write_judgments(made.judged, files.judgments, format=of)
    write_probabilities(made.judged, files.probabilities, format="trec")
    for run, path in zip(made.runs, files.runs, strict=True):
        write_runs([run], path, format=of)
    if shuffled:
        for path in (files.judgments, *files.runs):
            shuffle(path, form, seed)
    return files


def shuffle(path: Path, form: str, seed: int) -> None:
    if form == "parquet":
        from pyarrow import parquet

        table = parquet.read_table(path)
        order = np.random.default_rng(seed).permutation(len(table))
        parquet.write_table(table.take(order), path, row_group_size=97)
        return
    lines = path.read_text().splitlines(keepends=True)
    head = lines[:1] if form == "csv" else []
    rest = lines[len(head) :]
    Random(seed).shuffle(rest)
    path.write_text("".join(head + rest))


def same(here: Any, there: PartitionedScores, **of: Any) -> None:
    assert there.runs == here.runs
    assert there.measures == here.measures
    assert there.judged == len(here.topics)
    assert list(there.entered) == here.entered.sum(axis=1).tolist()
    assert list(there.lacking) == [len(here.missing(run)) for run in here.runs]
    assert list(there.beyond) == [len(here.extra.get(run, ())) for run in here.runs]
    assert there.topic_report() == here.topic_report()
    for mean in here.means:
        assert there.mean_values(mean) == pytest.approx(
            here.mean_values(mean), rel=1e-12, abs=1e-12, nan_ok=True
        )


FORMS = ["trec", "packed", "csv", "jsonl", "parquet"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("shuffled", [False, True])
def test_every_format_in_any_order(tmp_path: Path, form: str, shuffled: bool) -> None:
    if form == "packed" and shuffled:
        pytest.skip("what is packed is read as if it were in no order anyway")
    files = written(tmp_path, form, shuffled=shuffled)
    there = files.there(memory=room(20_000))
    assert there.partitions > 2
    same(files.here(), there)


@settings(
    deadline=None, max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    seed=st.integers(0, 10_000),
    topics=st.integers(1, 15),
    size=st.integers(1, 200_000),
    form=st.sampled_from(["trec", "parquet"]),
    shuffled=st.booleans(),
    jobs=st.sampled_from([1, 2]),
    means=st.sampled_from(["avg", "dd", "geom"]),
)
def test_means_are_the_same_however_topics_are_divided(
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    topics: int,
    size: int,
    form: str,
    shuffled: bool,
    jobs: int,
    means: Any,
) -> None:
    files = written(
        tmp_path_factory.mktemp("files"), form, shuffled=shuffled, seed=seed, topics=topics
    )
    said: Any = {"measures": "I-rec@10 D#-nDCG@10 ERR-IA@10 nDCG@10", "mean": ["avg", means]}
    there = files.there(memory=room(size), engine="threads" if jobs > 1 else "serial", **said)
    whole = files.there(**said)
    assert whole.partitions == 1 or shuffled
    # exact sums: not one digit hangs on the division
    assert there.totals == whole.totals
    assert np.array_equal(
        there.mean_values(there.means[-1]), whole.mean_values(there.means[-1]), equal_nan=True
    )
    same(files.here(**said), there)


@pytest.mark.parametrize(
    "said",
    [
        {"gmax": "topic"},
        {"gain": "exponential", "adhoc": "sum"},
        {"average_over": "retrieved"},
        {"relevant_from": 2},
        {"only_topics": ["3", "7", "11"]},
        {"order": "rank"},
        {"order": "file", "keep_empty_intents": True},
        {"dialect": "ntcireval"},
        {"dialect": "rbu"},
        {"dialect": "trec_eval", "measures": "trec_eval:map trec_eval:num_rel_ret"},
    ],
    ids=str,
)
def test_policies_hold(tmp_path: Path, said: dict[str, Any]) -> None:
    files = written(tmp_path)
    there = files.there(memory=room(20_000), **said)
    assert there.partitions > 2
    same(files.here(**said), there)


@pytest.fixture(params=["serial", "threads", "processes", "executor", DASK])
def engine(request: pytest.FixtureRequest) -> Iterator[Any]:
    with engine_called(request.param) as ready:
        yield ready


@pytest.mark.parametrize("form", ["trec", "parquet"])
def test_every_engine_gives_the_same(tmp_path: Path, engine: Any, form: str) -> None:
    files = written(tmp_path, form, shuffled=form == "parquet")
    said: Any = {"mean": ["avg", "geom", "dd"], "measures": "I-rec@10 D#-nDCG@10 nDCG@10 P@5"}
    enough = room(20_000, 2) + 2 * memory.NANNY + memory.SCHEDULER
    there = files.there(engine=engine, jobs=2, memory=enough, **said)
    here = files.there(memory=room(30_000), **said)
    assert there.totals == here.totals
    assert there.weights == here.weights
    assert there.entered == here.entered
