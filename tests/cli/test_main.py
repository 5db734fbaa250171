"""The command as a program: starting, help, terminals, pipes and interrupts."""

from __future__ import annotations

import os
import pty
import re
import select
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import click
import pytest

import polyseme
from commands import POLYSEME, Tiny, done, run, spawned
from polyseme import cli
from polyseme.cli import COMMANDS, main, options, tree

#: every command by the words that call it
EVERY = [tuple(each.command_path.split()[1:]) for each in tree.commands(main)]
COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-9](;[0-9]+)*m")


def on_a_terminal(
    arguments: list[str], columns: int = 80, env: Mapping[str, str] | None = None, status: int = 0
) -> str:
    """What the command writes to a terminal of that width."""
    ours, theirs = pty.openpty()
    settings = {"TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": "40", **(env or {})}
    with subprocess.Popen(
        [str(POLYSEME), *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, **settings},
    ) as process:
        os.close(theirs)
        seen = b""
        while select.select([ours], [], [], 30)[0]:
            try:
                piece = os.read(ours, 1 << 16)
            except OSError:
                break
            if not piece:
                break
            seen += piece
        assert process.wait() == status, seen.decode()
    os.close(ours)
    return seen.decode().replace("\r\n", "\n")


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


# ---- help ---------------------------------------------------------------------------------------


def test_the_version_is_printed() -> None:
    assert done("--version").stdout == f"polyseme {polyseme.__version__}\n"
    assert spawned("--version").stdout == f"polyseme {polyseme.__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_listed_with_its_own_short_help(name: str) -> None:
    context = click.Context(main)
    command = main.get_command(context, name)
    assert command is not None
    assert command.short_help == COMMANDS[name]
    assert re.search(rf"^  {name} +{re.escape(COMMANDS[name])}$", done("--help").stdout, re.M)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_help_text(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    for parameter in command.params:
        assert not isinstance(parameter, click.Option) or parameter.help, parameter.name


def examples(*name: str) -> list[str]:
    text = done(*name, "--help").stdout
    lines = text.partition("Examples:\n")[2].splitlines()
    return [line.strip() for line in lines if line.strip()]


def judged_by_two(folder: Path) -> None:
    """Triplets of the collection in this folder, a title of a document, and what judges said."""
    runs = sorted((folder / "runs").iterdir())
    done("pairs", folder / "judgments.qrels", *runs, "-o", folder / "triplets.csv")
    count = len((folder / "triplets.csv").read_text(encoding="utf-8").splitlines()) - 1
    for question in ("relevance", "diversity"):
        answers = " ".join(["1", "3"] * count)
        half = len(answers) // 2
        text = f"{answers[:half]}\n{answers[half:].strip()}\n"
        (folder / f"{question}.csv").write_text(text, encoding="utf-8")
    (folder / "titles.csv").write_text("doc,title\nd,A title\n", encoding="utf-8")


def judged_online(folder: Path, doing: str) -> None:
    """Studies of the collection in this folder, two judges of each; one has answered."""
    from judging.servers import examples

    done("pool", *sorted((folder / "runs").iterdir()), "--depth", "1", "-o", folder / "pool.csv")
    examples(folder, made=doing != "new")


#: these do not end by themselves; tests/judging/test_serving.py runs their examples
ENDLESS = {("judge", "serve")}


@pytest.mark.parametrize("name", [each for each in EVERY if each not in ENDLESS], ids=" ".join)
def test_the_examples_of_every_help_run_as_they_stand(
    name: tuple[str, ...], demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in demo.iterdir():
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.chdir(tmp_path)
    if name[0] in ("pairs", "agree", "plot", "table", "judge"):
        judged_by_two(tmp_path)
    if name[0] == "judge":
        pytest.importorskip("starlette")
        judged_online(tmp_path, name[-1])
    lines = examples(*name)
    assert lines
    for line in lines:
        program, *words = shlex.split(line)
        assert program == "polyseme"
        arguments: list[str] = []
        for word in words:
            found = sorted(str(path) for path in Path().glob(word)) if "*" in word else []
            arguments += found or [word]
        result = run(*arguments)
        assert result.exit_code == 0, (line, result.stderr)


def test_a_wrong_command_gets_a_suggestion() -> None:
    result = run("evalute")
    assert result.exit_code == 2
    assert "did you mean evaluate" in result.stderr
    assert "the commands are evaluate" in run("xyz").stderr


# ---- what is the same for all commands ----------------------------------------------------------

#: what these write are no findings: scripts, pages, files of judgments and runs; or they serve
WRITES_OTHERS = {"completion", "manual", "convert", "serve"}


@pytest.mark.parametrize("context", list(tree.commands(main)), ids=lambda each: each.command_path)
def test_options_of_one_name_are_the_same_everywhere(context: click.Context) -> None:
    taken = {name: each for each in context.command.params for name in each.opts}
    if context.command.name not in WRITES_OTHERS and not isinstance(context.command, click.Group):
        assert "json" in taken["--format"].type.to_info_dict()["choices"]
        assert "--quiet" in taken
    for flags in (("-m", "--measures"), ("-o", "--output"), ("--trials", "-B")):
        for flag in flags:
            assert flag not in taken or set(taken[flag].opts) == set(flags)
    for option in (options.seed, options.quiet, options.order, options.measures, options.define):
        (own,) = options.parameters(option)
        for flag in own.opts:
            if flag in taken:
                assert taken[flag].to_info_dict() == own.to_info_dict(), flag


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("--version", 0),
        ("evaluate --help", 0),
        ("evaluate {judgments} {first} -m I-rec@2", 0),
        ("validate {judgments}", 0),
        ("validate {judgments} {judgments}.bad", 1),
        ("evaluate {judgments} nowhere.run", 1),
        ("evaluate {judgments} {first} -m nothing@3", 1),
        ("evaluate {judgments} {first} --gain quadratic", 1),
        ("evaluate {judgments} {first} -o nowhere/scores.csv", 1),
        ("evalute", 2),
        ("evaluate", 2),
        ("evaluate {judgments} {first} --no-such-option", 2),
        ("evaluate {judgments} {first} --order sideways", 2),
        ("evaluate {judgments} {first} --per-topic --per-intent", 2),
        ("plot nothing", 2),
    ],
)
def test_the_exit_status_is_0_1_or_2_as_documented(small: Tiny, words: str, status: int) -> None:
    small.write("judgments.qrels.bad", "1 A d1\n")
    said = words.format(judgments=small.judgments, first=small.first).split()
    result = run(*said)
    assert result.exit_code == status, result.stderr
    assert status in tree.EXIT_STATUS


def test_the_exit_statuses_are_those_that_are_told() -> None:
    told = done("--help").stdout.partition("Exit status:\n")[2]
    assert re.findall(r"^  (\d+) ", told, re.M) == [str(each) for each in tree.EXIT_STATUS]
    assert {cli.INTERRUPTED, cli.BROKEN_PIPE} <= set(tree.EXIT_STATUS)


# ---- terminals ----------------------------------------------------------------------------------


def test_a_terminal_gets_a_table_in_colour(small: Tiny) -> None:
    seen = on_a_terminal(["evaluate", small.judgments, small.first, small.second, "-m", "I-rec@2"])
    assert COLOUR.search(seen)
    assert re.search(r"^first +0\.7500$", plain(seen), re.M)


def test_no_color_is_honoured(small: Tiny) -> None:
    arguments = ["evaluate", small.judgments, small.first, small.second, "--order", "file"]
    seen = on_a_terminal(arguments, env={"NO_COLOR": "1"})
    assert not COLOUR.search(seen)
    assert "first" in seen


@pytest.mark.parametrize("setting", [None, "1"])
def test_errors_are_in_colour_on_terminals_unless_no_color_is_set(
    small: Tiny, setting: str | None
) -> None:
    said = {"NO_COLOR": setting} if setting else {}
    seen = on_a_terminal(["evaluate", small.first, small.judgments], env=said, status=1)
    assert "error:" in plain(seen)
    assert (COLOUR.search(seen) is None) is (setting is not None)


def test_what_is_not_a_terminal_gets_no_escape_sequences(small: Tiny) -> None:
    for form in ("table", "csv", "markdown"):
        result = spawned("evaluate", small.judgments, small.first, "--format", form)
        assert "\x1b" not in result.stdout + result.stderr
    assert "\x1b" not in spawned("evaluate", "nowhere", small.first).stderr


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("names", ["ntcir", "trec", "golbus2013", "sakai2019"])
def test_tables_fit_the_terminal(demo: Path, columns: int, names: str) -> None:
    runs = sorted(str(path) for path in (demo / "runs").iterdir())
    arguments = ["evaluate", str(demo / "judgments.qrels"), *runs, "-m", names]
    lines = plain(on_a_terminal(arguments, columns)).splitlines()
    assert max(map(len, lines)) <= columns
    text = "".join("".join(lines).split())
    for measure in polyseme.parse_all(names):
        assert measure.name in text
    for name in runs:
        assert Path(name).stem in text


def test_bytes_are_not_for_terminals(small: Tiny) -> None:
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [str(POLYSEME), "evaluate", small.judgments, small.first, "--format", "parquet"],
        stdout=theirs,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 1
    assert "name a file with -o" in done.stderr


# ---- pipes and interrupts -----------------------------------------------------------------------


def test_a_reader_that_goes_away_is_no_error(demo: Path) -> None:
    runs = sorted((demo / "runs").iterdir())
    with subprocess.Popen(
        [
            *(POLYSEME, "evaluate", demo / "judgments.qrels", *runs, "--per-topic", "--quiet"),
            *("-m", "sakai2019 trec golbus2013"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() in (0, 141)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_the_command_quietly(small: Tiny, jobs: str) -> None:
    slow = small.write("slow.py", "import time\nprint('begun', flush=True)\ntime.sleep(60)\n")
    out = small.folder / "scores.csv"
    with subprocess.Popen(
        [
            *(POLYSEME, "evaluate", small.judgments, small.first, "--define", slow),
            *("--jobs", jobs, "-o", out),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"begun\n"
        process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        assert process.wait(10) == 130
        assert time.monotonic() - begun < 5
        assert b"Traceback" not in process.stderr.read()
    assert not out.exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_told(small: Tiny) -> None:
    result = spawned("evaluate", small.judgments, small.first, "-o", "/dev/full")
    assert result.returncode == 1
    assert "cannot be written" in result.stderr
    assert "Traceback" not in result.stderr


def test_names_that_are_no_utf8_are_printed_as_they_are_and_never_half_written(
    small: Tiny,
) -> None:
    path = os.fsencode(small.folder) + b"/caf\xe9.run"
    Path(os.fsdecode(path)).write_bytes(Path(small.first).read_bytes())
    command = [POLYSEME, "evaluate", small.judgments, path, "-m", "I-rec@2", "--quiet"]
    printed = subprocess.run(command, capture_output=True, check=True)
    assert printed.stdout == b"run,topic,measure,value\ncaf\xe9,all,I-rec@2,0.75\n"
    out = small.folder / "scores.csv"
    written = subprocess.run([*command, "-o", out], capture_output=True, check=False)
    assert written.returncode == 1
    assert b"rename the file" in written.stderr
    assert b"Traceback" not in written.stderr
    assert not out.exists()


def test_a_terminal_without_unicode_gets_plain_letters(small: Tiny) -> None:
    asked = ("evaluate", small.judgments, small.first, "--format", "table")
    result = spawned(*asked, env={"PYTHONIOENCODING": "ascii"})
    assert result.returncode == 0, result.stderr
    assert result.stdout.isascii()
