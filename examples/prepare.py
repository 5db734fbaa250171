"""Make what the experiments of this folder work on.

    python prepare.py [DATA]

writes work/synthetic and work/synthetic-2, collections with runs of several teams, and the answers
of simulated judges. DATA is a folder with the judgments and runs of the TREC Web Tracks 2009 to
2012, if you have it (README.md says what it should hold); the experiments whose names end in
-trec.toml work on it.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import numpy as np

from polyseme import evaluate
from polyseme.collection.reading import read_qrels, read_runs
from polyseme.collection.synthetic import synthesize
from polyseme.meta.preferences import Triplet, choose_triplets, of_answers

HERE = Path(__file__).resolve().parent
WORK = HERE / "work"
#: what the judges look for, by question; each sees it through noise of their own
WANTED = {"relevance": "nDCG@10", "diversity": "D#-nDCG@10"}
JUDGES, NOISE = 15, 0.15


def main(data: Path | None = None, *, work: Path = WORK, topics: int = 30, most: int = 300) -> None:
    """Write everything into a folder; with more topics and triplets it takes longer."""
    for name, seed in (("synthetic", 1), ("synthetic-2", 2)):
        made = synthesize(np.random.default_rng(seed), topics=topics, teams=6, runs_per_team=3)
        made.write(str(work / name), force=True)
    synthetic = work / "synthetic"
    judge(synthetic / "judgments.qrels", sorted((synthetic / "runs").iterdir()), synthetic, most)
    if data is None:
        return
    trec = work / "trec"
    trec.mkdir(parents=True, exist_ok=True)
    link = trec / "data"
    if not link.exists():
        link.symlink_to(data.resolve(), target_is_directory=True)
    runs = sorted((data / "runs" / "wt2012-synthetic").iterdir())
    # a run is named after its team, up to the first _
    lines = [f"{run.name.partition('.')[0]},{run.name.partition('_')[0]}" for run in runs]
    (trec / "teams.csv").write_text("\n".join(["run,team", *lines, ""]), encoding="utf-8")
    both = [data / "trec-web" / f"{year}.qrels.gz" for year in ("2010.diversity", "2011.graded")]
    held = b"".join(gzip.decompress(path.read_bytes()) for path in both)
    (trec / "2010-2011.qrels").write_bytes(held)
    judge(data / "trec-web" / "2012.graded.qrels.gz", runs[::4], trec, most)


def judge(judgments: Path, runs: list[Path], folder: Path, most: int) -> None:
    """Choose pairs of lists as Sakai and Zeng did, and have simulated judges compare them."""
    qrels, lists = read_qrels(judgments), read_runs(*runs)
    scores = evaluate(qrels, lists, ["P@10", "I-rec@10", *WANTED.values()])
    rng = np.random.default_rng(1)
    chosen = list(choose_triplets(scores.select(measures=["P@10", "I-rec@10"])).triplets)
    if len(chosen) > most:
        chosen = [chosen[n] for n in sorted(rng.choice(len(chosen), most, replace=False))]
    # which list stands at the left is chance
    chosen = [
        Triplet(each.topic, each.run_b, each.run_a) if swapped else each
        for each, swapped in zip(chosen, rng.random(len(chosen)) < 0.5, strict=True)
    ]
    write(folder / "triplets.csv", ["topic,run_a,run_b", *map(row, chosen)])
    names = [triplet.name for triplet in chosen]
    judges = [f"{number:02}" for number in range(1, JUDGES + 1)]
    for question, measure in WANTED.items():
        gap = [difference(scores, measure, triplet) for triplet in chosen]
        seen = np.array(gap) + rng.normal(0, NOISE, (JUDGES, len(chosen)))
        answers = [
            (judge, name, 1 if value > 0 else 3)
            for judge, values in zip(judges, seen, strict=True)
            for name, value in zip(names, values, strict=True)
        ]
        matrix = of_answers(judges, names, answers, name=question)
        rows = [",".join(map(str, cells)) for cells in matrix.cells.tolist()]
        write(folder / f"{question}.csv", rows)


def difference(scores: object, measure: str, triplet: Triplet) -> float:
    """How much better the left list is."""
    held = scores.select(measures=[measure])  # type: ignore[attr-defined]
    topic = held.topics.index(triplet.topic)
    left, right = (held.runs.index(run) for run in (triplet.run_a, triplet.run_b))
    return float(held.values[left, topic, 0] - held.values[right, topic, 0])


def row(triplet: Triplet) -> str:
    return f"{triplet.topic},{triplet.run_a},{triplet.run_b}"


def write(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
