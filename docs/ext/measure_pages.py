"""A page for each measure: what it is, when to use it, and how its number arises in an example.

The pages are written before Sphinx looks for pages, and only where they changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from from_code import (
    GENERATORS,
    PARAMETER_HEAD,
    anchor,
    code,
    parameter_row,
    plain,
    slug,
    table,
)
from sphinx.application import Sphinx

import polyseme
from polyseme.collection.judgments import Judged
from polyseme.measures.advice import advice_on
from polyseme.measures.measure import CutoffRule, Family, Measure
from polyseme.reuse import Explanation, explain
from polyseme.tables import Table

FOLDER = Path("reference/measures/measure")

# ---- the example --------------------------------------------------------------------------------

TOPIC = "jaguar"
JUDGMENTS = {
    "car": {"d1": 2, "d2": 1, "d5": 0},
    "cat": {"d2": 1, "d3": 2},
    "team": {"d4": 1},
}
PROBABILITIES = {"car": 0.6, "cat": 0.3, "team": 0.1}
TYPES = {"team": "nav"}
#: d5 is judged and relevant to nothing; d9 is unjudged
LIST = ("d2", "d5", "d9", "d1", "d4")


@cache
def _judged() -> Judged:
    judged = polyseme.read_qrels({TOPIC: JUDGMENTS}, probabilities={TOPIC: PROBABILITIES})
    return judged.with_intents(types={TOPIC: TYPES})


def example() -> Iterator[str]:
    """The judgments and the list of all worked examples."""
    documents = sorted({document for held in JUDGMENTS.values() for document in held})
    rows = [
        (
            intent,
            f"{PROBABILITIES[intent]:g}",
            "navigational" if intent in TYPES else "informational",
            *(str(held.get(document, "")) for document in documents),
        )
        for intent, held in JUDGMENTS.items()
    ]
    yield from table(("intent", "probability", "type", *map(code, documents)), rows)
    yield "The list is " + ", ".join(map(code, LIST)) + ".\n"


def measure_of(family: Family) -> Measure:
    """The measure that is worked out: at rank 5, or after the one iteration that there is."""
    if family.cutoff == "none":
        return family()
    return family(5 if family.counts == "documents" else 1)


def explained(family: Family) -> Explanation:
    """How the example's number arises."""
    run = polyseme.read_runs({"example": {TOPIC: list(LIST)}})
    return explain(_judged(), run, TOPIC, [str(measure_of(family))], views=("raw",))


def _worked(family: Family) -> Iterator[str]:
    found = explained(family)
    measure = str(measure_of(family))
    (value,) = found.sheets[-1].values.values()
    by_name = {each.caption: each for each in found.report().tables}
    yield "## Worked example\n"
    yield f"The [example's](#worked-example) list scores {code(measure)} = **{value:.4f}**:\n"
    yield from _markdown(by_name["raw"], ())
    if family.traits.needs_ideal and family.group in ("D", "D#"):
        yield "The ideal list:\n"
        yield from _markdown(by_name["ideal"], ())
    yield "Step by step:\n"
    yield from _markdown(by_name["values"], ("view", "measure"))
    yield (
        "Grades are the global gain, and in parentheses the gains of the intents "
        + ", ".join(found.intents)
        + ". `polyseme explain` prints the same of any run and topic.\n"
    )


def _markdown(made: Table, without: tuple[str, ...]) -> Iterator[str]:
    kept = [place for place, name in enumerate(made.names) if name not in without]
    rows = ([plain(row[place]) for place in kept] for row in made.shown)
    yield from table([plain(made.names[place]) for place in kept], rows)


# ---- the page -----------------------------------------------------------------------------------

_CUTOFFS: dict[CutoffRule, str] = {
    "optional": "`@k` if wanted",
    "required": "`@k` needed",
    "none": "none",
}


def traits(family: Family) -> str:
    """What a measure promises, in words."""
    held = family.traits
    low, high = held.range
    said = [
        ("no lower bound" if low is None else f"from {low:g}")
        + (", no upper bound" if high is None else f" to {high:g}"),
        "uses grades" if held.uses_grades else "relevant or not, whatever the grade",
    ]
    said += ["uses probabilities"] if held.uses_probabilities else []
    said += ["uses the types of intents"] if held.uses_types else []
    said += ["needs an ideal"] if held.needs_ideal else []
    said += ["monotone"] if held.monotone else []
    said += ["its ideal is worth 1"] if held.normalised else []
    return "; ".join(said)


def page(family: Family) -> Iterator[str]:
    """All of one measure."""
    yield f"({anchor(family.name)})=\n# {plain(family.name)}\n"
    yield f"{plain(family.summary[0].upper() + family.summary[1:])}.\n"
    yield f"```{{code-block}} text\n:class: formula\n\n{family.formula}\n```\n"
    yield from (f":{term}: {fact}" for term, fact in _facts(family))
    yield ""
    if family.parameters:
        yield from table(PARAMETER_HEAD, map(parameter_row, family.parameters))
    advice = advice_on(family)
    yield "## When to use it\n\n" + "\n\n".join(plain(each.use) for each in advice) + "\n"
    yield "## What to mind\n\n" + "\n\n".join(plain(each.mind) for each in advice) + "\n"
    yield from _worked(family)


def _facts(family: Family) -> Iterator[tuple[str, str]]:
    counted = "" if family.cutoff == "none" else f"; it counts {family.counts}"
    yield "Cutoff", _CUTOFFS[family.cutoff] + counted
    yield "Traits", plain(traits(family))
    if family.citation:
        yield "From", plain(family.citation)
    formula = re.sub(r"\b\w+=", "", str(family.build()))
    yield "Built from", code(formula)
    own = {each.name for each in family.parameters}
    refused = set() if family.traits.monotone else {"view"}
    shared = [name for name in family.all_parameters if name not in own | refused]
    yield "Takes also", ", ".join(f"[`{name}`](#shared-parameters)" for name in shared)
    if "#" in family.name:
        yield "In plain letters", code(family.name.replace("#", "sharp"))


def write(docs: Path) -> None:
    """All pages, into the folder of the documentation; those of measures that went are removed."""
    folder = docs / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {f"{slug(each.name)}.md": "\n".join(page(each)) + "\n" for each in polyseme.CATALOGUE}
    for old in folder.iterdir():
        if old.name not in wanted:
            old.unlink()
    for name, text in wanted.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before pages are looked for."""
    GENERATORS["measure-example"] = example
    app.connect("builder-inited", lambda app: write(Path(app.srcdir)))
    return {"version": "1", "parallel_read_safe": True}
