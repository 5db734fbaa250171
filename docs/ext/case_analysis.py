"""What case analysis finds on all measures, found while the documentation is built.

Each of these functions runs one command, shows it, and says what it told: no number and no sentence
on a measure is typed.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from click.testing import CliRunner

from polyseme.cli import main
from polyseme.measures.sets import CATALOGUE
from polyseme.meta.properties import PROPERTIES
from polyseme.reporting.figures.theme import THEMES

#: what every setting is compared with: the paper's, with rankings that take little time
USUAL = ("-m", "all", "--length", "6", "--properties", "all")
Key = tuple[str, str]


def printed_by(*said: str) -> str:
    """What ``polyseme`` prints."""
    done = CliRunner().invoke(main, [*said], catch_exceptions=False)
    if done.exit_code:
        raise RuntimeError(f"polyseme {shlex.join(said)}\n{done.stderr}")
    return done.stdout


def told_by(*said: str) -> str:
    """What ``polyseme properties`` prints."""
    return printed_by("properties", *said)


@cache
def analysed(*said: str) -> Analysis:
    """The same as JSON, read; one command is run once for all its pages."""
    return Analysis(said, json.loads(told_by(*said, "--format", "json")))


@dataclass(frozen=True)
class Analysis:
    """What one command told."""

    said: tuple[str, ...]
    told: dict[str, Any]

    @cached_property
    def measures(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row["measure"] for row in self.told["rows"]))

    @cached_property
    def properties(self) -> tuple[str, ...]:
        """Those that were asked for, and all that they induce together."""
        asked = dict.fromkeys(row["property"] for row in self.told["rows"])
        return tuple(name for name in asked if ":" not in name)

    @cached_property
    def direct(self) -> tuple[str, ...]:
        return tuple(name for name in self.properties if name in PROPERTIES)

    @cached_property
    def counts(self) -> dict[Key, tuple[int, int]]:
        """Violations and cases of a measure and a property."""
        return {
            (row["measure"], row["property"]): (row["violations"], row["cases"])
            for row in self.told["rows"]
        }

    @cached_property
    def violated(self) -> set[Key]:
        """Measures with the properties that they violate directly."""
        return {
            key
            for key, (violations, _) in self.counts.items()
            if violations and key[1] in PROPERTIES
        }

    @cached_property
    def wrong(self) -> tuple[str, ...]:
        """Measures that violate anything."""
        found = {measure for (measure, _), (violations, _) in self.counts.items() if violations}
        return tuple(each for each in self.measures if each in found)


def _cell(violations: int, cases: int) -> str:
    return f"{violations:,} of {cases:,}" if violations else ""


# ---- pieces of pages ----------------------------------------------------------------------------


def _command(said: Sequence[str], command: str = "properties") -> Iterator[str]:
    lines = [f"$ polyseme {command}"]
    for word in (f'"{each}"' if shlex.quote(each) != each else each for each in said):
        # names of measures may stand in lines of their own
        for piece in word.split(" "):
            if len(lines[-1]) + len(piece) > 85:
                lines.append("   ")
            lines[-1] += f" {piece}"
    text = " \\\n".join(lines)
    yield f"```text\n{text}\n```\n"


def _names(measures: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in measures)


def _table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: int = 0
) -> Iterator[str]:
    """A Markdown table whose last columns are numbers."""
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * (len(head) - numbers) + " ---: |" * numbers
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    yield ""


def _is_native(measure: str) -> bool:
    """Is it ours, not a column that another program prints?"""
    return ":" not in measure


def _setting(found: Analysis) -> str:
    first, *notes = found.told["notes"]
    # what the properties are stands at the page's beginning
    other = [each for each in notes if each.partition(":")[0] not in (*PROPERTIES, "induced")]
    said = [each for each in other if not each.startswith("a case is violated")]
    return "; ".join([first[0].upper() + first[1:], *said]) + "."


def _violations(found: Analysis, measures: Sequence[str]) -> Iterator[str]:
    """A row for all measures of equal counts, a column for each property that any violates."""
    bad = [name for name in found.properties if any(found.counts[m, name][0] for m in measures)]
    good = [name for name in found.properties if name not in bad]
    rows: dict[tuple[str, ...], list[str]] = {}
    for measure in measures:
        cells = tuple(_cell(*found.counts[measure, name]) for name in bad)
        rows.setdefault(cells, []).append(measure)
    told = ((_names(names), *cells) for cells, names in rows.items())
    yield from _table(("measure", *bad), told, numbers=len(bad))
    if good:
        cases = {name: found.counts[found.measures[0], name][1] for name in good}
        said = ", ".join(f"{name} ({cases[name]:,} cases)" for name in good)
        yield f"Violated by none: {said}.\n"


def _examples(found: Analysis, measures: Sequence[str]) -> Iterator[str]:
    """The smallest counter-example of each measure and property, equal stories once."""
    stories: dict[tuple[str, str, str, str], list[dict[str, Any]]] = {}
    for each in found.told["counter_examples"]:
        if each["property"] in PROPERTIES and each["measure"] in measures:
            key = (each["property"], each["lower"], each["higher"], each["reason"])
            stories.setdefault(key, []).append(each)
    order = sorted(stories, key=lambda key: PROPERTIES.index(key[0]))
    rows = []
    for key in order:
        name, lower, higher, reason = key
        scores = ", ".join(
            f"`{each['measure']}` {each['lower_score']:.4f} > {each['higher_score']:.4f}"
            for each in stories[key][:4]
        )
        more = len(stories[key]) - 4
        rows.append(
            (
                name,
                f"`{lower}`",
                f"`{higher}`",
                scores + (f", {more} more" if more > 0 else ""),
                reason,
            )
        )
    head = ("property", "this", "scores above this", "why it should not", "measures, scores")
    told = ((name, low, high, reason, scores) for name, low, high, scores, reason in rows)
    if rows:
        yield "The smallest counter-examples:\n"
        yield from _table(head, told)


# ---- what pages ask for -------------------------------------------------------------------------


def findings(arguments: str) -> Iterator[str]:
    """Everything that one command finds on all measures that it names."""
    found = analysed(*shlex.split(arguments))
    yield from _command(found.said)
    yield from _told(found, found.measures)


def _told(found: Analysis, measures: Sequence[str]) -> Iterator[str]:
    wrong = [each for each in found.wrong if each in measures]
    holding = [each for each in measures if each not in wrong]
    yield _setting(found) + "\n"
    if not wrong:
        yield f"None of the {len(measures)} measures violates anything: {_names(measures)}.\n"
        return
    if holding:
        yield (
            f"{len(holding)} of {len(measures)} measures violate nothing"
            + (f": {_names(holding)}" if len(holding) <= 30 else "")
            + f". {len(wrong)} do:\n"
        )
    else:
        yield f"All {len(measures)} measures violate something:\n"
    yield from _violations(found, wrong)
    yield from _examples(found, wrong)


def beyond(arguments: str) -> Iterator[str]:
    """All measures in another setting than the paper's, and what differs from the paper's."""
    found, usual = analysed(*USUAL, *shlex.split(arguments)), analysed(*USUAL)
    yield from _command(found.said)
    native = [each for each in found.measures if _is_native(each)]
    yield from _told(found, native)
    yield from _differences(found, usual)
    theirs = [each for each in found.wrong if not _is_native(each)]
    if theirs:
        said = "; ".join(
            f"{name} by {_names(named)}"
            for name in found.direct
            if (named := [each for each in theirs if (each, name) in found.violated])
        )
        yield f"Of the columns that other programs print, these violate something: {said}.\n"


def _differences(found: Analysis, usual: Analysis) -> Iterator[str]:
    """What this setting adds to the violations of the usual one, and what it takes away."""
    changes = (
        ("Violated here and not in the paper's setting", found.violated - usual.violated),
        ("Violated in the paper's setting and not here", usual.violated - found.violated),
    )
    for words, keys in changes:
        ours = {key for key in keys if _is_native(key[0])}
        if not ours:
            yield f"{words}: nothing.\n"
            continue
        pieces = [
            f"{name} by {_names(named)}"
            for name in found.direct
            if (named := [each for each in found.measures if (each, name) in ours])
        ]
        yield f"{words}: {'; '.join(pieces)}.\n"


#: settings by the names that the overview gives them
SETTINGS = {
    "as in the paper": "",
    "unequal probabilities": "--probabilities .7,.3",
    "two grades": "--grades 2",
    "two grades, exponential": "--grades 2 --gain exponential",
    "several intents a document": "--multi",
    "one intent": "--intents 1",
    "one intent, four grades": "--intents 1 --grades 4",
    "one document of each grade": "--intents 1 --grades 4 --relevant 1",
    "terminal document, grade 0": "--terminal 0",
    "terminal document, grade 1": "--terminal 1",
}


def overview() -> Iterator[str]:
    """Measures by settings: which properties are violated."""
    found = {name: analysed(*USUAL, *shlex.split(said)) for name, said in SETTINGS.items()}
    measures = [each for each in found["as in the paper"].measures if _is_native(each)]
    rows: dict[tuple[str, ...], list[str]] = {}
    for measure in measures:
        cells = tuple(
            ", ".join(name for name in PROPERTIES if (measure, name) in each.violated)
            for each in found.values()
        )
        rows.setdefault(cells, []).append(measure)
    holding = rows.pop(("",) * len(found), [])
    yield (
        f"{len(holding)} of {len(measures)} measures violate nothing in any of the "
        f"{len(found)} settings: {_names(holding)}. The others:\n"
    )
    yield from _table(
        ("measure", *found), ((_names(names), *cells) for cells, names in rows.items())
    )


def monotone() -> Iterator[str]:
    """What measures say of themselves, beside what was found on replacement."""
    settings = [analysed(*USUAL, *shlex.split(said)) for said in SETTINGS.values()]
    fallen = {
        measure for each in settings for measure, name in each.violated if name == "replacement"
    }
    families = [family for family in CATALOGUE if _is_native(family.name)]
    named = {name.partition("@")[0] for name in fallen}
    says = [family.name for family in families if family.traits.monotone]
    silent = [family.name for family in families if not family.traits.monotone]
    against = [name for name in says if name in named]
    yield (
        f"{len(says)} of {len(families)} families of measures say that they are monotone, which "
        "means that no relevant document in place of a non-relevant one lowers them: "
        f"{'none' if not against else _names(against)} of them violates replacement in any of "
        f"these settings. Of the {len(silent)} that do not say so, "
        f"{_names(name for name in silent if name in named)} violate it"
        + (
            f", and {_names(name for name in silent if name not in named)} do not."
            if any(name not in named for name in silent)
            else "."
        )
        + "\n"
    )


def truncated(arguments: str) -> Iterator[str]:
    """What each measure makes of a list that ends early."""
    said = (*shlex.split(arguments), "--truncated")
    found = analysed(*said)
    yield from _command(said)
    yield f"{found.told['notes'][0][0].upper()}{found.told['notes'][0][1:]}.\n"
    rows: dict[tuple[str, ...], list[str]] = {}
    for row in found.told["rows"]:
        cells = (row["a_short_list"], *(f"{row[name]:,}" for name in ("same", "lower", "higher")))
        program = row["measure"].rpartition(":")[0]
        rows.setdefault((program, *cells), []).append(row["measure"])
    told = ((_names(names), *cells) for (_, *cells), names in rows.items())
    yield from _table(("measure", "a short list", "same", "lower", "higher"), told, numbers=3)


def picture(arguments: str) -> Iterator[str]:
    """A tree of rankings and relations, in light and in dark."""
    said = shlex.split(arguments)
    yield from _command((*said, "-o", "tree.svg"), "plot relations")
    for theme in THEMES:
        drawn = printed_by("plot", "relations", *said, "--title", "", "--theme", theme, "--quiet")
        yield f'<div class="tree only-{theme}">\n{drawn.strip()}\n</div>\n'


GENERATORS = {
    "beyond": beyond,
    "findings": findings,
    "monotone": monotone,
    "overview-of-properties": overview,
    "tree": picture,
    "truncated": truncated,
}
