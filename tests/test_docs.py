"""The documentation: it builds, all of it runs, nothing is left out, and it needs no network."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urldefrag

import click
import pytest

import polyseme
import polyseme.measures
import polyseme.reporting.page
from documents import Runner, agree, blocks, commands
from polyseme.cli import COMMANDS, main, tree
from polyseme.collection.formats.catalogue import FORMATS, OF_KIND
from polyseme.dialects import DIALECTS
from polyseme.measures.advice import advice_on
from polyseme.meta.properties import Rankings, check_properties
from polyseme.policies import Policies
from polyseme.reporting.figures import KINDS as FIGURES
from polyseme.reporting.formats import FORMATS as OUTPUT_FORMATS
from polyseme.reporting.kinds import Kinds
from polyseme.reporting.papers import KINDS as TABLES

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
RUN = [page for page in PAGES if list(blocks(page.read_text(encoding="utf-8")))]


def called(page: Path) -> str:
    return str(page.relative_to(ROOT))


# ---- what stands in code blocks -----------------------------------------------------------------


@pytest.mark.parametrize("page", RUN, ids=called)
def test_all_code_of_a_page_runs_and_shows_what_it_prints(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    runner = Runner(page.name, page.read_text(encoding="utf-8"))
    if lacking := runner.lacking():
        pytest.skip(f"{', '.join(lacking)} is not installed")
    problems = runner.run()
    assert not problems, "\n\n".join(problems)


def test_most_pages_run_something() -> None:
    assert len(RUN) >= 15


def test_commands_are_told_from_what_they_show() -> None:
    text = "$ one\nshown\n$ two \\\n    more\n$ three\n"
    assert [(command, shown) for _, command, shown in commands(text)] == [
        ("one", "shown\n"),
        ("two      more", ""),
        ("three", ""),
    ]


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n", "a  \n", True),
        ("a\n...\n", "a\nb\nc\n", True),
        ("...\nc\n", "a\nb\nc\n", True),
        ("a\n...\nd\n", "a\nb\nc\n", False),
        ("a.b\n", "axb\n", False),
        ("a\n", "a\nb\n", False),
        ("polyseme, version 0.1.0\n", "polyseme, version 0.1.0\n", True),
        ("polyseme 0.1.0\n", "polyseme 7.2\n", True),
    ],
)
def test_what_is_shown_is_held_against_what_is_printed(
    shown: str, printed: str, same: bool
) -> None:
    assert agree(shown, printed) is same


# ---- what is built ------------------------------------------------------------------------------

#: elements and attributes by which a page makes a browser fetch something
FETCHED = {
    ("script", "src"),
    ("link", "href"),
    ("img", "src"),
    ("img", "srcset"),
    ("iframe", "src"),
    ("source", "src"),
    ("source", "srcset"),
    ("video", "src"),
    ("audio", "src"),
    ("embed", "src"),
    ("object", "data"),
    ("use", "href"),
    ("image", "href"),
}


@dataclass
class Html(HTMLParser):
    """A page's places, what it fetches, where it leads, and its text."""

    ids: set[str] = field(default_factory=set)
    fetched: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id":
                self.ids.add(value)
            if (tag, name) in FETCHED:
                self.fetched.append(value)
            if name == "style":
                self.fetched += urls(value)
            if (tag, name) == ("a", "href"):
                self.links.append(value)

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)

    @cached_property
    def text(self) -> str:
        return " ".join(" ".join(self.pieces).split())


def urls(style: str) -> list[str]:
    """What a style sheet fetches."""
    return [
        found.strip("'\" ")
        for found in re.findall(r"url\(([^)]*)\)|@import\s+(?!url)([^;]+)", style)
        for found in found
        if found
    ]


def remote(address: str) -> bool:
    return re.match(r"(?!data:)[a-z][a-z0-9+.-]*:|//", address.strip(), re.IGNORECASE) is not None


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation as HTML; every warning is an error."""
    for needed in ("sphinx", "myst_parser", "furo", "latex2mathml"):
        if importlib.util.find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed: pip install '.[docs]'")
    folder = tmp_path_factory.mktemp("docs")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going"),
            *("-d", str(folder / "doctrees"), str(DOCS), str(folder / "html")),
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


@pytest.fixture(scope="module")
def html(built: Path) -> dict[str, Html]:
    """Every page by its path."""
    read: dict[str, Html] = {}
    for path in sorted(built.rglob("*.html")):
        page = Html()
        page.feed(path.read_text(encoding="utf-8"))
        read[path.relative_to(built).as_posix()] = page
    return read


def test_no_page_fetches_anything_from_elsewhere(html: dict[str, Html], built: Path) -> None:
    for name, page in html.items():
        assert not [each for each in page.fetched if remote(each)], name
    for sheet in built.rglob("*.css"):
        style = sheet.read_text(encoding="utf-8")
        assert not [each for each in urls(style) if remote(each)], sheet.name
    for script in built.rglob("*.js"):
        source = script.read_text(encoding="utf-8")
        fetches = r"(?:import|fetch|importScripts|src\s*=|open)\s*\(?\s*[\"'`](?:https?:)?//"
        assert not re.search(fetches, source), script.name


@pytest.mark.parametrize(
    ("address", "far"),
    [
        ("https://example.org/a.js", True),
        ("//example.org/a.js", True),
        ("HTTP://example.org", True),
        ("_static/a.js", False),
        ("../a.css?v=1", False),
        ("data:image/png;base64,AAAA", False),
    ],
)
def test_what_is_remote_is_told_from_what_is_here(address: str, far: bool) -> None:
    assert remote(address) is far


def test_every_link_inside_leads_somewhere(html: dict[str, Html], built: Path) -> None:
    for name, page in html.items():
        for link in page.links:
            address, place = urldefrag(link)
            if remote(link):
                continue
            target = (built / name).parent / unquote(address) if address else built / name
            assert target.resolve().exists(), (name, link)
            found = html.get(target.resolve().relative_to(built.resolve()).as_posix())
            if place and found is not None:
                assert unquote(place) in found.ids, (name, link)


def test_formulas_are_drawn_by_the_browser_itself(built: Path) -> None:
    page = (built / "concepts" / "topic-means.html").read_text(encoding="utf-8")
    assert "<math" in page
    assert not re.search(r"<script[^>]*mathjax", page, re.IGNORECASE)


def test_no_page_tells_of_the_machine_it_was_built_on(html: dict[str, Html]) -> None:
    for name, page in html.items():
        for place in (ROOT, Path.home(), Path(sys.prefix)):
            if len(place.parts) > 1:
                assert f"{place}" not in page.text, (name, place)


# ---- nothing is left out ------------------------------------------------------------------------


def options() -> Iterator[tuple[str, str]]:
    """Every option of every command."""
    for context in tree.commands(main):
        for parameter in context.command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                for name in (*parameter.opts, *parameter.secondary_opts):
                    yield context.command_path, name


def test_every_command_has_a_section(html: dict[str, Html]) -> None:
    assert {f"command-polyseme-{name}" for name in COMMANDS} <= html["reference/commands.html"].ids


def test_every_option_has_a_place(html: dict[str, Html]) -> None:
    page = html["reference/commands.html"]
    for command, option in options():
        place = f"cmdoption-{command}-{option.lstrip('-')}".replace(" ", "-")
        assert place in page.ids, (command, option)
        assert option in page.text


def test_every_measure_is_explained(html: dict[str, Html]) -> None:
    pages = [page for name, page in html.items() if name.startswith("reference/measures/")]
    text = " ".join(page.text for page in pages)
    ids = {place for page in pages for place in page.ids}
    measure_id = _module("from_code").anchor
    for family in polyseme.CATALOGUE:
        assert measure_id(family.name) in ids, family.name
        assert " ".join(family.formula.split()) in text
        for parameter in family.all_parameters.values():
            assert parameter.name in text
            assert parameter.expected.replace("`", "") in text
    assert len({measure_id(family.name) for family in polyseme.CATALOGUE}) == len(
        list(polyseme.CATALOGUE)
    )


@pytest.mark.parametrize("family", list(polyseme.CATALOGUE), ids=lambda family: family.name)
def test_every_measure_has_a_page_with_advice_and_a_worked_example(
    html: dict[str, Html], family: polyseme.Family
) -> None:
    slug, pages = _module("from_code").slug, _module("measure_pages")
    text = html[f"reference/measures/measure/{slug(family.name)}.html"].text
    run_together = text.replace(" ", "")
    for advice in advice_on(family):
        for said in (advice.use, advice.mind):
            assert said.replace("`", "").replace(" ", "") in run_together
    measure = pages.measure_of(family)
    judged = polyseme.read_qrels(
        {pages.TOPIC: pages.JUDGMENTS}, probabilities={pages.TOPIC: pages.PROBABILITIES}
    ).with_intents(types={pages.TOPIC: pages.TYPES})
    scores = polyseme.evaluate(judged, {"r": {pages.TOPIC: list(pages.LIST)}}, measure)
    (value,) = scores.to_dict()["r"][str(measure)].values()
    assert f"list scores {measure} = {value:.4f} :" in text


def test_every_set_is_listed(html: dict[str, Html]) -> None:
    text = html["reference/sets.html"].text
    for each in polyseme.CATALOGUE.sets:
        assert each.name in text
        for member in polyseme.CATALOGUE.members(each.name):
            assert str(member) in text


def test_every_dialect_has_a_section(html: dict[str, Html]) -> None:
    page = html["concepts/dialects.html"]
    options_of = _module("from_code").options_of
    for name in DIALECTS[1:]:
        assert f"dialect-{name}".replace("_", "-") in {i.replace("_", "-") for i in page.ids}
        for option in re.findall(r"(\w+) \(", options_of(name)):
            assert option in page.text


def test_every_policy_is_told(html: dict[str, Html]) -> None:
    text = html["concepts/policies.html"].text
    assert all(policy in text for policy in Policies().described())
    evaluate = main.get_command(click.Context(main), "evaluate")
    assert evaluate is not None
    named = {"order", "duplicates", "average_over", "keep_empty_intents", "relevant_from", "gain"}
    named |= {"gmax", "adhoc", "only_topics"}
    assert named <= {parameter.name for parameter in evaluate.params}
    source = (DOCS / "concepts" / "policies.md").read_text(encoding="utf-8")
    for name in named:
        assert f"--{name.replace('_', '-')}" in source


def test_every_public_name_is_in_the_reference(html: dict[str, Html]) -> None:
    ids = html["reference/python.html"].ids
    assert {f"polyseme.{name}" for name in polyseme.__all__} <= ids
    parts = set(polyseme.measures.__all__) - set(polyseme.__all__)
    assert {f"polyseme.measures.{name}" for name in parts} <= html["reference/parts.html"].ids
    assert {f"polyseme.reporting.page.{name}" for name in polyseme.reporting.page.__all__} <= ids


def test_every_format_is_named(html: dict[str, Html]) -> None:
    text = html["reference/formats.html"].text
    assert all(name in text for name in (*FORMATS, *OF_KIND))
    assert all(name in html["reference/output.html"].text for name in OUTPUT_FORMATS)


@pytest.mark.parametrize("kinds", [FIGURES, TABLES], ids=lambda kinds: kinds.what)
def test_every_kind_of_figure_and_table_is_told(kinds: Kinds, html: dict[str, Html]) -> None:
    page = html[f"how-to/{kinds.what}s.html"]
    for kind in kinds.values():
        assert f"{kinds.what}-{kind.name}" in page.ids
        assert all(f"--{option.name}" in page.text for option in kind.options)


def test_links_of_the_readme_lead_to_files() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)", text):
        assert remote(target) or (ROOT / target).exists(), target


# ---- what is found while pages are made ----------------------------------------------------------


def test_the_page_on_properties_tells_what_the_paper_found(html: dict[str, Html]) -> None:
    text = html["concepts/properties.html"].text
    for found in ("88,573 rankings", "29,496 of 29,523", "2,026 of 2,026", "1,254 of 2,026"):
        assert found in text
    shown = (DOCS / "concepts" / "properties.md").read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```", "", shown, flags=re.MULTILINE | re.DOTALL)
    assert not re.search(r"\d,\d{3}|\d+ of \d+|\d%", prose), "a count is typed"


def test_findings_are_those_of_the_command_that_is_shown() -> None:
    made = "\n".join(_module("case_analysis").findings('-m "ACT P@3" --length 3'))
    assert '$ polyseme properties -m "ACT P@3" --length 3' in made
    found = check_properties("ACT P@3", Rankings(length=3))
    counted = found.of("ACT", "irrelevance")
    assert f"| `ACT` | {counted.violations} of {counted.cases} |" in made
    assert "1 of 2 measures violate nothing: `P@3`" in made
    first = counted.examples[0]
    assert f"| `{first.lower}` | `{first.higher}` | {first.reason} |" in made


def test_another_setting_is_compared_with_the_papers() -> None:
    made = "\n".join(_module("case_analysis").beyond("--intents 1"))
    assert re.search(r"^Violated here and not in the paper's setting: nothing\.$", made, re.M)
    gone = "Violated in the paper's setting and not here: relevance by `RBU`; redundancy by "
    assert gone + "`Q-IA`, `AP-IA`, `P+Q`." in made


# ---- what is made from data that not everybody has ----------------------------------------------


def _module(name: str) -> ModuleType:
    sys.path.insert(0, str(DOCS / "ext"))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.pop(0)


def test_without_the_data_a_note_stands_for_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYSEME_SHARED", str(tmp_path))
    made = "\n".join(_module("ndeval_table").side_by_side())
    assert "not at hand" in made or "not installed" in made


def test_with_scores_that_are_not_tied_pyndeval_gives_the_same(shared: Path) -> None:
    pytest.importorskip("pyndeval")
    made = "\n".join(_module("ndeval_table").side_by_side())
    assert re.search(r"differ in none of the [\d,]+ values", made)
