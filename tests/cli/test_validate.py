"""``polyseme validate``: every problem, what each file holds, and whether files fit together."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from commands import FIRST, JUDGMENTS, Tiny, done, records, run


def found(*arguments: str) -> list[dict[str, str]]:
    """What validation finds, as rows."""
    return records(run("validate", *arguments, "--format", "csv").stdout)


def remarks(*arguments: str) -> list[str]:
    return [row["message"] for row in found(*arguments) if row["severity"] == "remark"]


def problems(*arguments: str) -> list[str]:
    return [row["message"] for row in found(*arguments) if row["severity"] == "problem"]


def test_sound_files_are_counted_and_pass(small: Tiny) -> None:
    result = done("validate", small.judgments, small.probabilities, small.first)
    assert result.stdout.splitlines() == [
        f"{small.judgments}: judgments (trec): 2 topics, 3 intents, 5 documents, 7 judgments, "
        "3 relevant; grades -2: 2, 0: 2, 1: 2, 2: 1; no problems",
        f"{small.probabilities}: probabilities (trec): 2 topics, 3 intents; no problems",
        f"{small.first}: run (trec): 1 run, 2 topics, 5 documents; no problems",
    ]


def test_every_problem_is_told_with_its_place_text_and_remedy(small: Tiny) -> None:
    bad = small.write("bad.qrels", "1 A d1 x\n1 A d2 1\n1 A d2 0\n1 A\n")
    result = run("validate", bad)
    assert result.exit_code == 1
    assert result.stdout.startswith(
        f"{bad}:1: the grade is 'x'\n"
        "  the text: '1 A d1 x'\n"
        "  expected: a grade that is a whole number from -1,000,000 to 1,000,000\n"
        "  to mend it: mend the grade\n"
        f"{bad}:3: document d2 has two grades"
    )
    assert f"{bad}:4: 2 columns where 4 are expected" in result.stdout
    assert result.stdout.endswith("grades 1: 1; 3 problems; 1 remark\n")


def test_the_limit_bounds_what_is_listed_and_not_what_is_counted(small: Tiny) -> None:
    bad = small.write("bad.qrels", "1 A d1 x\n" * 50)
    said = run("validate", bad, "--limit", "3").stdout
    assert said.count("the grade is 'x'") == 3
    assert f"{bad}: and 47 more problems (--limit shows more)\n" in said
    assert "; 50 problems" in said
    assert run("validate", bad, "--limit", "0").exit_code == 1


def test_remarks_are_no_problems(small: Tiny) -> None:
    odd = small.write("odd.qrels", "1 A d1 1\n1 A d1 1\n")
    result = done("validate", odd)
    assert f"{odd}: remark: 1 judgments stand twice" in result.stdout
    assert "remark: no judgment says that a document is not relevant" in result.stdout
    assert "no problems; 2 remarks" in result.stdout


def test_intent_0_is_counted_only_where_something_is_relevant_to_it(small: Tiny) -> None:
    nothing = small.write("nothing.ntcir", "1 0 d1 L0\n1 1 d2 L1\n1 2 d2 L0\n")
    assert ": 1 topic, 2 intents, 2 documents" in done("validate", nothing).stdout
    something = small.write("something.ntcir", "1 0 d1 L2\n1 1 d2 L1\n1 2 d2 L0\n")
    assert ": 1 topic, 3 intents, 2 documents" in done("validate", something).stdout


def test_rows_and_facts_are_for_programs(small: Tiny) -> None:
    bad = small.write("bad.qrels", JUDGMENTS + "2 A d6 x\n")
    assert found(bad) == [
        {
            "file": bad,
            "line": "8",
            "severity": "problem",
            "message": "the grade is 'x'",
            "text": "2 A d6 x",
            "expected": "a grade that is a whole number from -1,000,000 to 1,000,000",
            "remedy": "mend the grade",
        }
    ]
    result = run("validate", bad, small.first, "--format", "json")
    assert result.exit_code == 1
    held = json.loads(result.stdout)
    assert held["rows"][0]["line"] == 8
    assert [each["sound"] for each in held["files"]] == [False, True]
    assert held["files"][0]["grades"] == {"-2": 2, "0": 2, "1": 2, "2": 1}
    assert held["files"][1]["counts"] == {"runs": 1, "topics": 2, "documents": 5}


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "jsonl", "parquet"])
def test_other_formats_hold_the_problems_too(small: Tiny, form: str) -> None:
    bad = small.write("bad.qrels", JUDGMENTS + "2 A d6 x\n")
    out = small.folder / "out"
    assert run("validate", bad, "--format", form, "-o", str(out)).exit_code == 1
    assert b"the grade is" in out.read_bytes()


def test_the_kind_and_the_format_can_be_said(small: Tiny) -> None:
    assert problems(small.judgments, "--kind", "run")[0].startswith("this looks like TREC")
    assert problems(small.judgments, "--input-format", "ntcir")[0] == "the grade is '2'"
    assert (
        problems(small.judgments, "--kind", "run", "--input-format", "trec")
        == ["4 columns where 6 are expected"] * 7
    )
    assert run("validate", small.judgments, "--kind", "nothing").exit_code == 2


def test_standard_input_can_be_validated_once(small: Tiny) -> None:
    assert "standard input: run (trec)" in done("validate", "-", stdin=FIRST).stdout
    assert run("validate", "-", "-").exit_code == 2


def test_a_folder_and_a_missing_file_do_not_stop_the_others(small: Tiny) -> None:
    result = run("validate", str(small.folder), "nowhere", small.first)
    assert result.exit_code == 1
    assert "this is a folder" in result.stdout
    assert "there is no such file" in result.stdout
    assert f"{small.first}: run (trec)" in result.stdout


# ---- files that belong together -----------------------------------------------------------------


def test_topics_of_a_run_are_held_against_the_judgments(small: Tiny) -> None:
    assert remarks(small.judgments, small.second) == [
        "1 of 2 topics are not judged (7)",
        "1 of 2 judged topics are missing (2); they score as empty lists",
    ]
    assert remarks(small.second) == []


def test_a_run_without_a_judged_topic_is_a_problem(small: Tiny) -> None:
    other = small.write("other.run", "wt1 Q0 d1 1 2.0 t\nwt2 Q0 d1 1 2.0 t\n")
    assert problems(small.judgments, other) == ["none of the 2 topics is judged (its first: 'wt1')"]
    assert problems(other) == []


def test_each_run_of_a_table_is_held_against_the_judgments(small: Tiny) -> None:
    both = small.write("both.csv", "run,topic,doc,score\na,1,d1,1\na,2,d4,1\nb,8,d1,1\nb,9,d1,1\n")
    assert problems(small.judgments, both) == [
        "none of the 2 topics of the run 'b' is judged (its first: '8')"
    ]


def test_probabilities_are_held_against_the_judgments(small: Tiny) -> None:
    given = small.write("given.txt", "1 A .5\n1 Z .5\n9 A 1\n")
    assert remarks(small.judgments, given) == [
        "1 of 3 topics are not judged (9)".replace("3", "2"),
        "1 of 2 judged topics have no probabilities (2); uniform ones are used there",
        "1 intents with relevant documents have no probability "
        "(the first: intent B of topic 1); they count 0",
        "1 intents with a probability have no relevant document "
        "(the first: intent Z of topic 1); they are dropped and the others' probabilities scaled "
        "up, unless --keep-empty-intents is said",
    ]
    other = small.write("other.txt", "8 A 1\n9 A 1\n")
    assert problems(small.judgments, other) == ["none of the 2 topics is judged (its first: '8')"]


def test_topics_are_held_against_the_judgments(small: Tiny) -> None:
    topics = small.write("topics.xml", "<t><topic number='9'><query>x</query></topic></t>")
    assert problems(small.judgments, topics) == ["none of the 1 topics is judged (its first: '9')"]


def test_judgments_given_together_are_one_collection(small: Tiny) -> None:
    more = small.write("more.qrels", "7 A d1 1\n7 A d2 0\n")
    assert remarks(small.judgments, more, small.second) == [
        "1 of 3 judged topics are missing (2); they score as empty lists"
    ]


def test_the_order_of_the_files_does_not_matter(small: Tiny) -> None:
    def told(files: Sequence[str]) -> set[str]:
        return {str(row) for row in found(*files)}

    files = [small.second, small.judgments, small.probabilities]
    assert told(files) == told(files[::-1])


def test_a_sound_collection_is_one_that_evaluates(demo: Path) -> None:
    runs = sorted(map(str, (demo / "runs").iterdir()))
    names = ("judgments.qrels", "probabilities.txt", "topics.xml")
    done("validate", *(str(demo / name) for name in names), *runs)
    done("evaluate", str(demo / names[0]), *runs, "--probabilities", str(demo / names[1]))
