"""Judgments by identifiers of ir_datasets, with its own classes over files that are here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import polyseme
from commands import done

ir_datasets = pytest.importorskip("ir_datasets")

from ir_datasets.formats import TrecQrels, TrecSubQrels  # noqa: E402

QRELS = "1 2 a 1\n1 0 b -2\n2 1 c 3\n"
AD_HOC = "1 Q0 a 1\n1 Q0 b 0\n"
GRADES = {n: str(n) for n in range(-2, 5)}


class Local:
    """What ir_datasets reads its files through."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def stream(self) -> object:
        return self._path.open("rb")

    def path(self) -> str:
        return str(self._path)


@pytest.fixture
def registered(tmp_path: Path) -> Iterator[None]:
    names = {
        "polyseme-here/diversity": (TrecSubQrels, QRELS),
        "polyseme-here/adhoc": (TrecQrels, AD_HOC),
    }
    for number, (name, (format_, text)) in enumerate(names.items()):
        path = tmp_path / str(number)
        path.write_text(text)
        ir_datasets.registry.register(name, ir_datasets.Dataset(format_(Local(path), GRADES)))
    yield
    for name in names:
        del ir_datasets.registry._registered[name]


@pytest.mark.usefixtures("registered")
def test_subtopic_judgments_by_their_identifier() -> None:
    judged = polyseme.read_qrels("irds:polyseme-here/diversity")
    assert sorted(judged.lines()) == [("1", "0", "b", -2), ("1", "2", "a", 1), ("2", "1", "c", 3)]
    scores = polyseme.evaluate(
        "irds:polyseme-here/diversity", {"mine": {"1": ["b", "a"], "2": ["c"]}}, "I-rec@1"
    )
    assert scores.mean() == {"mine": {"I-rec@1": 0.5}}


@pytest.mark.usefixtures("registered")
def test_ad_hoc_judgments_have_one_intent() -> None:
    judged = polyseme.read_qrels("irds:polyseme-here/adhoc")
    assert sorted(judged.lines()) == [("1", "0", "a", 1), ("1", "0", "b", 0)]


@pytest.mark.usefixtures("registered")
def test_what_a_dataset_hands_out_is_judgments() -> None:
    dataset = ir_datasets.load("polyseme-here/diversity")
    assert sorted(polyseme.read_qrels(dataset.qrels_iter()).lines()) == sorted(
        polyseme.read_qrels("irds:polyseme-here/diversity").lines()
    )


@pytest.mark.usefixtures("registered")
def test_commands_take_identifiers_where_they_take_judgments(tmp_path: Path) -> None:
    run = tmp_path / "mine.run"
    run.write_text("1 Q0 a 1 2 t\n1 Q0 x 2 1 t\n2 Q0 c 1 1 t\n")
    name = "irds:polyseme-here/diversity"
    assert done("convert", name, "-o", "-").stdout == QRELS
    scored = done("evaluate", name, run, "-m", "I-rec@1", "--quiet")
    assert scored.stdout == "run,topic,measure,value\nmine,all,I-rec@1,1.0\n"
    told = json.loads(done("describe", name, "--format", "json").stdout)["rows"]
    assert any(row.get("topics", row.get("value")) == 2 for row in told)
    own = done("evaluate", name, run, "-m", "P@1", "--adhoc", "irds:polyseme-here/adhoc", "--quiet")
    # topic 2 has no ad hoc judgments, so nothing there is relevant to P
    assert own.stdout == "run,topic,measure,value\nmine,all,P@1,0.5\n"


@pytest.mark.usefixtures("registered")
def test_probabilities_go_with_an_identifier(tmp_path: Path) -> None:
    given = {"1": {"2": 0.75, "9": 0.25}}
    judged = polyseme.read_qrels("irds:polyseme-here/diversity", probabilities=given)
    scores = polyseme.evaluate(judged, {"r": {"1": ["a"], "2": ["c"]}}, "I-rec@1")
    assert scores.mean() == {"r": {"I-rec@1": 1.0}}
    with pytest.raises(polyseme.InputError, match="knows no dataset 'polyseme-here/nothing'"):
        polyseme.read_qrels("irds:polyseme-here/nothing")


def test_the_diversity_judgments_of_the_web_track_are_known_by_their_identifiers() -> None:
    # their files are not here, but the dataset's class is
    for year in (2009, 2010, 2011, 2012):
        dataset = ir_datasets.load(f"clueweb09/en/trec-web-{year}/diversity")
        assert "subtopic_id" in dataset.qrels_cls()._fields
