"""What other packages call the columns: ir_measures, ir_datasets, PyTerrier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_TOPIC = {"query_id": "topic", "qid": "topic"}
_RETRIEVED = {**_TOPIC, "doc_id": "doc", "docno": "doc"}

#: by kind of table, what a column of another name is; the sooner of two for one column counts
SYNONYMS: Mapping[str, Mapping[str, str]] = {
    "judgments": {
        **_RETRIEVED,
        "subtopic_id": "intent",
        "iteration": "intent",
        "relevance": "grade",
        "label": "grade",
    },
    "runs": _RETRIEVED,
    "probabilities": {**_TOPIC, "subtopic_id": "intent", "probability": "prob"},
}


def in_our_words(columns: Sequence[str], what: str) -> dict[str, str]:
    """The columns by the names used here; a name of ours is never taken from the column it has."""
    ours: dict[str, str] = {}
    for theirs, name in SYNONYMS.get(what, {}).items():
        if theirs in columns and name not in columns and name not in ours.values():
            ours[theirs] = name
    return {ours.get(name, name): name for name in columns}
