from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Mapping
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from polyseme import evaluate, parse, read_qrels
from polyseme.collection.judgments import Judged
from polyseme.collection.relevance import relevance
from polyseme.errors import PolysemeError
from polyseme.groups import Floats, Ints
from polyseme.meta.grid import grid_sensitivity, yardstick_of
from polyseme.meta.orders import RelevantDocuments, random_orders, relevant_documents
from polyseme.meta.selection import selection_sensitivity
from polyseme.meta.variants import Grid, parameter_of, topic_variants
from polyseme.policies import Policies

#: topic -> intent -> document -> grade
QRELS: dict[str, dict[str, dict[str, int]]] = {
    "1": {
        "1": {f"a{n}": 1 + n % 3 for n in range(6)} | {"b0": 1},
        "2": {"b0": 2, "b1": 1, "a0": 1, "x": 0},
        "3": {"c0": 1},
    },
    "2": {"1": {"d0": 2}, "2": {"d0": 1, "d1": 1}},
    "3": {"1": {"e0": 1}},
    "4": {"1": {"f0": 0}},
}
PROBABILITIES = {"1": {"1": 0.2, "2": 0.5, "3": 0.3}, "2": {"1": 0.4, "2": 0.6}, "3": {"1": 1.0}}


@pytest.fixture(scope="module")
def judged() -> Judged:
    return read_qrels(QRELS, probabilities=PROBABILITIES)


def named_orders(judged: Judged, orders: int, depth: int, seed: int) -> dict[str, list[list[str]]]:
    """Fisher and Yates's shuffle, one order after another, with the same luck."""
    held: dict[str, list[list[str]]] = {}
    for place, topic in enumerate(judged.topics):
        graded = QRELS[topic]
        names = sorted({d for docs in graded.values() for d, g in docs.items() if g > 0})
        if not names:
            continue
        rng = np.random.Generator(np.random.Philox(key=np.array([seed, place], np.uint64)))
        stop = min(depth, len(names))
        luck = rng.random((stop, orders))
        held[topic] = []
        for number in range(orders):
            order = list(names)
            for rank in range(stop):
                other = rank + int(luck[rank, number] * (len(order) - rank))
                order[rank], order[other] = order[other], order[rank]
            held[topic].append(order[:stop])
    return held


def naive(
    orders: Mapping[str, list[list[str]]], measure: str, number: int
) -> dict[str, tuple[float, float]]:
    """Standard deviation and mean of each topic, by evaluating one order after another."""
    runs = {f"o{n}": {topic: held[n] for topic, held in orders.items()} for n in range(number)}
    values = evaluate(QRELS, runs, measure, probabilities=PROBABILITIES).to_dict()
    found = {}
    for topic in orders:
        each = [values[f"o{n}"][str(parse(measure))][topic] for n in range(number)]
        mean = sum(each) / number
        found[topic] = ((sum((x - mean) ** 2 for x in each) / (number - 1)) ** 0.5, mean)
    return found


MEASURES = [
    "alpha#-nERR-IA(alpha=0.3,lambda=0.5,average=cascade)@3",
    "alpha#-nDCG-IA(alpha=0.7,lambda=0.2,average=micro)@2",
    "alpha#-nRBP-IA(alpha=1,lambda=0,average=smr)@3",
    "alpha#-nDCG-IA(alpha=0,lambda=0.5,average=geom)@3",
    "D#-cascade(discount=DCG,lambda=0.2)@3",
    "D#-cascade(discount=RBP,lambda=0.5)@2",
]


@pytest.mark.parametrize("measure", MEASURES)
def test_grid_and_single_measures_are_a_naive_loop_with_the_same_seed(
    judged: Judged, measure: str
) -> None:
    number = 40
    expected = naive(named_orders(judged, number, 3, 5), measure, number)
    ratios = [s / mean for s, mean in expected.values()]
    single = selection_sensitivity(judged, [parse(measure)], orders=number, seed=5, means=["avg"])
    wanted = np.mean(ratios)
    # a measure that reads two ranks is told of two ranks only
    if measure.endswith("@3"):
        assert single.of(measure) == pytest.approx(wanted)
    grid = Grid(alphas=(0.0, 0.3, 0.7, 1.0), lambdas=(0.0, 0.2, 0.5), cutoffs=(2, 3))
    found = grid_sensitivity(judged, grid, orders=number, seed=5, means=["avg"])
    rows = {row["measure"]: row["sensitivity"] for row in found.report().data.records()}
    assert rows[str(parse(measure))] == pytest.approx(wanted)


def test_rows_of_single_measures_are_those_of_the_grid(judged: Judged) -> None:
    grid = Grid(alphas=(0.3,), lambdas=(0.5,), cutoffs=(3,))
    expected = list(grid_sensitivity(judged, grid, orders=20, seed=5).report().data.records())
    names = list(dict.fromkeys(str(row["measure"]) for row in expected))
    single = selection_sensitivity(judged, names, orders=20, seed=5)
    found = {(row["measure"], row["topic_mean"]): row for row in single.report().data.records()}
    for row in expected:
        same = found[row["measure"], row["topic_mean"]]
        assert same == {**row, "sensitivity": pytest.approx(row["sensitivity"])}
    # measures that are no variant have the parameters that they have, and no others
    other = selection_sensitivity(judged, ["alpha-nDCG(alpha=0.2)@3"], orders=20, means=["avg"])
    (row,) = other.report().data.records()
    assert [row[name] for name in ("alpha", "lambda", "discount", "average")] == [
        0.2, None, None, None
    ]  # fmt: skip


def test_weights_of_ones_own_are_told_in_place_of_a_mean_over_intents() -> None:
    own = parse("alpha#-nDCG-IA(weights=weights.txt)@5")
    assert parameter_of(own, "average") == "weights"
    assert parameter_of(own, "discount") == "DCG"
    assert parameter_of(parse("alpha#-nDCG-IA@5"), "average") == "cascade"


def test_the_grid_values_lists_as_measures_do(judged: Judged) -> None:
    grid = Grid(alphas=(0.0, 0.4, 1.0), lambdas=(0.0, 0.3), cutoffs=(1, 3, 7))
    ranking = {"1": ["a1", "x", "b0", "a4", "c0", "zz", "a0", "b1"], "2": ["d1", "d0"], "3": ["y"]}
    names = [
        grid.name(average, discount, cutoff, alpha, lambda_)
        for average in grid.averages
        for cutoff in grid.cutoffs
        for alpha in grid.alphas
        for discount in grid.discounts
        for lambda_ in grid.lambdas
    ]
    scored = evaluate(QRELS, {"r": ranking}, names, probabilities=PROBABILITIES).to_dict()["r"]
    for topic in topic_variants(yardstick_of(judged, grid, Policies()), grid):
        name = judged.topics[topic.documents.topic]
        places = {judged.documents[row]: n for n, row in enumerate(topic.documents.rows)}
        ranked = np.array([[places.get(document, -1) for document in ranking[name]][:7]])
        irec, values = topic.irec(ranked)[0], topic.all_values(ranked)[0]
        for m, average in enumerate(grid.averages):
            for k, cutoff in enumerate(grid.cutoffs):
                for a, alpha in enumerate(grid.alphas):
                    for d, discount in enumerate(grid.discounts):
                        for lambda_ in grid.lambdas:
                            mixed = lambda_ * irec[k] + (1 - lambda_) * values[m, k, a, d]
                            named = grid.name(average, discount, cutoff, alpha, lambda_)
                            assert mixed == pytest.approx(scored[str(parse(named))][name]), named


def test_averages_may_come_in_any_order_and_number(judged: Judged) -> None:
    whole = grid_sensitivity(judged, Grid(cutoffs=(3,)), orders=20)
    some = Grid(cutoffs=(3,), averages=("D#", "geom", "cascade"), discounts=("RBP", "ERR"))
    found = grid_sensitivity(judged, some, orders=20)
    for average in some.averages:
        for discount in some.discounts:
            for mean in ("avg", "geom", "dd"):
                assert found.best(average, discount, 3, mean) == pytest.approx(
                    whole.best(average, discount, 3, mean)
                )


def test_many_intents_do_not_make_the_geometric_mean_vanish() -> None:
    qrels = {"1": {str(n): {f"d{n:03}": 1} for n in range(120)}}
    grid = Grid(averages=("geom",), alphas=(0.5,), lambdas=(0.0,), cutoffs=(5,), discounts=("ERR",))
    judged = read_qrels(qrels)
    topic = next(topic_variants(yardstick_of(judged, grid, Policies()), grid))
    found = topic.values(np.arange(5)[None, :])
    expected = np.exp((np.log([1, 1 / 2, 1 / 3, 1 / 4, 1 / 5]).sum() + 115 * np.log(1e-5)) / 120)
    assert found[0, 0, 0, 0, 0] == pytest.approx(expected)


def documents_of(judged: Judged, topic: int = 0) -> RelevantDocuments:
    return next(each for each in relevant_documents(relevance(judged)) if each.topic == topic)


def test_every_order_is_equally_likely(judged: Judged) -> None:
    documents = documents_of(judged)
    orders = random_orders(documents, 20_000, 2, seed=1)
    assert all(len(set(order)) == 2 for order in orders.tolist())
    seen = Counter(map(tuple, orders.tolist()))
    pairs = list(permutations(range(len(documents)), 2))
    assert set(seen) == set(pairs)
    expected = 20_000 / len(pairs)
    assert all(abs(seen[pair] - expected) < 5 * expected**0.5 for pair in pairs)


def test_a_prefix_is_the_beginning_of_a_longer_order(judged: Judged) -> None:
    documents = documents_of(judged)
    whole = random_orders(documents, 50, 99, seed=2)
    assert whole.shape == (50, len(documents))
    assert (np.sort(whole, axis=1) == np.arange(len(documents))).all()
    assert (random_orders(documents, 50, 3, seed=2) == whole[:, :3]).all()


def by_intent(documents: RelevantDocuments, orders: Ints) -> Floats:
    return np.bincount(orders[:, 0], minlength=len(documents)) / len(orders)


def test_intents_are_chosen_first_by_their_probability(judged: Judged) -> None:
    documents = documents_of(judged)
    orders = random_orders(documents, 20_000, 99, seed=3, drawing="intent-first")
    assert (np.sort(orders, axis=1) == np.arange(len(documents))).all()
    first = by_intent(documents, orders)
    # intent 1 (.2): its grade 3 documents, alike; intent 2 (.5): the one of grade 2; intent 3: c0
    names = [judged.documents[row] for row in documents.rows]
    chance = dict.fromkeys(names, 0.0) | {"a2": 0.1, "a5": 0.1, "b0": 0.5, "c0": 0.3}
    for place, name in enumerate(names):
        assert first[place] == pytest.approx(chance[name], abs=0.02)
    # once c0 is gone, its intent has nothing left: 2/7 and 5/7
    after = orders[orders[:, 0] == names.index("c0"), 1]
    assert (after == names.index("b0")).mean() == pytest.approx(5 / 7, abs=0.03)


def test_measures_that_can_be_negative_are_refused(judged: Judged) -> None:
    with pytest.raises(PolysemeError, match=r"RBU@10 can be negative"):
        selection_sensitivity(judged, [parse("RBU@10")])
    with pytest.raises(PolysemeError, match="orders must be 2"):
        grid_sensitivity(judged, orders=1)


def test_topics_where_a_measure_is_always_0_are_left_out_and_counted() -> None:
    qrels = {"1": {"1": {"a": 1, "b": 1}, "2": {"c": 1}}, "2": {"1": {"d": 1, "e": 1}}}
    probabilities = {"1": {"1": 1.0, "2": 0.0}, "2": {"1": 1.0}}
    judged = read_qrels(
        qrels, probabilities=probabilities, adhoc={"1": {"0": {"zz": 1}}, "2": {"0": {"d": 1}}}
    )
    policies = Policies(adhoc="own")
    found = selection_sensitivity(
        judged, [parse("P@1")], policies=policies, orders=50, means=["avg"]
    )
    assert np.isnan(found.by_topic[0, 0])
    assert found.values[0, 0] == found.by_topic[1, 0] > 0
    assert found.report().facts["left_out"] == {"P@1": 1}
    assert "left out" in " ".join(found.report().notes)


def test_neither_threads_nor_the_other_topics_change_a_number(judged: Judged) -> None:
    grid = Grid(cutoffs=(3,))
    one = grid_sensitivity(judged, grid, orders=30, seed=4)
    two = grid_sensitivity(judged, grid, orders=30, seed=4, jobs=2)
    assert np.array_equal(one.values, two.values)
    assert not np.array_equal(grid_sensitivity(judged, grid, orders=30, seed=5).values, one.values)


@pytest.mark.parametrize(
    "said",
    [
        {"alphas": (1.5,)},
        {"lambdas": ()},
        {"discounts": ("LOG",)},
        {"averages": ("mean",)},
        {"cutoffs": (0,)},
        {"cutoffs": (10, 5)},
    ],
)
def test_grids_are_checked(said: dict[str, tuple[float, ...]]) -> None:
    with pytest.raises(PolysemeError, match="Got"):
        Grid(**said)  # type: ignore[arg-type]


# ---- Golbus et al. 2013, table 10, as printed ----------------------------------------------------

TABLE_10 = """
avg cascade 5 .229 .218 .218
avg cascade 10 .210 .174 .176
avg cascade 20 .204 .152 .170
avg micro 5 .229 .218 .218
avg micro 10 .211 .174 .174
avg micro 20 .204 .154 .154
avg geom 5 1.558 1.556 1.556
avg geom 10 1.012 .978 .978
avg geom 20 .683 .608 .608
avg smr 5 .598 .529 .516
avg smr 10 .518 .404 .422
avg smr 20 .480 .327 .391
avg D# 5 .218 .218 .218
avg D# 10 .152 .152 .152
avg D# 20 .116 .096 .111
geom cascade 5 .224 .204 .196
geom cascade 10 .205 .168 .167
geom cascade 20 .199 .149 .162
geom micro 5 .224 .204 .204
geom micro 10 .206 .169 .169
geom micro 20 .199 .151 .151
geom geom 5 1.176 1.120 1.120
geom geom 10 .761 .667 .667
geom geom 20 .540 .420 .420
geom smr 5 .504 .436 .423
geom smr 10 .448 .344 .344
geom smr 20 .425 .292 .323
geom D# 5 .176 .175 .175
geom D# 10 .109 .095 .097
geom D# 20 .081 .057 .077
dd(xi_offset=1) cascade 5 .260 .260 .260
dd(xi_offset=1) cascade 10 .220 .194 .201
dd(xi_offset=1) cascade 20 .211 .163 .193
dd(xi_offset=1) micro 5 .260 .260 .260
dd(xi_offset=1) micro 10 .220 .194 .194
dd(xi_offset=1) micro 20 .211 .165 .165
dd(xi_offset=1) geom 5 2.015 2.029 2.029
dd(xi_offset=1) geom 10 1.319 1.300 1.300
dd(xi_offset=1) geom 20 .871 .801 .801
dd(xi_offset=1) smr 5 .719 .642 .629
dd(xi_offset=1) smr 10 .612 .492 .518
dd(xi_offset=1) smr 20 .559 .383 .478
dd(xi_offset=1) D# 5 .260 .260 .260
dd(xi_offset=1) D# 10 .194 .194 .194
dd(xi_offset=1) D# 20 .129 .129 .129
"""


@pytest.mark.slow
def test_table_10_of_golbus_et_al_comes_out(shared: Path) -> None:
    qrels: dict[str, dict[str, dict[str, int]]] = {}
    for name in ("2010.diversity.qrels.gz", "2011.graded.qrels.gz"):
        with gzip.open(shared / "data/trec-web" / name, "rt") as lines:
            for line in lines:
                topic, intent, document, grade = line.split()
                graded = qrels.setdefault(topic, {}).setdefault(intent, {})
                graded[document] = min(int(grade), 1)
    # The bounds of geom at rank 5 are about as wide as chance makes the numbers: of seeds 0 to 7
    # two go beyond them (0 and 5), as might another 1,000 orders of the authors' own.
    means = ("avg", "geom", "dd(xi_offset=1)")
    found = grid_sensitivity(read_qrels(qrels), means=means, orders=1000, seed=1)
    assert len(found.facts["topics"]) == 98
    for line in TABLE_10.split("\n")[1:-1]:
        mean, average, cutoff, *printed = line.split()
        for discount, cell in zip(("ERR", "DCG", "RBP"), map(float, printed), strict=True):
            if discount == "RBP" and average in ("micro", "geom"):
                continue  # an erratum: copies of the DCG column
            value = found.best(average, discount, int(cutoff), mean)
            if average in ("cascade", "D#"):
                assert value == pytest.approx(cell, abs=0.003), (line, discount)
            else:
                share = 0.07 if cutoff == "20" else 0.03
                assert value == pytest.approx(cell, rel=share), (line, discount)
