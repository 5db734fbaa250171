"""What pages show, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from polyseme.judging.protocol import Answer

__all__ = [
    "Agreement",
    "Document",
    "Entry",
    "Invitation",
    "ItemView",
    "JudgeView",
    "Judgment",
    "OrganiserView",
    "Progress",
    "Progressed",
    "Question",
]

State = Literal["todo", "started", "done", "cannot", "skipped"]


@dataclass(frozen=True)
class Judgment:
    """What stands at present."""

    revision: int
    state: State
    #: by question, without those that have none; in preferences as the judge sees the page
    answers: Mapping[str, Answer]
    reason: str | None
    seconds: float


@dataclass(frozen=True)
class Entry:
    """One line of a judge's list."""

    item: int
    #: its place in this judge's order, from 1
    number: int
    topic: str
    query: str
    #: the document to grade; None in other tasks
    document: str | None
    state: State


@dataclass(frozen=True)
class JudgeView:
    """A judge's list and progress."""

    judge: str
    title: str
    task: str
    #: in this judge's order, without what as many judges as wanted have taken
    entries: tuple[Entry, ...]
    #: items that are done or cannot be judged
    done: int
    total: int
    #: the item to go on with: the one after the last said, else the first open; None at the end
    next: int | None
    #: the item about which something was said last, for an undo across pages
    last: int | None


@dataclass(frozen=True)
class Progressed:
    """How far a judge is, told with each reply."""

    done: int
    total: int
    next: int | None


@dataclass(frozen=True)
class Document:
    """A document as a list shows it. Title and address are as hostile as they came."""

    doc: str
    title: str
    url: str


@dataclass(frozen=True)
class Question:
    """Something that is asked, in the order for this judge and item."""

    #: ``relevance`` or ``diversity``, whose words are in the catalogue of messages; or an intent
    name: str
    #: an intent's text; empty in preferences
    text: str
    #: what ``answers`` may hold, in the order of the page
    choices: tuple[Answer, ...]


@dataclass(frozen=True)
class ItemView:
    """One item for one judge: stable over reloads."""

    item: int
    number: int
    total: int
    task: str
    topic: str
    query: str
    description: str
    questions: tuple[Question, ...]
    #: in preferences the two lists, sides as drawn for this judge; else empty
    left: tuple[Document, ...]
    right: tuple[Document, ...]
    #: the document to grade; None in other tasks
    document: Document | None
    judgment: Judgment
    #: neighbours in this judge's order
    previous: int | None
    next: int | None


@dataclass(frozen=True)
class Invitation:
    """A secret link that was made; the secret itself is not kept."""

    invitation: int
    created: int
    until: int
    #: when it was revoked
    revoked: int | None


@dataclass(frozen=True)
class Progress:
    """How far one judge is, for the organiser."""

    judge: str
    done: int
    cannot: int
    skipped: int
    started: int
    total: int
    #: when something was said last, milliseconds since 1970
    last: int | None
    #: active seconds of each item that is done
    seconds: tuple[float, ...]
    #: answers as seen on the page: how often each was given
    given: Mapping[Answer, int]
    invitations: tuple[Invitation, ...]


@dataclass(frozen=True)
class Agreement:
    """Krippendorff's alpha of one question's answers; None where undefined."""

    question: str
    alpha: float | None
    without: Mapping[str, float | None]


@dataclass(frozen=True)
class OrganiserView:
    """The whole study as it stands."""

    title: str
    task: str
    created: int
    items: int
    #: judges wanted for each item
    wanted: int
    #: items with as many finished judgments as wanted
    complete: int
    judges: tuple[Progress, ...]
    agreement: tuple[Agreement, ...]
    exports: tuple[str, ...]
