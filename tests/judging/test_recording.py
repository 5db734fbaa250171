"""What judges say is kept once, in order, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy.exc import DatabaseError

from judging import servers
from polyseme.judging import checking, organising, schema, views
from polyseme.judging.protocol import Refused, said_of
from polyseme.judging.recording import Saved, record
from polyseme.judging.shown import Judgment
from polyseme.judging.store import Store

LEFT = {"relevance": "left", "diversity": "left"}
RIGHT = {"relevance": "right", "diversity": "both"}


def say(store: Store, judge: int, item: int, answers: Any = None, **more: Any) -> Saved:
    body = json.dumps(servers.answer(item, answers, **more)).encode()
    with store.writing() as moment:
        return record(moment, judge, said_of(body))


def refused(store: Store, judge: int, item: int, answers: Any = None, **more: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        say(store, judge, item, answers, **more)
    return caught.value


def events(store: Store) -> list[Any]:
    with store.reading() as moment:
        return list(moment.connection.execute(sa.select(schema.events)).all())


def problems(store: Store) -> list[str]:
    with store.reading() as moment:
        return checking.problems(moment)


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    """Six triplets and three judges; two judges are wanted for each."""
    servers.make(place, judges=3, wanted=2)
    with Store.open(place) as opened:
        yield opened
        assert problems(opened) == []


# ---- once ---------------------------------------------------------------------------------------


def test_what_is_said_stands_with_revision_1(store: Store) -> None:
    saved = say(store, 1, 1, LEFT, seconds=2.5)
    assert saved == Saved(1, Judgment(1, "done", LEFT, None, 2.5))


def test_a_double_submit_is_stored_once_and_answered_the_same(store: Store) -> None:
    first = say(store, 1, 1, LEFT, key="the-same-key")
    second = say(store, 1, 1, LEFT, key="the-same-key")
    assert second.repeated
    assert second.judgment == first.judgment
    assert len(events(store)) == 1


def test_a_retry_after_later_answers_gets_the_first_reply(store: Store) -> None:
    first = say(store, 1, 1, LEFT, key="the-first-key", seconds=1)
    say(store, 1, 1, RIGHT, revision=1, seconds=10)
    assert say(store, 1, 1, LEFT, key="the-first-key", seconds=1).judgment == first.judgment
    assert len(events(store)) == 2


def test_a_key_is_of_one_judge(store: Store) -> None:
    say(store, 1, 1, LEFT, key="the-same-key")
    assert not say(store, 2, 1, RIGHT, key="the-same-key").repeated


def test_a_key_cannot_be_used_for_something_else(store: Store) -> None:
    say(store, 1, 1, LEFT, key="the-same-key")
    assert refused(store, 1, 1, RIGHT, key="the-same-key").error == "key"
    assert refused(store, 1, 2, LEFT, key="the-same-key").error == "key"
    assert len(events(store)) == 1


# ---- in order -----------------------------------------------------------------------------------


def test_the_second_of_two_tabs_is_told_what_the_first_one_said(store: Store) -> None:
    say(store, 1, 1, LEFT)
    late = refused(store, 1, 1, RIGHT)
    assert (late.status, late.error) == (409, "stale")
    told = late.body()["judgment"]
    assert isinstance(told, dict)
    assert (told["revision"], told["answers"]) == (1, LEFT)


def test_a_revision_from_the_future_is_stale_too(store: Store) -> None:
    assert refused(store, 1, 1, LEFT, revision=1).error == "stale"


def test_answers_are_replaced_and_times_are_summed(store: Store) -> None:
    say(store, 1, 1, {"relevance": "left"}, seconds=2)
    saved = say(store, 1, 1, RIGHT, revision=1, seconds=3)
    assert saved.judgment == Judgment(2, "done", RIGHT, None, 5.0)


def test_an_answer_to_one_question_begins_an_item(store: Store) -> None:
    assert say(store, 1, 1, {"relevance": "left", "diversity": None}).judgment.state == "started"


def test_taking_all_answers_away_leaves_nothing(store: Store) -> None:
    say(store, 1, 1, LEFT)
    nothing = {"relevance": None, "diversity": None}
    assert say(store, 1, 1, nothing, revision=1).judgment.state == "todo"


# ---- undo, skip, cannot -------------------------------------------------------------------------


def test_undo_goes_back_step_by_step(store: Store) -> None:
    say(store, 1, 1, {"relevance": "left"})
    say(store, 1, 1, LEFT, revision=1)
    say(store, 1, 1, RIGHT, revision=2)
    assert say(store, 1, 1, kind="undo", revision=3).judgment.answers == LEFT
    assert say(store, 1, 1, kind="undo", revision=4).judgment.answers == {"relevance": "left"}
    assert say(store, 1, 1, kind="undo", revision=5).judgment.state == "todo"
    assert refused(store, 1, 1, kind="undo", revision=6).error == "nothing"


def test_after_an_undo_something_else_can_be_said_and_undone(store: Store) -> None:
    say(store, 1, 1, LEFT)
    say(store, 1, 1, kind="undo", revision=1)
    say(store, 1, 1, RIGHT, revision=2)
    assert say(store, 1, 1, kind="undo", revision=3).judgment.answers == {}


def test_who_cannot_judge_says_why_and_can_take_it_back(store: Store) -> None:
    say(store, 1, 1, LEFT)
    saved = say(store, 1, 1, kind="cannot", reason=" empty page ", revision=1).judgment
    assert (saved.state, saved.answers, saved.reason) == ("cannot", {}, "empty page")
    assert say(store, 1, 1, kind="undo", revision=2).judgment.answers == LEFT


def test_skipping_keeps_what_was_answered(store: Store) -> None:
    assert say(store, 1, 1, kind="skip").judgment.state == "skipped"
    assert say(store, 1, 1, kind="undo", revision=1).judgment.state == "todo"
    say(store, 1, 2, LEFT)
    assert say(store, 1, 2, kind="skip", revision=1).judgment == Judgment(2, "done", LEFT, None, 3)


# ---- nothing else -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answers",
    [
        {"relevance": "middle"},
        {"relevance": "LEFT"},
        {"relevance": 1},
        {"beauty": "left"},
        {"relevance": "left", "diversity": "left", "beauty": "left"},
    ],
)
def test_answers_that_there_are_not_are_refused(store: Store, answers: Any) -> None:
    assert refused(store, 1, 1, answers).error == "malformed"
    assert events(store) == []


@pytest.mark.parametrize("item", [0, 7, 2**52])
def test_items_that_there_are_not_are_refused(store: Store, item: int) -> None:
    assert refused(store, 1, item, LEFT).error == "item"


def test_grades_are_whole_numbers_and_not_true_or_false(tmp_path: Any) -> None:
    place = str(tmp_path / "grades.study")
    servers.make(place, judges=1, task="grades", wanted=2)
    with Store.open(place) as store:
        for wrong in ({"a": True}, {"a": 3}, {"a": "2"}):
            assert refused(store, 1, 1, wrong).error == "malformed"
        assert say(store, 1, 1, {"a": 2, "b": 0}).judgment.state == "done"


def test_a_vote_is_for_one_intent_at_least(tmp_path: Any) -> None:
    place = str(tmp_path / "votes.study")
    servers.make(place, judges=1, task="votes", wanted=2)
    with Store.open(place) as store:
        assert refused(store, 1, 1, {"a": 0, "b": 0, "c": 0}).error == "malformed"
        assert say(store, 1, 1, {"a": 0, "b": 0}).judgment.state == "started"
        assert say(store, 1, 1, {"a": 0, "b": 0, "c": 1}, revision=1).judgment.state == "done"


def test_events_can_only_be_added(store: Store) -> None:
    say(store, 1, 1, LEFT)
    for statement in ("UPDATE events SET ms = 0", "DELETE FROM events"):
        with pytest.raises(DatabaseError, match="only ever added"), store.writing() as moment:
            moment.connection.exec_driver_sql(statement)
    assert len(events(store)) == 1


def test_readers_cannot_write(store: Store) -> None:
    with pytest.raises(DatabaseError), store.reading() as moment:
        moment.connection.exec_driver_sql("UPDATE judges SET name = 'nobody'")


# ---- any order of anything ----------------------------------------------------------------------


def kept(store: Store, body: bytes) -> Saved | None:
    """What was kept; None where there was nothing to undo."""
    found: list[Saved] = []

    def step() -> None:
        with store.writing() as moment:
            found.append(record(moment, 1, said_of(body)))

    assert servers.refusal_of(step) in (None, "nothing")
    return found[0] if found else None


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["answer", "cannot", "skip", "undo", "again", "stale"]),
        st.integers(1, 2),
        st.sampled_from([LEFT, RIGHT, {"relevance": "both"}, {}]),
    ),
    max_size=12,
)


@settings(max_examples=40)
@given(STEPS)
def test_whatever_is_said_judgments_follow_from_events_and_retries_change_nothing(
    steps: list[tuple[str, int, dict[str, str]]],
) -> None:
    with servers.many_folders() as folder:
        place = f"{folder}/a.study"
        servers.make(place, servers.preferences(2), judges=1)
        with Store.open(place) as store:
            revisions = {1: 0, 2: 0}
            last: dict[str, Any] = {}
            for kind, item, answers in steps:
                before = len(events(store))
                if kind == "again":
                    if last:
                        body = json.dumps(last["said"]).encode()
                        with store.writing() as moment:
                            again = record(moment, 1, said_of(body))
                        assert again.judgment == last["saved"].judgment
                        assert len(events(store)) == before
                    continue
                if kind == "stale":
                    assert refused(store, 1, item, LEFT, revision=99).error == "stale"
                    assert len(events(store)) == before
                    continue
                more = {"reason": "because"} if kind == "cannot" else {}
                said = servers.answer(item, answers, kind=kind, revision=revisions[item], **more)
                if kind == "answer":
                    said["answers"] = answers
                saved = kept(store, json.dumps(said).encode())
                if saved is None:
                    assert kind == "undo"
                    continue
                revisions[item] += 1
                assert saved.judgment.revision == revisions[item]
                assert len(events(store)) == before + 1
                last = {"said": said, "saved": saved}
            assert problems(store) == []


# ---- what the organiser gives to others ---------------------------------------------------------


def test_what_was_only_begun_can_be_given_to_others(store: Store) -> None:
    say(store, 1, 1, {"relevance": "left"})
    say(store, 1, 2, LEFT)
    with store.writing() as moment:
        views.open_item(moment, 1, 3)
        assert organising.release(moment, "judge01") == 2
    with store.reading() as moment:
        states = {entry.item: entry.state for entry in views.judge_view(moment, 1).entries}
    assert (states[1], states[2]) == ("todo", "done")
    # two others get the one, as two are wanted
    say(store, 2, 1, LEFT)
    say(store, 3, 1, LEFT)
    assert refused(store, 1, 1, LEFT, revision=2).error == "taken"
    assert refused(store, 1, 1, kind="undo", revision=2).error == "nothing"
