"""Figures as parts of a page: SVG that nothing can run in, in the reader's light or dark.

They are drawn once, in light colours; the page's style sheet puts those of the other theme in their
place. What the drawing program says of a mark for those who cannot see it becomes its tooltip.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from polyseme.reporting.figures import Figure
from polyseme.reporting.figures.theme import config
from polyseme.reporting.page.parts import Picture
from polyseme.reporting.page.words import sentence

_SVG = "http://www.w3.org/2000/svg"
#: nothing else is let through
_ELEMENTS = frozenset({"svg", "g", "path", "line", "rect", "text", "tspan", "circle", "clipPath"})
_ATTRIBUTES = frozenset(
    [
        *("transform", "d", "x", "y", "x1", "y1", "x2", "y2", "dx", "dy", "r", "cx", "cy"),
        *("width", "height", "viewBox", "fill", "fill-opacity", "stroke", "stroke-opacity"),
        *("stroke-width", "stroke-dasharray", "stroke-miterlimit", "opacity", "text-anchor"),
        *("font-size", "font-weight", "display", "clip-path", "id"),
    ]
)
#: what a browser takes for granted
_USUAL = {("opacity", "1"), ("display", "none")}
#: where a mark stands in axes without names
_PLACE = re.compile(r"\b[xy]: [^;]*; ")
_NUMBER = re.compile(r"-?\d+\.\d{2,}")


def picture(figure: Figure, name: str) -> Picture:
    """A figure under a name of its own on the page."""
    root = ElementTree.fromstring(figure.to_svg())
    drawn = next(_cleaned(root, name))
    drawn.set("xmlns", _SVG)
    drawn.set("role", "img")
    drawn.set("aria-label", f"{figure.title}. {figure.description}")
    svg = ElementTree.tostring(drawn, encoding="unicode")
    # what the description says already stands in the page's own sentences
    notes = [note for note in figure.notes if note.rstrip(".") not in figure.description]
    return Picture(name, svg, figure.title, figure.description, tuple(map(sentence, notes)))


def _cleaned(held: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    """The element with what may stand in a page; nothing where it draws nothing."""
    tag = held.tag.rpartition("}")[2]
    if tag not in _ELEMENTS:
        # a group of definitions has nothing of its own
        if tag == "defs":
            for child in held:
                yield from _cleaned(child, name)
        return
    if held.get("display") == "none" or (tag == "path" and not _draws(held)):
        return
    made = ElementTree.Element(tag)
    for key, value in held.attrib.items():
        if key in _ATTRIBUTES and (key, value) not in _USUAL:
            made.set(key, _own(key, value, name))
    text = (held.text or "").strip("\n")
    made.text = text or None
    said = held.get("aria-label")
    if said and tag in ("path", "rect") and _is_one_thing(held):
        ElementTree.SubElement(made, "title").text = _PLACE.sub("", said)
    for child in held:
        made.extend(_cleaned(child, name))
    if tag == "g" and not len(made):
        return
    yield made


def _is_one_thing(held: ElementTree.Element) -> bool:
    """Is it a mark of one value, and not a line through many?"""
    line = held.get("aria-roledescription") == "line mark"
    return held.get("role") == "graphics-symbol" and not line


def _draws(path: ElementTree.Element) -> bool:
    return bool(path.get("d")) and "background" not in (path.get("class") or "")


def _own(key: str, value: str, name: str) -> str:
    """An attribute's value: names become the picture's own, numbers lose what nobody sees."""
    if key == "id":
        return f"{name}-{value}"
    if key == "clip-path":
        found = re.fullmatch(r"url\(#([\w-]+)\)", value)
        return f"url(#{name}-{found[1]})" if found else "none"
    return _NUMBER.sub(lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), value)


def dark_colours() -> dict[str, str]:
    """The colours of dark figures by those of light ones."""
    light, dark = config("light", ""), config("dark", "")
    return dict(_differing(light, dark))


def _differing(light: Any, dark: Any) -> Iterator[tuple[str, str]]:
    if isinstance(light, dict):
        for key, value in light.items():
            yield from _differing(value, dark[key])
    elif isinstance(light, list):
        for one, other in zip(light, dark, strict=True):
            yield from _differing(one, other)
    elif light != dark:
        yield str(light), str(dark)
