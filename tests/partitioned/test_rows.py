"""Rows of Parquet as lines: whatever stands in them, they are read as the table reader reads."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from polyseme.errors import InputError, PolysemeError
from polyseme.evaluation import evaluate
from polyseme.partitioned import evaluate_partitions

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

names = st.sampled_from(["d1", "d2", "d3", "a b", "é", "中文", "#1", "x#", "d 1 2.0 r", "7"])
topics = st.sampled_from(["1", "2", "10", "wt 9", "#3", "é"])
scores = st.sampled_from([0.1, 1 / 3, 1e-300, -2.5, 1e22, 3.0, 123456789.123])


def files(folder: Path, judged: list[Any], retrieved: list[Any]) -> tuple[Path, Path]:
    judgments, run = folder / "j.parquet", folder / "run.parquet"
    columns = list(zip(*judged, strict=True))
    parquet.write_table(
        pa.table(dict(zip(("topic", "intent", "doc", "grade"), columns, strict=True))), judgments
    )
    columns = list(zip(*retrieved, strict=True))
    parquet.write_table(pa.table(dict(zip(("topic", "doc", "score"), columns, strict=True))), run)
    return judgments, run


def outcome(work: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return work()
        except PolysemeError as error:
            return type(error), str(error).partition("\n")[0]


@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    judged=st.lists(
        st.tuples(topics, st.sampled_from(["1", "b c"]), names, st.integers(-1, 3)),
        min_size=1,
        max_size=12,
        unique_by=lambda line: line[:3],
    ),
    retrieved=st.lists(
        st.tuples(topics, names, scores), min_size=1, max_size=15, unique_by=lambda line: line[:2]
    ),
    ordered=st.booleans(),
)
def test_any_names_and_numbers(
    tmp_path_factory: pytest.TempPathFactory, judged: Any, retrieved: Any, ordered: bool
) -> None:
    if ordered:
        judged, retrieved = sorted(judged), sorted(retrieved)
    paths = files(tmp_path_factory.mktemp("rows"), judged, retrieved)
    measures = "I-rec@5 ERR-IA@5 nDCG@3"
    here = outcome(lambda: evaluate(paths[0], str(paths[1]), measures).mean_values)
    there = outcome(lambda: evaluate_partitions(*paths, measures).mean_values)
    if isinstance(here, tuple):
        # the same kind of error: its text may name other topics first
        assert isinstance(there, tuple), (here, there)
        return
    assert not isinstance(there, tuple), there
    from polyseme.measures.means import TopicMean

    assert there(TopicMean()) == pytest.approx(here(TopicMean()), rel=1e-12, abs=1e-12)


def test_what_is_wrong_with_a_row_is_told_with_its_number(tmp_path: Path) -> None:
    rows = [(str(n), "d1", 1.0) for n in range(1, 40)]
    rows[20] = (*rows[20][:2], float("nan"))
    judged = [(str(n), "1", "d1", 1) for n in range(1, 40)]
    paths = files(tmp_path, sorted(judged), sorted(rows))
    line = sorted(rows).index(rows[20]) + 1
    with pytest.raises(InputError, match=rf"run.parquet:{line}: the score is not a number"):
        evaluate_partitions(*paths, "P@5")


@pytest.mark.filterwarnings("ignore::polyseme.errors.PolysemeWarning")
@pytest.mark.parametrize("columns", [("rank",), ("score",), ("rank", "score")])
@pytest.mark.parametrize("order", ["score", "rank", "file"])
@pytest.mark.parametrize("shuffled", [False, True])
def test_what_no_column_says_does_not_decide(
    tmp_path: Path, columns: tuple[str, ...], order: str, shuffled: bool
) -> None:
    rng = np.random.default_rng(5)
    topic = np.repeat(np.arange(10, 30), 6).astype(str)
    doc = np.tile([f"d{n}" for n in range(6)], 20)
    rank = np.concatenate([rng.permutation(6) + 1 for _ in range(20)])
    whole = {"topic": topic, "doc": doc, "rank": rank, "score": rng.integers(0, 4, 120) / 3}
    held = pa.table({name: whole[name] for name in ("topic", "doc", *columns)})
    if shuffled:
        held = held.take(rng.permutation(120))
    judged = [
        (t, "1", d, int(g)) for t, d, g in zip(topic, doc, rng.integers(0, 3, 120), strict=True)
    ]
    judgments, run = files(tmp_path, judged, [("1", "d", 1.0)])
    parquet.write_table(held, run)
    here = evaluate(judgments, str(run), "ERR-IA@5 nDCG@3", order=order)
    there = evaluate_partitions(judgments, run, "ERR-IA@5 nDCG@3", order=order)
    assert there.mean_values(here.means[0]) == pytest.approx(
        here.mean_values(here.means[0]), rel=1e-12
    )


def test_values_of_topics_are_a_data_set(tmp_path: Path) -> None:
    judged = [(str(n), "1", f"d{n % 3}", n % 2 + 1) for n in range(30)]
    retrieved = [(str(n), f"d{k}", 1 / (k + 1)) for n in range(30) for k in range(3)]
    paths = files(tmp_path, judged, retrieved)
    here = evaluate(paths[0], str(paths[1]), "ERR-IA@5 P@2")
    evaluate_partitions(*paths, "ERR-IA@5 P@2", resume=tmp_path / "kept", per_topic=True)
    rows = parquet.read_table(tmp_path / "kept" / "per-topic").to_pylist()
    there = {(row["run"], row["topic"], row["measure"]): row["value"] for row in rows}
    assert there == {tuple(row[:3]): row[3] for row in here.topic_rows()}
