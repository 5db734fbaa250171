"""A person at a browser: what is on the page, and what went wrong in it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

WIDE = {"width": 1280, "height": 800}
NARROW = {"width": 390, "height": 844}
#: what a browser says of a connection that cannot be made, which is none of the pages' faults
NOT_THERE = ("ERR_CONNECTION_REFUSED", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET")
#: nor of what Playwright itself, for its clock, tries in a sandbox that holds no document yet
OF_TESTS = "Blocked script execution in 'about:blank'"


@dataclass
class Person:
    """A browser context of one person, and its pages."""

    context: Any
    origin: str
    page: Any = None
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page = self.tab()

    def tab(self) -> Any:
        """One more tab."""
        page = self.context.new_page()
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("console", self._hear)
        return page

    def _hear(self, said: Any) -> None:
        expected = (*NOT_THERE, OF_TESTS)
        if said.type in ("error", "warning") and not any(each in said.text for each in expected):
            self.problems.append(said.text)

    @property
    def far(self) -> list[str]:
        """What was asked of anybody but the study."""
        near = (self.origin + "/", "data:", "about:", "blob:")
        return [each for each in self.requests if not each.startswith(near)]

    def go(self, path: str) -> None:
        self.page.goto(self.origin + path)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def join(self, link: str) -> None:
        """Open the secret link and begin, by keyboard."""
        self.page.goto(link)
        self.press("Enter")
        self.page.wait_for_url(self.origin + "/")

    def sign_in(self, password: str) -> None:
        """As the organiser."""
        self.go("/organiser")
        # the page puts the keyboard there itself, when it gets to it
        self.page.wait_for_selector("[name=password]:focus")
        self.page.keyboard.type(password)
        self.press("Enter")
        self.page.wait_for_selector("#live")

    def saved(self, state: str = "saved") -> None:
        """Wait until the page says so."""
        self.page.wait_for_selector(f"#saved[data-state={state}]", timeout=15_000)

    def until(self, holds: str, page: Any = None, seconds: float = 15.0) -> None:
        """Wait until an expression holds. (Playwright's own way is held back by the policy.)"""
        page = page or self.page
        end = time.monotonic() + seconds
        while not page.evaluate(holds):
            assert time.monotonic() < end, f"never: {holds}"
            page.wait_for_timeout(50)

    def arrives(self, press: str = "Enter") -> None:
        """Press a key that leads to another page."""
        with self.page.expect_navigation(timeout=15_000):
            self.press(press)

    @property
    def answers(self) -> dict[str, str]:
        """What is chosen on the page."""
        found: dict[str, str] = self.page.eval_on_selector_all(
            "#questions input:checked", "all => Object.fromEntries(all.map(i => [i.name, i.value]))"
        )
        return found

    @property
    def waiting(self) -> list[str]:
        """What is in the outbox."""
        found: list[str] = self.page.evaluate(
            "Object.keys(localStorage).filter(name => name.includes(':out:'))"
        )
        return found

    def notices(self) -> list[str]:
        """What the page tells, by the names of messages."""
        found: list[str] = self.page.eval_on_selector_all(
            "#notices .notice", "all => all.map(each => each.dataset.name)"
        )
        return found


@contextmanager
def person(browser: Any, origin: str, **context: Any) -> Iterator[Person]:
    """Somebody new, whom no page knows yet."""
    with browser.new_context(**{"viewport": WIDE, **context}) as made:
        yield Person(made, origin)
