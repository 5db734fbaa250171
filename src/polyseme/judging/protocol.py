"""What the script in the browser and the server say to each other.

**One address takes all that a judge says**: ``POST /api/judgments`` with a JSON body of at most
64 KiB, ``Content-Type: application/json``, the session's cookie, and the ``Origin`` that browsers
send by themselves::

    {"item": 17,                  the item's number, as the page has it
     "kind": "answer",            answer | cannot | skip | undo
     "key": "0f8c...",            idempotency key: 8 to 64 letters, digits, - or _, new for each
                                  thing said, and the same each time it is sent again
     "revision": 3,               the revision of the judgment that the page is based on; 0: none
     "seconds": 12.5,             active seconds since the last thing said about this item that was
                                  saved (hidden tabs and two idle minutes left out); 0 to 86400
     "answers": {"relevance": "left", "diversity": null},     with kind answer
     "reason": "the document is empty"}                       with kind cannot, 1 to 2000 letters

``answers`` is the whole state of the item's questions and replaces what was there; a question that
is null or left out has no answer (yet). Answers are ``"left"``, ``"right"`` or ``"both"`` (both
irrelevant) *as the judge sees the page* in preferences; 0, 1 or 2 for each intent in grades; 0 or 1
for each intent in votes, where an item is done when every intent has one and one of them is 1.

``cannot``: the judge cannot judge this item, and has finished with it. ``skip``: not now; the
answers stay what they were. ``undo`` takes back the last thing said about the item that was not
taken back before; its answers become what they were before it.

**200** comes only after the commit::

    {"item": 17, "revision": 4, "state": "started", "answers": {"relevance": "left",
     "diversity": null}, "reason": null, "seconds": 30.0, "repeated": false,
     "done": 12, "total": 1127, "next": 18}

``state`` is ``todo`` (nothing), ``started`` (some questions), ``done``, ``cannot`` or ``skipped``;
``seconds`` is the sum for the item. ``repeated`` says that this key had been saved before: the
reply is that of the first time but for ``done``, ``total`` and ``next`` (an item to go on with, or
null), which are of now. So whoever hears nothing sends the same body again until there is a
reply.

**Anything else saved nothing**: ``{"error": "stale", "message": "..."}``, the message in English
for a log, never for the judge. What the script shall do:

========================  =======================================================================
400 ``malformed``         the body is not as above: an error of the script; drop and tell
401 ``session``           no session, an expired or a revoked one: keep what is unsent, have the
                          judge open the secret link again, send on
403 ``origin``            not from a page of this server: keep, as if the server were away
404 ``item``              no such item for this judge: drop
409 ``stale``             the judgment is at another revision than the page (a second tab):
                          ``judgment`` is the present one, ``{"revision", "state", "answers",
                          "reason", "seconds"}``; show it and say that the other tab was first
409 ``taken``             the lease ran out and as many judges as wanted have the item: drop, tell
409 ``nothing``           nothing to undo
413 ``large``             the body is too large: drop
415 ``compressed``        bodies are not compressed (``Content-Encoding``)
422 ``key``               the key was used for something else: an error of the script
429 ``often``             wait for ``Retry-After`` seconds (tokens and passwords only, never here)
503 ``storage``           not saved (the disk is full, the database is away); ``Retry-After``
5xx, no reply             send the same body again, after 1, 2, 4 ... 30 seconds
========================  =======================================================================

Things said about one item are sent one after another, each with the revision that the reply before
gave; about several items in any order.

**Items**: ``GET /api/items/{item}`` is :class:`~polyseme.judging.shown.ItemView` as JSON, and
leases the item to the judge, as the page of the item does
(``store.write(views.open_item, judge, item)``); 404 ``item``, 409 ``taken``. Opening it again, or
saying something about it, renews the lease.
``GET /api/session`` is ``{"judge": "judge03", "until": 1767225600000}`` or 401.

A practice item is a page only: it has the item number 0 and is never sent.

**Sessions**. A secret link is ``/join/TOKEN``; its page shows who it is for and has a form
``POST /join`` with the field ``token`` (a form, since the cookie is SameSite=Strict and links are
opened by mail programs too): 303 to ``/`` with the cookie, 401 where the token is wrong, expired or
revoked, 429 after ten wrong ones a minute. ``POST /leave`` ends the session: 303 to ``/``.

**The organiser**: ``POST /organiser/login`` with the field ``password``: 303 to ``/organiser``,
401, 429. ``POST /organiser/leave``. With that session, all JSON:

* ``POST /api/organiser/invitations`` ``{"judges": 3, "days": 90}``, or ``{"judge": "judge03",
  "days": 90}`` for a new link for one who is there: 200 ``{"invitations": [{"invitation": 5,
  "judge": "judge03", "path": "/join/...", "until": ...}]}``. Links are shown this once: only their
  hashes are kept.
* ``POST /api/organiser/invitations/5/revoke`` ``{}``: 200 ``{"revoked": 5}``; sessions end too.
* ``POST /api/organiser/judges/NAME/release`` ``{}``: what the judge has leased or only begun is
  given to others: 200 ``{"released": 4}``.
* ``GET /organiser/export/WHAT``: a file to save; WHAT is one of ``tasks.of(name).exports``.

**Pages** get the frozen values of :mod:`~polyseme.judging.shown` by functions of a
:class:`~polyseme.judging.moment.Moment`: ``await store.read(views.judge_view, judge)``,
``await store.write(views.open_item, judge, item)`` (leases), ``views.is_document(doc)`` for the
viewer of documents, ``organising.organiser_view``, ``tokens.invited(secret)`` for the page of a
link. In a handler of a GET, ``request.state.judge`` is a :class:`~polyseme.judging.tokens.Asking`
or None, and ``request.state.organiser`` a bool; ``request.app.state.store`` is the store and
``store.settings`` are the study's. ``pages.ROUTES`` is mounted after the routes of this page.
Whatever a handler raises as :class:`Refused` becomes the JSON above under ``/api/``; elsewhere
``pages.refused(request, refused)`` renders it.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

LARGEST_BODY = 64 << 10
LONGEST_REASON = 2000
LONGEST_SECONDS = 86_400
Kind = Literal["answer", "cannot", "skip", "undo"]
KINDS: tuple[str, ...] = get_args(Kind)
#: what a judge says of one question; its meaning hangs on the task
Answer = str | int
Answers = Mapping[str, Answer]

_KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")
#: whole numbers are less: all that speak JSON hold these, and all databases
LARGEST_NUMBER = 2**53

STATUS = {
    "malformed": 400,
    "session": 401,
    "origin": 403,
    "item": 404,
    "stale": 409,
    "taken": 409,
    "nothing": 409,
    "large": 413,
    "compressed": 415,
    "key": 422,
    "often": 429,
    "storage": 503,
}


class Refused(Exception):
    """Something that is not done, with what the client is told."""

    def __init__(
        self, error: str, message: str, *, wait: int | None = None, **more: object
    ) -> None:
        super().__init__(message)
        self.error = error
        self.message = message
        self.status = STATUS[error]
        #: seconds after which it may be tried again
        self.wait = wait
        self.more = more

    def body(self) -> dict[str, object]:
        """What is sent."""
        return {"error": self.error, "message": self.message, **self.more}


@dataclass(frozen=True)
class Said:
    """One thing that a judge says about an item."""

    item: int
    kind: Kind
    key: str
    revision: int
    #: active time in milliseconds
    ms: int
    answers: Answers
    reason: str | None

    @property
    def digest(self) -> str:
        """The same for the same thing said again."""
        return hashlib.sha256(canonical(vars(self)).encode()).hexdigest()


def canonical(value: object) -> str:
    """JSON that is the same text for the same value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def said_of(body: bytes) -> Said:
    """What a body says; refused where it is not as the protocol has it."""
    try:
        found = json.loads(body.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Refused("malformed", "the body is no JSON in UTF-8") from None
    if not isinstance(found, dict):
        raise Refused("malformed", "the body is no JSON object")
    kind = found.pop("kind", None)
    if kind not in KINDS:
        raise Refused("malformed", f"kind must be one of {', '.join(KINDS)}")
    key = found.pop("key", None)
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise Refused("malformed", "key must be 8 to 64 letters, digits, - or _")
    said = Said(
        item=_whole(found, "item"),
        kind=kind,
        key=key,
        revision=_whole(found, "revision"),
        ms=_milliseconds(found.pop("seconds", None)),
        answers=_answers(found.pop("answers", None), kind),
        reason=_reason(found.pop("reason", None), kind),
    )
    if found:
        raise Refused("malformed", f"unknown fields: {', '.join(sorted(found))[:200]}")
    return said


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _whole(found: dict[str, Any], name: str) -> int:
    value = found.pop(name, None)
    if type(value) is not int or not 0 <= value < LARGEST_NUMBER:
        raise Refused("malformed", f"{name} must be a whole number from 0")
    return value


def _milliseconds(value: object) -> int:
    if (
        not isinstance(value, int | float)
        or isinstance(value, bool)
        or not (math.isfinite(value) and 0 <= value <= LONGEST_SECONDS)
    ):
        raise Refused("malformed", f"seconds must be a number from 0 to {LONGEST_SECONDS}")
    return round(value * 1000)


def _answers(value: object, kind: Kind) -> Answers:
    if kind != "answer":
        if value is not None:
            raise Refused("malformed", f"there are no answers with kind {kind}")
        return {}
    if not isinstance(value, dict):
        raise Refused("malformed", "answers must be an object")
    for answer in value.values():
        if answer is not None and type(answer) not in (str, int):
            raise Refused("malformed", "an answer must be a text, a whole number or null")
    return {name: answer for name, answer in value.items() if answer is not None}


def _reason(value: object, kind: Kind) -> str | None:
    if kind != "cannot":
        if value is not None:
            raise Refused("malformed", f"there is no reason with kind {kind}")
        return None
    if not isinstance(value, str) or not 0 < len(value.strip()) <= LONGEST_REASON:
        raise Refused("malformed", f"reason must be a text of 1 to {LONGEST_REASON} letters")
    if not storable(value):
        raise Refused("malformed", "reason holds letters that cannot be stored")
    return value.strip()


def storable(text: str) -> bool:
    """Can every database hold it? Not NUL, nor halves of surrogate pairs."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text
