"""A made-up item of each task, to try the pages with. It has the number 0 and is never sent."""

from __future__ import annotations

from polyseme.judging import tasks
from polyseme.judging.messages import Say
from polyseme.judging.shown import Document, ItemView, Judgment, Question

#: numbers of made-up documents in each list
LEFT, RIGHT = (1, 2, 3), (4, 1, 5)
DOCUMENTS = range(1, 6)
INTENTS = range(1, 4)
_NOTHING = Judgment(revision=0, state="todo", answers={}, reason=None, seconds=0.0)


def practice_item(task: str, t: Say) -> ItemView:
    """The practice item, in the judge's language."""
    kind = tasks.of(task)
    asked = [(name, "") for name in kind.questions] or [
        (f"{number}", t(f"practice.intent.{number}")) for number in INTENTS
    ]
    compared = task == "preferences"
    return ItemView(
        item=0,
        number=0,
        total=0,
        task=task,
        topic="",
        query=t("practice.query"),
        description="" if compared else t("practice.description"),
        questions=tuple(Question(name, text, kind.choices) for name, text in asked),
        left=tuple(_document(number, t) for number in LEFT) if compared else (),
        right=tuple(_document(number, t) for number in RIGHT) if compared else (),
        document=_document(1, t) if task == "grades" else None,
        judgment=_NOTHING,
        previous=None,
        next=None,
    )


def _document(number: int, t: Say) -> Document:
    url = f"https://www.example.org/jaguar/{number}"
    return Document(f"practice:{number}", t(f"practice.title.{number}"), url)


def practice_text(doc: str, t: Say) -> tuple[str, str] | None:
    """Title and text of a made-up document."""
    for number in DOCUMENTS:
        if doc == f"practice:{number}":
            return t(f"practice.title.{number}"), t(f"practice.text.{number}")
    return None
