"""Judges who answer everything while the server is killed again and again, and what they then miss.

Each judge answers each item once, and sends an answer again, unchanged, until it is acknowledged.
Now and then one submits twice, or hangs up before the reply. At the end the study must hold just
what was acknowledged.
"""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa

from judging.servers import Browser, Server, answer
from polyseme.judging import checking, schema
from polyseme.judging.store import Store
from polyseme.judging.tokens import Invited

CHOICES = ("left", "both", "right")


@dataclass
class Hammered:
    """What happened."""

    kills: int = 0
    #: how often a reply did not come
    unheard: int = 0
    #: by judge and key: what was sent
    acknowledged: dict[tuple[str, str], dict[str, object]] = field(default_factory=dict)
    #: what no server should answer
    strange: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


class Hammer:
    """Some judges at work on one server."""

    def __init__(self, server: Server, invited: Sequence[Invited], items: int, seed: int) -> None:
        self._server, self._items, self._seed = server, items, seed
        self._browsers = {each.judge: server.browser(each.secret) for each in invited}
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self.found = Hammered()

    def run(self, kills: int = 0, *, give_up_after: float = 900.0) -> Hammered:
        """Have everything answered, killing the server that often, at random moments."""
        threads = [
            threading.Thread(target=self._judge, args=(name, number))
            for number, name in enumerate(self._browsers)
        ]
        for thread in threads:
            thread.start()
        chance = random.Random(self._seed)
        end = time.monotonic() + give_up_after
        whole = self._items * len(self._browsers)
        try:
            for moment in sorted(chance.uniform(0.01, 0.97) * whole for _ in range(kills)):
                while len(self.found.acknowledged) < moment and time.monotonic() < end:
                    time.sleep(chance.uniform(0.0, 0.01))
                self._server.stop(9)
                self.found.kills += 1
                self._server.start()
            while any(thread.is_alive() for thread in threads) and time.monotonic() < end:
                time.sleep(0.05)
        finally:
            self._stopped.set()
            for thread in threads:
                thread.join()
            for browser in self._browsers.values():
                browser.close()
        return self.found

    def _judge(self, name: str, number: int) -> None:
        chance = random.Random(self._seed * 1000 + number)
        browser = self._browsers[name]
        for item in chance.sample(range(1, self._items + 1), self._items):
            said = answer(
                item,
                {"relevance": chance.choice(CHOICES), "diversity": chance.choice(CHOICES)},
                key=f"{number}-{item}-{chance.getrandbits(40):x}",
                seconds=chance.randrange(1000) / 10,
            )
            # some are sent twice, and of some the first reply is never heard
            extra = chance.random()
            if not self._sent(browser, name, said, lost=extra < 0.03):
                return
            if extra > 0.97:
                self._sent(browser, name, said)

    def _sent(
        self, browser: Browser, name: str, said: dict[str, object], *, lost: bool = False
    ) -> bool:
        """Send until there is a reply; False where all is over."""
        while not self._stopped.is_set():
            begin = time.perf_counter()
            try:
                if lost:
                    lost = False
                    self._hang_up(browser, said)
                reply = browser.send("/api/judgments", said)
            except (OSError, http.client.HTTPException):
                with self._lock:
                    self.found.unheard += 1
                time.sleep(0.03)
                continue
            if reply.status == 200:
                with self._lock:
                    self.found.seconds.append(time.perf_counter() - begin)
                    self.found.acknowledged[name, str(said["key"])] = said
                return True
            if reply.status < 500:
                with self._lock:
                    self.found.strange.append(f"{name}: {reply.status} {reply.body!r}")
                return True
            time.sleep(0.03)
        return False

    def _hang_up(self, browser: Browser, said: dict[str, object]) -> None:
        """Send, and go away before the reply."""
        other = Browser(browser.port, browser.cookie)
        connection = http.client.HTTPConnection("127.0.0.1", other.port, timeout=10)
        headers = {"Cookie": other.cookie, "Origin": other.origin}
        connection.request("POST", "/api/judgments", json.dumps(said).encode(), headers)
        connection.close()


def missing_and_extra(study: str, found: Hammered) -> list[str]:
    """How what a study holds differs from what was acknowledged; nothing, one should hope."""
    problems = list(found.strange)
    with Store.open(study) as store, store.reading() as moment:
        problems += [p for each in checking.check(moment) for p in each.problems]
        events, judges = schema.events.c, schema.judges.c
        rows = moment.connection.execute(
            sa.select(schema.events, judges.name).join(schema.judges, judges.judge == events.judge)
        ).all()
    held = {(row.name, row.key): row for row in rows}
    times = Counter((row.name, row.item) for row in rows)
    for key, said in found.acknowledged.items():
        row = held.get(key)
        if row is None:
            problems.append(f"acknowledged and lost: {key}")
        elif (row.item, row.ms) != (
            said["item"],
            round(float(str(said["seconds"])) * 1000),
        ) or json.loads(row.answers) != said["answers"]:
            problems.append(f"kept otherwise than sent: {key}")
    problems += [f"kept and never acknowledged: {key}" for key in held.keys() - found.acknowledged]
    problems += [f"kept {count} times: {key}" for key, count in times.items() if count > 1]
    return problems
