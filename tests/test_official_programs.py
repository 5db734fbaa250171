"""Everything that the official programs printed on real data, to their last digit."""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import polyseme
from polyseme.collection.runs import Ordering

pytestmark = pytest.mark.filterwarnings("ignore::polyseme.PolysemeWarning")

YEARS = ("2009", "2010", "2011", "2012")
OPTIONS = {
    "default": [],
    "traditional": ["traditional=true"],
    "c": ["all_topics=true"],
    "ctraditional": ["all_topics=true", "traditional=true"],
    "M10": ["max_documents=10"],
}
NDEVAL = [
    *(("gdesa", "dvgan", "0.5", variant) for variant in ("default", "traditional")),
    *(("gdesa", "result_desa", "0.5", variant) for variant in ("M10", "c", "default")),
    ("gdesa", "result_desa", "0.5", "traditional"),
    ("gdesa", "result_desa", "0.25", ""),
    *(("lemur", "wt2010", "0.5", v) for v in ("ctraditional", "default", "traditional")),
    *(("lemur", "wt2012", "0.5", variant) for variant in ("default", "traditional")),
    *(("wt2012", "indri_ql_catb", "0.5", variant) for variant in ("default", "traditional")),
    *(("wt2012", "indri_rm_cata", "0.5", variant) for variant in ("default", "traditional")),
]


def rows(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt") as lines:
        yield from csv.DictReader(lines)


def run_path(shared: Path, name: str) -> Path:
    bare = name.removeprefix("gdesa_").removeprefix("lemur_")
    return next((shared / "data" / "runs").glob(f"*/{bare}.run.gz"))


@pytest.fixture(scope="module")
def all_years(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The four years' diversity judgments in one file."""
    path = tmp_path_factory.mktemp("judgments") / "all.qrels"
    with path.open("wb") as together:
        for year in YEARS:
            source = shared / "data" / "trec-web" / f"{year}.diversity.qrels.gz"
            together.write(gzip.decompress(source.read_bytes()))
    return path


@pytest.mark.parametrize(("group", "run", "alpha", "variant"), NDEVAL)
def test_ndeval_prints_the_same_on_every_topic_and_column(
    shared: Path, all_years: Path, group: str, run: str, alpha: str, variant: str
) -> None:
    named = f"{group}.{run}.a{alpha}" + (f".{variant}" if variant else "")
    gold = shared / "gold" / "ndeval" / f"{named}.csv.gz"
    said = [f"alpha={alpha}"] * (alpha != "0.5") + OPTIONS[variant or "default"]
    year = run.removeprefix("wt") if group == "lemur" else "2012"
    judgments = all_years
    if group != "gdesa":
        judgments = shared / "data" / "trec-web" / f"{year}.diversity.qrels.gz"
    scores = polyseme.evaluate(
        judgments, run_path(shared, run), dialect="ndeval" + (f"({','.join(said)})" if said else "")
    )
    ours = {(topic, measure): value for _, topic, measure, value in scores.topic_rows()}
    ours |= {("amean", measure): value for _, _, measure, value in scores.mean_rows()}
    told = 0
    for row in rows(gold):
        topic, columns = row["topic"], list(row)[2:]
        for measure, column in zip(scores.measures, columns, strict=True):
            assert measure == f"ndeval:{column}"
            assert f"{ours[topic, measure]:.6f}" == row[column], (topic, column)
            told += 1
    assert told == len(ours)


def test_every_output_of_ndeval_is_told(shared: Path) -> None:
    told = {f"{g}.{run}.a{alpha}" + (f".{v}" if v else "") for g, run, alpha, v in NDEVAL}
    gold = {path.name.removesuffix(".csv.gz") for path in (shared / "gold" / "ndeval").iterdir()}
    assert told == gold


def test_ntcireval_prints_the_same_of_the_global_gain(shared: Path) -> None:
    gold = list(rows(shared / "gold" / "ntcireval" / "d-measures.l10.csv.gz"))
    assert len(gold) == 15_200
    told = _ntcireval(shared, {row["run"] for row in gold}, None)
    for row in gold:
        measure = row["measure"].replace("@00", "@").replace("I-rec@n", "I-rec-n")
        ours = told[row["run"], row["topic"].lstrip("0"), f"ntcireval:{measure}"]
        assert f"{ours:.4f}" == f"{float(row['value']):.4f}", row


def test_ntcireval_prints_the_same_of_every_intent(shared: Path) -> None:
    gold = list(rows(shared / "gold" / "ntcireval" / "per-intent.l10.csv.gz"))
    names = {row["measure"]: f"ntcireval:{row['measure'].replace('@00', '-IA@')}" for row in gold}
    told = _ntcireval(shared, {row["run"] for row in gold}, list(names.values()))
    for row in gold:
        key = (row["run"], row["topic"].lstrip("0"), names[row["measure"]], row["intent"])
        assert f"{told[key]:.4f}" == row["value"], row


def _ntcireval(
    shared: Path, runs: set[str], measures: list[str] | None
) -> dict[tuple[str, ...], float]:
    told: dict[tuple[str, ...], float] = {}
    for run in sorted(runs):
        scores = polyseme.evaluate(
            shared / "data" / "trec-web" / "2012.graded.qrels.gz",
            run_path(shared, run),
            measures,
            dialect="ntcireval(gain=exponential)",
            per_intent=True,
        )
        told |= {(run, t, measure): value for _, t, measure, value in scores.topic_rows()}
        told |= {(run, x.topic, x.measure, x.intent): x.value for x in scores.intents}
    return told


@pytest.mark.parametrize("run", ["indri_ql_catb", "indri_rm_cata"])
def test_the_program_of_rbu_prints_the_same(shared: Path, run: str) -> None:
    gold = shared / "gold" / "rbu" / f"{run}.top20.p0.8.e0.03.tsv.gz"
    read = polyseme.read_runs(run_path(shared, run))[0]
    scores = polyseme.evaluate(
        shared / "data" / "trec-web" / "2012.graded.qrels.gz",
        {"run": read.prefix(20, Ordering("file"))},
        dialect="rbu",
    )
    ours = {topic: f"{value:.4f}" for _, topic, _, value in scores.topic_rows()}
    told = re.findall(r'^"(\d+)"\t"(-?[\d.]+)"', gzip.decompress(gold.read_bytes()).decode(), re.M)
    assert len(told) == 50
    assert ours == dict(told)


@pytest.mark.parametrize("cutoff", [1, 5, 10])
@pytest.mark.parametrize("run", ["syn1_q0.15_div0", "syn3_q0.3_div1", "syn5_q0.5_div1"])
def test_the_cube_test_scorer_prints_the_same(shared: Path, run: str, cutoff: int) -> None:
    gold = shared / "gold" / "cubetest" / f"{run}.cubetest.c{cutoff}.out.gz"
    scores = polyseme.evaluate(
        shared / "data" / "trec-dd" / "2016.qrels.tsv.gz",
        shared / "data" / "trec-dd" / "runs-synthetic" / f"{run}.txt.gz",
        dialect=f"jig(cutoff={cutoff})",
    )
    values = {topic: scores.values[0, n].tolist() for n, topic in enumerate(scores.topics)}
    values["all"] = list(next(iter(scores.mean().values())).values())
    told = [line.split() for line in gzip.decompress(gold.read_bytes()).decode().splitlines()[2:]]
    assert len(told) == 54
    for topic, *printed in told:
        assert [f"{value:.7f}" for value in values[topic]] == printed, topic
