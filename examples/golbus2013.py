"""Which measures respond to diversity alone (Golbus et al. 2013)?"""

from __future__ import annotations

import sys
from pathlib import Path

from polyseme.collection.reading import read_qrels
from polyseme.meta import Grid, grid_sensitivity
from polyseme.reuse import describe

HERE = Path(__file__).resolve().parent


def main(judgments: Path = HERE / "work" / "synthetic" / "judgments.qrels") -> None:
    judged = read_qrels(str(judgments))
    print(describe(judged).per_topic(xi_offset=1).written("table", "topics"))
    found = grid_sensitivity(judged, Grid(discounts=("DCG",), cutoffs=(20,)), orders=200, seed=1)
    print(found.written("table", "maxima"))
    best = max(found.grid.averages, key=lambda each: found.best(each, "DCG", 20, found.means[0]))
    print(f"the mean over subtopics that responds most to which documents are chosen: {best}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
