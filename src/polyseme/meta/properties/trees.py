"""Pictures of short rankings and the relations between them (Albahem et al., figures 1-5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from polyseme.errors import PolysemeError
from polyseme.groups import Floats
from polyseme.meta.properties.rankings import Rankings
from polyseme.meta.properties.relations import SAID, Property, Relations

#: more rankings than this nobody can tell apart
MOST = 400

#: how each property is drawn; dashes tell them apart where colours do not
_COLOURS: dict[Property, tuple[str, str]] = {
    "relevance": ("#1b6ca8", ""),
    "irrelevance": ("#5f6b73", "6 3"),
    "redundancy": ("#b3541e", ""),
    "replacement": ("#2e7d32", "2 3"),
    "swap": ("#7b3f9e", "8 2 2 2"),
}
_VIOLATED = "#c8102e"
#: between rows, and where arrows within a row need more room
_ROW, _HIGH_ROW = 96.0, 150.0
_LETTER = 8.5
_MARGIN = 24


@dataclass(frozen=True)
class _Place:
    """Where a ranking's name stands: its middle, half of its width, and how far up it reaches."""

    x: float
    y: float
    half: float
    lift: float


def tree(
    rankings: Rankings,
    properties: Sequence[Property] = (),
    *,
    relations: Relations | None = None,
    scores: Floats | None = None,
    measure: str = "",
    tolerance: float = 1e-9,
) -> str:
    """An SVG picture: rankings by length, an arrow from each to those it should not score above.

    Without properties it is the list of all rankings (figure 1). With ``scores``, one for each
    ranking, these stand above the names, and arrows that they contradict are red.
    """
    if len(rankings) > MOST:
        raise PolysemeError(
            f"{len(rankings):,} rankings are too many for a picture: at most {MOST} can be drawn\n"
            "  to mend it: say a smaller length"
        )
    held = relations or Relations(rankings)
    row = _HIGH_ROW if {"replacement", "swap"} & set(properties) else _ROW
    places, width = _places(rankings, row, scored=scores is not None)
    arrows: list[str] = []
    for name in properties:
        for edges in held.all_of(name):
            for low, high in zip(edges.lower.tolist(), edges.higher.tolist(), strict=True):
                violated = scores is not None and scores[low] - scores[high] > tolerance
                arrows.append(_arrow(name, places[low], places[high], violated=violated))
    height = _MARGIN + row * rankings.length + (row * 0.6 if properties else 30)
    legend, below = _legend(properties, height, shows_scores=scores is not None)
    title = "Rankings" if not properties else f"Relations by {', '.join(properties)}"
    title += f", scored by {measure}" if measure else ""
    width = max(width, 330.0)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {below:g}" '
            f'width="{width:g}" height="{below:g}" role="img" '
            'font-family="sans-serif" font-size="14">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(_described(rankings, properties))}</desc>",
            _markers(properties),
            f'<rect width="{width:g}" height="{below:g}" fill="white"/>',
            *arrows,
            *_names(rankings, places, scores),
            *legend,
            "</svg>\n",
        ]
    )


def _described(rankings: Rankings, properties: Sequence[Property]) -> str:
    kinds = ", ".join(kind.name for kind in rankings.kinds)
    said = f"All rankings of up to {rankings.length} documents of the kinds {kinds}."
    if properties:
        said += " An arrow points from a ranking to one that should not score lower."
    return said


def _places(rankings: Rankings, row: float, *, scored: bool) -> tuple[list[_Place], float]:
    """Leaves side by side, every other ranking above the middle of what it begins."""
    deepest = rankings.first[rankings.length]
    widest = max(len(rankings.name(n)) for n in range(deepest, len(rankings)))
    step = max(widest, 6 if scored else 0) * _LETTER + 22
    x = [0.0] * len(rankings)
    for number in range(len(rankings) - 1, -1, -1):
        if number >= deepest:
            x[number] = _MARGIN + step * (number - deepest + 0.5)
        else:
            first = number * rankings.base + 1
            x[number] = (x[first] + x[first + rankings.base - 1]) / 2
    places = [
        _Place(
            x[number],
            _MARGIN + 12 + row * rankings.length_of(number),
            len(rankings.name(number)) * _LETTER / 2 + 3,
            24 if scored else 12,
        )
        for number in range(len(rankings))
    ]
    return places, _MARGIN * 2 + step * (len(rankings) - deepest)


def _arrow(name: Property, low: _Place, high: _Place, *, violated: bool) -> str:
    colour, dashes = _COLOURS[name]
    style = (
        f'stroke="{_VIOLATED if violated else colour}" stroke-width="{2.4 if violated else 1.2}"'
    )
    if dashes:
        style += f' stroke-dasharray="{dashes}"'
    marker = "violated" if violated else name
    return (
        f'<path class="{name}{" violated" if violated else ""}" d="{_path(low, high)}" fill="none" '
        f'{style} marker-end="url(#{marker})"/>'
    )


def _path(low: _Place, high: _Place) -> str:
    """A line between rows; within a row a bow below the names, deeper for what is further apart."""
    if low.y < high.y:
        return f"M{low.x:.1f} {low.y + 10:.1f} L{high.x:.1f} {high.y - high.lift - 2:.1f}"
    if low.y > high.y:
        return f"M{low.x:.1f} {low.y - low.lift:.1f} L{high.x:.1f} {high.y + 12:.1f}"
    right = 1 if high.x > low.x else -1
    bow = low.y + 26 + min(abs(high.x - low.x) / 5, 110)
    return (
        f"M{low.x + 4 * right:.1f} {low.y + 9:.1f} Q{(low.x + high.x) / 2:.1f} {bow:.1f} "
        f"{high.x - 4 * right:.1f} {high.y + 12:.1f}"
    )


def _names(rankings: Rankings, places: list[_Place], scores: Floats | None) -> list[str]:
    found: list[str] = []
    for number, place in enumerate(places):
        found.append(
            f'<rect x="{place.x - place.half:.1f}" y="{place.y - 10:.1f}" '
            f'width="{2 * place.half:.1f}" height="18" fill="white" fill-opacity="0.85"/>'
            f'<text x="{place.x:.1f}" y="{place.y + 4:.1f}" text-anchor="middle">'
            f"{escape(rankings.name(number))}</text>"
        )
        if scores is not None:
            found.append(
                f'<text x="{place.x:.1f}" y="{place.y - 12:.1f}" text-anchor="middle" '
                f'font-size="10" fill="#444">{scores[number]:.4f}</text>'
            )
    return found


def _markers(properties: Sequence[Property]) -> str:
    kinds = [(str(name), _COLOURS[name][0]) for name in properties] + [("violated", _VIOLATED)]
    return (
        "<defs>"
        + "".join(
            f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
            f'markerHeight="7" markerUnits="userSpaceOnUse" orient="auto">'
            f'<path d="M0 0 L8 4 L0 8 z" fill="{colour}"/></marker>'
            for name, colour in kinds
        )
        + "</defs>"
    )


def _legend(
    properties: Sequence[Property], top: float, *, shows_scores: bool
) -> tuple[list[str], float]:
    lines: list[tuple[str, str, str]] = [
        (*_COLOURS[name], f"{name}: {SAID[name]}") for name in properties
    ]
    if shows_scores:
        lines.append((_VIOLATED, "", "contradicted by the scores"))
    found: list[str] = []
    y = top
    for colour, dashes, said in lines:
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        found.append(
            f'<path d="M{_MARGIN} {y:g} h36" stroke="{colour}" stroke-width="2"{dashed}/>'
            f'<text x="{_MARGIN + 46}" y="{y + 4:g}" font-size="12">{escape(said)}</text>'
        )
        y += 20
    return found, y + (4 if lines else 0)
