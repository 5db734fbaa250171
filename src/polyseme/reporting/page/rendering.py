"""The page: everything a browser needs in one file, and nothing that it would fetch."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from polyseme.errors import MissingExtra
from polyseme.reporting.figures.theme import BACKGROUND
from polyseme.reporting.page.assessment import Assessment
from polyseme.reporting.page.parts import anchor, visible
from polyseme.reporting.page.pictures import dark_colours
from polyseme.reporting.page.sections import origins, overview

if TYPE_CHECKING:
    from markupsafe import Markup

#: what the page may do: run the script that stands in it, and nothing else
POLICY = (
    "default-src 'none'; img-src data:; script-src 'sha256-{script}'; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'"
)
#: of cells in light and in dark: from the palest to the darkest
_LIGHT = ("#eef4fa", "#dcebf7", "#c8e0f2", "#b1d3ec", "#98c4e4", "#7eb4da", "#64a2cf", "#4f93c5")
_DARK = ("#1a242e", "#1c2d3b", "#1d3648", "#1d4056", "#1d4a65", "#1c5675", "#1a6286", "#176f98")


def page(found: Assessment) -> str:
    """The report as HTML."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise MissingExtra("writing reports", "report") from None
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("polyseme.reporting.page", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # whatever a name holds, every letter of it can be seen
        finalize=_finalized,
    )
    environment.filters["measured"] = _measured(found)
    script = _asset("page.js")
    told = found.sections
    return environment.get_template("page.html.j2").render(
        found=found,
        title=found.title,
        overview=overview(found),
        sections=told,
        origins=tuple(origins(found)),
        anchor=anchor,
        homes=_homes(told),
        policy=POLICY.format(script=_hash(script)),
        style=Markup(_asset("page.css") + _shades() + _dark_figures()),
        script=Markup(script),
        svg=Markup,
    )


def _finalized(value: Any) -> Any:
    return visible(value) if type(value) is str else value


def _measured(found: Assessment) -> Callable[[str], Markup]:
    """Sentences in which no name of a measure is broken over two lines."""
    from markupsafe import Markup

    names = {*found.scores.measures, *(found.balance.measures if found.balance else ())}
    if found.judgments is not None and found.judgments.left_out is not None:
        names.update(found.judgments.left_out.full.measures)
    parts = re.compile(f"({'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})")

    def measured(sentence: str) -> Markup:
        whole = Markup("<span class=m>{}</span>")
        pieces = enumerate(parts.split(visible(sentence)))
        return Markup("").join(whole.format(text) if n % 2 else text for n, text in pieces)

    return measured


def _homes(told: Any) -> dict[str, set[str]]:
    """Names that have a row of their own, by what they are."""
    held: dict[str, set[str]] = {}
    for section in told:
        for block in section.blocks:
            if block.kind == "grid" and block.home:
                held.setdefault(block.about, set()).update(row[0].text for row in block.rows)
    return held


def _asset(name: str) -> str:
    return files("polyseme.reporting.page").joinpath(name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    from base64 import b64encode
    from hashlib import sha256

    return b64encode(sha256(script.encode()).digest()).decode()


def _shades() -> str:
    def rules(colours: tuple[str, ...]) -> str:
        return "".join(f"td.s{n}{{background:{c}}}" for n, c in enumerate(colours, 1))

    return f"{rules(_LIGHT)}@media screen and (prefers-color-scheme:dark){{{rules(_DARK)}}}"


def _dark_figures() -> str:
    """Colours of figures in the dark, in place of those that they were drawn in."""
    rules = "".join(
        f'svg [{name}="{light}"]{{{name}:{dark}}}'
        for light, dark in dark_colours().items()
        for name in ("fill", "stroke")
    )
    assert BACKGROUND["light"] in rules
    return f"@media screen and (prefers-color-scheme:dark){{{rules}}}"
