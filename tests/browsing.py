"""Pages read in a real browser: what they ask of the network, and what the console says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Visit:
    """A page that is open, what it asked for, and what went wrong in it."""

    page: Any
    requests: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def far(self) -> list[str]:
        """Addresses asked for that are not on this machine's disk or in the page itself."""
        return [each for each in self.requests if not each.startswith(("file:", "data:", "blob:"))]


@contextmanager
def visiting(browser: Any, path: Path | str, **context: Any) -> Iterator[Visit]:
    """A file, or an address, open in a browser; ``context`` is that of Playwright's."""
    with browser.new_context(**context) as made:
        page = made.new_page()
        visit = Visit(page)
        page.on("request", lambda request: visit.requests.append(request.url))
        page.on("pageerror", lambda error: visit.problems.append(str(error)))
        page.on(
            "console",
            lambda said: (
                visit.problems.append(said.text) if said.type in ("error", "warning") else None
            ),
        )
        page.goto(path.resolve().as_uri() if isinstance(path, Path) else path)
        page.wait_for_load_state("networkidle")
        yield visit


def axe_violations(visit: Visit) -> list[str]:
    """What axe finds, a line each; names of rules and of elements."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(visit.page).response["violations"]
    return [
        f"{each['id']}: {', '.join(str(node['target']) for node in each['nodes'][:5])}"
        for each in found
    ]
