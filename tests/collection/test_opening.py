"""Files are opened by what they hold, and refused with a reason."""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard

from polyseme.collection.formats import opening
from polyseme.collection.reading import read_qrels, read_runs
from small_files import PACKINGS, by_intent, qrels_error, rows, run_error, written

QRELS = "1 1 a 1\n1 2 b 0\n"
RUN = "1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t\n"
EXPECTED = {"1": {"1": {"a": 1}, "2": {"b": 0}}}


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_content_and_not_the_suffix_decides_the_compression(
    tmp_path: Path, packing: str, suffix: str
) -> None:
    path = written(tmp_path, PACKINGS[packing](QRELS.encode()), f"qrels{suffix}")
    assert by_intent(read_qrels(path)) == EXPECTED


@pytest.mark.parametrize("packing", ["gzip", "zstd"])
def test_compressed_files_laid_end_to_end_are_one_file(tmp_path: Path, packing: str) -> None:
    first, second = (PACKINGS[packing](line.encode()) for line in QRELS.splitlines(keepends=True))
    assert by_intent(read_qrels(written(tmp_path, first + second))) == EXPECTED


@pytest.mark.parametrize("packing", ["gzip", "zstd"])
@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9])
def test_a_compressed_file_cut_short_is_broken(tmp_path: Path, packing: str, kept: float) -> None:
    lines = "".join(f"1 1 d{n * 7919 % 10007} {n % 3}\n" for n in range(5000))
    whole = PACKINGS[packing](lines.encode())
    error = qrels_error(written(tmp_path, whole[: int(len(whole) * kept)], "cut.gz"))
    assert f"the {packing} file is broken" in error.problem
    assert error.path == str(tmp_path / "cut.gz")
    assert error.remedy == "copy or download the file again"


def test_a_gzip_file_with_a_flipped_byte_is_broken(tmp_path: Path) -> None:
    whole = bytearray(gzip.compress((QRELS * 500).encode()))
    whole[len(whole) // 2] ^= 0xFF
    assert "broken" in qrels_error(written(tmp_path, bytes(whole))).problem


def test_other_compressions_are_named(tmp_path: Path) -> None:
    error = qrels_error(written(tmp_path, bz2.compress(QRELS.encode())))
    assert "bzip2" in error.problem
    assert error.remedy == "decompress it first (bunzip2)"


def test_a_missing_file_is_named() -> None:
    error = qrels_error("no/such/file")
    assert error.path == "no/such/file"
    assert error.problem == "there is no such file"
    assert error.remedy == "check the path"
    assert "no such file" in run_error("no/such/file").problem


def test_a_folder_is_refused_with_the_files_inside_it(tmp_path: Path) -> None:
    error = run_error(tmp_path)
    assert error.problem == "this is a folder"
    assert error.expected == "a file"
    assert f"{tmp_path}/*" in str(error.remedy)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, QRELS)
    path.chmod(0)
    assert qrels_error(path).problem == "the file may not be read"


def test_a_refusal_of_the_system_is_told_with_its_remedy() -> None:
    error = opening.unreadable("x", PermissionError(errno.EACCES, "Permission denied"))
    assert (error.path, error.problem) == ("x", "the file may not be read")
    assert "chmod u+r" in str(error.remedy)
    error = opening.unreadable("x", OSError(errno.EIO, "Input/output error"))
    assert "Input/output error" in error.problem


def test_a_path_with_a_zero_byte_is_refused() -> None:
    assert "cannot be read" in qrels_error("a\0b").problem


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch, packing: str) -> None:
    packed = PACKINGS[packing](QRELS.encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(packed)))
    assert by_intent(read_qrels("-")) == EXPECTED


def test_a_run_on_standard_input_can_be_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN.encode())))
    (run,) = read_runs("-")
    assert run.name == "stdin"
    assert [row[1] for row in rows(run)] == ["a", "b"]
    assert rows(run) == rows(run)


def test_errors_on_standard_input_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1 1 a x\n")))
    error = qrels_error("-")
    assert (error.path, error.line) == ("standard input", 1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_run_from_a_named_pipe_can_be_read_again(tmp_path: Path) -> None:
    pipe = tmp_path / "x.run"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(RUN))
    writer.start()
    (run,) = read_runs(pipe)
    writer.join()
    assert run.name == "x"
    assert rows(run) == rows(run)
    assert len(rows(run)) == 2


def gzip_bombs() -> Iterator[tuple[str, bytes, str]]:
    """What unfolds to 4 GB, and the word that refuses it."""
    yield "zero bytes", b"\0" * (1 << 20), "zero byte"
    yield "one line", b"a" * (1 << 20), "longer than"
    yield "one judgment", b"1 1 a 1\n" * (1 << 17), ""
    yield "one line of a run", b"1 Q0 a 1 1.0 t\n" * (1 << 16), "again and again"


@pytest.mark.slow
@pytest.mark.parametrize("packing", ["gzip", "zstd"])
@pytest.mark.parametrize("name", [name for name, _, _ in gzip_bombs()])
def test_a_bomb_fills_no_memory(tmp_path: Path, packing: str, name: str) -> None:
    megabyte, word = {bomb: (content, said) for bomb, content, said in gzip_bombs()}[name]
    path = tmp_path / "bomb"
    packed = PACKINGS[packing](megabyte)
    copies = 100 if name == "one judgment" else 4000
    with open(path, "wb") as stream:
        for _ in range(copies):
            stream.write(packed)
    code = (
        "import sys, warnings\n"
        "warnings.simplefilter('ignore')\n"
        "from polyseme.collection.validation import validate\n"
        "print([p.problem for p in validate(sys.argv[1]).problems])\n"
    )

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=limited,
        env=environment,
    )
    assert word in done.stdout


def test_one_bite_of_a_zstd_bomb_is_bounded(tmp_path: Path) -> None:
    path = written(tmp_path, zstandard.ZstdCompressor(level=19).compress(b"a" * (1 << 30)))
    with opening.source_of(path).open() as stream:
        assert len(stream.read(1 << 20)) < 80 << 20


def test_gzip_with_nothing_inside_is_empty(tmp_path: Path) -> None:
    assert qrels_error(written(tmp_path, gzip.compress(b""))).problem == "the file is empty"
