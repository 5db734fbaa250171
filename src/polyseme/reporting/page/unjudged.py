"""What nobody judged: how much of it stands near the top of runs, and who else made the pool."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from polyseme.reporting.page.assessment import Assessment, Judgments
from polyseme.reporting.page.parts import Cell, Grid, Head, share
from polyseme.reporting.page.words import empty
from polyseme.reuse.leave_one_out import LeaveOneOut

#: no pool is shallower, and a pool of some runs leaves hardly more of their top unjudged
SHALLOWEST_POOL, HOLES = 5, 0.1
#: where at least so many documents were contributed by one team only, and nearly all of them but
#: few of all judged ones are relevant, others found what is not
FEWEST_ALONE, NEARLY_ALL, FEW = 10, 0.9, 0.5


def about_unjudged(judgments: Judgments) -> Iterator[str]:
    """How much of what stands near the top nobody judged."""
    seen, cutoff = judgments.unjudged, judgments.coverage.cutoff
    place = seen.cutoffs.index(cutoff)
    unjudged, filled = int(seen.unjudged[:, place].sum()), int(seen.places[:, place].sum())
    rates = seen.rates[:, place]
    if not filled:
        return
    if not unjudged:
        yield f"Every document in the top {cutoff} of these runs is judged."
        return
    most = int(np.nanargmax(rates))
    said = f"Of the documents in the runs' top {cutoff}, {share(unjudged, filled)} are unjudged"
    if len(seen.runs) > 1:
        said += f"; most of {seen.runs[most]} ({share(100 * rates[most], 100)})"
    yield said + ". Each counts as non-relevant, rightly or not."


def about_pool(judgments: Judgments) -> Iterator[str]:
    """Whether others than these runs made the pool."""
    others = judgments.judged - judgments.retrieved
    if others / max(judgments.judged, 1) > 0.1:
        yield (
            f"{share(others, judgments.judged)} of the {judgments.judged:,} judged documents were "
            "retrieved by none of these runs: others made the pool too, and may have contributed "
            "what here counts as one's own, so that leaving out may look worse than it is."
        )


def about_simulation(judgments: Judgments, left: LeaveOneOut) -> Iterator[str]:
    """Why these runs cannot have made the pool, so that leaving them out simulates little."""
    alone = sum(len(gone.rows) for gone in left.removed.values())
    relevant = sum(gone.relevant for gone in left.removed.values())
    known = int(judgments.description.relevance.relevant_in.sum())
    judged = judgments.judged
    if alone >= FEWEST_ALONE and relevant >= NEARLY_ALL * alone and known <= FEW * judged:
        yield (
            f"{share(relevant, alone)} of what only one of them contributed is relevant, of all "
            f"judged documents {share(known, judged)}"
        )
    seen = judgments.unjudged
    top = [cutoff for cutoff in seen.cutoffs if cutoff <= SHALLOWEST_POOL]
    if top:
        holes = seen.overall(top[-1])
        if holes > HOLES:
            yield (
                f"{share(holes, 1)} of their top {top[-1]} is unjudged, which a pool of "
                "these runs would hold"
            )


def unjudged_grid(found: Assessment, judgments: Judgments) -> Grid:
    """The same of each run, at several depths."""
    seen = judgments.unjudged
    rates = seen.rates
    rows = tuple(
        (
            Cell(seen.runs[run], subject="run"),
            *(Cell(f"{empty(rate)}", order=rate) for rate in rates[run].tolist()),
            Cell(str(int(seen.unjudged[run, -1]))),
        )
        for run in found.order
    )
    deepest = seen.cutoffs[-1]
    return Grid(
        "unjudged",
        "Share of the documents near the top of each run that nobody judged",
        (
            Head("run", number=False),
            *(
                Head(f"top {cutoff}", meaning=f"share of the documents down to rank {cutoff}")
                for cutoff in seen.cutoffs
            ),
            Head(
                "documents", meaning=f"unjudged documents in the top {deepest}, all topics together"
            ),
        ),
        rows,
        about="run",
    )
