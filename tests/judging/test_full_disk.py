"""A full disk: what cannot be kept is refused, and what was acknowledged stays."""

from __future__ import annotations

import http.client
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from judging import servers
from judging.servers import Browser, Server, serving
from polyseme.judging import checking, schema
from polyseme.judging.store import Store
from polyseme.judging.tokens import Invited

ITEMS = 400
#: no file gets larger than this: like a full disk, for this process alone
LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
from polyseme.cli import main
main()
"""


def fill(browser: Browser) -> tuple[list[int], int]:
    """The items that were acknowledged until one was not, and its status."""
    acknowledged: list[int] = []
    for item in range(1, ITEMS + 1):
        reply = browser.say(item)
        if reply.status != 200:
            return acknowledged, reply.status
        acknowledged.append(item)
    return acknowledged, 0


def kept(place: str) -> set[int]:
    with Store.open(place) as store, store.reading() as moment:
        assert [p for each in checking.check(moment) for p in each.problems] == []
        return set(moment.connection.execute(sa.select(schema.events.c.item)).scalars())


def goes_on(server: Server, invited: Invited, acknowledged: list[int]) -> None:
    """With room again, what was refused is taken."""
    browser = server.browser(invited.secret)
    item = len(acknowledged) + 1
    assert browser.say(item).status == 200
    browser.close()


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of file sizes here")
def test_what_does_not_fit_gets_503_and_loses_nothing_acknowledged(tmp_path: Path) -> None:
    assert resource.RLIMIT_FSIZE
    place = str(tmp_path / "a.study")
    (invited,) = servers.make(place, servers.preferences(ITEMS), judges=1)
    room = os.path.getsize(place) + (200 << 10)
    with serving(place, program=(sys.executable, "-c", LIMITED, str(room))) as server:
        browser = server.browser(invited.secret)
        acknowledged, status = fill(browser)
        assert 5 < len(acknowledged) < ITEMS
        assert status == 503
        # it stays up, and goes on saying so
        again = browser.say(ITEMS)
        assert (again.status, again.json["error"]) == (503, "storage")
        assert int(again.headers["retry-after"]) > 0
        assert browser.get("/api/session").status == 200
        browser.close()
        server.stop(9)
    assert kept(place) == set(acknowledged)
    with serving(place) as server:
        goes_on(server, invited, acknowledged)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with little room; only root can make one."""
    folder = tmp_path / "small"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {made.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_disk_that_is_really_full_is_survived(small_disk: Path) -> None:
    place = str(small_disk / "a.study")
    (invited,) = servers.make(place, servers.preferences(ITEMS), judges=1)
    with serving(place) as server:
        browser = server.browser(invited.secret)
        assert browser.say(ITEMS).status == 200
        ballast = small_disk / "ballast"
        with ballast.open("wb", buffering=0) as stream:
            try:
                while True:
                    stream.write(b"x" * 4096)
            except OSError:
                pass
        acknowledged, status = fill(browser)
        assert (status, len(acknowledged) < ITEMS) == (503, True)
        ballast.unlink()
        # the very connection that was refused
        assert browser.say(len(acknowledged) + 1).status == 200
        browser.close()
    assert kept(place) == {*acknowledged, len(acknowledged) + 1, ITEMS}


def test_a_database_that_goes_away_is_survived(cluster: servers.Cluster) -> None:
    place = cluster.database()
    (invited,) = servers.make(place, servers.preferences(ITEMS), judges=1)
    with serving(place) as server:
        browser = server.browser(invited.secret)
        assert browser.say(1).status == 200
        cluster.stop("immediate")
        try:
            assert browser.say(2).status == 503
            assert browser.get("/api/session").status == 503
        finally:
            cluster.start()
        servers.until(lambda: browser.get("/api/session").status == 200)
        assert browser.say(2).status == 200
        browser.close()
    assert kept(place) == {1, 2}


def test_a_study_that_is_locked_by_another_program_is_waited_for(tmp_path: Path) -> None:
    import sqlite3
    import threading

    place = str(tmp_path / "a.study")
    (invited,) = servers.make(place, judges=1)
    with serving(place) as server:
        browser = server.browser(invited.secret)
        other = sqlite3.connect(place, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        threading.Timer(1.0, lambda: other.execute("COMMIT")).start()
        try:
            assert browser.say(1).status == 200
        except (OSError, http.client.HTTPException):
            pytest.fail("no reply")
        browser.close()
        servers.until(lambda: not other.in_transaction)
        other.close()
    assert kept(place) == {1}
