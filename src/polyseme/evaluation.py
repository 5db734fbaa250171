"""Judgments x runs x measures -> scores."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np

from polyseme import __version__
from polyseme.averaging import check_entered, chosen_topics, may_enter, topic_weights
from polyseme.collection.formats.places import is_address
from polyseme.collection.formats.weights import read_intent_weights
from polyseme.collection.judgments import Judged
from polyseme.collection.lists import Lists, joined
from polyseme.collection.reading import read_qrels, read_runs
from polyseme.collection.runs import Runs, warn_of_order
from polyseme.dialects import NATIVE, Dialect, parse_dialect
from polyseme.engine import map_partitions
from polyseme.errors import PolysemeError, did_you_mean
from polyseme.gathering import (
    Block,
    Gathered,
    blocks_of,
    engine_for,
    gathered,
    joined_runs,
    side_by_side,
)
from polyseme.groups import Bools, Floats, offsets
from polyseme.measures.catalogue import Catalogue
from polyseme.measures.gains import ADHOC_RULES, parse_gain, parse_gmax
from polyseme.measures.means import TopicMean, parse_means
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
    gain: str | Mapping[int, float] | None = None,
    gmax: str | int | None = None,
    order: str | None = None,
    duplicates: str | None = None,
    average_over: str | None = None,
    keep_empty_intents: bool | None = None,
    relevant_from: int | None = None,
    only_topics: Collection[str] | str | None = None,
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
        means=parse_means(mean),
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
    only_topics: Collection[str] | str | None = None,
    adhoc: Any = None,
    by: str = "intent",
    gain: str | Mapping[int, float] | None = None,
    gmax: str | int | None = None,
    **said: Any,
) -> Prepared:
    """Read judgments and runs, and make up the policies, as :func:`evaluate` does."""
    spoken = parse_dialect(dialect) if dialect is not None else NATIVE
    policies, own_adhoc = policies_said(spoken, adhoc=adhoc, gain=gain, gmax=gmax, **said)
    judged = read_qrels(
        judgments,
        probabilities=probabilities,
        topics_xml=topics_xml,
        adhoc=own_adhoc,
        by=by,  # type: ignore[arg-type]
    )
    if adhoc is None and judged.are_adhoc:
        # a grade is nothing to be made from intents' grades: it is one already
        policies = policies.but(adhoc="max")
    given = runs if isinstance(runs, Runs) else read_runs(runs)
    if isinstance(only_topics, str):
        only_topics = only_topics.replace(",", " ").split()
    only = None if only_topics is None else [str(topic) for topic in only_topics]
    return Prepared(policies, spoken, spoken.judged(judged), spoken.runs(given), only)


def policies_said(
    spoken: Dialect,
    *,
    adhoc: Any = None,
    gain: str | Mapping[int, float] | None = None,
    gmax: str | int | None = None,
    **said: Any,
) -> tuple[Policies, Any]:
    """The dialect's policies with what was said instead, and ad hoc judgments of their own."""
    own = adhoc is not None and not (isinstance(adhoc, str) and adhoc in ADHOC_RULES)
    if own and isinstance(adhoc, str) and not (os.path.exists(adhoc) or is_address(adhoc)):
        hint = did_you_mean(adhoc, ADHOC_RULES)
        if hint:
            raise PolysemeError(
                f"adhoc must be pseudo, max, sum or ad hoc judgments. Got {adhoc!r} instead; {hint}"
            )
    policies = spoken.policies.but(
        gain=None if gain is None else parse_gain(gain),
        gmax=None if gmax is None else parse_gmax(gmax),
        adhoc="own" if own else adhoc,
        **said,
    )
    return policies, adhoc if own else None


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
    chosen = chosen_topics(judged, only_topics)
    if per_intent:
        held = gathered(judged, runs, policies, jobs, progress)
        scores, lists = _scored(scorer, held, chosen, means)
        by_intent = _by_intent(scorer, lists, scores.runs, scores.measures, scores.entered)
        scores = replace(scores, intents=tuple(by_intent))
    else:
        scores = _scored_in_blocks(scorer, runs, chosen, means, jobs, progress)
    return replace(scores, provenance=provenance(policies, dialect, only_topics, means))


def _scored_in_blocks(
    scorer: Scorer,
    runs: Runs,
    chosen: Bools,
    means: tuple[TopicMean, ...],
    jobs: int,
    progress: Callable[[str], None] | None,
) -> Scores:
    """Runs that are let go of as soon as they are scored, a few at a time in each thread."""
    engine, workers = engine_for(runs, jobs)
    inside = 1
    if engine != "threads":
        # where runs are joined in processes, or one after another, so are the blocks
        engine, workers, inside = "serial", 1, jobs
    blocks = blocks_of(runs, workers, inside)
    if workers > 1 and len(blocks) > 1:
        scorer.prepare(workers)
    values = np.zeros((len(runs), len(scorer.judged.topics), len(scorer.measures)))

    def work(block: Block) -> tuple[Gathered, Bools]:
        held = joined_runs(scorer.judged, block.runs, scorer.policies, inside)
        entered, _ = _fill(values[block.first : block.end], scorer, held, chosen)
        return held.without_lists(), entered

    found: list[tuple[Gathered, Bools]] = []
    results = map_partitions(work, blocks, engine, workers)
    for block in blocks:
        if progress is not None:
            for name in block.runs.names:
                progress(name)
        found.append(next(results))
    held = side_by_side([part for part, _ in found])
    warn_of_order(held.disagreeing, scorer.policies.ordering.order)
    entered = np.concatenate([each for _, each in found])
    check_entered(scorer.policies, bool(entered.any()))
    return _told(scorer, held, values, entered, means)


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
    shape = (*held.retrieved.shape, len(scorer.measures))
    values = np.zeros(shape) if known is None else known.scores.values.copy()
    entered, lists = _fill(values, scorer, held, chosen, known)
    if known is None and not part:
        check_entered(scorer.policies, bool(entered.any()))
    return _told(scorer, held, values, entered, means), lists


def _fill(
    values: Floats, scorer: Scorer, held: Gathered, chosen: Bools, known: Known | None = None
) -> tuple[Bools, Lists]:
    """Write down the values of runs; which (run, topic) enter means, and the lists scored."""
    entered, lists = may_enter(scorer, held.retrieved, chosen), held.lists
    if known is not None:
        entered = np.where(known.changed, entered, known.scores.entered)
        lists = lists.part(known.changed[lists.topic])
    lists = _with_empty_lists(lists, entered & ~held.retrieved)
    values[lists.run, lists.topic] = scorer.score(lists)
    nothing = scorer.command_relevance.relevant_in == 0
    # a topic with nothing relevant is worth 0, whatever a measure makes of it
    values[:, nothing if known is None else nothing & known.changed] = 0.0
    return entered, lists


def _told(
    scorer: Scorer, held: Gathered, values: Floats, entered: Bools, means: tuple[TopicMean, ...]
) -> Scores:
    """Values with all that belongs to them."""
    judged, policies = scorer.judged, scorer.policies
    nothing = scorer.command_relevance.relevant_in == 0
    weights = {str(mean): topic_weights(mean, scorer) for mean in means if mean.kind != "avg"}
    return Scores(
        runs=held.names,
        topics=judged.topics,
        measures=tuple(map(str, scorer.measures)),
        values=values,
        entered=entered,
        retrieved=held.retrieved,
        extra=held.extra,
        means=means,
        topic_weights={name: weight for name, weight in weights.items() if weight is not None},
        signed=those(scorer.measures, lambda family: family.traits.signed),
        added_up=those(scorer.measures, lambda family: family.added_up),
        without_relevant=frozenset(compress(judged.topics, nothing.tolist())),
        undefined_without_relevant=those(
            scorer.measures, lambda family: family.undefined_without_relevant
        ),
        unjudged_as_zero=policies.unjudged_as_zero,
        denominator=len(judged.topics) if policies.over_all_topics else None,
    )


def those(measures: Sequence[Measure], are: Callable[[Family], bool]) -> frozenset[str]:
    """Names of the measures whose families are so."""
    return frozenset(str(measure) for measure in measures if are(measure.family))


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
