"""What was found out about some runs before a word is said of it: all that a report rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from polyseme.collection.teams import Teams
from polyseme.collection.topics import Topic
from polyseme.groups import Floats
from polyseme.measures.means import TopicMean
from polyseme.meta.discrimination import Discrimination
from polyseme.meta.unanimity import Unanimity
from polyseme.reporting.page.parts import Answer, Section
from polyseme.results import Result
from polyseme.reuse.coverage import Coverage, Unjudged
from polyseme.reuse.description import Description, TopicDescription
from polyseme.reuse.leave_one_out import LeaveOneOut
from polyseme.scores import Scores
from polyseme.statistics.comparison import Comparison
from polyseme.statistics.ranking import Correlations
from polyseme.tables import Report


@dataclass(frozen=True, eq=False)
class Judgments:
    """What judgments add to scores: intents, what is unjudged, and leaving out teams."""

    description: Description
    coverage: Coverage
    unjudged: Unjudged
    #: texts of topics, where a file has them
    texts: Mapping[str, Topic]
    teams: Teams
    #: were teams named, or is each run taken for one?
    teams_known: bool
    left_out: LeaveOneOut | None
    #: why no team was left out
    why_not: str = ""
    #: judged documents, and those among them that any of the runs retrieved
    judged: int = 0
    retrieved: int = 0

    @cached_property
    def topics(self) -> TopicDescription:
        """The diversity difficulty of the topics."""
        return self.description.per_topic()


@dataclass(frozen=True, eq=False)
class Assessment(Result):
    """What was found out about runs; ``save`` writes it as a page, ``report`` as sentences.

    Numbers are those of the functions and commands whose results it holds: ``comparison`` of
    ``polyseme compare``, ``leading`` of the same with a baseline, ``correlations`` of
    ``correlate``, ``powers`` of ``discriminate``, ``unanimity`` of ``unanimity``, and in
    ``judgments`` those of ``describe`` and ``loo``.
    """

    title: str
    #: the measure that decides
    by: str
    scores: Scores
    #: intent recall and relevance of the runs, where they are known
    balance: Scores | None
    #: None where there is only one run
    comparison: Comparison | None
    #: the best run against each other one, by the deciding measure
    leading: Comparison | None
    #: the same by intent recall and by relevance
    leading_by_axis: tuple[Comparison, ...]
    powers: Discrimination | None
    #: None where there are not two runs and two measures
    correlations: Correlations | None
    unanimity: Unanimity | None
    seed: int
    trials: int
    level: float
    #: None where only scores were given
    judgments: Judgments | None = None
    warnings: tuple[str, ...] = ()
    #: names as the files have them, where the page shows others
    renamed: Mapping[str, str] = field(default_factory=dict)
    #: what was said of teams and pools
    said: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def means(self) -> Floats:
        """Means over topics: runs x measures."""
        return self.scores.mean_values(TopicMean())

    @cached_property
    def order(self) -> list[int]:
        """Places of the runs, the best one by the deciding measure first."""
        return [int(n) for n in np.argsort(-self.means[:, self.place], kind="stable")]

    @property
    def place(self) -> int:
        return self.scores.measures.index(self.by)

    @property
    def best(self) -> str:
        return self.scores.runs[self.order[0]]

    @property
    def topics(self) -> int:
        """Over how many topics means are, at most."""
        return int(self.scores.entered.sum(axis=1).max())

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The page's sections, one for each of the five questions."""
        from polyseme.reporting.page.sections import sections

        return sections(self)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers to the five questions: short, in sentences, and with what to mind."""
        return tuple(section.answer for section in self.sections)

    def report(self) -> Report:
        """The answers as a table."""
        from polyseme.reporting.page.sections import report_of_answers

        return report_of_answers(self)

    def to_html(self) -> str:
        """The page: one file that needs nothing else."""
        from polyseme.reporting.page.rendering import page

        return page(self)

    def save(self, path: Any) -> None:
        """Write the page to a file, whole or not at all."""
        from polyseme.atomic import write_atomically

        text = self.to_html()
        with write_atomically(path) as stream:
            stream.write(text)
