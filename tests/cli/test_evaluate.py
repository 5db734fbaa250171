from __future__ import annotations

import csv
import gzip
import io
import json
import math
import warnings
from pathlib import Path

import pytest

import polyseme
from commands import JUDGMENTS, Tiny, done, records, run, values
from polyseme.dialects import DIALECTS, USUAL_MEASURES
from polyseme.errors import PolysemeWarning

LOG2_3 = math.log2(3)


def evaluate(small: Tiny, *arguments: str) -> str:
    return done(
        *("evaluate", small.judgments, small.first, small.second),
        *("--probabilities", small.probabilities, *arguments),
    ).stdout


# ---- numbers worked out by hand -----------------------------------------------------------------


def test_means_are_those_worked_out_by_hand(small: Tiny) -> None:
    found = values(evaluate(small, "-m", "I-rec@2 D-nDCG@3 ERR-IA@3"))
    ndcg = (1.5 + 0.25 / 2) / (1.5 + 0.25 / LOG2_3)
    assert found == pytest.approx(
        {
            # topic 1 has intent A in its top 2, topic 2 its only intent
            ("first", "all", "I-rec@2"): (1 / 2 + 1) / 2,
            ("first", "all", "D-nDCG@3"): (ndcg + 1 / LOG2_3) / 2,
            # s = 2/3 at rank 1 for A, 1/3 at rank 3 for B; 1/3 at rank 2 in topic 2
            ("first", "all", "ERR-IA@3"): (0.75 * 2 / 3 + 0.25 / 9 + 1 / 6) / 2,
            # topic 2 is missing, and scores 0
            ("second", "all", "I-rec@2"): 1 / 4,
            ("second", "all", "D-nDCG@3"): 0.25 / LOG2_3 / (1.5 + 0.25 / LOG2_3) / 2,
            ("second", "all", "ERR-IA@3"): 0.25 / 6 / 2,
        },
        abs=1e-12,
    )


def test_csv_has_the_columns_run_topic_measure_value(small: Tiny) -> None:
    text = evaluate(small, "-m", "I-rec@2")
    assert text == "run,topic,measure,value\nfirst,all,I-rec@2,0.75\nsecond,all,I-rec@2,0.25\n"


def test_per_topic_gives_each_topic_and_then_the_mean(small: Tiny) -> None:
    text = evaluate(small, "-m", "I-rec@2", "--per-topic")
    assert [tuple(row.values()) for row in records(text)] == [
        ("first", "1", "I-rec@2", "0.5"),
        ("first", "2", "I-rec@2", "1.0"),
        ("first", "all", "I-rec@2", "0.75"),
        ("second", "1", "I-rec@2", "0.5"),
        ("second", "2", "I-rec@2", "0.0"),
        ("second", "all", "I-rec@2", "0.25"),
    ]


def test_a_table_of_topics_has_the_topics_that_csv_has(small: Tiny, tmp_path: Path) -> None:
    judgments = tmp_path / "no-spam.qrels"
    judgments.write_text("1 1 d1 1\n2 1 d4 0\n")
    command = (str(judgments), small.second, "--dialect", "ndeval", "--per-topic")
    options = ("-m", "ndeval:strec@5", "--quiet", "--format")
    topics = [row["topic"] for row in records(done("evaluate", *command, *options, "csv").stdout)]
    assert topics == ["1", "7", "all"]
    table = done("evaluate", *command, *options, "table").stdout
    assert [line.split()[1] for line in table.splitlines() if line.startswith("second")][:2] == [
        "1",
        "7",
    ]


def test_per_intent_gives_each_intent(small: Tiny) -> None:
    text = evaluate(small, "-m", "ERR-IA@3", "--per-intent")
    assert text.startswith("run,topic,intent,measure,value\n")
    found = values(text)
    assert found["first", "1", "A", "ERR-IA@3"] == pytest.approx(2 / 3)
    assert found["first", "1", "B", "ERR-IA@3"] == pytest.approx(1 / 9)
    assert found["first", "2", "A", "ERR-IA@3"] == pytest.approx(1 / 6)
    assert found["second", "1", "B", "ERR-IA@3"] == pytest.approx(1 / 6)


def test_per_intent_says_which_measures_have_no_such_values(small: Tiny) -> None:
    result = done(
        *("evaluate", small.judgments, small.first, "--per-intent", "-m", "ERR-IA@3 D-nDCG@3")
    )
    assert "no values for single intents: D-nDCG@3" in result.stderr
    assert {row["measure"] for row in records(result.stdout)} == {"ERR-IA@3"}


def test_every_mean_has_its_label(small: Tiny) -> None:
    weights = small.write("weights.txt", "1 3\n2 1\n")
    text = evaluate(
        small,
        *("-m", "I-rec@2", "--mean", "avg", "--mean", "geom", "--mean", "dd"),
        *("--mean", f"weights={weights}"),
    )
    found = {name[1]: value for name, value in values(text).items() if name[0] == "first"}
    assert list(found) == ["all", "all:geom", "all:dd", "all:weights"]
    assert found["all:geom"] == pytest.approx(math.sqrt(0.5))
    assert found["all:weights"] == pytest.approx((3 * 0.5 + 1) / 4)


def test_condensed_lists_have_no_unjudged_documents(small: Tiny) -> None:
    found = values(evaluate(small, "-m", "I-rec@2 I-rec'@2"))
    assert found["first", "all", "I-rec@2"] == 0.75
    assert found["first", "all", "I-rec'@2"] == 1.0


@pytest.mark.parametrize("name", ["indri_rm_cata", "indri_ql_catb"])
def test_the_set_trec_prints_what_ndeval_prints(shared: Path, name: str) -> None:
    gold = shared / "gold" / "ndeval" / f"wt2012.{name}.a0.5.default.csv.gz"
    with gzip.open(gold, "rt") as stream:
        expected = {row["topic"]: row for row in csv.DictReader(stream)}
    result = done(
        *("evaluate", shared / "data" / "trec-web" / "2012.diversity.qrels.gz"),
        shared / "data" / "runs" / "wt2012-indri" / f"{name}.run.gz",
        *("-m", "trec", "--order", "rank", "--average-over", "retrieved", "--per-topic"),
    )
    compared = 0
    for (_, topic, measure), value in values(result.stdout).items():
        column = measure.removeprefix("ndeval:")
        wanted = expected["amean" if topic == "all" else topic][column]
        if wanted != "nan" and not math.isnan(float(wanted)):
            assert value == pytest.approx(float(wanted), abs=1e-6), (topic, measure)
            compared += 1
    assert compared > 21 * 40


# ---- the command says what Python says ----------------------------------------------------------


def test_csv_parses_to_exactly_what_python_computes(demo: Path) -> None:
    runs = sorted((demo / "runs").iterdir())
    judgments, probabilities = demo / "judgments.qrels", demo / "probabilities.txt"
    names = "sakai2019 golbus2013 trec"
    text = done(
        *("evaluate", judgments, *runs, "--probabilities", probabilities),
        *("--topics-xml", demo / "topics.xml", "-m", names, "--per-topic"),
    ).stdout
    scores = polyseme.evaluate(
        polyseme.read_qrels(judgments, probabilities=probabilities, topics_xml=demo / "topics.xml"),
        polyseme.read_runs(*runs),
        names,
    )
    assert values(text) == {row[:3]: row[3] for row in [*scores.topic_rows(), *scores.mean_rows()]}


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (["--gain", "exponential"], {"gain": "exponential"}),
        (["--gain", "1:1,2:3,3:7,4:15"], {"gain": "1:1,2:3,3:7,4:15"}),
        (["--gmax", "topic"], {"gmax": "topic"}),
        (["--gmax", "7"], {"gmax": 7}),
        (["--order", "rank"], {"order": "rank"}),
        (["--order", "file"], {"order": "file"}),
        (["--average-over", "retrieved"], {"average_over": "retrieved"}),
        (["--keep-empty-intents"], {"keep_empty_intents": True}),
        (["--relevant-from", "2"], {"relevant_from": 2}),
        (["--adhoc", "max"], {"adhoc": "max"}),
        (["--adhoc", "sum"], {"adhoc": "sum"}),
        (["--only-topics", "2,5"], {"only_topics": ["2", "5"]}),
    ],
)
def test_an_option_does_what_the_argument_of_its_name_does(
    demo: Path, options: list[str], arguments: dict[str, object]
) -> None:
    runs = sorted((demo / "runs").iterdir())
    names = "D#-nDCG@5 ERR-IA'@10 nDCG@10 RBP@10 I-rec@3"
    text = done("evaluate", demo / "judgments.qrels", *runs, "-m", names, *options).stdout
    scores = polyseme.evaluate(
        demo / "judgments.qrels",
        polyseme.read_runs(*runs),
        names,
        **arguments,  # type: ignore[arg-type]
    )
    assert values(text) == {row[:3]: row[3] for row in scores.mean_rows()}


def test_without_measures_there_are_those_that_tracks_report(small: Tiny) -> None:
    found = {row["measure"] for row in records(evaluate(small))}
    assert found == set(USUAL_MEASURES.split())


def test_measures_repeat_and_come_as_lists_and_sets(small: Tiny) -> None:
    text = evaluate(small, "-m", "ntcir@3", "-m", "ERR-IA@3,I-rec@3", "-m", "alpha-nDCG(alpha=.3)")
    assert [row["measure"] for row in records(text) if row["run"] == "first"] == [
        *("I-rec@3", "D-nDCG@3", "D#-nDCG@3", "ERR-IA@3", "alpha-nDCG(alpha=0.3)"),
    ]


@pytest.mark.parametrize("jobs", ["2", "5"])
def test_jobs_change_nothing_in_the_result(demo: Path, jobs: str) -> None:
    runs = sorted((demo / "runs").iterdir())
    asked = ("evaluate", demo / "judgments.qrels", *runs, "--per-topic", "--order", "file")
    alone, together = done(*asked), done(*asked, "--jobs", jobs)
    assert together.stdout == alone.stdout
    assert together.stderr == alone.stderr


# ---- what goes in -------------------------------------------------------------------------------


def test_topics_are_kept_by_a_list_or_a_file(small: Tiny) -> None:
    by_list = evaluate(small, "-m", "I-rec@2", "--only-topics", "2")
    by_file = evaluate(
        small, "-m", "I-rec@2", "--only-topics", small.write("topics.txt", "# some\n2\n")
    )
    assert by_list == by_file
    assert values(by_list)["first", "all", "I-rec@2"] == 1.0


def test_a_file_can_be_standard_input(small: Tiny) -> None:
    text = done("evaluate", small.judgments, "-", "-m", "I-rec@2", stdin=small_text(small.first))
    assert next(iter(values(text.stdout).values())) == 0.75
    text = done("evaluate", "-", small.first, "-m", "I-rec@2", stdin=small_text(small.judgments))
    assert values(text.stdout)["first", "all", "I-rec@2"] == 0.75


def small_text(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")


def test_runs_can_be_named_by_their_tags(small: Tiny) -> None:
    text = evaluate(small, "-m", "I-rec@2", "--run-names", "tag")
    assert [row["run"] for row in records(text)] == ["tagged", "other"]


def test_ad_hoc_judgments_may_be_a_file_of_their_own(small: Tiny) -> None:
    own = small.write("adhoc.qrels", "1 0 d9 1\n1 0 d1 0\n2 0 d5 1\n")
    found = values(evaluate(small, "-m", "RR@3", "--adhoc", own))
    assert found["first", "all", "RR@3"] == pytest.approx((1 / 2 + 1) / 2)


def test_formats_can_be_forced(small: Tiny) -> None:
    table = small.write("judgments.data", "topic,intent,doc,grade\n1,A,d1,1\n2,A,d4,1\n")
    text = done(
        *("evaluate", table, small.first, "-m", "I-rec@1"),
        *("--input-format", "csv", "--runs-format", "trec"),
    ).stdout
    assert values(text)["first", "all", "I-rec@1"] == 0.5


# ---- what comes out -----------------------------------------------------------------------------


def test_what_was_averaged_is_told_beside_csv(small: Tiny) -> None:
    result = done("evaluate", small.judgments, small.first, small.second, "-m", "I-rec@2")
    assert "means over 2 of 2 judged topics" in result.stderr
    assert "1 of 2 runs lack topics" in result.stderr
    assert "1 of 2 runs have topics that are not judged" in result.stderr
    assert "order score" in result.stderr
    assert "gain linear" in result.stderr


def test_quiet_leaves_standard_error_empty(small: Tiny) -> None:
    small.write("second.run", "1 Q0 d1 1 1.0 x\n1 Q0 d2 2 2.0 x\n")
    asked = ("evaluate", small.judgments, small.first, small.second, "--order", "file")
    assert "warning: second: in 1 topics" in done(*asked).stderr
    assert done(*asked, "--quiet").stderr == ""


def test_a_warning_is_one_line_and_comes_once(small: Tiny) -> None:
    small.write("judgments.qrels", "1 A d1 1\n1 A d1 1\n2 A d4 1\n")
    result = done("evaluate", small.judgments, small.first, "-m", "I-rec@2 ERR-IA'@2 nDCG-IA'@2")
    told = [line for line in result.stderr.splitlines() if "warning" in line]
    assert len(told) == len(set(told)) == 2
    assert told[0].startswith("warning: ")
    assert "no non-relevant document" in told[1]


def test_json_carries_provenance_and_topics(small: Tiny) -> None:
    found = json.loads(evaluate(small, "-m", "I-rec@2", "--format", "json"))
    assert found["provenance"]["polyseme"] == polyseme.__version__
    assert found["provenance"]["policies"]["order"] == "score"
    assert found["provenance"]["measures"] == ["I-rec@2"]
    assert found["topics"] == {
        "judged": 2,
        "used": ["1", "2"],
        "missing": {"second": ["2"]},
        "extra": {"second": ["7"]},
    }
    assert found["rows"] == [
        {"run": "first", "topic": "all", "measure": "I-rec@2", "value": 0.75},
        {"run": "second", "topic": "all", "measure": "I-rec@2", "value": 0.25},
    ]


def test_json_lines_and_parquet_hold_the_rows_of_csv(small: Tiny) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    expected = values(evaluate(small, "--per-topic"))
    lines = evaluate(small, "--per-topic", "--format", "jsonl").splitlines()
    found = [json.loads(line) for line in lines]
    assert {tuple(r[k] for k in ("run", "topic", "measure")): r["value"] for r in found} == expected
    path = small.folder / "scores.parquet"
    evaluate(small, "--per-topic", "-o", str(path))
    table = parquet.read_table(path)
    assert table.column_names == ["run", "topic", "measure", "value"]
    held = zip(*(table[name].to_pylist() for name in table.column_names), strict=True)
    assert {row[:3]: row[3] for row in held} == expected
    said = json.loads(table.schema.metadata[b"polyseme"])
    assert said["provenance"]["policies"]["gain"] == "linear"


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("scores.csv", "run,topic,measure,value"),
        ("scores.json", "{"),
        ("scores.jsonl", '{"run"'),
        ("scores.md", "| run"),
        ("scores.tex", "% \\usepackage{booktabs}"),
        ("scores.txt", "run"),
        ("scores", "run,topic,measure,value"),
        ("scores.csv.gz", "run,topic,measure,value"),
    ],
)
def test_the_format_follows_from_the_name_of_the_output(
    small: Tiny, name: str, begins: str
) -> None:
    path = small.folder / name
    assert evaluate(small, "-m", "I-rec@2", "-o", str(path)) == ""
    content = path.read_bytes()
    text = (gzip.decompress(content) if name.endswith(".gz") else content).decode()
    assert text.startswith(begins)


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_formats_for_people_show_runs_measures_and_notes(small: Tiny, form: str) -> None:
    text = evaluate(small, "-m", "I-rec@2 ERR-IA@3", "--format", form)
    assert all(word in text for word in ("first", "second", "I-rec@2", "0.7500"))
    assert "eans over 2 of 2 judged topics" in text
    assert "polyseme 0" in text


# ---- what goes wrong ----------------------------------------------------------------------------

ERRORS = {
    "no judgments": (["nowhere", "{first}"], "no such file"),
    "no run": (["{judgments}", "nowhere.run"], "nowhere.run: there is no such file"),
    "a run as judgments": (["{first}", "{first}"], "looks like"),
    "judgments as a run": (["{judgments}", "{judgments}"], "looks like"),
    "a folder": (["{judgments}", "{folder}"], "folder"),
    "an empty file": (["{judgments}", "{empty}"], "{empty}"),
    "a malformed line": (["{broken}", "{first}"], "{broken}:2"),
    "a malformed run": (["{judgments}", "{broken_run}"], "{broken_run}:2"),
    "a score that is no number": (["{judgments}", "{nan_run}"], "{nan_run}:1"),
    "two grades": (["{two_grades}", "{first}"], "two grades"),
    "a document twice": (["{judgments}", "{twice}"], "lines 1 and 2"),
    "two runs of one name": (["{judgments}", "{first}", "{first}"], "two runs are named 'first'"),
    "no topic in common": (["{judgments}", "{elsewhere}"], "none of the 1 topics"),
    "nothing relevant": (["{irrelevant}", "{first}"], "nothing to average"),
    "a wrong measure": (["{judgments}", "{first}", "-m", "D#-nDCGG@10"], "did you mean D#-nDCG"),
    "another's spelling": (["{judgments}", "{first}", "-m", "ERR_IA@20"], "ndeval:ERR-IA"),
    "a wrong parameter": (["{judgments}", "{first}", "-m", "RBP(q=1)"], "no parameter 'q'"),
    "a wrong value": (["{judgments}", "{first}", "-m", "RBP(p=2)"], "must be a number"),
    "no measure": (["{judgments}", "{first}", "-m", " "], "no measures were asked for"),
    "a wrong mean": (["{judgments}", "{first}", "--mean", "median"], "mean must be"),
    "geom of RBU": (["{judgments}", "{first}", "-m", "RBU@3", "--mean", "geom"], "negative"),
    "a wrong gain": (["{judgments}", "{first}", "--gain", "cubic"], "gain must be"),
    "a short gain table": (["{judgments}", "{first}", "--gain", "1:1"], "says nothing of grade 2"),
    "a wrong gmax": (["{judgments}", "{first}", "--gmax", "0"], "gmax must be"),
    "an unjudged topic": (["{judgments}", "{first}", "--only-topics", "77"], "'77'"),
    "topics that are no text": (
        ["{judgments}", "{first}", "--only-topics", "{binary}"],
        "{binary}",
    ),
    "topics in a folder": (["{judgments}", "{first}", "--only-topics", "{folder}"], "folder"),
    "no topic to keep": (["{judgments}", "{first}", "--only-topics", ","], "no topic to keep"),
    "a probability of 2": (
        ["{judgments}", "{first}", "--probabilities", "{heavy}"],
        "{heavy}",
    ),
    "others' probabilities": (
        ["{judgments}", "{first}", "--probabilities", "{foreign}"],
        "none of the topics",
    ),
    "no probabilities": (["{judgments}", "{first}", "--probabilities", "x"], "no such file"),
    "no topics": (["{judgments}", "{first}", "--topics-xml", "x"], "no such file"),
    "an unknown format": (
        ["{judgments}", "{first}", "--input-format", "trek"],
        "did you mean trec",
    ),
    "an ad hoc file that is not there": (["{judgments}", "{first}", "--adhoc", "x"], "x: there is"),
    "no value for an intent": (
        ["{judgments}", "{first}", "--per-intent", "-m", "D-nDCG@3"],
        "no values for single intents",
    ),
    "an output nowhere": (
        ["{judgments}", "{first}", "-o", "{folder}/no/x.csv"],
        "cannot be written",
    ),
    "an output that others would open in vain": (
        ["{judgments}", "{first}", "-o", "{folder}/scores.xlsx"],
        "nothing here is written as .xlsx\n  to mend it: name a file that ends in .txt",
    ),
    "an output that is a folder": (
        ["{judgments}", "{first}", "-o", "{folder}"],
        "cannot be written",
    ),
    "no weights": (["{judgments}", "{first}", "--mean", "weights=nowhere"], "no such file"),
    "no weight of a topic": (["{judgments}", "{first}", "--mean", "weights={heavy1}"], "no weight"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_bad_input_is_told_on_standard_error_with_status_1(small: Tiny, name: str) -> None:
    files = {
        "judgments": small.judgments,
        "first": small.first,
        "folder": str(small.folder),
        "empty": small.write("empty.run", ""),
        "broken": small.write("broken.qrels", "1 A d1 1\n1 A d2\n"),
        "broken_run": small.write("broken.run", "1 Q0 d1 1 2.0 x\n1 Q0 d2 2 x\n"),
        "nan_run": small.write("nan.run", "1 Q0 d1 1 nan x\n"),
        "two_grades": small.write("two.qrels", "1 A d1 1\n1 A d1 2\n"),
        "twice": small.write("twice.run", "1 Q0 d1 1 2.0 x\n1 Q0 d1 2 1.0 x\n"),
        "elsewhere": small.write("elsewhere.run", "9 Q0 d1 1 2.0 x\n"),
        "irrelevant": small.write("irrelevant.qrels", "1 A d1 0\n"),
        "heavy": small.write("heavy.txt", "1 A 2\n"),
        "heavy1": small.write("weights.txt", "1 2\n"),
        "binary": small.write("binary.txt", "\0\1\2"),
        "foreign": small.write("foreign.txt", "9 A 1\n"),
    }
    arguments, expected = ERRORS[name]
    result = run("evaluate", *(each.format(**files) for each in arguments))
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert expected.format(**files) in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["{judgments}"],
        ["{judgments}", "{first}", "--order", "luck"],
        ["{judgments}", "{first}", "--format", "xls"],
        ["{judgments}", "{first}", "--relevant-from", "0"],
        ["{judgments}", "{first}", "--jobs", "0"],
        ["{judgments}", "{first}", "--no-such-option"],
        ["{judgments}", "{first}", "--per-topic", "--per-intent"],
        ["-", "-"],
        ["{judgments}", "-", "--probabilities", "-"],
    ],
)
def test_bad_usage_has_status_2(small: Tiny, arguments: list[str]) -> None:
    files = {"judgments": small.judgments, "first": small.first}
    result = run("evaluate", *(each.format(**files) for each in arguments))
    assert result.exit_code == 2
    assert "Usage: " in result.stderr


def test_an_output_stays_as_it_was_when_the_work_fails(small: Tiny) -> None:
    kept = small.write("scores.csv", "what was there\n")
    before = sorted(path.name for path in small.folder.iterdir())
    broken = small.write("broken.run", "1 Q0 d1 1 2.0 x\n1 Q0 d2 2 x\n")
    result = run("evaluate", small.judgments, small.first, broken, "-o", kept)
    assert result.exit_code == 1
    assert Path(kept).read_text(encoding="utf-8") == "what was there\n"
    assert sorted(path.name for path in small.folder.iterdir()) == sorted([*before, "broken.run"])


def test_parquet_without_its_extra_says_how_to_get_it(
    small: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    path = small.folder / "scores.parquet"
    result = run("evaluate", small.judgments, small.first, "-o", str(path))
    assert result.exit_code == 1
    assert "polyseme[parquet]" in result.stderr
    assert not path.exists()


def test_the_rows_are_csv_also_where_names_hold_commas(small: Tiny) -> None:
    text = evaluate(small, "-m", "alpha#-nDCG-IA(alpha=0.2,average=geom)@3")
    assert {row[2] for row in list(csv.reader(io.StringIO(text)))[1:]} == {
        "alpha#-nDCG-IA(alpha=0.2,average=geom)@3"
    }


# ---- dialects -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gold", "dialect"),
    [
        ("a0.5.default", "ndeval"),
        ("a0.5.traditional", "ndeval(traditional=true)"),
        ("a0.5.M10", "ndeval(max_documents=10)"),
        ("a0.5.c", "ndeval(all_topics=true)"),
        ("a0.25", "ndeval(alpha=0.25)"),
    ],
)
def test_the_dialect_ndeval_prints_ndevals_columns(
    shared: Path, tmp_path: Path, gold: str, dialect: str
) -> None:
    path = shared / "gold" / "ndeval" / f"gdesa.result_desa.{gold}.csv.gz"
    with gzip.open(path, "rt") as stream:
        expected = {row["topic"]: row for row in csv.DictReader(stream)}
    judgments = tmp_path / "all.qrels"
    web = shared / "data" / "trec-web"
    judgments.write_bytes(
        b"".join(
            gzip.decompress((web / f"{year}.diversity.qrels.gz").read_bytes())
            for year in range(2009, 2013)
        )
    )
    run_file = shared / "data" / "runs" / "wt2009-2012-gdesa" / "result_desa.run.gz"
    found = values(
        done("evaluate", judgments, run_file, "--dialect", dialect, "--per-topic").stdout
    )
    compared = 0
    for (_, topic, measure), value in found.items():
        column = measure.removeprefix("ndeval:")
        wanted = float(expected["amean" if topic == "all" else topic][column])
        if not math.isnan(wanted):
            assert value == pytest.approx(wanted, abs=1e-6), (topic, measure)
            compared += 1
    assert compared > 20 * len(expected)


@pytest.mark.parametrize("name", [name for name in DIALECTS if name != "polyseme"])
def test_a_dialect_brings_its_own_measures_and_says_so(small: Tiny, name: str) -> None:
    small.write("judgments.qrels", JUDGMENTS.replace("-2", "0"))
    result = done(
        *("evaluate", small.judgments, small.first, "--dialect", name, "--format", "json")
    )
    found = json.loads(result.stdout)
    assert found["provenance"]["dialect"] == name
    assert all(row["measure"].startswith(f"{name}:") for row in found["rows"])
    assert (
        f"dialect {name}"
        in done(
            *("evaluate", small.judgments, small.first, "--dialect", name, "--format", "table")
        ).stdout
    )


def test_measures_of_ours_follow_the_dialects_policies(small: Tiny) -> None:
    small.write("judgments.qrels", JUDGMENTS.replace("-2", "0"))
    asked = ("evaluate", small.judgments, small.second, "-m", "I-rec@2")
    # ndeval averages over the topics that the run has
    assert values(done(*asked, "--dialect", "ndeval").stdout)["second", "all", "I-rec@2"] == 0.5
    found = values(done(*asked, "--dialect", "ndeval", "--average-over", "judged").stdout)
    assert found["second", "all", "I-rec@2"] == 0.25


@pytest.mark.parametrize(
    ("dialect", "told"),
    [
        ("ndevil", "did you mean ndeval"),
        ("ndeval(alfa=1)", "did you mean alpha"),
        ("ndeval(alpha=2)", "a number from 0 to 1"),
        ("ndeval", "refuses negative grades"),
    ],
)
def test_a_dialect_that_cannot_be_spoken_is_told(small: Tiny, dialect: str, told: str) -> None:
    result = run("evaluate", small.judgments, small.first, "--dialect", dialect)
    assert result.exit_code == 1
    assert told in result.stderr


def test_means_of_one_kind_have_labels_of_their_own(small: Tiny) -> None:
    one, two = small.write("one.txt", "1 3\n2 1\n"), small.write("two.txt", "1 1\n2 3\n")
    means = ["avg", "dd", "dd(xi_offset=1)", "geom", f"weights={one}", f"weights={two}"]
    text = evaluate(small, "-m", "I-rec@2", *(part for mean in means for part in ("--mean", mean)))
    found = {name[1]: value for name, value in values(text).items() if name[0] == "first"}
    assert list(found) == [
        "all",
        "all:dd",
        "all:dd(xi_offset=1)",
        "all:geom",
        f"all:weights={one}",
        f"all:weights={two}",
    ]
    assert found[f"all:weights={one}"] == pytest.approx((3 * 0.5 + 1) / 4)
    assert found[f"all:weights={two}"] == pytest.approx((0.5 + 3) / 4)


@pytest.mark.parametrize("options", [{}, {"per_topic": True}, {"per_intent": True}])
def test_json_of_python_and_of_the_command_is_one(options: dict[str, bool], small: Tiny) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PolysemeWarning)
        scores = polyseme.evaluate(
            small.judgments,
            [small.first, small.second],
            "ERR-IA@3 D-nDCG@3",
            mean=["avg", "geom"],
            per_intent=options.get("per_intent", False),
        )
    flags = [f"--{name.replace('_', '-')}" for name in options]
    said = done(
        *("evaluate", small.judgments, small.first, small.second, "-m", "ERR-IA@3 D-nDCG@3"),
        *("--mean", "avg", "--mean", "geom", "--format", "json", *flags),
    )
    assert json.loads(scores.to_json(**{"per_topic": False, **options})) == json.loads(said.stdout)


def test_scores_beyond_single_precision_are_no_warning_of_python(small: Tiny) -> None:
    large = small.write("large.run", "1 Q0 d1 1 1e300 t\n1 Q0 d2 2 1e299 t\n2 Q0 d4 1 1 t\n")
    result = done("evaluate", small.judgments, large, "--dialect", "trec_eval")
    assert "RuntimeWarning" not in result.stderr
