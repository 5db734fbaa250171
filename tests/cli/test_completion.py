"""Completion: what is offered, and that bash, zsh and fish really complete with it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from commands import POLYSEME, done
from polyseme.cli import COMMANDS
from polyseme.cli.completing import SHELLS, in_quotes, words_of
from polyseme.cli.completion import SHELLS as OFFERED
from terminals import Terminal

ENVIRONMENT = {
    **os.environ,
    "PATH": f"{POLYSEME.parent}{os.pathsep}{os.environ['PATH']}",
    "TERM": "dumb",
    "COLUMNS": "500",
}


def offered(line: str, shell: str = "fish", **variables: str) -> list[tuple[str, str]]:
    """Type and value of each candidate."""
    asked = {"_POLYSEME_COMPLETE": f"{shell}_complete", "COMP_LINE": line, **variables}
    found = subprocess.run(
        [POLYSEME], env={**os.environ, **asked}, capture_output=True, text=True, check=True
    )
    assert found.stderr == ""
    rows = [line.split("\t") for line in found.stdout.splitlines() if line]
    return [(row[0], row[1] if len(row) > 1 else "") for row in rows]


def values(line: str, shell: str = "fish", **variables: str) -> list[str]:
    return [value for _, value in offered(line, shell, **variables)]


def test_every_shell_that_is_offered_has_a_script() -> None:
    assert tuple(SHELLS) == OFFERED
    for shell in OFFERED:
        assert f"_POLYSEME_COMPLETE={shell}_complete" in done("completion", shell).stdout
    assert "'csh' is not one of" in done_wrong("completion", "csh")


def done_wrong(*arguments: str) -> str:
    found = subprocess.run([POLYSEME, *arguments], capture_output=True, text=True, check=False)
    assert found.returncode == 2
    return found.stderr


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("polyseme ", ([], "")),
        ("polyseme ev", ([], "ev")),
        ("polyseme evaluate ", (["evaluate"], "")),
        ('polyseme evaluate -m "I-rec@10 ', (["evaluate", "-m"], "I-rec@10 ")),
        ('polyseme evaluate -m "I-rec@10" ', (["evaluate", "-m", "I-rec@10"], "")),
        (r"polyseme evaluate my\ fi", (["evaluate"], "my fi")),
    ],
)
def test_a_line_is_cut_where_the_shell_cuts_it(line: str, words: tuple[list[str], str]) -> None:
    assert words_of(line) == words


@pytest.mark.parametrize(
    ("line", "open_quote"),
    [
        ("polyseme ", False),
        ("polyseme ev", False),
        ('polyseme -m "a', True),
        ('polyseme -m "a b ', True),
        ('polyseme -m "a"', False),
        ("polyseme -m 'a", True),
        ('polyseme -m "', True),
    ],
)
def test_open_quotes_are_seen(line: str, open_quote: bool) -> None:
    assert in_quotes(line) is open_quote


def test_commands_and_options_are_offered() -> None:
    assert values("polyseme ") == list(COMMANDS)
    assert values("polyseme dis") == ["discriminate"]
    assert values("polyseme plot sc") == ["scatter"]
    assert values("polyseme evaluate --per-") == ["--per-topic", "--per-intent"]
    assert "--version" in values("polyseme --")


def test_values_of_options_are_offered() -> None:
    assert values("polyseme evaluate --order ") == ["score", "rank", "file"]
    assert values("polyseme evaluate --dialect n") == ["ndeval", "ntcireval"]
    assert values("polyseme evaluate --format=j") == ["--format=json", "--format=jsonl"]
    assert values("polyseme compare --engine th") == ["threads"]
    assert values("polyseme evaluate --input-format nt") == ["ntcir"]


def test_names_of_measures_are_offered_one_after_another() -> None:
    assert "D#-nDCG" in values("polyseme evaluate -m D#-n")
    assert values("polyseme evaluate -m Dsharp-nD") == ["Dsharp-nDCG"]
    assert values('polyseme evaluate -m "I-rec@10 golb') == ["I-rec@10 golbus2013"]
    assert values("polyseme evaluate -m I-rec@10,golb") == ["I-rec@10,golbus2013"]
    assert values("polyseme measures ndeval:nNR") == ["ndeval:nNRBP"]
    assert not [each for each in values("polyseme evaluate -m ") if ":" in each]


def test_parameters_and_cutoffs_of_measures_are_offered() -> None:
    assert values('polyseme evaluate -m "alpha-nDCG(al') == ["alpha-nDCG(alpha="]
    found = values("polyseme evaluate -m \"P@5 ERR-IA'(gain=linear,gm")
    assert found == ["P@5 ERR-IA'(gain=linear,gmax="]
    assert values("polyseme evaluate -m ERR-IA@1") == ["ERR-IA@10", "ERR-IA@100"]
    assert {kind for kind, _ in offered("polyseme evaluate -m ERR")} == {"part"}


def test_what_has_no_list_of_values_may_be_a_file() -> None:
    for line in ("evaluate ", "evaluate judg", "evaluate --probabilities ", "evaluate a b -o "):
        assert offered(f"polyseme {line}") == [("file", "")]


def test_bash_is_given_what_follows_its_last_word_break() -> None:
    breaks = " \t\n\"'@><=;|&(:"
    unquoted = values("polyseme evaluate -m ndeval:nNR", "bash", COMP_WORDBREAKS=breaks)
    assert unquoted == ["nNRBP"]
    quoted = values('polyseme evaluate -m "ndeval:nNR', "bash", COMP_WORDBREAKS=breaks)
    assert quoted == ["ndeval:nNRBP"]


# ---- the shells themselves ----------------------------------------------------------------------

#: what is typed before the tab key is pressed, after it (bash closes quotes itself), and the words
#: that this makes
TYPED = [
    ("polyseme discr", "", "polyseme|discriminate"),
    ("polyseme plot scat", "", "polyseme|plot|scatter"),
    ("polyseme evaluate --keep-e", "", "polyseme|evaluate|--keep-empty-intents"),
    ("polyseme evaluate --dialect nt", "", "polyseme|evaluate|--dialect|ntcireval"),
    ('polyseme evaluate -m "I-rec@10 golb', '"', "polyseme|evaluate|-m|I-rec@10 golbus2013"),
    ("polyseme evaluate -m ndeval:nNR", "", "polyseme|evaluate|-m|ndeval:nNRBP"),
    ("polyseme evaluate -m I-rec@10,golb", "", "polyseme|evaluate|-m|I-rec@10,golbus2013"),
    ("polyseme evaluate judg", "", "polyseme|evaluate|judgments.qrels"),
]
BEGINNING = "\x01"


def shell(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "judgments.qrels").write_text("1 1 d 1\n", encoding="utf-8")
    for name in OFFERED:
        (tmp_path / f"script.{name}").write_text(done("completion", name).stdout, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def type_and_complete(terminal: Terminal, setup: str, *, closes: bool = False) -> None:
    terminal.type("PS1='> '\n")
    terminal.type("words() { local IFS='|'; echo \"<$*>\"; }\n")
    terminal.type(f"{setup}; words loa''ded\n")
    terminal.wait_for("<loaded>")
    for before, after, words in TYPED:
        terminal.type(f"{before}\t{'' if closes else after}{BEGINNING}words \n")
        seen = terminal.wait_for(">\r\n")
        assert f"<{words}>" in seen, (before, seen)


@pytest.mark.slow
def test_bash_completes(folder: Path) -> None:
    with Terminal([shell("bash"), "--norc", "--noprofile", "-i"], ENVIRONMENT) as terminal:
        setup = "bind 'set enable-bracketed-paste off'; . ./script.bash"
        type_and_complete(terminal, setup, closes=True)


@pytest.mark.slow
def test_zsh_completes(folder: Path) -> None:
    zsh = {**ENVIRONMENT, "ZDOTDIR": str(folder)}
    with Terminal([shell("zsh"), "-f", "-i"], zsh) as terminal:
        setup = "bindkey -e; autoload -U compinit && compinit -u -D; . ./script.zsh"
        type_and_complete(terminal, setup)


@pytest.mark.slow
def test_fish_completes(folder: Path) -> None:
    home = {**ENVIRONMENT, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    for before, _, words in TYPED:
        asked = f"source script.fish; complete -C '{before}'"
        found = subprocess.run(
            [shell("fish"), "--no-config", "-c", asked],
            env=home,
            capture_output=True,
            text=True,
            check=True,
        )
        said = [line.split("\t")[0].lstrip('"') for line in found.stdout.splitlines()]
        assert words.rpartition("|")[2] in said, (before, found.stdout, found.stderr)
