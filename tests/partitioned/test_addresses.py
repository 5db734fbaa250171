"""Files in an object store: moto's server, on this machine, stands for one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyseme.collection.formats.writing import write_judgments, write_runs
from polyseme.collection.reading import read_qrels, read_runs
from polyseme.collection.synthetic import synthesize
from polyseme.errors import InputError
from polyseme.evaluation import evaluate
from polyseme.partitioned import evaluate_partitions, memory

pytest.importorskip("pyarrow")
MEASURES = "I-rec@10 ERR-IA@10 nDCG@10"
#: a server on a port of its own choice, which says which
SERVER = """
import logging
from moto.server import ThreadedMotoServer
logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
import sys
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    """Host and port of an object store with a bucket in it."""
    pytest.importorskip("moto")
    server = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    place = f"127.0.0.1:{int(server.stdout.readline())}"
    yield place
    server.kill()
    server.communicate()


@pytest.fixture
def address(store: str, monkeypatch: pytest.MonkeyPatch, request: Any) -> Any:
    """Addresses in a new bucket."""
    from pyarrow import fs

    for name, value in (
        ("AWS_ACCESS_KEY_ID", "nobody"),
        ("AWS_SECRET_ACCESS_KEY", "nothing"),
        ("AWS_DEFAULT_REGION", "us-east-1"),
        ("AWS_EC2_METADATA_DISABLED", "true"),
    ):
        monkeypatch.setenv(name, value)
    bucket = "bucket-" + "".join(c for c in request.node.name.lower() if c.isalnum())[-40:]
    system = fs.S3FileSystem(
        endpoint_override=store, scheme="http", allow_bucket_creation=True, region="us-east-1"
    )
    system.create_dir(bucket)

    def of(name: str) -> str:
        return f"s3://{bucket}/{name}?endpoint_override={store}&scheme=http&region=us-east-1"

    def put(path: Path, name: str) -> str:
        with system.open_output_stream(f"{bucket}/{name}") as stream:
            stream.write(path.read_bytes())
        return of(name)

    of.put = put  # type: ignore[attr-defined]
    of.names = lambda: sorted(  # type: ignore[attr-defined]
        each.path for each in system.get_file_info(fs.FileSelector(bucket, recursive=True))
    )
    return of


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, list[Path]]:
    made = synthesize(np.random.default_rng(4), topics=8, teams=2, runs_per_team=1, depth=20)
    judgments = tmp_path / "judgments.parquet"
    write_judgments(made.judged, judgments)
    runs = []
    for run in made.runs:
        runs.append(tmp_path / f"{run.name}.parquet")
        write_runs([run], runs[-1])
    return judgments, runs


@pytest.mark.slow
def test_one_file_is_read_as_if_it_were_here(address: Any, files: Any) -> None:
    judgments = address.put(files[0], "judgments.parquet")
    run = address.put(files[1][0], "runs/one.parquet")
    there = evaluate(read_qrels(judgments), read_runs(run), MEASURES)
    here = evaluate(read_qrels(files[0]), read_runs(files[1][0]), MEASURES)
    assert there.runs == here.runs
    assert np.array_equal(there.values, here.values)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["serial", "processes"])
def test_partitions_of_a_store_are_kept_there(
    address: Any, files: Any, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "LEAST", 1)
    judgments = address.put(files[0], "judgments.parquet")
    runs = [address.put(path, f"runs/{path.name}") for path in files[1]]
    said: Any = {"resume": address("kept"), "per_topic": True, "engine": engine, "jobs": 2}
    there = evaluate_partitions(judgments, runs, MEASURES, **said)
    here = evaluate_partitions(*files, MEASURES)
    assert there.totals == here.totals
    assert any(name.endswith("per-topic/part-00000.parquet") for name in address.names())
    again = evaluate_partitions(judgments, runs, MEASURES, **said)
    assert again.totals == here.totals


@pytest.mark.slow
def test_a_folder_of_a_store_is_one_data_set(address: Any, files: Any, tmp_path: Path) -> None:
    from pyarrow import parquet

    judgments = address.put(files[0], "judgments.parquet")
    table = parquet.read_table(files[1][0]).drop_columns(["run"])
    for number, low in enumerate((0, 50, 120)):
        part = tmp_path / f"{number}.parquet"
        parquet.write_table(table.slice(low, (50, 70, len(table))[number]), part)
        address.put(part, f"whole/part-{number}.parquet")
    there = evaluate_partitions(judgments, address("whole"), MEASURES)
    here = evaluate_partitions(files[0], files[1][0], MEASURES)
    assert there.runs == ("whole",)
    assert there.totals == here.totals


@pytest.mark.slow
def test_what_is_not_in_the_store_is_told(address: Any) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read_qrels(address("nothing.parquet"))


def test_addresses_that_only_fsspec_knows(files: Any) -> None:
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    for path in (files[0], *files[1]):
        with system.open(f"/held/{path.name}", "wb") as stream:
            stream.write(path.read_bytes())
    runs = [f"memory://held/{path.name}" for path in files[1]]
    there = evaluate_partitions(f"memory://held/{files[0].name}", runs, MEASURES)
    assert there.totals == evaluate_partitions(*files, MEASURES).totals


def test_an_address_of_no_kind_is_told() -> None:
    with pytest.raises(InputError, match=r"nowhere://x: the address cannot be used"):
        read_qrels("nowhere://x")
