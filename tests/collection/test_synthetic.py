from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

import polyseme
from polyseme.collection.synthetic import SPAM, SyntheticCollection, synthesize
from polyseme.errors import PolysemeError


@pytest.fixture(scope="module")
def made() -> SyntheticCollection:
    return synthesize(np.random.default_rng(1))


def test_the_sizes_are_those_asked_for() -> None:
    made = synthesize(
        np.random.default_rng(3), topics=4, teams=3, runs_per_team=3, intents_max=3, depth=15
    )
    assert len(made.topics) == len(made.judged.topics) == 4
    assert len(made.runs) == len(made.teams) == 9
    assert len(set(made.teams.values())) == 3
    assert max(len(topic.subtopics) for topic in made.topics.values()) <= 3
    for run in made.runs:
        assert {len(one.documents) for one in run.topics()} == {15}


@pytest.mark.parametrize("name", ["topics", "teams", "runs_per_team", "intents_max", "depth"])
def test_one_of_each_is_enough(name: str) -> None:
    sizes = {"topics": 3, "teams": 2, "runs_per_team": 2, "depth": 10, name: 1}
    made = synthesize(np.random.default_rng(0), **sizes)
    assert len(made.judged.documents)


def test_no_size_below_1_is_taken() -> None:
    with pytest.raises(PolysemeError, match="judged must be 1 or more"):
        synthesize(np.random.default_rng(0), judged=0)


def test_intents_are_uneven(made: SyntheticCollection) -> None:
    counts = [len(topic.subtopics) for topic in made.topics.values()]
    assert len(set(counts)) > 2
    judged = made.judged
    relevant = np.bincount(judged.line_intent[judged.line_grade > 0], minlength=len(judged.intents))
    assert relevant.max() > 8 * max(relevant.min(), 1)
    assert (relevant[judged.navigational] <= 1).all()
    assert (relevant[judged.navigational] == 1).any()


def test_probabilities_are_unequal_and_add_up_to_1(made: SyntheticCollection) -> None:
    judged = made.judged
    for topic in range(len(judged.topics)):
        span = slice(judged.intent_start[topic], judged.intent_start[topic + 1])
        given = judged.given_probability[span]
        assert given.sum() == pytest.approx(1, abs=1e-12)
        assert len(set(given.tolist())) == len(given)


def test_high_grades_are_few_and_there_is_spam(made: SyntheticCollection) -> None:
    grades = np.array([grade for *_, grade in made.judged.lines()])
    shares = [int((grades == grade).sum()) for grade in (1, 2, 3, 4)]
    assert shares[0] > shares[1] > shares[2] >= shares[3] > 0
    assert SPAM in grades
    assert 0 in grades


def test_some_retrieved_documents_are_unjudged_and_some_judged_ones_unique(
    made: SyntheticCollection,
) -> None:
    judged = made.judged
    lists = {run.name: run.prefix(20) for run in made.runs}
    unjudged = 0
    finders: dict[tuple[str, str], set[str]] = {}
    for run, topics in lists.items():
        for topic, documents in topics.items():
            known = set(judged.documents_of(judged.topic_index[topic]))
            unjudged += len(set(documents) - known)
            for document in known.intersection(documents):
                finders.setdefault((topic, document), set()).add(made.teams[run])
    assert unjudged > 50
    alone = [teams for teams in finders.values() if len(teams) == 1]
    assert set().union(*alone) == set(made.teams.values())


def test_scores_have_ties_and_follow_the_ranks(made: SyntheticCollection) -> None:
    ties = 0
    for run in made.runs:
        for one in run.topics():
            assert one.scores is not None
            assert list(one.scores) == sorted(one.scores, reverse=True)
            ties += len(one.scores) - len(set(one.scores))
    assert ties > 0


def test_the_last_run_alone_lacks_a_topic(made: SyntheticCollection) -> None:
    counts = [len(list(run.topics())) for run in made.runs]
    assert counts == [20] * 9 + [19]


def test_teams_and_runs_differ(made: SyntheticCollection) -> None:
    scores = polyseme.evaluate(made.judged, made.runs, "D-nDCG@10 I-rec@10")
    means = scores.mean_values(scores.means[0])
    assert np.ptp(means[:, 0]) > 0.2
    assert np.ptp(means[:, 1]) > 0.2
    # the order of runs is not the same by both
    assert means[:, 0].argsort().tolist() != means[:, 1].argsort().tolist()


def test_a_seed_makes_the_same_collection_on_every_machine(tmp_path: Path) -> None:
    written = synthesize(np.random.default_rng(1), topics=3, depth=30).write(tmp_path / "demo")
    digest = hashlib.sha256()
    for path in written:
        digest.update(Path(path).read_bytes())
    assert digest.hexdigest() == DIGEST


DIGEST = "d4eb35b0d65932710fbccdee8da7616944ee02d9de1a2bee742797be08d3941c"
