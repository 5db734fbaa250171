"""Judgments x runs x measures -> scores."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from typing import Any

import numpy as np

from polyseme import __version__
from polyseme.averaging import (
    check_entered,
    chosen_topics,
    may_enter,
    refuse_unjudged,
    topic_weights,
)
from polyseme.collection.formats.weights import read_intent_weights
from polyseme.collection.judgments import Judged
from polyseme.collection.lists import Lists, joined
from polyseme.collection.reading import read_qrels, read_runs
from polyseme.collection.runs import FileLists, Run, Runs, warn_of_order
from polyseme.dialects import NATIVE, Dialect, parse_dialect
from polyseme.engine import Engine, map_partitions
from polyseme.errors import PolysemeError
from polyseme.groups import Bools, offsets
from polyseme.measures.catalogue import Catalogue
from polyseme.measures.gains import ADHOC_RULES, parse_gain, parse_gmax
from polyseme.measures.means import TopicMean, parse_mean
from polyseme.measures.measure import Family, Measure
from polyseme.measures.sets import CATALOGUE
from polyseme.policies import Policies
from polyseme.scores import IntentScore, Scores
from polyseme.scoring import Scorer, warn_of_measures

Weights = Mapping[str, Mapping[str, float]]
Measures = str | Measure | Iterable[str | Measure]


def evaluate(
    judgments: Any,
    runs: Any,
    measures: Measures | None = None,
    *,
    dialect: str | Dialect | None = None,
    probabilities: Any = None,
    topics_xml: Any = None,
    gain: str | None = None,
    gmax: str | int | None = None,
    order: str | None = None,
    duplicates: str | None = None,
    average_over: str | None = None,
    keep_empty_intents: bool | None = None,
    relevant_from: int | None = None,
    only_topics: Collection[str] | None = None,
    adhoc: Any = None,
    mean: str | TopicMean | Sequence[str | TopicMean] = "avg",
    per_intent: bool = False,
    by: str = "intent",
    catalogue: Catalogue = CATALOGUE,
    jobs: int = 1,
    progress: Callable[[str], None] | None = None,
) -> Scores:
    """Score runs by measures.

    Judgments and runs are what :func:`read_qrels` and :func:`read_runs` give, or anything that
    they read; measures are names, sets and :class:`Measure` values. What a measure does not say
    itself, the other arguments do; they are the options of ``polyseme evaluate``. Where an
    argument is None the dialect decides, and without one the usual policy: linear gain, gmax of
    the collection, ordered by score, averaged over judged topics, pseudo ad hoc judgments.
    """
    made = prepared(
        judgments,
        runs,
        dialect=dialect,
        probabilities=probabilities,
        topics_xml=topics_xml,
        gain=gain,
        gmax=gmax,
        order=order,
        duplicates=duplicates,
        average_over=average_over,
        keep_empty_intents=keep_empty_intents,
        relevant_from=relevant_from,
        only_topics=only_topics,
        adhoc=adhoc,
        by=by,
    )
    return evaluate_under(
        made.policies,
        made.judged,
        made.runs,
        wanted(made.dialect.measures if measures is None else measures, catalogue),
        only_topics=made.only_topics,
        dialect=made.dialect,
        means=tuple(parse_mean(m) for m in ([mean] if isinstance(mean, str | TopicMean) else mean)),
        per_intent=per_intent,
        jobs=jobs,
        progress=progress,
    )


@dataclass(frozen=True, eq=False)
class Prepared:
    """Judgments and runs that were read, and the policies that were said."""

    policies: Policies
    dialect: Dialect
    judged: Judged
    runs: Runs
    only_topics: Collection[str] | None


def prepared(
    judgments: Any,
    runs: Any,
    *,
    dialect: str | Dialect | None = None,
    probabilities: Any = None,
    topics_xml: Any = None,
    only_topics: Collection[str] | None = None,
    adhoc: Any = None,
    by: str = "intent",
    gain: str | None = None,
    gmax: str | int | None = None,
    **said: Any,
) -> Prepared:
    """Read judgments and runs, and make up the policies, as :func:`evaluate` does."""
    spoken = parse_dialect(dialect) if dialect is not None else NATIVE
    own_adhoc = adhoc is not None and not (isinstance(adhoc, str) and adhoc in ADHOC_RULES)
    policies = spoken.policies.but(
        gain=None if gain is None else parse_gain(gain),
        gmax=None if gmax is None else parse_gmax(gmax),
        adhoc="own" if own_adhoc else adhoc,
        **said,
    )
    judged = read_qrels(
        judgments,
        probabilities=probabilities,
        topics_xml=topics_xml,
        adhoc=adhoc if own_adhoc else None,
        by=by,  # type: ignore[arg-type]
    )
    if adhoc is None and judged.are_adhoc:
        # a grade is nothing to be made from intents' grades: it is one already
        policies = policies.but(adhoc="max")
    given = runs if isinstance(runs, Runs) else read_runs(runs)
    return Prepared(policies, spoken, spoken.judged(judged), spoken.runs(given), only_topics)


def wanted(measures: Measures, catalogue: Catalogue = CATALOGUE) -> tuple[Measure, ...]:
    """Measures by name, by set or as they are; each once."""
    chosen: dict[Measure, None] = {}
    for each in [measures] if isinstance(measures, str | Measure) else measures:
        found = [each] if isinstance(each, Measure) else catalogue.parse_all(each)
        chosen.update(dict.fromkeys(found))
    if not chosen:
        raise PolysemeError(
            "no measures were asked for\n  to mend it: name one, such as D#-nDCG@10"
        )
    return tuple(chosen)


def evaluate_under(
    policies: Policies,
    judged: Judged,
    runs: Runs,
    measures: Sequence[Measure],
    *,
    only_topics: Collection[str] | None = None,
    dialect: Dialect = NATIVE,
    means: tuple[TopicMean, ...] = (TopicMean(),),
    per_intent: bool = False,
    jobs: int = 1,
    progress: Callable[[str], None] | None = None,
) -> Scores:
    """The same, under policies that are made up already."""
    warn_of_measures(judged.only_relevant, measures)
    scorer = Scorer(judged, measures, policies, weight_files(measures))
    held = gathered(judged, runs, policies, jobs, progress)
    scores, lists = _scored(scorer, held, chosen_topics(judged, only_topics), means)
    scores = replace(scores, provenance=provenance(policies, dialect, only_topics, means))
    if not per_intent:
        return scores
    found = _by_intent(scorer, lists, scores.runs, scores.measures, scores.entered)
    return replace(scores, intents=tuple(found))


@dataclass(frozen=True, eq=False)
class Gathered:
    """Runs as lists: read once, they can be scored as often as wanted."""

    names: tuple[str, ...]
    lists: Lists
    #: (run, topic) pairs for which the run retrieved anything
    retrieved: Bools
    #: topics of each run that are not judged
    extra: Mapping[str, tuple[str, ...]]

    def only(self, names: Collection[str]) -> Gathered:
        """Some of the runs."""
        kept = np.array([name in names for name in self.names], dtype=np.bool_)
        lists = self.lists.part(kept[self.lists.run])
        return Gathered(
            tuple(name for name in self.names if name in names),
            replace(lists, run=(np.cumsum(kept) - 1)[lists.run]),
            self.retrieved[kept],
            {name: extra for name, extra in self.extra.items() if name in names},
        )


@dataclass(frozen=True, eq=False)
class Known:
    """Scores that hold for all topics but some."""

    scores: Scores
    #: topics that must be scored anew
    changed: Bools


def score_gathered(
    scorer: Scorer,
    held: Gathered,
    chosen: Bools,
    means: tuple[TopicMean, ...] = (TopicMean(),),
    known: Known | None = None,
    *,
    part: bool = False,
) -> Scores:
    """Scores of runs that were gathered, over those of the chosen topics that enter the mean.

    What is ``known`` is not computed again; the scorer need not know of those topics. In a
    ``part`` of a collection there may be nothing to average.
    """
    return _scored(scorer, held, chosen, means, known, part=part)[0]


def _scored(
    scorer: Scorer,
    held: Gathered,
    chosen: Bools,
    means: tuple[TopicMean, ...],
    known: Known | None = None,
    *,
    part: bool = False,
) -> tuple[Scores, Lists]:
    judged, policies = scorer.judged, scorer.policies
    if known is None:
        entered = may_enter(scorer, held.retrieved, chosen)
        if not part:
            check_entered(policies, bool(entered.any()))
        values = np.zeros((*held.retrieved.shape, len(scorer.measures)))
        lists = held.lists
    else:
        fresh = may_enter(scorer, held.retrieved, chosen)
        entered = np.where(known.changed, fresh, known.scores.entered)
        values = known.scores.values.copy()
        lists = held.lists.part(known.changed[held.lists.topic])
    lists = _with_empty_lists(lists, entered & ~held.retrieved)
    values[lists.run, lists.topic] = scorer.score(lists)
    nothing = scorer.command_relevance.relevant_in == 0
    # a topic with nothing relevant is worth 0, whatever a measure makes of it
    values[:, nothing if known is None else nothing & known.changed] = 0.0
    weights = {str(mean): topic_weights(mean, scorer) for mean in means if mean.kind != "avg"}
    scores = Scores(
        runs=held.names,
        topics=judged.topics,
        measures=tuple(map(str, scorer.measures)),
        values=values,
        entered=entered,
        retrieved=held.retrieved,
        extra=held.extra,
        means=means,
        topic_weights={name: weight for name, weight in weights.items() if weight is not None},
        signed=_those(scorer.measures, lambda family: family.traits.signed),
        added_up=_those(scorer.measures, lambda family: family.added_up),
        without_relevant=frozenset(compress(judged.topics, nothing.tolist())),
        undefined_without_relevant=_those(
            scorer.measures, lambda family: family.undefined_without_relevant
        ),
        unjudged_as_zero=policies.unjudged_as_zero,
        denominator=len(judged.topics) if policies.over_all_topics else None,
    )
    return scores, lists


def _those(measures: Sequence[Measure], are: Callable[[Family], bool]) -> frozenset[str]:
    """Names of the measures whose families are so."""
    return frozenset(str(measure) for measure in measures if are(measure.family))


def gathered(
    judged: Judged,
    runs: Runs,
    policies: Policies,
    jobs: int = 1,
    progress: Callable[[str], None] | None = None,
) -> Gathered:
    """All runs' lists as one batch, which (run, topic) have one, and unjudged topics."""
    batches: list[Lists] = []
    retrieved = np.zeros((len(runs), len(judged.topics)), dtype=np.bool_)
    extra: dict[str, tuple[str, ...]] = {}
    disagreeing: dict[str, int] = {}
    join = partial(Run.join, judged=judged, how=policies.ordering)
    found_in = map_partitions(join, runs, *_workers(runs, jobs))
    for index, run in enumerate(runs):
        if progress is not None:
            progress(run.name)
        found = next(found_in)
        if not len(found.lists) and found.extra:
            refuse_unjudged(run.name, run.path, len(found.extra), found.extra[0], judged.topics)
        disagreeing[run.name] = found.disagreeing
        lists = found.lists
        if policies.max_documents is not None:
            lists = lists.cut(policies.max_documents)
        batches.append(replace(lists, run=np.full(len(lists), index)))
        retrieved[index, found.lists.topic] = True
        extra[run.name] = found.extra
    if not batches:
        raise PolysemeError("no runs were given\n  to mend it: name at least one run")
    warn_of_order(disagreeing, policies.ordering.order)
    return Gathered(runs.names, joined(batches), retrieved, extra)


def _workers(runs: Runs, jobs: int) -> tuple[Engine, int]:
    """Threads for files that are scanned without holding Python up, two where there are cores."""
    if all(isinstance(run.topics, FileLists) and run.topics.scanned for run in runs):
        return "threads", max(jobs, min(2, os.cpu_count() or 1))
    return "processes", jobs


def _with_empty_lists(lists: Lists, absent: Bools) -> Lists:
    """The lists, and an empty one for each (run, topic) that has none."""
    run, topic = np.nonzero(absent)
    if not len(run):
        return lists
    none = np.zeros(0, dtype=np.int64)
    empty = Lists(
        run=run,
        topic=topic,
        length=np.zeros(len(run), dtype=np.int64),
        hit_start=offsets(np.zeros(len(run))),
        rank=none,
        row=none,
    )
    return joined([lists, empty])


def weight_files(measures: Sequence[Measure]) -> dict[str, Weights]:
    """Weights of intents that measures name by a file."""
    names = {
        measure["weights"]
        for measure in measures
        if "weights" in measure.family.all_parameters and measure["weights"] is not None
    }
    return {name: read_intent_weights(name) for name in names}


def _by_intent(
    scorer: Scorer,
    lists: Lists,
    runs: tuple[str, ...],
    names: tuple[str, ...],
    entered: Bools,
) -> Iterable[IntentScore]:
    for index, name in enumerate(names):
        found = scorer.score_intents(lists, index)
        if found is None:
            continue
        batch, values = found
        relevance = batch.yardstick.relevance
        for row, value in enumerate(values.tolist()):
            owner = batch.list_of_row[row]
            run, topic = int(lists.run[owner]), int(lists.topic[owner])
            if entered[run, topic]:
                intent = relevance.intents[batch.intent_of_row[row]]
                yield IntentScore(runs[run], scorer.judged.topics[topic], intent, name, value)


def provenance(
    policies: Policies,
    dialect: Dialect,
    only: Collection[str] | None,
    means: tuple[TopicMean, ...],
) -> dict[str, Any]:
    """Where numbers come from."""
    return {
        "polyseme": __version__,
        "numpy": np.__version__,
        "dialect": str(dialect),
        "policies": {
            **policies.described(),
            "only_topics": None if only is None else sorted(only),
            "means": [str(mean) for mean in means],
        },
    }
