"""Would a new team be treated fairly (Sakai 2013)? The answer in a few lines of Python."""

from __future__ import annotations

import sys
from pathlib import Path

from polyseme.reuse import leave_one_out

HERE = Path(__file__).resolve().parent


def main(folder: Path = HERE / "work" / "synthetic") -> None:
    found = leave_one_out(
        str(folder / "judgments.qrels"),
        sorted((folder / "runs").iterdir()),
        "D#-nDCG@20 ERR-IA@20",
        teams=str(folder / "teams.csv"),
        depth=20,
    )
    for measure in found.measures:
        for view in ("raw", "condensed"):
            held = [e for e in found.best_estimates if e.base == measure and e.view == view]
            error = sum(each.absolute_error for each in held) / len(held)
            moved = sum(each.relative_error for each in held) / len(held)
            low = sum(each.delta < 0 for each in held)
            print(
                f"{held[0].measure}: the best run of a team left out is off by {error:.4f} and "
                f"{moved:.1f} ranks on average, too low for {low} of {len(held)} teams"
            )
    print()
    print(found.written("table", "leave-one-out"))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
