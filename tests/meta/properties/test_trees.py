"""Pictures of relations."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections import Counter

import pytest

from polyseme.errors import PolysemeError
from polyseme.meta.properties import PROPERTIES, Rankings, check_properties, tree
from polyseme.meta.properties.relations import PAPER

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def arrows(svg: str) -> Counter[str]:
    paths = ElementTree.fromstring(svg).iter(f"{SVG}path")
    return Counter(path.get("class", "") for path in paths if path.get("marker-end"))


def test_figure_1_lists_all_rankings_of_up_to_two_documents() -> None:
    svg = tree(Rankings(length=2))
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
    svg = tree(Rankings(length=2), properties)  # type: ignore[arg-type]
    assert arrows(svg) == numbers
    assert sum(text.startswith(properties[0]) for text in texts(svg)) == 1


def test_relations_that_a_measure_contradicts_are_marked() -> None:
    found = check_properties("ACT", Rankings(length=3))
    svg = tree(found.rankings, PAPER, scores=found.scores[:, 0], measure="ACT")
    assert arrows(svg)["irrelevance violated"] == found.of("ACT", "irrelevance").violations
    assert "0.0750" in texts(svg)
    assert "contradicted by the scores" in texts(svg)


def test_names_are_escaped() -> None:
    svg = tree(
        Rankings(length=1),
        PROPERTIES,
        scores=check_properties("P@1", Rankings(length=1)).scores[:, 0],
        measure="<script>&\"'",
    )
    assert "<script>" not in svg
    title = ElementTree.fromstring(svg).find(f"{SVG}title")
    assert title is not None
    assert (title.text or "").endswith("scored by <script>&\"'")


def test_no_picture_is_too_large_to_see() -> None:
    with pytest.raises(PolysemeError, match="1,093 rankings are too many for a picture"):
        tree(Rankings(length=6))
