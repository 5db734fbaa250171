"""What readers put their records into."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

from polyseme.collection.formats.report import Report
from polyseme.collection.judgments import Judged, JudgmentBuilder
from polyseme.collection.runs import Retrieved

#: how many documents of one topic are gathered before their repetition is looked at
_LONG_LIST = 1 << 18


@dataclass(frozen=True)
class Probabilities:
    """Intent probabilities by topic and intent, and the intents' types where they are given."""

    probability: dict[str, dict[str, float]]
    types: dict[str, dict[str, str]]


class ProbabilityGatherer:
    """Intent probabilities and types in any order, each given once (or twice alike)."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self.probability: dict[str, dict[str, float]] = {}
        self.types: dict[str, dict[str, str]] = {}
        self._line: dict[str, int | None] = {}

    def add(
        self,
        topic: str,
        intent: str,
        probability: float,
        line: int | None = None,
        text: str | None = None,
    ) -> None:
        """One intent's probability."""
        self._line.setdefault(topic, line)
        held = self.probability.setdefault(topic, {})
        if held.setdefault(intent, probability) != probability:
            self._report.problem(
                f"intent {intent} of topic {topic} has two probabilities: "
                f"{held[intent]:g} and {probability:g}",
                line=line,
                text=text,
                expected="one probability an intent",
                remedy="remove one of the two lines",
            )

    def add_type(
        self, topic: str, intent: str, kind: str, line: int | None, text: str | None
    ) -> None:
        """One intent's type."""
        held = self.types.setdefault(topic, {})
        if held.setdefault(intent, kind) != kind:
            self._report.problem(
                f"intent {intent} of topic {topic} has two types: {held[intent]} and {kind}",
                line=line,
                text=text,
                expected="one type an intent",
                remedy="remove one of the two lines",
            )

    def finish(self) -> Probabilities:
        """Everything gathered, each topic's sum checked."""
        for topic, given in self.probability.items():
            total = sum(given.values())
            if abs(total - 1) > 0.01 + 1e-12:
                self._report.problem(
                    f"the probabilities of topic {topic} add up to {total:.6g}",
                    line=self._line[topic],
                    expected="a sum within 0.01 of 1",
                    remedy="mend the probabilities of that topic, "
                    "or leave the topic out for uniform ones",
                )
        return Probabilities(self.probability, self.types)


class JudgmentGatherer:
    """Judgment lines in any order, and intent probabilities where the format carries them."""

    def __init__(self, report: Report) -> None:
        self._builder = JudgmentBuilder(report.path, report.tell)
        self.add = self._builder.add
        self.probabilities = ProbabilityGatherer(report)

    def finish(self) -> Judged:
        """The judgments, with the probabilities that stood among them."""
        judged = self._builder.finish()
        given = self.probabilities.finish()
        if given.probability and judged.topics:
            return judged.with_intents(given.probability)
        return judged


@dataclass
class GrowingList:
    """One topic's list while it is read."""

    documents: list[str] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    iterations: list[int] = field(default_factory=list)
    lines: array[int] = field(default_factory=lambda: array("q"))

    def append(
        self,
        document: str,
        score: float | None,
        rank: int | None,
        iteration: int | None,
        line: int,
    ) -> None:
        """One more document, with what is known of its place."""
        self.documents.append(document)
        self.lines.append(line)
        if score is not None:
            self.scores.append(score)
        if rank is not None:
            self.ranks.append(rank)
        if iteration is not None:
            self.iterations.append(iteration)

    def retrieved(self, topic: str) -> Retrieved:
        """The list as it stands; what was not read for every document was not read at all."""
        return Retrieved(
            topic,
            self.documents,
            self.scores or None,
            self.ranks or None,
            self.iterations or None,
            self.lines or None,
        )


class ListGatherer:
    """Lists by run and topic, in the order in which they are met; topics may be interleaved."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self.runs: dict[str | None, dict[str, GrowingList]] = {}
        self._looked_at: dict[tuple[str | None, str], int] = {}
        #: the one tag that all lines carry; None where any will do
        self.tag: str | None = None

    def list_of(self, topic: str, run: str | None = None) -> GrowingList:
        """Where a topic's documents go."""
        topics = self.runs.setdefault(run, {})
        found = topics.get(topic)
        if found is None:
            found = topics[topic] = GrowingList()
        return found

    def check_repetition(self) -> None:
        """Stop at lists that say the same over and over: what a decompression bomb looks like."""
        for run, topics in self.runs.items():
            for topic, growing in topics.items():
                count = len(growing.documents)
                if count < _LONG_LIST:
                    continue
                if count < 2 * self._looked_at.get((run, topic), 0):
                    continue
                self._looked_at[run, topic] = count
                if len(set(growing.documents)) * 4 < count:
                    self._report.fatal(
                        f"topic {topic} lists {count:,} documents and most of them again and again",
                        line=growing.lines[-1] if growing.lines else None,
                        expected="a document at most once in a topic's list",
                        remedy="check that the file is what you think it is",
                    )
