"""Finding out about runs all that a report tells: scores, tests, intents, teams, measures."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from polyseme.averaging import chosen_topics
from polyseme.collection.reading import read_topics
from polyseme.collection.teams import Teams, teams_by_name, teams_of
from polyseme.collection.topics import Topic
from polyseme.dialects import NATIVE
from polyseme.errors import PolysemeError, PolysemeWarning
from polyseme.evaluation import (
    Measures,
    Prepared,
    prepared,
    provenance,
    score_gathered,
    wanted,
    weight_files,
)
from polyseme.gathering import Gathered, gathered
from polyseme.measures.catalogue import Catalogue
from polyseme.measures.means import TopicMean
from polyseme.measures.measure import Measure
from polyseme.measures.sets import CATALOGUE, parse
from polyseme.meta.discrimination import powers_of
from polyseme.meta.unanimity import unanimity
from polyseme.reporting.page.assessment import Assessment, Judgments
from polyseme.reporting.page.parts import readable
from polyseme.reuse.coverage import coverage, unjudged
from polyseme.reuse.description import Description
from polyseme.reuse.leave_one_out import leave_each_out
from polyseme.scores import Scores
from polyseme.scoring import Scorer, warn_of_measures
from polyseme.statistics.comparison import Comparison, compare
from polyseme.statistics.ranking import completed, correlate
from polyseme.statistics.significance import Missing

#: what is computed where no measure is named: the first one decides
USUAL_MEASURES = "D#-nDCG@10 I-rec@10 D-nDCG@10 alpha-nDCG@10 ERR-IA@10 nDCG-IA@10 RBU@10"
TITLE = "How good are these runs?"
#: how deep lists are looked into where the deciding measure reads them whole
USUAL_CUTOFF = 10

Progress = Callable[[str], None]


def assess(
    judgments: Any,
    runs: Any,
    measures: Measures | None = None,
    *,
    by: str | None = None,
    teams: Any = None,
    team_until: str | None = None,
    depth: Any = None,
    trials: int = 10_000,
    seed: int = 0,
    level: float = 0.05,
    correction: Literal["plus1"] | None = None,
    missing: Missing | None = None,
    title: str | None = None,
    catalogue: Catalogue = CATALOGUE,
    jobs: int = 1,
    progress: Progress | None = None,
    **policies: Any,
) -> Assessment:
    """Find out what a report on runs tells.

    ``by`` is the measure that decides (None: the first one). ``teams`` is a CSV file or
    ``{run: team}``; with ``team_until`` a team is what stands before that text in a run's name;
    without both each run counts as a team. ``depth`` is that of the pool. ``policies`` are the
    arguments of :func:`polyseme.evaluate` that choose them.
    """
    step = progress or _silent
    with _noted() as noted:
        made = prepared(judgments, runs, **policies)
        usual = USUAL_MEASURES if made.dialect == NATIVE else made.dialect.measures
        chosen = wanted(usual if measures is None else measures, catalogue)
        first = chosen[0] if by is None else wanted(by, catalogue)[0]
        chosen = tuple(dict.fromkeys([*chosen, first]))
        axes = axes_of(chosen, first)
        asked = tuple(dict.fromkeys([*chosen, *axes]))
        held = gathered(made.judged, made.runs, made.policies, jobs, step)
        owners = _owners(teams, team_until, held.names)
        made, held, owners, renamed = _readable(made, held, owners)
        warn_of_measures(made.judged.only_relevant, asked)
        step("scores")
        scorer = Scorer(made.judged, asked, made.policies, weight_files(asked))
        scored = score_gathered(scorer, held, chosen_topics(made.judged, made.only_topics))
        origin = provenance(made.policies, made.dialect, made.only_topics, (TopicMean(),))
        scored = replace(scored, provenance=origin)
        known = teams is not None or team_until is not None
        path = policies.get("topics_xml")
        texts = {} if path is None else read_topics(path)
        found = _judgments(made, held, scorer, scored, owners, chosen, first, depth, known, texts)
        step("tests")
        testing = _Testing(trials, seed, level, correction, missing, jobs)
        return replace(
            testing.assessed(
                scored.select(measures=[str(measure) for measure in chosen]),
                str(first),
                scored.select(measures=[str(axis) for axis in axes]),
            ),
            title=title or TITLE,
            judgments=found,
            warnings=_sentences(noted),
            renamed=renamed,
            said={"teams": teams, "team_until": team_until, "depth": depth},
        )


def assess_scores(
    scores: Scores,
    *,
    by: str | None = None,
    trials: int = 10_000,
    seed: int = 0,
    level: float = 0.05,
    correction: Literal["plus1"] | None = None,
    missing: Missing | None = None,
    title: str | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Assessment:
    """The same from scores alone: nothing can be said of intents, unjudged documents and teams."""
    step = progress or _silent
    with _noted() as noted:
        first = scores.measures[0] if by is None else scores.select(measures=by).measures[0]
        runs, topics = readable(scores.runs), readable(scores.topics)
        renamed = _renamed([*scores.runs, *scores.topics], [*runs, *topics])
        measures = readable(scores.measures)
        names = dict(zip(scores.measures, measures, strict=True))
        first = names[first]
        extra = zip(scores.runs, runs, strict=True)
        seen = replace(
            scores,
            runs=runs,
            topics=topics,
            measures=measures,
            signed=frozenset(names[name] for name in scores.signed if name in names),
            extra={new: scores.extra.get(old, ()) for old, new in extra},
        )
        across = next((name for name in seen.measures if name.startswith("I-rec")), None)
        up = next((name for name in seen.measures if name.startswith("D-")), None)
        axes = None if across is None or up is None else seen.select(measures=[across, up])
        step("tests")
        testing = _Testing(trials, seed, level, correction, missing, jobs)
        return replace(
            testing.assessed(seen, first, axes),
            title=title or TITLE,
            warnings=_sentences(noted),
            renamed=renamed,
        )


@dataclass(frozen=True)
class _Testing:
    """How differences are tested."""

    trials: int
    seed: int
    level: float
    correction: Literal["plus1"] | None
    missing: Missing | None
    jobs: int

    def assessed(self, scores: Scores, by: str, balance: Scores | None) -> Assessment:
        """All that follows from scores."""
        held = completed(scores, self.missing)
        several = len(held.runs) > 1
        ranked = several and len(held.measures) > 1
        comparison = self._compared(held) if several else None
        return Assessment(
            title=TITLE,
            by=by,
            scores=scores if self.missing is None else held,
            balance=None if balance is None else completed(balance, self.missing),
            comparison=comparison,
            leading=self._led(held, by) if several else None,
            leading_by_axis=self._led_by_each(balance) if several else (),
            powers=None if comparison is None else powers_of(comparison),
            correlations=correlate(held) if ranked else None,
            unanimity=unanimity(held) if ranked else None,
            seed=self.seed,
            trials=self.trials,
            level=self.level,
        )

    def _led_by_each(self, balance: Scores | None) -> tuple[Comparison, ...]:
        if balance is None:
            return ()
        held = completed(balance, self.missing)
        return tuple(self._led(held, axis) for axis in held.measures)

    def _led(self, scores: Scores, by: str) -> Comparison:
        """The best run tested against each other one, whatever runs there are besides."""
        one = scores.select(measures=by)
        return compare(
            one,
            test="sign-flip",
            baseline=one.runs[int(np.argmax(one.mean_values(TopicMean())[:, 0]))],
            trials=self.trials,
            seed=self.seed,
            level=self.level,
            jobs=self.jobs,
        )

    def _compared(self, scores: Scores) -> Comparison:
        return compare(
            scores,
            trials=self.trials,
            seed=self.seed,
            level=self.level,
            correction=self.correction,
            jobs=self.jobs,
        )


def _judgments(
    made: Prepared,
    held: Gathered,
    scorer: Scorer,
    scored: Scores,
    owners: Teams,
    chosen: Sequence[Measure],
    first: Measure,
    depth: Any,
    teams_known: bool,
    texts: Mapping[str, Topic],
) -> Judgments:
    relevance = scorer.command_relevance
    used = chosen_topics(made.judged, made.only_topics) & (relevance.relevant_in > 0)
    cutoff = first.depth or USUAL_CUTOFF
    ranks = tuple(sorted({5, cutoff, 20}))
    left_out, why_not = None, ""
    if len(owners.names) < 2:
        only = "there is only one run" if len(held.names) == 1 else "all runs are of one team"
        why_not = f"{only}, so that nobody else's documents are left to judge it by"
    else:
        try:
            left_out = leave_each_out(
                made,
                held,
                [measure for measure in chosen if not measure.view],
                teams=owners,
                depth=depth,
                views=("raw", "condensed"),
                best_by=first,
            )
        except PolysemeError as error:
            why_not = str(error).partition("\n")[0]
    seen = np.zeros(len(made.judged.documents), dtype=np.bool_)
    seen[held.lists.row[held.lists.row >= 0]] = True
    return Judgments(
        description=Description(relevance),
        coverage=coverage(held, relevance, used, cutoff),
        unjudged=unjudged(held, relevance, used, ranks),
        texts=texts,
        teams=owners,
        teams_known=teams_known,
        left_out=left_out,
        why_not=why_not,
        judged=len(seen),
        retrieved=int(seen.sum()),
    )


def axes_of(chosen: Sequence[Measure], first: Measure) -> tuple[Measure, Measure]:
    """Intent recall and a measure of relevance: the halves of a D#-measure that decides.

    Otherwise they are those that were named, else the usual ones at the same cutoff.
    """
    cutoff, primes = first.cutoff, first.primes
    if first.name.startswith("D#-") and first.name != "D#-cascade":
        kept = {name: value for name, value in first.parameters if name != "gamma"}
        half = parse(first.name.replace("#", "") + "@1").family(cutoff, primes=primes, **kept)
        return parse("I-rec").family(cutoff, primes=primes), half
    deep = first.depth or USUAL_CUTOFF
    across = [each for each in chosen if each.name == "I-rec"]
    up = [each for each in chosen if each.name.startswith("D-")]
    return (
        (across or [parse(f"I-rec@{deep}")])[0],
        (up or [parse(f"D-nDCG@{deep}")])[0],
    )


def _owners(teams: Any, until: str | None, runs: Sequence[str]) -> Teams:
    if teams is not None and until is not None:
        raise PolysemeError("take teams from a file or from the names of runs, not from both")
    return teams_of(teams, runs) if until is None else teams_by_name(runs, until)


def _readable(
    made: Prepared, held: Gathered, owners: Teams
) -> tuple[Prepared, Gathered, Teams, dict[str, str]]:
    """All names as a page can show them, and which are others than in the files."""
    runs, topics = readable(held.names), readable(made.judged.topics)
    teams = dict(zip(owners.names, readable(owners.names), strict=True))
    renamed = _renamed([*held.names, *made.judged.topics], [*runs, *topics])
    names = dict(zip(held.names, runs, strict=True))
    place = dict(zip(made.judged.topics, topics, strict=True))
    only = made.only_topics
    return (
        replace(
            made,
            judged=replace(made.judged, topics=topics),
            only_topics=None if only is None else [place.get(topic, topic) for topic in only],
        ),
        replace(
            held,
            names=runs,
            extra={names[run]: readable(extra) for run, extra in held.extra.items()},
        ),
        Teams({names[run]: teams[team] for run, team in owners.of_run.items()}),
        renamed,
    )


def _renamed(before: Sequence[str], after: Sequence[str]) -> dict[str, str]:
    return {new: old for old, new in zip(before, after, strict=True) if old != new}


@contextmanager
def _noted() -> Iterator[list[warnings.WarningMessage]]:
    """What is warned of meanwhile; afterwards it is warned of as ever."""
    held: list[warnings.WarningMessage] = []
    try:
        with warnings.catch_warnings(record=True) as held:
            warnings.simplefilter("always", PolysemeWarning)
            yield held
    finally:
        for each in held:
            warnings.warn(each.message, each.category, stacklevel=4)


def _sentences(noted: Sequence[warnings.WarningMessage]) -> tuple[str, ...]:
    """What polyseme warned of, each once."""
    said = [
        " ".join(str(each.message).split())
        for each in noted
        if issubclass(each.category, PolysemeWarning)
    ]
    return tuple(dict.fromkeys(said))


def _silent(name: str) -> None:
    return None
