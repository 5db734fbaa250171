"""What is written is read back the same; what a format cannot hold is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.collection.formats.catalogue import HOLD_BOTH
from polyseme.collection.formats.writing import (
    JUDGMENT_FORMATS,
    PROBABILITY_FORMATS,
    RUN_FORMATS,
    write_judgments,
    write_probabilities,
    write_runs,
)
from polyseme.collection.reading import read_probabilities, read_qrels, read_runs
from polyseme.collection.runs import Retrieved, Run
from polyseme.errors import InputError
from small_files import by_intent, probabilities_of, rows, written

SUFFIXES = {"trec": "", "ntcir": "", "trec-dd": "", "csv": ".csv", "jsonl": ".jsonl"}
SUFFIXES |= {"parquet": ".parquet", "nuggets": ".jsonl"}

#: letters that try CSV, JSON and white-space separated columns
letters = st.text(alphabet="abz09-_.,;:\"'\\{}#é𝄞Q\u00a0|", min_size=1, max_size=6)
names = letters.filter(lambda name: name == name.strip())
plain_names = names.filter(lambda name: not name.startswith("#"))
spaced_names = st.one_of(names, st.just("a b"), st.just("#"))


def judgments_of(name: st.SearchStrategy[str], low: int, high: int) -> st.SearchStrategy[Any]:
    documents = st.dictionaries(name, st.integers(low, high), min_size=1, max_size=4)
    intents = st.dictionaries(name, documents, min_size=1, max_size=3)
    return st.dictionaries(name, intents, min_size=1, max_size=3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written")


@pytest.mark.parametrize("packing", ["", ".gz", ".zst"])
@pytest.mark.parametrize("form", JUDGMENT_FORMATS)
@given(data=st.data())
def test_judgments_round_trip(form: str, packing: str, folder: Path, data: st.DataObject) -> None:
    if form == "parquet":
        packing = ""
    low, high = {"ntcir": (0, 9), "trec-dd": (1, 10**6)}.get(form, (-(10**6), 10**6))
    name = spaced_names if form in HOLD_BOTH else plain_names
    given = data.draw(judgments_of(name, low, high))
    path = folder / f"judgments{SUFFIXES[form]}{packing}"
    write_judgments(read_qrels(given), path, format=form)
    assert by_intent(read_qrels(path, format=form)) == given


@pytest.mark.parametrize("form", HOLD_BOTH)
def test_tables_and_nuggets_carry_probabilities(form: str, tmp_path: Path) -> None:
    judged = read_qrels(
        {"1": {"1": {"a": 1}, "2": {"b": 0}}, "2": {"1": {"a": 1}}},
        probabilities={"1": {"1": 1 / 3, "2": 2 / 3}},
    )
    path = tmp_path / f"x{SUFFIXES[form]}"
    assert write_judgments(judged, path, format=form) == []
    again = read_qrels(path)
    assert by_intent(again) == by_intent(judged)
    # nuggets of which nothing is said are equally important
    usual = {"2": {"1": 1.0}} if form == "nuggets" else {}
    assert probabilities_of(again) == {**probabilities_of(judged), **usual}


@pytest.mark.parametrize("form", PROBABILITY_FORMATS)
@given(
    weights=st.dictionaries(plain_names, st.floats(0.01, 1), min_size=1, max_size=4),
    kinds=st.lists(st.sampled_from(["inf", "nav"]), min_size=4, max_size=4),
)
def test_probabilities_round_trip(
    form: str, weights: dict[str, float], kinds: list[str], folder: Path
) -> None:
    total = sum(weights.values())
    given = {"1": {intent: weight / total for intent, weight in weights.items()}}
    types = {"1": dict(zip(weights, kinds, strict=False))}
    judged = read_qrels({"1": {"1": {"a": 1}}}).with_intents(given, types)
    path = folder / f"probabilities{SUFFIXES[form]}"
    lost = write_probabilities(judged, path, format=form)
    again = read_probabilities(path, format=form)
    assert again.probability == probabilities_of(judged)
    if form == "trec":
        typed = "nav" in types["1"].values()
        assert lost == (["the types of intents are left out"] if typed else [])
    else:
        assert lost == []
        assert {intent: again.types["1"][intent] for intent in weights} == types["1"]


def retrieved_lists(name: st.SearchStrategy[str], with_scores: bool, with_ranks: bool) -> Any:
    @st.composite
    def one(draw: st.DrawFn) -> list[Retrieved]:
        topics = draw(st.lists(name, min_size=1, max_size=3, unique=True))
        lists = []
        for topic in topics:
            documents = draw(st.lists(name, min_size=1, max_size=4, unique=True))
            count = len(documents)
            numbers = st.floats(-1e9, 1e9, allow_nan=False)
            scores = draw(st.lists(numbers, min_size=count, max_size=count))
            ranks = draw(st.permutations(range(1, count + 1)))
            lists.append(
                Retrieved(
                    topic, documents, scores if with_scores else None, ranks if with_ranks else None
                )
            )
        return lists

    return one()


@pytest.mark.parametrize("form", RUN_FORMATS)
@given(data=st.data())
def test_runs_round_trip(form: str, folder: Path, data: st.DataObject) -> None:
    table = form in ("csv", "jsonl", "parquet")
    name = spaced_names if table else plain_names
    lists = data.draw(retrieved_lists(name, with_scores=True, with_ranks=form != "trec-dd"))
    path = folder / f"x{SUFFIXES[form]}"
    run = Run("x", lambda: lists)
    assert write_runs([run], path, format=form) == []
    (again,) = read_runs(path, format=form)
    assert again.name == "x"
    expected = rows(run)
    if form == "trec-dd":
        expected = sorted((*row[:4], 0) for row in expected)
    assert (sorted(rows(again)) if form == "trec-dd" else rows(again)) == expected


@pytest.mark.parametrize("form", RUN_FORMATS)
@pytest.mark.parametrize("given_parts", ["scores", "ranks", "neither"])
@given(data=st.data())
def test_what_a_run_lacks_is_made_in_its_own_order(
    form: str, given_parts: str, folder: Path, data: st.DataObject
) -> None:
    lists = data.draw(retrieved_lists(plain_names, given_parts == "scores", given_parts == "ranks"))
    run = Run("x", lambda: lists)
    path = folder / f"y{SUFFIXES[form]}"
    write_runs([run], path, format=form)
    (again,) = read_runs(path, format=form)
    assert again.prefix() == run.prefix()


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_tables_hold_many_runs(form: str, tmp_path: Path) -> None:
    runs = read_runs({"x": {"1": {"a": 1.5}}, "y": {"1": ["b", "a"]}})
    path = tmp_path / f"all{SUFFIXES[form]}"
    lost = write_runs(runs, path)
    assert lost == [
        "1 lists have no scores: scores that descend with the ranks are made",
        "2 lists have no ranks: ranks are made from their order",
    ]
    again = read_runs(path)
    assert again.names == ("x", "y")
    assert again[1].prefix() == {"1": ["b", "a"]}


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "trec-dd"])
def test_iterations_are_kept_where_there_is_room(form: str, tmp_path: Path) -> None:
    (run,) = read_runs(written(tmp_path, "1 0 a 2 0\n1 2 b 1 0\n", "dynamic"))
    path = tmp_path / f"z{SUFFIXES[form]}"
    assert write_runs([run], path, format=form) == []
    (again,) = read_runs(path)
    assert rows(again) == rows(run)


def test_a_trec_run_looks_like_one(tmp_path: Path) -> None:
    lost = write_runs(read_runs({"mine": {"1": {"a": 0.1, "b": 2}}}), tmp_path / "x.run")
    assert (tmp_path / "x.run").read_text() == "1 Q0 a 2 0.1 mine\n1 Q0 b 1 2.0 mine\n"
    assert lost == ["1 lists have no ranks: ranks are made from their order"]


def test_what_a_trec_run_cannot_hold_is_said(tmp_path: Path) -> None:
    (run,) = read_runs(written(tmp_path, "1 0 a 2 0\n1 2 b 1 0\n"))
    (lost, _) = sorted(write_runs([run], tmp_path / "x.run"), reverse=True)
    assert lost.startswith("iterations are left out")


def test_two_runs_do_not_fit_into_one_trec_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="2 runs cannot stand in one trec file"):
        write_runs(read_runs({"x": {"1": ["a"]}, "y": {"1": ["a"]}}), tmp_path / "x.run")
    assert list(tmp_path.iterdir()) == []


def test_what_judgments_cannot_hold_is_said(tmp_path: Path) -> None:
    judged = read_qrels(
        {"1": {"1": {"a": 1, "b": -2}, "2": {"a": 0}}},
        probabilities={"1": {"1": 0.5, "2": 0.25, "3": 0.25}},
        adhoc={"1": {"0": {"a": 1}}},
    )
    typed = judged.with_intents(types={"1": {"1": "nav"}})
    said = {form: write_judgments(typed, tmp_path / "x", format=form) for form in JUDGMENT_FORMATS}
    adhoc = "the ad hoc judgments are left out: they are a file of their own"
    intents = (
        "the probabilities and types of intents are left out: write them to a file of their own"
    )
    table = [
        "1 intents that have a probability but no judgment are left out: "
        "write the probabilities to a file of their own",
        "the types of intents are left out: write the probabilities with types",
        adhoc,
    ]
    assert said == {
        "trec": [intents, adhoc],
        "ntcir": ["1 negative grades (spam) are written as L0", intents, adhoc],
        "trec-dd": [
            "every grade is written as the rating of a single passage, numbered 0",
            "2 grades of 0 or less are left out: any rating makes relevant",
            intents,
            adhoc,
        ],
        "csv": table,
        "jsonl": table,
        "parquet": table,
        "nuggets": ["the types of intents are left out", adhoc],
    }


@pytest.mark.parametrize(
    ("given", "form", "problem"),
    [
        ({"1": {"1": {"a b": 1}}}, "trec", "the document 'a b' holds a space"),
        ({"1": {"a b": {"a": 1}}}, "ntcir", "the intent 'a b' holds a space"),
        ({"#1": {"1": {"a": 1}}}, "trec", "the topic '#1' would make its lines comments"),
        ({"1": {"1": {"a": 10}}}, "ntcir", "document a has the grade 10"),
        ({"a b": {"1": {"a": 1}}}, "trec-dd", "the topic 'a b' holds a space"),
    ],
)
def test_names_that_a_format_cannot_hold_are_an_error_and_nothing_is_written(
    given: object, form: str, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as caught:
        write_judgments(read_qrels(given), tmp_path / "x", format=form)
    assert caught.value.problem.startswith(problem)
    assert caught.value.expected
    assert caught.value.remedy
    assert list(tmp_path.iterdir()) == []


def test_a_run_whose_name_holds_a_space_is_no_tag(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the run 'my run' holds a space"):
        write_runs(read_runs({"my run": {"1": ["a"]}}), tmp_path / "x")


def test_parquet_is_not_compressed_twice(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Parquet is compressed already"):
        write_judgments(read_qrels({"1": {"1": {"a": 1}}}), tmp_path / "x.parquet.gz")


def test_the_suffix_chooses_the_format(tmp_path: Path) -> None:
    judged = read_qrels({"1": {"1": {"a": 1}}})
    for suffix, start in {
        ".csv": b"topic,intent,doc,grade\n",
        ".jsonl": b'{"topic": "1"',
        ".parquet": b"PAR1",
        ".qrels": b"1 1 a 1\n",
        ".csv.gz": b"\x1f\x8b",
        ".jsonl.zst": b"\x28\xb5\x2f\xfd",
    }.items():
        path = tmp_path / f"x{suffix}"
        write_judgments(judged, path)
        assert path.read_bytes().startswith(start)
        assert by_intent(read_qrels(path)) == {"1": {"1": {"a": 1}}}


def test_an_unknown_format_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did you mean trec"):
        write_judgments(read_qrels({"1": {"1": {"a": 1}}}), tmp_path / "x", format="trek")


def test_a_dash_writes_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    write_judgments(read_qrels({"1": {"1": {"a": 1}}}), "-", format="ntcir")
    assert capsys.readouterr().out == "1 1 a L1\n"
