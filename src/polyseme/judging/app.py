"""The ASGI application."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Collection

from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from polyseme.judging import pages, routes, tokens
from polyseme.judging.documents import open_documents
from polyseme.judging.moment import Moment
from polyseme.judging.protecting import Guarded, Guesses, refusal
from polyseme.judging.protocol import Refused
from polyseme.judging.store import Store
from polyseme.judging.tokens import Asking


def application(store: Store, origins: Collection[str]) -> Starlette:
    """The application that serves a study to pages of the given origins.

    An origin is what browsers call so: ``http://127.0.0.1:8080``, ``https://study.example.org``.
    """
    app = Starlette(
        routes=[*routes.ROUTES, *pages.ROUTES],
        middleware=[Middleware(Guarded, origins=origins), Middleware(Known)],
        exception_handlers={
            Refused: _refused,
            SQLAlchemyError: _not_stored,
            OSError: _not_stored,
            404: _missing,
        },
    )
    app.state.store = store
    app.state.documents = open_documents(store.settings.documents or None)
    app.state.guesses = Guesses()
    # no more at a time: Argon2 takes 64 MiB and a core for a while
    app.state.passwords = asyncio.Semaphore(2)
    app.state.secure = all(each.startswith("https://") for each in origins)
    return app


class Known:
    """Middleware: whose session it is, for handlers that read; what writes looks again."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            request = Request(scope)
            request.state.judge, request.state.organiser = None, False
            secret = routes.secret_of(request)
            # what a judge says is looked at in the transaction that keeps it
            if secret and not scope["path"].startswith(("/api/judgments", "/static/")):
                store: Store = scope["app"].state.store
                try:
                    judge, organiser = await store.read(_known, secret)
                except (SQLAlchemyError, OSError) as error:
                    response = await _not_stored(request, error)
                    await response(scope, receive, send)
                    return
                request.state.judge, request.state.organiser = judge, organiser
        await self._app(scope, receive, send)


def _known(moment: Moment, secret: str) -> tuple[Asking | None, bool]:
    return tokens.asking(moment, secret), tokens.is_organiser(moment, secret)


async def _missing(request: Request, error: Exception) -> Response:
    if request.url.path.startswith("/api/"):
        return refusal(Refused("item", "there is no such address"))
    return pages.missing(request)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    if request.url.path.startswith("/api/"):
        return refusal(error)
    return pages.refused(request, error)


async def _not_stored(request: Request, error: Exception) -> Response:
    print(f"polyseme: not stored: {error}", file=sys.stderr, flush=True)  # noqa: T201
    return await _refused(request, Refused("storage", "the storage is not available", wait=2))
