"""Names beside lines and points do not cover each other."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.reporting.figures.labels import LINE, beside, spread, ticks, width_of

places = st.lists(st.floats(0, 300), min_size=1, max_size=12)


@given(places)
def test_spread_places_keep_their_order_and_their_distance(wanted: list[float]) -> None:
    found = spread(wanted, 14, 0, 300)
    assert all(b - a >= 14 - 1e-9 for a, b in pairwise(sorted(found)))
    assert min(found) >= 0
    assert max(found) <= 300 + 1e-9
    for a, b in combinations(range(len(wanted)), 2):
        if wanted[a] < wanted[b]:
            assert found[a] < found[b]


def test_places_that_are_far_apart_stay_where_they_are() -> None:
    assert spread([10, 200, 100], 14, 0, 300) == [10, 200, 100]


def test_places_that_touch_share_the_way() -> None:
    assert spread([100, 100], 14, 0, 300) == [93, 107]


@given(
    st.lists(st.tuples(st.floats(0, 400), st.floats(0, 400)), max_size=15, unique=True),
    st.text("abc", min_size=1, max_size=12),
)
def test_names_beside_points_cover_no_point_and_no_other_name(
    points: list[tuple[float, float]], name: str
) -> None:
    found = beside(points, [name] * len(points), (400, 400))
    width = width_of(name)
    boxes = []
    for place in found:
        if place is not None:
            x, y, align = place
            left = {"left": x, "right": x - width, "center": x - width / 2}[align]
            boxes.append((left, y - LINE / 2, left + width, y + LINE / 2))
    for a, b in combinations(boxes, 2):
        assert a[2] <= b[0] + 1e-9 or b[2] <= a[0] + 1e-9 or a[3] <= b[1] + 1e-9 or b[3] <= a[1]
    for left, top, right, bottom in boxes:
        assert left >= 0
        assert right <= 400
        for x, y in points:
            assert not (left < x < right and top < y < bottom)


def test_a_name_has_room_beside_a_point_that_stands_alone() -> None:
    assert beside([(100, 100)], ["run"], (400, 400)) == [(107, 100, "left")]
    assert beside([(395, 100)], ["run"], (400, 400)) == [(388, 100, "right")]


def test_wide_letters_take_more_room() -> None:
    assert width_of("検索") > width_of("ab")


@given(st.floats(-10, 10), st.floats(1e-3, 10))
def test_ticks_are_round_and_reach_around_the_range(low: float, size: float) -> None:
    found = ticks(low, low + size)
    assert found[0] <= low + 1e-6 * size
    assert found[-1] >= low + size - 1e-6 * size
    assert 2 <= len(found) <= 12


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_ticks_around_one_value_leave_room_on_both_sides(value: float) -> None:
    found = ticks(value, value)
    assert found[0] < value < found[-1]


def test_what_only_rounding_tells_apart_is_one_value() -> None:
    assert ticks(0.3, 0.1 + 0.2) == ticks(0.3, 0.3)
