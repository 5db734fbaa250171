"""Which topics enter a mean, and what each of them weighs there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NoReturn

import numpy as np

from polyseme.collection.difficulty import difficulty
from polyseme.collection.formats.weights import read_topic_weights
from polyseme.collection.judgments import Judged
from polyseme.errors import InputError
from polyseme.groups import Bools, Floats
from polyseme.measures.means import TopicMean
from polyseme.policies import Policies
from polyseme.scoring import Scorer


def chosen_topics(judged: Judged, only: Collection[str] | None) -> Bools:
    """Which of the judged topics were asked for."""
    if only is None:
        return np.ones(len(judged.topics), dtype=np.bool_)
    check_known([topic for topic in only if topic not in judged.topic_index], judged.topics)
    named = set(only)
    return np.array([topic in named for topic in judged.topics], dtype=np.bool_)


def check_known(unknown: Sequence[str], judged: Sequence[str]) -> None:
    """An error where topics were asked for that are not judged."""
    if unknown:
        raise InputError(
            f"{len(unknown)} of the topics asked for are not judged (the first: {unknown[0]!r})",
            expected=f"topics of the judgments, such as {', '.join(judged[:5])}",
            remedy="mend the list of topics",
        )


def may_enter(scorer: Scorer, retrieved: Bools, chosen: Bools) -> Bools:
    """Which (run, topic) enter means, if any topic does."""
    if scorer.policies.average_over == "retrieved":
        return retrieved & chosen
    relevant = scorer.command_relevance.relevant_in > 0
    return np.broadcast_to(relevant & chosen, retrieved.shape).copy()


def check_entered(policies: Policies, any_entered: bool) -> None:
    """An error where no topic may enter a mean."""
    if policies.average_over != "retrieved" and not any_entered:
        raise InputError(
            "no topic has a relevant document, so there is nothing to average",
            expected="judgments with positive grades",
            remedy="check the judgments, --relevant-from and --only-topics",
        )


def refuse_unjudged(
    run: str, path: str | None, topics: int, first: str, judged: Sequence[str]
) -> NoReturn:
    """A run of other topics."""
    raise InputError(
        f"none of the {topics} topics of the run {run!r} is judged (its first: {first!r})",
        path=path,
        expected=f"topics of the judgments, such as {', '.join(judged[:3])}",
        remedy="give the run of the same topics, spelled the same way",
    )


def topic_weights(mean: TopicMean, scorer: Scorer) -> Floats | None:
    """What each topic weighs in a mean; None where all weigh the same."""
    if mean.kind == "dd":
        found = difficulty(scorer.command_relevance, xi_offset=mean.xi_offset)
        return 1.0 - found.dd
    if mean.kind != "weights":
        return None
    given = read_topic_weights(mean.source)
    lacking = [topic for topic in scorer.judged.topics if topic not in given]
    if lacking:
        raise InputError(
            f"no weight for topic {lacking[0]} and {len(lacking) - 1} more",
            path=mean.source,
            expected="lines `topic weight`, one for every judged topic",
            remedy="add the missing topics",
        )
    return np.array([given[topic] for topic in scorer.judged.topics])
