"""A provider of ir_measures that computes with polyseme."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import Any

import ir_measures
import numpy as np

from polyseme.averaging import chosen_topics
from polyseme.collection.judgments import Judged, JudgmentBuilder
from polyseme.collection.reading import read_qrels, read_runs
from polyseme.collection.runs import Run, Runs
from polyseme.errors import MeasureError, PolysemeWarning
from polyseme.evaluation import Prepared, prepared, score_gathered, weight_files
from polyseme.gathering import gathered
from polyseme.groups import Bools
from polyseme.ir_measures.measures import IntentMeasure
from polyseme.measures.measure import Measure
from polyseme.measures.sets import CATALOGUE
from polyseme.scoring import Scorer, warn_of_measures

#: the diversity measures of ir_measures, and what they are here
OFFICIAL: Mapping[str, str] = {
    "ERR_IA": "ndeval:ERR-IA",
    "nERR_IA": "ndeval:nERR-IA",
    "alpha_DCG": "ndeval:alpha-DCG",
    "alpha_nDCG": "ndeval:alpha-nDCG",
    "NRBP": "ndeval:NRBP",
    "nNRBP": "ndeval:nNRBP",
    "AP_IA": "ndeval:MAP-IA",
    "P_IA": "ndeval:P-IA",
    "StRecall": "ndeval:strec",
}
_INPUTS = ["query_id", "doc_id", "relevance", "iteration"]
_RETRIEVED = ["query_id", "doc_id", "score"]


class Provider(ir_measures.Provider):
    """Computes measures of the catalogue, and with ``official`` those of ir_measures too.

    What else :func:`polyseme.evaluate` may be told (``probabilities``, ``gain``, ``relevant_from``
    and so on), the provider may be told.
    """

    NAME = "polyseme"

    def __init__(self, *, official: bool = True, **policies: Any) -> None:
        super().__init__()
        self._official = official
        self._policies = policies

    def supports(self, measure: Any) -> bool:
        if isinstance(measure, IntentMeasure):
            measure.validate_params()
            return True
        return self._official and measure.NAME in OFFICIAL and _computable(measure)

    def qrel_inputs(self, measures: Iterable[Any]) -> list[str]:
        return list(_INPUTS)

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> Evaluator:
        wanted = list(dict.fromkeys(measures))
        for each in wanted:
            if not self.supports(each):
                raise ValueError(f"unsupported measure {each}")
        return Evaluator(wanted, judgments_of(qrels), self._policies)


def _computable(measure: Any) -> bool:
    measure.validate_params()
    try:
        official(measure)
    except MeasureError:
        return False
    return True


def official(measure: Any) -> Measure:
    """The measure of ir_measures as the official program computes it."""
    family = CATALOGUE[OFFICIAL[measure.NAME]]
    said = {name: measure[name] for name in ("alpha", "beta") if name in measure.SUPPORTED_PARAMS}
    primes = int("judged_only" in measure.SUPPORTED_PARAMS and measure["judged_only"])
    return family(measure.params.get("cutoff"), primes=primes, **said)


def judgments_of(qrels: Any) -> Judged:
    """Judgments in any form that ir_measures takes; without an iteration they have one intent."""
    if isinstance(qrels, Judged):
        return qrels
    if not isinstance(qrels, Mapping) and not hasattr(qrels, "itertuples"):
        qrels = list(qrels)
    if not len(qrels):
        return JudgmentBuilder().finish()
    if isinstance(qrels, Mapping):
        return read_qrels({topic: {"0": graded} for topic, graded in qrels.items()})
    if hasattr(qrels, "itertuples"):
        held = qrels[[name for name in _INPUTS if name in qrels.columns]]
        return read_qrels(held if "iteration" in held.columns else held.assign(iteration="0"))
    return read_qrels(_with_intent(each) for each in qrels)


def _with_intent(judgment: Any) -> ir_measures.Qrel:
    return ir_measures.Qrel(
        judgment.query_id,
        judgment.doc_id,
        judgment.relevance,
        getattr(judgment, "subtopic_id", getattr(judgment, "iteration", "0")),
    )


def runs_of(run: Any) -> Runs:
    """One run in any form that ir_measures takes."""
    if hasattr(run, "itertuples"):
        return read_runs({"run": run[_RETRIEVED]})
    if isinstance(run, Mapping):
        return read_runs({"run": run})
    found = iter(run)
    first = next(found, None)
    return read_runs({"run": {} if first is None else chain([first], found)})


def _judged_part(runs: Runs, judged: Judged) -> Runs:
    """The lists of judged topics; that there are none is no error in ir_measures."""

    def part(run: Run) -> Run:
        known = [each for each in run.topics() if each.topic in judged.topic_index]
        return replace(run, topics=lambda: known)

    return Runs(tuple(part(run) for run in runs))


@dataclass(frozen=True, eq=False)
class _Group:
    """Measures that see the judgments alike."""

    made: Prepared
    scorer: Scorer
    chosen: Bools
    theirs: tuple[Any, ...]
    #: topics with nothing relevant count as 0, as in the official program
    counts_all: bool

    def values(self, runs: Runs) -> Iterator[ir_measures.Metric]:
        """Every topic's values: of one run."""
        judged, policies = self.made.judged, self.made.policies
        if not (self.scorer.command_relevance.relevant_in[self.chosen] > 0).any():
            # a few topics of many, say: ir_measures tells nothing of them, or zeros
            for topic, measure in product(judged.topics * self.counts_all, self.theirs):
                yield ir_measures.Metric(topic, measure, 0.0)
            return
        held = gathered(judged, self.made.dialect.runs(_judged_part(runs, judged)), policies)
        scores = score_gathered(self.scorer, held, self.chosen)
        for index, topic in enumerate(judged.topics):
            if not (scores.entered[0, index] or self.counts_all):
                continue
            row = scores.values[0, index].tolist()
            for measure, value in zip(self.theirs, row, strict=True):
                yield ir_measures.Metric(topic, measure, value)


class Evaluator(ir_measures.Evaluator):
    """Judgments that are prepared once for any number of runs."""

    def __init__(self, measures: list[Any], judged: Judged, policies: Mapping[str, Any]) -> None:
        ours = [each for each in measures if isinstance(each, IntentMeasure)]
        self._groups: list[_Group] = []
        super().__init__(measures, set(judged.topics))
        if not judged.topics:
            return  # a batch of topics that nobody judged
        if ours:
            made = prepared(judged, Runs(()), **policies)
            self._groups.append(_group(made, ours, [each.measure for each in ours]))
        for bar in sorted({each["rel"] for each in measures if each not in ours}):
            theirs = [each for each in measures if each not in ours and each["rel"] == bar]
            made = prepared(_from_grade(judged, bar), Runs(()))
            said = [official(each) for each in theirs]
            self._groups.append(_group(made, theirs, said, counts_all=True))

    def _iter_calc(self, run: Any) -> Iterator[ir_measures.Metric]:
        runs = runs_of(run)
        for group in self._groups:
            yield from group.values(runs)


def _group(
    made: Prepared, theirs: list[Any], ours: list[Measure], *, counts_all: bool = False
) -> _Group:
    warn_of_measures(made.judged.only_relevant, ours)
    scorer = Scorer(made.judged, tuple(ours), made.policies, weight_files(ours))
    chosen = chosen_topics(made.judged, made.only_topics)
    if not counts_all:
        _warn_of_topics(made.judged, chosen & (scorer.command_relevance.relevant_in == 0))
    return _Group(made, scorer, chosen, tuple(theirs), counts_all)


def _warn_of_topics(judged: Judged, nothing: Bools) -> None:
    if not nothing.any():
        return
    first = judged.topics[int(np.argmax(nothing))]
    warnings.warn(
        f"{int(nothing.sum())} of {len(judged.topics)} judged topics have nothing relevant (the "
        f"first: {first}): their value is NaN, and in no mean of ours. PyTerrier divides by all "
        "topics: give it judgments without these",
        PolysemeWarning,
        stacklevel=2,
    )


def _from_grade(judged: Judged, bar: int) -> Judged:
    """The judgments with documents below the bar not relevant."""
    if bar == 1:
        return judged
    builder = JudgmentBuilder()
    for topic, intent, document, grade in judged.lines():
        builder.add(topic, intent, document, int(grade >= bar))
    return builder.finish()


def prefer(pipeline: Any = None) -> None:
    """Have ir_measures compute its own diversity measures with polyseme too, from now on."""
    providers = (pipeline or ir_measures.DefaultPipeline).providers
    if not any(isinstance(each, Provider) and each._official for each in providers):
        providers.insert(0, Provider())
