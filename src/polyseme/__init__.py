"""polyseme: evaluation of search results when one query has several intents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from polyseme.collection.judgments import Judged
    from polyseme.collection.lists import Lists
    from polyseme.collection.reading import (
        read_probabilities,
        read_qrels,
        read_runs,
        read_topics,
    )
    from polyseme.collection.runs import Run, Runs
    from polyseme.errors import (
        InputError,
        MeasureError,
        MissingExtra,
        PolysemeError,
        PolysemeWarning,
    )
    from polyseme.evaluation import evaluate
    from polyseme.measures.defining import define
    from polyseme.measures.measure import Measure
    from polyseme.measures.sets import CATALOGUE, parse, parse_all
    from polyseme.partitioned.evaluation import evaluate_partitions
    from polyseme.partitioned.means import PartitionedScores
    from polyseme.score_files import read_scores
    from polyseme.scores import Scores

#: public names and where they live; nothing is imported before it is asked for
_HOMES = {
    "CATALOGUE": "measures.sets",
    "InputError": "errors",
    "Judged": "collection.judgments",
    "Lists": "collection.lists",
    "Measure": "measures.measure",
    "MeasureError": "errors",
    "MissingExtra": "errors",
    "PartitionedScores": "partitioned.means",
    "PolysemeError": "errors",
    "PolysemeWarning": "errors",
    "Run": "collection.runs",
    "Runs": "collection.runs",
    "Scores": "scores",
    "define": "measures.defining",
    "evaluate": "evaluation",
    "evaluate_partitions": "partitioned.evaluation",
    "parse": "measures.sets",
    "parse_all": "measures.sets",
    "read_probabilities": "collection.reading",
    "read_qrels": "collection.reading",
    "read_runs": "collection.reading",
    "read_scores": "score_files",
    "read_topics": "collection.reading",
}

__all__ = [
    "CATALOGUE",
    "InputError",
    "Judged",
    "Lists",
    "Measure",
    "MeasureError",
    "MissingExtra",
    "PartitionedScores",
    "PolysemeError",
    "PolysemeWarning",
    "Run",
    "Runs",
    "Scores",
    "__version__",
    "define",
    "evaluate",
    "evaluate_partitions",
    "parse",
    "parse_all",
    "read_probabilities",
    "read_qrels",
    "read_runs",
    "read_scores",
    "read_topics",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'polyseme' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"polyseme.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
