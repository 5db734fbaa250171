"""Scores as a report: long rows for programs, runs under measures for people."""

from __future__ import annotations

from dataclasses import replace

from polyseme.scores import Scores, TopicMeans
from polyseme.tables import Column, Report, Row, Table, labels


def report_of_scores(
    scores: Scores, *, per_topic: bool = False, per_intent: bool = False
) -> Report:
    """Means over topics; with ``per_topic`` each topic too; with ``per_intent`` intents instead."""
    return replace(
        scores.report(per_topic=per_topic, per_intent=per_intent),
        tables=_intents_shown(scores) if per_intent else _shown(scores, per_topic),
    )


def report_of_means(scores: TopicMeans) -> Report:
    """Means over topics, of which no more is at hand."""
    return replace(scores.report(), tables=scores.tables_of_means())


def _shown(scores: Scores, per_topic: bool) -> tuple[Table, ...]:
    means = scores.tables_of_means()
    if not per_topic:
        return means
    cells: dict[tuple[str, str], list[float]] = {}
    for run, topic, _, value in scores.topic_rows():
        cells.setdefault((run, topic), []).append(value)
    rows: list[Row] = [(*names, *values) for names, values in cells.items()]
    topics = Table((*labels("run", "topic"), *map(Column, scores.measures)), rows)
    return (topics, *means)


def _intents_shown(scores: Scores) -> tuple[Table, ...]:
    measures = scores.measures_with_intents
    cells: dict[tuple[str, str, str], dict[str, float]] = {}
    for each in scores.intents:
        cells.setdefault((each.run, each.topic, each.intent), {})[each.measure] = each.value
    rows: list[Row] = [
        (*names, *(values.get(measure) for measure in measures)) for names, values in cells.items()
    ]
    return (Table((*labels("run", "topic", "intent"), *map(Column, measures)), rows),)
