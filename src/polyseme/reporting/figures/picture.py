"""A figure before it can be looked at: a Vega-Lite specification, or a drawing."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from polyseme.errors import MissingExtra
from polyseme.reporting.figures import theme as themes
from polyseme.reporting.figures.theme import Theme

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"


@dataclass(frozen=True)
class Figure(ABC):
    """One figure of some kind, with what is to be read beside it.

    ``save`` writes it as HTML, SVG, PNG, PDF or as its specification, by the file's name.
    """

    kind: str
    title: str
    #: what it shows, in a sentence, for those who cannot see it
    description: str
    #: sentences that a reader needs to understand it
    notes: tuple[str, ...] = ()
    #: short lines below the title
    subtitle: tuple[str, ...] = ()

    @abstractmethod
    def to_svg(self, theme: Theme = "light") -> str:
        """As SVG."""

    @abstractmethod
    def to_json(self, *, indent: int | None = None) -> str:
        """The specification, or what stands for it."""

    def to_png(self, theme: Theme = "light", *, scale: float = 2.0) -> bytes:
        """As PNG; a scale of 2 looks sharp on most screens and in print."""
        from polyseme.reporting.figures import drawing

        return drawing.png(self.to_svg(theme), scale)

    def to_pdf(self, theme: Theme = "light") -> bytes:
        """As PDF, of one page that is as large as the figure."""
        from polyseme.reporting.figures import drawing

        return drawing.pdf(self.to_svg(theme))

    def to_html(self) -> str:
        """As a page of its own, which needs no network and follows the reader's light or dark."""
        from polyseme.reporting.figures import pages

        return pages.page([self])

    def save(
        self, path: Any, form: str | None = None, *, theme: Theme = "light", scale: float = 2.0
    ) -> None:
        """Write the figure to a file, whole or not at all.

        The format is ``form`` (html, svg, png, pdf or json), else what the file's name says.
        """
        from polyseme.reporting.figures import drawing

        drawing.save(self, path, form, theme=theme, scale=scale)

    def _repr_html_(self) -> str:
        # notebooks show a picture at once; it is inert, whatever names it holds
        return self.to_svg()


@dataclass(frozen=True)
class Chart(Figure):
    """A figure that Vega-Lite draws."""

    #: without colours, fonts and title: the theme has these
    body: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def _font(self) -> str:
        return themes.fonts("".join((*texts_in(self.body), self.title, *self.subtitle)))

    @property
    def _heading(self) -> dict[str, Any]:
        below = {"subtitle": list(self.subtitle)} if self.subtitle else {}
        return {"text": self.title, **below}

    def spec(self, theme: Theme = "light") -> dict[str, Any]:
        """The Vega-Lite specification, complete."""
        return {
            "$schema": SCHEMA,
            "description": self.description,
            **({"title": self._heading} if self.title else {}),
            "config": themes.config(theme, self._font),
            **self.body,
        }

    def chart(self, theme: Theme = "light") -> Any:
        """An Altair chart, to be changed as one likes."""
        try:
            import altair
        except ImportError:
            raise MissingExtra("figures as Altair charts", "report") from None
        return altair.Chart.from_dict(self.spec(theme))

    def to_svg(self, theme: Theme = "light") -> str:
        from polyseme.reporting.figures import drawing

        return drawing.svg(self.spec(theme))

    def to_json(self, *, indent: int | None = None) -> str:
        return json.dumps(self.spec(), ensure_ascii=False, indent=indent)


@dataclass(frozen=True)
class Drawing(Figure):
    """A figure that was drawn as SVG from the start, once for each theme."""

    svg: Mapping[Theme, str] = field(default_factory=dict)

    def to_svg(self, theme: Theme = "light") -> str:
        return self.svg[theme]

    def to_json(self, *, indent: int | None = None) -> str:
        return json.dumps({"svg": self.svg["light"]}, ensure_ascii=False, indent=indent)


def texts_in(value: Any) -> Iterator[str]:
    """All texts of a specification, wherever they stand."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from texts_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts_in(each)
