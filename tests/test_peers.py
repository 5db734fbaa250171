"""The same numbers as other people's programs, on random collections.

What is avoided, because the peers err there: equal scores under pyndeval (it orders ties by
document id ascending) and topics out of order (it wants them grouped).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import polyseme

pyndeval = pytest.importorskip("pyndeval")
pytrec_eval = pytest.importorskip("pytrec_eval")
ir_measures = pytest.importorskip("ir_measures")

pytestmark = pytest.mark.filterwarnings("ignore::polyseme.PolysemeWarning")

Judgments = dict[str, dict[str, dict[str, int]]]
Ranking = dict[str, dict[str, float]]


def collection(seed: int, *, highest: int = 3, ties: bool = False) -> tuple[Judgments, Ranking]:
    """Topics of one to nine intents; a run of 60 documents, most of them judged."""
    draw = np.random.default_rng(seed)
    documents = [f"doc-{n:03}" for n in range(120)]
    judgments: Judgments = {}
    ranking: Ranking = {}
    for topic in range(1, 9):
        judged = draw.choice(documents, 80, replace=False)
        intents = range(1, int(draw.integers(2, 11)))
        share = draw.uniform(0.02, 0.4)
        judgments[str(topic)] = {
            str(intent): {
                str(document): int(draw.integers(1, highest + 1) * (draw.uniform() < share))
                for document in judged
            }
            for intent in intents
        }
        retrieved = draw.choice(documents, 60, replace=False)
        scores = draw.permutation(60) / 7.0
        if ties:
            scores = np.floor(scores)
        ranking[str(topic)] = dict(
            zip(map(str, retrieved), np.sort(scores)[::-1].tolist(), strict=True)
        )
    return judgments, ranking


def lines(judgments: Judgments) -> Iterator[tuple[str, str, str, int]]:
    for topic, intents in judgments.items():
        for intent, graded in intents.items():
            for document, grade in graded.items():
                yield topic, intent, document, grade


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("alpha", "beta"), [(0.5, 0.5), (0.1, 0.8), (0.3, 0.2), (0.7, 0.5), (0.9, 0.9)]
)
def test_ndeval_through_pyndeval(seed: int, alpha: float, beta: float) -> None:
    judgments, ranking = collection(seed)
    scores = polyseme.evaluate(
        judgments,
        {"run": ranking},
        dialect=f"ndeval(alpha={alpha},beta={beta},traditional=true)",
    )
    told = pyndeval.ndeval(
        [pyndeval.SubtopicQrel(*line) for line in lines(judgments)],
        [
            pyndeval.ScoredDoc(topic, document, score)
            for topic, documents in ranking.items()
            for document, score in documents.items()
        ],
        alpha=alpha,
        beta=beta,
    )
    for index, topic in enumerate(scores.topics):
        if topic in told and any(any(g.values()) for g in judgments[topic].values()):
            theirs = [told[topic][name] for name in pyndeval.DEFAULT_MEASURES]
            assert scores.values[0, index] == pytest.approx(theirs, abs=1e-9), topic


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ties", [False, True])
def test_trec_eval_through_pytrec_eval(seed: int, *, ties: bool) -> None:
    judgments, ranking = collection(seed, ties=ties)
    flat = {topic: next(iter(intents.values())) for topic, intents in judgments.items()}
    scores = polyseme.evaluate(
        {topic: {"0": graded} for topic, graded in flat.items()},
        {"run": ranking},
        dialect="trec_eval",
    )
    names = {"recip_rank", "P_5,10", "ndcg_cut_5,10", "map", "num_rel_ret"}
    asked = {name.replace("_5,10", ".5,10") for name in names}
    told = pytrec_eval.RelevanceEvaluator(flat, asked).evaluate(ranking)
    columns = ["recip_rank", "P_5", "P_10", "ndcg_cut_5", "ndcg_cut_10", "map", "num_rel_ret"]
    for index, topic in enumerate(scores.topics):
        theirs = [told[topic][name] for name in columns]
        assert scores.values[0, index] == pytest.approx(theirs, abs=1e-9), topic


@pytest.mark.parametrize("seed", range(3))
def test_ir_measures_with_one_alpha_a_call(seed: int) -> None:
    judgments, ranking = collection(seed)
    qrels = [
        ir_measures.Qrel(query_id=t, doc_id=d, relevance=g, iteration=i)
        for t, i, d, g in lines(judgments)
    ]
    run = [
        ir_measures.ScoredDoc(topic, document, score)
        for topic, documents in ranking.items()
        for document, score in documents.items()
    ]
    for alpha in (0.5, 0.2):
        theirs = ir_measures.parse_measure(f"alpha_nDCG(alpha={alpha})@20")
        scores = polyseme.evaluate(
            judgments, {"run": ranking}, f"ndeval:alpha-nDCG(alpha={alpha})@20"
        )
        told = {m.query_id: m.value for m in ir_measures.iter_calc([theirs], qrels, run)}
        for index, topic in enumerate(scores.topics):
            if scores.entered[0, index]:
                assert scores.values[0, index, 0] == pytest.approx(told[topic], abs=1e-9)
