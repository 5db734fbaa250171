"""Leaving out 16 teams in turn, against one plain evaluation of the same runs and measures."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from polyseme import evaluate
from polyseme.reuse import leave_one_out

MEASURES = "I-rec@20 D-nDCG@20 D#-nDCG@20 ERR-IA@20 alpha-nDCG@20 nDCG-IA@20 Q-IA@20 RBU@20"
#: how many times the plain evaluation's time it may take
GOAL = 4.0


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def main() -> None:
    root = Path(__file__).resolve().parent.parent
    shared = Path(os.environ.get("POLYSEME_SHARED") or root.parent / "shared")
    if not (shared / "data").is_dir():
        print(f"no shared data in {shared}: set POLYSEME_SHARED to the folder that has them")
        return
    qrels = shared / "data" / "trec-web" / "2012.graded.qrels.gz"
    runs = sorted((shared / "data" / "runs" / "wt2012-synthetic").iterdir())
    teams = {path.name.split(".")[0]: path.name.partition("_")[0] for path in runs}

    def plain() -> object:
        return evaluate(qrels, runs, MEASURES)

    def without_each() -> object:
        views = ("raw", "condensed")
        return leave_one_out(qrels, runs, MEASURES, teams=teams, depth=20, views=views)

    # interleaved, so that a busy spell slows both; the least is what the work itself takes
    times = [(seconds(plain), seconds(without_each)) for _ in range(5)]
    once, each = (min(column) for column in zip(*times, strict=True))
    number = len(set(teams.values()))
    print(f"{len(runs)} runs of {number} teams, {len(MEASURES.split())} measures; seconds")
    print(f"evaluate         {once:8.2f}")
    print(f"leave one out    {each:8.2f}   {each / once:.1f} times (goal: {GOAL:g})")


if __name__ == "__main__":
    main()
