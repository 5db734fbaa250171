"""Runs that cannot be told apart: groups such that no pair inside one differs significantly."""

from __future__ import annotations

from collections.abc import Iterable

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def groups(count: int, differing: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Largest sets without a differing pair; two members are together somewhere unless they differ.

    Insert and absorb (Piepho 2004): each differing pair splits the sets that hold both.
    """
    held: list[frozenset[int]] = [frozenset(range(count))]
    for a, b in differing:
        whole = [group for group in held if not {a, b} <= group]
        halves = {group - {one} for group in held if {a, b} <= group for one in (a, b)}
        kept = list(whole)
        for half in sorted(halves, key=lambda group: (-len(group), sorted(group))):
            if not any(half <= other for other in kept):
                kept.append(half)
        held = kept
    return sorted(sorted(group) for group in held)


def letters(count: int, differing: Iterable[tuple[int, int]]) -> list[str]:
    """For each member the letters of its groups: those that share none differ significantly."""
    found = groups(count, differing)
    said = [""] * count
    for number, group in enumerate(found):
        for member in group:
            said[member] += letter(number)
    return said


def letter(number: int) -> str:
    """a to z, then a1 to z1 and so on."""
    turn, place = divmod(number, len(_LETTERS))
    return _LETTERS[place] + (str(turn) if turn else "")
