"""Tables as pages in Chromium: nothing is fetched, nothing goes wrong, and names stay names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from browsing import axe_violations, visiting
from polyseme.collection.synthetic import SyntheticCollection
from polyseme.reuse import leave_one_out

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_table_with_hostile_names_is_a_sound_page(
    scheme: str, collection: SyntheticCollection, tmp_path: Path, browser: Any
) -> None:
    teams = {run: team.replace("alder", HOSTILE) for run, team in collection.teams.items()}
    found = leave_one_out(
        collection.judged, collection.runs, "D#-nDCG@10 I-rec@10", teams=teams, depth=20
    )
    path = tmp_path / "table.html"
    path.write_text(found.written("html", "leave-one-out"), encoding="utf-8")
    asked: list[str] = []
    with visiting(browser, path, color_scheme=scheme) as visit:
        visit.page.on("dialog", lambda dialog: asked.append(dialog.message))
        heads = visit.page.locator("tbody th")
        assert HOSTILE in heads.all_inner_texts()
        assert visit.page.locator("img, script").count() == 0
        spans = visit.page.locator("th.spans")
        assert spans.all_inner_texts() == ["(a) Raw-list metrics", "(b) Condensed-list metrics"]
        # a head across columns stands above them
        first, second = (spans.nth(n).bounding_box() for n in range(2))
        column = visit.page.locator("thead tr").nth(1).locator("th").nth(3).bounding_box()
        assert second["x"] <= column["x"] < second["x"] + second["width"]
        assert first["x"] + first["width"] <= second["x"] + 1
        assert asked == []
        assert visit.far == []
        assert visit.problems == []
        assert axe_violations(visit) == []
