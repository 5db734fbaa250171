"""Teams whose names begin those of their runs."""

from __future__ import annotations

import pytest

from polyseme.collection.teams import teams_by_name
from polyseme.errors import InputError


def test_a_team_is_what_stands_before_the_text_where_it_comes_first() -> None:
    found = teams_by_name(["uog_1", "uog_2_b", "ict_a"], "_")
    assert found.of_run == {"uog_1": "uog", "uog_2_b": "uog", "ict_a": "ict"}
    assert found.names == ("uog", "ict")
    assert teams_by_name(["a--1", "a-2--1"], "--").names == ("a", "a-2")


@pytest.mark.parametrize(
    ("runs", "until", "said"),
    [
        (["uog1", "ict_a"], "_", "1 run without a team before '_' .the first: 'uog1'."),
        (["_1", "_2"], "_", "2 runs without a team"),
        (["uog_1"], "", "is empty"),
    ],
)
def test_runs_without_a_team_are_an_error(runs: list[str], until: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        teams_by_name(runs, until)
