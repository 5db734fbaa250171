"""Which formats there are, by name, for each kind of content."""

from __future__ import annotations

from collections.abc import Callable

from polyseme.collection.formats import (
    ntcir_judgments,
    probabilities,
    trec_dd_runs,
    trec_dd_truth,
    trec_judgments,
    trec_runs,
)
from polyseme.collection.formats.gathering import (
    JudgmentGatherer,
    ListGatherer,
    ProbabilityGatherer,
)
from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import Report

JUDGMENTS: dict[str, Callable[[Source, Report, JudgmentGatherer], None]] = {
    "trec": trec_judgments.read,
    "ntcir": ntcir_judgments.read,
    "trec-dd": trec_dd_truth.read,
}
#: NTCIR has no format of its own for runs, so that one name serves a whole collection
RUNS: dict[str, Callable[[Source, Report, ListGatherer], None]] = {
    "trec": trec_runs.read,
    "ntcir": trec_runs.read,
    "trec-dd": trec_dd_runs.read,
}
PROBABILITIES: dict[str, Callable[[Source, Report, ProbabilityGatherer], None]] = {
    "trec": probabilities.read,
    "ntcir": probabilities.read,
}
FORMATS: tuple[str, ...] = tuple(JUDGMENTS)

EXPECTED = {
    "judgments": "judgments: topic intent doc grade, or another format of judgments",
    "run": "a run: topic Q0 doc rank score tag, or another format of runs",
    "probabilities": "intent probabilities: topic intent prob",
}
