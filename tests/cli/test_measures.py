from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import done, records, run
from polyseme import CATALOGUE, parse


def test_the_list_has_every_measure_with_all_that_is_known_of_it() -> None:
    rows = {row["name"]: row for row in records(done("measures", "--format", "csv").stdout)}
    assert list(rows) == [family.name for family in CATALOGUE]
    row = rows["alpha-nDCG"]
    assert row["formula"] == CATALOGUE["alpha-nDCG"].formula
    assert row["citation"] == "Clarke et al. 2008"
    assert row["parameters"] == "alpha=0.5"
    assert (row["lowest"], row["highest"]) == ("0.0", "")
    assert row["uses_probabilities"] == "true"


def test_the_list_for_people_has_every_measure_and_set() -> None:
    text = done("measures", "--format", "table").stdout
    for name in [*(family.name for family in CATALOGUE), *(each.name for each in CATALOGUE.sets)]:
        assert f"\n{name} " in text


def test_a_group_is_listed_alone() -> None:
    rows = records(done("measures", "--group", "cube", "--format", "csv").stdout)
    assert [row["name"] for row in rows] == ["CT", "ACT", "nCT"]


@pytest.mark.parametrize("family", list(CATALOGUE), ids=lambda family: family.name)
def test_each_measure_is_explained_with_all_its_parameters(family) -> None:  # type: ignore[no-untyped-def]
    text = done("measures", family.name, "--format", "table").stdout
    assert family.formula in text
    assert family.summary in text
    for parameter in family.all_parameters.values():
        assert f"\n{parameter.name} " in text
        assert parameter.expected in text


def test_a_measure_with_parameters_is_told_with_its_values() -> None:
    found = json.loads(done("measures", "RBP-IA'(p=.85)@10", "--format", "json").stdout)
    assert found["rows"][0]["name"] == "RBP-IA'(p=0.85)@10"
    assert found["parameters"][0] == {
        "name": "p",
        "default": 0.99,
        "value": "0.85",
        "expected": "a number from 0 and below 1",
        "meaning": CATALOGUE["RBP"].parameters[0].doc,
    }


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("Dsharp-nDCG@10", "D#-nDCG@10"),
        ("RBP(p=.850)@10", "RBP(p=0.85)@10"),
        ("RBP(p=0.99)@10", "RBP@10"),
        ("P", "P"),
        ("I-rec'@5", "I-rec'@5"),
    ],
)
def test_the_canonical_name_is_printed_alone(given: str, canonical: str) -> None:
    assert done("measures", given, "--format", "name").stdout == canonical + "\n"


@pytest.mark.parametrize("chosen", CATALOGUE.sets, ids=lambda each: each.name)
def test_a_set_is_listed_by_its_members(chosen) -> None:  # type: ignore[no-untyped-def]
    names = done("measures", chosen.name, "--format", "name").stdout.split()
    assert names == [str(measure) for measure in CATALOGUE.members(chosen.name)]
    assert all(str(parse(name)) == name for name in names)


def test_a_set_takes_a_cutoff() -> None:
    names = done("measures", "ntcir@5", "--format", "name").stdout.split()
    assert names == ["I-rec@5", "D-nDCG@5", "D#-nDCG@5"]


def test_measures_of_ones_own_are_listed_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from polyseme.measures import Cascade, Log2, Sum, define\n"
        'mine = define("logERR", Sum(Cascade(), Log2()), summary="patient readers")\n',
        encoding="utf-8",
    )
    rows = records(done("measures", "--define", path, "--format", "csv").stdout)
    assert {"logERR", "logERR-IA", "D-logERR", "D#-logERR"} <= {row["name"] for row in rows}
    assert "patient readers" in done("measures", "logERR-IA@5", "--define", path).stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["D#-nDCGG"], "did you mean D#-nDCG"),
        (["--group", "cubes"], "did you mean cube"),
        (["sakai"], "no measure is named"),
        (["trec@10"], "cutoffs of its own"),
        ([""], "no measure was named"),
        (["P@0"], "whole number of 1 or more"),
    ],
)
def test_what_is_not_known_is_told(arguments: list[str], told: str) -> None:
    result = run("measures", *arguments)
    assert result.exit_code == 1
    assert told in result.stderr


def test_a_name_and_a_group_together_are_bad_usage() -> None:
    assert run("measures", "P", "--group", "cube").exit_code == 2
