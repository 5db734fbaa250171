"""``polyseme condense``: a measure of the condensed run is the primed measure of the run."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import Tiny, done, run, values
from polyseme import evaluate, read_qrels, read_runs
from polyseme.collection.condensing import condense
from polyseme.collection.formats.writing import write_runs
from polyseme.collection.runs import Ordering, Run
from polyseme.errors import PolysemeWarning

NAMES = "I-rec@5 D-nDCG@10 D#-nDCG@10 ERR-IA@20 alpha-nDCG@10 RBU@10 P@3 AP Q RBP-IA EBR-IA"


def primed(names: str) -> str:
    return " ".join(
        name.partition("@")[0] + "'" + "".join(name.partition("@")[1:]) for name in names.split()
    )


def scores(judgments: str, runs: Sequence[str], names: str, *more: str) -> dict[Any, float]:
    text = done("evaluate", judgments, *runs, "-m", names, "--per-topic", *more).stdout
    return {
        (run, topic, measure.replace("'", "")): value
        for (run, topic, measure), value in values(text).items()
    }


def test_only_judged_documents_are_left_with_new_ranks_and_their_own_scores(small: Tiny) -> None:
    out = small.folder / "condensed"
    result = done("condense", small.judgments, small.first, small.second, "-o", str(out))
    assert sorted(path.name for path in out.iterdir()) == ["first.run", "second.run"]
    assert (out / "first.run").read_text().splitlines() == [
        "1 Q0 d1 1 3.0 first",
        "1 Q0 d2 2 1.0 first",
        "2 Q0 d5 1 2.0 first",
        "2 Q0 d4 2 1.0 first",
    ]
    assert (out / "second.run").read_text() == "1 Q0 d3 1 9.5 second\n1 Q0 d2 2 9.0 second\n"
    assert "second: 1 topics are not judged and left out" in result.stderr
    assert result.stdout == f"{out}: 2 runs, 6 of 7 documents retrieved for judged topics\n"


@pytest.mark.parametrize("order", ["score", "rank", "file"])
def test_a_measure_of_the_condensed_run_is_the_primed_measure_of_the_run(
    demo: Path, tmp_path: Path, order: str
) -> None:
    judgments = str(demo / "judgments.qrels")
    runs = sorted(map(str, (demo / "runs").iterdir()))
    out = tmp_path / "condensed"
    done("condense", judgments, *runs, "-o", str(out), "--order", order)
    expected = scores(judgments, runs, primed(NAMES), "--order", order)
    files = sorted(map(str, out.iterdir()))
    # whatever a program sorts by, it gets the same list
    for read in ("score", "rank", "file"):
        assert scores(judgments, files, NAMES, "--order", read) == pytest.approx(expected)
    assert len(expected) == 6 * 9 * len(NAMES.split())


def test_ties_and_scores_against_the_ranks_are_made_to_descend(small: Tiny) -> None:
    text = "1 Q0 d1 1 1.0 t\n1 Q0 d9 2 1.0 t\n1 Q0 d2 3 1.0 t\n1 Q0 d3 4 7.0 t\n"
    tied = small.write("tied.run", text + "2 Q0 d4 1 1e-60 t\n2 Q0 d5 2 1e-70 t\n")
    out = small.folder / "condensed"
    result = done("condense", small.judgments, tied, "-o", str(out), "--order", "rank")
    assert (out / "tied.run").read_text().splitlines() == [
        "1 Q0 d1 1 3.0 tied",
        "1 Q0 d2 2 2.0 tied",
        "1 Q0 d3 3 1.0 tied",
        # no single-precision number tells these apart
        "2 Q0 d4 1 2.0 tied",
        "2 Q0 d5 2 1.0 tied",
    ]
    assert "2 of 2 lists have new scores" in result.stdout
    assert "a lower-ranked document has a strictly higher score" in result.stderr


def test_a_document_retrieved_twice_is_an_error_or_counts_once(small: Tiny) -> None:
    twice = small.write("twice.run", "1 Q0 d1 1 4 t\n1 Q0 d2 2 3 t\n1 Q0 d1 3 2 t\n2 Q0 d4 1 1 t\n")
    out = small.folder / "condensed"
    refused = run("condense", small.judgments, twice, "-o", str(out))
    assert refused.exit_code == 1
    assert "retrieved twice for topic 1, on lines 1 and 3" in refused.stderr
    for rule in ("first", "nonrelevant"):
        done(
            *("condense", small.judgments, twice, "-o", str(out), "--force"),
            *("--duplicates", rule),
        )
        assert [line.split()[2] for line in (out / "twice.run").read_text().splitlines()] == [
            "d1", "d2", "d4",
        ]  # fmt: skip
        expected = scores(small.judgments, [twice], primed(NAMES), "--duplicates", rule)
        assert scores(small.judgments, [str(out / "twice.run")], NAMES) == expected


def test_the_depth_counts_condensed_documents(small: Tiny) -> None:
    out = small.folder / "condensed"
    done("condense", small.judgments, small.first, "-o", str(out), "--depth", "1")
    assert [line.split()[2] for line in (out / "first.run").read_text().splitlines()] == [
        "d1", "d5",
    ]  # fmt: skip


def test_runs_with_iterations_keep_them(small: Tiny) -> None:
    dynamic = small.write(
        "dynamic.txt", "1 0 d9 9 0\n1 0 d1 8 0\n1 1 d8 7 0\n1 2 d1 6 0\n1 2 d2 6 0\n2 0 d4 1 0\n"
    )
    out = small.folder / "condensed"
    done("condense", small.judgments, dynamic, "-o", str(out))
    assert (out / "dynamic.run").read_text().splitlines() == [
        "1\t0\td1\t8.0\t0".replace("8.0", "2.0"),
        "1\t2\td2\t1.0\t0",
        "2\t0\td4\t1.0\t0",
    ]
    names = "CT(H=2)@3 ACT(H=2)@3".replace("(H=2)", "")
    expected = scores(small.judgments, [dynamic], primed(names))
    assert scores(small.judgments, [str(out / "dynamic.run")], names) == pytest.approx(expected)


def test_topics_without_a_judged_document_are_told(small: Tiny) -> None:
    odd = small.write("odd.run", "1 Q0 x 1 1 t\n2 Q0 d4 1 1 t\n")
    result = done("condense", small.judgments, odd, "-o", str(small.folder / "out"))
    assert "odd: 1 topics (the first: 1) hold no judged document" in result.stderr
    none = small.write("none.run", "1 Q0 x 1 1 t\n2 Q0 y 1 1 t\n")
    refused = run("condense", small.judgments, none, "-o", str(small.folder / "none"))
    assert refused.exit_code == 1
    assert "the run 'none' holds no judged document" in refused.stderr
    assert not (small.folder / "none").exists()


def test_files_are_not_overwritten_unless_it_is_said(small: Tiny) -> None:
    arguments = ("condense", small.judgments, small.first, "-o", str(small.folder))
    refused = run(*arguments)
    assert refused.exit_code == 1
    assert f"{small.first}: the file is there already" in refused.stderr
    assert "d9" in Path(small.first).read_text()
    done(*arguments, "--force")
    assert "d9" not in Path(small.first).read_text()


def test_a_name_with_a_slash_is_no_file(small: Tiny) -> None:
    table = small.write("runs.csv", "run,topic,doc,rank\n../x,1,d1,1\n")
    refused = run("condense", small.judgments, table, "-o", str(small.folder / "out"))
    assert refused.exit_code == 1
    assert "which cannot be a file's name" in refused.stderr


def test_quiet_is_silent(small: Tiny) -> None:
    out = str(small.folder / "out")
    result = done("condense", small.judgments, small.second, "-o", out, "--quiet")
    assert result.output == ""


# ---- what other programs make of it -------------------------------------------------------------

documents = st.sampled_from([f"d{n}" for n in range(9)])
judged = st.dictionaries(
    st.sampled_from(["1", "2"]),
    st.dictionaries(
        st.sampled_from(["1", "2", "3"]),
        st.dictionaries(documents, st.integers(0, 1), min_size=1),
        min_size=1,
    ),
    min_size=1,
).filter(lambda held: any(g for i in held.values() for d in i.values() for g in d.values()))
ranked = st.dictionaries(
    st.sampled_from(["1", "2"]),
    st.dictionaries(documents, st.sampled_from([0.1, 0.5, 1.0, 1.0 + 1e-9, -2.0]), min_size=1),
    min_size=1,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("condensed")


@pytest.mark.parametrize("order", ["score", "rank", "file"])
@settings(max_examples=30)
@given(judgments=judged, lists=ranked)
def test_every_program_scores_condensed_runs_alike(
    order: Any, judgments: dict[str, Any], lists: dict[str, dict[str, float]], folder: Path
) -> None:
    pyndeval = pytest.importorskip("pyndeval")
    pytrec_eval = pytest.importorskip("pytrec_eval")
    collection = read_qrels(judgments)
    (system,) = read_runs({"run": lists})
    known = {topic: {d for i in held.values() for d in i} for topic, held in judgments.items()}
    if not any(document in known.get(topic, ()) for topic in lists for document in lists[topic]):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PolysemeWarning)
        made = condense(system, collection, Ordering(order))
    path = folder / "run"
    write_runs([Run("run", lambda: made.lists)], path, format="trec")
    lines = [line.split() for line in path.read_text().splitlines()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PolysemeWarning)
        ours = evaluate(
            collection,
            [system],
            "ndeval:ERR-IA'@5 ndeval:alpha-nDCG'@5 P'@3 RR'",
            order=order,
            average_over="retrieved",
            adhoc="max",
        ).to_dict()["run"]
    by_intent = [
        pyndeval.SubtopicQrel(topic, intent, document, grade)
        for topic, held in judgments.items()
        for intent, grades in held.items()
        for document, grade in grades.items()
    ]
    scored = [pyndeval.ScoredDoc(line[0], line[2], float(line[4])) for line in lines]
    theirs = pyndeval.ndeval(by_intent, scored, measures=["ERR-IA@5", "alpha-nDCG@5"])
    adhoc: dict[str, dict[str, int]] = {}
    for topic, held in judgments.items():
        for grades in held.values():
            for document, grade in grades.items():
                old = adhoc.setdefault(topic, {}).get(document, 0)
                adhoc[topic][document] = max(old, grade)
    given_run: dict[str, dict[str, float]] = {}
    for line in lines:
        given_run.setdefault(line[0], {})[line[2]] = float(line[4])
    plain = pytrec_eval.RelevanceEvaluator(adhoc, {"P.3", "recip_rank"}).evaluate(given_run)
    for topic in given_run:
        if not any(adhoc[topic].values()):
            continue
        for name in ("ERR-IA", "alpha-nDCG"):
            mine = ours[f"ndeval:{name}'@5"][topic]
            assert mine == pytest.approx(theirs[topic][f"{name}@5"], abs=1e-6)
        assert ours["P'@3"][topic] == pytest.approx(plain[topic]["P_3"])
        assert ours["RR'"][topic] == pytest.approx(plain[topic]["recip_rank"])
