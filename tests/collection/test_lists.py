"""Ranked lists as judgments know them: cut, joined, taken apart, known to others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.collection.lists import Lists, joined, joker
from polyseme.groups import offsets


def lists_of(*each: dict[str, Any]) -> Lists:
    """Lists from {length, hits: [(rank, row)], weights, iterations}."""
    hits = [hit for one in each for hit in one["hits"]]
    weighted = any("weights" in one for one in each)
    iterated = any("iterations" in one for one in each)
    return Lists(
        run=np.zeros(len(each), dtype=np.int64),
        topic=np.array([one.get("topic", 0) for one in each], dtype=np.int64),
        length=np.array([one["length"] for one in each], dtype=np.int64),
        hit_start=offsets([len(one["hits"]) for one in each]),
        rank=np.array([rank for rank, _ in hits], dtype=np.int64),
        row=np.array([row for _, row in hits], dtype=np.int64),
        weight=np.array([w for one in each for w in one["weights"]]) if weighted else None,
        iteration_start=offsets([len(one["iterations"]) for one in each]) if iterated else None,
        iteration_end=np.array([end for one in each for end in one["iterations"]], dtype=np.int64)
        if iterated
        else None,
    )


def seen(lists: Lists) -> list[dict[str, Any]]:
    """The lists as they were described."""
    found = []
    for n in range(len(lists)):
        span = slice(lists.hit_start[n], lists.hit_start[n + 1])
        one: dict[str, Any] = {
            "topic": int(lists.topic[n]),
            "length": int(lists.length[n]),
            "hits": list(zip(lists.rank[span].tolist(), lists.row[span].tolist(), strict=True)),
        }
        if lists.weight is not None:
            one["weights"] = lists.weight[span].tolist()
        if lists.iteration_start is not None and lists.iteration_end is not None:
            ends = slice(lists.iteration_start[n], lists.iteration_start[n + 1])
            one["iterations"] = lists.iteration_end[ends].tolist()
        found.append(one)
    return found


@st.composite
def described(draw: st.DrawFn, *, weights: bool, iterations: bool) -> dict[str, Any]:
    length = draw(st.integers(0, 9))
    ranks = sorted(draw(st.sets(st.integers(1, length)))) if length else []
    one: dict[str, Any] = {
        "topic": draw(st.integers(0, 3)),
        "length": length,
        "hits": [(rank, draw(st.integers(0, 9))) for rank in ranks],
    }
    if weights:
        one["weights"] = [draw(st.sampled_from([1.0, 0.5])) for _ in ranks]
    if iterations:
        one["iterations"] = [*sorted(draw(st.lists(st.integers(0, length), max_size=3))), length]
    return one


@st.composite
def batches(draw: st.DrawFn) -> list[dict[str, Any]]:
    weights, iterations = draw(st.booleans()), draw(st.booleans())
    return draw(st.lists(described(weights=weights, iterations=iterations), max_size=5))


@given(each=batches(), data=st.data())
def test_a_part_is_the_chosen_lists_in_the_chosen_order(
    each: list[dict[str, Any]], data: st.DataObject
) -> None:
    place = st.integers(0, len(each) - 1) if each else st.nothing()
    chosen: Sequence[int] = data.draw(st.lists(place, max_size=6)) if each else []
    index = np.array(chosen, dtype=np.int64)
    assert seen(lists_of(*each).part(index)) == [each[n] for n in chosen]


@given(one=batches(), other=batches())
def test_joined_batches_are_their_lists_one_after_another(
    one: list[dict[str, Any]], other: list[dict[str, Any]]
) -> None:
    found = seen(joined([lists_of(*one), lists_of(*other)]))
    weighted, iterated = (any(key in x for x in one + other) for key in ("weights", "iterations"))
    for mine, given_ in zip(found, one + other, strict=True):
        wanted = dict(given_)
        if weighted:
            wanted.setdefault("weights", [1.0] * len(wanted["hits"]))
        if iterated:
            # a plain list is one iteration
            wanted.setdefault("iterations", [wanted["length"]])
        assert mine == wanted


@given(each=batches(), depth=st.integers(1, 9))
def test_a_cut_list_is_one_that_retrieved_no_more(each: list[dict[str, Any]], depth: int) -> None:
    for cut, whole in zip(seen(lists_of(*each).cut(depth)), each, strict=True):
        assert cut["length"] == min(whole["length"], depth)
        assert cut["hits"] == [(rank, row) for rank, row in whole["hits"] if rank <= depth]
        ends = whole.get("iterations", [])
        assert cut.get("iterations", []) == [min(end, depth) for end in ends]


@given(each=batches(), depth=st.integers(1, 9))
def test_the_top_of_a_list_keeps_its_length(each: list[dict[str, Any]], depth: int) -> None:
    for top, whole in zip(seen(lists_of(*each).top(depth)), each, strict=True):
        assert top["length"] == whole["length"]
        assert top["hits"] == [(rank, row) for rank, row in whole["hits"] if rank <= depth]


@given(each=batches(), known=st.sets(st.integers(0, 9)))
def test_lists_forget_what_other_judgments_do_not_know(
    each: list[dict[str, Any]], known: set[int]
) -> None:
    rows = np.array([row in known for row in range(10)])
    for mine, whole in zip(seen(lists_of(*each).known_to(rows)), each, strict=True):
        assert mine["hits"] == [(rank, row) for rank, row in whole["hits"] if row in known]
        assert mine["length"] == whole["length"]


def test_jokers_are_known_to_all_judgments() -> None:
    lists = lists_of({"length": 3, "hits": [(1, joker(4)), (2, 0), (3, joker(1))]})
    assert seen(lists.known_to(np.array([False])))[0]["hits"] == [(1, joker(4)), (3, joker(1))]


@pytest.mark.parametrize("grade", [0, 1, 9])
def test_a_joker_is_no_row_of_the_judgments(grade: int) -> None:
    assert joker(grade) < 0
    assert ~joker(grade) == grade
