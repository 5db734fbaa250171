"""The sections of a page in their order: one for each question, and where all comes from."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from polyseme.reporting.page.assessment import Assessment
from polyseme.reporting.page.balance import balance_section
from polyseme.reporting.page.best import best_section
from polyseme.reporting.page.choice import choice_section
from polyseme.reporting.page.fairness import fairness_section
from polyseme.reporting.page.misses import misses_section
from polyseme.reporting.page.parts import Section
from polyseme.reporting.page.words import plural
from polyseme.tables import Column, Report, Table, labels, told

#: policies whose names do not say what they are
POLICIES_IN_WORDS = (
    ("gmax", "gmax: the highest gain, of the whole collection, of each topic, or of a grade."),
    ("adhoc", "adhoc: how judgments of several intents become one grade a document."),
)
#: programs that numbers or pictures may hang on
PROGRAMS = ("numpy", "scipy", "altair", "vl-convert-python", "jinja2")


def sections(found: Assessment) -> tuple[Section, ...]:
    """The five questions, each with its answer and what that rests on."""
    return (
        best_section(found),
        misses_section(found),
        balance_section(found),
        fairness_section(found),
        choice_section(found),
    )


def report_of_answers(found: Assessment) -> Report:
    """The answers as a table: a row a question."""
    columns = (*labels("question"), Column("answer", "prose"), Column("more", "prose"))
    rows = [
        (each.answer.question, each.answer.short, " ".join(each.answer.summary))
        for each in found.sections
    ]
    return Report(
        Table(columns, rows),
        notes=found.warnings,
        provenance={
            **found.scores.provenance,
            "measures": list(found.scores.measures),
            "by": found.by,
            "B": found.trials,
            "seed": found.seed,
        },
    )


def overview(found: Assessment) -> str:
    """What was looked at, in a sentence."""
    scores, judgments = found.scores, found.judgments
    said = plural(len(scores.runs), "run")
    if judgments is not None and judgments.teams_known:
        said += f" of {plural(len(judgments.teams.names), 'team')}"
    said += f" on {plural(found.topics, 'topic')}"
    if judgments is not None:
        said += (
            f" with {plural(len(judgments.coverage.intents), 'intent')}, held against "
            f"{plural(judgments.judged, 'judged document')}"
        )
    measures = plural(len(scores.measures), "measure")
    return f"{said}, by {measures}. The measure that decides is {found.by}."


def origins(found: Assessment) -> Iterator[tuple[str, str]]:
    """Where numbers come from: names and what they are."""
    made: Mapping[str, Any] = found.scores.provenance
    yield "polyseme", version("polyseme") if "polyseme" not in made else str(made["polyseme"])
    policies = told({name: value for name, value in made.items() if name != "polyseme"})
    yield "policies", policies or "not known: the scores were made elsewhere"
    words = " ".join(said for name, said in POLICIES_IN_WORDS if f"{name} " in policies)
    if words:
        yield "what these mean", words
    if "scores" in made:
        yield "scores read from", ", ".join(map(str, made["scores"]))
    yield "measures", " ".join(found.scores.measures)
    if found.comparison is not None:
        correction = found.comparison.correction or "none"
        yield (
            "test",
            f"randomised Tukey HSD of all pairs, B = {found.trials:,}, seed {found.seed}, level "
            f"{found.level:g}, correction {correction}; of the best run against each other one "
            "random swaps by topic with Holm's correction",
        )
    judgments = found.judgments
    if judgments is not None:
        yield "teams", _teams(found)
        depth = found.said.get("depth")
        yield "pool depth", "not said" if depth is None else str(depth)
    yield "Python", platform.python_version()
    for name in PROGRAMS:
        number = _version(name)
        if number:
            yield name, number


def _teams(found: Assessment) -> str:
    until, given = found.said.get("team_until"), found.said.get("teams")
    if until is not None:
        return f"what stands before {until!r} in the names of runs"
    if isinstance(given, str):
        return f"from {given}"
    return "not known: each run taken for one" if given is None else "given by the caller"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
