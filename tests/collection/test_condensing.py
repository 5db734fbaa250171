"""Condensed lists keep what is judged, in an order that no program can mistake."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme import read_qrels, read_runs
from polyseme.collection.condensing import condense, told
from polyseme.collection.runs import Ordering, Retrieved, Run, in_order
from polyseme.errors import InputError

JUDGED = read_qrels({"1": {"A": {"a": 1, "b": 0, "c": 2}}, "2": {"A": {"a": 1}}})
score = st.one_of(st.sampled_from([0.0, -0.0, 1.0, 1e300, -1e300, 1e-320]), st.floats(-1e9, 1e9))
retrieved = st.lists(
    st.tuples(st.sampled_from("abcdef"), score, st.integers(1, 9)), min_size=1, max_size=9
)


def lists_of(rows: list[tuple[str, float, int]], **rest: Any) -> Run:
    documents, scores, ranks = zip(*rows, strict=True)
    one = Retrieved("1", list(documents), list(scores), list(ranks), **rest)
    return Run("x", lambda: [one])


@pytest.mark.filterwarnings("ignore::polyseme.errors.PolysemeWarning")
@pytest.mark.parametrize("order", ["score", "rank", "file"])
@given(rows=retrieved)
def test_condensed_lists_are_the_judged_part_and_every_order_agrees(
    order: Any, rows: list[tuple[str, float, int]]
) -> None:
    how = Ordering(order, "first")
    run = lists_of(rows)
    expected = [d for d in next(run.ordered(how))[1].documents if d in "abc"]
    if not expected:
        with pytest.raises(InputError, match="holds no judged document"):
            condense(run, JUDGED, how)
        return
    (made,) = condense(run, JUDGED, how).lists
    assert made.documents == expected
    assert made.ranks == list(range(1, len(expected) + 1))
    assert made.scores is not None
    single = np.asarray(made.scores, dtype=np.float32)
    assert all(sooner > later for sooner, later in pairwise(single))
    for again in ("score", "rank", "file"):
        for precise in (False, True):
            found = in_order(made, Ordering(again, single_precision=precise))
            assert found.documents == expected


def test_scores_too_large_for_single_precision_are_made_anew() -> None:
    made = condense(lists_of([("a", 1e300, 1), ("b", 1e299, 2)]), JUDGED)
    assert made.lists[0].scores == [2.0, 1.0]
    assert made.rescored == 1


def test_what_is_left_out_is_told() -> None:
    (run,) = read_runs({"x": {"1": ["a", "z"], "2": ["z"], "3": ["a"]}})
    made = condense(run, JUDGED)
    assert (made.kept, made.retrieved) == (1, 3)
    assert list(told(made)) == [
        "x: 1 topics are not judged and left out",
        "x: 1 topics (the first: 2) hold no judged document and have no line; "
        "means over retrieved topics leave them out",
    ]
