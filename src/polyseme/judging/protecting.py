"""What stands between the world and the routes: caps, origins, headers, and guesses counted."""

from __future__ import annotations

import asyncio
import ipaddress
import math
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from polyseme.judging.protocol import LARGEST_BODY, Refused

#: pages load nothing but their own script and style, and frame only documents of this server
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    # other hosts learn nothing; with no-referrer browsers would send forms with Origin: null
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
_SAFE = ("GET", "HEAD", "OPTIONS")
#: how long a body may take to arrive
PATIENCE = 20.0


class Guarded:
    """Middleware: hosts, origins of what changes something, bodies, and headers of all replies.

    A header that a reply sets itself (a document's own policy) is left as it is.
    """

    def __init__(self, app: ASGIApp, origins: Collection[str]) -> None:
        self._app = app
        self._origins = frozenset(origins)
        self._hosts = frozenset(each.partition("://")[2] for each in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            headers = Headers(scope=scope)
            self._check(scope["method"], headers)
            held = await _body(headers, receive) if scope["method"] not in _SAFE else None
        except Refused as refused:
            response = refusal(refused)
            # the rest of the body is not waited for
            response.headers["Connection"] = "close"
            await response(scope, receive, with_headers)
            return
        await self._app(scope, receive if held is None else _once(held, receive), with_headers)

    def _check(self, method: str, headers: Headers) -> None:
        if headers.get("host", "").lower() not in self._hosts:
            raise Refused("origin", "this server is not called that")
        if method in _SAFE:
            return
        # browsers send Origin with everything that may change something
        if headers.get("origin", "").lower() not in self._origins:
            raise Refused("origin", "this does not come from a page of this server")
        if headers.get("content-encoding", "identity").lower() != "identity":
            raise Refused("compressed", "bodies are not compressed here")


async def _body(headers: Headers, receive: Receive) -> bytes:
    """The whole body, which is small and comes soon; no more of it is ever held than the cap."""
    too_large = Refused("large", f"a body has at most {LARGEST_BODY:,} bytes")
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()) or int(length[:18]) > LARGEST_BODY:
        raise too_large
    held = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Refused("malformed", "the body ends too soon")
                held += message.get("body", b"")
                if len(held) > LARGEST_BODY:
                    raise too_large
                if not message.get("more_body", False):
                    return bytes(held)
    except TimeoutError:
        raise Refused("malformed", "the body takes too long") from None


def _once(body: bytes, receive: Receive) -> Receive:
    """What receives a body that was read already."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def refusal(refused: Refused) -> JSONResponse:
    """What is sent where something is refused."""
    headers = {} if refused.wait is None else {"Retry-After": str(refused.wait)}
    return JSONResponse(refused.body(), refused.status, headers)


class Guesses:
    """Counts wrong tokens and passwords by address, and refuses addresses with too many.

    Guesses from one address are looked at one after another, so that many at the same moment are
    no more than as many in a row.
    """

    def __init__(
        self,
        limit: int = 10,
        window: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
        addresses: int = 10_000,
    ) -> None:
        self._limit, self._window, self._clock, self._addresses = limit, window, clock, addresses
        self._known: OrderedDict[str, _Wrong] = OrderedDict()

    @asynccontextmanager
    async def one(self, request: Request) -> AsyncIterator[None]:
        """A guess, which is wrong where the block refuses a session."""
        held = self._of(_address(request))
        async with held.turn:
            begin = self._clock() - self._window
            while held.times and held.times[0] <= begin:
                held.times.popleft()
            if len(held.times) >= self._limit:
                wait = math.ceil(held.times[0] - begin)
                raise Refused("often", "too many wrong guesses", wait=max(1, wait))
            try:
                yield
            except Refused as refused:
                if refused.error == "session":
                    held.times.append(self._clock())
                raise

    def _of(self, address: str) -> _Wrong:
        held = self._known.setdefault(address, _Wrong())
        self._known.move_to_end(address)
        # who guessed longest ago is forgotten first
        while len(self._known) > self._addresses:
            self._known.popitem(last=False)
        return held


@dataclass
class _Wrong:
    """When an address guessed wrong, and whose turn it is."""

    times: deque[float] = field(default_factory=deque)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


def _address(request: Request) -> str:
    """The address; of IPv6 its network, since whoever has one address has all of these."""
    host = request.client.host if request.client is not None else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 6:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return host
