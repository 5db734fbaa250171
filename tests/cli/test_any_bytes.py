"""Whatever the bytes of an input, a command ends by itself with a status and a message."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from any_bytes import mutilated, packed
from commands import FIRST, JUDGMENTS, PROBABILITIES, Tiny, run, tiny

TOPICS = (
    "<t><topic number='1'><query>x</query><subtopic number='A' type='nav'>a</subtopic></topic></t>"
)
WEIGHTS = "1 3\n2 1\n"
#: inputs of the commands: a good file, and where it goes
INPUTS = {
    "judgments": (JUDGMENTS, ["evaluate", "BAD", "RUN"]),
    "run": (FIRST, ["evaluate", "JUDGMENTS", "BAD"]),
    "probabilities": (PROBABILITIES, ["evaluate", "JUDGMENTS", "RUN", "--probabilities", "BAD"]),
    "topics": (TOPICS, ["evaluate", "JUDGMENTS", "RUN", "--topics-xml", "BAD"]),
    "adhoc": ("1 0 d1 1\n", ["evaluate", "JUDGMENTS", "RUN", "--adhoc", "BAD"]),
    "only topics": ("1\n2\n", ["evaluate", "JUDGMENTS", "RUN", "--only-topics", "BAD"]),
    "weights": (WEIGHTS, ["evaluate", "JUDGMENTS", "RUN", "--mean", "weights=BAD"]),
    "validated": (JUDGMENTS, ["validate", "JUDGMENTS", "BAD", "RUN"]),
    "converted": (JUDGMENTS, ["convert", "BAD", "-o", "OUT"]),
    "condensed": (FIRST, ["condense", "JUDGMENTS", "BAD", "-o", "OUT", "--force"]),
    "judging": (JUDGMENTS, ["condense", "BAD", "RUN", "-o", "OUT", "--force"]),
}
MEASURES = ("-m", "I-rec@2 D#-nDCG@3 ERR-IA'@3 alpha-nDCG ACT RBU@2")


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    return tiny(tmp_path_factory.mktemp("any-bytes"))


@pytest.mark.parametrize("name", INPUTS)
@settings(max_examples=40)
@given(data=st.data())
def test_any_bytes_end_in_a_result_or_a_message(name: str, data: st.DataObject, held: Tiny) -> None:
    good, words = INPUTS[name]
    content = data.draw(st.one_of(mutilated(good.encode()), mutilated(good.encode()), packed))
    bad = held.folder / "bad"
    bad.write_bytes(content)
    paths = {
        "BAD": str(bad),
        "JUDGMENTS": held.judgments,
        "RUN": held.first,
        "OUT": str(held.folder / "out"),
    }
    arguments = [paths.get(word, word.replace("BAD", str(bad))) for word in words]
    result = run(*arguments, *(MEASURES if words[0] == "evaluate" else ()))
    assert result.exit_code in (0, 1), result.stderr
    said = result.stderr + (result.stdout if words[0] == "validate" else "")
    if result.exit_code:
        assert "\n  to mend it: " in said
        assert "\n  expected: " in said
    _clear(held.folder / "out")
    assert not [path for path in held.folder.iterdir() if path.name.startswith(".")]


def _clear(place: Path) -> None:
    if place.is_dir():
        for path in place.iterdir():
            path.unlink()
        place.rmdir()
    elif place.exists():
        place.unlink()
