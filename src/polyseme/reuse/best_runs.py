"""Ranks of runs by their means, and each team's best run."""

from __future__ import annotations

from polyseme.collection.teams import Teams
from polyseme.groups import Floats, Ints
from polyseme.measures.means import TopicMean
from polyseme.scores import Scores
from polyseme.statistics.correlation import TIED


def best_runs(
    scores: Scores, teams: Teams, measure: str | None = None
) -> dict[str, tuple[str, float]]:
    """Of each team with a scored run: its best one by a measure (else the first), and its mean.

    Of equal runs it is the one that was given first.
    """
    place = 0 if measure is None else scores.measures.index(measure)
    means = scores.mean_values(TopicMean())[:, place].round(TIED).tolist()
    best: dict[str, tuple[str, float]] = {}
    for run, mean in zip(scores.runs, means, strict=True):
        team = teams.of_run[run]
        if team not in best or mean > best[team][1]:
            best[team] = (run, mean)
    return best


def competition_ranks(values: Floats) -> Ints:
    """Of each column: 1 for the highest; equals share a rank, and the next one counts them all."""
    seen = values.round(TIED)
    ranks: Ints = (seen[None, :] > seen[:, None]).sum(axis=1) + 1
    return ranks
