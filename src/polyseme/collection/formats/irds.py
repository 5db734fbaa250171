"""Judgments by an identifier of ir_datasets: ``irds:clueweb09/en/trec-web-2009/diversity``."""

from __future__ import annotations

from typing import Any

from polyseme.collection.formats.fields import grade_of, name_of
from polyseme.collection.formats.gathering import JudgmentGatherer
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.judgments import JUDGED_ONLY
from polyseme.errors import InputError, MissingExtra

PREFIX = "irds:"


def read(identifier: str, report: Report, into: JudgmentGatherer) -> None:
    """Judgments with subtopics where the dataset has them, else one intent a topic."""
    for number, judgment in enumerate(_qrels(identifier), 1):
        intent = getattr(judgment, "subtopic_id", JUDGED_ONLY)
        try:
            into.add(
                name_of(judgment.query_id, "topic"),
                name_of(intent, "intent"),
                name_of(judgment.doc_id, "document"),
                grade_of(judgment.relevance),
                number,
            )
        except MalformedError as error:
            report.malformed(error, number, str(judgment))


def _qrels(identifier: str) -> Any:
    try:
        import ir_datasets
    except ImportError:
        raise MissingExtra("ir_datasets", "ir") from None
    name = identifier.removeprefix(PREFIX)
    try:
        dataset = ir_datasets.load(name)
    except KeyError:
        raise InputError(
            f"ir_datasets knows no dataset {name!r}",
            path=identifier,
            expected="an identifier such as irds:clueweb09/en/trec-web-2009/diversity",
            remedy="look it up at ir-datasets.com",
        ) from None
    if not dataset.has_qrels():
        raise InputError(
            f"the dataset {name!r} has no judgments",
            path=identifier,
            expected="a dataset with qrels",
            remedy="name one of its parts that has them",
        )
    return dataset.qrels_iter()
