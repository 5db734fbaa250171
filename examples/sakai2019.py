"""Which measures agree with people (Sakai and Zeng 2019)?"""

from __future__ import annotations

import sys
from pathlib import Path

from polyseme import evaluate
from polyseme.meta.preferences import preference_agreement, read_preferences, read_triplets
from polyseme.reporting.papers import report_as
from polyseme.reporting.text import write_text

HERE = Path(__file__).resolve().parent


def main(folder: Path = HERE / "work" / "synthetic") -> None:
    runs = sorted((folder / "runs").iterdir())
    scores = evaluate(str(folder / "judgments.qrels"), runs, "sakai2019@10")
    triplets = read_triplets(str(folder / "triplets.csv"))
    for question in ("relevance", "diversity"):
        people = read_preferences(str(folder / f"{question}.csv"), triplets)
        both = [
            preference_agreement(scores, people, triplets, high_agreement=high)
            for high in (False, True)
        ]
        write_text(report_as(*both, kind="agreement"), sys.stdout)
        best = max(both[0].measures, key=lambda each: each.tau)
        print(f"\nasked about {question}, people agree most with {best.measure}\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
