"""Terms add up to what evaluate gives, for every measure that is a sum."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyseme.collection.reading import read_qrels, read_runs
from polyseme.errors import PolysemeError, PolysemeWarning
from polyseme.evaluation import prepared, weight_files
from polyseme.measures.measure import Family, Measure
from polyseme.measures.sets import CATALOGUE
from polyseme.measures.terms import steps_of, terms_of
from polyseme.scoring import Scorer
from strategies import Case, cases, measures

FAMILIES = [family for family in CATALOGUE if not family.name.startswith("jig:")]


def no_sum(measure: Measure) -> bool:
    """Geometric means, Cube Tests, and what ntcireval rounds on the way."""
    return (
        measure.family.group == "cube"
        or measure["average"] == "geom"
        or measure.family.name.startswith("ntcireval:")
    )


def scorer_and_lists(case: Case, measure: Measure) -> tuple[Scorer, object]:
    held = case.collection
    judged = read_qrels(held.judgments, probabilities=held.probabilities or None)
    judged = judged.with_intents(types=held.types)
    made = prepared(judged, read_runs({"run": case.rankings}), **case.policies)
    scorer = Scorer(made.judged, [measure], made.policies, weight_files([measure]))
    return scorer, made.runs[0].join(made.judged).lists


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@settings(max_examples=10)
@given(st.data())
def test_terms_add_up_to_the_value(family: Family, data: st.DataObject) -> None:
    case, measure = data.draw(cases()), data.draw(measures(family))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PolysemeWarning)
        try:
            scorer, lists = scorer_and_lists(case, measure)
            values = scorer.score(lists)[:, 0]  # type: ignore[arg-type]
        except PolysemeError:
            return
        for place, value in enumerate(values.tolist()):
            one = lists.part(np.array([place]))  # type: ignore[attr-defined]
            batch = scorer.seen_by(measure, one)
            terms = terms_of(measure.formula, batch, measure.cutoff)
            steps = list(steps_of(measure.formula, batch, measure.cutoff))
            assert steps[0].value == pytest.approx(value, abs=1e-12)
            if terms is None:
                assert no_sum(measure), measure
            else:
                assert sum(terms.by_rank().values()) == pytest.approx(value, abs=1e-9)
                assert min(terms.by_rank(), default=1) >= 1
