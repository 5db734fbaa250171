"""Hostile documents and titles are read, and do nothing else, in a real browser.

Each attack is made twice: on the pages as they are, where it must fail, and on pages without their
protection, where it must work; else it would prove nothing.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from judging.hostile import DOCUMENTS, TITLES
from judging.studies import new_study, serving
from polyseme.judging import pages, protecting, rendering
from polyseme.judging.documents import Served, Stored
from polyseme.judging.making import Asked, Content
from polyseme.judging.shown import Document


class Far:
    """A host that is not the study's: notes whoever connects."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        self.heard: list[str] = []
        #: how often anybody has connected since the beginning
        self.connections = 0
        #: the last request of a page, whole
        self.asked = ""
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self.heard.append("connection")
            self.connections += 1
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(5)
            try:
                asked = connection.recv(4096)
                self.heard.append(asked.partition(b"\r\n")[0].decode("latin-1"))
                if b"/favicon.ico" not in asked:
                    self.asked = asked.decode("latin-1").lower()
                connection.sendall(
                    b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\n"
                    b"Connection: close\r\n\r\n"
                )
            except OSError:
                return

    def close(self) -> None:
        self._listening.close()


@pytest.fixture(scope="module")
def far() -> Iterator[Far]:
    made = Far()
    yield made
    made.close()


def filled(text: str, far: Far) -> str:
    return text.replace("{far}", far.origin).replace("{ws}", far.origin.replace("http", "ws"))


def hostile_study(folder: Path, far: Far) -> str:
    """One item for each ten documents."""
    documents, rankings, topics, items = {}, {}, {}, []
    names = list(DOCUMENTS)
    held = folder / "hostile"
    held.mkdir()
    for number, name in enumerate(names):
        doc = f"d{number:02}"
        documents[doc] = Document(doc, name, f"https://www.example.org/{doc}")
        page = f"<!doctype html><title>t</title><h1>{doc}</h1>{filled(DOCUMENTS[name], far)}"
        (held / f"{doc}.html").write_text(page, encoding="utf-8")
    docs = list(documents)
    for place in range(0, len(docs), 20):
        topic, some = f"{place}", docs[place : place + 20]
        topics[topic] = ("hostile", "")
        rankings[topic, "a"], rankings[topic, "b"] = some[:10], some[10:] or some[:1]
        items.append(Asked(topic, topic, runs=("a", "b")))
    content = Content(topics, items, documents=documents, rankings=rankings)
    return new_study(folder / "study.db", content=content, documents=str(held))


def raw(document: Stored) -> Served:
    return Served(document.content, "text/html; charset=utf-8")


@contextmanager
def unprotected() -> Iterator[None]:
    """The same pages without policies, and documents as they came."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages.documents, "served", raw)
        patch.setattr(pages.documents, "HEADERS", {})
        patch.setattr(protecting, "HEADERS", {})
        yield


@contextmanager
def judging(browser: Any, study: str) -> Iterator[Any]:
    """A judge's page of the list of items."""
    with serving(study) as served, browser.new_context() as context:
        page = context.new_page()
        page.goto(served.invite("judge01")[0])
        page.click("button.primary")
        page.wait_for_url(served.origin + "/")
        yield page


def effects(page: Any, far: Far, calm: dict[str, Any], popups: list[Any]) -> list[str]:
    """What an attack has done: to the page, to its address, to its storage, to a far host."""
    found = [f"far: {each}" for each in far.heard]
    if page.title() != calm["title"]:
        found.append(f"title: {page.title()}")
    if page.url != calm["url"]:
        found.append(f"page: {page.url}")
    if popups:
        found.append("new window")
    inner = [frame.url for frame in page.frames[1:] if frame.url != "about:blank"]
    if any("/document?" not in url for url in inner):
        found.append(f"frames: {inner}")
    return found


def attacks(page: Any, far: Far, *, sandbox: bool, wait: float) -> dict[str, list[str]]:
    """Open every document in the viewer, and see what it does."""
    found: dict[str, list[str]] = {}
    popups: list[Any] = []
    page.context.on("page", lambda opened: popups.append(opened))
    origin = page.url
    items = page.eval_on_selector_all(".entries a", "all => all.map(a => a.getAttribute('href'))")
    for item in items:
        page.goto(origin + item.lstrip("/"))
        for place in range(page.locator(".result").count()):
            link = page.locator(".result").nth(place)
            name = link.get_attribute("data-title")
            if name in found:
                continue
            calm = {"title": page.title(), "url": page.url}
            popups.clear()
            far.heard.clear()
            if not sandbox:
                page.eval_on_selector("#viewer-frame", "frame => frame.removeAttribute('sandbox')")
            address = link.get_attribute("href")
            with page.expect_response(lambda reply, a=address: a in reply.url):
                link.click()
            deadline = time.monotonic() + wait
            while time.monotonic() < deadline:
                page.wait_for_timeout(60)
                if not sandbox and effects(page, far, calm, popups):
                    break
            found[name] = effects(page, far, calm, popups)
            for popup in page.context.pages[1:]:
                popup.close()
            if found[name]:
                page.goto(origin + item.lstrip("/"))
            else:
                page.keyboard.press("Escape")
    return found


@pytest.mark.slow
def test_documents_do_nothing_but_be_read(browser: Any, tmp_path: Path, far: Far) -> None:
    before = far.connections
    with judging(browser, hostile_study(tmp_path, far)) as page:
        done = attacks(page, far, sandbox=True, wait=0.15)
        page.wait_for_timeout(1000)  # for those that take their time
    assert far.connections == before
    assert len(done) == len(DOCUMENTS) >= 20
    assert {name: effect for name, effect in done.items() if effect} == {}


@pytest.mark.slow
def test_every_document_does_more_where_nothing_protects(
    browser: Any, tmp_path: Path, far: Far
) -> None:
    with unprotected(), judging(browser, hostile_study(tmp_path, far)) as page:
        done = attacks(page, far, sandbox=False, wait=2.5)
    assert sorted(done) == sorted(DOCUMENTS)
    assert ", ".join(name for name, effect in done.items() if not effect) == ""


def alone(page: Any, far: Far, wait: int) -> dict[str, list[str]]:
    """Open every document in a tab of its own, where there is no sandbox around it."""
    found: dict[str, list[str]] = {}
    origin = page.url
    for number, name in enumerate(DOCUMENTS):
        far.heard.clear()
        address = f"{origin}document?doc=d{number:02}"
        page.goto(address, wait_until="commit")
        page.wait_for_timeout(wait)
        found[name] = [f"far: {each}" for each in far.heard]
        if page.title().startswith("owned"):
            found[name].append("title")
        if page.url != address:
            found[name].append(f"page: {page.url}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("protected", [True, False])
def test_documents_do_nothing_in_a_tab_of_their_own(
    browser: Any, tmp_path: Path, far: Far, protected: bool
) -> None:
    around = nullcontext() if protected else unprotected()
    with around, judging(browser, hostile_study(tmp_path, far)) as page:
        done = alone(page, far, wait=100 if protected else 150)
    worked = [name for name, effect in done.items() if effect]
    if protected:
        assert worked == []
    else:
        assert len(worked) >= 20


@pytest.mark.slow
@pytest.mark.parametrize("protected", [True, False])
def test_the_original_is_not_told_where_its_reader_comes_from(
    browser: Any, tmp_path: Path, far: Far, protected: bool
) -> None:
    documents = {"d": Document("d", "title", f"{far.origin}/original")}
    rankings = {("1", "a"): ["d"], ("1", "b"): ["d"]}
    content = Content(
        {"1": ("query", "")},
        [Asked("1", "1", runs=("a", "b"))],
        documents=documents,
        rankings=rankings,
    )
    with judging(browser, new_study(tmp_path / "study.db", content=content)) as page:
        page.goto(page.url + "items/1")
        page.locator(".result").first.click()
        if not protected:
            page.eval_on_selector(
                "#viewer-original", "a => { a.rel = ''; a.referrerPolicy = 'unsafe-url' }"
            )
        far.asked = ""
        with page.context.expect_page() as opened:
            page.click("#viewer-original")
        opened.value.wait_for_load_state()
        assert "get /original" in far.asked
        assert ("referer:" in far.asked) is not protected
        assert opened.value.evaluate("window.opener") is None


# ---- titles -------------------------------------------------------------------------------------


def study_of_titles(folder: Path, **settings: str) -> str:
    """An item for each title: it is the query, the description, and what documents are called."""
    topics, items, documents, rankings = {}, [], {}, {}
    for name, title in TITLES.items():
        topics[name] = (title, title)
        near, far = Document(name, title, title), Document(title, "", f"javascript:{title}")
        documents |= {near.doc: near, far.doc: far}
        rankings[name, "a"], rankings[name, "b"] = [near.doc, far.doc], [far.doc]
        items.append(Asked(name, name, runs=("a", "b")))
    content = Content(topics, items, documents=documents, rankings=rankings)
    return new_study(folder / "study.db", content=content, documents="", **settings)


def owned(page: Any, addresses: list[str]) -> list[str]:
    """The pages on which a title did something."""
    found, origin = [], page.url
    for address in addresses:
        page.goto(origin + address)
        page.mouse.move(300, 200)
        page.wait_for_timeout(30)
        if page.title().startswith("owned"):
            found.append(address)
    return found


def addresses_of(page: Any) -> dict[str, str]:
    """Where each title is shown."""
    return {name: f"items/{number}" for number, name in enumerate(TITLES, 1)}


@pytest.mark.slow
def test_titles_are_text(browser: Any, tmp_path: Path) -> None:
    everywhere = "".join(TITLES.values())
    study = study_of_titles(tmp_path, title=everywhere, guidelines=everywhere)
    with judging(browser, study) as page:
        origin, where = page.url, addresses_of(page)
        assert owned(page, ["", "guidelines", "practice", *where.values()]) == []
        for name, address in where.items():
            page.goto(origin + address)
            assert TITLES[name] in page.locator("h1").inner_text()
            assert page.locator(".result").count() == 3
            assert page.locator(".result .title").nth(0).inner_text() == TITLES[name]
            # nothing but the Web is led to
            assert page.locator("a[href^='javascript' i]").count() == 0
            assert set(
                page.eval_on_selector_all(".result", "all => all.map(a => a.dataset.url)")
            ) == {""}


@pytest.mark.slow
def test_every_title_does_something_where_nothing_is_escaped(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = rendering.environment().overlay(autoescape=False)
    monkeypatch.setattr(rendering, "environment", lambda: bare)
    monkeypatch.setattr(protecting, "HEADERS", {})
    with judging(browser, study_of_titles(tmp_path)) as page:
        where = addresses_of(page)
        done = owned(page, list(where.values()))
    assert len(TITLES) >= 10
    assert [name for name, address in where.items() if address not in done] == []


@pytest.mark.parametrize(
    ("url", "led_to"),
    [
        ("http://example.org/a?b=c#d", True),
        ("https://example.org", True),
        ("HTTPS://EXAMPLE.ORG/", True),
        ("javascript:alert(1)", False),
        ("java\nscript:alert(1)", False),
        (" https://example.org", False),
        ("data:text/html,x", False),
        ("file:///etc/passwd", False),
        ("//example.org", False),
        ("/document?doc=1", False),
        ("mailto:a@example.org", False),
        ("https:///x", False),
        ("http://[", False),
        ("https://example.org/<script>", False),
        ('https://example.org/"', False),
        ("https://example.org\\@far.example", False),
        ("", False),
    ],
)
def test_only_addresses_of_the_web_are_led_to(url: str, led_to: bool) -> None:
    assert rendering.web_address(url) == (url if led_to else "")
