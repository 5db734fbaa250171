"""Short rankings and the relations between them (Albahem et al. 2018, figures 1 to 5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from polyseme.errors import PolysemeError
from polyseme.groups import Floats
from polyseme.measures.gains import parse_gain
from polyseme.meta.properties import PropertyAnalysis, Rankings, Relations
from polyseme.meta.properties.relations import PROPERTIES, SAID, Property
from polyseme.reporting.figures import theme as themes
from polyseme.reporting.figures.labels import width_of
from polyseme.reporting.figures.picture import Drawing
from polyseme.reporting.figures.theme import BACKGROUND, CATEGORIES, THEMES, Theme
from polyseme.reporting.kinds import chosen

#: more rankings than this nobody can tell apart
MOST = 400
#: in place of properties: no arrows
NO_ARROWS = "none"

#: a colour of the theme and dashes, which tell properties apart where colours do not
_LOOKS: dict[Property, tuple[int, str]] = {
    "relevance": (0, ""),
    "irrelevance": (6, "6 3"),
    "redundancy": (1, ""),
    "replacement": (2, "2 3"),
    "swap": (3, "8 2 2 2"),
}
#: between rows, and where arrows within a row need more room
_ROW, _HIGH_ROW = 96.0, 150.0
_LETTER = 8.5
_MARGIN = 24
#: what a title takes
_TITLE = 34.0


@dataclass(frozen=True)
class _Place:
    """Where a ranking's name stands: its middle, half of its width, and how far up it reaches."""

    x: float
    y: float
    half: float
    lift: float


def relations(
    found: PropertyAnalysis,
    *,
    arrows: tuple[str, ...] = (),
    measure: str | None = None,
    title: str | None = None,
) -> Drawing:
    """Rankings by length, an arrow from each to those that it should not score above."""
    drawn = _drawn(found, arrows)
    name = chosen(measure, found.names, "measure") if found.names else ""
    scores = found.scores[:, found.names.index(name)] if name else None
    heading = title
    if heading is None:
        heading = f"Relations by {', '.join(drawn)}" if drawn else "Rankings"
        heading += f", scored by {name}" if name else ""
    svg = {
        theme: tree(
            found.rankings,
            drawn,
            relations=Relations(found.rankings, parse_gain(found.gain)),
            scores=scores,
            title=heading,
            tolerance=found.tolerance,
            theme=theme,
        )
        for theme in THEMES
    }
    notes = [f"{each}: {SAID[each]}" for each in drawn]
    if drawn:
        notes.append("an arrow points from a ranking to one that should not score lower")
    if name and drawn:
        notes.append(f"red arrows: {name} scores the first ranking higher all the same")
    return Drawing(
        kind="relations",
        title=heading,
        description=_described(found.rankings, drawn),
        notes=tuple(notes),
        svg=svg,
    )


def _drawn(found: PropertyAnalysis, said: Sequence[str]) -> tuple[Property, ...]:
    """The properties whose relations are drawn."""
    if NO_ARROWS in said:
        return ()
    names = [name for each in said for name in each.replace(",", " ").split()]
    for name in names:
        chosen(name, (*PROPERTIES, NO_ARROWS), "property")
    return tuple(name for name in PROPERTIES if name in (names or found.properties))


def tree(
    rankings: Rankings,
    properties: Sequence[Property] = (),
    *,
    relations: Relations | None = None,
    scores: Floats | None = None,
    title: str = "Rankings",
    tolerance: float = 1e-9,
    theme: Theme = "light",
) -> str:
    """As SVG; without properties it is the list of all rankings (figure 1).

    With ``scores``, one for each ranking, these stand above the names, and arrows that they
    contradict are red.
    """
    if len(rankings) > MOST:
        raise PolysemeError(
            f"{len(rankings):,} rankings are too many for a picture: at most {MOST} can be drawn\n"
            "  to mend it: say a smaller length, such as --length 3"
        )
    held = relations or Relations(rankings)
    look = _Look(theme)
    row = _HIGH_ROW if {"replacement", "swap"} & set(properties) else _ROW
    places, width = _places(rankings, row, scored=scores is not None)
    top = _TITLE if title else 0.0
    arrows: list[str] = []
    for name in properties:
        for edges in held.all_of(name):
            for low, high in zip(edges.lower.tolist(), edges.higher.tolist(), strict=True):
                violated = scores is not None and scores[low] - scores[high] > tolerance
                arrows += _arrow(name, places[low], places[high], look, violated=violated)
    height = _MARGIN + row * rankings.length + (row * 0.6 if properties else 30)
    legend, below = _legend(properties, height, look, shows_scores=scores is not None)
    width = max(width, 330.0, 2 * _MARGIN + width_of(title, 17))
    below += top
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {below:g}" '
            f'width="{width:g}" height="{below:g}" role="img" '
            f'font-family="{escape(themes.fonts(title))}" font-size="14">',
            f"<title>{escape(title or 'Rankings')}</title>",
            f"<desc>{escape(_described(rankings, properties))}</desc>",
            f'<rect width="{width:g}" height="{below:g}" fill="{look.ground}"/>',
            *(
                [
                    f'<text x="{_MARGIN}" y="26" font-size="15" font-weight="600" '
                    f'fill="{look.ink}">{escape(title)}</text>'
                ]
                if title
                else []
            ),
            f'<g transform="translate(0 {top:g})">',
            *arrows,
            *_names(rankings, places, scores, look),
            *legend,
            "</g>",
            "</svg>",
        ]
    )


class _Look:
    """The colours of a theme."""

    def __init__(self, theme: Theme) -> None:
        self.ground = BACKGROUND[theme]
        self.ink = themes.INK[theme]
        self.quiet = themes.QUIET[theme]
        self.violated = themes.MARKED[theme]
        self._categories = CATEGORIES[theme]

    def of(self, name: Property) -> tuple[str, str]:
        """Colour and dashes."""
        place, dashes = _LOOKS[name]
        return self._categories[place], dashes


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


def _arrow(name: Property, low: _Place, high: _Place, look: _Look, *, violated: bool) -> list[str]:
    """A line and its head, which is no marker: a page of several figures has one of each id."""
    colour, dashes = look.of(name)
    if violated:
        colour = look.violated
    style = f'stroke="{colour}" stroke-width="{2.4 if violated else 1.2}"'
    if dashes:
        style += f' stroke-dasharray="{dashes}"'
    path, tip, towards = _path(low, high)
    kind = f"{name} violated" if violated else str(name)
    return [
        f'<path class="{kind}" d="{path}" fill="none" {style}/>',
        f'<path d="{_head(tip, towards)}" fill="{colour}"/>',
    ]


_Point = tuple[float, float]


def _path(low: _Place, high: _Place) -> tuple[str, _Point, _Point]:
    """A line between rows; within a row a bow below the names, deeper for what is further apart.

    With it where it ends, and from where it comes there.
    """
    if low.y == high.y:
        right = 1 if high.x > low.x else -1
        bow = low.y + 26 + min(abs(high.x - low.x) / 5, 110)
        bend, end = ((low.x + high.x) / 2, bow), (high.x - 4 * right, high.y + 12)
        start = (low.x + 4 * right, low.y + 9)
        return f"M{_at(start)} Q{_at(bend)} {_at(end)}", end, bend
    down = low.y < high.y
    start = (low.x, low.y + 10 if down else low.y - low.lift)
    end = (high.x, high.y - high.lift - 2 if down else high.y + 12)
    return f"M{_at(start)} L{_at(end)}", end, start


def _at(point: _Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _head(tip: _Point, towards: _Point) -> str:
    """A triangle whose point is the tip."""
    x, y = tip[0] - towards[0], tip[1] - towards[1]
    far = math.hypot(x, y) or 1.0
    x, y = x / far, y / far
    back = (tip[0] - 7 * x, tip[1] - 7 * y)
    sides = ((back[0] - 3.5 * y, back[1] + 3.5 * x), (back[0] + 3.5 * y, back[1] - 3.5 * x))
    return f"M{_at(tip)} L{_at(sides[0])} L{_at(sides[1])} z"


def _names(
    rankings: Rankings, places: list[_Place], scores: Floats | None, look: _Look
) -> list[str]:
    found: list[str] = []
    for number, place in enumerate(places):
        found.append(
            f'<rect x="{place.x - place.half:.1f}" y="{place.y - 10:.1f}" '
            f'width="{2 * place.half:.1f}" height="18" fill="{look.ground}" fill-opacity="0.85"/>'
            f'<text x="{place.x:.1f}" y="{place.y + 4:.1f}" text-anchor="middle" '
            f'fill="{look.ink}">{escape(rankings.name(number))}</text>'
        )
        if scores is not None:
            found.append(
                f'<text x="{place.x:.1f}" y="{place.y - 12:.1f}" text-anchor="middle" '
                f'font-size="10" fill="{look.quiet}">{scores[number]:.4f}</text>'
            )
    return found


def _legend(
    properties: Sequence[Property], top: float, look: _Look, *, shows_scores: bool
) -> tuple[list[str], float]:
    lines: list[tuple[str, str, str]] = [
        (*look.of(name), f"{name}: {SAID[name]}") for name in properties
    ]
    if shows_scores and properties:
        lines.append((look.violated, "", "contradicted by the scores"))
    found: list[str] = []
    y = top
    for colour, dashes, said in lines:
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        found.append(
            f'<path d="M{_MARGIN} {y:g} h36" stroke="{colour}" stroke-width="2"{dashed}/>'
            f'<text x="{_MARGIN + 46}" y="{y + 4:g}" font-size="12" '
            f'fill="{look.ink}">{escape(said)}</text>'
        )
        y += 20
    return found, y + (4 if lines else 0)
