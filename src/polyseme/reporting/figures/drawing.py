"""Figures as SVG, PNG and PDF, drawn without a browser and without the network."""

from __future__ import annotations

import os
import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from polyseme.atomic import STANDARD_OUTPUT, write_atomically
from polyseme.errors import MissingExtra, PolysemeError
from polyseme.reporting.figures.theme import THEMES, Theme

if TYPE_CHECKING:
    from polyseme.reporting.figures.picture import Figure

#: of Vega-Lite; the same for every way of drawing
VERSION = "6.1"
#: formats by the endings of files
FORMATS = {
    "html": (".html", ".htm"),
    "svg": (".svg",),
    "png": (".png",),
    "pdf": (".pdf",),
    "json": (".json", ".vl"),
}
BINARY = frozenset({"png", "pdf"})
#: names inside of drawings, and where they stand
_NAMED = re.compile(r'\bid="([^"]+)"')
_USED = re.compile(r"""(\bid="|url\(#|href="#)([^")]+)("|\))""")


def converter() -> Any:
    """The module that draws; an error of ours where it is not installed."""
    try:
        import vl_convert
    except ImportError:
        raise MissingExtra("drawing figures", "report") from None
    return vl_convert


def svg(spec: dict[str, Any]) -> str:
    """A specification as SVG; nothing that it names is fetched."""
    # The list of addresses that may be read is never empty, or all could be.
    found: str = converter().vegalite_to_svg(
        spec, vl_version=VERSION, allowed_base_urls=["https://nowhere.invalid/"]
    )
    return numbered(found)


def numbered(drawn: str) -> str:
    """The same with what is named inside numbered from 1.

    Names count on from drawing to drawing, so that one figure would not be the same twice.
    """
    names = dict.fromkeys(_NAMED.findall(drawn))
    fresh = {name: f"inner{number}" for number, name in enumerate(names, 1)}
    return _USED.sub(lambda found: found[1] + fresh.get(found[2], found[2]) + found[3], drawn)


def png(drawn: str, scale: float) -> bytes:
    """An SVG as PNG."""
    if not 0 < scale <= 10:
        raise PolysemeError(f"scale must be more than 0 and at most 10. Got {scale:g} instead.")
    found: bytes = converter().svg_to_png(drawn, scale=scale)
    return found


def pdf(drawn: str) -> bytes:
    """An SVG as PDF."""
    found: bytes = converter().svg_to_pdf(drawn)
    return found


def format_of(path: Any, said: str | None = None) -> str:
    """The format that was said, else by the file's name."""
    if said is not None:
        if said not in FORMATS:
            raise PolysemeError(
                f"a figure's format must be {', '.join(FORMATS)}. Got {said!r} instead."
            )
        return said
    name = os.fspath(path)
    bare = PurePath(name)
    while bare.suffix in (".gz", ".zst"):
        bare = bare.with_suffix("")
    for form, endings in FORMATS.items():
        if bare.suffix.lower() in endings:
            return form
    raise PolysemeError(
        f"the name {name!r} does not say a figure's format\n"
        f"  to mend it: end it with {', '.join(endings[0] for endings in FORMATS.values())}, "
        "or say the format"
    )


def rendered(
    figure: Figure, form: str, *, theme: Theme = "light", scale: float = 2.0
) -> str | bytes:
    """A figure in a format."""
    if theme not in THEMES:
        raise PolysemeError(f"theme must be {' or '.join(THEMES)}. Got {theme!r} instead.")
    if form == "html":
        return figure.to_html()
    if form == "svg":
        return figure.to_svg(theme) + "\n"
    if form == "png":
        return figure.to_png(theme, scale=scale)
    if form == "pdf":
        return figure.to_pdf(theme)
    return figure.to_json(indent=1) + "\n"


def save(
    figure: Figure,
    path: Any,
    said: str | None = None,
    *,
    theme: Theme = "light",
    scale: float = 2.0,
) -> None:
    """Write a figure, whole or not at all."""
    name = os.fspath(path)
    form = format_of(name, said) if said is not None or name != STANDARD_OUTPUT else "svg"
    made = rendered(figure, form, theme=theme, scale=scale)
    if isinstance(made, bytes):
        with write_atomically(name, binary=True) as stream:
            stream.write(made)
    else:
        with write_atomically(name) as text:
            text.write(made)
