"""Judgments by an identifier of ir_datasets: ``irds:clueweb09/en/trec-web-2009/diversity``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from polyseme.collection.formats.objects import ObjectTable
from polyseme.collection.judgments import JUDGED_ONLY
from polyseme.errors import InputError, MissingExtra

PREFIX = "irds:"


class _Judgment(NamedTuple):
    topic: str
    intent: str
    doc: str
    grade: int


def judgments(identifier: str) -> ObjectTable:
    """Judgments with subtopics where the dataset has them, else one intent a topic."""
    return ObjectTable(_judgments(_qrels(identifier)), _Judgment._fields, "judgments")


def _judgments(qrels: Any) -> Iterator[_Judgment]:
    for each in qrels:
        # what ad hoc judgments call their iteration is the same throughout, and no intent
        intent = getattr(each, "subtopic_id", JUDGED_ONLY)
        yield _Judgment(each.query_id, intent, each.doc_id, each.relevance)


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
