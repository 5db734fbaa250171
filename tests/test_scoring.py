"""Lists scored as if some documents had never been judged."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyseme.collection.reading import read_qrels, read_runs
from polyseme.errors import PolysemeWarning
from polyseme.measures.gains import Gmax, parse_gain
from polyseme.measures.measure import Measure
from polyseme.measures.sets import CATALOGUE, parse
from polyseme.policies import Policies
from polyseme.scoring import Scorer
from quietly import judged_of, scored
from strategies import Case, cases, variants

VIEWED = [
    measure.family(measure.cutoff, primes=primes, **dict(measure.parameters))
    for family in CATALOGUE
    for measure in variants(family)[:4]
    for primes in (0, 1, 2)
]


def scored_without(
    case: Case, measures: Sequence[Measure], policies: Policies, left_out: set[tuple[str, str]]
) -> dict[str, np.ndarray]:
    """Each topic's values where the (topic, document) pairs count as unjudged."""
    judged = judged_of(case.collection)
    named = zip(judged.topic_of_row.tolist(), judged.documents, strict=True)
    without = np.array([(judged.topics[topic], document) in left_out for topic, document in named])
    lists = read_runs({"run": case.rankings})[0].join(judged).lists
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PolysemeWarning)
        values = Scorer(judged, measures, policies, without=without).score(lists)
    return {judged.topics[topic]: values[n] for n, topic in enumerate(lists.topic.tolist())}


@settings(max_examples=15)
@given(case=cases(), seed=st.integers(0, 2**32))
def test_documents_that_were_left_out_count_as_if_nobody_had_judged_them(
    case: Case, seed: int
) -> None:
    collection = replace(case.collection, gmax=30, keep_empty_intents=False)
    chance = Random(seed)
    left_out = {
        (topic, document)
        for topic in collection.judgments
        for document in collection.documents(topic)
        if chance.random() < 0.3
    }
    judgments = {
        topic: {
            intent: {d: grade for d, grade in graded.items() if (topic, d) not in left_out}
            for intent, graded in intents.items()
        }
        for topic, intents in collection.judgments.items()
    }
    judgments = {topic: x for topic, x in judgments.items() if any(x.values())}
    if not judgments:
        return
    # an intent that only such documents name stays, as one that only the probabilities know
    probabilities = {t: p for t, p in collection.probabilities.items() if t in judgments}
    fewer = replace(collection, judgments=judgments, probabilities=probabilities)
    rankings = {topic: case.rankings[topic] for topic in judgments}
    policies = Policies(
        gain=parse_gain(case.policies["gain"]), gmax=Gmax("grade", 30), adhoc=collection.adhoc
    ).but(relevant_from=collection.relevant_from)
    found = scored_without(replace(case, collection=collection), VIEWED, policies, left_out)
    wanted = scored(fewer, {"run": rankings}, VIEWED)
    for index, topic in enumerate(wanted.topics):
        if any(fewer.relevant(topic, i) for i in fewer.intents(topic)):
            apart = abs(found[topic] - wanted.values[0, index]) > 1e-12
            names = [str(m) for m, differs in zip(VIEWED, apart, strict=True) if differs]
            assert names == [], topic


JUDGMENTS = {"1": {"1": {"a": 1, "b": 4}, "2": {"a": 1, "b": 4}}}
RUN = {"1": ["b", "a"]}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ERR-IA", 1 / 5 / 2),
        ("D-ERR", 1 / 5 / 2),
        # pseudo grades are floor(log2(1 + 8)) = 3 and floor(log2(1 + 2)) = 1
        ("ERR", 1 / 4 / 2),
        ("ERR(adhoc=max)", 1 / 5 / 2),
        ("ERR'(adhoc=max)", 1 / 5),
        ("ERR(adhoc=max,gmax=topic)", 1 / 2 / 2),
    ],
)
def test_the_largest_gain_stays_that_of_all_judgments(name: str, value: float) -> None:
    judged = read_qrels(JUDGMENTS)
    lists = read_runs({"run": RUN})[0].join(judged).lists
    without = np.array([document == "b" for document in judged.documents])
    scorer = Scorer(judged, [parse(name)], Policies(), without=without)
    assert scorer.score(lists)[0, 0] == pytest.approx(value)


def test_documents_that_were_left_out_leave_ad_hoc_judgments_of_their_own_too() -> None:
    judged = read_qrels(JUDGMENTS, adhoc={"1": {"0": {"a": 1, "b": 4}}})
    lists = read_runs({"run": RUN})[0].join(judged).lists
    without = np.array([document == "b" for document in judged.documents])
    measures = [parse(name) for name in ("RR", "RR'", "ERR", "ERR'")]
    scorer = Scorer(judged, measures, Policies(adhoc="own"), without=without)
    assert scorer.score(lists)[0].tolist() == [1 / 2, 1.0, 1 / 10, 1 / 5]
