"""Pages that are made from the code, so that nothing is typed twice.

A fence such as

    ```{from-code} measures cascade
    ```

is replaced, before the page is read, by the Markdown that a function of `GENERATORS` makes.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import MISSING, fields
from importlib.metadata import packages_distributions, requires
from typing import Any

import case_analysis
import click
from ndeval_table import side_by_side
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

import polyseme.measures
from polyseme.cli import installation, main, tree
from polyseme.collection.formats import tables as columns_in
from polyseme.collection.formats.catalogue import FORMATS, OF_KIND
from polyseme.dialects import DIALECTS, Dialect, parse_dialect
from polyseme.errors import PolysemeError
from polyseme.judging.tasks import ANSWER_COLUMNS
from polyseme.measures.advice import GROUPS
from polyseme.measures.measure import Family
from polyseme.measures.parameters import ADHOC, DELTA, GAIN, GMAX, VIEW, Parameter, spelled
from polyseme.reporting.figures import KINDS as FIGURES
from polyseme.reporting.formats import FORMATS as OUTPUT_FORMATS
from polyseme.reporting.kinds import Kinds, Option
from polyseme.reporting.measures import COLUMNS as CATALOGUE_COLUMNS
from polyseme.reporting.papers import KINDS as TABLES
from polyseme.scores import INTENT_COLUMNS, LONG_COLUMNS
from polyseme.values import Value

_FENCE = re.compile(r"^```\{from-code\} (?P<said>[^\n]+)\n```$", re.MULTILINE)
SHARED = (GAIN, GMAX, ADHOC, VIEW, DELTA)


def plain(text: str) -> str:
    """Text that Markdown leaves as it is; what stands in backticks stays code."""
    pieces = text.split("`")
    pieces[::2] = [re.sub(r"([\\*_\[\]<>$#|{}~])", r"\\\1", piece) for piece in pieces[::2]]
    return "`".join(pieces)


def code(text: str) -> str:
    """Text as code, or nothing."""
    if not text:
        return ""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A Markdown table; bars inside cells are escaped."""
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    yield ""


# ---- measures -----------------------------------------------------------------------------------


def slug(name: str) -> str:
    """What a measure's page is called."""
    spelled_out = name.replace("#", "-sharp").replace("+", "-plus-").lower()
    return re.sub(r"[^a-z0-9]+", "-", spelled_out).strip("-")


def anchor(name: str) -> str:
    """A measure's place."""
    return f"measure-{slug(name)}"


def measures(group: str) -> Iterator[str]:
    """What holds for a group, and its measures with links to their pages."""
    families = [each for each in polyseme.CATALOGUE if each.group == group]
    if group in GROUPS:
        advice = GROUPS[group]
        yield f"When to use\n: {plain(advice.use)}\n\nTo mind\n: {plain(advice.mind)}\n"
    rows = (
        (
            f"[{plain(each.name)}](#{anchor(each.name)})",
            plain(each.summary),
            code(each.formula),
        )
        for each in families
    )
    yield from table(("measure", "what it is", "formula"), rows)
    pages = "\n".join(f"measure/{slug(each.name)}" for each in families)
    yield f"```{{toctree}}\n:hidden:\n\n{pages}\n```\n"


PARAMETER_HEAD = ("parameter", "default", "legal values", "meaning")


def parameter_row(each: Parameter) -> tuple[str, ...]:
    """A parameter's row of a table."""
    default = "" if each.default is None else code(spelled(each.default))
    return code(each.name), default, plain(each.expected), plain(each.doc)


def shared_parameters() -> Iterator[str]:
    """Parameters that measures take besides their own."""
    yield from table(PARAMETER_HEAD, map(parameter_row, SHARED))


def sets() -> Iterator[str]:
    """Sets and their members."""
    for each in polyseme.CATALOGUE.sets:
        members = polyseme.CATALOGUE.members(each.name)
        usual = f"`{each.name}@{each.cutoff}` is the usual cutoff" if each.cutoff else "no cutoff"
        yield f"## {plain(each.name)}\n"
        yield f"{plain(each.summary[0].upper() + each.summary[1:])}; {usual}.\n"
        yield "```text\n" + "\n".join(str(member) for member in members) + "\n```\n"


def all_measures() -> Iterator[str]:
    """One line a measure, with a link to its place."""
    native = [each for each in polyseme.CATALOGUE if ":" not in each.name]
    rows = (
        (f"[{plain(each.name)}](#{anchor(each.name)})", plain(each.summary), plain(each.citation))
        for each in native
    )
    yield from table(("measure", "what it is", "from"), rows)


# ---- commands -----------------------------------------------------------------------------------


def commands() -> Iterator[str]:
    """Every command: its help, its usage, its arguments and options, its examples."""
    for context in tree.commands(main):
        yield from _command(context)


def _command(context: click.Context) -> Iterator[str]:
    command, path = context.command, context.command_path
    yield f"(command-{path.replace(' ', '-')})=\n## {path}\n"
    yield "```text\n" + command.get_usage(context) + "\n```\n"
    yield from (plain(each) + "\n" for each in tree.paragraphs(command))
    yield f"```{{program}} {path}\n```\n"
    for _, names, text in tree.options(context):
        yield f"```{{option}} {names}\n{plain(text)}\n```\n"
    lines = tree.example_lines(command)
    if lines:
        examples = "\n".join(f"$ {line}" for line in lines)
        yield f"Examples:\n\n```console\n{examples}\n```\n"


def exit_status() -> Iterator[str]:
    """What the status of an ended command means."""
    yield from table(
        ("status", "meaning"), ((str(each), text) for each, text in tree.EXIT_STATUS.items())
    )


def extras() -> Iterator[str]:
    """What can be installed besides, and for what."""
    rows = ((code(extra), plain(use)) for extra, use in installation.NEEDED_FOR.items())
    yield from table(("extra", "what it adds"), rows)


def environment() -> Iterator[str]:
    """The variables that commands heed."""
    yield from table(
        ("variable", "meaning"), ((code(each), text) for each, text in tree.ENVIRONMENT.items())
    )


# ---- Python -------------------------------------------------------------------------------------

_WITHOUT_MEMBERS = ("Part", "Formula")


def python(module: str) -> Iterator[str]:
    """Every public name of a module, from its docstring."""
    home = importlib.import_module(module)
    twice = set(polyseme.__all__) if home is not polyseme else set()
    for name in sorted(set(home.__all__) - twice, key=str.lower):
        yield "```{eval-rst}\n" + _directive(home, name) + "\n```\n"


def _directive(home: Any, name: str) -> str:
    value = getattr(home, name)
    full = f"{home.__name__}.{name}"
    if name == "__version__":
        return f".. py:data:: {full}\n\n   The version, as text."
    if not inspect.isclass(value):
        kind = "function" if inspect.isfunction(value) else "data"
        return f".. auto{kind}:: {full}" + ("\n   :no-value:" if kind == "data" else "")
    if issubclass(value, BaseException):
        return f".. autoexception:: {full}"
    bases = (polyseme.measures.Part, polyseme.measures.Formula)
    many = not issubclass(value, bases) or value in bases
    said = f"({given_to(value)})" if issubclass(value, Value | Family) else ""
    members = "\n   :members:\n   :exclude-members: names" if many else ""
    return f".. autoclass:: {full}{said}{members}"


def given_to(value: type[Value | Family]) -> str:
    """What a part or a family is made with: its fields, with their defaults."""
    if issubclass(value, Value):
        held = [(name, getattr(value, name, MISSING)) for name in value.names]
    else:
        held = [
            (each.name, ... if each.default_factory is not MISSING else each.default)
            for each in fields(value)
        ]
    return ", ".join(
        name if default is MISSING else f"{name}={'...' if default is ... else repr(default)}"
        for name, default in held
    )


# ---- policies and dialects ----------------------------------------------------------------------


def policies() -> Iterator[str]:
    """What each policy is in each dialect, by the names that provenance uses."""
    described = {name: parse_dialect(name).policies.described() for name in DIALECTS}
    usual = described[DIALECTS[0]]
    others = DIALECTS[1:]

    def cell(value: Any) -> str:
        return "" if value is None else str(value).lower()

    rows = []
    for policy, value in usual.items():
        theirs = [described[other][policy] for other in others]
        told = ["" if their == value else code(cell(their)) for their in theirs]
        rows.append((code(policy), code(cell(value)), *told))
    yield from table(("policy", "default", *map(code, others)), rows)


def options_of(dialect: str) -> str:
    """A dialect's options, as its own error text lists them."""
    try:
        parse_dialect(f"{dialect}(?=)")
    except PolysemeError as error:
        return str(error).partition("its options: ")[2]
    return ""


def dialects() -> Iterator[str]:
    """Each dialect: options, and the measures that it prints."""
    for name in DIALECTS[1:]:
        dialect: Dialect = parse_dialect(name)
        yield f"(dialect-{name})=\n## {name}\n"
        options = options_of(name)
        said = options if options and options != "none" else ""
        yield "Options\n: " + (", ".join(map(_option, re.split(r", (?=\w+ \()", said))) or "none")
        yield ""
        yield "Measures\n: " + " ".join(map(code, dialect.measures.split())) + "\n"


def _option(told: str) -> str:
    name, _, expected = told.partition(" (")
    return f"`{name}` ({plain(expected.removesuffix(')'))})" if name else ""


# ---- formats ------------------------------------------------------------------------------------


def input_formats() -> Iterator[str]:
    """Which formats each kind of content comes in."""
    rows = [(kind, " ".join(map(code, forms))) for kind, forms in OF_KIND.items()]
    yield from table(("content", "formats"), rows)
    yield "`--input-format` takes " + ", ".join(map(code, FORMATS)) + ".\n"


def table_columns() -> Iterator[str]:
    """The columns of CSV, JSON lines, Parquet and frames."""
    kinds = {
        "judgments": columns_in.JUDGMENTS,
        "probabilities": columns_in.PROBABILITIES,
        "runs": columns_in.RUNS,
    }
    rows = [(kind, " ".join(map(code, names))) for kind, names in kinds.items()]
    yield from table(("content", "columns"), rows)


def output_formats() -> Iterator[str]:
    """The names that `--format` takes."""
    yield ", ".join(map(code, OUTPUT_FORMATS)) + "\n"


def output_columns() -> Iterator[str]:
    """What columns outputs have."""
    rows = [
        ("`polyseme evaluate`", " ".join(map(code, LONG_COLUMNS))),
        ("`polyseme evaluate --per-intent`", " ".join(map(code, INTENT_COLUMNS))),
        ("`polyseme judge export`", " ".join(map(code, ANSWER_COLUMNS))),
        ("`polyseme measures`", " ".join(code(each.name) for each in CATALOGUE_COLUMNS)),
    ]
    yield from table(("command", "columns"), rows)


# ---- figures and tables -------------------------------------------------------------------------


def kinds_in(known: Kinds) -> Iterator[str]:
    """Every kind of figure, or of table: what it shows, of what, and its options."""
    for kind in known.values():
        yield f"({known.what}-{kind.name})=\n### {kind.name}\n"
        yield plain(kind.summary) + (f" After {kind.papers}." if kind.papers else "") + "\n"
        beside = " Several stand side by side." if kind.several else ""
        yield f"Of what {code('polyseme ' + kind.command)} finds; in Python of " + (
            f"{' or '.join(map(code, kind.of))}.{beside}\n"
        )
        if kind.options:
            yield from table(("option", "meaning"), map(_kind_option, kind.options))


def _kind_option(option: Option) -> tuple[str, str]:
    said = f"--{option.name}" if option.flag else f"--{option.name} {option.metavar}"
    return code(said), plain(option.help)


# ---- into Sphinx --------------------------------------------------------------------------------

GENERATORS: dict[str, Callable[..., Iterable[str]]] = {
    **case_analysis.GENERATORS,
    "all-measures": all_measures,
    "commands": commands,
    "dialects": dialects,
    "environment": environment,
    "exit-status": exit_status,
    "extras": extras,
    "figures": lambda: kinds_in(FIGURES),
    "input-formats": input_formats,
    "measures": measures,
    "ndeval-table": side_by_side,
    "output-columns": output_columns,
    "output-formats": output_formats,
    "policies": policies,
    "python": python,
    "sets": sets,
    "shared-parameters": shared_parameters,
    "table-columns": table_columns,
    "tables": lambda: kinds_in(TABLES),
}


_NEEDS = re.compile(r"^% needs: (.+)$", re.MULTILINE)


def _needs(match: re.Match[str]) -> str:
    """What examples need that no extra of polyseme's brings along."""
    packages = packages_distributions()
    own = {
        re.match(r"[\w-]+", each)[0].lower()
        for each in requires("polyseme") or ()
        if "test" not in each
    }  # type: ignore[index]
    wanted = [packages.get(module, [module])[0] for module in match[1].split()]
    more = [name for name in wanted if name.lower() not in own]
    if not more:
        return match[0]
    return f"The examples of this page need more than polyseme: `pip install {' '.join(more)}`."


def filled(page: str) -> str:
    """A page with what its fences ask for, and what its examples need."""

    def made(match: re.Match[str]) -> str:
        name, _, argument = match["said"].partition(" ")
        return "\n".join(GENERATORS[name](*([argument] if argument else [])))

    return _FENCE.sub(made, _NEEDS.sub(_needs, page))


def _read(app: Sphinx, docname: str, source: list[str]) -> None:
    source[0] = filled(source[0])


def _outdated(app: Sphinx, env: BuildEnvironment, *changes: set[str]) -> list[str]:
    """Pages made from code may be outdated though their own text is not."""
    return [
        name
        for name in env.found_docs
        if _FENCE.search(env.doc2path(name).read_text(encoding="utf-8"))
    ]


def setup(app: Sphinx) -> dict[str, Any]:
    """Fill pages as they are read."""
    app.connect("source-read", _read)
    app.connect("env-get-outdated", _outdated)
    return {"version": "1", "parallel_read_safe": True}
