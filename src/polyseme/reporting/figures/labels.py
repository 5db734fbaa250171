"""Where names stand beside lines and points so that they do not cover each other."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import pairwise

#: what a letter of 11 pixels takes, about
LETTER = 6.1
WIDE_LETTER = 11.0
LINE = 13.0


def width_of(text: str, size: float = 11.0) -> float:
    """How wide a text is, about, in pixels."""
    letters = sum(
        WIDE_LETTER if unicodedata.east_asian_width(each) in "WF" else LETTER
        for each in text
        if not unicodedata.combining(each)
    )
    return letters * size / 11.0


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places moved apart to be at least ``gap`` from each other, as little as can be.

    Those that would touch form a group around the middle of where they want to be.
    """
    order = sorted(range(len(places)), key=lambda n: places[n])
    # each group: where its first place is, and how many there are
    groups: list[tuple[float, int]] = []
    for n in order:
        start, size = places[n], 1
        while groups and groups[-1][0] + groups[-1][1] * gap > start:
            before, many = groups.pop()
            # the mean of where all would be first, were they alone
            start = (before * many + (start - many * gap) * size) / (many + size)
            size += many
        groups.append((start, size))
    found = [0.0] * len(places)
    flat = [start + gap * step for start, size in groups for step in range(size)]
    for n, place in zip(order, _within(flat, gap, low, high), strict=True):
        found[n] = place
    return found


def _within(places: list[float], gap: float, low: float, high: float) -> list[float]:
    """Ascending places pushed back between two ends, if there is room."""
    held = list(places)
    floor = low
    for n, place in enumerate(held):
        held[n] = floor = max(place, floor)
        floor += gap
    ceiling = high
    for n in range(len(held) - 1, -1, -1):
        held[n] = ceiling = min(held[n], ceiling)
        ceiling -= gap
    return held


Box = tuple[float, float, float, float]
#: beside a point: right, left, above, below, and at its corners
_SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1))


def beside(
    points: Sequence[tuple[float, float]],
    names: Sequence[str],
    size: tuple[float, float],
    *,
    away: float = 7.0,
) -> list[tuple[float, float, str] | None]:
    """For each point the middle of its name's line and its alignment; None where there is no room.

    Points are in pixels, the first ones are the most important. Names keep clear of all points and
    of each other.
    """
    taken: list[Box] = [(x - 4, y - 4, x + 4, y + 4) for x, y in points]
    found: list[tuple[float, float, str] | None] = []
    for (x, y), name in zip(points, names, strict=True):
        width = width_of(name)
        for right, down in _SIDES:
            left = x + away if right > 0 else x - away - width if right < 0 else x - width / 2
            middle = y + down * (LINE * 0.85 if right == 0 else LINE * 0.6)
            box = (left, middle - LINE / 2, left + width, middle + LINE / 2)
            inside = box[0] >= 0 and box[1] >= 0 and box[2] <= size[0] and box[3] <= size[1]
            if inside and not any(_touch(box, other) for other in taken):
                taken.append(box)
                align = {1: "left", -1: "right", 0: "center"}[right]
                anchor = {1: left, -1: left + width, 0: x}[right]
                found.append((anchor, middle, align))
                break
        else:
            found.append(None)
    return found


def _touch(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers around a range, the first one not above and the last one not below it."""
    # what only rounding tells apart is the same
    if not high - low > 1e-9:
        low, high = low - 0.05, high + 0.05
    from math import ceil, floor, log10

    rough = (high - low) / about
    power = 10.0 ** floor(log10(rough))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= rough * 0.999)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    digits = max(0, 3 - floor(log10(step)))
    found = [round(n * step, digits) for n in range(first, last + 1)]
    assert all(a < b for a, b in pairwise(found))
    return found
