"""Scores of random collections without the warnings, which tests of their own look at."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from polyseme.collection.judgments import Judged
from polyseme.collection.reading import read_qrels
from polyseme.errors import PolysemeWarning
from polyseme.evaluation import evaluate
from polyseme.measures.measure import Measure
from polyseme.scores import Scores
from reference import Collection
from strategies import Case


def judged_of(collection: Collection) -> Judged:
    """The collection's judgments with its probabilities and types."""
    return read_qrels(collection.judgments).with_intents(
        collection.probabilities or None, collection.types
    )


def scored(
    collection: Collection,
    runs: Mapping[str, Any],
    measures: Sequence[Measure] | str,
    **options: Any,
) -> Scores:
    """Every topic's scores under the collection's own policies, and others where they are said."""
    policies = Case(collection, {}).policies
    policies["probabilities"] = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PolysemeWarning)
        return evaluate(
            judged_of(collection),
            runs,
            measures,
            **{**policies, "average_over": "retrieved", **options},
        )
