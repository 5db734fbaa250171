"""Figures as one page of HTML that needs no network and fetches nothing.

All that Vega needs stands in the page. Whatever names a figure holds are data to the page: its
policy of contents lets no script of theirs run, and expressions are interpreted, not evaluated.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from polyseme.reporting.figures.drawing import VERSION, converter
from polyseme.reporting.figures.picture import Chart, Figure
from polyseme.reporting.figures.theme import BACKGROUND

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"

_STYLE = f"""
:root {{ color-scheme: light dark; --ground: {BACKGROUND["light"]}; --ink: #1d2329;
  --quiet: #5b636b; }}
@media (prefers-color-scheme: dark) {{
  :root {{ --ground: {BACKGROUND["dark"]}; --ink: #e8ebee; --quiet: #a9b1b9; }}
}}
body {{ margin: 0 auto; max-width: 80rem; padding: 1rem; background: var(--ground);
  color: var(--ink); font: 1rem/1.5 system-ui, "Liberation Sans", Arial, sans-serif; }}
figure {{ margin: 0 0 2rem; }}
.drawn {{ overflow-x: auto; }}
.unseen {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }}
.by-night {{ display: none; }}
@media (prefers-color-scheme: dark) {{
  .by-day {{ display: none; }}
  .by-night {{ display: block; }}
}}
figcaption {{ color: var(--quiet); font-size: .875rem; max-width: 48rem; margin-top: .5rem; }}
figcaption p {{ margin: .25rem 0; }}
.vega-embed details {{ opacity: 1 !important; }}
.vega-embed .chart-wrapper.fit-x {{ width: auto; }}
"""

#: draws every chart, and again where the reader's choice of light or dark changes
SCRIPT = """
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const draw = async (place) => {
    const held = JSON.parse(document.getElementById(place.dataset.spec).textContent);
    const spec = {...held.spec, config: dark.matches ? held.dark : held.light};
    const made = await vegaEmbed(place, spec, {
      mode: "vega-lite", renderer: "svg", ast: true,
      tooltip: {theme: dark.matches ? "dark" : "light"},
      actions: {export: true, source: false, compiled: false, editor: false},
    });
    const drawn = place.querySelector("svg");
    if (drawn) {
      drawn.setAttribute("role", "img");
      drawn.setAttribute("aria-label", place.dataset.said);
    }
    place.querySelector("summary")?.setAttribute("aria-label", "Save this figure");
    return made;
  };
  const all = () => document.querySelectorAll(".drawn[data-spec]").forEach((place) => draw(place));
  dark.addEventListener("change", all);
  all();
})();
"""


def bundle() -> str:
    """Vega, Vega-Lite and what embeds them, as one script."""
    found: str = converter().javascript_bundle(vl_version=VERSION)
    # nothing in a script may look like its end
    return found.replace("</", "<\\/") if "</script" in found.lower() else found


def inert(value: Any) -> str:
    """A value as JSON that can stand in a page: no letter of it means anything to HTML."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def element(figure: Figure, name: str) -> str:
    """A figure with its notes, to stand in a page that has the bundle and :data:`SCRIPT`.

    ``name`` is its place in the page: letters, digits and hyphens, and no other's name.
    """
    notes = "".join(f"<p>{escape(note)}</p>" for note in figure.notes)
    caption = f"<figcaption>{notes}</figcaption>" if notes else ""
    if not isinstance(figure, Chart):
        drawn = (
            f'<div class="drawn by-day">{figure.to_svg("light")}</div>'
            f'<div class="drawn by-night">{figure.to_svg("dark")}</div>'
        )
        return f'<figure id="{escape(name)}">{drawn}{caption}</figure>'
    light, dark = figure.spec("light"), figure.spec("dark")
    held = {
        "light": light.pop("config"),
        "dark": dark.pop("config"),
        "spec": light,
    }
    return (
        f'<figure id="{escape(name)}"><div class="drawn" data-spec="{escape(name)}-spec" '
        f'data-said="{escape(figure.title)}. {escape(figure.description)}"></div>{caption}'
        f'<script type="application/json" id="{escape(name)}-spec">{inert(held)}</script></figure>'
    )


def page(figures: Sequence[Figure], title: str | None = None) -> str:
    """A page of figures."""
    said = title or (figures[0].title if figures else "Figures")
    body = "\n".join(element(each, f"figure-{n}") for n, each in enumerate(figures, 1))
    scripts = ""
    if any(isinstance(each, Chart) for each in figures):
        scripts = f"<script>{bundle()}</script>\n<script>{SCRIPT}</script>\n"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(said)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f'<h1 class="unseen">{escape(said)}</h1>\n{body}\n</main>\n{scripts}</body>\n</html>\n'
    )
