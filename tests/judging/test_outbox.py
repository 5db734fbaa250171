"""What was said in a browser is kept until it is saved: servers die, tabs close, sessions end."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judging.persons import Person, person
from judging.servers import Server
from judging.studies import new_study
from polyseme.judging import tokens
from polyseme.judging.store import Store

pytestmark = pytest.mark.slow


class Study:
    """A study in a process of its own, which can be killed and started again."""

    def __init__(self, path: Path) -> None:
        self.path = new_study(path)
        self.server = Server(self.path)
        self.server.start()
        self.count = 0

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server.port}"

    def invite(self) -> tuple[str, str]:
        """A new judge and the secret link."""
        self.count += 1
        name = f"person{self.count:02}"
        with Store.open(self.path) as store, store.writing() as moment:
            return name, self.origin + tokens.invite(moment, [name], 1)[0].path

    def link(self, name: str) -> str:
        """One more link for a judge who is there."""
        with Store.open(self.path) as store, store.writing() as moment:
            return self.origin + tokens.invite(moment, [name], 1)[0].path

    def rows(self, query: str) -> list[Any]:
        import sqlite3

        with sqlite3.connect(self.path) as connection:
            found = connection.execute(query).fetchall()
        connection.close()
        return found

    def answers(self, name: str) -> list[dict[str, str]]:
        """What stands of a judge, as the page shows it, and how often it was said."""
        rows = self.rows(
            "select answers from judgments join judges using (judge) "
            f"where name = '{name}' order by item"
        )
        return [json.loads(row[0]) for row in rows]

    def events(self, name: str) -> int:
        """How many things a judge said that were saved."""
        rows = self.rows(
            f"select count(*) from events join judges using (judge) where name = '{name}'"
        )
        return int(rows[0][0])

    def end_sessions(self) -> None:
        import sqlite3

        with sqlite3.connect(self.path) as connection:
            connection.execute("delete from sessions")
        connection.close()


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    made = Study(tmp_path_factory.mktemp("outbox") / "study.db")
    yield made
    made.server.stop()


@pytest.fixture
def judge(browser: Any, study: Study) -> Iterator[tuple[Person, str]]:
    """Somebody who is at their first item."""
    name, link = study.invite()
    with person(browser, study.origin) as made:
        made.join(link)
        made.arrives()
        yield made, name
        assert made.problems == []
        assert made.far == []


Judge = tuple[Person, str]


def test_a_server_that_is_killed_loses_nothing(study: Study, judge: Judge) -> None:
    who, name = judge
    who.press("1")
    who.saved()
    study.server.stop(signal.SIGKILL)
    who.press("3")
    who.saved("waiting")
    # asked to go on, the page waits: what is on it is not lost from sight
    where = who.page.url
    who.press("Enter")
    who.page.wait_for_timeout(300)
    assert who.page.url == where
    who.page.wait_for_selector("#notices .notice", timeout=10_000)
    assert who.notices() == ["script.unreachable"]
    study.server.start()
    who.page.wait_for_url(lambda url: url != where, timeout=40_000)
    assert study.answers(name) == [{"relevance": "left", "diversity": "right"}] or study.answers(
        name
    ) == [{"relevance": "right", "diversity": "left"}]
    assert study.events(name) == 2


def test_a_reply_that_is_lost_is_asked_for_again_and_stored_once(
    study: Study, judge: Judge
) -> None:
    who, name = judge
    lost = []

    def lose(route: Any) -> None:
        if len(lost) < 2:
            route.fetch()  # the server hears it, and saves it
            lost.append(route.request.post_data)
            route.abort("connectionreset")
        else:
            route.continue_()

    who.page.route("**/api/judgments", lose)
    who.press("1")
    who.saved()
    assert len(lost) == 2
    assert lost[0] == lost[1]
    assert study.events(name) == 1


def test_a_tab_that_is_closed_loses_nothing(study: Study, judge: Judge) -> None:
    who, name = judge
    who.context.route("**/api/judgments", lambda route: route.abort("connectionrefused"))
    who.press("1", "2")
    who.saved("waiting")
    item = who.page.url
    assert study.answers(name) == []
    who.page.close()
    who.context.unroute("**/api/judgments")
    who.page = who.tab()
    who.go("/")  # any page of the study sends what waits
    who.page.wait_for_selector("#notices [data-name='script.caught_up']")
    assert who.waiting == []
    assert sorted(study.answers(name)[0].values()) == ["both", "left"]
    assert study.events(name) == 2
    who.page.goto(item)
    assert sorted(who.answers.values()) == ["both", "left"]


def test_an_item_that_is_opened_again_shows_what_waits(study: Study, judge: Judge) -> None:
    who, name = judge
    who.context.route("**/api/judgments", lambda route: route.abort("connectionrefused"))
    who.press("1", "3")
    who.saved("waiting")
    who.page.reload()
    assert sorted(who.answers.values()) == ["left", "right"]
    who.saved("waiting")
    who.context.unroute("**/api/judgments")
    who.saved()
    assert sorted(study.answers(name)[0].values()) == ["left", "right"]
    assert who.notices() in ([], ["script.caught_up"])


def test_a_session_that_has_ended_loses_nothing(study: Study, judge: Judge) -> None:
    who, name = judge
    who.press("1")
    who.saved()
    study.end_sessions()
    who.press("2")
    who.saved("session")
    assert who.notices() == ["script.session_over"]
    assert len(who.waiting) == 1
    # the secret link again, in another tab of the same browser
    other = who.tab()
    other.goto(study.link(name))
    other.keyboard.press("Enter")
    other.wait_for_url(study.origin + "/")
    who.until("!Object.keys(localStorage).some(name => name.includes(':out:'))", other)
    who.page.bring_to_front()
    who.saved()
    assert sorted(study.answers(name)[0].values()) == ["both", "left"]
    assert who.notices() == []
    # the browser itself tells of each 401
    assert all("status of 401" in each for each in who.problems)
    who.problems.clear()


def test_another_judge_at_the_same_browser_does_not_send_it(study: Study, judge: Judge) -> None:
    who, name = judge
    study.end_sessions()
    who.press("1")
    who.saved("session")
    who.problems.clear()
    someone, link = study.invite()
    who.join(link)
    who.page.wait_for_timeout(300)
    assert study.events(someone) == study.events(name) == 0
    assert len(who.waiting) == 1
    who.join(study.link(name))
    who.page.wait_for_selector("#notices [data-name='script.caught_up']")
    assert study.events(name) == 1


def test_the_second_of_two_tabs_is_told(study: Study, judge: Judge) -> None:
    who, name = judge
    second = who.tab()
    second.goto(who.page.url)
    who.page.bring_to_front()
    who.press("1")
    who.saved()
    second.bring_to_front()
    second.wait_for_selector("#notices [data-name='script.other_tab']")
    # it shows what was said in the first, and is no longer behind
    assert second.locator("#questions input:checked").count() == 1
    second.keyboard.press("3")
    second.wait_for_selector("#saved[data-state=saved]")
    assert sorted(study.answers(name)[0].values()) == ["left", "right"]


def test_another_device_is_told_by_the_server(browser: Any, study: Study, judge: Judge) -> None:
    who, name = judge
    with person(browser, study.origin) as elsewhere:
        elsewhere.join(study.link(name))
        elsewhere.page.goto(who.page.url)
        who.press("1", "1")
        who.saved()
        who.page.wait_for_selector("#state[data-state=done]")
        with elsewhere.page.expect_response("**/api/judgments") as reply:
            elsewhere.press("3")
        assert reply.value.status == 409
        elsewhere.page.wait_for_selector("#notices [data-name='script.other_tab']")
        assert list(elsewhere.answers.values()) == ["left", "left"]
        assert set(study.answers(name)[0].values()) == {"left"}
        assert elsewhere.waiting == []
        # the browser itself tells of a 409
        assert len(elsewhere.problems) == 1


def test_many_things_said_at_once_are_sent_in_their_order(study: Study, judge: Judge) -> None:
    who, name = judge
    for _ in range(6):
        who.press("1", "q", "3", "q", "2")
    who.saved()
    who.page.wait_for_selector("#saved[data-n='0']")
    assert study.events(name) == 18
    assert study.answers(name)[0] == who.answers


def test_a_full_disk_is_waited_for(study: Study, judge: Judge) -> None:
    who, name = judge
    replies = iter([503, 500])

    def fail(route: Any) -> None:
        status = next(replies, None)
        if status is None:
            route.continue_()
        else:
            route.fulfill(status=status, json={"error": "storage", "message": "full"})

    who.page.route("**/api/judgments", fail)
    who.press("2")
    who.saved("waiting")
    who.saved()
    assert study.events(name) == 1
    assert all("status of 50" in each for each in who.problems)
    who.problems.clear()


def test_without_locks_one_tab_sends_at_a_time(browser: Any, study: Study) -> None:
    """On a host that is not this machine and without https, browsers have no locks."""
    name, link = study.invite()
    with person(browser, study.origin) as who:
        who.context.add_init_script("Object.defineProperty(navigator, 'locks', {value: undefined})")
        who.join(link)
        who.arrives()
        second = who.tab()
        second.goto(study.origin + "/")
        second.click(".entries li:nth-child(5) a")
        second.wait_for_selector("#questions")
        second.keyboard.press("1")
        who.page.bring_to_front()
        who.press("1", "2")
        who.saved()
        second.wait_for_selector("#saved[data-state=saved]")
        assert study.events(name) == 3
        assert who.waiting == []
        assert who.problems == []


@pytest.mark.parametrize(
    "broken",
    [
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('none') }})",
        "Storage.prototype.setItem = () => { throw new Error('full') }",
    ],
    ids=["none", "full"],
)
def test_a_browser_that_keeps_nothing_is_told_of_and_saves(
    browser: Any, study: Study, broken: str
) -> None:
    name, link = study.invite()
    with person(browser, study.origin) as who:
        who.context.add_init_script(broken)
        who.join(link)
        who.arrives()
        who.press("1", "3")
        who.page.wait_for_selector("#state[data-state=done]")
        assert who.notices() == ["script.no_store"]
        assert sorted(study.answers(name)[0].values()) == ["left", "right"]
        who.arrives()
        assert who.problems == []
