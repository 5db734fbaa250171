from __future__ import annotations

import pytest

from commands import Tiny, done, run, values

MINE = """\
from polyseme.measures import Cascade, Log2, Sum, define

mine = define("logERR", Sum(Cascade(), Log2()))
again = mine
"""


def test_three_lines_make_a_measure_that_works_on_the_command_line(small: Tiny) -> None:
    path = small.write("mine.py", MINE)
    result = done(
        *("evaluate", small.judgments, small.first, "--define", path),
        *("-m", "logERR-IA@3 ERR-IA@3", "--per-intent"),
    )
    found = values(result.stdout)
    # discounted by 1/log2(r+1) in place of 1/r: 2/3 at rank 1, 1/3 at rank 3
    assert found["first", "1", "A", "logERR-IA@3"] == pytest.approx(2 / 3)
    assert found["first", "1", "B", "logERR-IA@3"] == pytest.approx(1 / 6)


def test_parameters_of_a_definition_can_be_said(small: Tiny) -> None:
    path = small.write(
        "mine.py",
        "from polyseme.measures import Cascade, Power, Sum, define\n"
        'mine = define("patient", lambda p=0.5: Sum(Cascade(), Power(p, 0)))\n',
    )
    result = done(
        *("evaluate", small.judgments, small.first, "--define", path),
        *("-m", "patient-IA(p=0.25)@3", "--per-intent"),
    )
    assert values(result.stdout)["first", "1", "A", "patient-IA(p=0.25)@3"] == pytest.approx(1 / 6)


def test_a_family_counts_too(small: Tiny) -> None:
    path = small.write(
        "mine.py",
        "from polyseme.measures import Family, IRec, Traits\n"
        'mine = Family("reached", IRec, Traits(), "I-rec", "intent recall again")\n',
    )
    result = done("evaluate", small.judgments, small.first, "--define", path, "-m", "reached@2")
    assert values(result.stdout)["first", "all", "reached@2"] == 0.75


def test_a_definition_may_import_its_neighbours(small: Tiny) -> None:
    small.write("polyseme_test_parts.py", "from polyseme.measures import Cascade as Stop\n")
    path = small.write(
        "mine.py",
        "from polyseme_test_parts import Stop\n"
        "from polyseme.measures import Log2, Sum, define\n"
        'mine = define("logERR", Sum(Stop(), Log2()))\n',
    )
    done("evaluate", small.judgments, small.first, "--define", path, "-m", "logERR@3")


@pytest.mark.parametrize("first", ["", "from __future__ import annotations\n"])
def test_a_definition_may_have_a_part_of_its_own(small: Tiny, first: str) -> None:
    path = small.write(
        "mine.py",
        first + "from dataclasses import dataclass\n"
        "from polyseme.measures import Cascade, Part, Sum, define\n"
        "@dataclass(frozen=True)\n"
        "class Late(Part):\n"
        "    start: int = 2\n"
        "    def column(self, walk, cutoff):\n"
        "        return 1.0 * (walk.r >= self.start)\n"
        'mine = define("late", Sum(Cascade(), Late()))\n',
    )
    result = done(
        *("evaluate", small.judgments, small.first, "--define", path),
        *("-m", "late-IA@3", "--per-intent"),
    )
    found = values(result.stdout)
    assert found["first", "1", "A", "late-IA@3"] == 0.0
    assert found["first", "1", "B", "late-IA@3"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("x = 1\n", "mine.py: the file defines no measure"),
        ("x = \n", "mine.py:1: no Python"),
        ("\n\nimport nowhere_at_all\n", "mine.py:3: ModuleNotFoundError"),
        ("def f():\n    return 1 / 0\n\nf()\n", "mine.py:2: ZeroDivisionError"),
        ("raise SystemExit(3)\n", "mine.py:1: SystemExit"),
        ("a = '\0'\n", "mine.py"),
        (MINE.replace("logERR", "log ERR"), "mine.py:3: 'log ERR' cannot name a measure"),
        (MINE.replace('"logERR"', '"ERR"'), "a measure named 'ERR' is there already"),
        (MINE + MINE.replace("mine", "other").replace("again", "more"), "is there already"),
        ("from polyseme.measures import define\ndefine('x', lambda p: 1)\n", "mine.py:2"),
    ],
)
def test_an_error_in_the_file_is_told_with_its_line(small: Tiny, source: str, told: str) -> None:
    path = small.write("mine.py", source)
    result = run("evaluate", small.judgments, small.first, "--define", path)
    assert result.exit_code == 1
    assert told in result.stderr


def test_a_file_that_is_not_there_is_told(small: Tiny) -> None:
    result = run("evaluate", small.judgments, small.first, "--define", "nowhere.py")
    assert result.exit_code == 1
    assert "nowhere.py: the file cannot be read" in result.stderr
