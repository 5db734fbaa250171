"""Scoring runs anew with judgments that lack some documents, and only what that changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from polyseme.averaging import chosen_topics
from polyseme.collection.lists import Lists, joined
from polyseme.errors import PolysemeError
from polyseme.evaluation import Known, Prepared, score_gathered, weight_files
from polyseme.gathering import Gathered
from polyseme.groups import Bools, Ints, counts
from polyseme.measures.measure import Measure
from polyseme.scores import Scores
from polyseme.scoring import Scorer


@dataclass(frozen=True, eq=False)
class Rescoring:
    """Runs to be scored with all judgments, and without those that only one owner has.

    Where relevant documents are lost, ideal lists change and with them all scores of the topic.
    Where only non-relevant ones are, other views change of the lists that hold them.
    """

    made: Prepared
    measures: tuple[Measure, ...]
    runs: Gathered
    #: of each judged document: a number, or -1 if it is never lost
    owner: Ints

    @cached_property
    def full(self) -> Scores:
        """Scores with all judgments."""
        return score_gathered(self._whole, self._shallow, self._chosen)

    @cached_property
    def relevant(self) -> Bools:
        """Documents that are relevant under the policies."""
        judged = self.made.judged
        bar = self.made.policies.rules.relevant_from
        return counts(judged.row_of_line[judged.line_grade >= bar], len(judged.documents)) > 0

    def without_each(self, owners: Mapping[str, int]) -> list[Scores]:
        """Scores without the documents of each owner, who is named in errors."""
        scores: list[Scores] = []
        touched: list[Lists] = []
        for name, number in owners.items():
            gone = self.owner == number
            if not (self._topics_of(self.relevant & ~gone) & self._chosen).any():
                raise PolysemeError(
                    f"without what only {name} contributed no topic has a relevant document\n"
                    "  to mend it: check --teams and --depth, or leave out the team's runs"
                )
            lost = self._topics_of(gone & self._gaining)
            scores.append(self._where_lost(gone, lost))
            touched.append(self._touched(gone, lost))
        # ideals stay there, so one scorer does for all
        sizes = np.cumsum([len(lists) for lists in touched])[:-1]
        values = np.split(self._whole.score(joined(touched)), sizes) if touched else []
        for place, (lists, found) in enumerate(zip(touched, values, strict=True)):
            if len(lists):
                changed = scores[place].values.copy()
                changed[lists.run, lists.topic] = found
                scores[place] = replace(scores[place], values=changed)
        return scores

    def _where_lost(self, gone: Bools, lost: Bools) -> Scores:
        """Scores of topics that lose relevant documents; all other topics' stay."""
        if not lost.any():
            return self.full
        scorer = self._scorer(gone | ~lost[self.made.judged.topic_of_row])
        return score_gathered(scorer, self._shallow, self._chosen, known=Known(self.full, lost))

    def _touched(self, gone: Bools, lost: Bools) -> Lists:
        """Lists of the other topics that hold documents which are gone, without these."""
        lists = self._shallow.lists
        hit = (lists.row >= 0) & gone[lists.row]
        chosen = counts(lists.list_of_hit[hit], len(lists)) > 0
        chosen &= (self._topics_of(self.relevant) & ~lost)[lists.topic]
        return lists.part(chosen).known_to(~gone)

    # ---- what is the same for all ---------------------------------------------------------------

    @cached_property
    def _chosen(self) -> Bools:
        return chosen_topics(self.made.judged, self.made.only_topics)

    @cached_property
    def _weights(self) -> Mapping[str, Any]:
        return weight_files(self.measures)

    def _scorer(self, without: Bools | None = None) -> Scorer:
        made = self.made
        return Scorer(made.judged, self.measures, made.policies, self._weights, without=without)

    @cached_property
    def _whole(self) -> Scorer:
        return self._scorer()

    @cached_property
    def _gaining(self) -> Bools:
        """Documents that any measure may find relevant, whatever its own rules."""
        judged = self.made.judged
        lines = counts(judged.row_of_line[judged.line_grade > 0], len(judged.documents))
        adhoc = judged.adhoc
        return (lines > 0) | (False if adhoc is None else adhoc.grade > 0)

    def _topics_of(self, rows: Bools) -> Bools:
        """Topics that have any of some documents."""
        judged = self.made.judged
        return counts(judged.topic_of_row[rows], len(judged.topics)) > 0

    @cached_property
    def _shallow(self) -> Gathered:
        """The lists as far as any measure can read them, whichever documents are gone."""
        lists = self.runs.lists
        depths = [measure.depth for measure in self.measures]
        rules = [measure.keeps.rules or self.made.policies.rules for measure in self.measures]
        if None in depths or self.made.judged.adhoc is not None:
            return self.runs
        if not all(each.negative_is_judged for each in rules):
            return self.runs
        # what a condensed list loses is made up for from below
        owner = np.where(lists.row >= 0, self.owner[lists.row], -1)
        size = int(self.owner.max(initial=-1)) + 2
        lost = counts(lists.list_of_hit * size + owner + 1, len(lists) * size)
        most = lost.reshape(len(lists), size)[:, 1:].max(axis=1, initial=0)
        deepest = max(depth for depth in depths if depth is not None)
        place = np.arange(len(lists.rank)) - lists.hit_start[:-1][lists.list_of_hit] + 1
        kept = place <= (deepest + most)[lists.list_of_hit]
        return replace(self.runs, lists=lists.keep_hits(kept))
