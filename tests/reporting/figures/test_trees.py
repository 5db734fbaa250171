"""Pictures of relations."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections import Counter

import pytest

from polyseme.errors import PolysemeError
from polyseme.meta.properties import PROPERTIES, PropertyAnalysis, Rankings, check_properties
from polyseme.meta.properties.relations import PAPER
from polyseme.reporting.figures.trees import relations

SVG = "{http://www.w3.org/2000/svg}"


def drawn(found: PropertyAnalysis, **options: object) -> str:
    return relations(found, title="", **options).to_svg()  # type: ignore[arg-type]


def bare(length: int, properties: tuple[str, ...] = PAPER) -> PropertyAnalysis:
    """The rankings and relations without a measure."""
    return check_properties(None, Rankings(length=length), properties=properties)


def texts(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def arrows(svg: str) -> Counter[str]:
    paths = ElementTree.fromstring(svg).iter(f"{SVG}path")
    return Counter(name for path in paths if (name := path.get("class")))


def test_figure_1_lists_all_rankings_of_up_to_two_documents() -> None:
    svg = drawn(bare(2), arrows=("none",))
    names = "∅ a b x aa ab ax ba bb bx xa xb xx"
    assert texts(svg) == names.split()
    assert not arrows(svg)


@pytest.mark.parametrize(
    ("properties", "numbers"),
    [
        (("relevance",), {"relevance": 8}),
        (("irrelevance",), {"irrelevance": 4}),
        (("redundancy",), {"redundancy": 2}),
        (PAPER, {"relevance": 8, "irrelevance": 4, "redundancy": 2}),
        (("replacement", "swap"), {"replacement": 2 + 12, "swap": 2}),
    ],
)
def test_figures_2_to_5_have_an_arrow_for_each_relation(
    properties: tuple[str, ...], numbers: dict[str, int]
) -> None:
    """Relations from the empty ranking are drawn."""
    svg = drawn(bare(2, properties))
    assert arrows(svg) == numbers
    assert sum(text.startswith(properties[0]) for text in texts(svg)) == 1
    assert arrows(drawn(bare(2, PROPERTIES), arrows=properties)) == numbers


def test_relations_that_a_measure_contradicts_are_marked() -> None:
    found = check_properties("ACT P@3", Rankings(length=3))
    svg = drawn(found)
    assert arrows(svg)["irrelevance violated"] == found.of("ACT", "irrelevance").violations
    assert "0.0750" in texts(svg)
    assert "contradicted by the scores" in texts(svg)
    assert not any("violated" in name for name in arrows(drawn(found, measure="P@3")))


def test_names_are_escaped() -> None:
    found = check_properties({"<script>&\"'": lambda lists: [0.5] * len(lists)}, Rankings(length=1))
    made = relations(found)
    assert made.title.endswith("scored by <script>&\"'")
    assert "<script>" not in made.to_svg()
    title = ElementTree.fromstring(made.to_svg()).find(f"{SVG}title")
    assert title is not None
    assert title.text == made.title


def test_both_themes_have_their_colours() -> None:
    made = relations(bare(2))
    assert 'fill="#ffffff"' in made.to_svg("light")
    assert 'fill="#15191e"' in made.to_svg("dark")
    page = made.to_html()
    assert page.count("<svg") == 2


def test_a_wrong_property_or_measure_is_told() -> None:
    with pytest.raises(PolysemeError, match="no property 'redundance' to show; did you mean"):
        relations(bare(2), arrows=("redundance",))
    with pytest.raises(PolysemeError, match="no measure 'P@4' to show; did you mean P@3"):
        relations(check_properties("P@3", Rankings(length=2)), measure="P@4")


def test_no_picture_is_too_large_to_see() -> None:
    with pytest.raises(PolysemeError, match="1,093 rankings are too many for a picture"):
        relations(bare(6))
