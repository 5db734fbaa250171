"""polyseme's measures inside ir_measures, and the official ones through polyseme."""

from __future__ import annotations

import csv
import io
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import polyseme
from polyseme.measures.measure import Family

ir_measures = pytest.importorskip("ir_measures")
pyndeval = pytest.importorskip("pyndeval")

import polyseme.ir_measures as ours  # noqa: E402 - where there is no ir_measures, nor is this
from polyseme.ir_measures.measures import ALL  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::polyseme.PolysemeWarning", "ignore:ast")

THROUGH_US = ir_measures.providers.registry["polyseme"]
Judgments = dict[str, dict[str, dict[str, int]]]


def collection(seed: int, *, unjudged: int = 20) -> tuple[Judgments, list[Any]]:
    """Topics with intents and spam, one of them with nothing relevant; a run without ties."""
    draw = np.random.default_rng(seed)
    documents = [f"doc-{n:03}" for n in range(80 + unjudged)]
    judgments: Judgments = {}
    found = []
    for topic in ("1", "2", "3", "4", "none"):
        judgments[topic] = {
            str(intent): {
                document: 0 if topic == "none" else int(draw.choice([-2, 0, 0, 1, 2, 3]))
                for document in draw.choice(documents[:80], 50, replace=False).tolist()
            }
            for intent in range(1, int(draw.integers(2, 6)))
        }
        for place, document in enumerate(draw.permutation(documents)[:60].tolist()):
            found.append(ir_measures.ScoredDoc(topic, document, 100.0 - place))
    return judgments, found


def qrels_of(judgments: Judgments) -> list[Any]:
    return [
        ir_measures.Qrel(topic, document, grade, intent)
        for topic, intents in judgments.items()
        for intent, graded in intents.items()
        for document, grade in graded.items()
    ]


def binary(qrels: list[Any], bar: int = 1) -> list[Any]:
    return [each._replace(relevance=int(each.relevance >= bar)) for each in qrels]


def lists_of(found: list[Any]) -> dict[str, dict[str, float]]:
    lists: dict[str, dict[str, float]] = {}
    for each in found:
        lists.setdefault(each.query_id, {})[each.doc_id] = each.score
    return lists


# --- names ----------------------------------------------------------------------------------------


def simplest(family: Family) -> Any:
    measure = ALL[family.name]
    return measure @ 10 if family.cutoff == "required" else measure


@pytest.mark.parametrize("family", list(polyseme.CATALOGUE), ids=lambda family: family.name)
def test_every_measure_has_a_name_that_ir_measures_reads(family: Family) -> None:
    measure = simplest(family)
    assert str(measure).partition("@")[0].isidentifier()
    read = ir_measures.parse_measure(str(measure))
    assert read == measure
    assert read.measure == measure.measure
    assert pickle.loads(pickle.dumps(measure)) == measure


def test_no_two_measures_share_a_name() -> None:
    names = [each.__name__ for each in ALL.values()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("theirs", "name"),
    [
        ("D_sharp_nDCG(gamma=0.3)@10", "D#-nDCG(gamma=0.3)@10"),
        ("RBU@10", "RBU@10"),
        ("RBU(p=0.85)@10", "RBU(p=0.85)@10"),
        ("alpha_sharp_nDCG_IA(average='geom')@20", "alpha#-nDCG-IA(average=geom)@20"),
        ("alpha_sharp_nERR_IA(lambda_=0.2)@20", "alpha#-nERR-IA(lambda=0.2)@20"),
        ("polyseme_ERR_IA@10", "ERR-IA@10"),
        ("D_sharp_nDCG(judged_only=True)@20", "D#-nDCG'@20"),
        ("RBP_IA(p=0.85, discounted=True, delta=0.8)@20", "RBP-IA''(p=0.85,delta=0.8)@20"),
        ("D_nDCG(gain='exponential', gmax='topic')@5", "D-nDCG(gain=exponential,gmax=topic)@5"),
        ("P_plus_Q_sharp@10", "P+Q#@10"),
        ("ndeval_strec@20", "ndeval:strec@20"),
        ("ntcireval_NCUrb_P_IA@10", "ntcireval:NCUrb,P-IA@10"),
    ],
)
def test_names_stand_for_the_catalogues(theirs: str, name: str) -> None:
    assert ir_measures.parse_measure(theirs).measure == polyseme.parse(name)


def test_measures_are_attributes_and_equal_however_they_are_said() -> None:
    said = ours.alpha_sharp_nDCG_IA(alpha=0.1, lambda_=0.2) @ 5
    assert said == ir_measures.parse_measure("alpha_sharp_nDCG_IA(lambda_=0.2, alpha=0.1)@5")
    with pytest.raises(AttributeError, match="no measure 'D_flat'"):
        _ = ours.D_flat


@pytest.mark.parametrize(
    ("measure", "problem"),
    [
        ("D_sharp_nDCG(gama=0.3)@10", "did you mean gamma"),
        ("D_sharp_nDCG(gamma=2)@10", "a number from 0 to 1"),
        ("D_sharp_nDCG@0", "1 or more"),
        ("polyseme_P", "needs a cutoff"),
        ("D_sharp_nDCG(cutoff='x')", "whole number"),
        ("D_sharp_nDCG(judged_only='yes')", "True or False"),
    ],
)
def test_what_a_measure_does_not_know_is_told_in_its_words(measure: str, problem: str) -> None:
    judgments, found = collection(1)
    with pytest.raises(polyseme.MeasureError, match=problem):
        ir_measures.calc_aggregate([ir_measures.parse_measure(measure)], qrels_of(judgments), found)


# --- our measures ---------------------------------------------------------------------------------

OURS = [
    ours.D_sharp_nDCG @ 10,
    ours.D_sharp_nDCG(judged_only=True) @ 10,
    ours.RBU @ 20,
    ours.polyseme_ERR_IA @ 10,
    ours.alpha_sharp_nDCG_IA(average="geom") @ 20,
    ours.ndeval_alpha_nDCG(alpha=0.25) @ 30,
]


def in_any_form(judgments: Judgments, found: list[Any]) -> Iterator[tuple[Any, Any]]:
    qrels = qrels_of(judgments)
    yield qrels, found
    yield iter(qrels), iter(found)
    yield pd.DataFrame(qrels), pd.DataFrame(found).assign(rank=0, tag="x")
    yield qrels, lists_of(found)
    # topics one after another, then document by document: interleaved
    yield qrels[::-1], sorted(found, key=lambda each: each.doc_id)


@pytest.mark.parametrize("form", range(5))
def test_the_same_numbers_as_evaluate(form: int) -> None:
    judgments, found = collection(form)
    expected = polyseme.evaluate(
        judgments, {"run": lists_of(found)}, [each.measure for each in OURS]
    )
    qrels, run = list(in_any_form(judgments, found))[form]
    means, values = ir_measures.calc(OURS, qrels, run)
    for measure in OURS:
        name = str(measure.measure)
        assert means[measure] == pytest.approx(expected.mean()["run"][name], abs=1e-12)
        told = {each.query_id: each.value for each in values if each.measure == measure}
        assert np.isnan(told.pop("none"))
        assert told == pytest.approx(expected.to_dict()["run"][name], abs=1e-12)


def test_a_topic_that_the_run_lacks_counts_and_one_with_nothing_relevant_does_not() -> None:
    judgments = {"1": {"a": {"d": 1}}, "2": {"a": {"d": 1}}, "3": {"a": {"d": 0}}}
    found = [ir_measures.ScoredDoc("1", "d", 1.0)]
    measures = [ours.I_rec @ 5, ir_measures.nDCG @ 5]
    means = ir_measures.calc_aggregate(measures, qrels_of(judgments), found)
    assert means[measures[0]] == pytest.approx(1 / 2)
    # beside others' measures, which count all topics, the mean stays what it is
    assert means[measures[1]] == pytest.approx(1 / 3)


def test_a_run_of_topics_that_nobody_judged_is_an_empty_one() -> None:
    measures = [ours.I_rec @ 5, ir_measures.alpha_nDCG @ 5]
    qrels = [ir_measures.Qrel("1", "d", 1, "a")]
    for found in ([ir_measures.ScoredDoc("7", "d", 1.0)], []):
        assert set(THROUGH_US.calc_aggregate(measures, qrels, found).values()) == {0.0}


def test_judgments_with_nothing_relevant_have_no_mean_of_ours() -> None:
    measures = [ours.I_rec @ 5, ir_measures.alpha_nDCG @ 5]
    qrels = [ir_measures.Qrel("1", "d", 0, "a")]
    told = THROUGH_US.calc_aggregate(measures, qrels, [ir_measures.ScoredDoc("1", "d", 1.0)])
    assert np.isnan(told[measures[0]])
    assert told[measures[1]] == 0.0


@pytest.mark.parametrize("qrels", [[], {}, pd.DataFrame([], columns=["query_id", "doc_id"])])
def test_without_judgments_there_are_no_values(qrels: Any) -> None:
    found = [ir_measures.ScoredDoc("1", "d", 1.0)]
    assert list(THROUGH_US.iter_calc([ours.I_rec @ 5], qrels, found)) == []


def test_a_provider_takes_what_evaluate_takes() -> None:
    judgments, found = collection(3)
    policies: dict[str, Any] = {
        "probabilities": {t: {i: 1 / len(ii) for i in ii} for t, ii in judgments.items()},
        "gain": "exponential",
        "relevant_from": 2,
        "only_topics": ["1", "3"],
    }
    policies["probabilities"]["1"] = {"1": 1.0}
    expected = polyseme.evaluate(judgments, {"run": lists_of(found)}, "D-nDCG@10", **policies)
    measure = ours.D_nDCG @ 10
    told = ours.Provider(**policies).calc_aggregate([measure], qrels_of(judgments), found)
    assert told[measure] == pytest.approx(expected.mean()["run"]["D-nDCG@10"], abs=1e-12)


def test_one_evaluator_serves_many_runs() -> None:
    judgments, found = collection(4)
    worse = [each._replace(score=-each.score) for each in found]
    evaluator = ir_measures.evaluator(OURS, qrels_of(judgments))
    for run in (found, worse, found):
        expected = ir_measures.calc_aggregate(OURS, qrels_of(judgments), run)
        assert evaluator.calc_aggregate(run) == expected


def test_judgments_without_intents_have_one() -> None:
    graded = {"1": {"a": 2, "b": 1}}
    told = ir_measures.calc_aggregate([ours.D_nDCG @ 5], graded, {"1": {"b": 2.0, "a": 1.0}})
    expected = (1 + 2 / np.log2(3)) / (2 + 1 / np.log2(3))
    assert told[ours.D_nDCG @ 5] == pytest.approx(expected)


# --- the official ones ----------------------------------------------------------------------------


def by_pyndeval(
    qrels: list[Any], found: list[Any], name: str, *, alpha: float = 0.5, beta: float = 0.5
) -> dict[str, float]:
    told = pyndeval.ndeval(
        [pyndeval.SubtopicQrel(e.query_id, e.iteration, e.doc_id, e.relevance) for e in qrels],
        [pyndeval.ScoredDoc(*each) for each in found],
        measures=[name],
        alpha=alpha,
        beta=beta,
    )
    return {topic: values[name] for topic, values in told.items()}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("measure", "column", "parameters"),
    [
        (ir_measures.ERR_IA @ 20, "ERR-IA@20", {}),
        (ir_measures.nERR_IA @ 5, "nERR-IA@5", {}),
        (ir_measures.alpha_DCG(alpha=0.3) @ 10, "alpha-DCG@10", {"alpha": 0.3}),
        (ir_measures.alpha_nDCG @ 20, "alpha-nDCG@20", {}),
        (ir_measures.NRBP(beta=0.8), "NRBP", {"beta": 0.8}),
        (ir_measures.nNRBP(alpha=0.2), "nNRBP", {"alpha": 0.2}),
        (ir_measures.AP_IA, "MAP-IA", {}),
        (ir_measures.P_IA @ 10, "P-IA@10", {}),
        (ir_measures.StRecall @ 5, "strec@5", {}),
    ],
)
def test_official_measures_through_us_are_the_official_programs(
    seed: int, measure: Any, column: str, parameters: dict[str, float]
) -> None:
    judgments, found = collection(seed)
    qrels = binary(qrels_of(judgments))
    expected = by_pyndeval(qrels, found, column, **parameters)
    told = {e.query_id: e.value for e in THROUGH_US.iter_calc([measure], qrels, found)}
    assert set(told) == set(judgments)
    assert told.pop("none") == 0
    assert told == pytest.approx({topic: expected[topic] for topic in told}, abs=1e-9)


def test_two_alphas_in_one_call_are_both_right() -> None:
    judgments, found = collection(5)
    qrels = binary(qrels_of(judgments))
    for order in (1, -1):
        measures = [ir_measures.alpha_nDCG(alpha=alpha) @ 20 for alpha in (0.25, 0.75)][::order]
        told = list(THROUGH_US.iter_calc(measures, qrels, found))
        for measure in measures:
            expected = by_pyndeval(qrels, found, "alpha-nDCG@20", alpha=measure["alpha"])
            for each in told:
                if each.measure == measure and each.query_id != "none":
                    assert each.value == pytest.approx(expected[each.query_id], abs=1e-9)


def test_interleaved_runs_give_what_grouped_ones_do() -> None:
    judgments, found = collection(6)
    qrels, measures = qrels_of(judgments), [ir_measures.alpha_nDCG @ 20, ir_measures.AP_IA]
    mixed = sorted(found, key=lambda each: each.doc_id)
    assert THROUGH_US.calc_aggregate(measures, qrels, mixed) == THROUGH_US.calc_aggregate(
        measures, qrels, found
    )


def test_judged_only_leaves_the_unjudged_out() -> None:
    judgments, found = collection(7)
    qrels = binary(qrels_of(judgments))
    known = {(each.query_id, each.doc_id) for each in qrels}
    kept = [each for each in found if (each.query_id, each.doc_id) in known]
    assert len(kept) < len(found)
    expected = by_pyndeval(qrels, kept, "alpha-nDCG@10")
    measure = ir_measures.alpha_nDCG(judged_only=True) @ 10
    for each in THROUGH_US.iter_calc([measure], qrels, found):
        if each.query_id != "none":
            assert each.value == pytest.approx(expected[each.query_id], abs=1e-9)


def test_a_cutoff_may_be_over_20() -> None:
    judgments = {"1": {"a": {"d30": 1}, "b": {"d40": 1}}}
    found = [ir_measures.ScoredDoc("1", f"d{n}", -float(n)) for n in range(1, 51)]
    measure = ir_measures.StRecall @ 35
    assert THROUGH_US.calc_aggregate([measure], qrels_of(judgments), found)[measure] == 0.5
    measure = ir_measures.P_IA @ 50
    told = THROUGH_US.calc_aggregate([measure], qrels_of(judgments), found)[measure]
    assert told == pytest.approx(1 / 50)


def test_rel_lifts_the_bar() -> None:
    judgments, found = collection(8)
    qrels = qrels_of(judgments)
    measures = [ir_measures.alpha_nDCG(rel=rel) @ 20 for rel in (1, 2)]
    told = list(THROUGH_US.iter_calc(measures, qrels, found))
    for measure in measures:
        expected = by_pyndeval(binary(qrels, measure["rel"]), found, "alpha-nDCG@20")
        for each in told:
            if each.measure == measure and each.query_id != "none":
                assert each.value == pytest.approx(expected[each.query_id], abs=1e-9)


def test_ir_measures_keeps_its_own_route_unless_it_is_told_otherwise() -> None:
    pipeline = ir_measures.providers.FallbackProvider(list(ir_measures.DefaultPipeline.providers))
    measures = [ir_measures.alpha_nDCG(alpha=alpha) @ 20 for alpha in (0.25, 0.75)]
    judgments, found = collection(9)
    qrels = qrels_of(judgments)
    right = THROUGH_US.calc_aggregate(measures, qrels, found)
    ours.prefer(pipeline)
    ours.prefer(pipeline)
    assert sum(isinstance(each, ours.Provider) for each in pipeline.providers) == 2
    assert pipeline.calc_aggregate(measures, qrels, found) == right
    assert not any(
        each.supports(measures[0])
        for each in ir_measures.DefaultPipeline.providers
        if isinstance(each, ours.Provider)
    )


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    judgments, found = collection(10)
    qrels, run = tmp_path / "qrels.txt", tmp_path / "mine.run"
    qrels.write_text(
        "".join(
            f"{q.query_id} {q.iteration} {q.doc_id} {q.relevance}\n" for q in qrels_of(judgments)
        )
    )
    run.write_text("".join(f"{d.query_id} Q0 {d.doc_id} 0 {d.score} x\n" for d in found))
    return qrels, run


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "polyseme.ir_measures", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_prints_what_evaluate_prints(files: tuple[Path, Path]) -> None:
    done = command(*files, "-p", "10", "D_sharp_nDCG@10 RBU@10", "polyseme_ERR_IA@20")
    assert done.returncode == 0, done.stderr
    told = {name: float(value) for name, value in (x.split("\t") for x in done.stdout.splitlines())}
    evaluated = subprocess.run(
        [
            sys.executable,
            "-m",
            "polyseme",
            "evaluate",
            *map(str, files),
            "-m",
            "D#-nDCG@10 RBU@10 ERR-IA@20",
            "--format",
            "csv",
            "--quiet",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = csv.DictReader(io.StringIO(evaluated.stdout))
    expected = {row["measure"]: float(row["value"]) for row in rows}
    assert list(told) == ["D_sharp_nDCG@10", "RBU@10", "polyseme_ERR_IA@20"]
    assert list(told.values()) == pytest.approx(list(expected.values()), abs=1e-9)


def test_the_command_takes_the_options_of_the_other(files: tuple[Path, Path]) -> None:
    wanted = "alpha_nDCG(alpha=0.25)@20 alpha_nDCG(alpha=0.75)@20"
    done = command(*files, "-q", "--provider", "polyseme", "-o", "jsonl", wanted)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('"query_id": "all"') == 2


@pytest.mark.parametrize(
    ("measure", "told"),
    [
        ("D_sharp_nDCG(gamma=2)@10", "a number from 0 to 1"),
        ("D_flat@10", "unknown measure: D_flat"),
    ],
)
def test_the_command_tells_what_is_wrong(files: tuple[Path, Path], measure: str, told: str) -> None:
    done = command(*files, measure)
    assert done.returncode != 0
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_the_extra_is_named_where_ir_measures_is_not_there() -> None:
    code = "import sys; sys.modules['ir_measures'] = None; import polyseme.ir_measures"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "polyseme[ir]" in done.stderr
