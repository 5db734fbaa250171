"""Runs become ranked lists: by score, by rank, as they stand; with repeats and iterations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.collection.reading import read_qrels, read_runs
from polyseme.collection.runs import Ordering, Retrieved, Run, Runs, in_order
from polyseme.errors import InputError, PolysemeWarning
from polyseme.evaluation import evaluate


def ordered(documents: str, order: str = "score", **more: Any) -> str:
    """The letters of a list in their order of rank."""
    columns = {key: more.pop(key) for key in ("scores", "ranks", "iterations") if key in more}
    retrieved = Retrieved("1", list(documents), **columns)
    return "".join(in_order(retrieved, Ordering(order, **more)).documents)  # type: ignore[arg-type]


def run_of(*lists: Retrieved, name: str = "run") -> Run:
    return Run(name, lambda: lists)


# ---- order --------------------------------------------------------------------------------------


def test_scores_descend() -> None:
    assert ordered("abc", scores=[1.0, 3.0, 2.0]) == "bca"


def test_ties_go_to_the_later_identifier() -> None:
    assert ordered("bac", scores=[1.0, 1.0, 2.0]) == "cba"


def test_ranks_ascend_and_equal_ones_stay_as_they_stand() -> None:
    assert ordered("abc", "rank", ranks=[3, 1, 2], scores=[9.0, 8.0, 7.0]) == "bca"
    assert ordered("cab", "rank", ranks=[1, 1, 1]) == "cab"


def test_a_list_may_keep_the_order_of_its_file() -> None:
    assert ordered("cab", "file", ranks=[3, 1, 2], scores=[1.0, 2.0, 3.0]) == "cab"


def test_where_a_column_is_missing_the_other_one_decides() -> None:
    assert ordered("abc", "score", ranks=[3, 1, 2]) == "bca"
    assert ordered("abc", "rank", scores=[1.0, 3.0, 2.0]) == "bca"
    assert ordered("cab", "score") == "cab"
    assert ordered("cab", "rank") == "cab"


def test_single_precision_makes_ties_of_scores_that_it_cannot_tell_apart() -> None:
    scores = [1.0 + 1e-9, 1.0]
    assert ordered("ab", scores=scores) == "ab"
    assert ordered("ab", scores=scores, single_precision=True) == "ba"


def test_a_program_may_want_every_rank_once() -> None:
    with pytest.raises(InputError, match="two documents have the rank 2 in topic 1"):
        ordered("abc", "rank", ranks=[1, 2, 2], unique_ranks=True)
    assert ordered("abc", "rank", ranks=[1, 3, 2], unique_ranks=True) == "acb"


@given(
    scored=st.dictionaries(
        st.text("abcde", min_size=1, max_size=3), st.integers(0, 3).map(float), max_size=8
    ),
    chance=st.randoms(use_true_random=False),
)
def test_the_order_of_lines_does_not_matter_where_scores_decide(
    scored: dict[str, float], chance: Any
) -> None:
    documents = list(scored)
    chance.shuffle(documents)
    retrieved = Retrieved("1", documents, scores=[scored[d] for d in documents])
    found = in_order(retrieved).documents
    assert found == sorted(sorted(scored, reverse=True), key=lambda d: -scored[d])


# ---- repeats ------------------------------------------------------------------------------------


def test_a_repeated_document_is_an_error_that_names_both_lines() -> None:
    retrieved = Retrieved("7", ["a", "b", "a"], lines=[4, 5, 6])
    with pytest.raises(InputError) as caught:
        in_order(retrieved, path="x.run")
    text = str(caught.value)
    assert "x.run:6: document a is retrieved twice for topic 7, on lines 4 and 6" in text
    assert "--duplicates first" in text


def test_the_better_placed_of_two_may_stay() -> None:
    assert ordered("aba", scores=[1.0, 2.0, 3.0], duplicates="first") == "ab"


def test_the_later_of_two_may_count_as_non_relevant() -> None:
    retrieved = Retrieved("1", ["a", "b", "a"], scores=[3.0, 2.0, 1.0])
    found = in_order(retrieved, Ordering(duplicates="nonrelevant"))
    assert found.documents == ["a", "b", "a"]
    assert found.blank == {2}
    joined = run_of(retrieved).join(
        read_qrels({"1": {"1": {"a": 1}}}), Ordering(duplicates="nonrelevant")
    )
    assert joined.lists.rank.tolist() == [1]
    assert joined.lists.length.tolist() == [3]


# ---- iterations ---------------------------------------------------------------------------------


def test_iterations_come_one_after_another_each_by_score_with_ties_as_they_stand() -> None:
    retrieved = Retrieved("1", list("abcd"), scores=[1.0, 1.0, 9.0, 2.0], iterations=[1, 0, 1, 0])
    found = in_order(retrieved)
    assert found.documents == ["d", "b", "c", "a"]
    assert found.iteration_ends == [2, 4]
    tied = Retrieved("1", list("ab"), scores=[1.0, 1.0], iterations=[0, 0])
    assert in_order(tied).documents == ["a", "b"]


def test_a_missing_iteration_is_an_empty_one() -> None:
    found = in_order(Retrieved("1", list("ab"), scores=[1.0, 2.0], iterations=[0, 2]))
    assert found.iteration_ends == [1, 1, 2]


def test_a_document_that_comes_again_in_another_iteration_is_non_relevant() -> None:
    found = in_order(Retrieved("1", list("aa"), scores=[1.0, 2.0], iterations=[0, 1]))
    assert (found.documents, found.blank) == (["a", "a"], {1})


# ---- joined with judgments ----------------------------------------------------------------------


def test_a_run_becomes_the_ranks_of_judged_documents() -> None:
    judged = read_qrels({"1": {"1": {"a": 1, "c": 0}}, "2": {"1": {"b": 1}}})
    run = run_of(Retrieved("2", ["x", "b"]), Retrieved("9", ["a"]), Retrieved("1", ["c", "y", "a"]))
    found = run.join(judged)
    assert found.extra == ("9",)
    assert found.lists.topic.tolist() == [1, 0]
    assert found.lists.length.tolist() == [2, 3]
    assert found.lists.rank.tolist() == [2, 1, 3]
    assert [judged.documents[row] for row in found.lists.row.tolist()] == ["b", "c", "a"]


def test_a_document_of_another_topic_is_unjudged() -> None:
    judged = read_qrels({"1": {"1": {"a": 1}}, "2": {"1": {"b": 1}}})
    assert run_of(Retrieved("1", ["b", "a"])).join(judged).lists.rank.tolist() == [2]


def test_a_prefix_names_the_first_documents_of_every_topic() -> None:
    run = run_of(
        Retrieved("1", ["a", "b", "c"], scores=[1.0, 3.0, 2.0]), Retrieved("9", ["x"], scores=[1.0])
    )
    assert run.prefix(2) == {"1": ["b", "c"], "9": ["x"]}
    assert run.prefix() == {"1": ["b", "c", "a"], "9": ["x"]}
    assert run.prefix(1, Ordering("file")) == {"1": ["a"], "9": ["x"]}


@given(
    lists=st.dictionaries(
        st.sampled_from("123"), st.lists(st.sampled_from("abcdef"), unique=True), max_size=3
    )
)
def test_every_judged_document_of_a_list_is_a_hit_at_its_rank(lists: dict[str, list[str]]) -> None:
    judged = read_qrels({"1": {"1": {"a": 1, "b": 0}}, "2": {"1": {"c": 1}, "2": {"d": 2, "c": 1}}})
    found = read_runs({"run": lists})[0].join(judged) if lists else None
    told = []
    if found is not None:
        topics = found.lists.topic[found.lists.list_of_hit]
        told = [
            (judged.topics[topic], rank, judged.documents[row])
            for topic, rank, row in zip(
                topics.tolist(), found.lists.rank.tolist(), found.lists.row.tolist(), strict=True
            )
        ]
    known = {"1": "ab", "2": "cd"}
    assert sorted(told) == sorted(
        (topic, rank, document)
        for topic, documents in lists.items()
        for rank, document in enumerate(documents, start=1)
        if document in known.get(topic, "")
    )


# ---- several runs -------------------------------------------------------------------------------


def test_two_runs_of_one_name_are_an_error() -> None:
    with pytest.raises(InputError, match="two runs are named 'run'"):
        Runs((run_of(), run_of()))


def test_runs_keep_the_order_in_which_they_were_given() -> None:
    runs = Runs((run_of(name="b"), run_of(name="a")))
    assert runs.names == ("b", "a")
    assert [run.name for run in runs] == ["b", "a"]
    assert runs[1].name == "a"
    assert [run.name for run in runs[:1]] == ["b"]


RANKED = "1 Q0 a 1 1.0 t\n1 Q0 b 2 2.0 t\n"


def test_it_is_said_once_where_scores_and_the_order_that_was_asked_for_disagree(
    tmp_path: Any,
) -> None:
    path = tmp_path / "odd.run"
    path.write_text(RANKED + RANKED.replace("1 Q0", "2 Q0"))
    judgments = {"1": {"1": {"a": 1}}, "2": {"1": {"a": 1}}}
    assert evaluate(judgments, path, "RR").mean() == {"odd": {"RR": 0.5}}
    with pytest.warns(PolysemeWarning, match="odd: in 2 .*topics") as told:
        scores = evaluate(judgments, path, "RR", order="rank")
    assert len(told) == 1
    assert "the order taken is --order rank" in str(told[0].message)
    assert scores.mean() == {"odd": {"RR": 1.0}}


def test_topics_whose_lines_are_mixed_give_what_grouped_ones_give(tmp_path: Any) -> None:
    lines = [f"{topic} Q0 d{n} {n} {9 - n} t" for topic in "12" for n in range(1, 5)]
    grouped, mixed = tmp_path / "grouped.run", tmp_path / "mixed.run"
    grouped.write_text("\n".join(lines))
    mixed.write_text("\n".join(lines[::2] + lines[1::2]))
    judgments = {topic: {"1": {"d3": 1, "d4": 2}} for topic in "12"}
    found = evaluate(judgments, [grouped, mixed], "nDCG ERR-IA")
    assert np.array_equal(found.values[0], found.values[1])
