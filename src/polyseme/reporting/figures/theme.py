"""How figures look: colours that everybody can tell apart, in light and in dark, and fonts.

Specifications of figures say which mark is of which category or style, and never a colour. The
colours come from here when a figure is drawn, so that one figure serves both themes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = get_args(Theme)

#: Each colour is told from the others by those who see no red or no green, and has a contrast with
#: its background of 4.5 at least, so that a label may have the colour of its line.
CATEGORIES: Mapping[Theme, tuple[str, ...]] = {
    "light": ("#0062a3", "#b8430a", "#00704f", "#94387a", "#7a5b00", "#1a7a99", "#555b61"),
    "dark": ("#6cb8f0", "#ff9a5c", "#4ccb9c", "#e8a0ce", "#e8c34a", "#9ad9ee", "#c3c9cf"),
}
BACKGROUND: Mapping[Theme, str] = {"light": "#ffffff", "dark": "#15191e"}
INK: Mapping[Theme, str] = {"light": "#1d2329", "dark": "#e8ebee"}
QUIET: Mapping[Theme, str] = {"light": "#5b636b", "dark": "#a9b1b9"}
_GRID: Mapping[Theme, str] = {"light": "#e3e6e9", "dark": "#2e353d"}
_CONTOUR: Mapping[Theme, str] = {"light": "#cbd0d5", "dark": "#47505a"}
MARKED: Mapping[Theme, str] = {"light": "#b3261e", "dark": "#ff8a80"}
#: values of heat maps: from little to much, to be told apart without colours too
RAMP = "viridis"
#: values on both sides of a middle
DIVERGING = "blueorange"
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left")
DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3), (10, 4), (4, 2, 1, 2), (1, 3))

#: letters that the usual fonts lack, and fonts that have them
_SCRIPTS = (
    ("[\u3040-\u30ff]", "Noto Sans CJK JP"),
    ("[\uac00-\ud7af\u1100-\u11ff]", "Noto Sans CJK KR"),
    ("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]", "Noto Sans CJK SC"),
    ("[\u0530-\u058f\u0600-\u1dff\u2c00-\u2dff\U0001f300-\U0001faff]", "DejaVu Sans"),
)
#: of one width, so that a drawing's names end where they should wherever it is looked at
_USUAL = (
    *("Liberation Sans", "Arial", "Arimo", "Helvetica", "Nimbus Sans", "TeX Gyre Heros"),
    *("FreeSans", "sans-serif"),
)


def fonts(text: str) -> str:
    """The names of fonts that can show a text; the first one has its rarest letters."""
    return ", ".join((*_needed(text), *_USUAL))


def _needed(text: str) -> Iterator[str]:
    return (name for letters, name in _SCRIPTS if re.search(letters, text))


def config(theme: Theme, font: str) -> dict[str, Any]:
    """The part of a Vega-Lite specification that says how everything looks."""
    ink, quiet, grid, marked = INK[theme], QUIET[theme], _GRID[theme], MARKED[theme]
    return {
        "background": BACKGROUND[theme],
        "font": font,
        # more at the sides: where none of the fonts is, letters are wider
        "padding": {"left": 20, "right": 28, "top": 12, "bottom": 12},
        "view": {"stroke": None},
        "range": {
            "category": list(CATEGORIES[theme]),
            "symbol": list(SHAPES),
            "ramp": {"scheme": RAMP},
            "heatmap": {"scheme": RAMP},
            "diverging": {"scheme": DIVERGING},
        },
        "title": {
            "color": ink,
            "subtitleColor": quiet,
            "fontSize": 15,
            "subtitleFontSize": 12,
            "fontWeight": 600,
            "anchor": "start",
            "offset": 14,
            "subtitlePadding": 6,
            "subtitleLineHeight": 16,
        },
        "axis": {
            "labelColor": ink,
            "titleColor": ink,
            "domainColor": quiet,
            "tickColor": quiet,
            "gridColor": grid,
            "labelFontSize": 11,
            "titleFontSize": 12,
            "titleFontWeight": 600,
            "titlePadding": 10,
            "labelLimit": 260,
            "labelFlush": False,
        },
        "header": {"labelColor": ink, "titleColor": ink, "labelFontSize": 12, "titleFontSize": 12},
        "legend": {
            "labelColor": ink,
            "titleColor": ink,
            "labelFontSize": 11,
            "titleFontSize": 11,
            "labelLimit": 320,
            "symbolSize": 70,
        },
        # Vega-Lite looks for `color` in styles, and prefers a mark's `fill` or `stroke` to it
        "text": {"fontSize": 11, "color": ink},
        "line": {"strokeWidth": 1.8},
        "point": {"size": 42, "filled": True, "opacity": 1},
        "rule": {"color": quiet},
        "bar": {"color": CATEGORIES[theme][0]},
        "style": {
            "contour": {"color": _CONTOUR[theme], "strokeWidth": 1.4},
            "label": {"color": ink},
            "marked": {"color": marked, "fontWeight": 600},
            "quiet": {"color": quiet},
            "reference": {"color": quiet, "strokeDash": [4, 3]},
            "single": {"color": CATEGORIES[theme][0]},
        },
    }
