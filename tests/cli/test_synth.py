from __future__ import annotations

from pathlib import Path

import polyseme
from commands import done, records, run
from polyseme.collection.reading import read_topics


def test_the_folder_holds_a_whole_collection(demo: Path) -> None:
    assert sorted(path.name for path in demo.iterdir()) == [
        *("judgments.qrels", "probabilities.txt", "runs", "teams.csv", "topics.xml"),
    ]
    names = sorted(path.stem for path in (demo / "runs").iterdir())
    teams = records((demo / "teams.csv").read_text(encoding="utf-8"))
    assert sorted(row["run"] for row in teams) == names
    assert len({row["team"] for row in teams}) == 3


def test_what_is_written_is_read_back(demo: Path) -> None:
    judged = polyseme.read_qrels(
        demo / "judgments.qrels",
        probabilities=demo / "probabilities.txt",
        topics_xml=demo / "topics.xml",
    )
    topics = read_topics(demo / "topics.xml")
    assert list(topics) == list(judged.topics)
    assert judged.navigational.any()
    assert not judged.navigational.all()
    for index, name in enumerate(judged.topics):
        assert [each.name for each in topics[name].subtopics] == list(judged.intents_of(index))


def test_the_same_seed_writes_the_same_bytes(demo: Path, tmp_path: Path) -> None:
    asked = ("--topics", "8", "--teams", "3", "--depth", "40")
    done("synth", tmp_path / "again", "--seed", "1", *asked)
    done("synth", tmp_path / "other", "--seed", "2", *asked)
    for path in demo.rglob("*"):
        if path.is_file():
            again = tmp_path / "again" / path.relative_to(demo)
            assert again.read_bytes() == path.read_bytes()
    other = tmp_path / "other" / "judgments.qrels"
    assert other.read_bytes() != (demo / "judgments.qrels").read_bytes()


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("mine", encoding="utf-8")
    result = run("synth", tmp_path)
    assert result.exit_code == 1
    assert "not empty" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    done("synth", tmp_path, "--force", "--topics", "2", "--depth", "10")
    assert mine.read_text(encoding="utf-8") == "mine"
    assert (tmp_path / "judgments.qrels").exists()


def test_a_file_in_the_place_of_the_folder_is_told(tmp_path: Path) -> None:
    path = tmp_path / "taken"
    path.write_text("", encoding="utf-8")
    result = run("synth", path)
    assert result.exit_code == 1
    assert "cannot be made" in result.stderr


def test_numbers_below_1_are_bad_usage(tmp_path: Path) -> None:
    assert run("synth", tmp_path / "demo", "--topics", "0").exit_code == 2


def test_quiet_says_nothing(tmp_path: Path) -> None:
    assert done("synth", tmp_path / "demo", "--topics", "2", "--quiet").output == ""
