"""The front doors: what they take, what they name runs, what they leave alone."""

from __future__ import annotations

import copy
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from polyseme.collection.reading import (
    read_probabilities,
    read_qrels,
    read_runs,
    read_topics,
    run_name,
)
from polyseme.errors import InputError, MissingExtra, PolysemeWarning
from small_files import by_intent, probabilities_of, qrels_error, rows, run_error, written

QRELS: dict[Any, Any] = {"1": {"1": {"a": 1, "b": 0}, "2": {"a": 2}}, "2": {"1": {"c": 1}}}


# --- judgments ------------------------------------------------------------------------------------


def test_judgments_already_read_are_given_back() -> None:
    judged = read_qrels(QRELS)
    assert read_qrels(judged) is judged


def test_dictionaries_by_intent_and_by_document() -> None:
    by_document = {"1": {"a": {"1": 1, "2": 2}, "b": {"1": 0}}, "2": {"c": {"1": 1}}}
    assert by_intent(read_qrels(QRELS)) == QRELS
    assert by_intent(read_qrels(by_document, by="document")) == QRELS


def test_numbers_serve_as_names_and_numpy_as_grades() -> None:
    given = {1: {1: {10: np.int64(1), np.int32(11): np.float32(2)}}}
    assert by_intent(read_qrels(given)) == {"1": {"1": {"10": 1, "11": 2}}}


def test_dictionaries_are_not_changed() -> None:
    given = copy.deepcopy(QRELS)
    probabilities = {"1": {"1": 0.5, "2": 0.5, "3": 0.0}}
    held = copy.deepcopy(probabilities)
    read_qrels(given, probabilities=probabilities, adhoc={"1": {"0": {"a": 1, "z": 1}}})
    assert given == QRELS
    assert probabilities == held


@pytest.mark.parametrize(
    ("given", "text", "problem"),
    [
        ({"1": {"1": {"a": 1.5}}}, "['1']['1']['a']", "the grade is 1.5"),
        ({"1": {"1": {"a": float("nan")}}}, "['1']['1']['a']", "the grade is not a number"),
        ({"1": {"1": {"a": None}}}, "['1']['1']['a']", "the grade is missing"),
        ({"1": {"1": {"a": True}}}, "['1']['1']['a']", "the grade is True"),
        ({"1": {"1": {"": 1}}}, "['1']['1']['']", "the document is missing"),
        ({"1": {"": {"a": 1}}}, "['1']['']", "the intent is missing"),
        ({1.5: {"1": {"a": 1}}}, "[1.5]", "the topic is 1.5"),
        ({"1": {"a": 1}}, "['1']['a']", "['1']['a'] is 1, not a dictionary"),
        ({"1": 1}, "['1']", "['1'] is 1, not a dictionary"),
        ({"1\n2": {"1": {"a": 1}}}, "['1\\n2']", "the topic is '1\\n2'"),
        ({" 1": {"1": {"a": 1}}}, "[' 1']", "the topic is ' 1'"),
    ],
)
def test_a_dictionary_that_cannot_be_used_is_told_where(
    given: object, text: str, problem: str
) -> None:
    error = qrels_error(given)
    assert error.problem == problem
    assert error.text == text
    assert error.expected
    assert error.remedy


def test_a_number_and_its_text_are_one_topic() -> None:
    given: dict[Any, Any] = {1: {"1": {"a": 1}}, "1": {"1": {"a": 2}}}
    assert "has two grades" in qrels_error(given).problem


def test_no_judgment_at_all_is_an_error() -> None:
    assert qrels_error({}).problem == "there is not one record"


def test_an_unknown_nesting_is_an_error() -> None:
    assert qrels_error(QRELS, by="topic").expected == "by='intent' or by='document'"


# --- probabilities and types ----------------------------------------------------------------------


def test_probabilities_from_a_file_or_a_dictionary(tmp_path: Path) -> None:
    path = written(tmp_path, "1 1 0.25\n1 2 0.5\n1 3 0.25\n")
    given = {"1": {"1": 0.25, "2": 0.5, "3": 0.25}}
    for source in (path, given, read_probabilities(path)):
        judged = read_qrels(QRELS, probabilities=source)
        assert probabilities_of(judged) == given
        assert judged.intents_of(0) == ("1", "2", "3")
        assert by_intent(judged) == QRELS


def test_types_beside_probabilities(tmp_path: Path) -> None:
    path = written(tmp_path, "1 1 0.5 nav\n1 2 0.5 inf\n")
    assert read_qrels(QRELS, probabilities=path).navigational.tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("lines", "line", "problem", "expected"),
    [
        ("1 1 .5\n1 2 .4\n", 1, "the probabilities of topic 1 add up to 0.9", "a sum within 0.01"),
        ("1 1 .5\n1 2 1.5\n", 2, "the probability is '1.5'", "a number from 0 to 1"),
        ("1 1 .5\n1 2 -.5\n", 2, "the probability is '-.5'", "a number from 0 to 1"),
        ("1 1 .5\n1 2 nan\n", 2, "the probability is 'nan'", "a probability that is a finite"),
        ("1 1 .5\n1 2 half\n", 2, "the probability is 'half'", "a probability that is a finite"),
        ("1 1 .5\n1 2 .5\n1\n", 3, "1 column where 3", "topic intent prob"),
        ("1 1 .5\n1 2 .5\n1 3 0 inf x\n", 3, "5 columns where 4", "topic intent prob type"),
        ("1 1 .5 inf\n1 2 .5 info\n1 3 0 inf\n", 2, "the type is 'info'", "inf (informational)"),
        ("1 1 .5\n1 1 .4\n", 2, "intent 1 of topic 1 has two probabilities", "one probability"),
        ("1 1 .5 inf\n1 1 .5 nav\n", 2, "intent 1 of topic 1 has two types", "one type"),
    ],
)
def test_probabilities_that_cannot_be_used_are_told(
    tmp_path: Path, lines: str, line: int, problem: str, expected: str
) -> None:
    path = written(tmp_path, lines)
    error = qrels_error(QRELS, probabilities=path)
    assert (error.path, error.line) == (str(path), line)
    assert error.problem.startswith(problem)
    assert str(error.expected).startswith(expected)
    assert error.remedy


def test_probabilities_of_unjudged_topics_only_are_an_error(tmp_path: Path) -> None:
    path = written(tmp_path, "8 1 1\n9 1 1\n")
    error = qrels_error(QRELS, probabilities=path)
    assert error.path == str(path)
    assert error.problem == "none of the topics with probabilities is judged"


@pytest.mark.parametrize(
    "given", [{"1": {"1": 2}}, {"1": {"1": "x"}}, {"1": 1}, {"1": {"1": 0.5}}, {"": {"1": 1}}]
)
def test_a_dictionary_of_probabilities_is_checked(given: object) -> None:
    assert qrels_error(QRELS, probabilities=given).path == "the probabilities"


def test_topics_give_intents_their_types(tmp_path: Path) -> None:
    path = written(tmp_path, TOPICS, "topics.xml")
    judged = read_qrels(QRELS, topics_xml=path)
    assert judged.intents == ("1", "2", "1")
    assert judged.navigational.tolist() == [True, False, False]


def test_ad_hoc_judgments_of_their_own(tmp_path: Path) -> None:
    path = written(tmp_path, "1 0 a 2\n1 0 z 1\n")
    judged = read_qrels(QRELS, adhoc=path)
    assert by_intent(judged) == QRELS
    assert judged.adhoc is not None
    assert dict(zip(judged.documents, judged.adhoc.grade.tolist(), strict=True)) == {
        "a": 2, "b": 0, "z": 1, "c": 0,
    }  # fmt: skip
    error = qrels_error(QRELS, adhoc={"77": {"0": {"a": 1}}})
    assert error.path == "the ad hoc judgments"


# --- topics ---------------------------------------------------------------------------------------

TOPICS = """<?xml version="1.0"?>
<!DOCTYPE webtrack2012 [
  <!ELEMENT subtopic (#PCDATA)>
  <!ATTLIST subtopic number CDATA #REQUIRED type (nav|inf) "inf">
]>
<webtrack2012>
<!-- a comment -->
<topic number="1" type="faceted">
  <query>zeppelin</query>
  <description>
    About the band,
    AT&amp;T, or the airship.
  </description>
  <subtopic number="1" type="nav">Find the band.</subtopic>
  <subtopic number="2">Airships &#233;</subtopic>
</topic>
</webtrack2012>
"""


def test_topics_are_read_with_their_subtopics(tmp_path: Path) -> None:
    topics = read_topics(written(tmp_path, TOPICS, "topics.xml"))
    topic = topics["1"]
    assert (topic.query, topic.type) == ("zeppelin", "faceted")
    assert topic.description == "About the band, AT&T, or the airship."
    assert [(one.name, one.text, one.type) for one in topic.subtopics] == [
        ("1", "Find the band.", "nav"),
        ("2", "Airships é", "inf"),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            '<!DOCTYPE t [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><t>&b;</t>',
            "declares or uses an entity",
        ),
        (
            '<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><t>&x;</t>',
            "declares or uses an entity",
        ),
        ('<!DOCTYPE t SYSTEM "other.dtd"><t>&x;</t>', "declares or uses an entity"),
        ("<t><topic number='1'></t>", "not well-formed XML (mismatched tag)"),
        ("<t>", "not well-formed XML (no element found)"),
        ("<t/>", "the file holds no topic"),
        ("<t><topic><query>q</query></topic></t>", "the topic's number is missing"),
        ("<t><topic number='1'><subtopic>q</subtopic></topic></t>", "the subtopic's number is"),
        ("<t><topic number='1'/><topic number='1'/></t>", "topic 1 stands twice"),
        ("<?xml version='1.0' encoding='nonsense'?><t/>", "unknown encoding"),
    ],
)
def test_topics_that_cannot_be_used_are_told(tmp_path: Path, text: str, problem: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_topics(path)
    assert problem in caught.value.problem
    assert caught.value.path == str(path)
    assert caught.value.expected
    assert caught.value.remedy


def test_a_misspelled_type_is_a_warning_and_no_type(tmp_path: Path) -> None:
    path = written(tmp_path, TOPICS.replace('type="nav"', 'type="inav"'))
    with pytest.warns(PolysemeWarning, match="'inav' on line 14"):
        judged = read_qrels(QRELS, topics_xml=path)
    assert not judged.navigational.any()


# --- identifiers of ir_datasets -------------------------------------------------------------------


class SubtopicJudgment(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    subtopic_id: str


class Judgment(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    iteration: str


@pytest.fixture
def ir_datasets(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Any]]:
    """A stand-in for the package, with datasets of ours."""
    known: dict[str, list[Any]] = {}

    def load(name: str) -> object:
        judgments = known[name]
        return SimpleNamespace(
            has_qrels=lambda: bool(judgments), qrels_iter=lambda: iter(judgments)
        )

    module = ModuleType("ir_datasets")
    module.load = load  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ir_datasets", module)
    return known


def test_judgments_of_ir_datasets(ir_datasets: dict[str, list[Any]]) -> None:
    ir_datasets["web/diversity"] = [
        SubtopicJudgment("1", "a", 1, "2"),
        SubtopicJudgment("1", "b", -2, "0"),
    ]
    ir_datasets["web/adhoc"] = [Judgment("1", "a", 2, "Q0")]
    assert by_intent(read_qrels("irds:web/diversity")) == {"1": {"0": {"b": -2}, "2": {"a": 1}}}
    assert by_intent(read_qrels("irds:web/adhoc")) == {"1": {"0": {"a": 2}}}


def test_datasets_that_cannot_be_used_are_told(ir_datasets: dict[str, list[Any]]) -> None:
    ir_datasets["web"] = []
    assert "has no judgments" in qrels_error("irds:web").problem
    error = qrels_error("irds:nothing")
    assert (error.path, error.problem) == (
        "irds:nothing",
        "ir_datasets knows no dataset 'nothing'",
    )
    ir_datasets["odd"] = [Judgment("1", "a", 1.5, "0")]  # type: ignore[arg-type]
    assert qrels_error("irds:odd").problem == "the grade is 1.5"


def test_ir_datasets_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(MissingExtra, match=r"polyseme\[ir\]"):
        read_qrels("irds:clueweb09/en/trec-web-2009/diversity")


# --- objects of other packages --------------------------------------------------------------------


class Scored(NamedTuple):
    query_id: str
    doc_id: str
    score: float


OBJECTS = [SubtopicJudgment("1", "a", 1, "2"), SubtopicJudgment("1", "b", -2, "0")]


@pytest.mark.parametrize("given", [OBJECTS, tuple(OBJECTS), iter(list(OBJECTS))])
def test_named_tuples_are_judgments(given: object) -> None:
    assert by_intent(read_qrels(given)) == {"1": {"0": {"b": -2}, "2": {"a": 1}}}


def test_an_iteration_is_the_intent_where_there_is_no_subtopic() -> None:
    assert by_intent(read_qrels([Judgment("1", "a", 2, "7")])) == {"1": {"7": {"a": 2}}}


def test_named_tuples_are_a_run_alone_and_under_a_name() -> None:
    found = [Scored("1", "b", 1.0), Scored("2", "c", 3.0), Scored("1", "a", 2.0)]
    for runs in (read_runs(found), read_runs(iter(found)), read_runs({"run": iter(found)})):
        assert runs.names == ("run",)
        assert runs[0].prefix() == {"1": ["a", "b"], "2": ["c"]}
        # a run is read anew each time, whatever it was read from
        assert runs[0].prefix() == {"1": ["a", "b"], "2": ["c"]}


def test_a_malformed_object_is_told_by_its_number_and_its_text() -> None:
    error = qrels_error([*OBJECTS, SubtopicJudgment("1", "c", 1.5, "1")])  # type: ignore[arg-type]
    assert (error.line, error.problem) == (3, "the grade is 1.5")
    assert error.text is not None
    assert "doc_id='c'" in error.text


def test_objects_that_lack_a_field_are_told() -> None:
    problem = qrels_error([Scored("1", "a", 1.0)]).problem
    assert problem.startswith("the column 'intent' is missing, there are topic, doc, score")
    assert problem.endswith("this looks like run")


# --- runs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/x.run.gz", "x"),
        ("x.run.zst", "x"),
        ("x.txt", "x"),
        ("x.res", "x"),
        ("x", "x"),
        ("x.gz", "x"),
        ("my.bm25.run", "my.bm25"),
        ("my.bm25", "my.bm25"),
        ("x.something", "x"),
        ("input.run1", "input.run1"),
        ("v1.2.run", "v1.2"),
        (".run", ".run"),
    ],
)
def test_a_run_is_named_after_its_file(path: str, name: str) -> None:
    assert run_name(path) == name


def test_a_run_can_be_named_by_its_tag(tmp_path: Path) -> None:
    path = written(tmp_path, "# comment\n1 Q0 a 1 1 bm25\n2 Q0 a 1 1 bm25\n")
    (run,) = read_runs(path, names="tag")
    assert run.name == "bm25"
    assert len(rows(run)) == 2


def test_a_tag_that_changes_matters_only_where_it_names(tmp_path: Path) -> None:
    path = written(tmp_path, "1 Q0 a 1 1 bm25\n2 Q0 a 1 1 rm3\n", "x.run")
    assert len(rows(read_runs(path)[0])) == 2
    error = run_error(path, names="tag")
    assert (error.line, error.text) == (2, "2 Q0 a 1 1 rm3")
    assert error.problem == "the tag 'rm3' comes after the tag 'bm25'"
    assert "--run-names file" in str(error.remedy)


def test_a_format_without_tags_cannot_name_runs_by_them(tmp_path: Path) -> None:
    error = run_error(written(tmp_path, "1 0 a 1 0\n"), names="tag")
    assert error.problem == "no line holds a tag"


def test_two_runs_of_one_name_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    first = written(tmp_path, "1 Q0 a 1 1 t\n", "x.run")
    second = written(tmp_path / "a", "1 Q0 a 1 1 t\n", "x.txt")
    with pytest.raises(InputError, match="two runs are named 'x'") as caught:
        read_runs(first, second)
    assert str(first) in caught.value.problem
    assert str(second) in caught.value.problem


def test_runs_from_dictionaries() -> None:
    runs = read_runs({"x": {"1": ["b", "a"]}, "y": {1: {"a": 1, "b": np.float64(2.5)}}, "z": {}})
    assert runs.names == ("x", "y", "z")
    assert runs[0].prefix() == {"1": ["b", "a"]}
    assert runs[1].prefix() == {"1": ["b", "a"]}
    assert runs[2].prefix() == {}


def test_a_dictionary_changed_later_changes_no_run() -> None:
    lists = {"1": ["a"]}
    (run,) = read_runs({"x": lists})
    lists["1"].append("b")
    assert run.prefix() == {"1": ["a"]}


def test_many_sources_and_lists_of_sources(tmp_path: Path) -> None:
    path = written(tmp_path, "1 Q0 a 1 1 t\n", "x.run")
    runs = read_runs(path, [{"y": {"1": ["a"]}}, read_runs({"z": {}})])
    assert runs.names == ("x", "y", "z")
    assert read_runs(runs[0], {"named": path}).names == ("x", "named")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"1": {"a": 1.0}}, "['1']['a'] is a number: this looks like one run"),
        ({"1": ["a", "b"]}, "['1'] is ['a', 'b'], not a dictionary"),
        ({"x": {"1": {"a": float("inf")}}}, "the score is inf"),
        ({"x": {"1": {"a": "high"}}}, "the score is 'high'"),
        ({"x": {"1": ["a", ""]}}, "the document is missing"),
        ({"x": {"1": "abc"}}, "['x']['1'] is 'abc'"),
        ({"x": {"1": None}}, "['x']['1'] is None"),
        ({"x": None}, "['x'] is None, not a dictionary"),
        ({"": {}}, "the run's name is missing"),
    ],
)
def test_a_dictionary_of_runs_is_checked(given: object, problem: str) -> None:
    error = run_error(given)
    assert error.problem.startswith(problem)
    assert error.expected
    assert error.remedy


def test_no_run_at_all_is_an_error() -> None:
    with pytest.raises(InputError, match="no run was given"):
        read_runs()


def test_an_unknown_way_of_naming_is_an_error(tmp_path: Path) -> None:
    assert run_error("x", names="folder").expected == "names='file' or names='tag'"


def test_a_run_is_read_anew_each_time(tmp_path: Path) -> None:
    path = written(tmp_path, "1 Q0 a 1 1 t\n", "x.run")
    (run,) = read_runs(path)
    assert run.prefix() == {"1": ["a"]}
    path.write_text("1 Q0 b 1 1 t\n")
    assert run.prefix() == {"1": ["b"]}
    path.unlink()
    with pytest.raises(InputError, match="no such file"):
        run.prefix()


def test_reading_plain_files_loads_no_library_that_it_does_not_need(tmp_path: Path) -> None:
    written(tmp_path, "1 1 a 1\n", "qrels")
    written(tmp_path, "1 Q0 a 1 1 t\n", "run")
    code = (
        "import sys\n"
        "from polyseme.collection.reading import read_qrels, read_runs\n"
        "read_qrels('qrels'), read_runs('run')[0].prefix()\n"
        "heavy = 'scipy pandas polars pyarrow narwhals zstandard isal pyexpat ir_datasets'\n"
        "print([name for name in heavy.split() if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
