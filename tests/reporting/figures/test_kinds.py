"""Kinds of figures are found by name and by what was found."""

from __future__ import annotations

import importlib

import pytest

from polyseme.cli import COMMANDS
from polyseme.errors import PolysemeError
from polyseme.reporting.figures import KINDS, Kind, figure, kinds_of
from polyseme.scores import Scores


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_every_kind_has_a_function_a_command_and_examples(kind: Kind) -> None:
    home = importlib.import_module(kind.module)
    assert callable(getattr(home, kind.name.replace("-", "_")))
    assert kind.command in COMMANDS
    assert kind.examples
    assert kind.summary.endswith(".")


def test_scores_are_drawn_as_rankings_unless_another_kind_is_said(scores: Scores) -> None:
    assert [kind.name for kind in kinds_of(scores)][:2] == ["rankings", "scatter"]
    assert scores.plot().kind == "rankings"
    assert scores.plot("scatter").kind == "scatter"


def test_a_wrong_kind_gets_a_suggestion(scores: Scores) -> None:
    with pytest.raises(PolysemeError, match="there is no figure 'scater'; did you mean scatter"):
        scores.plot("scater")


def test_a_wrong_option_is_refused(scores: Scores) -> None:
    with pytest.raises(PolysemeError, match="the figure scatter has no option 'z'; it has gamma"):
        scores.plot("scatter", z=1)


def test_what_has_no_figure_says_so() -> None:
    with pytest.raises(PolysemeError, match="there is no figure of int"):
        figure(3)


def test_a_title_can_be_changed_or_left_out(scores: Scores) -> None:
    assert scores.plot(title="mine").title == "mine"
    assert "title" not in scores.plot(title="").spec()  # type: ignore[attr-defined]
