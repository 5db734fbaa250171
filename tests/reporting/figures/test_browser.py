"""Pages of figures in Chromium: nothing is fetched, nothing goes wrong, and names stay names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from browsing import axe_violations, visiting
from polyseme.meta.properties import Rankings, check_properties
from polyseme.reporting.figures import KINDS, figure
from polyseme.reporting.figures.pages import page
from polyseme.results import Findings
from polyseme.scores import Scores

pytest.importorskip("vl_convert")
HOSTILE = ("<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "${alert(3)}")


@pytest.fixture(scope="module")
def every_kind(tmp_path_factory: pytest.TempPathFactory, findings: dict[str, Findings]) -> Path:
    """A page with a figure of every kind."""
    made = [figure(findings[kind], kind) for kind in KINDS]
    path = tmp_path_factory.mktemp("pages") / "figures.html"
    path.write_text(page(made, "Every kind of figure"), encoding="utf-8")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_kind_is_drawn_without_the_network_and_without_errors(
    scheme: str, every_kind: Path, browser: Any
) -> None:
    with visiting(browser, every_kind, color_scheme=scheme) as visit:
        for number, kind in enumerate(KINDS, 1):
            drawn = visit.page.locator(f"#figure-{number} svg >> visible=true")
            drawn.first.wait_for(timeout=20_000)
            box = drawn.first.bounding_box()
            assert box["width"] > 100, kind
            assert box["height"] > 60, kind
        assert visit.far == []
        assert visit.problems == []
        assert axe_violations(visit) == []


def test_a_page_follows_its_reader_into_the_dark(every_kind: Path, browser: Any) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    with visiting(browser, every_kind, color_scheme="light") as visit:
        label = visit.page.locator("#figure-1 svg text").first
        label.wait_for()
        before = visit.page.evaluate(ground), label.get_attribute("fill")
        visit.page.emulate_media(color_scheme="dark")
        visit.page.wait_for_function(f"{ground} !== '{before[0]}'")
        visit.page.wait_for_function(
            "old => document.querySelector('#figure-1 svg text').getAttribute('fill') !== old",
            arg=before[1],
        )
        assert visit.problems == []


def test_hostile_names_of_runs_and_measures_do_nothing(
    scores: Scores, tmp_path: Path, browser: Any
) -> None:
    named = replace(scores, runs=(*HOSTILE, "elm"))
    values = np.linspace(0, 1, 4)
    tree = check_properties({HOSTILE[1]: lambda lists: values[lists.run % 4]}, Rankings(length=1))
    made = [named.plot("rankings"), named.plot("scatter"), named.plot(title=HOSTILE[1])]
    path = tmp_path / "hostile.html"
    path.write_text(page([*made, tree.plot()], HOSTILE[1]), encoding="utf-8")
    asked: list[str] = []
    with visiting(browser, path) as visit:
        visit.page.on("dialog", lambda dialog: asked.append(dialog.message))
        visit.page.locator("#figure-4 svg >> visible=true").first.wait_for()
        point = visit.page.locator("#figure-1 .mark-symbol path").first
        point.hover()
        tooltip = visit.page.locator("#vg-tooltip-element.visible")
        tooltip.wait_for()
        assert tooltip.locator("img, script").count() == 0
        assert visit.page.locator("img, svg script").count() == 0
        assert visit.page.title() == HOSTILE[1]
        assert asked == []
        assert visit.far == []
        assert visit.problems == []


def test_cjk_names_are_drawn_with_fonts_that_have_them(scores: Scores) -> None:
    named = replace(scores, runs=("北京大学", "東京のラン", "서울대학교", "elm"))
    drawn = named.plot("scatter").to_svg()
    assert "Noto Sans CJK" in drawn
    assert all(name in drawn for name in named.runs)
