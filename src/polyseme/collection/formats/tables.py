"""Records whose columns have names, whatever holds them: CSV, JSON, Parquet, frames."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from polyseme.collection.formats.fields import (
    grade_of,
    iteration_of,
    name_of,
    probability_of,
    rank_of,
    score_of,
    type_of,
)
from polyseme.collection.formats.gathering import (
    JudgmentGatherer,
    ListGatherer,
    Probabilities,
    ProbabilityGatherer,
)
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.judgments import Judged
from polyseme.collection.runs import Retrieved
from polyseme.errors import PolysemeWarning, did_you_mean

#: values in the order of a table's columns, a missing one None; the record's place; its text
Record = tuple[Sequence[object], int, str | None]
#: a run's name and its lists
Named = tuple[str, Sequence[Retrieved]]
Records = Callable[[Sequence[str]], Iterable[Record]]

Kind = Literal["judgments", "run", "probabilities", "topics", "scores"]

JUDGMENTS = ("topic", "intent", "doc", "grade", "prob")
PROBABILITIES = ("topic", "intent", "prob", "type")
RUNS = ("run", "topic", "doc", "rank", "score", "iteration")
#: of each kind the columns that are read, and those that must be there
_COLUMNS: dict[Kind, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "judgments": (JUDGMENTS, JUDGMENTS[:4]),
    "probabilities": (PROBABILITIES, PROBABILITIES[:3]),
    "run": (RUNS, ("topic", "doc")),
}


def kind_of_columns(names: Collection[str]) -> Kind | None:
    """What records with these columns are about."""
    if "grade" in names:
        return "judgments"
    if {"measure", "value"} <= set(names) or (
        {"run", "topic"} <= set(names) and "doc" not in names
    ):
        return "scores"
    if "prob" in names:
        return "probabilities"
    if "doc" in names and {"rank", "score", "run"}.intersection(names):
        return "run"
    return None


def read_judgments(
    found: Sequence[str], records: Records, report: Report, into: JudgmentGatherer
) -> None:
    """Records of judgments; ``prob`` may give the probability of the record's intent."""
    columns = columns_read("judgments", found, report)
    for (topic, intent, document, grade, *more), line, text in records(columns):
        try:
            where = name_of(topic, "topic"), name_of(intent, "intent")
            judged = name_of(document, "document"), grade_of(grade)
            probability = probability_of(more[0]) if more and not _missing(more[0]) else None
        except MalformedError as error:
            report.malformed(error, line, text)
            continue
        into.add(*where, *judged, line, text)
        if probability is not None:
            into.probabilities.add(*where, probability, line, text)


def read_probabilities(
    found: Sequence[str], records: Records, report: Report, into: ProbabilityGatherer
) -> None:
    """Records of intent probabilities; ``type`` may give the intent's type."""
    columns = columns_read("probabilities", found, report)
    for (topic, intent, probability, *more), line, text in records(columns):
        try:
            where = name_of(topic, "topic"), name_of(intent, "intent")
            number = probability_of(probability)
            kind = type_of(more[0]) if more and not _missing(more[0]) else None
        except MalformedError as error:
            report.malformed(error, line, text)
            continue
        into.add(*where, number, line, text)
        if kind is not None:
            into.add_type(*where, kind, line, text)


def read_runs(found: Sequence[str], records: Records, report: Report, into: ListGatherer) -> None:
    """Records of retrieved documents, of one run or, with a column ``run``, of many."""
    columns = columns_read("run", found, report)
    place = {name: columns.index(name) for name in columns}
    for values, line, text in records(columns):
        try:
            run = name_of(values[place["run"]], "run") if "run" in place else None
            topic = name_of(values[place["topic"]], "topic")
            document = name_of(values[place["doc"]], "document")
            rank = rank_of(values[place["rank"]]) if "rank" in place else None
            score = score_of(values[place["score"]]) if "score" in place else None
            iteration = iteration_of(values[place["iteration"]]) if "iteration" in place else None
        except MalformedError as error:
            report.malformed(error, line, text)
            continue
        into.list_of(topic, run).append(document, score, rank, iteration, line)
    into.check_repetition()


def columns_read(kind: Kind, found: Sequence[str], report: Report) -> list[str]:
    """The columns to read, in the order in which we name them."""
    columns = _columns(found, *_COLUMNS[kind], kind, report)
    if kind == "run" and not {"rank", "score"}.intersection(columns):
        report.fatal(
            f"there is neither a column rank nor a column score, but {_listed(found)}",
            expected="columns topic, doc, and rank or score",
            remedy="name the column that orders the documents",
        )
    return columns


def _columns(
    found: Sequence[str],
    known: Sequence[str],
    needed: Sequence[str],
    kind: str,
    report: Report,
) -> list[str]:
    """The columns to read, in the order of ``known``."""
    for name in found:
        if name in known and found.count(name) > 1:
            report.fatal(
                f"there are {found.count(name)} columns named {name!r}",
                line=1,
                expected=f"columns {', '.join(needed)}",
                remedy="rename one of them",
            )
    missing = [name for name in needed if name not in found]
    if missing:
        other = kind_of_columns(found)
        looks = f"; this looks like {other}" if other not in (None, kind) else ""
        report.fatal(
            f"the column {missing[0]!r} is missing, there are {_listed(found)}{looks}",
            line=1,
            expected=f"columns {', '.join(needed)}",
            remedy=did_you_mean(missing[0], found) or "rename or add the column",
        )
    ignored = [name for name in found if name not in known and name]
    if ignored:
        warnings.warn(
            f"{report.path}: columns that are not read: {_listed(ignored)}",
            PolysemeWarning,
            stacklevel=2,
        )
    return [name for name in known if name in found]


def _listed(names: Sequence[str]) -> str:
    if not names:
        return "no columns"
    return ", ".join(names[:12]) + (" and more" if len(names) > 12 else "")


def _missing(value: object) -> bool:
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


# --- writing -------------------------------------------------------------------------------------


def judgment_columns(judged: Judged) -> tuple[str, ...]:
    """The columns that these judgments need."""
    return (
        JUDGMENTS
        if (judged.given_probability == judged.given_probability).any()
        else (JUDGMENTS[:4])
    )


def judgment_records(judged: Judged) -> Iterator[tuple[object, ...]]:
    """Every judgment; with its intent's probability where one was given."""
    if len(judgment_columns(judged)) == 4:
        yield from judged.lines()
        return
    probability = {
        (judged.topics[topic], intent): None if math.isnan(given) else given
        for topic, intent, given in zip(
            judged.topic_of_intent.tolist(),
            judged.intents,
            judged.given_probability.tolist(),
            strict=True,
        )
    }
    for topic, intent, document, grade in judged.lines():
        yield topic, intent, document, grade, probability[topic, intent]


def judgments_lost(judged: Judged) -> list[str]:
    """What records of judgments cannot hold of these."""
    lost: list[str] = []
    judged_intents = set(judged.line_intent.tolist())
    empty = sum(
        1
        for place, given in enumerate(judged.given_probability.tolist())
        if not math.isnan(given) and place not in judged_intents
    )
    if empty:
        lost.append(
            f"{empty} intents that have a probability but no judgment are left out: "
            "write the probabilities to a file of their own"
        )
    if judged.navigational.any():
        lost.append("the types of intents are left out: write the probabilities with types")
    return lost + adhoc_lost(judged)


def adhoc_lost(judged: Judged) -> list[str]:
    """No format of judgments holds two sets of them."""
    if judged.adhoc is None:
        return []
    return ["the ad hoc judgments are left out: they are a file of their own"]


def probability_records(
    given_in: Judged | Probabilities,
) -> Iterator[tuple[str, str, float, str]]:
    """Every intent that has a probability: topic, intent, probability, type."""
    if isinstance(given_in, Probabilities):
        for topic, intents in given_in.probability.items():
            kinds = given_in.types.get(topic, {})
            for intent, probability in intents.items():
                yield topic, intent, probability, kinds.get(intent, "inf")
        return
    judged = given_in
    for place, (topic, intent) in enumerate(
        zip(judged.topic_of_intent.tolist(), judged.intents, strict=True)
    ):
        given = float(judged.given_probability[place])
        if not math.isnan(given):
            kind = "nav" if judged.navigational[place] else "inf"
            yield judged.topics[topic], intent, given, kind


def run_columns(runs: Sequence[Named]) -> tuple[str, ...]:
    """The columns that these runs need."""
    have = {"run", "topic", "doc"}
    for _, lists in runs:
        for one in lists:
            have |= {"score"} if one.scores is not None else {"rank"}
            have |= {"rank"} if one.ranks is not None else set()
            have |= {"iteration"} if one.iterations is not None else set()
    if not have & {"rank", "score"}:
        have.add("rank")
    return tuple(name for name in RUNS if name in have)


def run_records(runs: Iterable[Named], columns: Sequence[str]) -> Iterator[tuple[object, ...]]:
    """Every retrieved document, in the order of ``columns``."""
    for run, lists in runs:
        for given in lists:
            one = completed(given)
            count = len(one.documents)
            values: dict[str, Sequence[object]] = {
                "run": [run] * count,
                "topic": [one.topic] * count,
                "doc": one.documents,
                "rank": one.ranks or (),
                "score": one.scores or (),
                "iteration": one.iterations or [0] * count,
            }
            yield from zip(*(values[name] for name in columns), strict=True)


def completed(given: Retrieved) -> Retrieved:
    """The list with ranks and scores, made from each other where one is not there."""
    count = len(given.documents)
    ranks, scores = given.ranks, given.scores
    if ranks is None:
        order = list(range(count))
        if scores is not None:
            order.sort(key=given.documents.__getitem__, reverse=True)
            order.sort(key=scores.__getitem__, reverse=True)
        places = [0] * count
        for rank, place in enumerate(order, 1):
            places[place] = rank
        ranks = places
    if scores is None:
        best_first = sorted(range(count), key=ranks.__getitem__)
        made = [0.0] * count
        for rank, place in enumerate(best_first):
            made[place] = float(count - rank)
        scores = made
    return replace(given, ranks=ranks, scores=scores)


def runs_lost(runs: Iterable[Named], columns: Collection[str]) -> list[str]:
    """What lines with these columns cannot hold of the runs, or must make up."""
    lists = [one for _, retrieved in runs for one in retrieved]
    lost: list[str] = []
    without = sum(one.scores is None for one in lists)
    if "score" in columns and without:
        lost.append(f"{without} lists have no scores: scores that descend with the ranks are made")
    without = sum(one.ranks is None for one in lists)
    if "rank" in columns and without:
        lost.append(f"{without} lists have no ranks: ranks are made from their order")
    if "iteration" not in columns and any(one.iterations is not None for one in lists):
        lost.append("iterations are left out: what a run showed at once cannot be told any more")
    if "rank" not in columns and any(one.ranks is not None for one in lists):
        lost.append("ranks are left out: documents are ordered by their scores")
    return lost
