"""No item is given to more judges than wanted, and what is shown is drawn once."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from judging import servers
from polyseme.judging import assignment, checking, drawing, organising, schema, tokens, views
from polyseme.judging.moment import Moment
from polyseme.judging.protocol import Refused, said_of
from polyseme.judging.recording import record
from polyseme.judging.store import Store

HOUR = 3_600_000


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = servers.CREATED

    def __call__(self) -> int:
        return self.now


def holders(store: Store) -> Counter[int]:
    """How many judges hold each unit now."""
    slots = schema.slots.c
    with store.reading() as moment:
        rows = moment.connection.execute(
            sa.select(slots.unit).where(
                slots.judge.is_not(None), slots.until.is_(None) | (slots.until > moment.now)
            )
        )
        return Counter(rows.scalars())


# ---- never more than wanted ---------------------------------------------------------------------


def test_300_judges_who_ask_at_once_get_no_more_places_than_there_are(place: str) -> None:
    servers.make(place, servers.preferences(5), judges=60, wanted=3)

    async def ask_all(store: Store) -> list[object]:
        asked = [store.write(views.open_item, j, i) for j in range(1, 61) for i in range(1, 6)]
        return await asyncio.gather(*asked, return_exceptions=True)

    with Store.open(place) as store:
        found = servers.awaited(ask_all(store))
        assert len(found) == 300
        refused = [each for each in found if isinstance(each, Refused)]
        assert len(refused) == 300 - 5 * 3
        assert {each.error for each in refused} == {"taken"}
        assert holders(store) == dict.fromkeys(range(1, 6), 3)


def test_processes_that_ask_at_once_get_no_more_places_than_there_are(place: str) -> None:
    invited = servers.make(place, servers.preferences(3), judges=12, wanted=2)
    with Store.open(place) as one, Store.open(place) as other:

        async def ask_all() -> list[object]:
            asked = [
                (one if judge % 2 else other).write(views.open_item, judge, item)
                for judge in range(1, len(invited) + 1)
                for item in (1, 2, 3)
            ]
            return await asyncio.gather(*asked, return_exceptions=True)

        found = servers.awaited(ask_all())
        assert sum(not isinstance(each, Exception) for each in found) == 6
        assert holders(one) == {1: 2, 2: 2, 3: 2}


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["open", "done", "started", "skip", "cannot", "undo", "wait", "release"]),
        st.integers(1, 4),
        st.integers(1, 4),
    ),
    max_size=25,
)


@pytest.mark.parametrize("task", ["preferences", "grades"])
@settings(max_examples=40)
@given(steps=STEPS, wanted=st.integers(1, 2))
def test_whatever_judges_do_no_item_has_more_of_them_than_wanted(
    task: str, steps: list[tuple[str, int, int]], wanted: int
) -> None:
    answers: dict[str, Any] = {"relevance": "left", "diversity": "right"}
    if task == "grades":
        answers = {"a": 1, "b": 2}
    clock = Clock()
    with servers.many_folders() as folder:
        content = servers.preferences(4) if task == "preferences" else servers.grades(2, 2)
        servers.make(f"{folder}/a.study", content, judges=4, task=task, wanted=wanted)
        with Store.open(f"{folder}/a.study", clock=clock) as store:
            for kind, judge, item in steps:
                if kind == "wait":
                    clock.now += 5 * HOUR
                    continue

                def step(kind: str = kind, judge: int = judge, item: int = item) -> None:
                    with store.writing() as moment:
                        _do(moment, kind, judge, item, answers)

                assert servers.refusal_of(step) in (None, "taken", "nothing")
                assert all(count <= wanted for count in holders(store).values())
            with store.reading() as moment:
                assert checking.problems(moment) == []


def _do(moment: Moment, kind: str, judge: int, item: int, answers: Any) -> None:
    if kind == "open":
        views.open_item(moment, judge, item)
        return
    if kind == "release":
        organising.release(moment, f"judge{judge:02}")
        return
    revision = views.item_view(moment, judge, item).judgment.revision
    body = servers.answer(item, answers, kind="answer", revision=revision)
    if kind == "started":
        body["answers"] = dict(list(answers.items())[:1])
    elif kind != "done":
        body = servers.answer(item, kind=kind, revision=revision)
        if kind == "cannot":
            body["reason"] = "because"
    record(moment, judge, said_of(json.dumps(body).encode()))


# ---- leases -------------------------------------------------------------------------------------


def opened(store: Store, judge: int, item: int) -> bool:
    def step() -> None:
        with store.writing() as moment:
            views.open_item(moment, judge, item)

    found = servers.refusal_of(step)
    assert found in (None, "taken")
    return found is None


def test_a_lease_that_ran_out_is_given_to_another_and_an_answer_keeps_it(place: str) -> None:
    clock = Clock()
    servers.make(place, judges=3, wanted=1)
    with Store.open(place, clock=clock) as store:
        assert opened(store, 1, 1)
        assert not opened(store, 2, 1)
        clock.now += 3 * HOUR
        assert opened(store, 1, 1)  # which renews it
        clock.now += 3 * HOUR
        assert not opened(store, 2, 1)
        clock.now += 2 * HOUR
        assert opened(store, 2, 1)
        with store.writing() as moment:
            record(moment, 2, said_of(json.dumps(servers.answer(1)).encode()))
        clock.now += 100 * HOUR
        assert not opened(store, 1, 1)
        assert opened(store, 2, 1)


def test_an_answer_that_comes_late_is_taken_where_there_is_a_place(place: str) -> None:
    clock = Clock()
    servers.make(place, judges=2, wanted=1)
    with Store.open(place, clock=clock) as store:
        opened(store, 1, 1)
        clock.now += 100 * HOUR
        with store.writing() as moment:
            assert record(moment, 1, said_of(json.dumps(servers.answer(1)).encode()))


def test_items_without_a_place_are_in_nobody_elses_list(place: str) -> None:
    servers.make(place, judges=2, wanted=1)
    with Store.open(place) as store:
        for item in (1, 2):
            opened(store, 1, item)
        with store.reading() as moment:
            mine, theirs = (views.judge_view(moment, judge) for judge in (1, 2))
        assert (mine.total, theirs.total) == (6, 4)
        assert {1, 2}.isdisjoint(entry.item for entry in theirs.entries)
        assert [entry.number for entry in theirs.entries] == [1, 2, 3, 4]


def test_in_grades_a_topic_is_given_whole(place: str) -> None:
    servers.make(place, servers.grades(2, 3), judges=3, task="grades", wanted=2)
    with Store.open(place) as store:
        assert opened(store, 1, 1)
        assert opened(store, 2, 3)  # another document of the same topic
        assert not opened(store, 3, 2)
        assert opened(store, 3, 4)


# ---- what is drawn ------------------------------------------------------------------------------


def test_sides_are_balanced_as_coins_are() -> None:
    judges, items = 15, 1127
    flips = [
        drawing.swapped(7, f"judge{judge:02}", f"{item}/a/b")
        for judge in range(judges)
        for item in range(items)
    ]
    # four standard deviations: one study in 16,000 by chance, and this seed is not chosen
    n = len(flips)
    assert abs(sum(flips) - n / 2) < 4 * (n / 4) ** 0.5
    for judge in range(judges):
        own = flips[judge * items : (judge + 1) * items]
        assert abs(sum(own) - items / 2) < 4 * (items / 4) ** 0.5


def test_sides_of_judges_are_independent() -> None:
    one, other = (
        [drawing.swapped(7, name, str(item)) for item in range(4000)] for name in ("one", "other")
    )
    same = sum(a == b for a, b in zip(one, other, strict=True))
    assert abs(same - 2000) < 4 * 1000**0.5


def test_each_question_comes_first_as_often() -> None:
    first = sum(
        drawing.question_order(7, "judge01", str(item), ["relevance", "diversity"])[0]
        == "relevance"
        for item in range(4000)
    )
    assert abs(first - 2000) < 4 * 1000**0.5


def test_every_judge_has_an_order_of_their_own_and_every_place_is_as_likely() -> None:
    names = [str(number) for number in range(5)]
    places = Counter(drawing.shuffled(7, str(j), "units", names).index("0") for j in range(5000))
    assert all(abs(places[place] - 1000) < 4 * (5000 * 0.2 * 0.8) ** 0.5 for place in range(5))


def test_what_is_shown_is_stable_over_reloads_and_the_same_on_any_database(place: str) -> None:
    servers.make(place, judges=2, seed=5)
    with Store.open(place) as store:
        with store.writing() as moment:
            first = [views.open_item(moment, 1, item) for item in range(1, 7)]
            stored = [
                (row.item, row.place, row.swapped, row.questions)
                for row in moment.connection.execute(
                    sa.select(schema.presentations)
                    .where(schema.presentations.c.judge == 1)
                    .order_by(schema.presentations.c.item)
                )
            ]
            drawn = tokens.presentations_of(moment, "judge01")
            again = sorted((d["item"], d["place"], d["swapped"], d["questions"]) for d in drawn)
        with store.reading() as moment:
            assert [views.item_view(moment, 1, item) for item in range(1, 7)] == first
        assert stored == again
    # the first run retrieved d0, and stands on the right where sides are swapped
    for view, (_, _, swap, _) in zip(first, stored, strict=True):
        assert view.left[0].doc == ("d3" if swap else "d0")
        assert view.right[0].doc == ("d0" if swap else "d3")


def test_another_seed_draws_otherwise() -> None:
    draws = {
        seed: [drawing.swapped(seed, "judge01", str(item)) for item in range(64)]
        for seed in range(5)
    }
    assert len({tuple(each) for each in draws.values()}) == 5


def test_documents_of_a_topic_come_one_after_another_with_intents_in_one_order(place: str) -> None:
    servers.make(place, servers.grades(4, 5), judges=1, task="grades", wanted=2)
    with Store.open(place) as store, store.reading() as moment:
        view = views.judge_view(moment, 1)
        topics = [entry.topic for entry in view.entries]
        changes = sum(a != b for a, b in pairwise(topics))
        assert changes == 3
        orders = {
            topic: {
                tuple(q.name for q in views.item_view(moment, 1, entry.item).questions)
                for entry in view.entries
                if entry.topic == topic
            }
            for topic in set(topics)
        }
        assert all(len(each) == 1 for each in orders.values())


def test_leasing_what_is_leased_changes_nothing_but_its_end(place: str) -> None:
    clock = Clock()
    servers.make(place, judges=1, wanted=2)
    with Store.open(place, clock=clock) as store:
        for _ in range(3):
            clock.now += HOUR
            with store.writing() as moment:
                assignment.lease(moment, 1, 1)
        assert holders(store) == {1: 1}
