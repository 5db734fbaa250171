"""Every kind of figure stays as it was when people looked at it.

After a change that is meant, look at what it did and keep it:

    KEEP_FIGURES=/tmp/looked-at python -m pytest tests/reporting/figures/test_golden.py

writes the specifications anew, and a PNG of each in light and in dark into the folder.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from polyseme.reporting.figures import KINDS, Chart, Drawing, figure
from polyseme.results import Findings

GOLDEN = Path(__file__).with_name("golden")


def rounded(value: Any) -> Any:
    """Numbers to what can be seen: sums differ in their last digits between machines."""
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(each) for each in value]
    return value


def text(spec: Any) -> str:
    """A line a member, but rows of data on a line each."""
    told = json.dumps(rounded(spec), ensure_ascii=False, indent=1, sort_keys=True)
    return told + "\n"


@pytest.mark.parametrize("kind", KINDS)
def test_the_figure_is_as_it_was_looked_at(kind: str, findings: dict[str, Findings]) -> None:
    made = figure(findings[kind], kind)
    if isinstance(made, Chart):
        told = text({**made.spec(), "config": "of the theme", "notes": list(made.notes)})
        kept = GOLDEN / f"{kind}.json"
    else:
        assert isinstance(made, Drawing)
        told, kept = made.to_svg(), GOLDEN / f"{kind}.svg"
    if folder := os.environ.get("KEEP_FIGURES"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        kept.write_text(told, encoding="utf-8")
        for theme in ("light", "dark"):
            made.save(Path(folder) / f"{kind}-{theme}.png", theme=theme)  # type: ignore[arg-type]
        return
    assert kept.exists(), "look at the figure, and keep it"
    assert told == kept.read_text(encoding="utf-8")


def test_nothing_is_kept_of_kinds_that_are_gone() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(KINDS)
