"""Scores as a report: long rows for programs, runs under measures for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from polyseme.errors import PolysemeError
from polyseme.scores import INTENT_COLUMNS, LONG_COLUMNS, Scores
from polyseme.tables import Column, Report, Row, Table, labels


def report_of_scores(
    scores: Scores, *, per_topic: bool = False, per_intent: bool = False
) -> Report:
    """Means over topics; with ``per_topic`` each topic too; with ``per_intent`` intents instead."""
    notes = list(scores.topic_report())
    if per_intent:
        notes += _without_intents(scores)
        data = Table(_long(INTENT_COLUMNS), scores.intent_rows())
        tables = _intents_shown(scores)
    else:
        data = Table(_long(LONG_COLUMNS), _rows(scores, per_topic))
        tables = _shown(scores, per_topic)
    return Report(
        data=data,
        tables=tables,
        notes=tuple(notes),
        provenance={**scores.provenance, "measures": list(scores.measures)},
        facts={"topics": _topics(scores)},
    )


def _long(names: tuple[str, ...]) -> tuple[Column, ...]:
    return (*labels(*names[:-1]), Column(names[-1]))


def _rows(scores: Scores, per_topic: bool) -> Iterator[Row]:
    if not per_topic:
        yield from scores.mean_rows()
        return
    for run in scores.runs:
        one = scores.select(runs=run)
        yield from one.topic_rows()
        yield from one.mean_rows()


def _topics(scores: Scores) -> dict[str, Any]:
    """Which topics the means are over: what differs between runs, run by run."""
    used = [
        [topic for topic, enters in zip(scores.topics, row, strict=True) if enters]
        for row in scores.entered.tolist()
    ]
    same = all(each == used[0] for each in used)
    return {
        "judged": len(scores.topics),
        "used": used[0] if same else dict(zip(scores.runs, used, strict=True)),
        "missing": {run: list(gone) for run in scores.runs if (gone := scores.missing(run))},
        "extra": {run: list(beyond) for run, beyond in scores.extra.items() if beyond},
    }


def _values(scores: Scores, best: bool) -> tuple[Column, ...]:
    # every measure here is better the higher it is
    return tuple(Column(name, best="highest" if best else None) for name in scores.measures)


def _shown(scores: Scores, per_topic: bool) -> tuple[Table, ...]:
    tables = []
    many = len(scores.means) > 1
    for mean in scores.means:
        rows: list[Row] = [
            (run, *row)
            for run, row in zip(scores.runs, scores.mean_values(mean).tolist(), strict=True)
        ]
        named = many or mean.kind != "avg"
        columns = (*labels("run"), *_values(scores, best=True))
        tables.append(Table(columns, rows, f"mean over topics: {mean}" if named else ""))
    if not per_topic:
        return tuple(tables)
    rows = [
        (run, topic, *scores.values[index, place].tolist())
        for index, run in enumerate(scores.runs)
        for place, topic in enumerate(scores.topics)
        if scores.entered[index, place]
    ]
    topics = Table((*labels("run", "topic"), *_values(scores, best=False)), rows)
    return (topics, *tables)


def _with_intents(scores: Scores) -> list[str]:
    held = {each.measure for each in scores.intents}
    return [name for name in scores.measures if name in held]


def _intents_shown(scores: Scores) -> tuple[Table, ...]:
    measures = _with_intents(scores)
    cells: dict[tuple[str, str, str], dict[str, float]] = {}
    for each in scores.intents:
        cells.setdefault((each.run, each.topic, each.intent), {})[each.measure] = each.value
    rows: list[Row] = [
        (*names, *(values.get(measure) for measure in measures)) for names, values in cells.items()
    ]
    return (Table((*labels("run", "topic", "intent"), *map(Column, measures)), rows),)


def _without_intents(scores: Scores) -> list[str]:
    lacking = [name for name in scores.measures if name not in _with_intents(scores)]
    if len(lacking) == len(scores.measures):
        raise PolysemeError(
            f"{', '.join(lacking)}: no values for single intents\n"
            "  to mend it: ask for measures that average over intents, such as ERR-IA@10 or "
            "nDCG-IA@10, or for I-rec@10"
        )
    return [f"no values for single intents: {', '.join(lacking)}"] if lacking else []
