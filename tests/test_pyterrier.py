"""polyseme's measures in PyTerrier's experiments, on an index that is built here."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import polyseme

pytest.importorskip("ir_measures")
pt = pytest.importorskip("pyterrier")
pisa = pytest.importorskip("pyterrier_pisa")

import ir_measures  # noqa: E402

import polyseme.ir_measures as ours  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    # what these packages warn of among themselves
    pytest.mark.filterwarnings("ignore"),
]

TEXTS = {
    "d1": "zeppelin band rock music album",
    "d2": "zeppelin airship flight history",
    "d3": "band music concert tickets",
    "d4": "zeppelin band airship museum",
    "d5": "rock formation geology",
    "d6": "history of the airship zeppelin hangar",
}
TOPICS = pd.DataFrame({"qid": ["1", "2", "3"], "query": ["zeppelin", "rock music", "geology"]})
QRELS = pd.DataFrame(
    [
        ("1", "d1", 2, "band"),
        ("1", "d4", 1, "band"),
        ("1", "d2", 1, "airship"),
        ("1", "d6", 2, "airship"),
        ("2", "d1", 1, "music"),
        ("2", "d3", 1, "music"),
        ("2", "d5", 1, "stones"),
        ("3", "d5", 0, "stones"),
    ],
    columns=["qid", "docno", "label", "iteration"],
)
#: without the topic that has nothing relevant: PyTerrier's means are over all topics of the qrels
SOME = QRELS[QRELS["qid"] != "3"]
#: the highest grade is said, since a batch of topics need not have it
MEASURES = [
    ours.D_sharp_nDCG @ 3,
    ours.RBU(gmax=2) @ 3,
    ours.polyseme_ERR_IA(judged_only=True, gmax=2) @ 3,
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Any:
    made = pisa.PisaIndex(str(tmp_path_factory.mktemp("pisa") / "index"), text_field="text")
    made.index([{"docno": name, "text": text} for name, text in TEXTS.items()])
    return made


def test_topics_without_anything_relevant_are_told(index: Any) -> None:
    with pytest.warns(polyseme.PolysemeWarning, match="1 of 3 judged topics have nothing relevant"):
        pt.Experiment([index.bm25()], TOPICS, QRELS, [ours.RBU @ 3], names=["bm25"])


def expected(system: Any) -> polyseme.Scores:
    return polyseme.evaluate(
        QRELS, {"run": system(TOPICS)[["qid", "docno", "score"]]}, [m.measure for m in MEASURES]
    )


@pytest.mark.parametrize("options", [{}, {"batch_size": 1}], ids=["whole", "in batches"])
def test_an_experiment_gives_what_evaluate_gives(index: Any, options: dict[str, int]) -> None:
    systems = {"bm25": index.bm25(), "qld": index.qld()}
    table = pt.Experiment(
        list(systems.values()),
        TOPICS,
        SOME,
        [*MEASURES, ir_measures.nDCG @ 3],
        names=list(systems),
        **options,
    ).set_index("name")
    for name, system in systems.items():
        means = expected(system).mean()["run"]
        for measure in MEASURES:
            assert table.loc[name, str(measure)] == pytest.approx(means[str(measure.measure)])


def test_an_experiment_gives_every_topics_values(index: Any) -> None:
    table = pt.Experiment([index.bm25()], TOPICS, QRELS, MEASURES, names=["bm25"], perquery=True)
    told = expected(index.bm25()).to_dict()["run"]
    for measure in MEASURES:
        rows = table[table["measure"] == str(measure)].dropna()
        values = dict(zip(rows["qid"], rows["value"], strict=True))
        assert values == pytest.approx(told[str(measure.measure)])


def test_an_experiment_reads_names_of_measures(index: Any) -> None:
    measure = ir_measures.parse_measure("D_sharp_nDCG(gamma=0.3)@3")
    table = pt.Experiment([index.bm25()], TOPICS, SOME, [measure], names=["bm25"])
    assert 0 < table["D_sharp_nDCG(gamma=0.3)@3"][0] < 1
