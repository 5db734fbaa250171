"""Are runs relevant or diverse?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from polyseme.errors import PolysemeError
from polyseme.groups import Floats
from polyseme.measures.means import TopicMean
from polyseme.measures.sets import parse
from polyseme.reporting.figures import figure
from polyseme.reporting.page.assessment import Assessment
from polyseme.reporting.page.parts import Answer, Cell, Grid, Head, Section, listed
from polyseme.reporting.page.pictures import picture
from polyseme.reporting.page.words import decimals, interval, plural, short
from polyseme.reuse.best_runs import competition_ranks
from polyseme.scores import Scores
from polyseme.statistics.correlation import TIED, Correlation, correlation

QUESTION = "Are the runs relevant, or diverse, or both?"
#: fewer do not say whether relevance and diversity go together
FEWEST_RUNS = 5
#: ranks apart in the two orders from which a run is said to lean, at least this share of the runs
LEANING = 0.15
#: a part whose spread over the runs counts so many times that of the other drives a mixture
DRIVING = 1.5


def balance_section(found: Assessment) -> Section:
    """Runs by intent recall and relevance."""
    scores = found.balance
    if scores is None:
        return Section(
            Answer(
                "balance",
                QUESTION,
                "This cannot be told: the scores hold no intent recall (I-rec) beside a measure "
                "of relevance (such as D-nDCG).",
                hedges=("Give judgments and runs, or scores of both measures.",),
            )
        )
    view = _Balance(found, scores)
    drawn = figure(scores, "scatter", gamma=view.gamma)
    name = f'-m "{view.across} {view.up}"'
    return Section(
        view.answer(),
        (picture(drawn, "figure-scatter"), view.grid()),
        (f"polyseme evaluate {name}", f"polyseme plot scatter {name}"),
    )


class _Balance:
    """Where runs stand on both axes."""

    def __init__(self, found: Assessment, scores: Scores) -> None:
        self.found = found
        self.across, self.up = scores.measures
        self.runs = scores.runs
        self.means = scores.mean_values(TopicMean())
        self.gamma = _gamma(found.by)
        self.mixed = self.gamma * self.means[:, 0] + (1 - self.gamma) * self.means[:, 1]
        self.ranks = competition_ranks(self.means)
        # positive: better placed by diversity than by relevance
        middle = [_middle_ranks(column) for column in self.means.T]
        self.lean = middle[1] - middle[0]

    @property
    def bar(self) -> int:
        return max(2, int(np.ceil(LEANING * len(self.runs))))

    def answer(self) -> Answer:
        diverse, relevant = self._top(0), self._top(1)
        if len(self.runs) == 1:
            return Answer(
                "balance",
                QUESTION,
                f"{self.runs[0]} has {self.across} {decimals(self.means[0, 0])} and {self.up} "
                f"{decimals(self.means[0, 1])}; with one run there is nothing to compare.",
            )
        leads = self._leads()
        if diverse == relevant:
            said = (
                f"The most diverse run (by {self.across}{leads[0]}) is also the most relevant one "
                f"(by {self.up}{leads[1]}): {diverse}."
            )
        else:
            said = (
                f"Most diverse (by {self.across}{leads[0]}) is {diverse}; most relevant (by "
                f"{self.up}{leads[1]}) is {relevant}."
            )
        sentences = tuple(self._sentences())
        return Answer("balance", QUESTION, said, sentences, tuple(self._hedges()), sentences[:1])

    def _leads(self) -> list[str]:
        """Whether the first by each axis is ahead by more than chance."""
        said = []
        for each in self.found.leading_by_axis:
            alike = sum(p >= each.level for p in each.p[0].tolist())
            others = "the other run" if len(self.runs) == 2 else "all others"
            if not alike:
                said.append(f", significantly ahead of {others}")
            elif len(self.runs) == 2 or alike < len(self.runs) - 1:
                said.append(f", not significantly ahead of {plural(alike, 'other')}")
            else:
                said.append(", not significantly ahead of any other")
        return said or ["", ""]

    def _driven(self) -> str:
        """Which part of the mixture makes its order."""
        spread = self.means.std(axis=0, ddof=1)
        parts = spread * (self.gamma, 1 - self.gamma)
        told = (
            f"over the runs {self.across} spreads by {decimals(spread[0])} and {self.up} by "
            f"{decimals(spread[1])} (standard deviations of means, which the mixture weighs with "
            f"{self.gamma:g} and {1 - self.gamma:g})"
        )
        low, high = parts.min(), parts.max()
        if high < DRIVING * low:
            return f"Both parts drive the mixture about equally: {told}."
        most = (self.across, self.up)[int(parts.argmax())]
        return f"The order by the mixture is driven mostly by {most}: {told}."

    def _among_the_better(self) -> str:
        """Whether the two go together there too."""
        half = np.argsort(-self.mixed, kind="stable")[: (len(self.runs) + 1) // 2]
        if len(half) < FEWEST_RUNS:
            return ""
        related = correlation(*self.means[half].T, names=(self.across, self.up))
        if related.tau != related.tau:
            return ""
        return (
            f"Among the better half by the mixture tau is {short(related.tau)} "
            f"({interval(related.low, related.high)}); choosing by the mixture by itself lowers it."
        )

    def _top(self, axis: int) -> str:
        """The best by one axis; several, where they are equal."""
        values = self.means[:, axis].round(TIED)
        best = [self.runs[n] for n in np.flatnonzero(values == values.max())]
        return "every run alike" if len(best) == len(self.runs) else listed(best, 2)

    def _sentences(self) -> Iterator[str]:
        related = correlation(self.means[:, 0], self.means[:, 1], names=(self.across, self.up))
        if len(self.runs) < FEWEST_RUNS:
            yield f"{len(self.runs)} runs are too few to say whether the two go together."
        elif related.tau == related.tau:
            yield self._together(related)
            upper = self._among_the_better()
            if upper:
                yield upper
        else:
            same = self.across if float(np.ptp(self.means[:, 0].round(TIED))) == 0 else self.up
            yield f"All runs have the same {same}: only the other measure tells them apart."
        best = int(self.mixed.argmax())
        yield (
            f"{self.runs[best]} has the best mixture of both, {decimals(self.mixed[best])} "
            f"({self.gamma:g} {self.across} + {1 - self.gamma:g} {self.up}): it is furthest "
            "beyond the lines of the figure."
        )
        if float(np.ptp(self.mixed.round(TIED))) > 0:
            yield self._driven()
        if related.tau == related.tau:
            yield from self._leaning()

    def _leaning(self) -> Iterator[str]:
        ways = (("diversity", 1, self.across, self.up), ("relevance", -1, self.up, self.across))
        found = False
        for what, sign, better, worse in ways:
            order = np.argsort(-sign * self.lean, kind="stable").tolist()
            leaning = [self.runs[n] for n in order if sign * self.lean[n] >= self.bar]
            if leaning:
                found = True
                yield (
                    f"Leaning to {what} (at least {self.bar} places better by {better} than by "
                    f"{worse}): {listed(leaning)}."
                )
        if not found:
            yield f"No run's places by the two differ by as much as {self.bar}."

    def _together(self, related: Correlation) -> str:
        if related.tau >= 0.7:
            said = (
                "Relevance and diversity go together here: runs that are good at one are good at "
                "the other"
            )
        elif related.tau >= 0.3:
            said = "Relevance and diversity go together in part"
        elif related.tau > -0.3:
            said = "Relevance and diversity have little to do with each other here"
        else:
            said = "Relevance and diversity pull apart: runs gain one at the cost of the other"
        return (
            f"{said} (Kendall's tau {short(related.tau)}, {interval(related.low, related.high)})."
        )

    def _hedges(self) -> Iterator[str]:
        yield (
            f"{self.across} counts intents with any relevant document and nothing else; {self.up} "
            "rewards relevant documents near the top, most of all for probable intents, also "
            "where they all serve the same intent."
        )
        yield (
            "Places of runs whose means hardly differ are chance: a lean of a few places is a "
            "hint, not a finding."
        )
        if len(self.runs) >= FEWEST_RUNS:
            yield (
                "Intervals of tau take runs for independent. Runs of one team are not, so that "
                "true intervals are wider."
            )
        compared = self.found.comparison
        for measure in (self.across, self.up):
            if compared is not None and measure in compared.measures:
                powers = self.found.powers
                assert powers is not None
                power = powers.of(measure)
                yield (
                    f"By {measure}, {power.significant:,} of {plural(power.pairs, 'pair')} of "
                    "runs differ significantly."
                )

    def grid(self) -> Grid:
        ranks = competition_ranks(self.mixed[:, None])[:, 0]
        heads = (
            Head("run", number=False),
            Head(self.across, meaning="share of the intents that the run serves"),
            Head(f"rank by {self.across}"),
            Head(self.up, meaning="relevance of the run, intents by their probabilities"),
            Head(f"rank by {self.up}"),
            Head(
                "mixture", meaning=f"{self.gamma:g} of the first, {1 - self.gamma:g} of the second"
            ),
            Head("rank by mixture"),
            Head(
                "lean",
                meaning="places better by diversity (+) or relevance (−), equals in the middle",
            ),
        )
        rows = tuple(
            (
                Cell(self.runs[n], subject="run"),
                Cell(decimals(self.means[n, 0])),
                Cell(str(int(self.ranks[n, 0]))),
                Cell(decimals(self.means[n, 1])),
                Cell(str(int(self.ranks[n, 1]))),
                Cell(decimals(self.mixed[n])),
                Cell(str(int(ranks[n]))),
                Cell(_places(float(self.lean[n])), order=float(self.lean[n])),
            )
            for n in np.argsort(-self.mixed, kind="stable").tolist()
        )
        return Grid("balance-runs", "Runs by diversity and by relevance", heads, rows, about="run")


def _places(lean: float) -> str:
    return f"{lean:+g}".replace("-", "−") if lean else "0"


def _middle_ranks(values: Floats) -> Floats:
    """1 for the highest; equals all have the middle of their places."""
    seen = values.round(TIED)
    above = (seen[None, :] > seen[:, None]).sum(axis=1)
    equal = (seen[None, :] == seen[:, None]).sum(axis=1)
    return np.asarray(above + (equal + 1) / 2, dtype=np.float64)


def _gamma(by: str) -> float:
    """The share of intent recall in the measure that decides, else a half."""
    try:
        gamma = parse(by)["gamma"]
    except PolysemeError:
        gamma = None
    return 0.5 if gamma is None else float(gamma)
