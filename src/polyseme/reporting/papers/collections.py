"""Tables of collections: what they hold, and how diverse their topics can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np

from polyseme.collection.difficulty import difficulty as difficulty_of
from polyseme.collection.relevance import Relevance
from polyseme.errors import PolysemeError
from polyseme.reporting.kinds import chosen
from polyseme.reuse.description import (
    Description,
    Histogram,
    IntentDescription,
    TopicDescription,
)
from polyseme.tables import Cell, Column, Row, Table, labels

Found = TypeVar("Found")


def collection(*found: Description, names: Sequence[str] = ()) -> Table:
    """A row a collection (Sakai 2013, table 1; Sakai et al. 2012, table 1)."""
    columns = (
        *labels(""),
        Column("topics"),
        *labels("topic type"),
        Column("intents/topic", decimals=2),
        *labels("pool depth"),
        Column("runs (teams)"),
        *labels("relevance levels", "intent probabilities", "intent type"),
    )
    rows: list[Row] = []
    for name, each in _named(found, names):
        held = next(each.report().data.records())
        # spam has no relevance level
        levels = f"0-{max(0, *each.grades)}"
        runs = None if each.teams is None else f"{held['runs']} ({held['teams']})"
        rows.append(
            (
                *(name, held["topics"], held["topic types"] or "-", held["intents per topic"]),
                *(held["judged to rank"] or "-", runs or "-", levels),
                *(held["probabilities"], held["intent types"]),
            )
        )
    return Table(
        columns,
        rows,
        "Test collections and runs. The number of intents excludes those that lack relevant "
        "documents; the pool depth is the rank down to which all lists are judged.",
        bold=frozenset(),
    )


def grades(*found: Histogram, names: Sequence[str] = ()) -> Table:
    """How many judgments have each grade (Sakai et al. 2012, table 2)."""
    every = sorted({grade for each in found for grade in each.of_grade}, reverse=True)
    columns = (*labels(""), *(Column(f"L{grade}") for grade in every), Column("total"))
    rows: list[Row] = [
        (name, *(each.of_grade.get(grade, 0) for grade in every), sum(each.of_grade.values()))
        for name, each in _named(found, names)
    ]
    caption = "Judgments by relevance level, L0 being judged nonrelevant"
    caption += ", and below it spam." if every and every[-1] < 0 else "."
    return Table(columns, rows, caption, bold=frozenset())


def topics(found: TopicDescription, *, only: tuple[str, ...] = (), number: int = 6) -> Table:
    """Documents of each subtopic, and dd: from the most diverse topic to the least one.

    Golbus et al. 2013, table 1. Without ``only`` the table has the ``number`` topics that lie
    evenly between the two ends.
    """
    if number < 1:
        raise PolysemeError(f"number must be 1 or more. Got {number} instead.")
    held, dd = found.relevance, found.difficulty.dd
    places = _topics(held, only)
    places.sort(key=lambda topic: -float(dd[topic]))
    if not only and len(places) > number:
        places = [places[n] for n in np.linspace(0, len(places) - 1, number).round().astype(int)]
    widest = max(int(held.intent_count[topic]) for topic in places)
    columns = (
        *labels("Topic ID", "Title"),
        Column("# Rel Docs"),
        *(Column(str(n + 1), group="Subtopic") for n in range(widest)),
        Column("dd", decimals=3),
    )
    rows: list[Row] = []
    for topic in places:
        name = held.topics[topic]
        counts: list[Cell] = [*_relevant(held, topic)]
        counts += ["–"] * (widest - len(counts))
        title = found.titles.get(name, "")
        rows.append((name, title, int(held.relevant_in[topic]), *counts, float(dd[topic])))
    return Table(
        _without_titles(columns, rows),
        _rows_without_titles(rows),
        "Subtopic coverage and diversity difficulty (dd) of topics; subtopics in the order of "
        "their documents.",
    )


def difficulty(*found: TopicDescription, names: Sequence[str] = ()) -> Table:
    """Of each collection the least, the largest and the mean dd (Golbus et al. 2013, table 2)."""
    rows: list[Row] = []
    for name, each in _named(found, names):
        dd = each.difficulty.dd[each.relevance.relevant_in > 0]
        if not len(dd):
            raise PolysemeError("no topic has a relevant document, so there is nothing to tell")
        rows.append((name, float(dd.min()), float(dd.max()), float(dd.mean())))
    columns = (*labels(""), *(Column(name, decimals=3) for name in ("Min", "Max", "Mean")))
    return Table(columns, rows, "Diversity difficulty statistics.", bold=frozenset())


def miss_rates(found: IntentDescription, *, only: tuple[str, ...] = (), number: int = 3) -> Table:
    """Subtopic miss rates at xi and other ranks (Golbus et al. 2013, table 3)."""
    held = found.relevance
    spread = difficulty_of(held, exact=found.exact, xi_offset=found.xi_offset)
    places = _topics(held, only)
    places.sort(key=lambda topic: float(spread.dd[topic]))
    if not only and len(places) > number:
        places = [places[n] for n in np.linspace(0, len(places) - 1, number).round().astype(int)]
    ranks = found.ranks or (5, 10, 20)
    columns = (
        *labels("Topic ID", "Title"),
        Column("dd", decimals=3),
        Column("ξ"),
        *labels("Subtopic"),
        *(
            Column("ξ" if rank is None else str(rank), decimals=3, group="Rank")
            for rank in (None, *ranks)
        ),
    )
    rows: list[Row] = []
    starts = []
    for topic in places:
        xi = int(spread.xi[topic])
        rates = [found.rates(topic, rank) for rank in (xi, *ranks)]
        # from the easiest subtopic to the hardest one, as the paper has them
        order = np.argsort(rates[0], kind="stable").tolist()
        starts.append(len(rows))
        for place, intent in enumerate(order):
            name = held.topics[topic]
            head: Row = (name, found.titles.get(name, ""), float(spread.dd[topic]), xi)
            said = held.intents_of(topic)[intent]
            values = (float(rate[intent]) for rate in rates)
            rows.append((*(head if not place else (None,) * 4), said, *values))
    return Table(
        _without_titles(columns, rows),
        _rows_without_titles(rows),
        "Subtopic miss rates; ξ is the smallest rank at which all subtopics that can be covered "
        "can be.",
        rules=frozenset(starts[1:]),
    )


# ---- what these share ---------------------------------------------------------------------------


def _named(found: Sequence[Found], names: Sequence[str]) -> Iterator[tuple[str, Found]]:
    for place, each in enumerate(found):
        yield (names[place] if place < len(names) else ""), each


def _topics(held: Relevance, only: tuple[str, ...]) -> list[int]:
    """Topics that were named, else those with a relevant document."""
    used = np.flatnonzero(held.relevant_in > 0).tolist()
    if not used:
        raise PolysemeError("no topic has a relevant document, so there is nothing to tell")
    known = {held.topics[topic]: topic for topic in used}
    said = [name for each in only for name in each.replace(",", " ").split()]
    return [known[chosen(name, known, "topic")] for name in said] or used


def _relevant(held: Relevance, topic: int) -> list[int]:
    first, number = int(held.intent_start[topic]), int(held.intent_count[topic])
    return sorted(held.relevant_to[first : first + number].tolist(), reverse=True)


def _without_titles(columns: tuple[Column, ...], rows: list[Row]) -> tuple[Column, ...]:
    """Without the column of titles where no topic has one."""
    return columns if any(row[1] for row in rows) else (columns[0], *columns[2:])


def _rows_without_titles(rows: list[Row]) -> list[Row]:
    return rows if any(row[1] for row in rows) else [(row[0], *row[2:]) for row in rows]
