"""Small studies of each task, and a server of one that runs beside the test."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from judging.servers import HASH
from polyseme.judging import tokens
from polyseme.judging.app import application
from polyseme.judging.making import Asked, Content, Intent, make
from polyseme.judging.moment import Settings, now
from polyseme.judging.shown import Document
from polyseme.judging.store import Store

GUIDELINES = """\
# How to judge

You see a **query** and two lists of results. Compare the lists *as a whole*.

1. Look at the titles and addresses.
2. Open documents where you need to.
3. Answer both questions.

See [the paper](https://example.org/paper) for why.
"""
QUERIES = ["jaguar", "zeppelin", "office chairs", "東京 ラーメン", "python", "mercury", "apollo 11"]
QUERIES += ["java coffee beans", "mustang", "dinosaurs", "obama family tree", "kiwi"]
PLACES = ["history and facts", "buy online", "official site", "news and pictures", "a guide"]


def documents_of(query: str, count: int, titles: Mapping[int, str] | None = None) -> list[Document]:
    """Documents with titles such as a search engine shows, some long, one without a title."""
    found = []
    for number in range(count):
        title = f"{query.title()}: {PLACES[number % 5]}" + (f" ({number})" if number > 4 else "")
        if number == 3:
            title += " from the collection of the national museum and its partners in the world"
        if number == 7:
            title = ""
        title = (titles or {}).get(number, title).strip()
        slug = query.replace(" ", "-")
        url = f"https://www.example.org/{slug}/{PLACES[number % 5].replace(' ', '-')}/{number}.html"
        found.append(Document(f"{slug}-{number:02}", title, url))
    return found


def preferences(count: int = 10, titles: Mapping[int, str] | None = None) -> Content:
    """``count`` topics, each with two lists of ten out of sixteen documents."""
    queries = [QUERIES[n % len(QUERIES)] + f" {n}" * (n >= len(QUERIES)) for n in range(count)]
    topics: dict[str, tuple[str, str]] = {}
    rankings: dict[tuple[str, str], list[str]] = {}
    documents: dict[str, Document] = {}
    items: list[Asked] = []
    for number, query in enumerate(queries, 1):
        topic = f"{number}"
        topics[topic] = (query, "")
        held = documents_of(query, 16, titles)
        documents |= {each.doc: each for each in held}
        rankings[topic, "first"] = [each.doc for each in held[:10]]
        rankings[topic, "second"] = [each.doc for each in held[6:16]]
        items.append(Asked(f"{topic}:first:second", topic, runs=("first", "second")))
    return Content(topics, items, documents=documents, rankings=rankings)


INTENTS = [
    Intent("1", "the animal: how and where it lives"),
    Intent("2", "the make of cars: models and prices"),
    Intent("3", "the American football team of Jacksonville"),
    Intent("4", "the aeroplane"),
]


def grades(topics: int = 2, documents: int = 3) -> Content:
    """Topics with four intents, each with some documents to grade."""
    about = "What different people may want."
    queries = {f"{n}": (QUERIES[n - 1], about) for n in range(1, topics + 1)}
    held = {name: documents_of(query, documents) for name, (query, _) in queries.items()}
    return Content(
        queries,
        [
            Asked(f"{topic}:{each.doc}", topic, doc=each.doc)
            for topic, those in held.items()
            for each in those
        ],
        intents=dict.fromkeys(queries, INTENTS),
        documents={each.doc: each for those in held.values() for each in those},
    )


def votes(topics: int = 3) -> Content:
    """Topics whose intents are voted on."""
    queries = {f"{n}": (QUERIES[n - 1], "") for n in range(1, topics + 1)}
    items = [Asked(topic, topic) for topic in queries]
    return Content(queries, items, intents=dict.fromkeys(queries, INTENTS))


CONTENTS = {"preferences": preferences, "grades": grades, "votes": votes}


def write_documents(folder: Path, content: Content, text: str = "") -> Path:
    """A folder with a page for each document."""
    folder.mkdir(exist_ok=True)
    for each in content.documents.values():
        body = text or "".join(f"<p>{n}. What is to be known of {each.doc}.</p>" for n in range(40))
        page = f"<!doctype html><title>{each.doc}</title><h1>{each.doc}</h1>{body}"
        (folder / f"{each.doc}.html").write_text(page, encoding="utf-8")
    return folder


def new_study(
    path: Path, task: str = "preferences", content: Content | None = None, **settings: object
) -> str:
    """A study with documents, guidelines and a password."""
    made = CONTENTS[task]() if content is None else content
    folder = path.with_suffix(".documents")
    if made.documents and "documents" not in settings:
        write_documents(folder, made)
    given = {
        "title": "A study of two lists" if task == "preferences" else f"A study of {task}",
        "task": task,
        "wanted": 3,
        "seed": 7,
        "created": now(),
        "guidelines": GUIDELINES if task == "preferences" else "",
        "documents": str(folder) if made.documents else "",
        "password": HASH,
        **settings,
    }
    make(str(path), Settings(**given), made)  # type: ignore[arg-type]
    return str(path)


@dataclass
class Serving:
    """A study that is served."""

    study: str
    port: int
    store: Store

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def invite(self, *judges: str, days: float = 1) -> list[str]:
        """Addresses of secret links."""
        with self.store.writing() as moment:
            return [self.origin + each.path for each in tokens.invite(moment, judges, days)]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def serving(study: str, port: int | None = None) -> Iterator[Serving]:
    """Serve a study from a thread until the block ends."""
    port = port or free_port()
    with Store.open(study) as store:
        app = application(store, [f"http://127.0.0.1:{port}"])
        config = uvicorn.Config(
            app, host="127.0.0.1", port=port, log_level="warning", lifespan="off"
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
        thread.start()
        for _ in range(500):
            if server.started:
                break
            threading.Event().wait(0.02)
        assert server.started
        try:
            yield Serving(study, port, store)
        finally:
            server.should_exit = True
            server.force_exit = True
            thread.join(20)
            app.state.documents.close()
