"""Sides and orders by lot, the same for the same seed, judge and item, wherever they are drawn."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence


def _drawn(seed: int, what: str, *names: str) -> bytes:
    """32 bytes that look random."""
    made = hashlib.sha256()
    for part in (str(seed), what, *names):
        # lengths keep ("ab", "c") and ("a", "bc") apart
        held = part.encode()
        made.update(b"%d:%b" % (len(held), held))
    return made.digest()


def swapped(seed: int, judge: str, item: str) -> bool:
    """Does the second run stand on the left for this judge?"""
    return bool(_drawn(seed, "side", judge, item)[0] & 1)


def shuffled(seed: int, judge: str, what: str, names: Iterable[str]) -> list[str]:
    """Names in this judge's order."""
    return sorted(names, key=lambda name: (_drawn(seed, what, judge, name), name))


def question_order(seed: int, judge: str, item: str, names: Sequence[str]) -> list[str]:
    """The questions about an item in this judge's order."""
    return shuffled(seed, judge, f"questions of {item}", names)
