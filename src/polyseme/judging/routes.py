"""What the script in the browser and forms talk to; :mod:`polyseme.judging.protocol` tells how."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from polyseme.judging import exporting, organising, passwords, tokens, views
from polyseme.judging.moment import Moment
from polyseme.judging.protocol import LARGEST_NUMBER, Refused, Said, said_of
from polyseme.judging.recording import Saved, record
from polyseme.judging.shown import Progressed
from polyseme.judging.store import Store
from polyseme.judging.tokens import Asking

_SESSION = Refused("session", "there is no session, or no longer")


def cookie_name(request: Request) -> str:
    """``__Host-`` makes browsers take it from this very host over https only."""
    return "__Host-polyseme" if request.app.state.secure else "polyseme"


def secret_of(request: Request) -> str:
    """The session's secret that a browser sends, empty where it sends none."""
    return request.cookies.get(cookie_name(request), "")


def judge_of(request: Request) -> Asking:
    """The judge who asks; refused where nobody is known."""
    if request.state.judge is None:
        raise _SESSION
    asking: Asking = request.state.judge
    return asking


def store_of(request: Request) -> Store:
    """The study."""
    store: Store = request.app.state.store
    return store


def number_of(request: Request, name: str) -> int:
    """A number in the address; there is nothing with one that no database can hold."""
    number: int = request.path_params[name]
    if number >= LARGEST_NUMBER:
        raise Refused("item", "there is nothing of that number")
    return number


# ---- judges --------------------------------------------------------------------------------------


def say(moment: Moment, secret: str, said: Said) -> tuple[Saved, Progressed]:
    """Keep what somebody says whose session is valid at that very moment."""
    asking = tokens.asking(moment, secret)
    if asking is None:
        raise _SESSION
    saved = record(moment, asking.judge, said)
    return saved, views.progressed(moment, asking.judge, said.item)


async def judgments(request: Request) -> Response:
    """``POST /api/judgments``."""
    said = said_of(await request.body())
    saved, progress = await store_of(request).write(say, secret_of(request), said)
    return JSONResponse(
        {
            "item": saved.item,
            **asdict(saved.judgment),
            "repeated": saved.repeated,
            **asdict(progress),
        }
    )


async def item(request: Request) -> Response:
    """``GET /api/items/{item}``."""
    judge = judge_of(request).judge
    found = await store_of(request).write(views.open_item, judge, number_of(request, "item"))
    return JSONResponse(asdict(found))


async def session(request: Request) -> Response:
    """``GET /api/session``."""
    asking = judge_of(request)
    return JSONResponse({"judge": asking.name, "until": asking.until})


async def join(request: Request) -> Response:
    """``POST /join``."""
    guesses = request.app.state.guesses
    secret = (await form_of(request)).get("token", "")
    async with guesses.one(request):
        session, until = await store_of(request).write(tokens.join, secret)
    return _entered(request, "/", session, until)


async def leave(request: Request) -> Response:
    """``POST /leave`` and ``POST /organiser/leave``."""
    await store_of(request).write(tokens.leave, secret_of(request))
    response = RedirectResponse("/", 303)
    response.delete_cookie(cookie_name(request), path="/")
    return response


def _entered(request: Request, to: str, secret: str, until: int) -> Response:
    response = RedirectResponse(to, 303)
    response.set_cookie(
        cookie_name(request),
        secret,
        max_age=max(0, (until - store_of(request).clock()) // 1000),
        path="/",
        secure=request.app.state.secure,
        httponly=True,
        samesite="strict",
    )
    return response


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form as browsers send them usually."""
    from urllib.parse import parse_qsl

    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise Refused("malformed", "this is no form")
    try:
        fields = parse_qsl((await request.body()).decode("utf-8"), max_num_fields=20)
    except ValueError:
        raise Refused("malformed", "this is no form in UTF-8") from None
    return dict(fields)


# ---- the organiser -------------------------------------------------------------------------------


async def login(request: Request) -> Response:
    """``POST /organiser/login``."""
    guesses, store = request.app.state.guesses, store_of(request)
    password = (await form_of(request)).get("password", "")
    async with guesses.one(request), request.app.state.passwords:
        if not await passwords.is_right(store, password):
            raise Refused("session", "the password is wrong")
    secret, until = await store.write(tokens.begin_organiser)
    return _entered(request, "/organiser", secret, until)


def _organiser(request: Request) -> Store:
    if not request.state.organiser:
        raise _SESSION
    return store_of(request)


async def _fields(request: Request) -> dict[str, Any]:
    try:
        found = json.loads((await request.body()).decode("utf-8") or "{}")
    except (ValueError, RecursionError):
        raise Refused("malformed", "the body is no JSON in UTF-8") from None
    if not isinstance(found, dict):
        raise Refused("malformed", "the body is no JSON object")
    return found


async def invite(request: Request) -> Response:
    """``POST /api/organiser/invitations``."""
    store = _organiser(request)
    found = await store.write(organising.invite_by_fields, await _fields(request))
    return JSONResponse(
        {
            "invitations": [
                {
                    "invitation": each.invitation,
                    "judge": each.judge,
                    "path": each.path,
                    "until": each.until,
                }
                for each in found
            ]
        }
    )


async def revoke(request: Request) -> Response:
    """``POST /api/organiser/invitations/{invitation}/revoke``."""
    number = number_of(request, "invitation")
    await _organiser(request).write(tokens.revoke, number)
    return JSONResponse({"revoked": number})


async def release(request: Request) -> Response:
    """``POST /api/organiser/judges/{judge}/release``."""
    released = await _organiser(request).write(organising.release, request.path_params["judge"])
    return JSONResponse({"released": released})


async def export(request: Request) -> Response:
    """``GET /organiser/export/{what}``."""
    what = request.path_params["what"]
    name, kind, content = await _organiser(request).read(exporting.exported, what)
    return Response(
        content,
        media_type=kind,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


async def health(request: Request) -> Response:
    """``GET /api/health``: the study can be read."""
    await store_of(request).read(lambda moment: moment.now)
    return JSONResponse({"ok": True})


ROUTES = [
    Route("/api/judgments", judgments, methods=["POST"]),
    Route("/api/items/{item:int}", item),
    Route("/api/session", session),
    Route("/api/health", health),
    Route("/join", join, methods=["POST"]),
    Route("/leave", leave, methods=["POST"]),
    Route("/organiser/login", login, methods=["POST"]),
    Route("/organiser/leave", leave, methods=["POST"]),
    Route("/organiser/export/{what}", export),
    Route("/api/organiser/invitations", invite, methods=["POST"]),
    Route("/api/organiser/invitations/{invitation:int}/revoke", revoke, methods=["POST"]),
    Route("/api/organiser/judges/{judge:path}/release", release, methods=["POST"]),
]
