"""Weights: of topics, ``topic weight``, or of intents, ``topic intent weight``."""

from __future__ import annotations

from polyseme.collection.formats.fields import decimal
from polyseme.collection.formats.opening import source_of
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.formats.text import records
from polyseme.errors import InputError


def read_topic_weights(path: str) -> dict[str, float]:
    """A weight for each topic named."""
    return {names[0]: weight for names, weight in _read(path, "topic weight").items()}


def read_intent_weights(path: str) -> dict[str, dict[str, float]]:
    """A weight for each topic and intent named."""
    held: dict[str, dict[str, float]] = {}
    for (topic, intent), weight in _read(path, "topic intent weight").items():
        held.setdefault(topic, {})[intent] = weight
    return held


def _read(path: str, columns: str) -> dict[tuple[str, ...], float]:
    source = source_of(path)
    report = Report(source.name)
    held: dict[tuple[str, ...], float] = {}
    for number, text, fields in records(source, report, columns):
        try:
            weight = decimal(fields[-1], "weight")
            if weight < 0:
                raise MalformedError(
                    f"the weight is {weight:g}", "a weight of 0 or more", "mend the weight"
                )
        except MalformedError as error:
            report.malformed(error, number, text)
        names = tuple(fields[:-1])
        if names in held:
            raise InputError(
                f"{' '.join(names)} has two weights",
                path=source.name,
                line=number,
                expected="one weight each",
                remedy="remove one of the lines",
            )
        held[names] = weight
    return held
