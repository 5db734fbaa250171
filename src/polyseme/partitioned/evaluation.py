"""Files x measures -> means, however large the files are."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from polyseme import __version__
from polyseme.averaging import check_entered, check_known, refuse_unjudged
from polyseme.collection.formats.places import Folder, stamp_of
from polyseme.collection.formats.topic_lines import TopicOrder
from polyseme.collection.partitions.inputs import Input, Piece, inputs_of, pieces_of, run_names
from polyseme.collection.partitions.looking import Looked, Looking, common_order
from polyseme.collection.partitions.parts import Partition, Parts
from polyseme.collection.partitions.planning import buckets_for, in_buckets, in_order
from polyseme.collection.partitions.spilling import Spilling
from polyseme.collection.reading import Names, read_topics
from polyseme.collection.runs import warn_of_order
from polyseme.collection.topics import intent_types
from polyseme.dialects import NATIVE, Dialect, parse_dialect
from polyseme.engine import Engine, running
from polyseme.errors import InputError
from polyseme.evaluation import (
    Measures,
    policies_said,
    provenance,
    those,
    wanted,
    weight_files,
)
from polyseme.measures.catalogue import Catalogue
from polyseme.measures.means import TopicMean, parse_means
from polyseme.measures.measure import Measure
from polyseme.measures.sets import CATALOGUE
from polyseme.partitioned.finished import Found, Workshop, begin, tell
from polyseme.partitioned.means import PartitionedScores
from polyseme.partitioned.memory import parse_memory, room_for_work
from polyseme.partitioned.topic_files import FOLDER
from polyseme.partitioned.work import Evaluation, Scoring, Statistics, whole_of
from polyseme.policies import Policies
from polyseme.scores import check_geometric
from polyseme.scoring import warn_of_measures

Path = str | os.PathLike[str]
#: what is done: so many of so many are done, and of what
Progress = Callable[[int, int, str], None]
#: a part of a worker's room is for what is spilled
_SPILLED = 4


def evaluate_partitions(
    judgments: Path | Sequence[Path],
    runs: Path | Sequence[Path],
    measures: Measures | None = None,
    *,
    resume: Path | None = None,
    per_topic: bool = False,
    engine: Engine = "serial",
    jobs: int = 1,
    memory: str | int | None = None,
    dialect: str | Dialect | None = None,
    probabilities: Path | None = None,
    topics_xml: Path | None = None,
    gain: str | None = None,
    gmax: str | int | None = None,
    order: str | None = None,
    duplicates: str | None = None,
    average_over: str | None = None,
    keep_empty_intents: bool | None = None,
    relevant_from: int | None = None,
    only_topics: Collection[str] | None = None,
    adhoc: Path | None = None,
    mean: str | TopicMean | Sequence[str | TopicMean] = "avg",
    format: str | None = None,  # noqa: A002 - the command's option of that name
    runs_format: str | None = None,
    names: Names = "file",
    catalogue: Catalogue = CATALOGUE,
    progress: Progress | None = None,
) -> PartitionedScores:
    """Score runs by measures, some topics at a time: means, and values of topics in files.

    Inputs are paths of files and folders, or addresses such as ``s3://bucket/folder``. ``memory``
    is what all processes together may take. What is finished is kept in the folder ``resume``, and
    the same call again goes on from there; ``per_topic`` leaves values of topics there, as Parquet.
    Policies, measures and means are those of :func:`polyseme.evaluate`, with the same results.
    """
    spoken = parse_dialect(dialect) if dialect is not None else NATIVE
    policies, adhoc_file = policies_said(
        spoken,
        adhoc=adhoc,
        gain=gain,
        gmax=gmax,
        order=order,
        duplicates=duplicates,
        average_over=average_over,
        keep_empty_intents=keep_empty_intents,
        relevant_from=relevant_from,
    )
    if per_topic and resume is None:
        raise InputError(
            "values of topics need a folder",
            expected="--resume FOLDER: they become Parquet files in FOLDER/per-topic",
            remedy="name a folder that is new or empty",
        )
    inputs = (
        *inputs_of(_paths(judgments), "judgments", format),
        *inputs_of(_paths(probabilities), "probabilities", None),
        *inputs_of(_paths(adhoc_file), "adhoc", None),
        *inputs_of(_paths(runs), "run", runs_format or format, names),
    )
    chosen = wanted(spoken.measures if measures is None else measures, catalogue)
    means = parse_means(mean)
    for each in means:
        check_geometric(each, those(chosen, lambda family: family.traits.signed))
    asked = _Asked(
        inputs,
        chosen,
        policies,
        spoken,
        means,
        only_topics,
        _path(topics_xml),
        per_topic,
        adhoc is not None,
    )
    room = room_for_work(None if memory is None else parse_memory(memory), engine, jobs)
    with _folder(resume) as folder, running(engine, jobs) as ready:
        begun = begin(folder, asked.request(), memory=room)
        shop = Workshop(folder, ready, jobs, progress)
        found = _evaluated(asked, shop, begun["memory"])
        return replace(found, per_topic=folder.path(FOLDER) if per_topic else None)


def _paths(given: Path | Sequence[Path] | None) -> list[str]:
    if given is None:
        return []
    if isinstance(given, str | os.PathLike):
        return [os.fspath(given)]
    return [os.fspath(each) for each in given]


def _path(given: Path | None) -> str | None:
    return None if given is None else os.fspath(given)


@contextmanager
def _folder(resume: Path | None) -> Iterator[Folder]:
    """The folder that was named; else one that is gone afterwards."""
    if resume is not None:
        folder = Folder(os.fspath(resume))
        folder.make()
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="polyseme-") as place:
        yield Folder(place)


@dataclass(frozen=True)
class _Asked:
    """What is to be evaluated, and how."""

    inputs: tuple[Input, ...]
    measures: tuple[Measure, ...]
    policies: Policies
    dialect: Dialect
    means: tuple[TopicMean, ...]
    only_topics: Collection[str] | None
    topics_xml: str | None
    per_topic: bool
    #: somebody said how documents get one grade
    adhoc_said: bool

    def provenance(self) -> dict[str, Any]:
        return provenance(self.policies, self.dialect, self.only_topics, self.means)

    def request(self) -> dict[str, Any]:
        """Whatever results hang on."""
        files = {each.path: _stamped(each.path) for each in self.inputs}
        said = [mean.source for mean in self.means if mean.source]
        said += [str(m["weights"]) for m in self.measures if "weights" in m.family.all_parameters]
        for path in (*said, *([self.topics_xml] if self.topics_xml else ())):
            if os.path.exists(path):
                files[path] = _stamped(path)
        told = self.provenance()
        return {
            "versions": {"polyseme": __version__, "numpy": np.__version__},
            "policies": {"dialect": told["dialect"], **told["policies"]},
            "measures": {str(each): str(each.formula) for each in self.measures},
            "inputs": [[each.role, each.path, each.format, each.run] for each in self.inputs],
            "files": files,
            "topics of intents": self.topics_xml,
            "values of topics": self.per_topic,
        }


def _stamped(path: str) -> list[int] | None:
    stamp = stamp_of(path)
    return None if stamp is None else [stamp.size, stamp.changed]


def _evaluated(asked: _Asked, shop: Workshop, room: int) -> PartitionedScores:
    parts, partitions, runs = _divided(asked, shop, room)
    types = None if asked.topics_xml is None else intent_types(read_topics(asked.topics_xml))
    evaluation = Evaluation(
        parts,
        runs,
        asked.measures,
        asked.policies,
        asked.dialect,
        asked.means,
        weight_files(asked.measures),
        None if asked.only_topics is None else frozenset(asked.only_topics),
        types,
        asked.per_topic,
    )
    known = shop.stage("statistics", Statistics(evaluation), partitions)
    _check(asked, evaluation, known)
    if not asked.adhoc_said and all(each["are_adhoc"] for each in known if each["lines"]):
        # as where all judgments are at hand: a grade is one already
        policies = asked.policies.but(adhoc="max")
        asked = replace(asked, policies=policies)
        evaluation = replace(evaluation, policies=policies)
    whole = whole_of(known)
    warn_of_measures(whole.only_relevant, asked.measures)
    found = shop.stage("scores", Scoring(evaluation, whole), partitions)
    _check_runs(asked, runs, found, _first(known))
    tell([*known, *found])
    counts = [sum(each["disagreeing"][run] for each in found) for run in range(len(runs))]
    warn_of_order(dict(zip(runs, counts, strict=True)), asked.policies.ordering.order)
    shop.folder.remove("spilled")
    return _added(asked, runs, found)


# ---- partitions ---------------------------------------------------------------------------------


def _divided(
    asked: _Asked, shop: Workshop, room: int
) -> tuple[Parts, list[Partition], tuple[str, ...]]:
    """Partitions, and how they are read: from where they are, or from disk again."""
    inputs, measures = asked.inputs, len(asked.measures)
    pieces = pieces_of(inputs)
    if all(each.has_places for each in inputs):
        told = shop.stage("looked", Looking(inputs), pieces)
        looked = [Looked.from_json(each) for each in told]
        order = common_order(pieces, looked)
        if order is not None:
            runs = run_names(inputs, _runs_told(pieces, told))
            parts = Parts(inputs, tuple(pieces), shop.folder, order, {})
            return parts, in_order(inputs, pieces, looked, order, room, measures), runs
    return _spilled(asked, pieces, shop, room)


def _spilled(
    asked: _Asked, pieces: list[Piece], shop: Workshop, room: int
) -> tuple[Parts, list[Partition], tuple[str, ...]]:
    inputs, measures = asked.inputs, len(asked.measures)
    buckets = buckets_for(inputs, room, measures)
    spilling = Spilling(inputs, shop.folder, buckets, room // _SPILLED)
    told = shop.stage("divided", spilling, pieces)
    # what cannot be lines must be records, and so must all that belongs to the same run
    odd = {piece.input for piece, each in zip(pieces, told, strict=True) if not each["lines"]}
    folders = {inputs[place].folder for place in odd} - {""}
    as_records = frozenset(
        place for place, each in enumerate(inputs) if place in odd or each.folder in folders
    )
    if as_records:
        again = [piece for piece in pieces if piece.input in as_records]
        recorded = shop.stage("recorded", replace(spilling, as_records=as_records), again)
        of_piece = {piece.key: each for piece, each in zip(again, recorded, strict=True)}
        told = [of_piece.get(piece.key, each) for piece, each in zip(pieces, told, strict=True)]
    runs = run_names(inputs, _runs_told(pieces, told))
    known = {piece.key: each for piece, each in zip(pieces, told, strict=True)}
    sizes = [each["sizes"] for each in told]
    kept = {key: {"runs": each["runs"], "records": each["records"]} for key, each in known.items()}
    order: TopicOrder | None = None
    parts = Parts(inputs, tuple(pieces), shop.folder, order, kept)
    return parts, in_buckets(inputs, pieces, sizes, room, measures), runs


def _runs_told(pieces: Sequence[Piece], told: Sequence[Found]) -> dict[int, list[str]]:
    found: dict[int, dict[str, None]] = {}
    for piece, each in zip(pieces, told, strict=True):
        names = (name for name in each["runs"] if name is not None)
        found.setdefault(piece.input, {}).update(dict.fromkeys(names))
    return {place: list(names) for place, names in found.items()}


# ---- what only the whole collection shows -------------------------------------------------------


def _first(known: Sequence[Found]) -> list[str]:
    return [topic for each in known for topic in each["first"]][:3]


def _check(asked: _Asked, evaluation: Evaluation, known: Sequence[Found]) -> None:
    if not any(each["topics"] for each in known):
        raise InputError(
            "there is not one record",
            path=next(each.path for each in asked.inputs if each.role == "judgments"),
            expected="judgments: topic intent doc grade",
            remedy="check what should have written it",
        )
    if evaluation.only_topics is not None:
        met = {topic for each in known for topic in each["chosen"]}
        check_known(sorted(evaluation.only_topics - met), _first(known))
    for role, what in (("probabilities", "probabilities"), ("adhoc", "ad hoc judgments")):
        mine = [each.path for each in asked.inputs if each.role == role]
        if mine and not any(each["met"][role] for each in known):
            raise InputError(
                f"none of the topics of the {what} is judged",
                path=mine[0],
                expected=f"topics of the judgments, such as {', '.join(_first(known))}",
                remedy=f"give the {what} of the same collection",
            )


def _check_runs(
    asked: _Asked, runs: Sequence[str], found: Sequence[Found], judged: Sequence[str]
) -> None:
    for place, run in enumerate(runs):
        beyond = sum(each["beyond"][place] for each in found)
        if beyond and not sum(each["lists"][place] for each in found):
            first = next(name for each in found for name in each["first_beyond"][place])
            path = next((each.path for each in asked.inputs if each.run == run), None)
            refuse_unjudged(run, path, beyond, first, judged)
    check_entered(asked.policies, any(any(each["entered"]) for each in found))


def _added(asked: _Asked, runs: tuple[str, ...], found: Sequence[Found]) -> PartitionedScores:
    """The partitions' sums as one."""
    totals: dict[str, list[list[int]]] = {
        name: [
            [
                sum(int(each["totals"][name][run][measure], 16) for each in found)
                for measure in range(len(asked.measures))
            ]
            for run in range(len(runs))
        ]
        for name in found[0]["totals"]
    }
    weights = {
        name: [
            sum(int(each["weights"][name][run], 16) for each in found) for run in range(len(runs))
        ]
        for name in found[0]["weights"]
    }

    def counted(name: str) -> tuple[int, ...]:
        return tuple(sum(each[name][run] for each in found) for run in range(len(runs)))

    judged = sum(each["topics"] for each in found)
    return PartitionedScores(
        runs,
        tuple(str(measure) for measure in asked.measures),
        asked.means,
        totals,
        weights,
        judged,
        counted("entered"),
        counted("lacking"),
        counted("beyond"),
        judged if asked.policies.over_all_topics else None,
        those(asked.measures, lambda family: family.added_up),
        those(asked.measures, lambda family: family.undefined_without_relevant),
        sum(each["barren"][0] for each in found),
        tuple(name for each in found for name in each["barren"][1])[:1],
        partitions=len(found),
        provenance=asked.provenance(),
    )
