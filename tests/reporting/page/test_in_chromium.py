"""The page in a real browser: at rest, in light and dark, by keyboard, by link and on paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browsing import Visit, axe_violations, visiting
from commands import done
from reading_pages import Page, number
from reporting_pages import Made

pytestmark = pytest.mark.slow

WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 390, "height": 844}


@pytest.fixture
def visit(browser: Any, made: Made) -> Iterator[Visit]:
    with visiting(browser, made.path, viewport=WIDE) as visit:
        yield visit
        assert visit.problems == []
        assert visit.far == []


def column(visit: Visit, table: str, head: str) -> list[str]:
    """The cells that are shown below a head."""
    found: list[str] = visit.page.evaluate(
        """([id, head]) => {
            const table = document.getElementById(id);
            const heads = [...table.tHead.rows[0].cells];
            const place = heads.findIndex((each) => each.textContent.trim() === head);
            return [...table.tBodies[0].rows].filter((row) => !row.hidden)
                .map((row) => row.cells[place].textContent.trim());
        }""",
        [table, head],
    )
    return found


def fragment(visit: Visit) -> str:
    found: str = visit.page.evaluate("location.hash")
    return found


# ---- at rest ------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_nothing_is_fetched_nothing_fails_and_axe_finds_nothing(
    browser: Any, made: Made, scheme: str, size: dict[str, int]
) -> None:
    with visiting(browser, made.path, viewport=size, color_scheme=scheme) as visit:
        # what is folded away is looked at too
        visit.page.evaluate("document.querySelectorAll('details').forEach((e) => e.open = true)")
        assert axe_violations(visit) == []
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert visit.problems == []
    assert visit.far == []


def test_axe_would_find_what_is_wrong(browser: Any, made: Made, tmp_path: Path) -> None:
    broken = tmp_path / "broken.html"
    text = made.path.read_text(encoding="utf-8")
    broken.write_text(
        text.replace('<html lang="en">', "<html>").replace("--quiet:#535b63", "--quiet:#ccc"),
        encoding="utf-8",
    )
    with visiting(browser, broken) as visit:
        found = " ".join(axe_violations(visit))
    assert "html-has-lang" in found
    assert "color-contrast" in found


def test_figures_take_the_colours_of_the_dark(browser: Any, made: Made) -> None:
    grounds = []
    for scheme in ("light", "dark"):
        with visiting(browser, made.path, color_scheme=scheme) as visit:
            grounds.append(
                visit.page.evaluate(
                    "getComputedStyle(document.querySelector('figure svg > rect')).fill"
                )
            )
    assert grounds == ["rgb(255, 255, 255)", "rgb(21, 25, 30)"]


# ---- by keyboard --------------------------------------------------------------------------------


def test_tables_are_sorted_by_keyboard(visit: Visit) -> None:
    page = visit.page
    page.locator("#leaderboard thead button", has_text="I-rec@10").focus()
    page.keyboard.press("Enter")
    falling = [number(each) for each in column(visit, "leaderboard", "I-rec@10")]
    assert falling == sorted(falling, reverse=True)
    assert page.locator("#leaderboard th[aria-sort=descending]").inner_text().startswith("I-rec@10")
    page.keyboard.press("Space")
    rising = [number(each) for each in column(visit, "leaderboard", "I-rec@10")]
    assert rising == sorted(rising)
    assert rising != falling
    assert page.locator("#leaderboard th[aria-sort]").count() == 1


def test_names_are_sorted_as_people_count(visit: Visit) -> None:
    visit.page.locator("#topics thead button", has_text="topic").first.click()
    topics = column(visit, "topics", "topic")
    assert topics == sorted(topics, key=int)


def test_runs_are_chosen_by_keyboard(visit: Visit) -> None:
    page = visit.page
    everybody = column(visit, "leaderboard", "run")
    page.get_by_label("Runs", exact=True).focus()
    page.keyboard.type("alder birch-1")
    wanted = [run for run in everybody if run.startswith("alder") or run == "birch-1"]
    assert 0 < len(wanted) < len(everybody)
    assert column(visit, "leaderboard", "run") == wanted
    assert sorted(column(visit, "missed", "run")) == sorted(wanted)
    shown = "[...document.querySelectorAll('#values thead th')].filter((e) => !e.hidden).length"
    assert page.evaluate(shown) == 1 + len(wanted)
    assert f"{len(wanted)} of {len(everybody)} runs" in page.locator("#chosen").inner_text()
    page.get_by_role("button", name="Show all").press("Enter")
    assert column(visit, "leaderboard", "run") == everybody


def test_topics_and_measures_are_chosen_too(visit: Visit) -> None:
    visit.page.get_by_label("Topics", exact=True).fill("3")
    assert column(visit, "topics", "topic") == ["3"]
    assert column(visit, "values", "topic") == ["3"]
    visit.page.get_by_label("Measures", exact=True).fill("rec")
    assert column(visit, "all-measures", "measure") == ["I-rec@10"]
    hidden = visit.page.locator("#leaderboard thead th[data-measure][hidden]")
    assert hidden.count() == 3


def test_the_matrix_shows_other_measures(visit: Visit, made: Made) -> None:
    visit.page.get_by_label("Measure shown").select_option("RBU@10")
    runs = visit.page.locator("#values thead th span").all_inner_texts()
    shown = [
        [number(cell) for cell in column(visit, "values", run)] for run in map(str.strip, runs)
    ]
    expected = made.page.values["RBU@10"]
    assert [cell for row in zip(*shown, strict=True) for cell in row] == expected
    assert "show=RBU%4010" in fragment(visit)


# ---- by link ------------------------------------------------------------------------------------


def test_a_link_brings_back_what_was_chosen_and_sorted(browser: Any, made: Made) -> None:
    with visiting(browser, made.path) as first:
        first.page.get_by_label("Runs", exact=True).fill("alder")
        first.page.locator("#leaderboard thead button", has_text="effect").click()
        address = first.page.url
        told = column(first, "leaderboard", "run")
    with visiting(browser, address) as second:
        assert second.page.get_by_label("Runs", exact=True).input_value() == "alder"
        assert column(second, "leaderboard", "run") == told
    assert first.problems == second.problems == []


def test_links_inside_keep_what_was_chosen(visit: Visit) -> None:
    visit.page.get_by_label("Topics", exact=True).fill("2 3")
    visit.page.locator("#balance-runs tbody a").first.click()
    visit.page.wait_for_function("location.hash.includes('topic=')")
    assert visit.page.get_by_label("Topics", exact=True).input_value() == "2 3"
    assert visit.page.locator("#leaderboard tr.reached").count() == 1


def test_a_link_to_what_is_folded_or_not_chosen_shows_it(visit: Visit) -> None:
    page = visit.page
    page.get_by_label("Runs", exact=True).fill("nobody")
    assert column(visit, "leaderboard", "run") == []
    page.evaluate("location.hash = '#run-alder-1'")
    page.wait_for_function("document.querySelector('#leaderboard tr.reached')")
    assert page.get_by_label("Runs", exact=True).input_value() == ""
    page.evaluate("location.hash = '#pairs'")
    page.wait_for_function("document.getElementById('pairs').closest('details').open")


def test_an_address_that_says_nonsense_does_no_harm(browser: Any, made: Made) -> None:
    nonsense = ";sort=nothing.99.up;run=%E0%A4%A;show=none;__proto__=x;sort=pairs.x.y"
    with visiting(browser, made.path.as_uri() + "#nowhere" + nonsense) as visit:
        assert visit.page.locator("h1").is_visible()
    assert visit.problems == []


def test_every_link_leads_to_a_place_and_every_place_is_there_once(made: Made) -> None:
    page = made.page
    assert len(page.places) == len(set(page.places))
    inside = {link.removeprefix("#") for link in page.links}
    assert all(link.startswith("#") for link in page.links)
    assert inside <= set(page.places)
    for name in ("run-alder-1", "topic-3", "measure-RBU_40_10", "team-alder"):
        assert name in page.places
    for place in ("best", "misses", "balance", "fairness", "measures", "provenance", "summary"):
        assert place in page.places


# ---- without scripts, and on paper --------------------------------------------------------------


def test_without_scripts_all_is_there_but_what_needs_them(browser: Any, made: Made) -> None:
    with visiting(browser, made.path, java_script_enabled=False) as visit:
        assert visit.page.locator("table").count() == len(made.page.tables)
        assert visit.page.locator("figure svg").count() >= 6
        assert not visit.page.locator("#choose").is_visible()
        assert visit.page.locator("thead button").count() == 0
        assert visit.page.locator("#leaderboard tbody tr").first.is_visible()
    assert visit.problems == []
    assert visit.far == []


def test_on_paper_there_are_no_controls_and_heads_stay(visit: Visit) -> None:
    visit.page.emulate_media(media="print")
    assert not visit.page.locator("#choose").is_visible()
    assert visit.page.locator("#leaderboard thead th").first.is_visible()
    # Chromium leaves links out of heads that it prints again on the next page: names stand plain
    head = visit.page.locator("#values th.turned").first
    name = head.get_attribute("data-run")
    drawn = head.evaluate("each => getComputedStyle(each, '::after').content")
    assert name
    assert name in drawn
    assert not head.locator("a").is_visible()
    # what is folded on the screen is open
    assert visit.page.locator("details.folded:not([open])").count() > 0
    for row in visit.page.locator("details.folded tbody tr:first-child").all():
        box = row.bounding_box()
        assert box is not None
        assert box["height"] > 0
    assert visit.page.pdf(prefer_css_page_size=True).startswith(b"%PDF")


def test_what_a_browser_makes_of_the_page_is_what_it_says(visit: Visit, made: Made) -> None:
    # the reader of the other tests reads as a browser does
    text = visit.page.content()
    seen = Page(text)
    for name, sheet in made.page.tables.items():
        assert seen.tables[name].rows == sheet.rows


# ---- hostile names ------------------------------------------------------------------------------

ATTACKS = (
    "<script>document.title='owned'</script>",
    "</script><script>document.title='owned'</script>",
    "</style></title><img src=x onerror=\"document.title='owned'\">",
    "\"onmouseover='1'autofocus/onfocus=\"document.title='owned'",
    "{{7*7}}{%for%20x%20in%20[]%}",
    "<svg/onload=document.title='owned'>",
    "javascript:document.title='owned'",
    "__proto__",
    "'];document.title='owned';//",
    "\u202eevil\u2066",
    "漢字かな한글",
    "a" * 500,
    "&lt;b&gt;&amp;",
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs, topics, intents, teams and queries whose names want to be more than names."""
    folder = tmp_path_factory.mktemp("hostile")
    judgments, csv = [], ["run,topic,doc,rank"]
    for n, name in enumerate(ATTACKS):
        for intent in ("i1", name):
            judgments.append(f"{quoted(name)},{quoted(intent)},d{intent == name:d},1")
        judgments.append(f"{quoted(name)},i1,d2,0")
        for run in (*ATTACKS, "plain"):
            order = ["d0", "d2", "d1"] if hash_of(run) % 2 else ["d2", "d1", f"u{n}"]
            csv += [f"{quoted(run)},{quoted(name)},{d},{rank}" for rank, d in enumerate(order, 1)]
    (folder / "judgments.csv").write_text(
        "topic,intent,doc,grade\n" + "\n".join(judgments) + "\n", encoding="utf-8"
    )
    (folder / "runs.csv").write_text("\n".join(csv) + "\n", encoding="utf-8")
    teams = [f"{quoted(run)},{quoted('team ' + run)}" for run in (*ATTACKS, "plain")]
    (folder / "teams.csv").write_text("run,team\n" + "\n".join(teams) + "\n", encoding="utf-8")
    done(
        *("report", folder / "judgments.csv", folder / "runs.csv", "--trials", "50"),
        *("--teams", folder / "teams.csv", "--title", ATTACKS[2]),
        *("--run-names", "tag", "-o", folder / "report.html"),
    )
    return folder / "report.html"


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def hash_of(text: str) -> int:
    return sum(map(ord, text))


def test_hostile_names_are_names(browser: Any, hostile: Path) -> None:
    with visiting(browser, hostile) as visit:
        assert visit.page.title() == ATTACKS[2]
        names = column(visit, "leaderboard", "run")
        for attack in ATTACKS:
            if attack.isprintable() and len(attack) < 100:
                assert attack in names
        assert "\\u202eevil\\u2066" in names
        # what only a mouse or a focus would set off
        for each in visit.page.locator("#leaderboard tbody a").all():
            each.hover()
            each.focus()
        visit.page.get_by_label("Runs", exact=True).fill("<script>")
        assert column(visit, "leaderboard", "run") == [n for n in names if "<script>" in n]
        assert visit.page.title() == ATTACKS[2]
        assert axe_violations(visit) == []
    assert visit.problems == []
    assert visit.far == []


def test_the_same_names_would_do_harm_on_a_page_that_does_not_mind(
    browser: Any, tmp_path: Path
) -> None:
    careless = tmp_path / "careless.html"
    careless.write_text(f"<title>x</title>{''.join(ATTACKS)}", encoding="utf-8")
    with visiting(browser, careless) as visit:
        assert visit.page.title() == "owned"


def test_nothing_could_run_even_if_it_stood_in_the_page(
    browser: Any, made: Made, tmp_path: Path
) -> None:
    pierced = tmp_path / "pierced.html"
    text = made.path.read_text(encoding="utf-8")
    pierced.write_text(text.replace("<main", f"{ATTACKS[0]}<img src=http://127.0.0.1:9/x><main"))
    with visiting(browser, pierced) as visit:
        assert visit.page.title() != "owned"
    assert any("Content Security Policy" in each for each in visit.problems)
