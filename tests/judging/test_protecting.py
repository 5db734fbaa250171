"""What a server takes from whom: hosts, origins, sizes, guesses, sessions, others' data."""

from __future__ import annotations

import asyncio
import gzip
import http.client
import io
import json
import os
import re
import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.routing import Route

from judging import servers
from judging.servers import PASSWORD, Browser, Server, serving
from polyseme.judging import organising, pages, passwords, routes, tokens
from polyseme.judging.protecting import Guesses
from polyseme.judging.protocol import LARGEST_BODY, Refused, said_of
from polyseme.judging.store import Store


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> str:
    place = str(tmp_path_factory.mktemp("protected") / "a.study")
    servers.make(place, servers.preferences(30))
    return place


@pytest.fixture(scope="module")
def server(study: str) -> Iterator[Server]:
    with serving(study) as running:
        yield running


@pytest.fixture
def anybody(server: Server) -> Iterator[Browser]:
    """A browser without a session; guesses are counted for each address."""
    browser = server.browser()
    yield browser
    browser.close()


@pytest.fixture
def judge(server: Server, study: str) -> Iterator[Browser]:
    """A new judge's browser."""
    browser = server.browser(servers.invited(study, 1)[0].secret)
    yield browser
    browser.close()


# ---- origins and hosts --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin",
    ["", "null", "http://evil.example", "http://127.0.0.1", "https://127.0.0.1:{port}"],
)
def test_what_does_not_come_from_a_page_of_this_server_changes_nothing(
    judge: Browser, origin: str
) -> None:
    sent = {"Origin": origin.format(port=judge.port)}
    for path in ("/api/judgments", "/join", "/leave", "/organiser/login", "/language"):
        reply = judge.ask("POST", path, json.dumps(servers.answer(1)).encode(), sent)
        assert (reply.status, reply.json["error"]) == (403, "origin")
    assert judge.get("/api/session").status == 200


def test_every_route_that_changes_something_asks_for_the_origin(judge: Browser) -> None:
    posts = [
        re.sub(r"\{\w+(:\w+)?\}", "1", route.path)
        for route in [*routes.ROUTES, *pages.ROUTES]
        if isinstance(route, Route) and route.methods and "POST" in route.methods
    ]
    assert len(posts) >= 8
    for path in posts:
        assert judge.ask("POST", path, b"", {"Origin": "http://evil.example"}).status == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "evil.example:{port}", "a b"])
def test_a_server_answers_by_its_own_name_only(anybody: Browser, host: str) -> None:
    reply = anybody.ask("GET", "/", headers={"Host": host.format(port=anybody.port)})
    assert reply.status in (400, 403)


def test_other_methods_are_not_answered(judge: Browser) -> None:
    for method in ("PUT", "DELETE", "PATCH", "TRACE"):
        assert judge.ask(method, "/api/judgments", b"").status in (403, 405)


# ---- sizes --------------------------------------------------------------------------------------


def memory_of(pid: int) -> int:
    """The most memory that a process ever had, in bytes."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text("ascii"))
    assert found is not None
    return int(found[1]) << 10


def raw(server: Server, head: bytes, pieces: Iterator[bytes]) -> bytes:
    """Send bytes until the server will have no more, and read what it says."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as place:
        try:
            place.sendall(head)
            for piece in pieces:
                place.sendall(piece)
        except (BrokenPipeError, ConnectionResetError):
            pass
        heard = b""
        try:
            while got := place.recv(1 << 16):
                heard += got
        except ConnectionResetError:
            pass
        return heard


def head_of(server: Server, *lines: str) -> bytes:
    usual = ("POST /api/judgments HTTP/1.1", f"Host: 127.0.0.1:{server.port}")
    origin = f"Origin: http://127.0.0.1:{server.port}"
    return "\r\n".join((*usual, origin, *lines, "", "")).encode()


needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no /proc here")


@needs_proc
def test_200_mb_are_refused_in_the_memory_for_a_small_body(server: Server, judge: Browser) -> None:
    before = memory_of(server.pid)
    declared = raw(server, head_of(server, f"Content-Length: {200 << 20}"), iter([b"x" * 1000]))
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    chunked = raw(server, head_of(server, "Transfer-Encoding: chunked"), iter([chunk] * 3200))
    for heard in (declared, chunked):
        assert heard == b"" or b" 413 " in heard.splitlines()[0]
    assert b" 413 " in declared
    assert memory_of(server.pid) - before < 20 << 20
    assert judge.say(1).status == 200


@needs_proc
def test_a_gzip_bomb_is_refused_without_a_look_inside(server: Server, judge: Browser) -> None:
    bomb = io.BytesIO()
    with gzip.GzipFile(fileobj=bomb, mode="wb") as packed:
        for _ in range(60):
            packed.write(b"\0" * (1 << 20))
    before = memory_of(server.pid)
    reply = judge.ask(
        "POST", "/api/judgments", bomb.getvalue()[:60_000], {"Content-Encoding": "gzip"}
    )
    assert (reply.status, reply.json["error"]) == (415, "compressed")
    assert memory_of(server.pid) - before < 5 << 20


@pytest.mark.parametrize("length", ["-1", "1e3", "٣", "99999999999999999999", "0x10"])
def test_odd_lengths_are_refused(server: Server, length: str) -> None:
    heard = raw(server, head_of(server, f"Content-Length: {length}"), iter([b"{}"]))
    assert heard.split(b" ")[1] in (b"400", b"413")


def test_the_largest_body_is_taken_and_one_byte_more_is_not(judge: Browser) -> None:
    said = json.dumps(servers.answer(1)).encode()
    fits = said + b" " * (LARGEST_BODY - len(said))
    assert judge.ask("POST", "/api/judgments", fits).status == 200
    assert judge.ask("POST", "/api/judgments", fits + b" ").status == 413


# ---- guesses ------------------------------------------------------------------------------------


def request_from(address: str) -> Request:
    return Request({"type": "http", "client": (address, 1), "headers": []})


class Guesser:
    """Guesses from addresses, at a clock that stands still until it is set."""

    def __init__(self, addresses: int = 10_000) -> None:
        self.now = 1000.0
        self.wait: int | None = None
        self.guesses = Guesses(clock=lambda: self.now, addresses=addresses)

    async def one(self, address: str, *, right: bool = False) -> Refused | None:
        try:
            async with self.guesses.one(request_from(address)):
                await asyncio.sleep(0)
                if not right:
                    raise Refused("session", "wrong")
        except Refused as refused:
            return refused
        return None

    def guess(self, *addresses: str, right: bool = False) -> list[str | None]:
        """Guess from all these addresses at the same time."""

        async def together() -> list[Refused | None]:
            return await asyncio.gather(*(self.one(each, right=right) for each in addresses))

        found = servers.awaited(together())
        self.wait = next((each.wait for each in found if each and each.wait), None)
        return [None if each is None else each.error for each in found]


def test_after_ten_wrong_guesses_an_address_waits_a_minute() -> None:
    guesser = Guesser()
    for _ in range(10):
        assert guesser.guess("192.0.2.1") == ["session"]
        guesser.now += 1
    assert guesser.guess("192.0.2.1", right=True) == ["often"]
    assert guesser.wait == 50
    assert guesser.guess("192.0.2.2", right=True) == [None]
    guesser.now += 50
    assert guesser.guess("192.0.2.1", right=True) == [None]


def test_wrong_guesses_at_the_same_time_are_counted_one_by_one() -> None:
    found = Counter(Guesser().guess(*["192.0.2.1"] * 30))
    assert found == {"session": 10, "often": 20}


def test_right_guesses_at_the_same_time_are_all_right() -> None:
    assert Guesser().guess(*["192.0.2.1"] * 30, right=True) == [None] * 30


def test_addresses_of_one_ipv6_network_count_as_one_and_memory_is_bounded() -> None:
    guesser = Guesser(addresses=100)
    guesser.guess(*(f"2001:db8::{number:x}" for number in range(10)))
    assert guesser.guess("2001:db8::ffff", right=True) == ["often"]
    assert guesser.guess("2001:db8:0:1::1", right=True) == [None]
    guesser.guess(*(f"10.0.{number // 256}.{number % 256}" for number in range(1000)))
    assert len(guesser.guesses._known) == 100


def test_wrong_links_and_passwords_are_counted_and_answers_never_are(tmp_path: Path) -> None:
    place = str(tmp_path / "a.study")
    (invited,) = servers.make(place, servers.preferences(30), judges=1)
    with serving(place) as server:
        known = server.browser(invited.secret)
        anybody = server.browser()
        for number in range(5):
            assert anybody.join("wrong").status == 401
            assert anybody.submit("/organiser/login", password="wrong").status == 401
            assert known.say(number + 1).status == 200
        limited = anybody.join("wrong")
        assert limited.status == 429
        assert 0 < int(limited.headers["retry-after"]) <= 60
        assert anybody.submit("/organiser/login", password=PASSWORD).status == 429
        assert anybody.get("/join/wrong").status == 429
        # whoever has a session goes on, and so do answers that are refused for what they say
        for number in range(5, 30):
            assert known.say(number + 1).status == 200
            assert known.say(number + 1).status == 409
        for browser in (known, anybody):
            browser.close()


# ---- sessions -----------------------------------------------------------------------------------


def test_a_secret_link_begins_a_session_whose_cookie_no_script_and_no_other_site_gets(
    server: Server, study: str
) -> None:
    browser = server.browser()
    reply = browser.join(servers.invited(study, 1)[0].secret)
    assert (reply.status, reply.headers["location"]) == (303, "/")
    cookie = reply.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/" in cookie
    assert "domain" not in cookie
    assert browser.get("/api/session").status == 200
    browser.close()


def test_over_https_the_cookie_is_sent_over_https_only(tmp_path: Path) -> None:
    place = str(tmp_path / "a.study")
    (invited,) = servers.make(place, judges=1)
    options = ("--origin", "https://study.example.org")
    with serving(place, options=options) as server:
        browser = server.browser()
        body, kind = f"token={invited.secret}".encode(), "application/x-www-form-urlencoded"
        sent = {"Host": "study.example.org", "Content-Type": kind}
        assert browser.ask("POST", "/join", body, sent).status == 403
        sent["Origin"] = "https://study.example.org"
        cookie = browser.ask("POST", "/join", body, sent).headers["set-cookie"]
        assert cookie.startswith("__Host-")
        assert "Secure" in cookie
        browser.close()


@pytest.mark.parametrize("cookie", ["", "polyseme=", "polyseme=wrong", "polyseme=%00", "x=y; =;;"])
def test_without_a_session_nothing_is_kept(anybody: Browser, cookie: str) -> None:
    anybody.cookie = cookie
    assert anybody.say(1).status == 401
    assert anybody.get("/api/items/1").status == 401
    assert anybody.get("/api/session").status == 401


def test_a_revoked_link_ends_its_session_at_once_and_begins_none(
    server: Server, study: str
) -> None:
    (invited,) = servers.invited(study, 1)
    browser = server.browser(invited.secret)
    assert browser.say(1).status == 200
    with Store.open(study) as store, store.writing() as moment:
        tokens.revoke(moment, invited.invitation)
    assert browser.say(2).status == 401
    assert browser.get("/api/items/1").status == 401
    assert browser.join(invited.secret).status == 401
    browser.close()


def test_links_and_sessions_end_when_their_time_is_over(place: str) -> None:
    now = servers.CREATED
    servers.make(place)
    with Store.open(place, clock=lambda: now) as store:
        with store.writing() as moment:
            (invited,) = tokens.invite(moment, ["judge01"], days=3)
            session, until = tokens.join(moment, invited.secret)
        assert until == now + 3 * tokens.DAY
        now = until - 1
        with store.writing() as moment:
            assert tokens.asking(moment, session) is not None
            assert tokens.join(moment, invited.secret)
        now = until
        with store.writing() as moment:
            assert tokens.asking(moment, session) is None
            assert tokens.invited(moment, invited.secret) is None
            with pytest.raises(Refused, match="expired"):
                tokens.join(moment, invited.secret)


def test_leaving_ends_the_session(judge: Browser) -> None:
    before = judge.cookie
    assert judge.submit("/leave").status == 303
    judge.cookie = before
    assert judge.get("/api/session").status == 401


def test_nothing_in_a_study_lets_its_reader_open_links(study: str) -> None:
    (invited,) = servers.invited(study, 1)
    with Store.open(study) as store:
        with store.writing() as moment:
            session, _ = tokens.join(moment, invited.secret)
        content = b"".join(
            Path(study + s).read_bytes() for s in ("", "-wal") if os.path.exists(study + s)
        )
    assert invited.judge.encode() in content
    for secret in (invited.secret, session, PASSWORD):
        assert secret.encode() not in content


def test_secrets_are_32_random_bytes(study: str) -> None:
    secrets = {each.secret for each in servers.invited(study, 20)}
    assert len(secrets) == 20
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{43}", each) for each in secrets)


def test_the_password_is_kept_by_argon2_and_a_new_one_ends_old_sessions(tmp_path: Path) -> None:
    place = str(tmp_path / "a.study")
    servers.make(place)
    assert servers.HASH.startswith("$argon2id$")
    with serving(place) as server:
        organiser = server.browser()
        assert organiser.submit("/organiser/login", password=PASSWORD).status == 303
        assert organiser.get("/organiser/export/answers").status == 200
        with Store.open(place) as store, store.writing() as moment:
            passwords.set_password(moment, "another password")
        assert organiser.get("/organiser/export/answers").status == 401
        assert organiser.submit("/organiser/login", password=PASSWORD).status == 401
        assert organiser.submit("/organiser/login", password="another password").status == 303
        organiser.close()


# ---- other people's data ------------------------------------------------------------------------


def every_get() -> list[str]:
    return [
        route.path
        for route in [*routes.ROUTES, *pages.ROUTES]
        if isinstance(route, Route) and route.methods and "GET" in route.methods
    ]


def test_a_judge_reads_nothing_of_another_on_any_route(tmp_path: Path) -> None:
    place = str(tmp_path / "a.study")
    servers.make(place, servers.preferences(4))
    with Store.open(place) as store, store.writing() as moment:
        one, other = tokens.invite(moment, ["Marlowe", "Quixote"], 9)
    with serving(place) as server:
        mine, theirs = server.browser(one.secret), server.browser(other.secret)
        for item in range(1, 5):
            theirs.say(item, kind="cannot", reason="mumbo jumbo", seconds=4321.25)
        marks = ("Quixote", other.secret, "mumbo jumbo", "4321")
        fills: list[dict[str, Any]] = [
            {"item": str(n), "token": one.secret, "what": what, "name": "judging.js"}
            for n, what in ((0, "answers"), (1, "relevance"), (4, "archive"), (5, "nothing"))
        ]
        seen = 0
        for path in every_get():
            for fill in fills:
                filled = re.sub(r"\{(\w+)(?::\w+)?\}", lambda m, f=fill: f.get(m[1], "1"), path)
                reply = mine.get(filled)
                seen += reply.status == 200
                text = reply.body.decode("utf-8", "replace")
                assert not [mark for mark in marks if mark in text], filled
                if "/organiser" in path:
                    assert reply.status != 200 or b"password" in reply.body, filled
        assert seen > 20
        # and changes nothing either
        assert mine.say(1).json["revision"] == 1
        for path in ("invitations", "invitations/2/revoke", "judges/Quixote/release"):
            assert mine.send(f"/api/organiser/{path}", {}).status == 401
        assert theirs.get("/api/session").json["judge"] == "Quixote"
        control = theirs.get("/api/items/1").body.decode()
        assert "mumbo jumbo" in control
        for browser in (mine, theirs):
            browser.close()


def test_the_organiser_is_no_judge_and_a_judge_no_organiser(server: Server, judge: Browser) -> None:
    organiser = server.browser()
    assert organiser.submit("/organiser/login", password=PASSWORD).status == 303
    assert organiser.say(1).status == 401
    assert organiser.get("/api/items/1").status == 401
    assert judge.get("/organiser/export/archive").status == 401
    organiser.close()


# ---- what the organiser does over the network ---------------------------------------------------


def test_the_organiser_invites_revokes_releases_and_exports(tmp_path: Path) -> None:
    place = str(tmp_path / "a.study")
    servers.make(place, wanted=1)
    with serving(place) as server:
        organiser = server.browser()
        organiser.submit("/organiser/login", password=PASSWORD)
        made = organiser.send("/api/organiser/invitations", {"judges": 2, "days": 9}).json
        one, two = made["invitations"]
        assert (one["judge"], two["judge"]) == ("judge01", "judge02")
        judge = server.browser(one["path"].removeprefix("/join/"))
        assert judge.say(1, {"relevance": "left"}).status == 200
        again = organiser.send("/api/organiser/invitations", {"judge": "judge01", "days": 1}).json
        assert [each["judge"] for each in again["invitations"]] == ["judge01"]
        released = organiser.send("/api/organiser/judges/judge01/release", {}).json
        assert released == {"released": 1}
        revoked = organiser.send(f"/api/organiser/invitations/{one['invitation']}/revoke", {})
        assert revoked.json == {"revoked": 1}
        assert judge.get("/api/session").status == 401
        answers = organiser.get("/organiser/export/answers")
        assert answers.headers["content-disposition"] == 'attachment; filename="answers.csv"'
        assert answers.body.startswith(b"judge,item,question,answer,")
        wrong: list[dict[str, Any]] = [{"judges": 0}, {"judges": "2"}, {"days": -1}, {"days": True}]
        wrong += [{"judges": organising.MOST_JUDGES + 1}, {"judge": "nobody"}]
        for fields in wrong:
            status = organiser.send("/api/organiser/invitations", fields).status
            assert status in (400, 404), fields
        for path in ("invitations/99/revoke", "judges/nobody/release"):
            assert organiser.send(f"/api/organiser/{path}", {}).status == 404
        assert organiser.get("/organiser/export/nothing").status == 404
        for browser in (organiser, judge):
            browser.close()


# ---- bodies -------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*servers.answer(1), "reason", "more"]), JSON))
def test_any_json_is_understood_or_refused(changed: dict[str, object]) -> None:
    body = json.dumps({**servers.answer(1), **changed}).encode()
    assert servers.refusal_of(lambda: said_of(body)) in (None, "malformed")


@given(st.binary(max_size=200))
def test_any_bytes_are_understood_or_refused(body: bytes) -> None:
    assert servers.refusal_of(lambda: said_of(body)) == "malformed"


@pytest.mark.parametrize(
    "change",
    [
        {"seconds": -1},
        {"seconds": 86_401},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
        {"seconds": True},
        {"seconds": "1"},
        {"revision": -1},
        {"revision": 1.0},
        {"revision": True},
        {"item": None},
        {"key": "short"},
        {"key": "a" * 65},
        {"key": "with space"},
        {"kind": "release"},
        {"kind": "import"},
        {"answers": []},
        {"answers": {"relevance": ["left"]}},
        {"reason": "no reason with answers"},
        {"judge": 2},
    ],
)
def test_what_is_not_as_the_protocol_has_it_is_refused(change: dict[str, object]) -> None:
    body = json.dumps({**servers.answer(1), **change}).encode()
    assert servers.refusal_of(lambda: said_of(body)) == "malformed"


@pytest.mark.parametrize("reason", ["", "  ", "x" * 2001, "nul \0", "half \ud800", 7, None])
def test_a_reason_is_a_text_that_any_database_can_hold(reason: object) -> None:
    body = json.dumps(servers.answer(1, kind="cannot", reason=reason)).encode()
    assert servers.refusal_of(lambda: said_of(body)) == "malformed"


def test_deeply_nested_json_is_refused() -> None:
    assert servers.refusal_of(lambda: said_of(b"[" * 60_000)) == "malformed"


def test_a_body_that_ends_too_soon_keeps_nothing(server: Server, judge: Browser) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    said = json.dumps(servers.answer(2)).encode()
    connection.putrequest("POST", "/api/judgments")
    for name, value in (("Cookie", judge.cookie), ("Origin", judge.origin)):
        connection.putheader(name, value)
    connection.putheader("Content-Length", str(len(said)))
    connection.endheaders(said[:-5])
    connection.close()
    assert judge.get("/api/items/2").json["judgment"]["revision"] == 0
