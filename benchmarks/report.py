"""How large a report is, how long it takes to make, and how quickly Chromium opens it.

    python benchmarks/report.py [--runs 50 --topics 200]

By default 50 runs of ten teams, 200 topics and the 30 measures of Sakai and Zeng 2019. Times in
the browser are medians of three fresh pages: until the first content is painted, and until the
page is loaded and its script has run. Then, with everything unfolded, what a reader waits for who
sorts, chooses runs or changes the measure of the matrix, until the next frame is drawn. The last
lines tell what the same figures cost as Vega-Lite pages with their bundle, the way that was not
taken.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from _trec_files import Shape, add_options, shape_of, write

from polyseme.reporting.figures import figure
from polyseme.reporting.figures.pages import page as page_of_figures
from polyseme.reporting.page import Assessment, assess

MEASURES = "sakai2019"
BY = "D#-nDCG(gain=exponential)@10"
GOAL_BYTES = 10_000_000
OPENINGS = 3
TEAMS = 10

#: what happens until the next frame after something was done
FRAME = """(act) => new Promise((done) => {
  const begin = performance.now();
  %s
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begin)));
})"""
ACTIONS = {
    "sort runs": "document.querySelector('#leaderboard thead .n button').click();",
    "sort intents by a run": "document.querySelector('#intents thead .turned button').click();",
    "choose runs": "const field = document.getElementById('choose-run'); field.value = '1';"
    "field.dispatchEvent(new Event('input'));",
    "other measure": "const choice = document.getElementById('values-choice');"
    "choice.selectedIndex = 3; choice.dispatchEvent(new Event('change'));",
}
LOADED = """() => {
  const [entry] = performance.getEntriesByType('navigation');
  const paint = performance.getEntriesByName('first-contentful-paint')[0];
  return [paint ? paint.startTime : 0, entry.loadEventEnd, document.querySelectorAll('*').length];
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    add_options(parser, Shape(runs=50, topics=200, documents=100, judged=100))
    shape = shape_of(parser.parse_args())
    with tempfile.TemporaryDirectory() as folder:
        judgments, runs = write(shape, Path(folder))
        begin = perf_counter()
        teams = {path.stem: f"team{n % TEAMS}" for n, path in enumerate(runs)}
        found = assess(judgments, runs, MEASURES, by=BY, teams=teams, depth=50)
        assessed = perf_counter() - begin
        text = found.to_html()
        made = perf_counter() - begin
        report, figures = Path(folder) / "report.html", Path(folder) / "figures.html"
        report.write_text(text, encoding="utf-8")
        figures.write_text(_as_vega(found), encoding="utf-8")
        size, other = report.stat().st_size, figures.stat().st_size
        print(f"{shape.runs} runs, {shape.topics} topics, {len(found.scores.measures)} measures")
        print(f"found out         {assessed:8.2f} s")
        print(f"page written      {made - assessed:8.2f} s")
        print(f"size              {size / 1e6:8.2f} MB (goal: {GOAL_BYTES / 1e6:g})")
        _in_browser(report, figures)
        print(f"figures by Vega   {other / 1e6:8.2f} MB by themselves")


def _as_vega(found: Assessment) -> str:
    """The report's figures as the page that draws them when it is opened."""
    assert found.comparison is not None
    assert found.powers is not None
    assert found.correlations is not None
    assert found.balance is not None
    assert found.judgments is not None
    assert found.judgments.left_out is not None
    return page_of_figures(
        [
            figure(found.comparison, "means", measure=found.by),
            figure(found.scores.select(measures=found.scores.measures[:7]), "rankings"),
            figure(found.judgments.topics, "difficulty"),
            figure(found.balance, "scatter"),
            figure(found.judgments.left_out, "leave-one-out", measure=found.by),
            figure(found.correlations, "correlation", against=found.by),
            figure(found.powers, "staircase"),
        ]
    )


def _in_browser(report: Path, figures: Path) -> None:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("no Playwright here: nothing is said of the browser")
        return
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        print("no Chromium here: nothing is said of the browser")
        return
    options = ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    options += ["--no-first-run", "--disable-quic"]
    options += ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=options)
        opened = [_opened(browser, report) for _ in range(OPENINGS)]
        paint, load, elements = (median(column) for column in zip(*opened, strict=True))
        print(f"first paint       {paint:8.0f} ms")
        print(f"loaded, script run{load:8.0f} ms, {elements:,.0f} elements")
        for name, act in ACTIONS.items():
            print(f"{name:18}{_acted(browser, report, act):8.0f} ms")
        drawn = _drawn(browser, figures)
        print(f"figures by Vega   {drawn:8.0f} ms until the last one is drawn")
        browser.close()


def _opened(browser: Any, path: Path) -> list[float]:
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.goto(path.as_uri())
        page.wait_for_function("performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
        page.wait_for_timeout(200)
        found: list[float] = page.evaluate(LOADED)
        return found


def _acted(browser: Any, path: Path, act: str) -> float:
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.goto(path.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
        page.wait_for_timeout(500)
        found: float = page.evaluate(FRAME % act)
        return found


def _drawn(browser: Any, path: Path) -> float:
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        begin = perf_counter()
        page.goto(path.as_uri())
        page.wait_for_function(
            "[...document.querySelectorAll('.drawn')].every((e) => e.querySelector('svg'))"
        )
        return (perf_counter() - begin) * 1000


if __name__ == "__main__":
    main()
