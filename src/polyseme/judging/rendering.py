"""Templates into pages: escaped, in the judge's language, with addresses of what they load."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode, urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from polyseme.judging.messages import LANGUAGES, Say, preferred, say, script_messages

#: files that pages load, with their types
STATIC = {
    "judging.css": "text/css; charset=utf-8",
    "judging.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


@cache
def environment() -> Environment:
    """Everything that a template shows is escaped unless it is Markup; a missing value fails."""
    made = Environment(
        loader=PackageLoader("polyseme.judging"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(
        languages=list(LANGUAGES.items()),
        static=static_address,
        web_address=web_address,
        document_address=document_address,
    )
    return made


@cache
def static_file(name: str) -> tuple[bytes, str]:
    """A file that pages load, and the version by which browsers may keep it for ever."""
    content = (files("polyseme.judging") / "static" / name).read_bytes()
    return content, hashlib.sha256(content).hexdigest()[:16]


def static_address(name: str) -> str:
    """Where a page finds a file of its own."""
    return f"/static/{name}?v={static_file(name)[1]}"


def document_address(doc: str) -> str:
    """Where the viewer finds a document."""
    return "/document?" + urlencode({"doc": doc}, errors="replace")


def web_address(url: str) -> str:
    """The address if following it leads to the Web; else empty: no scripts, no files, no mail."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return ""
    plain = url.isprintable() and not any(letter in url for letter in " \"'<>\\`")
    return url if parts.scheme in ("http", "https") and host and plain else ""


def language_of(request: Request) -> str:
    """The language that was chosen, or that the browser likes best."""
    return preferred(request.cookies.get("language"), request.headers.get("accept-language", ""))


def speaker(request: Request) -> Say:
    """What says messages in the language of who asks."""
    return say(language_of(request))


def render(request: Request, template: str, /, status: int = 200, **values: Any) -> Response:
    """A page."""
    language = language_of(request)
    settings = request.app.state.store.settings
    # before anybody has looked whose session it is there is nobody
    asking = getattr(request.state, "judge", None)
    content = (
        environment()
        .get_template(template)
        .render(
            {
                "t": say(language),
                "language": language,
                "path": request.url.path,
                "script_messages": script_messages(language),
                "study": settings.title,
                # kept answers of one study are never sent to another one at the same address
                "study_id": f"{settings.created:x}",
                "judge": asking.name if asking is not None else "",
                "organiser": getattr(request.state, "organiser", False),
                "here": "",
                **values,
            }
        )
    )
    headers = {"Vary": "Accept-Language, Cookie"}
    return HTMLResponse(content, status, headers)


def markdown(text: str) -> Markup:
    """Markdown as HTML: no HTML of its own, no pictures, links that lead to the Web only."""
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    tokens = reader.parse(text)
    for token in (inner for each in tokens for inner in each.children or ()):
        if token.type == "link_open":
            address = web_address(str(token.attrGet("href") or ""))
            token.attrs = {"rel": "noopener noreferrer", "target": "_blank"}
            if address:
                token.attrs["href"] = address
    for token in tokens:
        # alignment comes as a style of its own, which the pages' policy has none of
        token.attrs.pop("style", None)
    return Markup(reader.renderer.render(tokens, reader.options, {}))


def day(milliseconds: int | None) -> str:
    """A day and a time, as everybody reads it."""
    if milliseconds is None:
        return ""
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def time_taken(seconds: float | None, t: Say) -> str:
    """Seconds in words."""
    if seconds is None:
        return t("unit.none")
    if seconds < 59.5:
        return t("unit.seconds", n=f"{seconds:.1f}" if seconds < 10 else f"{seconds:.0f}")
    minutes, rest = divmod(round(seconds), 60)
    return t("unit.minutes", m=minutes, s=rest) if rest else t("unit.whole_minutes", m=minutes)
