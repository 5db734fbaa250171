"""Every page in Chromium: what can be done there, by whom, how it is read, and what it asks for."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from browsing import Visit, axe_violations
from judging.persons import NARROW, WIDE, Person, person
from judging.servers import PASSWORD, Browser
from judging.studies import Serving, new_study, serving

pytestmark = pytest.mark.slow
TASKS = ("preferences", "grades", "votes")
FIRST = {"preferences": "1", "grades": "2", "votes": "y"}
Enter = Callable[..., Person]


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Serving]]:
    """A study of each task, served."""
    folder = tmp_path_factory.mktemp("pages")
    with ExitStack() as stack:
        yield {
            task: stack.enter_context(serving(new_study(folder / f"{task}.db", task, wanted=99)))
            for task in TASKS
        }


@pytest.fixture
def enter(browser: Any, studies: dict[str, Serving]) -> Iterator[Enter]:
    """Somebody new at the list of a study's items; at the end nothing has gone wrong."""
    with ExitStack() as stack:
        entered: list[Person] = []

        def come(task: str = "preferences", **context: Any) -> Person:
            served = studies[task]
            who = stack.enter_context(person(browser, served.origin, **context))
            # somebody whom no test before this one has been
            who.join(served.invite(f"judge-{secrets.token_hex(8)}")[0])
            entered.append(who)
            return who

        yield come
        for who in entered:
            assert who.problems == []
            assert who.far == []


# ---- all pages, both widths ---------------------------------------------------------------------


def states(who: Person, task: str) -> Iterator[str]:
    """Go from page to page as a judge does, and stop at each for a look."""
    page = who.page
    yield "list"
    who.go("/guidelines")
    yield "guidelines"
    who.go("/practice")
    yield "practice"
    who.go("/")
    who.arrives()
    yield "item"
    who.press(FIRST[task])
    who.saved()
    yield "item begun"
    who.press("?")
    yield "help"
    who.press("Escape", "c")
    yield "can't judge"
    who.press("Escape")
    if task == "preferences":
        page.locator(".result").first.click()
        page.frame_locator("#viewer-frame").locator("h1").wait_for()
        yield "viewer"
        who.press("Escape")
    who.press("c")
    who.arrives()
    who.go("/")
    yield "list begun"
    who.go("/nothing-here")
    yield "no such page"


def looked_at(who: Person, name: str) -> None:
    """What holds of every page, once colours no longer change."""
    who.until("document.getAnimations().every(each => each.playState === 'finished')")
    violations = axe_violations(Visit(who.page))
    assert violations == [], name
    wide = who.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], f"{name}: scrolls sideways"
    assert who.page.title().strip(), name
    assert who.page.locator("h1").count() == 1, name
    assert who.page.evaluate("document.documentElement.lang") in ("en", "ja")


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("task", TASKS)
def test_pages_of_judges_are_for_everybody(enter: Enter, task: str, size: dict[str, int]) -> None:
    who = enter(task, viewport=size)
    for name in states(who, task):
        looked_at(who, name)
    # the browser itself tells of a page that is not there
    assert [each for each in who.problems if "404" not in each] == []
    who.problems.clear()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_in_japanese_and_in_both_schemes(enter: Enter, scheme: str) -> None:
    who = enter(viewport=WIDE, locale="ja-JP", color_scheme=scheme)
    for address in ("/", "/guidelines", "/practice"):
        who.go(address)
        looked_at(who, address)
        assert who.page.evaluate("document.documentElement.lang") == "ja"
        assert re.search(r"[\u3040-\u30ff]", who.page.locator("main").inner_text())


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_pages_of_the_organiser_are_for_everybody(
    browser: Any, studies: dict[str, Serving], size: dict[str, int]
) -> None:
    for task, served in studies.items():
        with person(browser, served.origin, viewport=size) as who:
            who.go("/")
            looked_at(who, "welcome")
            who.page.goto(served.invite(f"somebody-{size['width']}")[0])
            looked_at(who, "join")
            who.go("/organiser")
            looked_at(who, "login")
            who.sign_in(PASSWORD)
            looked_at(who, f"organiser of {task}")
            who.page.fill("[name=judges]", "2")
            who.page.click("#invite button")
            who.page.wait_for_selector(".links-made li:nth-child(2)")
            looked_at(who, "links")
            assert who.problems == []
            assert who.far == []


# ---- answering ----------------------------------------------------------------------------------


def test_two_keys_answer_a_question_at_most_and_it_is_saved_at_once(enter: Enter) -> None:
    who = enter()
    who.arrives()
    assert who.page.locator("#saved").get_attribute("data-state") == "quiet"
    who.press("1")
    who.saved()
    assert who.page.locator("#saved").inner_text() == "Saved"
    assert list(who.answers.values()) == ["left"]
    who.press("2")
    who.page.wait_for_selector("#state[data-state=done]")
    assert list(who.answers.values()) == ["left", "both"]
    before = who.page.url
    who.arrives()
    assert who.page.url != before
    assert who.page.locator("#progress-text").inner_text() == "1 of 10 done"


def test_answers_and_sides_are_the_same_when_a_page_is_opened_again(enter: Enter) -> None:
    who = enter()
    who.arrives()
    lists = who.page.locator(".title").all_inner_texts()
    questions = who.page.locator("legend").all_inner_texts()
    who.press("1", "3")
    who.page.wait_for_selector("#state[data-state=done]")
    chosen = who.answers
    who.page.reload()
    assert who.answers == chosen
    assert who.page.locator(".title").all_inner_texts() == lists
    assert who.page.locator("legend").all_inner_texts() == questions


def test_undo_takes_back_one_thing_after_the_other_also_of_the_item_before(enter: Enter) -> None:
    who = enter()
    who.arrives()
    first = who.page.url
    who.press("1", "3")
    who.page.wait_for_selector("#state[data-state=done]")
    who.press("u")
    who.page.wait_for_selector("#state[data-state=started]")
    assert list(who.answers.values()) == ["left"]
    who.press("2")
    who.page.wait_for_selector("#state[data-state=done]")
    assert list(who.answers.values()) == ["left", "both"]
    who.arrives()
    who.arrives("u")  # nothing was said here: back, and undone there
    assert who.page.url == first
    who.page.wait_for_selector("#state[data-state=started]")
    assert list(who.answers.values()) == ["left"]


def test_an_item_that_cannot_be_judged_has_a_reason(enter: Enter) -> None:
    who = enter()
    who.arrives()
    item = who.page.url
    who.press("c")
    who.page.get_by_label("Another reason").check()
    who.page.get_by_label("In your words (optional)").fill("the lists are the same")
    who.page.get_by_role("button", name="Mark as can't judge").click()
    who.page.wait_for_url(lambda url: url != item)
    who.page.goto(item)
    assert who.page.locator("#state").inner_text() == "Can't judge"
    assert who.page.locator("#said-reason").inner_text() == "the lists are the same"
    # it counts as finished, and an answer still replaces it
    assert who.page.locator("#progress-text").inner_text() == "1 of 10 done"
    who.press("1", "1")
    who.page.wait_for_selector("#state[data-state=done]")
    assert not who.page.locator("#said").is_visible()


def test_skipping_leads_on_and_the_list_tells(enter: Enter) -> None:
    who = enter()
    who.arrives()
    item = who.page.url
    who.press("s")
    who.page.wait_for_url(lambda url: url != item)
    who.arrives("l")
    assert who.page.locator(".entries .state[data-state=skipped]").count() == 1
    who.page.select_option("#show-state", "skipped")
    assert who.page.locator(".entries li:visible").count() == 1
    who.page.locator(".entries li:visible a").click()
    who.page.wait_for_url(item)


def test_the_next_item_is_not_reached_with_an_open_question(enter: Enter) -> None:
    who = enter()
    who.arrives()
    item = who.page.url
    who.press("1", "Enter")
    assert who.notices() == ["item.unfinished"]
    assert who.page.url == item
    # the keyboard is at the question that is open
    assert who.page.evaluate("document.activeElement.name") not in who.answers


def test_an_item_is_begun_anywhere_in_the_list(enter: Enter) -> None:
    who = enter()
    who.page.click(".entries li:nth-child(7) a")
    who.page.wait_for_selector("#questions")
    assert "Item 7 of 10" in who.page.locator(".place").inner_text()
    who.arrives("p")
    assert "Item 6 of 10" in who.page.locator(".place").inner_text()


def test_questions_are_answered_with_tab_and_arrows_as_in_any_form(enter: Enter) -> None:
    who = enter("grades")
    who.arrives()
    who.page.locator("#questions input").first.focus()
    who.press("Space", "ArrowRight")
    who.saved()
    assert list(who.answers.values()) == ["1"]
    who.press("Tab", "Space")
    who.until("document.querySelectorAll('#questions input:checked').length === 2")
    # keys work while the focus is on an answer
    who.press("0")
    who.until("document.querySelectorAll('#questions input:checked')[1].value === '0'")


def test_every_part_of_an_item_is_reached_with_tab(enter: Enter) -> None:
    who = enter()
    who.arrives()
    reached = set()
    at = "document.activeElement"
    for _ in range(60):
        who.press("Tab")
        reached.add(who.page.evaluate(f"{at}.id || {at}.className"))
        # of an answer the frame around it; past the last element there is only the body
        seen = f"getComputedStyle({at}).outlineStyle !== 'none'"
        assert who.page.evaluate(f"{seen} || {at}.matches('.choice input, body')"), reached
    wanted = {"skip-link", "brand", "result", "undo", "cannot-button", "skip", "next"}
    assert {*wanted, "help-button"} <= reached


def test_what_a_screen_reader_says_of_an_item(enter: Enter) -> None:
    who = enter()
    who.arrives()
    page = who.page
    assert page.get_by_role("heading", level=1).inner_text().startswith("Query")
    assert page.get_by_role("region", name="Left").get_by_role("listitem").count() == 10
    assert page.get_by_role("region", name="Right").get_by_role("link").count() == 10
    groups = page.get_by_role("group", name=re.compile("relevant to the query|satisfy more"))
    assert groups.count() == 2
    assert groups.first.get_by_role("radio").count() == 3
    assert page.get_by_role("status").count() == 1
    assert page.get_by_role("progressbar", name="0 of 10 done").count() == 1
    who.press("1")
    who.saved()
    assert page.get_by_role("status").inner_text() == "Saved"


def test_single_keys_can_be_turned_off(enter: Enter) -> None:
    who = enter()
    who.arrives()
    who.press("?")
    who.page.get_by_label("Single-key shortcuts are on").uncheck()
    who.press("Escape", "1")
    assert who.answers == {}
    who.page.reload()
    who.press("1")
    assert who.answers == {}


def test_votes_need_one_yes(enter: Enter) -> None:
    who = enter("votes")
    who.arrives()
    who.press("n", "n", "n", "n")
    who.page.wait_for_selector("#notices [data-name='votes.one']")
    assert who.page.locator("#next").get_attribute("aria-disabled") == "true"
    who.press("q", "y")
    who.page.wait_for_selector("#state[data-state=done]")
    assert who.notices() == []
    who.arrives()


def test_practice_is_not_saved(enter: Enter) -> None:
    for task in TASKS:
        who = enter(task)
        who.go("/practice")
        who.press(FIRST[task])
        assert len(who.answers) == 1
        assert who.page.locator("#saved").inner_text() == "Practice: not saved"
        who.press("u")
        assert who.answers == {}
        for _ in range(who.page.locator(".question").count()):
            who.press(FIRST[task])
        who.arrives()
        assert who.page.url == who.origin + "/"
        assert "/api/judgments" not in "".join(who.requests)


# ---- documents ----------------------------------------------------------------------------------


def test_a_document_opens_beside_the_lists_and_the_keys_come_back(enter: Enter) -> None:
    who = enter()
    who.arrives()
    name = who.page.locator(".result").first.get_attribute("data-title")
    who.page.locator(".result").first.click()
    frame = who.page.frame_locator("#viewer-frame")
    assert re.match(r"[\w-]+-\d\d", frame.locator("h1").inner_text())
    assert who.page.locator("#viewer-title").inner_text() == name
    original = who.page.locator("#viewer-original")
    assert original.get_attribute("href").startswith("https://www.example.org/")
    assert original.get_attribute("rel") == "noopener noreferrer"
    # keys do not answer behind the document
    who.press("1")
    assert who.answers == {}
    who.press("Escape")
    assert who.page.locator("#viewer").is_hidden()
    who.press("1")
    assert len(who.answers) == 1


def test_keys_answer_after_a_click_into_the_document(enter: Enter) -> None:
    who = enter("grades")
    who.arrives()
    who.page.frame_locator("#document-frame").locator("h1").click()
    who.page.wait_for_timeout(100)
    who.press("2")
    who.saved()
    assert list(who.answers.values()) == ["2"]


def test_frames_of_documents_have_a_sandbox_without_exceptions(enter: Enter) -> None:
    for task in ("preferences", "grades"):
        who = enter(task)
        who.arrives()
        assert who.page.locator("iframe").get_attribute("sandbox") == ""
        assert who.page.locator("iframe").get_attribute("referrerpolicy") == "no-referrer"


# ---- time ---------------------------------------------------------------------------------------


def seconds_said(who: Person, key: str) -> float:
    with who.page.expect_response("**/api/judgments") as reply:
        who.press(key)
    who.page.wait_for_selector("#saved[data-n='0']")
    return float(reply.value.request.post_data_json["seconds"])


def test_only_active_time_counts(enter: Enter) -> None:
    who = enter()
    who.page.clock.install()
    who.arrives()
    page = who.page
    for x in range(3):
        page.clock.run_for(20_000)
        page.mouse.move(100 + x, 300)
    assert 60 <= seconds_said(who, "1") < 75
    # nobody there for ten minutes
    page.clock.run_for(5_000)
    page.mouse.move(200, 300)
    page.clock.run_for(600_000)
    page.mouse.move(210, 300)
    page.clock.run_for(3_000)
    assert 8 <= seconds_said(who, "2") < 25
    # just under two minutes of thought count
    page.clock.run_for(110_000)
    assert 110 <= seconds_said(who, "3") < 125


def test_time_in_another_tab_does_not_count(enter: Enter) -> None:
    who = enter()
    who.page.clock.install()
    who.arrives()
    page = who.page
    page.clock.run_for(10_000)
    seen = "Object.defineProperty(document, 'hidden', {configurable: true, get: () => %s});"
    seen += "document.dispatchEvent(new Event('visibilitychange'))"
    page.evaluate(seen % "true")
    page.clock.run_for(60_000)
    page.evaluate(seen % "false")
    page.clock.run_for(10_000)
    assert 20 <= seconds_said(who, "1") < 35


def test_time_before_anything_was_said_is_kept_for_the_next_visit(enter: Enter) -> None:
    who = enter()
    who.page.clock.install()
    who.arrives()
    who.page.clock.run_for(50_000)
    who.page.mouse.move(300, 300)
    who.page.reload()
    who.page.clock.run_for(10_000)
    assert 60 <= seconds_said(who, "1") < 75


# ---- languages, links, the organiser ------------------------------------------------------------


def test_the_language_is_chosen_and_remembered(enter: Enter) -> None:
    who = enter()
    who.go("/guidelines")
    who.page.click(".languages button[lang=ja]")
    who.page.wait_for_selector("html[lang=ja]")
    assert who.page.url == who.origin + "/guidelines"
    who.go("/")
    assert who.page.locator("h1").inner_text() == "判定する項目"
    who.page.click(".languages button[lang=en]")
    who.page.wait_for_selector("html[lang=en]")


def test_a_link_that_does_not_work_says_what_to_do(
    browser: Any, studies: dict[str, Serving]
) -> None:
    served = studies["preferences"]
    with person(browser, served.origin) as who:
        who.go("/join/" + "x" * 43)
        assert who.page.locator("h1").inner_text() == "This link does not work"
        who.go("/items/1")
        assert who.page.locator("h1").inner_text() == "Please open your secret link"
        who.go("/organiser")
        who.page.fill("[name=password]", "not the password")
        who.press("Enter")
        who.page.wait_for_selector("[role=alert].notice")
        assert who.page.locator("main [role=alert]").inner_text() == "That is not the password."


def test_leaving_ends_the_session(enter: Enter) -> None:
    who = enter()
    who.page.get_by_role("button", name="Leave").click()
    who.page.wait_for_selector("h1:has-text('Please open your secret link')")


def test_the_organiser_invites_revokes_and_sees_the_study_live(
    browser: Any, studies: dict[str, Serving]
) -> None:
    served = studies["preferences"]
    with person(browser, served.origin) as organiser, person(browser, served.origin) as judge:
        organiser.page.clock.install()
        organiser.sign_in(PASSWORD)
        organiser.page.click("#invite button")
        link = organiser.page.locator(".links-made input").input_value()
        name = organiser.page.locator(".links-made strong").inner_text()
        judge.join(link)
        judge.arrives()
        judge.press("1", "3")
        judge.page.wait_for_selector("#state[data-state=done]")
        organiser.page.clock.run_for(21_000)
        row = organiser.page.locator(f"#live tr:has(th:text-is('{name}'))")
        row.locator("text=1 / 10").wait_for()
        assert row.locator("svg[role=img]").count() == 1
        # what was just made is still there, the table of links after a reload
        assert organiser.page.locator(".links-made input").input_value() == link
        organiser.page.reload()
        organiser.page.on("dialog", lambda dialog: dialog.accept())
        organiser.page.get_by_role("button", name=f"Revoke the link of {name}").click()
        organiser.page.wait_for_selector("#notices [data-name='script.show_revoked']")
        judge.press("u")
        judge.saved("session")
        organiser.page.reload()
        revoked = organiser.page.locator(f"section:has(#invite-title) tr:has(th:text-is('{name}'))")
        assert "revoked" in revoked.inner_text()
        assert organiser.problems == []


def test_judges_do_not_see_the_organisers_page_nor_what_others_said(enter: Enter) -> None:
    first, second = enter(), enter()
    first.arrives()
    first.press("1", "1")
    first.page.wait_for_selector("#state[data-state=done]")
    second.page.goto(first.page.url)
    assert second.answers == {}
    assert second.page.locator("#state").inner_text() == "To do"
    second.go("/organiser")
    assert second.page.locator("h1").inner_text() == "For the organiser"


def test_policies_are_strict(studies: dict[str, Serving]) -> None:
    served = studies["grades"]
    browser = Browser(served.port)
    assert browser.join(served.invite("headers")[0].rpartition("/")[2]).status == 303
    for path in ("/", "/guidelines", "/practice", "/items/1", "/organiser"):
        headers = browser.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"
    document = browser.get("/document?doc=jaguar-00")
    assert document.status == 200
    assert document.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    for doc in ("../secret", "..%2fsecret", "nothing", "/etc/passwd", ""):
        assert browser.get(f"/document?doc={doc}").status == 404
    browser.cookie = ""
    assert browser.get("/document?doc=jaguar-00").status == 401
    browser.close()


@pytest.mark.parametrize(
    ("back", "to"),
    [
        ("/guidelines", "/guidelines"),
        ("//far.example", "/"),
        ("/\\far.example", "/"),
        ("https://far.example", "/"),
        ("/a\r\nSet-Cookie: x=y", "/"),
        ("", "/"),
    ],
)
def test_choosing_a_language_leads_back_and_nowhere_else(
    studies: dict[str, Serving], back: str, to: str
) -> None:
    browser = Browser(studies["votes"].port)
    reply = browser.submit("/language", language="ja", back=back)
    assert (reply.status, reply.headers["location"]) == (303, to)
    browser.close()


HUGE = "9" * 30
NONSENSE = {
    "/items/abc": 404,
    "/items/-1": 404,
    "/items/0": 404,
    f"/items/{HUGE}": 404,
    f"/items/{2**63}": 404,
    f"/api/items/{HUGE}": 404,
    "/items/1%00": 404,
    "/document": 404,
    "/document?doc=%00": 404,
    "/document?doc=%ff%fe": 404,
    "/document?doc=%ED%A0%80": 404,
    "/document?doc=" + "a" * 5000: 404,
    "/static/": 404,
    "/static/..%2f..%2fpages.py": 404,
    "/join/%ff": 401,
    "/join/%00": 401,
    "/organiser/export/nothing": 401,
    "/practice?x=%ff": 200,
    "//": 404,
}


@pytest.mark.parametrize("path", NONSENSE, ids=lambda path: path[:24])
def test_nonsense_is_refused_in_words(studies: dict[str, Serving], path: str) -> None:
    served = studies["grades"]
    browser = Browser(served.port)
    browser.join(served.invite("nonsense")[0].rpartition("/")[2])
    reply = browser.get(path)
    assert reply.status == NONSENSE[path]
    assert "Traceback" not in reply.body.decode()
    assert browser.get("/").status == 200
    browser.close()


@pytest.mark.parametrize("accepted", ["x" * 5000, "ja;q=nan", "en;q=inf,ja;q=-1", ";;,,=q"])
def test_any_header_is_answered(studies: dict[str, Serving], accepted: str) -> None:
    browser = Browser(studies["votes"].port)
    reply = browser.ask("GET", "/", headers={"Accept-Language": accepted, "Cookie": "language=<x>"})
    assert reply.status == 200
    browser.close()
