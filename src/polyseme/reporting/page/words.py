"""Numbers as sentences and tables say them."""

from __future__ import annotations

import math

from polyseme.tables import NOTHING, Column, counted

_VALUE = Column("")
_SHORT = Column("", decimals=3)
#: effects in standard deviations that are usually called small, medium and large (Cohen 1988)
_EFFECTS = ((0.2, "very small"), (0.5, "small"), (0.8, "medium"))


def decimals(value: float) -> str:
    """A value as all commands show it."""
    return _VALUE.shown(float(value))


def signed(value: float) -> str:
    """A change, with its sign where it shows."""
    text = f"{value:+.4f}"
    return decimals(0.0) if not text.strip("+-0.") else text.replace("-", "−")


def short(value: float) -> str:
    """A correlation or a share with three decimals."""
    return _SHORT.shown(float(value))


def p_value(p: float, trials: int | None) -> str:
    """A p-value; none is ever 0, it is only below what the trials can show."""
    if p == 0 and trials:
        least = 1 / trials
        return f"<{least:.4f}" if least >= 0.0001 else "<0.0001"
    return decimals(p)


def p_in_words(p: float, trials: int | None) -> str:
    """The same in a sentence: ``p = 0.0123``, ``p < 0.0001``, ``p > 0.9999``."""
    told = p_value(p, trials)
    if told.startswith("<"):
        return f"p < {told[1:]}"
    return "p > 0.9999" if told == decimals(1.0) else f"p = {told}"


def effect_in_words(effect: float) -> str:
    """An effect size, and what such ones are usually called."""
    if math.isnan(effect):
        return "its effect size is undefined"
    size = next((name for bar, name in _EFFECTS if abs(effect) < bar), "large")
    return f"effect size {effect:.2f}, {size}"


def plural(number: int, what: str) -> str:
    """A number of things."""
    return counted(number, what)


def agreement_in_words(tau: float) -> str:
    """What a rank correlation says, roughly."""
    if math.isnan(tau):
        return "cannot be compared"
    if tau >= 0.9:
        return "rank the runs almost alike"
    if tau >= 0.7:
        return "mostly rank the runs alike"
    if tau >= 0.4:
        return "agree in part"
    if tau >= 0.1:
        return "hardly agree"
    return "do not agree" if tau > -0.1 else "rank the runs in opposite ways"


def interval(low: float, high: float) -> str:
    """A 95% interval of a correlation."""
    if math.isnan(low):
        return "too few runs for an interval"
    return f"95% interval {short(low)} to {short(high)}"


def empty(value: float) -> str:
    """A value, or a dash where there is none."""
    return NOTHING if math.isnan(value) else decimals(value)


def sentence(note: str) -> str:
    """A note as a sentence: from a capital letter to a full stop."""
    return f"{note[:1].upper()}{note[1:].rstrip('.')}."
