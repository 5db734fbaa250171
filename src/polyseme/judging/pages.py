"""What judges and the organiser see."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from polyseme.judging.protecting import refusal
from polyseme.judging.protocol import Refused

#: pages, mounted after what scripts and forms talk to
ROUTES: list[BaseRoute] = []


def refused(request: Request, error: Refused) -> Response:
    """What is shown instead of a page."""
    return refusal(error)
