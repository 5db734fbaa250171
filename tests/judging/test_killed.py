"""Nothing that was acknowledged is lost when the server is killed, whenever that is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from judging import servers
from judging.hammer import Hammer, missing_and_extra
from judging.servers import Server, serving

JUDGES, TRIPLETS, KILLS = 15, 1127, 32


@pytest.mark.slow
def test_15_judges_lose_nothing_while_the_server_is_killed_32_times(place: str) -> None:
    invited = servers.make(place, servers.preferences(TRIPLETS, topics=50), JUDGES)
    with serving(place) as server:
        found = Hammer(server, invited, TRIPLETS, seed=1).run(KILLS)
    assert found.kills == KILLS
    assert found.unheard >= KILLS
    assert len(found.acknowledged) == JUDGES * TRIPLETS
    assert missing_and_extra(place, found) == []


@pytest.mark.slow
def test_a_server_that_tells_before_it_commits_loses_answers(tmp_path: Path) -> None:
    place = str(tmp_path / "a.study")
    invited = servers.make(place, servers.preferences(400, topics=50), JUDGES)
    hasty = (sys.executable, str(Path(__file__).with_name("hasty.py")))
    with serving(place, program=hasty) as server:
        found = Hammer(server, invited, 400, seed=1).run(KILLS)
    problems = missing_and_extra(place, found)
    assert any(each.startswith("acknowledged and lost") for each in problems)


def test_killing_between_two_starts_leaves_a_study_that_can_be_served(place: str) -> None:
    (judge,) = servers.make(place, judges=1)
    server = Server(place)
    for number in range(1, 4):
        server.start()
        browser = server.browser(judge.secret)
        reply = browser.say(number)
        browser.close()
        server.stop(9)
        assert reply.status == 200
        assert reply.json["done"] == number
