"""polyseme's dialect beside pyndeval on the TREC Web Track's judgments and baseline runs."""

from __future__ import annotations

import gzip
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polyseme

YEARS = (2009, 2010, 2011, 2012)
SHOWN = ("ERR-IA@20", "alpha-nDCG@20", "NRBP", "MAP-IA", "strec@20")
#: what six decimals can show
PRINTED = 5e-7
ROOT = Path(__file__).resolve().parents[2]


def shared() -> Path:
    """The folder with real judgments and runs, which not everybody has."""
    return Path(os.environ.get("POLYSEME_SHARED") or ROOT.parent / "shared") / "data"


def side_by_side() -> Iterator[str]:
    """A table of means, and how far single values differ; a note where there are no data."""
    try:
        import pyndeval
    except ImportError:
        yield from _note("pyndeval is not installed")
        return
    if not (shared() / "trec-web").is_dir():
        yield from _note("the judgments and runs are not at hand")
        return
    head = ("year", "topics", "measure", "polyseme", "pyndeval", "values that differ", "at most by")
    yield "| " + " | ".join(head) + " |"
    yield "| --- | --- | --- " + "| ---: " * 4 + "|"
    differ = total = 0
    for year in YEARS:
        theirs, by_rank, ours = _scored(year, pyndeval)
        yield from _rows(year, ours, theirs)
        apart = [
            abs(ours[f"ndeval:{name}"][topic] - value)
            for topic, values in by_rank.items()
            for name, value in values.items()
        ]
        total += len(apart)
        differ += sum(difference > PRINTED for difference in apart)
    yield ""
    yield (
        "Given scores made from the rank column, so that no two are equal, pyndeval and polyseme "
        f"differ in {differ or 'none'} of the {total:,} values of all 21 columns and all topics.\n"
    )


def _note(why: str) -> Iterator[str]:
    yield f":::{{note}}\nThis table is made when the documentation is built; here {why}.\n:::\n"


Values = dict[str, dict[str, float]]


def _scored(year: int, pyndeval: Any) -> tuple[Values, Values, Values]:
    """What pyndeval makes of the scores and of the ranks, by topic; what we make, by measure."""
    judgments = shared() / "trec-web" / f"{year}.diversity.qrels.gz"
    run = shared() / "runs" / "wt2009-2012-lemur" / f"wt{year}.run.gz"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", polyseme.PolysemeWarning)
        scores = polyseme.evaluate(judgments, run, dialect="ndeval")
    with gzip.open(judgments, "rt") as lines:
        qrels = [pyndeval.SubtopicQrel(t, i, d, int(g)) for t, i, d, g in map(str.split, lines)]
    with gzip.open(run, "rt") as lines:
        rows = [line.split() for line in lines]
    by_score = [pyndeval.ScoredDoc(row[0], row[2], float(row[4])) for row in rows]
    by_rank = [pyndeval.ScoredDoc(row[0], row[2], -float(row[3])) for row in rows]
    return (
        pyndeval.ndeval(qrels, by_score),
        pyndeval.ndeval(qrels, by_rank),
        next(iter(scores.to_dict().values())),
    )


def _rows(year: int, ours: Values, theirs: Values) -> Iterator[str]:
    for place, name in enumerate(SHOWN):
        mine = ours[f"ndeval:{name}"]
        apart = [abs(mine[topic] - theirs[topic][name]) for topic in theirs]
        different = sum(difference > PRINTED for difference in apart)
        cells = (
            str(year) if not place else "",
            str(len(theirs)) if not place else "",
            f"`{name}`",
            f"{sum(mine[topic] for topic in theirs) / len(theirs):.6f}",
            f"{sum(theirs[topic][name] for topic in theirs) / len(theirs):.6f}",
            str(different),
            f"{max(apart):.6f}" if different else "",
        )
        yield "| " + " | ".join(cells) + " |"
