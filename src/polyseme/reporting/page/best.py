"""Which run is best, and is that real?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from polyseme.reporting.figures import figure
from polyseme.reporting.page.assessment import Assessment
from polyseme.reporting.page.parts import Answer, Block, Cell, Grid, Head, Section, listed
from polyseme.reporting.page.pictures import picture
from polyseme.reporting.page.words import (
    decimals,
    effect_in_words,
    p_in_words,
    p_value,
    plural,
    sentence,
)
from polyseme.statistics.comparison import Comparison

QUESTION = "Which run is best, and is that real?"
#: more unjudged documents than the best run has, as a share of the top, are worth a word
UNJUDGED = 0.1
#: more lines than this cross each other
MOST_LINES = 7


def best_section(found: Assessment) -> Section:
    """Means with intervals, groups, effects, and what may be concluded."""
    compared, leading = found.comparison, found.leading
    if compared is None or leading is None:
        return Section(_alone(found), (_leaderboard(found),), _commands(found))
    answer = _answer(found, compared, leading)
    blocks: list[Block] = [
        _leaderboard(found),
        picture(figure(compared, "means", measure=found.by), "figure-means"),
    ]
    if len(found.scores.measures) > 1:
        shown = [found.by, *(name for name in found.scores.measures if name != found.by)]
        lines = found.scores.select(measures=shown[:MOST_LINES])
        blocks += [
            _winners(found, compared),
            picture(figure(lines, "rankings"), "figure-rankings"),
        ]
    blocks.append(_pairs(found, compared))
    return Section(answer, tuple(blocks), _commands(found))


def _commands(found: Assessment) -> tuple[str, ...]:
    names = " ".join(found.scores.measures)
    scored = f'polyseme evaluate -m "{names}"'
    if found.comparison is None:
        return (scored,)
    chance = f"--trials {found.trials} --seed {found.seed}"
    return (
        scored,
        f'polyseme compare -m "{found.by}" --test sign-flip --baseline {found.best} {chance}',
        f'polyseme compare -m "{names}" {chance}',
    )


def _alone(found: Assessment) -> Answer:
    mean = found.means[0, found.place]
    return Answer(
        "best",
        QUESTION,
        f"There is only one run, {found.best}, so that nothing can be said of better or worse.",
        (
            f"Its mean {found.by} is {decimals(mean)} over {plural(found.topics, 'topic')}.",
            "A number like this means little by itself: what is high depends on the topics and "
            "on how many documents were judged. Give other runs of the same topics to compare.",
        ),
        summary=(f"Its mean {found.by} is {decimals(mean)}.",),
    )


class _Standing:
    """What a test says of the best run."""

    def __init__(self, found: Assessment, compared: Comparison, measure: str) -> None:
        self.place = compared.measures.index(measure)
        means = compared.means[self.place]
        self.order = [int(n) for n in np.argsort(-means, kind="stable")]
        self.means = means
        best = self.order[0]
        self.of_pair = {
            (b if a == best else a): (pair, 1.0 if a == best else -1.0)
            for pair, (a, b) in enumerate(compared.pairs)
            if best in (a, b)
        }
        self.compared = compared
        self.alike = [run for run in self.order[1:] if not self._p(run) < compared.level]
        self.worse = [run for run in self.order[1:] if self._p(run) < compared.level]

    def _p(self, run: int) -> float:
        return float(self.compared.p[self.place, self.of_pair[run][0]])

    def of(self, run: int) -> tuple[float, float, float]:
        """How far a run is behind the best one: difference, effect and p."""
        pair, sign = self.of_pair[run]
        difference = float(self.compared.difference[self.place, pair]) * sign
        effect = float(self.compared.effect[self.place, pair]) * sign
        return difference, effect, self._p(run)


def _answer(found: Assessment, compared: Comparison, leading: Comparison) -> Answer:
    standing = _Standing(found, leading, found.by)
    runs, best = compared.runs, compared.runs[standing.order[0]]
    alike = [runs[run] for run in standing.alike]
    others = len(runs) - 1
    if float(np.ptp(standing.means)) == 0:
        short = f"All {len(runs)} runs have the same mean {found.by}."
    elif not alike:
        short = f"{best} is best by {found.by}: it is significantly better than " + (
            f"the other run, {runs[standing.order[1]]}." if others == 1 else "every other run."
        )
    elif len(alike) == others:
        short = (
            f"{best} has the highest mean {found.by}, but a paired test cannot tell it from "
            + ("the other run" if others == 1 else f"any of the {others} others")
            + ": do not call it the best."
        )
    else:
        short = (
            f"{best} has the highest mean {found.by} and is significantly better than "
            f"{len(standing.worse)} of {others} others, but a paired test cannot tell it from "
            f"{plural(len(alike), 'run')}: {listed(alike, 3)}."
        )
    sentences = tuple(_sentences(found, compared, leading, standing))
    lacking = tuple(_about_topics(found))
    hedges = tuple(_hedges(found, compared, leading))
    return Answer(
        "best",
        QUESTION,
        short,
        (*lacking, *sentences),
        hedges,
        (*lacking[:1], *sentences[:2]),
    )


def _about_topics(found: Assessment) -> Iterator[str]:
    """Runs without some topics are easily beaten there."""
    scores = found.scores
    absent = {run: len(scores.missing(run)) for run in scores.runs}
    lacking = [run for run, number in absent.items() if number]
    if not lacking:
        return
    most = max(lacking, key=absent.__getitem__)
    mine = absent[found.best]
    yield (
        f"Beware: {len(lacking)} of {plural(len(scores.runs), 'run')} "
        f"{'lacks' if len(lacking) == 1 else 'lack'} topics, and a topic that is lacking counts 0 "
        f"(most: {most}, {plural(absent[most], 'topic')}; {found.best}: {mine or 'none'})."
    )
    yield (
        "A run may have been made for fewer topics. To compare on those that all runs have, name "
        "them with --only-topics."
    )


def _sentences(
    found: Assessment, compared: Comparison, leading: Comparison, standing: _Standing
) -> Iterator[str]:
    runs, best, second = compared.runs, standing.order[0], standing.order[1]
    mean, half = float(standing.means[best]), float(leading.half[standing.place, best])
    interval = (
        f" (95% interval {decimals(mean - half)} to {decimals(mean + half)})"
        if half == half
        else ""
    )
    difference, effect, p = standing.of(second)
    yield (
        f"{runs[best]} has a mean {found.by} of {decimals(mean)}{interval} over "
        f"{plural(compared.topics, 'topic')}; {runs[second]} comes next, {decimals(difference)} "
        f"lower ({effect_in_words(effect)}; {p_in_words(p, leading.trials)})."
    )
    if len(standing.worse) == len(runs) - 1:
        if len(runs) > 2:
            yield f"All {len(standing.worse)} others are significantly worse."
    elif standing.worse:
        nearest = standing.worse[0]
        gap, size, chance = standing.of(nearest)
        yield (
            f"{len(standing.worse)} of the {plural(len(runs) - 1, 'other')} "
            f"{'is' if len(standing.worse) == 1 else 'are'} significantly worse; the nearest of "
            f"these is {runs[nearest]}, {decimals(gap)} lower ({effect_in_words(size)}; "
            f"{p_in_words(chance, leading.trials)})."
        )
    else:
        yield "No other run is significantly worse."
    if len(runs) > 2:
        yield _by_all_pairs(found, compared)
    powers = found.powers
    if powers is not None:
        power = powers.of(found.by)
        if power.significant:
            yield (
                f"By the test of all pairs of these {len(runs)} runs, the smallest difference of "
                f"mean {found.by} that is significant with {plural(compared.topics, 'topic')} is "
                f"{decimals(power.min_delta)}: smaller differences are not shown by this test."
            )
        else:
            yield (
                f"No difference between any two of the runs is significant by {found.by}: "
                f"{plural(compared.topics, 'topic')} cannot rank them."
            )
    if len(compared.measures) > 1:
        yield _by_others(found, compared)


def _by_all_pairs(found: Assessment, compared: Comparison) -> str:
    """What the stricter test says of the best run."""
    every = _Standing(found, compared, found.by)
    told = "none" if not every.worse else f"{len(every.worse)}"
    return (
        f"The test of all {plural(len(compared.pairs), 'pair')} at once, on which the groups and "
        f"the table of pairs rest, tells {compared.runs[every.order[0]]} from {told} of the "
        f"{len(every.order) - 1} others. It is strict, and hangs on which runs are included: poor "
        "runs among them make it harder for good ones to be told apart."
    )


def _by_others(found: Assessment, compared: Comparison) -> str:
    """Whether other measures put the same run first."""
    others = [name for name in compared.measures if name != found.by]
    firsts = {name: compared.runs[_Standing(found, compared, name).order[0]] for name in others}
    same = [name for name in others if firsts[name] == found.best]
    if len(same) == len(others):
        return f"All other measures have {found.best} first too."
    differing = [f"{firsts[name]} by {name}" for name in others if firsts[name] != found.best]
    return (
        f"{len(same)} of the {plural(len(others), 'other measure')} have {found.best} first; "
        f"elsewhere the first is {listed(differing, 3)}. Whether that is more than chance is in "
        "the table of measures below."
    )


def _hedges(found: Assessment, compared: Comparison, leading: Comparison) -> Iterator[str]:
    yield (
        "That two runs cannot be told apart does not mean that they are equally good: with more "
        "topics a difference might show."
    )
    yield (
        f"The best run was tested against each other one by random swaps of their scores, topic "
        f"by topic ({leading.trials:,} of them, Holm's correction for "
        f"{plural(len(leading.pairs), 'test')}). But it was chosen by looking at the same scores, "
        "so that this test is a little too ready to call it better."
    )
    yield (
        f"The tests (the other one is randomised Tukey HSD of all pairs, {compared.trials:,} "
        f"permutations; both at {compared.level:.0%}) allow for the number of runs, not for the "
        "number of measures: choose the measure before looking, or a lucky one will be found."
    )
    yield (
        "An interval is of one run's mean by itself: if topics like these were drawn again and "
        "again, 95% of such intervals would hold the true mean. Intervals of two runs may "
        "overlap although the runs differ, since both have the same easy and hard topics."
    )
    yield from _about_unjudged(found)
    yield (
        "Significant is not important: look at the effect size, in sentences the difference in "
        "standard deviations of the topics' differences, in tables of all pairs in those of what "
        "neither runs nor topics explain."
    )
    if compared.topics < 25:
        yield (
            f"{plural(compared.topics, 'topic')} {'is' if compared.topics == 1 else 'are'} few: "
            "what holds here may not hold for other topics."
        )


def _about_unjudged(found: Assessment) -> Iterator[str]:
    """Whether runs may look worse than they are for want of judgments."""
    judgments = found.judgments
    if judgments is None:
        return
    cutoff = judgments.coverage.cutoff
    rates = judgments.unjudged.rates[:, judgments.unjudged.cutoffs.index(cutoff)]
    best, most = found.order[0], int(np.nanargmax(rates)) if np.isfinite(rates).any() else 0
    if rates[most] - rates[best] > UNJUDGED:
        yield (
            f"Runs may look worse than they are: {rates[most]:.0%} of the top {cutoff} of "
            f"{judgments.unjudged.runs[most]} is unjudged, of {found.best} {rates[best]:.0%}; what "
            "nobody judged counts as non-relevant."
        )


def _leaderboard(found: Assessment) -> Grid:
    compared = found.comparison
    standing = None if compared is None else _Standing(found, compared, found.by)
    leading = None if found.leading is None else _Standing(found, found.leading, found.by)
    letters = {} if compared is None else compared.letters(found.by)
    teams = found.judgments.teams.of_run if found.judgments and found.judgments.teams_known else {}
    others = [n for n, name in enumerate(found.scores.measures) if name != found.by]
    heads = [Head("run", number=False), Head("rank", meaning="1 is the best; ties share a rank")]
    if teams:
        heads.insert(1, Head("team", number=False))
    heads.append(Head(f"mean {found.by}", meaning="mean over topics"))
    if compared is not None:
        heads += [
            Head("from", meaning="low end of the mean's 95% interval"),
            Head("to", meaning="high end of the mean's 95% interval"),
            Head(
                "group",
                number=False,
                meaning="runs that share a letter cannot be told apart by the test of all pairs",
            ),
            Head("behind best", meaning="the best run's mean less this one's"),
            Head(
                "p of the two",
                meaning="how often chance makes a difference as large between this run and the "
                "best, with Holm's correction for all runs that are held against the best",
            ),
            Head("effect", meaning="that difference in standard deviations of the rest"),
            Head("p", meaning="how often chance makes a difference as large between any two runs"),
        ]
    heads += [Head(found.scores.measures[n], subject="measure") for n in others]
    top = found.means.max(axis=0).round(4)
    rows = []
    ranks = _ranks(found)
    for run in found.order:
        name, mean = found.scores.runs[run], float(found.means[run, found.place])
        cells = [Cell(name, subject="run"), Cell(str(ranks[run]))]
        if teams:
            cells.insert(1, Cell(teams[name]))
        cells.append(Cell(decimals(mean), best=round(mean, 4) == top[found.place]))
        if compared is not None and standing is not None and leading is not None:
            middle, half = standing.means[run], compared.half[standing.place, run]
            cells += [Cell(decimals(middle - half)), Cell(decimals(middle + half))]
            cells.append(Cell(letters[name]))
            cells += _behind(standing, leading, run)
        cells += [
            Cell(
                decimals(float(found.means[run, n])),
                best=round(float(found.means[run, n]), 4) == top[n],
            )
            for n in others
        ]
        rows.append(tuple(cells))
    notes = ["The best of each column is bold.", *map(sentence, found.scores.topic_report())]
    return Grid(
        "leaderboard",
        f"Runs by {found.by}",
        tuple(heads),
        tuple(rows),
        about="run",
        home=True,
        notes=tuple(notes),
    )


def _ranks(found: Assessment) -> list[int]:
    from polyseme.reuse.best_runs import competition_ranks

    ranks: list[int] = competition_ranks(found.means)[:, found.place].tolist()
    return ranks


def _behind(standing: _Standing, leading: _Standing, run: int) -> list[Cell]:
    if run == standing.order[0]:
        return [Cell("–")] * 4
    difference, effect, p = standing.of(run)
    alone = leading.of(run)[2]
    return [
        Cell(decimals(difference)),
        Cell(p_value(alone, leading.compared.trials), order=alone),
        Cell(decimals(effect)),
        Cell(p_value(p, standing.compared.trials), order=p),
    ]


def _winners(found: Assessment, compared: Comparison) -> Grid:
    rows = []
    for name in compared.measures:
        standing = _Standing(found, compared, name)
        best = standing.order[0]
        alike = [compared.runs[run] for run in standing.alike]
        rows.append(
            (
                Cell(name, subject="measure"),
                Cell(compared.runs[best], subject="run"),
                Cell(decimals(float(standing.means[best]))),
                Cell(str(len(alike))),
                Cell(listed(alike, 4) or "none"),
            )
        )
    return Grid(
        "winners",
        "The best run by each measure, and runs that the test of all pairs cannot tell from it",
        (
            Head("measure", number=False),
            Head("best run", number=False),
            Head("mean"),
            Head("not told apart", meaning="runs that do not differ significantly from the best"),
            Head("which, the best first", number=False),
        ),
        tuple(rows),
        about="measure",
    )


def _pairs(found: Assessment, compared: Comparison) -> Grid:
    place = compared.measures.index(found.by)
    rows = []
    for pair, (a, b) in enumerate(compared.pairs):
        p = float(compared.p[place, pair])
        rows.append(
            (
                Cell(compared.runs[a], subject="run"),
                Cell(compared.runs[b], subject="run"),
                Cell(decimals(float(compared.difference[place, pair]))),
                Cell(decimals(float(compared.effect[place, pair]))),
                Cell(p_value(p, compared.trials), order=p),
                Cell("yes" if p < compared.level else "no"),
            )
        )
    return Grid(
        "pairs",
        f"All {len(rows):,} pairs of runs by {found.by}",
        (
            Head("a", number=False),
            Head("b", number=False),
            Head("difference", meaning="mean of a less mean of b"),
            Head("effect"),
            Head("p"),
            Head("significant", number=False),
        ),
        tuple(rows),
        about="run",
        notes=_meanings(compared),
        folded=True,
    )


def _meanings(compared: Comparison) -> tuple[str, ...]:
    return tuple(map(sentence, compared.report().notes[:3]))
