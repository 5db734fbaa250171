"""Would a shallower pool have ranked the runs alike (Sakai et al. 2012)?"""

from __future__ import annotations

import sys
from pathlib import Path

from polyseme.reuse import depth_study

HERE = Path(__file__).resolve().parent


def main(folder: Path = HERE / "work" / "synthetic") -> None:
    study = depth_study(
        str(folder / "judgments.qrels"),
        sorted((folder / "runs").iterdir()),
        "I-rec D-nDCG D#-nDCG",
        pools=[5, 10],
        cutoffs=[10, 20],
        teams=str(folder / "teams.csv"),
    )
    for measure, pool, held in study.correlations():
        print(
            f"pool depth {pool}: {measure} ranks with tau {held.tau:.3f}, tau_ap {held.tau_ap:.3f}"
        )
    print()
    print(study.significance(pool=5, trials=1000, seed=1).written("table", "significance"))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
