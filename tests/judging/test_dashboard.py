"""What the organiser's page makes of a study: rows, flags in words, bars, links that still work."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from polyseme.judging.dashboard import dashboard, histogram
from polyseme.judging.messages import say
from polyseme.judging.rendering import day, time_taken
from polyseme.judging.shown import Invitation, OrganiserView, Progress

DAY = 86_400_000
NOW = 20_000 * DAY
T = say("en")


def judge(name: str, seconds: tuple[float, ...], links: tuple[Invitation, ...] = ()) -> Progress:
    given = {"left": 12, "both": 1, "right": 7}
    return Progress(name, len(seconds), 1, 2, 0, 40, NOW - DAY, seconds, given, links)


def view(*judges: Progress) -> OrganiserView:
    return OrganiserView("A study", "preferences", NOW, 40, 15, 0, judges, (), ())


def test_each_judge_has_a_row_and_the_study_its_median() -> None:
    shown = dashboard(view(judge("a", (40.0,) * 10), judge("b", (60.0,) * 10)), T, NOW)
    assert shown["median"] == 50.0
    assert shown["judgments"] == 22
    row = shown["rows"][0]
    assert (row.judge, row.done, row.cannot, row.skipped, row.total) == ("a", 10, 1, 2, 40)
    assert (row.median, row.given, row.flags) == (40.0, "12 / 1 / 7", ())


def test_flags_are_said_in_words() -> None:
    hasty = replace(judge("a", (5.0,) * 20), given={"left": 90, "right": 10})
    row = dashboard(view(hasty, judge("b", (60.0,) * 20)), T, NOW)["rows"][0]
    assert row.flags == ("fast: median 5.0 s, the others 1 min", "prefers the left side: 90 of 100")
    row = dashboard(view(hasty, judge("b", (60.0,) * 20)), say("ja"), NOW)["rows"][0]
    assert row.flags[1] == "左側に偏り：100 回中 90 回"


def test_a_study_without_answers_has_a_page() -> None:
    shown = dashboard(view(judge("a", ())), T, NOW)
    assert shown["median"] is None
    assert shown["seconds"](None) == "–"
    assert shown["three"](None) == "–"
    assert shown["rows"][0].histogram == "–"


def test_bars_are_as_high_as_they_are_many() -> None:
    drawn = ElementTree.fromstring(histogram((1.0, 2.0, 3.0, 59.0, 900.0), 64.0, 30.0, T))
    heights = [float(each.get("height", 0)) for each in drawn.findall("rect")]
    assert heights == pytest.approx([24.0, 24 / 3, 24 / 3])
    assert "5 items, median 3.0 s" in drawn.get("aria-label", "")
    assert drawn.find("line[@class='middle']").get("x1") == "46.88"  # type: ignore[union-attr]
    # the pages' policy has no styles but those of the style sheet
    assert "style=" not in histogram((1.0,), 60.0, None, T)


def test_names_of_judges_are_escaped_wherever_they_stand() -> None:
    from polyseme.judging.rendering import environment

    hostile = judge("<img src=x onerror=alert(1)>'\"", (1.0,), (Invitation(1, 0, NOW * 2, None),))
    shown = dashboard(view(hostile), T, NOW)
    values = {"t": T, "language": "en", "path": "/", "script_messages": "{}", "study": "s"}
    values |= {"study_id": "1", "judge": "", "organiser": True, "here": ""}
    page = (
        environment().get_template("organiser.html").render(view=view(hostile), **values, **shown)
    )
    assert "<img" not in page
    assert re.search(r"data-body='[^']*\\u0027[^']*'", page)


def test_links_tell_whether_they_work() -> None:
    links = (
        Invitation(1, NOW - 9 * DAY, NOW - DAY, None),
        Invitation(2, NOW - 9 * DAY, NOW + DAY, NOW - DAY),
        Invitation(3, NOW - DAY, NOW + DAY, None),
    )
    found = dashboard(view(judge("a", (), links)), T, NOW)["invitations"]
    assert [(each.open, each.newest) for each in found] == [
        (False, False),
        (False, False),
        (True, True),
    ]
    assert found[0].until == f"expired {day(NOW - DAY)}"
    assert found[1].until == f"revoked {day(NOW - DAY)}"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0.0 s"),
        (8.14, "8.1 s"),
        (9.99, "10.0 s"),
        (41.4, "41 s"),
        (59.7, "1 min"),
        (60, "1 min"),
        (131, "2 min 11 s"),
    ],
)
def test_times_are_short(seconds: float, text: str) -> None:
    assert time_taken(seconds, T) == text


def test_moments_are_days_and_minutes() -> None:
    assert day(0) == "1970-01-01 00:00 UTC"
    assert day(None) == ""
