"""Whatever is wrong with an input or an output, a command says what, where and how to mend it,
ends with status 1 and leaves nothing half-written.

Every case goes through every command that reads such a file: in this process, and (slow) in one of
its own.
"""

from __future__ import annotations

import bz2
import gzip
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import zstandard

from commands import FIRST, JUDGMENTS, POLYSEME, PROBABILITIES, Tiny, done, run, spawned
from polyseme.errors import shown

HAS_FULL_DISK = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
HAS_PIPES = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
#: the memory that a hostile file may take, in bytes
MEMORY = 300 << 20


@dataclass(frozen=True)
class Bad:
    """A file and what is said of it."""

    name: str
    role: str
    #: None where the path itself is what is bad
    content: bytes | None
    words: str
    line: int | None = None
    text: str | None = None
    #: commands to which it is no error
    fine_for: tuple[str, ...] = ()
    #: only beside judgments does it show
    beside_judgments: bool = False


def last_line(role: str, good: str, name: str, line: str, words: str, **rest: Any) -> Bad:
    """A good file with one more line, which is bad."""
    text = {"text": line.strip(), **rest}
    return Bad(name, role, (good + line).encode(), words, good.count("\n") + 1, **text)


judgments = partial(last_line, "judgments", JUDGMENTS)
a_run = partial(last_line, "run", FIRST)
weighed = partial(last_line, "probabilities", PROBABILITIES)


def any_file(role: str, good: str) -> Iterator[Bad]:
    """What may be wrong with a file whatever it holds."""

    def bad(name: str, content: bytes | None, words: str, **rest: Any) -> Bad:
        return Bad(f"{role}: {name}", role, content, words, **rest)

    text = good.encode()
    noise = random.Random(1).randbytes(4000)
    yield bad("empty", b"", "the file is empty")
    yield bad("blank", b"\n  \n# nothing\n", "nothing but blank lines and comments")
    yield bad("binary", noise, "zero byte", line=noise[: noise.find(b"\0")].count(b"\n") + 1)
    yield bad("executable", b"\x7fELF\x02\x01\x01" + bytes(500), "it is binary", line=1)
    yield bad("gzip cut short", gzip.compress(text * 50)[:-20], "the gzip file is broken")
    yield bad("gzip of nothing", gzip.compress(b""), "the file is empty")
    yield bad("gzip by name only", b"\x1f\x8b\x08" + noise[:80], "the gzip file is broken")
    yield bad(
        "zstd cut short",
        zstandard.ZstdCompressor().compress(text * 50)[:-5],
        "the zstd file is broken",
    )
    yield bad("bzip2", bz2.compress(text), "compressed with bzip2, which is not read")
    yield bad("UTF-16", good.encode("utf-16"), "the file is UTF-16")
    yield bad("UTF-16 without a mark", good.encode("utf-16-le"), "UTF-16 without a mark", line=1)
    yield bad("byte-order mark", b"\xef\xbb\xbf" + text, "byte-order mark", line=1)
    yield bad("Latin-1", text + b"1 caf\xe9 x 1\n", "is not UTF-8", line=text.count(b"\n") + 1)
    yield bad("old Macintosh", text.replace(b"\n", b"\r"), "control character '\\r'", line=1)
    yield bad("prose", b"Dear reader,\nthese are not the lines.\n", "does not look like", line=1)
    yield bad("missing", None, "there is no such file")
    yield bad("folder", None, "this is a folder")
    yield bad("inside a file", None, "the file cannot be read")
    yield bad("broken Parquet", b"PAR1" + noise[:100] + b"PAR1", "Parquet file cannot be read")
    yield bad("broken JSON", b'{"topic": "1", "do\n', "the line is not JSON", line=1)


CASES = (
    *any_file("judgments", JUDGMENTS),
    judgments("a truncated judgment", "2 A d6", "3 columns where 4 are expected"),
    judgments("a judgment too wide", "2 A d6 1 9 9\n", "6 columns where 4 are expected"),
    judgments("a grade in words", "2 A d6 high\n", "the grade is 'high'"),
    judgments("a grade with a fraction", "2 A d6 1.5\n", "the grade is '1.5'"),
    judgments("a huge grade", "2 A d6 99999999999\n", "the grade is '99999999999'"),
    judgments("an endless grade", f"2 A d6 {'9' * 5000}\n", "the grade is '999"),
    judgments("grade nan", "2 A d6 nan\n", "the grade is 'nan'"),
    judgments("grade inf", "2 A d6 inf\n", "the grade is 'inf'"),
    judgments("conflicting judgments", "1 A d1 1\n", "has two grades for intent A of topic 1"),
    Bad("level 10", "judgments", b"1 A d1 L10\n1 A d2 L1\n", "the grade is 'L10'", 1),
    Bad("a run as judgments", "judgments", FIRST.encode(), "looks like a TREC run", 1),
    Bad("odd columns", "judgments", b"topic,doc,grade\n1,d1,1\n", "'intent' is missing", 1),
    Bad("a head alone", "judgments", b"topic,intent,doc,grade\n", "there is not one record"),
    Bad("an open quote", "judgments", b'topic,intent,doc,grade\n1,A,"d,1\n', "", 2),
    Bad("a list", "judgments", b'{"topic":"1","intent":"A","doc":"d","grade":[]}\n', "grade", 1),
    *any_file("run", FIRST),
    a_run("a truncated line", "2 Q0 d6", "3 columns where 6 are expected"),
    a_run("a line too wide", "2 Q0 d6 3 .5 my tag\n", "7 columns where 6 are expected"),
    a_run("a score in words", "2 Q0 d6 3 low t\n", "the score is 'low'"),
    a_run("score nan", "2 Q0 d6 3 nan t\n", "the score is 'nan'"),
    a_run("score inf", "2 Q0 d6 3 -inf t\n", "the score is '-inf'"),
    a_run("a huge score", "2 Q0 d6 3 1e999 t\n", "the score is '1e999'"),
    a_run("a rank in words", "2 Q0 d6 third .5 t\n", "the rank is 'third'"),
    a_run("a huge rank", "2 Q0 d6 9999999999999999999 .5 t\n", "the rank is '9999"),
    a_run(
        "a document twice",
        "1 Q0 d1 4 0.5 t\n",
        "document d1 is retrieved twice for topic 1, on lines 1 and 6",
        text=None,
        fine_for=("convert",),
    ),
    Bad(
        "unknown topics",
        "run",
        b"71 Q0 d1 1 1.0 t\n72 Q0 d1 1 1.0 t\n",
        "topics",
        fine_for=("convert",),
        beside_judgments=True,
    ),
    Bad("judgments as a run", "run", JUDGMENTS.encode(), "looks like TREC judgments", 1),
    Bad("no order", "run", b"topic,doc\n1,d1\n", "neither a column rank nor a column score"),
    Bad("an empty name", "run", b"topic,doc,score\n1,,2\n", "the document is missing", 2),
    *any_file("probabilities", PROBABILITIES),
    weighed("a truncated probability", "7 A", "2 columns where 3 are expected"),
    weighed("a probability too wide", "7 A 1 inf 9\n", "5 columns where 4 are expected"),
    weighed("a probability above 1", "7 A 1.5\n", "the probability is '1.5'"),
    weighed("a negative probability", "7 A -1\n", "the probability is '-1'"),
    weighed("probability nan", "7 A nan\n", "the probability is 'nan'"),
    weighed("two probabilities", "1 A .5\n", "has two probabilities: 0.75 and 0.5"),
    weighed("no sum of 1", "7 A .5\n", "the probabilities of topic 7 add up to 0.5", text=None),
    Bad(
        "probabilities of other topics",
        "probabilities",
        b"71 A 1\n",
        "topics",
        beside_judgments=True,
    ),
    Bad("judgments as probabilities", "probabilities", JUDGMENTS.encode(), "looks like TREC", 1),
)


def path_of(bad: Bad, folder: Path) -> Path:
    """The bad file, made."""
    path = folder / "bad"
    if bad.content is not None:
        path.write_bytes(bad.content)
    elif bad.name.endswith("folder"):
        path.mkdir()
    elif bad.name.endswith("inside a file"):
        path.write_bytes(b"1 A d1 1\n")
        path = path / "inside"
    return path


def evaluating(small: Tiny, role: str, bad: str, out: str) -> list[str] | None:
    arguments = {
        "judgments": [bad, small.first],
        "run": [small.judgments, bad],
        "probabilities": [small.judgments, small.first, "--probabilities", bad],
    }
    return ["evaluate", *arguments[role], "-o", out, "-m", "I-rec@2"]


def validating(small: Tiny, role: str, bad: str, out: str) -> list[str] | None:
    del out
    # alone, a file is whatever it looks like
    return ["validate", bad, "--kind", role]


def converting(small: Tiny, role: str, bad: str, out: str) -> list[str] | None:
    if role == "probabilities":
        return ["convert", small.judgments, "--probabilities", bad, "-o", out]
    return ["convert", bad, "--kind", role, "-o", out]


def condensing(small: Tiny, role: str, bad: str, out: str) -> list[str] | None:
    arguments = {"judgments": [bad, small.first], "run": [small.judgments, bad]}
    return ["condense", *arguments[role], "-o", out] if role in arguments else None


COMMANDS: dict[str, Callable[[Tiny, str, str, str], list[str] | None]] = {
    "evaluate": evaluating,
    "validate": validating,
    "convert": converting,
    "condense": condensing,
}
PAIRS = [
    pytest.param(bad, name, id=f"{name}-{bad.role}-{bad.name}".replace(" ", "_"))
    for bad in CASES
    for name in COMMANDS
    if name not in bad.fine_for and not (name == "condense" and bad.role == "probabilities")
]


def check_refusal(
    bad: Bad, name: str, small: Tiny, call: Callable[..., Any], exit_code: str
) -> None:
    path = path_of(bad, small.folder)
    before = sorted(small.folder.iterdir())
    arguments = COMMANDS[name](small, bad.role, str(path), str(small.folder / "out"))
    assert arguments is not None
    if name == "validate" and bad.beside_judgments:
        arguments = ["validate", small.judgments, str(path)]
    result = call(*arguments)
    said = result.stderr + (result.stdout if name == "validate" else "")
    assert getattr(result, exit_code) == 1, said
    assert "Traceback" not in said
    assert bad.words in said
    assert f"{path}:{bad.line}: " in said if bad.line else f"{path}: " in said
    assert "\n  expected: " in said
    assert "\n  to mend it: " in said
    if bad.text is not None:
        assert f"\n  the text: {shown(bad.text)}" in said
    assert len(said) < 5000
    assert sorted(small.folder.iterdir()) == before, "something was left behind"


@pytest.mark.parametrize(("bad", "name"), PAIRS)
def test_a_bad_file_is_refused_with_its_place_and_the_remedy(
    bad: Bad, name: str, small: Tiny
) -> None:
    check_refusal(bad, name, small, run, "exit_code")


@pytest.mark.slow
@pytest.mark.parametrize(("bad", "name"), PAIRS)
def test_the_installed_command_refuses_it_too(bad: Bad, name: str, small: Tiny) -> None:
    check_refusal(bad, name, small, spawned, "returncode")


# ---- places -------------------------------------------------------------------------------------


def commands_writing(small: Tiny, out: str) -> dict[str, list[str]]:
    """Every command that writes, writing there."""
    return {
        "evaluate": ["evaluate", small.judgments, small.first, "-o", out],
        "validate": ["validate", small.judgments, "-o", out],
        "convert": ["convert", small.judgments, "-o", out],
        "condense": ["condense", small.judgments, small.first, "-o", out],
        "synth": ["synth", out, "--topics", "2"],
        "measures": ["measures", "-o", out],
        "doctor": ["doctor", "-o", out],
    }


WRITING = tuple(commands_writing(Tiny(Path()), ""))
INTO_FOLDERS = ("condense", "synth")


def refused(*arguments: str, **rest: Any) -> str:
    """What the command says on standard error when it must fail."""
    result = run(*arguments, **rest)
    assert result.exit_code == 1, result.output
    assert "\n  expected: " in result.stderr
    assert "\n  to mend it: " in result.stderr
    return result.stderr


@pytest.mark.parametrize("name", WRITING)
def test_a_folder_that_is_not_there_is_told(name: str, small: Tiny) -> None:
    out = small.folder / "nowhere" / "deep" / "out"
    if name == "synth":
        pytest.skip("it makes folders")
    assert str(out) in refused(*commands_writing(small, str(out))[name])
    assert not out.parent.exists()


@pytest.mark.parametrize("name", WRITING)
def test_the_other_kind_of_place_is_refused(name: str, small: Tiny) -> None:
    before = sorted(small.folder.iterdir())
    out = small.first if name in INTO_FOLDERS else str(small.folder)
    assert f"{out}: " in refused(*commands_writing(small, out)[name])
    assert sorted(small.folder.iterdir()) == before
    assert Path(small.first).read_text(encoding="utf-8") == FIRST


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("name", WRITING)
def test_a_place_that_may_not_be_written_to_is_told(name: str, small: Tiny) -> None:
    place = small.folder / "closed"
    place.mkdir(mode=0o500)
    assert "a place that you may write to" in refused(
        *commands_writing(small, str(place / "out"))[name]
    )


@HAS_FULL_DISK
@pytest.mark.parametrize("name", [each for each in WRITING if each not in INTO_FOLDERS])
def test_a_full_disk_is_told_by_every_command(name: str, small: Tiny) -> None:
    said = refused(*commands_writing(small, "/dev/full")[name])
    assert "/dev/full: the output cannot be written (No space left on device)" in said
    assert "make room on the disk" in said


@HAS_FULL_DISK
@pytest.mark.parametrize("name", [each for each in WRITING if each not in INTO_FOLDERS])
@pytest.mark.parametrize("closed", [False, True])
def test_a_standard_output_that_takes_nothing_is_told(name: str, closed: bool, small: Tiny) -> None:
    command = [str(POLYSEME), *commands_writing(small, "-")[name]]
    script = 'exec "$@" >&-' if closed else 'exec "$@" >/dev/full'
    result = subprocess.run(
        ["sh", "-c", script, "sh", *command], stderr=subprocess.PIPE, text=True, check=False
    )
    assert result.returncode == 1
    assert "standard output: the output cannot be written" in result.stderr
    assert "Traceback" not in result.stderr
    assert "Exception ignored" not in result.stderr


def test_an_output_stays_as_it_was_when_the_work_fails(small: Tiny) -> None:
    out = small.write("out", "what was here\n")
    bad = small.write("bad", JUDGMENTS + "2 A d6")
    for name in ("evaluate", "convert"):
        arguments = COMMANDS[name](small, "judgments", bad, out)
        assert arguments is not None
        refused(*arguments)
        assert Path(out).read_text(encoding="utf-8") == "what was here\n"


def test_condensing_writes_all_runs_or_none(small: Tiny) -> None:
    bad = small.write("third.run", FIRST + "2 Q0")
    out = small.folder / "condensed"
    refused("condense", small.judgments, small.first, bad, "-o", str(out))
    assert not out.exists()
    assert not [path for path in small.folder.iterdir() if path.name.startswith(".")]


def test_two_runs_of_one_name_are_refused_by_every_command(small: Tiny) -> None:
    folder = small.folder / "more"
    folder.mkdir()
    other = folder / "first.txt"
    other.write_text(FIRST, encoding="utf-8")
    both = (small.first, str(other))
    for arguments in (
        ("evaluate", small.judgments, *both),
        ("condense", small.judgments, *both, "-o", str(small.folder / "out")),
        ("convert", *both, "-o", str(small.folder / "out.csv")),
    ):
        said = refused(*arguments)
        assert "two runs are named 'first'" in said
        assert all(path in said for path in both)
        assert "--run-names tag" in said
    result = run("validate", *both)
    assert result.exit_code == 1
    assert "two runs are named 'first'" in result.stdout


# ---- pipes and devices --------------------------------------------------------------------------


def test_an_empty_device_is_an_empty_file(small: Tiny) -> None:
    for bad in COMMANDS:
        arguments = COMMANDS[bad](small, "judgments", os.devnull, str(small.folder / "out"))
        assert arguments is not None
        result = run(*arguments)
        assert result.exit_code == 1
        assert f"{os.devnull}: the file is empty" in result.output


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero here")
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_an_endless_device_is_refused_at_once(device: str, small: Tiny) -> None:
    assert "the file holds a zero byte" in refused("evaluate", small.judgments, device)


@HAS_PIPES
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("more", ["", "1 B d7\n"])
def test_a_named_pipe_is_read_like_a_file(name: str, more: str, small: Tiny) -> None:
    pipe = small.folder / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(JUDGMENTS + more,))
    writer.start()
    arguments = COMMANDS[name](small, "judgments", str(pipe), str(small.folder / "out"))
    assert arguments is not None
    result = run(*arguments)
    writer.join()
    assert result.exit_code == bool(more), result.output
    assert (f"{pipe}:8: 3 columns where 4 are expected" in result.output) == bool(more)


@pytest.mark.parametrize("name", COMMANDS)
def test_standard_input_is_named_in_errors(name: str, small: Tiny) -> None:
    arguments = COMMANDS[name](small, "judgments", "-", str(small.folder / "out"))
    assert arguments is not None
    result = run(*arguments, stdin=JUDGMENTS + "1 B d7\n")
    assert result.exit_code == 1
    assert "standard input:8: 3 columns where 4 are expected" in result.output


# ---- hostile files ------------------------------------------------------------------------------

_MEASURED = """
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(json.dumps([done.returncode, done.stdout + done.stderr, used]))
"""


def measured(*arguments: str | Path) -> tuple[int, str, int]:
    """Status, output and highest memory in bytes of a command in a process of its own."""
    import json

    # A process counts what its parent held when it began: a small one goes between.
    command = [sys.executable, "-c", _MEASURED, str(POLYSEME), *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    status, said, kilobytes = json.loads(result.stdout)
    return status, said, kilobytes * (1 if sys.platform == "darwin" else 1024)


def packed(folder: Path, packing: str, piece: bytes, copies: int) -> Path:
    """A file that unfolds to many copies of a piece, written in no time."""
    pack = {
        "plain": lambda content: content,
        "gzip": gzip.compress,
        "zstd": zstandard.ZstdCompressor().compress,
    }[packing]
    path = folder / f"hostile-{packing}"
    with open(path, "wb") as stream:
        once = pack(piece)
        for _ in range(copies):
            stream.write(once)
    return path


#: what to repeat to make a file that wants all memory, and the words that refuse it
HOSTILE = {
    "one line": (b"x" * (1 << 20), "a line is longer than 1,048,576 bytes"),
    "zero bytes": (bytes(1 << 20), "zero byte"),
    "one document": (b"1 Q0 d1 1 1.0 t\n" * (1 << 16), ""),
    "one bad line": (b"1 Q0 d1 1 1.0\n" * (1 << 16), ""),
}


@pytest.mark.slow
@pytest.mark.parametrize("packing", ["plain", "gzip", "zstd"])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_takes_little_memory(name: str, packing: str, small: Tiny) -> None:
    piece, words = HOSTILE[name]
    copies = 100 if packing == "plain" else 1000
    if name == "one bad line":
        copies = 20
    bad = packed(small.folder, packing, piece, copies)
    for arguments in (
        ("evaluate", small.judgments, bad),
        ("evaluate", bad, small.first),
        ("validate", bad, "--kind", "run"),
        ("convert", bad, "-o", small.folder / "out"),
        ("condense", small.judgments, bad, "-o", small.folder / "out"),
    ):
        status, said, memory = measured(*arguments)
        assert status == 1, said
        assert "Traceback" not in said
        assert words in said or arguments[1] == bad
        assert memory < MEMORY, f"{arguments}: {memory / 2**20:.0f} MiB"
    assert not (small.folder / "out").exists()


@pytest.mark.slow
def test_a_single_zstd_frame_of_a_gigabyte_takes_little_memory(small: Tiny) -> None:
    compressor = zstandard.ZstdCompressor(level=19).compressobj()
    path = small.folder / "bomb.zst"
    with open(path, "wb") as stream:
        for _ in range(1024):
            stream.write(compressor.compress(b"x" * (1 << 20)))
        stream.write(compressor.flush())
    status, said, memory = measured("evaluate", small.judgments, path)
    assert status == 1
    assert "a line is longer than" in said
    assert memory < MEMORY


def test_the_good_files_beside_the_bad_ones_are_good(small: Tiny) -> None:
    done("validate", small.judgments, small.probabilities, small.first)
