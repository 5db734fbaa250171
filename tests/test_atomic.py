"""An output is there whole or not at all."""

from __future__ import annotations

import errno
import gzip
import os
import threading
from pathlib import Path

import pytest
import zstandard

from polyseme.atomic import make_folder, write_atomically
from polyseme.errors import InputError


def test_text_is_written_as_utf8_with_line_feeds(tmp_path: Path) -> None:
    with write_atomically(tmp_path / "x") as stream:
        stream.write("é\n")
    assert (tmp_path / "x").read_bytes() == b"\xc3\xa9\n"
    assert os.listdir(tmp_path) == ["x"]


def test_bytes_are_written_as_they_are(tmp_path: Path) -> None:
    with write_atomically(tmp_path / "x", binary=True) as stream:
        stream.write(b"\xff\n")
    assert (tmp_path / "x").read_bytes() == b"\xff\n"


def test_nothing_is_there_before_the_end(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    with write_atomically(path) as stream:
        stream.write("new")
        stream.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_error_leaves_what_was_there(
    tmp_path: Path, suffix: str, error: type[BaseException]
) -> None:
    path = tmp_path / f"x{suffix}"
    path.write_text("old")
    with pytest.raises(error), write_atomically(path) as stream:  # noqa: PT012 - inside is the test
        stream.write("half of the n")
        raise error
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == [path.name]


def test_suffixes_compress(tmp_path: Path) -> None:
    for suffix in (".gz", ".zst"):
        with write_atomically(tmp_path / f"x{suffix}") as stream:
            stream.write("hello\n" * 1000)
    assert gzip.decompress((tmp_path / "x.gz").read_bytes()) == b"hello\n" * 1000
    packed = (tmp_path / "x.zst").read_bytes()
    assert zstandard.ZstdDecompressor().decompressobj().decompress(packed) == b"hello\n" * 1000


def test_the_same_content_makes_the_same_gzip_file(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        with write_atomically(tmp_path / name) as stream:
            stream.write("hello\n")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_permissions_of_what_was_there_stay(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    path.chmod(0o640)
    with write_atomically(path) as stream:
        stream.write("new")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("")
    with write_atomically(tmp_path / "x") as stream:
        stream.write("new")
    assert (tmp_path / "x").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    with write_atomically(tmp_path / "link") as stream:
        stream.write("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_device_is_written_to_and_not_replaced() -> None:
    with write_atomically(os.devnull) as stream:
        stream.write("gone")
    assert not os.path.isfile(os.devnull)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    with write_atomically(pipe) as stream:
        stream.write("through")
    reader.join()
    assert read == ["through"]


def test_a_dash_is_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    with write_atomically("-") as text:
        text.write("one\n")
    with write_atomically("-", binary=True) as stream:
        stream.write(b"two\n")
    assert capsysbinary.readouterr().out == b"one\ntwo\n"


@pytest.mark.parametrize(
    ("name", "problem", "remedy"),
    [
        ("missing/x", "No such file or directory", "make the folder first"),
        (".", "Is a directory", "name a file, not a folder"),
        ("file/x", "Not a directory", "name a file inside a folder"),
        ("a\0b", "null byte", "choose another place"),
    ],
)
def test_a_place_that_cannot_be_written_is_told(
    tmp_path: Path, name: str, problem: str, remedy: str
) -> None:
    (tmp_path / "file").write_text("")
    path = f"{tmp_path}/{name}"
    with pytest.raises(InputError) as caught, write_atomically(path):
        pytest.fail("the block must not be entered")
    assert "the output cannot be written" in caught.value.problem
    assert problem in caught.value.problem
    assert caught.value.path == path
    assert caught.value.remedy == remedy


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="choose a place"), write_atomically(tmp_path / "x"):
        pytest.fail("the block must not be entered")


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="make room on the disk"), write_atomically(tmp_path / "x"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert os.listdir(tmp_path) == []


def test_a_broken_pipe_is_left_to_the_command(tmp_path: Path) -> None:
    with pytest.raises(BrokenPipeError), write_atomically(tmp_path / "x"):
        raise BrokenPipeError


@pytest.mark.parametrize("inside", [".", "deeper"])
def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path, inside: str) -> None:
    (tmp_path / "taken").write_text("")
    make_folder(str(tmp_path / "new" / "deeper"))
    make_folder(str(tmp_path / "new"))
    with pytest.raises(InputError, match=r"the folder cannot be made \((File exists|Not a dir)"):
        make_folder(os.path.normpath(tmp_path / "taken" / inside))
