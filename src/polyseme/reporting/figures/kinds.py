"""The kinds of figures: what each shows, of which findings, and with what options.

A kind is known by name; its module is loaded when it is drawn. Findings are known by the names of
their classes, so that nothing has to be imported to list the kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from polyseme.errors import PolysemeError, did_you_mean
from polyseme.reporting.figures.picture import Figure


@dataclass(frozen=True)
class Option:
    """Something to be chosen about a figure."""

    name: str
    help: str
    metavar: str = "NAME"
    type: type = str
    many: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kind:
    """A kind of figure."""

    name: str
    summary: str
    #: classes of findings that it can be drawn from
    of: tuple[str, ...]
    #: the command whose findings these are
    command: str
    #: module below this package, whose function of the kind's name draws it
    module: str
    options: tuple[Option, ...] = ()
    #: the figures of papers that it stands for
    papers: str = ""
    #: how it is drawn on the command line
    examples: tuple[str, ...] = ()
    #: options of the command that are settled
    presets: Mapping[str, Any] = field(default_factory=dict)

    def draw(self, found: Any, **options: Any) -> Figure:
        """Draw findings."""
        known = {option.name for option in self.options}
        for name in options:
            if name not in known:
                raise PolysemeError(
                    f"the figure {self.name} has no option {name!r}; "
                    + (f"it has {', '.join(sorted(known))}" if known else "it has none")
                )
        home = import_module(f"polyseme.reporting.figures.{self.module}")
        draw: Callable[..., Figure] = getattr(home, self.name.replace("-", "_"))
        return draw(found, **options)


_TITLE = Option("title", "Title; an empty one is left out.", "TEXT")
_MEASURE = Option("measure", "Measure to show.  [default: the first]", "MEASURE")
_MEASURES = Option("only", "Measures to show.  [default: all]", "MEASURE", many=True)


def _kind(
    name: str,
    summary: str,
    of: str,
    command: str,
    module: str,
    options: tuple[Option, ...] = (),
    papers: str = "",
    examples: tuple[str, ...] = (),
    presets: Mapping[str, Any] | None = None,
) -> Kind:
    """Any figure can have another title."""
    return Kind(
        *(name, summary, tuple(of.split()), command, module, (*options, _TITLE), papers),
        *(examples, presets or {}),
    )


_ALL = (
    _kind(
        "rankings",
        "Runs ranked by several measures over one axis.",
        "Scores",
        "evaluate",
        "rankings",
        options=(Option("by", "Measure that orders the runs.  [default: the first]", "MEASURE"),),
        papers="Sakai 2013, figure 1",
        examples=(
            'polyseme plot rankings judgments.qrels runs/*.run -m "ERR-IA@10 I-rec@10 D#-nDCG@10" '
            "-o rankings.svg",
            "polyseme evaluate judgments.qrels runs/*.run --per-topic -o scores.csv",
            "polyseme plot rankings --scores scores.csv --by I-rec@10 -o rankings.html",
        ),
    ),
    _kind(
        "scatter",
        "Runs by diversity and relevance, with lines of equal D#.",
        "Scores",
        "evaluate",
        "scatter",
        options=(
            Option("x", "Measure of the horizontal axis.  [default: I-rec]", "MEASURE"),
            Option("y", "Measure of the vertical axis.  [default: a D-measure]", "MEASURE"),
            Option("gamma", "Weight of the horizontal axis in D#.  [default: 0.5]", "X", float),
        ),
        papers="Sakai 2013, figure 2",
        examples=(
            'polyseme plot scatter judgments.qrels runs/*.run -m "I-rec@10 D-nDCG@10" '
            "-o scatter.pdf",
            'polyseme plot scatter judgments.qrels runs/*.run -m "P@10 ERR-IA@10" --x P@10 '
            "--y ERR-IA@10 -o other.png --theme dark",
        ),
    ),
)
KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _ALL}


def kinds_of(found: object) -> tuple[Kind, ...]:
    """The kinds that findings can be drawn as, the usual one first."""
    names = [each.__name__ for each in type(found).__mro__]
    return tuple(kind for kind in KINDS.values() if any(name in kind.of for name in names))


def figure(found: object, kind: str | None = None, **options: Any) -> Figure:
    """A figure of findings: of the kind that was named, else of the usual one."""
    possible = kinds_of(found)
    if kind is not None and kind not in KINDS:
        hint = did_you_mean(kind, KINDS)
        raise PolysemeError(
            f"there is no figure {kind!r}; " + (hint or f"the figures are {', '.join(KINDS)}")
        )
    if not possible:
        raise PolysemeError(f"there is no figure of {type(found).__name__}")
    chosen = possible[0] if kind is None else KINDS[kind]
    if chosen not in possible:
        raise PolysemeError(
            f"{type(found).__name__} cannot be drawn as {chosen.name}; "
            f"it can as {' or '.join(each.name for each in possible)}"
        )
    return chosen.draw(found, **options)
