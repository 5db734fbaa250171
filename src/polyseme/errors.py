"""What can go wrong, said so that the reader can mend it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class PolysemeError(Exception):
    """Something is wrong with what polyseme was given; the text says what and how to mend it."""


class InputError(PolysemeError):
    """A file or a value that cannot be used, with its place, its text and the remedy."""

    def __init__(
        self,
        problem: str,
        *,
        path: str | None = None,
        line: int | None = None,
        text: str | None = None,
        expected: str | None = None,
        remedy: str | None = None,
    ) -> None:
        self.problem = problem
        self.path = path
        self.line = line
        self.text = text
        self.expected = expected
        self.remedy = remedy
        super().__init__(self._message())

    def _message(self) -> str:
        place = self.path or ""
        if self.line is not None:
            place += f":{self.line}" if place else f"line {self.line}"
        parts = [f"{place}: {self.problem}" if place else self.problem]
        if self.text is not None:
            parts.append(f"  the text: {shown(self.text)}")
        if self.expected is not None:
            parts.append(f"  expected: {self.expected}")
        if self.remedy is not None:
            parts.append(f"  to mend it: {self.remedy}")
        return "\n".join(parts)


class MeasureError(PolysemeError):
    """A measure's name or parameter that cannot be used."""


class MissingExtra(PolysemeError):
    """A feature whose optional dependency is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        self._of = (feature, extra)
        super().__init__(
            f"{feature} needs the extra [{extra}]\n  to mend it: pip install 'polyseme[{extra}]'"
        )

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str]]:
        # an error that a process of ours ran into is raised again in the one that began it
        return MissingExtra, self._of


class PolysemeWarning(UserWarning):
    """Something that the reader of a number should know."""


def shown(text: str, limit: int = 120) -> str:
    """Offending text, quoted with control characters escaped and cut to a readable length."""
    cut = text if len(text) <= limit else text[:limit] + "..."
    return repr(cut)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A sentence that offers the closest legal names, empty where none is close."""
    import difflib

    spelled = {candidate.lower(): candidate for candidate in known}
    close = difflib.get_close_matches(name.lower(), spelled, n=3, cutoff=0.6)
    if not close:
        return ""
    return "did you mean " + " or ".join(spelled[match] for match in close) + "?"


def one_of(name: str, known: Sequence[str], limit: int = 10) -> str:
    """A sentence that offers the closest legal names, or else the first ones of them all."""
    if offer := did_you_mean(name, known):
        return offer
    more = f" and {len(known) - limit:,} more" if len(known) > limit else ""
    return f"there are {', '.join(known[:limit]) or 'none'}{more}"
