"""Tables of single intents: who serves them, how early, and which are missed most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from polyseme.reporting.page.assessment import Assessment, Judgments
from polyseme.reporting.page.parts import Cell, Grid, Head, Listing, Matrix, share
from polyseme.reporting.page.words import plural

#: shades of ranks, from the last one looked at to the first
SHADES = 8
#: so many of the intents that most runs miss have a table
MOST_MISSED = 20


def first_ranks(found: Assessment, judgments: Judgments) -> Matrix:
    """The first rank at which each run serves each intent."""
    seen, relevance = judgments.coverage, judgments.description.relevance
    runs = [seen.runs[run] for run in found.order]
    first = seen.first[np.ix_(np.array(found.order), seen.intents)]
    rows = []
    for place, intent in enumerate(seen.intents.tolist()):
        topic = relevance.topics[int(relevance.topic_of_intent[intent])]
        name = relevance.intents[intent]
        ranks: list[int] = first[:, place].tolist()
        missing = ranks.count(0)
        heads = (
            topic,
            name,
            *([_text(judgments, topic, name)] if judgments.texts else []),
            str(int(relevance.relevant_to[intent])),
            str(missing),
        )
        rows.append((heads, tuple(_rank(rank, seen.cutoff) for rank in ranks)))
    texts = ("intent in words",) if judgments.texts else ()
    return Matrix(
        "intents",
        f"The rank at which each run first serves each intent, down to {seen.cutoff}",
        ("topic", "intent", *texts, "relevant", "runs missing it"),
        "topic",
        tuple(runs),
        "run",
        tuple(rows),
        notes=(
            "Runs from the best to the worst. An empty red cell: nothing relevant to the intent "
            f"in the top {seen.cutoff}. A small number is good: users see the intent served early.",
        ),
        folded=len(rows) * len(runs) > 20_000,
    )


def _rank(rank: int, cutoff: int) -> tuple[str, str]:
    if not rank:
        return "", "miss"
    return str(rank), str(1 + (cutoff - rank) * (SHADES - 1) // max(cutoff - 1, 1))


def _text(judgments: Judgments, topic: str, intent: str) -> str:
    held = judgments.texts.get(topic)
    found = [each.text for each in held.subtopics if each.name == intent] if held else []
    return found[0] if found else ""


def most_missed(judgments: Judgments) -> Sequence[Grid]:
    """Intents that most runs miss, though something relevant to them is known."""
    seen, relevance = judgments.coverage, judgments.description.relevance
    missing = (seen.first[:, seen.intents] == 0).sum(axis=0)
    known = relevance.relevant_to[seen.intents]
    # of equally many runs, those first for which most is known: these are easiest to mend
    order = [n for n in np.lexsort((-known, -missing)).tolist() if missing[n]][:MOST_MISSED]
    if not order or len(seen.runs) == 1:
        return ()
    rows = []
    for n in order:
        intent = int(seen.intents[n])
        topic, name = (
            relevance.topics[int(relevance.topic_of_intent[intent])],
            relevance.intents[intent],
        )
        cells = [Cell(topic, subject="topic"), Cell(name)]
        if judgments.texts:
            cells.append(Cell(_text(judgments, topic, name)))
        cells += [
            Cell(str(int(known[n]))),
            Cell(str(int(missing[n]))),
            Cell(share(int(missing[n]), len(seen.runs)), order=float(missing[n])),
        ]
        rows.append(tuple(cells))
    texts = (Head("intent in words", number=False),) if judgments.texts else ()
    return (
        Grid(
            "most-missed",
            f"The intents that most runs miss in their top {seen.cutoff}",
            (
                Head("topic", number=False),
                Head("intent", number=False),
                *texts,
                Head("relevant", meaning="documents that are known to be relevant to the intent"),
                Head("runs missing it", meaning=f"of {len(seen.runs)}"),
                Head("share", meaning="their share of all runs"),
            ),
            tuple(rows),
            about="topic",
        ),
    )


def found_by_none(judgments: Judgments) -> Sequence[Listing]:
    """Intents that no run serves, in words where these are known."""
    seen: Any = judgments.coverage
    relevance = judgments.description.relevance
    if not len(seen.missed_by_all):
        return ()
    items = []
    for intent in seen.missed_by_all.tolist():
        topic = relevance.topics[int(relevance.topic_of_intent[intent])]
        text = _text(judgments, topic, relevance.intents[intent])
        known = plural(int(relevance.relevant_to[intent]), "relevant document")
        items.append(
            f"topic {topic}, intent {relevance.intents[intent]}"
            + (f" “{text}”" if text else "")
            + f": {known} known"
        )
    title = f"Intents that no run serves in its top {seen.cutoff}"
    return (Listing("found-by-none", title, tuple(items), folded=len(items) > 8),)
