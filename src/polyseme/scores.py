"""Scores: a number for each run, topic and measure, and how they were made."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from polyseme.errors import PolysemeError, one_of
from polyseme.groups import Bools, Floats
from polyseme.hypertext import report_html
from polyseme.measures.means import TopicMean, labels_of, parse_mean
from polyseme.results import Findings
from polyseme.tables import Column, Report, Row, Table, labels

LONG_COLUMNS = ("run", "topic", "measure", "value")
INTENT_COLUMNS = ("run", "topic", "intent", "measure", "value")


@dataclass(frozen=True)
class IntentScore:
    """One measure's value for one run, topic and intent."""

    run: str
    topic: str
    intent: str
    measure: str
    value: float


class TopicMeans(Findings):
    """Means over topics, of runs by measures."""

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    means: tuple[TopicMean, ...]

    @abstractmethod
    def mean_values(self, mean: TopicMean) -> Floats:
        """Means over topics as an array: runs x measures."""

    def mean(self, kind: str | TopicMean = "avg") -> dict[str, dict[str, float]]:
        """Means over topics: run -> measure -> value."""
        table = self.mean_values(parse_mean(kind))
        return {
            run: dict(zip(self.measures, row, strict=True))
            for run, row in zip(self.runs, table.tolist(), strict=True)
        }

    def mean_rows(self) -> Iterator[tuple[str, str, str, float]]:
        """(run, ``all`` or ``all:...``, measure, value)."""
        tables = [
            (label, self.mean_values(mean).tolist())
            for mean, label in zip(self.means, labels_of(self.means), strict=True)
        ]
        for index, run in enumerate(self.runs):
            for label, table in tables:
                for measure, value in zip(self.measures, table[index], strict=True):
                    yield run, label, measure, value

    def tables_of_means(self) -> tuple[Table, ...]:
        """As people read them: for each mean over topics runs under measures, the best bold."""
        # every measure here is better the higher it is
        columns = (*labels("run"), *(Column(name, best="highest") for name in self.measures))
        tables: list[Table] = []
        for mean in self.means:
            rows: list[Row] = [
                (run, *row)
                for run, row in zip(self.runs, self.mean_values(mean).tolist(), strict=True)
            ]
            named = len(self.means) > 1 or mean.kind != "avg"
            tables.append(Table(columns, rows, f"mean over topics: {mean}" if named else ""))
        return tuple(tables)

    def _repr_html_(self) -> str:
        return report_html(replace(self.report(), tables=self.tables_of_means()))


def topics_told(
    judged: int,
    used: Sequence[int],
    denominator: int | None,
    absent: Mapping[str, int],
    beyond: Mapping[str, int],
) -> list[str]:
    """Sentences that say over which topics means are, from counts of topics for each run."""
    spread = f"{min(used)}" if min(used) == max(used) else f"{min(used)} to {max(used)}"
    sentences = [
        f"means over {spread} of {judged} judged topics"
        + ("" if denominator is None else f", divided by {denominator}")
    ]
    for counts, which in (
        (absent, "lack topics, which score as empty lists"),
        (beyond, "have topics that are not judged, left out"),
    ):
        told = {run: number for run, number in counts.items() if number}
        if told:
            run, number = max(told.items(), key=lambda item: item[1])
            sentences.append(f"{len(told)} of {len(counts)} runs {which} (most: {run}, {number})")
    return sentences


def remarks(
    counts: Sequence[str], undefined: Sequence[str], barren: int, first: Sequence[str]
) -> Iterator[str]:
    """What is not as it is with other measures; ``barren`` topics have nothing relevant."""
    if counts:
        yield f"added up over topics, not averaged: {', '.join(counts)}"
    if barren:
        yield f"{barren} of these have nothing relevant, and count 0 (the first: {first[0]})"
    if barren and undefined:
        yield f"the program prints nan there, not 0: {', '.join(undefined)}"


def check_several(runs: Sized, purpose: str) -> None:
    """An error where there is nothing to hold a run against."""
    if len(runs) < 2:
        raise PolysemeError(
            f"at least two runs are needed to {purpose}. Got {len(runs)} instead.\n"
            "  to mend it: name more runs"
        )


def check_geometric(mean: TopicMean, signed: Iterable[str]) -> None:
    """An error where a measure that can be negative is to have a geometric mean."""
    first = min(signed, default=None)
    if mean.kind == "geom" and first is not None:
        raise PolysemeError(
            f"{first} can be negative, so it has no geometric mean\n"
            "  to mend it: leave the measure out, or take another mean"
        )


@dataclass(frozen=True, eq=False)
class Scores(TopicMeans):
    """Values of runs (first axis) on topics (second) by measures (third)."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[str, ...]
    values: Floats
    #: which (run, topic) enter the mean
    entered: Bools
    #: (run, topic) pairs for which the run retrieved anything
    retrieved: Bools
    #: topics of each run that are not judged
    extra: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: over how many topics each mean is, where it is not those that entered
    denominator: int | None = None
    #: a run's unjudged topics are told as zeros, in no mean, as ndeval does
    unjudged_as_zero: bool = False
    means: tuple[TopicMean, ...] = (TopicMean(),)
    #: weights of topics, by the mean that wants them
    topic_weights: Mapping[str, Floats] = field(default_factory=dict)
    #: measures that can be negative, for which there is no geometric mean
    signed: frozenset[str] = frozenset()
    #: counts, of which the sum over topics takes the place of the arithmetic mean
    added_up: frozenset[str] = frozenset()
    #: topics with nothing relevant, which count 0
    without_relevant: frozenset[str] = frozenset()
    #: measures of which their programs print no number there
    undefined_without_relevant: frozenset[str] = frozenset()
    intents: tuple[IntentScore, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)

    # ---- means ----------------------------------------------------------------------------------

    def mean_values(self, mean: TopicMean) -> Floats:
        """Means over topics as an array: runs x measures."""
        weight = self.topic_weights.get(str(mean))
        if mean.kind in ("dd", "weights") and weight is None:
            raise PolysemeError(
                f"no topic weights for the mean {mean}\n"
                f"  to mend it: evaluate(..., mean=[{str(mean)!r}])"
            )
        check_geometric(mean, self.signed.intersection(self.measures))
        counts = [place for place, name in enumerate(self.measures) if name in self.added_up]
        table = np.zeros((len(self.runs), len(self.measures)))
        for run, chosen in enumerate(self.entered):
            topics = int(chosen.sum()) if self.denominator is None else self.denominator
            kept = None if weight is None else weight[chosen]
            table[run] = mean.of(self.values[run, chosen], kept, topics)
            if mean.kind == "avg":
                table[run, counts] = self.values[run, chosen][:, counts].sum(axis=0)
        return table

    # ---- parts ----------------------------------------------------------------------------------

    def select(
        self,
        runs: Iterable[str] | str | None = None,
        topics: Iterable[str] | str | None = None,
        measures: Iterable[str] | str | None = None,
    ) -> Scores:
        """The scores of some runs, topics and measures, in the order asked for."""
        run = _chosen(runs, self.runs, "run")
        topic = _chosen(topics, self.topics, "topic")
        measure = _chosen(measures, self.measures, "measure")
        kept = {
            "run": {self.runs[i] for i in run},
            "topic": {self.topics[i] for i in topic},
            "measure": {self.measures[i] for i in measure},
        }
        return replace(
            self,
            runs=tuple(self.runs[i] for i in run),
            topics=tuple(self.topics[i] for i in topic),
            measures=tuple(self.measures[i] for i in measure),
            values=self.values[np.ix_(run, topic, measure)],
            entered=self.entered[np.ix_(run, topic)],
            retrieved=self.retrieved[np.ix_(run, topic)],
            extra={name: extra for name, extra in self.extra.items() if name in kept["run"]},
            topic_weights={name: w[topic] for name, w in self.topic_weights.items()},
            denominator=self.denominator if topics is None else None,
            intents=tuple(
                each
                for each in self.intents
                if each.run in kept["run"]
                and each.topic in kept["topic"]
                and each.measure in kept["measure"]
            ),
        )

    def merged(self, other: Scores, *, differing_policies: bool = False) -> Scores:
        """Both runs' scores as one; the policies must agree, unless it is said otherwise."""
        mine, theirs = self.provenance.get("policies"), other.provenance.get("policies")
        if mine != theirs and not differing_policies:
            names = sorted(
                name
                for name in {*(mine or {}), *(theirs or {})}
                if (mine or {}).get(name) != (theirs or {}).get(name)
            )
            raise PolysemeError(
                f"the scores were made under different policies ({', '.join(names)})\n"
                "  to mend it: evaluate again under one, or say differing_policies=True"
            )
        if (self.topics, self.measures) != (other.topics, other.measures):
            raise PolysemeError("the scores are of different topics or measures; select the same")
        twice = sorted(set(self.runs) & set(other.runs))
        if twice:
            raise PolysemeError(f"the run {twice[0]!r} is in both; rename one or leave it out")
        return replace(
            self,
            runs=(*self.runs, *other.runs),
            values=np.concatenate([self.values, other.values]),
            entered=np.concatenate([self.entered, other.entered]),
            retrieved=np.concatenate([self.retrieved, other.retrieved]),
            extra={**self.extra, **other.extra},
            intents=(*self.intents, *other.intents),
            provenance=dict(self.provenance)
            if mine == theirs
            else {
                **self.provenance,
                "merged": [*self.provenance.get("merged", []), dict(other.provenance)],
            },
        )

    # ---- what was averaged ----------------------------------------------------------------------

    def missing(self, run: str) -> tuple[str, ...]:
        """Topics that enter the run's mean though it retrieved nothing for them."""
        index = self.runs.index(run)
        absent = self.entered[index] & ~self.retrieved[index]
        return tuple(topic for topic, gone in zip(self.topics, absent, strict=True) if gone)

    def topic_report(self) -> list[str]:
        """Sentences that say over which topics the means are."""
        told = topics_told(
            len(self.topics),
            self.entered.sum(axis=1).tolist(),
            self.denominator,
            {run: len(self.missing(run)) for run in self.runs},
            {run: len(self.extra.get(run, ())) for run in self.runs},
        )
        return [*told, *self._remarks()]

    @property
    def barren(self) -> list[str]:
        """Topics that enter means though they have nothing relevant."""
        used = np.flatnonzero(self.entered.any(axis=0)).tolist()
        return [self.topics[n] for n in used if self.topics[n] in self.without_relevant]

    def _remarks(self) -> Iterator[str]:
        return remarks(
            [name for name in self.measures if name in self.added_up],
            [name for name in self.measures if name in self.undefined_without_relevant],
            len(self.barren),
            self.barren[:1],
        )

    # ---- rows -----------------------------------------------------------------------------------

    def topic_rows(self) -> Iterator[tuple[str, str, str, float]]:
        """(run, topic, measure, value) of the topics that enter the means."""
        for index, run in enumerate(self.runs):
            for place, topic in enumerate(self.topics):
                if self.entered[index, place]:
                    row = self.values[index, place].tolist()
                    for measure, value in zip(self.measures, row, strict=True):
                        yield run, topic, measure, value
            for topic in self.extra.get(run, ()) if self.unjudged_as_zero else ():
                for measure in self.measures:
                    yield run, topic, measure, 0.0

    def intent_rows(self) -> Iterator[tuple[str, str, str, str, float]]:
        """(run, topic, intent, measure, value), where values by intent were asked for."""
        for each in self.intents:
            yield each.run, each.topic, each.intent, each.measure, each.value

    # ---- out ------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, dict[str, dict[str, float]]]:
        """run -> measure -> topic -> value."""
        held: dict[str, dict[str, dict[str, float]]] = {
            run: {measure: {} for measure in self.measures} for run in self.runs
        }
        for run, topic, measure, value in self.topic_rows():
            held[run][measure][topic] = value
        return held

    def to_frame(self, backend: str = "pandas", *, means: bool = False) -> Any:
        """A frame (run, topic, measure, value) of pandas, polars, pyarrow, modin or duckdb."""
        rows = list(self.mean_rows() if means else self.topic_rows())
        return Table((*labels(*LONG_COLUMNS[:-1]), Column(LONG_COLUMNS[-1])), rows).to_frame(
            backend
        )

    def to_json(
        self, *, per_topic: bool = True, per_intent: bool = False, indent: int | None = None
    ) -> str:
        """The object that ``polyseme evaluate --format json`` writes."""
        return self.report(per_topic=per_topic, per_intent=per_intent).to_json(indent=indent)

    def report(self, *, per_topic: bool = False, per_intent: bool = False) -> Report:
        """Rows of means, with ``per_topic`` of topics too, or with ``per_intent`` of intents."""
        columns = INTENT_COLUMNS if per_intent else LONG_COLUMNS
        rows = self.intent_rows() if per_intent else self._rows(per_topic)
        return Report(
            data=Table((*labels(*columns[:-1]), Column(columns[-1])), rows),
            notes=(*self.topic_report(), *(self._without_intents() if per_intent else ())),
            provenance={**self.provenance, "measures": list(self.measures)},
            facts={"topics": self.topics_used()},
        )

    def _rows(self, per_topic: bool) -> Iterator[tuple[str, str, str, float]]:
        if not per_topic:
            yield from self.mean_rows()
            return
        for run in self.runs:
            one = self.select(runs=run)
            yield from one.topic_rows()
            yield from one.mean_rows()

    @property
    def measures_with_intents(self) -> list[str]:
        """Measures that have values for single intents."""
        held = {each.measure for each in self.intents}
        return [name for name in self.measures if name in held]

    def _without_intents(self) -> list[str]:
        lacking = [name for name in self.measures if name not in self.measures_with_intents]
        if len(lacking) == len(self.measures):
            raise PolysemeError(
                f"{', '.join(lacking)}: no values for single intents\n"
                "  to mend it: ask for them (per_intent) of measures that average over intents, "
                "such as ERR-IA@10 or nDCG-IA@10, or of I-rec@10"
            )
        return [f"no values for single intents: {', '.join(lacking)}"] if lacking else []

    def topics_used(self) -> dict[str, Any]:
        """Which topics the means are over: what differs between runs, run by run."""
        used = [
            [topic for topic, enters in zip(self.topics, row, strict=True) if enters]
            for row in self.entered.tolist()
        ]
        same = all(each == used[0] for each in used)
        return {
            "judged": len(self.topics),
            "used": used[0] if same else dict(zip(self.runs, used, strict=True)),
            "missing": {run: list(gone) for run in self.runs if (gone := self.missing(run))},
            "extra": {run: list(beyond) for run, beyond in self.extra.items() if beyond},
        }

    def __repr__(self) -> str:
        return (
            f"<Scores: {len(self.runs)} runs, {len(self.topics)} topics, "
            f"{len(self.measures)} measures>"
        )


def _chosen(wanted: Iterable[str] | str | None, known: tuple[str, ...], what: str) -> list[int]:
    if wanted is None:
        return list(range(len(known)))
    place: Callable[[str], int | None] = {name: i for i, name in enumerate(known)}.get
    chosen: list[int] = []
    for name in [wanted] if isinstance(wanted, str) else wanted:
        index = place(str(name))
        if index is None:
            raise PolysemeError(
                f"the scores have no {what} {str(name)!r}; {one_of(str(name), known)}"
            )
        chosen.append(index)
    return chosen
