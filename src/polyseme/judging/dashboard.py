"""What the organiser's page shows besides what the study itself says: times, flags, links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from markupsafe import Markup, escape

from polyseme.judging import watching
from polyseme.judging.messages import Say
from polyseme.judging.protocol import Answer
from polyseme.judging.rendering import day, time_taken
from polyseme.judging.shown import OrganiserView, Progress
from polyseme.judging.tasks import QUESTIONS, of

_BARS = 16


@dataclass(frozen=True)
class Row:
    """One judge."""

    judge: str
    done: int
    cannot: int
    skipped: int
    total: int
    median: float | None
    histogram: Markup
    given: str
    last: str
    flags: tuple[str, ...]


@dataclass(frozen=True)
class Link:
    """One secret link."""

    invitation: int
    judge: str
    created: str
    until: str
    #: it still works
    open: bool
    #: the judge's newest, beside which new ones are made
    newest: bool


def dashboard(view: OrganiserView, t: Say, now: int) -> dict[str, Any]:
    """The values that the template wants."""
    taken = [seconds for judge in view.judges for seconds in judge.seconds]
    longest = watching.longest_shown(taken)
    usual = median(taken) if taken else None
    return {
        "judgments": sum(judge.done + judge.cannot for judge in view.judges),
        "judges": [judge.judge for judge in view.judges],
        "median": usual,
        "longest": longest,
        "rows": [_row(judge, view, longest, usual, t) for judge in view.judges],
        "invitations": _links(view, t, now),
        "seconds": lambda value: time_taken(value, t),
        "three": lambda value: t("unit.none") if value is None else f"{value:.3f}",
        "question_name": lambda name: t(
            f"organiser.question.{name if name in QUESTIONS else view.task}"
        ),
    }


def _row(judge: Progress, view: OrganiserView, longest: float, usual: float | None, t: Say) -> Row:
    own = median(judge.seconds) if judge.seconds else None
    others = [other for other in view.judges if other is not judge]
    return Row(
        judge=judge.judge,
        done=judge.done,
        cannot=judge.cannot,
        skipped=judge.skipped,
        total=judge.total,
        median=own,
        histogram=histogram(judge.seconds, longest, usual, t),
        given=_given(judge.given, view.task),
        last=day(judge.last) or t("organiser.never"),
        flags=tuple(_in_words(flag, t) for flag in watching.flags(judge, others, view.task)),
    )


def _given(given: dict[Answer, int] | Any, task: str) -> str:
    """How often each answer was given, in the order of the pages."""
    return " / ".join(str(given.get(choice, 0)) for choice in of(task).choices)


def _in_words(flag: watching.Flag, t: Say) -> str:
    values: dict[str, object] = dict(flag.values)
    if flag.kind == "fast":
        values = {name: time_taken(float(value), t) for name, value in flag.values.items()}
    if flag.kind == "side":
        values["side"] = t(f"organiser.side.{values['side']}")
    return t(f"organiser.flag.{flag.kind}", **values)


def histogram(seconds: Sequence[float], longest: float, usual: float | None, t: Say) -> Markup:
    """Times as bars, drawn without a style of their own, which pages may not have."""
    if not seconds:
        return Markup(escape(t("unit.none")))
    counts = watching.bars(seconds, longest, _BARS)
    tallest, wide = max(counts), 100 / _BARS
    drawn = "".join(
        f'<rect x="{place * wide:.2f}" y="{24 - 24 * count / tallest:.2f}" '
        f'width="{wide - 1:.2f}" height="{24 * count / tallest:.2f}"/>'
        for place, count in enumerate(counts)
        if count
    )
    if usual is not None:
        at = min(100.0, 100 * usual / longest)
        drawn += f'<line class="middle" x1="{at:.2f}" x2="{at:.2f}" y1="-2" y2="26"/>'
    told = t("organiser.histogram", n=len(seconds), median=time_taken(median(seconds), t))
    return Markup(
        '<svg class="histogram" viewBox="0 0 100 24" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(told)}"><line x1="0" x2="100" y1="24" y2="24"/>{drawn}</svg>'
    )


def _links(view: OrganiserView, t: Say, now: int) -> list[Link]:
    found = []
    for judge in view.judges:
        for each in judge.invitations:
            until = day(each.until)
            if each.revoked is not None:
                until = t("organiser.revoked", when=day(each.revoked))
            elif each.until <= now:
                until = t("organiser.expired", when=until)
            works = each.revoked is None and each.until > now
            newest = each is judge.invitations[-1]
            created = day(each.created)
            found.append(Link(each.invitation, judge.judge, created, until, works, newest))
    return found
