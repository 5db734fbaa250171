"""What judges and the organiser see."""

from __future__ import annotations

import asyncio
from collections import Counter

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from polyseme.judging import dashboard, documents, organising, tokens, views
from polyseme.judging.messages import LANGUAGES
from polyseme.judging.practice import practice_item, practice_text
from polyseme.judging.protocol import Refused
from polyseme.judging.rendering import (
    STATIC,
    environment,
    language_of,
    markdown,
    render,
    speaker,
    static_file,
)
from polyseme.judging.routes import form_of, judge_of, number_of, store_of
from polyseme.judging.shown import ItemView

#: of the list, in the order in which it can be cut down to one of them
STATES = ("todo", "started", "skipped", "done", "cannot")
#: why an item cannot be judged, as the page offers it
REASONS = ("unclear", "unreadable", "language")
#: by task: the key of each answer
KEYS: dict[str, dict[str | int, str]] = {
    "preferences": {"left": "1", "both": "2", "right": "3"},
    "grades": {2: "2", 1: "1", 0: "0"},
    "votes": {1: "y", 0: "n"},
}
_MONTH = 30 * 86_400


# ---- judges -------------------------------------------------------------------------------------


async def home(request: Request) -> Response:
    """``GET /``: the list of items."""
    if request.state.judge is None and request.state.organiser:
        return RedirectResponse("/organiser", 303)
    if request.state.judge is None:
        return _welcome(request, 200)
    view = await store_of(request).read(views.judge_view, judge_of(request).judge)
    counts = Counter(entry.state for entry in view.entries)
    return render(request, "list.html", view=view, counts=counts, states=STATES, here="list")


async def guidelines(request: Request) -> Response:
    """``GET /guidelines``."""
    judge_of(request)
    settings = store_of(request).settings
    return render(
        request,
        "guidelines.html",
        task=settings.task,
        guidelines=markdown(settings.guidelines) if settings.guidelines.strip() else "",
        keys=_keys(request, settings.task),
        here="guidelines",
    )


async def item(request: Request) -> Response:
    """``GET /items/{item}``: leases the item and shows it."""
    judge, store = judge_of(request).judge, store_of(request)
    view = await store.write(views.open_item, judge, number_of(request, "item"))
    progress, last = await store.read(views.beside_item, judge, view.item)
    return _item(request, view, progress.done, progress.total, last)


async def practice(request: Request) -> Response:
    """``GET /practice``."""
    judge_of(request)
    view = practice_item(store_of(request).settings.task, speaker(request))
    return _item(request, view, 0, 0, None)


def _item(request: Request, view: ItemView, done: int, total: int, last: int | None) -> Response:
    return render(
        request,
        f"{view.task}.html",
        view=view,
        practice=view.item == 0,
        done=done,
        total=total,
        last=last,
        keys=_keys(request, view.task),
        keys_of=KEYS[view.task],
        reasons=REASONS,
    )


def _keys(request: Request, task: str) -> list[tuple[str, str]]:
    """Every key and what it does."""
    t = speaker(request)
    answers = " ".join(key.upper() for key in KEYS[task].values())
    # in lists arrows scroll
    others = {"Q": "other"} if task == "preferences" else {"↑ ↓": "move"}
    others |= {"Enter": "next", "U": "undo", "S": "skip", "C": "cannot", "P": "previous"}
    others |= {"L": "list", "?": "help", "Esc": "close"}
    said = [(key, t(f"keys.{name}")) for key, name in others.items()]
    return [(answers, t(f"keys.{task}")), *said]


async def document(request: Request) -> Response:
    """``GET /document?doc=...``: what the viewer shows, with a policy of its own."""
    judge_of(request)
    t = speaker(request)
    doc = request.query_params.get("doc", "")
    made_up = practice_text(doc, t)
    if made_up is not None:
        return _told_in_frame(request, made_up[0], made_up[1])
    if not await store_of(request).read(views.is_document, doc):
        return _told_in_frame(request, t("viewer.missing"), t("viewer.missing_about"), 404)
    try:
        found = await asyncio.to_thread(request.app.state.documents.find, doc)
        if found is None:
            return _told_in_frame(request, t("viewer.missing"), t("viewer.missing_about"), 404)
        sent = await asyncio.to_thread(documents.served, found)
    except documents.TooLarge:
        sent = None
    if sent is None:
        return _told_in_frame(request, t("viewer.not_shown"), t("viewer.not_shown_about"))
    headers = {**documents.HEADERS, "Content-Type": sent.media}
    return Response(sent.content, headers=headers)


def _told_in_frame(request: Request, title: str, text: str, status: int = 200) -> Response:
    page = environment().get_template("document.html")
    content = page.render(language=language_of(request), title=title, texts=[text])
    headers = {**documents.HEADERS, "Content-Type": "text/html; charset=utf-8"}
    return Response(content, status, headers)


async def join(request: Request) -> Response:
    """``GET /join/{token}``: whom the link is for, and a form that begins the session."""
    token, guesses = request.path_params["token"], request.app.state.guesses
    async with guesses.one(request):
        invited = await store_of(request).read(tokens.invited, token)
        if invited is None:
            raise Refused("session", "the link is wrong, has expired or was revoked")
    return render(request, "join.html", token=token, invited=invited.name, judge="")


# ---- the organiser ------------------------------------------------------------------------------


async def organiser(request: Request) -> Response:
    """``GET /organiser``: how the study stands, or where to sign in."""
    if not request.state.organiser:
        return render(request, "login.html", wrong="", judge="")
    store = store_of(request)
    view = await store.read(organising.organiser_view)
    shown = dashboard.dashboard(view, speaker(request), store.clock())
    return render(request, "organiser.html", view=view, judge="", **shown)


# ---- for everybody ------------------------------------------------------------------------------


async def language(request: Request) -> Response:
    """``POST /language``: remembers the language, and goes back."""
    fields = await form_of(request)
    back, chosen = fields.get("back", "/"), fields.get("language", "")
    # only to a page of ours: "//far" and "/\far" lead elsewhere
    inside = back.startswith("/") and not back.startswith(("//", "/\\")) and back.isprintable()
    response = RedirectResponse(back if inside else "/", 303)
    if chosen in LANGUAGES:
        response.set_cookie(
            "language",
            chosen,
            max_age=12 * _MONTH,
            httponly=True,
            samesite="strict",
            secure=request.app.state.secure,
        )
    return response


async def static(request: Request) -> Response:
    """``GET /static/{name}``: what pages load, kept by browsers until it changes."""
    name = request.path_params["name"]
    if name not in STATIC:
        return missing(request)
    content, version = static_file(name)
    current = request.query_params.get("v") == version
    keep = "public, max-age=31536000, immutable" if current else "no-cache"
    return Response(content, headers={"Content-Type": STATIC[name], "Cache-Control": keep})


def refused(request: Request, error: Refused) -> Response:
    """What is shown instead of a page."""
    t, path = speaker(request), request.url.path
    headers = {} if error.wait is None else {"Retry-After": str(error.wait)}
    if path.startswith("/organiser") and error.error == "session":
        wrong = t("login.wrong") if request.method == "POST" else ""
        response = render(request, "login.html", error.status, wrong=wrong, judge="")
    elif path.startswith("/join") and error.error == "session":
        response = _told(request, error.status, "join.bad", "join.bad_about")
    elif error.error == "session":
        response = _welcome(request, error.status)
    else:
        known = error.error in ("item", "taken", "often", "storage", "origin")
        name = f"refused.{error.error if known else 'other'}"
        response = _told(request, error.status, name, f"{name}_about", back="/")
    response.headers.update(headers)
    return response


def missing(request: Request) -> Response:
    """What is shown where there is no page."""
    return _told(request, 404, "refused.missing", "refused.missing_about", back="/")


def _welcome(request: Request, status: int) -> Response:
    return _told(request, status, "welcome.title", "welcome.about", "welcome.kept")


def _told(request: Request, status: int, title: str, *texts: str, back: str = "") -> Response:
    t = speaker(request)
    values = {"title": t(title), "texts": [t(text) for text in texts], "back": back}
    # who is told that a session is over has none
    over = {"judge": "", "organiser": False} if status == 401 else {}
    return render(request, "told.html", status, **values, **over)


#: pages, mounted after what scripts and forms talk to
ROUTES: list[BaseRoute] = [
    Route("/", home),
    Route("/guidelines", guidelines),
    Route("/practice", practice),
    Route("/items/{item:int}", item),
    Route("/document", document),
    Route("/join/{token}", join),
    Route("/organiser", organiser),
    Route("/language", language, methods=["POST"]),
    Route("/static/{name}", static),
]
