"""What tests of the judging server share: studies, a server process, browsers, PostgreSQL.

A browser here is one connection that sends what the script in a real one sends.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

import pytest

from polyseme.judging import making, passwords, tokens
from polyseme.judging.making import Asked, Content, Intent
from polyseme.judging.moment import Settings
from polyseme.judging.protocol import Refused, said_of
from polyseme.judging.recording import record
from polyseme.judging.shown import Document
from polyseme.judging.store import Store
from polyseme.judging.tokens import Invited

PASSWORD = "correct horse battery staple"
#: made once: it takes a while, which is its point
HASH = passwords.hashed(PASSWORD)
CREATED = 1_700_000_000_000
T = TypeVar("T")


def awaited(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine gives, in a thread of its own: a browser's loop may run in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


# ---- studies ------------------------------------------------------------------------------------


def settings(task: str = "preferences", **more: Any) -> Settings:
    usual = {"title": "A study", "wanted": 15, "seed": 1, "created": CREATED, "password": HASH}
    return Settings(task=task, **{**usual, **more})


def preferences(items: int = 6, topics: int = 3) -> Content:
    """Triplets of a few topics, lists of three documents each."""
    names = [f"t{number % topics}" for number in range(items)]
    runs = [f"run{number:04}" for number in range(items)]
    documents = {
        f"d{number}": Document(f"d{number}", f"Title {number}", f"http://example.org/{number}")
        for number in range(6)
    }
    rankings: dict[tuple[str, str], list[str]] = {}
    for topic, run in zip(names, runs, strict=True):
        rankings[topic, run] = ["d0", "d1", "d2"]
        rankings[topic, "base"] = ["d3", "d4", "d5"]
    return Content(
        topics={f"t{number}": (f"query {number}", "") for number in range(min(topics, items))},
        items=[
            Asked(f"{topic}/{run}/base", topic, runs=(run, "base"))
            for topic, run in zip(names, runs, strict=True)
        ],
        documents=documents,
        rankings=rankings,
    )


def grades(topics: int = 2, documents: int = 3) -> Content:
    """A pool of documents, two intents a topic."""
    names = [f"t{number}" for number in range(topics)]
    docs = {f"d{n}": Document(f"d{n}", f"Title {n}", "") for n in range(documents)}
    return Content(
        topics={name: (f"query of {name}", "described") for name in names},
        intents={name: (Intent("a", "first"), Intent("b", "second")) for name in names},
        items=[Asked(f"{name}/{doc}", name, doc=doc) for name in names for doc in docs],
        documents=docs,
    )


def votes(topics: int = 2) -> Content:
    """Three intents a topic."""
    names = [f"t{number}" for number in range(topics)]
    return Content(
        topics={name: (f"query of {name}", "") for name in names},
        intents={name: tuple(Intent(i, f"intent {i}") for i in "abc") for name in names},
        items=[Asked(name, name) for name in names],
    )


CONTENT = {"preferences": preferences, "grades": grades, "votes": votes}


def invited(study: str, count: int, days: float = 90) -> list[Invited]:
    """New judges of a study."""
    with Store.open(study) as store, store.writing() as moment:
        return tokens.invite(moment, tokens.new_names(moment, count), days)


def make(study: str, content: Content | None = None, judges: int = 0, **said: Any) -> list[Invited]:
    """Make a study and invite judges."""
    held = settings(**said)
    making.make(study, held, CONTENT[held.task]() if content is None else content)
    return invited(study, judges) if judges else []


def answer(
    item: int,
    answers: Mapping[str, object] | None = None,
    *,
    kind: str = "answer",
    revision: int = 0,
    key: str | None = None,
    seconds: float = 1.5,
    **more: object,
) -> dict[str, object]:
    """A body as the script makes it."""
    said: dict[str, object] = {
        "item": item,
        "kind": kind,
        "revision": revision,
        "seconds": seconds,
        "key": key or secrets.token_hex(8),
        **more,
    }
    if kind == "answer":
        said["answers"] = answers or {"relevance": "left", "diversity": "right"}
    return said


def examples(folder: Path, *, made: bool) -> None:
    """What the examples of ``polyseme judge`` speak of, in a folder with a pool and triplets.

    The collection's topics and intents in words, and where they are to be made already the three
    studies with two judges each, the first of whom has said something.
    """
    from polyseme.cli import main

    def run(line: str) -> None:
        words = [str(folder / word) if "." in word else word for word in line.split()]
        main.main(["judge", *words], standalone_mode=False)

    topics, intents = "topic,query\n", "topic,intent,text\n"
    for number in range(1, 31):
        topics += f"{number},query {number}\n"
        intents += f"{number},1,first\n{number},2,second\n"
    (folder / "topics.csv").write_text(topics, encoding="utf-8")
    (folder / "intents.csv").write_text(intents, encoding="utf-8")
    if not made:
        return
    runs = " ".join(f"runs/{path.name}" for path in sorted((folder / "runs").iterdir()))
    run(f"new preferences.study --task preferences --triplets triplets.csv --runs {runs} --quiet")
    run("new again.study --task preferences --triplets triplets.csv --quiet --runs " + runs)
    run("new grades.study --task grades --pool pool.csv --intent-texts intents.csv --quiet")
    run("new votes.study --task votes --intent-texts intents.csv --quiet")
    said: dict[str, Mapping[str, object]] = {
        "preferences": {"relevance": "left", "diversity": "both"},
        "grades": {"1": 2, "2": 0},
        "votes": {"1": 1, "2": 0},
    }
    for task, answers in said.items():
        study = str(folder / f"{task}.study")
        invited(study, 3)
        with Store.open(study) as store, store.writing() as moment:
            for judge in (1, 2):
                body = json.dumps(answer(1, answers)).encode()
                record(moment, judge, said_of(body))
    run("export preferences.study -o answers.csv --quiet")
    run("export preferences.study --what archive -o preferences.jsonl.gz --quiet")


# ---- browsers -----------------------------------------------------------------------------------


@dataclass
class Reply:
    """What a server answers."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Browser:
    """One connection to a server, and one cookie."""

    port: int
    cookie: str = ""
    timeout: float = 30.0
    _connection: http.client.HTTPConnection | None = None

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Send something; errors of the connection are the caller's."""
        sent = {"Cookie": self.cookie} if self.cookie else {}
        if method != "GET":
            sent["Origin"] = self.origin
        sent |= headers or {}
        sent = {name: value for name, value in sent.items() if value}
        if self._connection is None:
            self._connection = http.client.HTTPConnection(
                "127.0.0.1", self.port, timeout=self.timeout
            )
        try:
            self._connection.request(method, path, body, sent)
            reply = self._connection.getresponse()
            held = Reply(reply.status, {k.lower(): v for k, v in reply.getheaders()}, reply.read())
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        if held.headers.get("connection") == "close":
            self.close()
        return held

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def get(self, path: str) -> Reply:
        return self.ask("GET", path)

    def send(self, path: str, content: object) -> Reply:
        return self.ask(
            "POST", path, json.dumps(content).encode(), {"Content-Type": "application/json"}
        )

    def submit(self, path: str, **fields: str) -> Reply:
        """A form; the cookie that comes back is kept."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        reply = self.ask("POST", path, urlencode(fields).encode(), kind)
        if "set-cookie" in reply.headers:
            self.cookie = reply.headers["set-cookie"].partition(";")[0]
        return reply

    def join(self, secret: str) -> Reply:
        return self.submit("/join", token=secret)

    def say(self, item: int, answers: Mapping[str, object] | None = None, **more: Any) -> Reply:
        return self.send("/api/judgments", answer(item, answers, **more))


# ---- servers ------------------------------------------------------------------------------------


@dataclass
class Server:
    """A process that serves a study."""

    study: str
    port: int = 0
    program: Sequence[str] = (sys.executable, "-m", "polyseme")
    options: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    _process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start, and wait until it takes connections."""
        self._process = subprocess.Popen(
            [*self.program, "judge", "serve", self.study, "--port", str(self.port), *self.options],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **self.environment},
        )
        assert self._process.stderr is not None
        first, line = (self._process.stderr.readline() for _ in range(2))
        found = re.search(r"listening at \S+:(\d+);", line)
        if found is None:
            self._process.kill()
            raise AssertionError(first + line + self._process.stderr.read())
        self.port = int(found[1])

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def stop(self, by: int = signal.SIGTERM) -> int:
        """End it, and wait until it has ended."""
        if self._process is None:
            return 0
        process, self._process = self._process, None
        process.send_signal(by)
        status = process.wait(timeout=30)
        assert process.stderr is not None
        process.stderr.close()
        return status

    def browser(self, secret: str | None = None) -> Browser:
        """A browser; with a secret link it has a session."""
        made = Browser(self.port)
        if secret is not None:
            assert made.join(secret).status == 303
        return made


@contextmanager
def serving(study: str, **more: Any) -> Iterator[Server]:
    """Serve a study for the length of a block."""
    server = Server(study, **more)
    server.start()
    try:
        yield server
    finally:
        server.stop()


# ---- PostgreSQL ---------------------------------------------------------------------------------


def _binaries() -> Path | None:
    """Where Debian puts the newest PostgreSQL's programs, or where the path has them."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: len(str(p)))
    if found:
        return found[-1].parent
    named = shutil.which("initdb")
    return None if named is None else Path(named).resolve().parent


@dataclass
class Cluster:
    """A PostgreSQL server of the tests' own, at a socket in a folder of its own."""

    folder: Path
    binaries: Path

    def run(self, program: str, *arguments: str) -> None:
        command = [str(self.binaries / program), *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        done = subprocess.run(
            command,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout

    def start(self) -> None:
        log, data = str(self.folder / "log"), str(self.folder / "data")
        said = f"-c listen_addresses='' -k {self.folder}"
        self.run("pg_ctl", "-D", data, "-l", log, "-o", said, "-w", "start")

    def stop(self, mode: str = "fast") -> None:
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-m", mode, "-w", "stop")

    def database(self) -> str:
        """The URL of a new, empty schema, which takes less time than a database."""
        name = f"study_{secrets.token_hex(4)}"
        sql = f"CREATE SCHEMA {name}"
        self.run("psql", "-h", str(self.folder), "-U", "polyseme", "-d", "postgres", "-qc", sql)
        schema = f"options=-csearch_path%3D{name}"
        return f"postgresql://polyseme@/postgres?host={self.folder}&{schema}"


def cluster() -> Iterator[Cluster]:
    """Start a PostgreSQL server, for a fixture; skip where there is none."""
    binaries = _binaries()
    if binaries is None:
        pytest.skip("PostgreSQL is not installed here: make system-deps")
    if os.geteuid() == 0 and shutil.which("runuser") is None:
        pytest.skip("PostgreSQL does not run as root, and there is no runuser")
    # a socket's path has at most 107 bytes, and pytest's folders are long
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        made = Cluster(folder, binaries)
        data = str(folder / "data")
        made.run("initdb", "-D", data, "-U", "polyseme", "-A", "trust", "-E", "UTF8", "--no-sync")
        made.start()
        try:
            yield made
        finally:
            made.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def many_folders() -> Iterator[Path]:
    """A folder for one of many examples: in memory where that can be, since disks are slow."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


def refusal_of(work: Callable[[], object]) -> str | None:
    """Why something is refused, None where it is done."""
    try:
        work()
    except Refused as refused:
        return refused.error
    return None


def until(condition: Any, seconds: float = 20.0) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came to pass"
        time.sleep(0.02)
