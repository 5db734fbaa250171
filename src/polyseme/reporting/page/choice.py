"""Which measures agree, and which should one use?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from polyseme.meta.discrimination import Discrimination
from polyseme.meta.unanimity import Unanimity
from polyseme.reporting.figures import figure
from polyseme.reporting.page.assessment import Assessment
from polyseme.reporting.page.measures import sees_only, summary_of
from polyseme.reporting.page.parts import (
    Answer,
    Block,
    Cell,
    Grid,
    Head,
    Matrix,
    Section,
    listed,
    share,
)
from polyseme.reporting.page.pictures import picture
from polyseme.reporting.page.words import (
    agreement_in_words,
    decimals,
    empty,
    interval,
    plural,
    short,
)
from polyseme.statistics.ranking import Correlations

QUESTION = "Which measures agree, and which should I use?"
#: nobody should change measures for a smaller difference of their powers, which may be chance:
#: the share of all pairs by which a measure must be ahead to be called clearly better
CLOSE = 0.1
#: fewer do not compare measures
FEWEST_RUNS, FEWEST_TOPICS = 5, 5
#: rankings with at least this tau say much the same
ALIKE = 0.9
SHADES = 8
NOTES = (
    "Global gain: a document's gains for all intents, each weighted by the intent's probability.",
)


def choice_section(found: Assessment) -> Section:
    """How measures rank runs, what they tell apart, and a recommendation."""
    if found.correlations is None or found.powers is None or found.unanimity is None:
        return Section(_nothing(found), tuple(_one_measure(found)))
    view = _Choice(found, found.correlations, found.powers, found.unanimity)
    names = " ".join(found.scores.measures)
    chance = f"--trials {found.trials} --seed {found.seed}"
    blocks: list[Block] = [view.grid()]
    against = figure(found.correlations, "correlation", against=found.by) if view.related else None
    blocks += [picture(against, "figure-correlation")] if against is not None else []
    blocks += [view.matrix(), view.pairs()]
    blocks.append(picture(figure(found.powers, "staircase"), "figure-staircase"))
    return Section(
        view.answer(),
        tuple(blocks),
        (
            f'polyseme correlate -m "{names}"',
            f'polyseme discriminate -m "{names}" {chance}',
            f'polyseme unanimity -m "{names}"',
        ),
    )


def _nothing(found: Assessment) -> Answer:
    if len(found.scores.runs) < 2:
        why = (
            "with one run there is no ranking, and measures can be compared only by their rankings"
        )
    else:
        why = f"{found.by} is the only measure"
    return Answer(
        "measures",
        QUESTION,
        f"This cannot be told: {why}.",
        hedges=("Give several runs, and name several measures (-m).",),
    )


def _one_measure(found: Assessment) -> Iterator[Grid]:
    powers = found.powers
    rows = []
    for name in found.scores.measures:
        cells = [Cell(name, subject="measure"), Cell(summary_of(name))]
        if powers is not None:
            power = powers.of(name)
            cells += [
                Cell(f"{power.significant:,}", order=power.significant),
                Cell(short(power.power)),
                Cell(empty(power.min_delta)),
            ]
        rows.append(tuple(cells))
    heads = [Head("measure", number=False), Head("what it is", number=False)]
    if powers is not None:
        heads += [Head("significant pairs"), Head("power"), Head("smallest significant difference")]
    yield Grid("all-measures", "Measures", tuple(heads), tuple(rows), about="measure", home=True)


@dataclass(frozen=True)
class _Choice:
    """Measures side by side."""

    found: Assessment
    correlations: Correlations
    powers: Discrimination
    unanimity: Unanimity

    @cached_property
    def related(self) -> Mapping[str, float]:
        """Tau of each other measure with the deciding one, where it is defined."""
        found = {
            name: self.correlations.of(self.found.by, name).tau
            for name in self.found.scores.measures
            if name != self.found.by
        }
        return {name: tau for name, tau in found.items() if tau == tau}

    @cached_property
    def candidates(self) -> tuple[str, ...]:
        """Measures that see both relevance and diversity; all, where there is none."""
        whole = tuple(name for name in self.found.scores.measures if not sees_only(name))
        return whole or self.found.scores.measures

    @cached_property
    def strongest(self) -> str:
        """The candidate that tells most pairs apart; of equal ones the deciding measure."""
        return max(
            self.candidates,
            key=lambda name: (self.powers.of(name).significant, name == self.found.by),
        )

    @cached_property
    def recommended(self) -> str:
        """The deciding measure, unless it is clearly behind or sees one side only."""
        by = self.found.by
        return by if by in self.candidates and self._close(by, self.strongest) else self.strongest

    def _close(self, name: str, other: str) -> bool:
        """Do two tell about as many pairs apart, give or take what may be chance?"""
        return abs(self.powers.of(other).power - self.powers.of(name).power) <= CLOSE

    def answer(self) -> Answer:
        chosen, by = self.recommended, self.found.by
        if self.why_not:
            return Answer(
                "measures",
                QUESTION,
                f"These runs cannot tell: {self.why_not}. Stay with a measure that was chosen "
                f"beforehand; here that is {by}.",
                (self._agreeing(), *self._beside_it(by)),
                tuple(self._hedges()),
                (self._agreeing(),),
            )
        if len(self.candidates) == 1:
            said = f"Of these measures only {chosen} sees both relevance and diversity: use it."
        else:
            said = self._choosing(chosen)
        sentences = tuple(self._sentences(chosen))
        return Answer("measures", QUESTION, said, sentences, tuple(self._hedges()), sentences[:2])

    @cached_property
    def why_not(self) -> str:
        """Why these runs say nothing about measures; empty where they do."""
        runs, topics = len(self.found.scores.runs), self.found.topics
        if not any(power.significant for power in self.powers.powers):
            return "no measure tells any two of these runs apart"
        if runs < FEWEST_RUNS:
            return f"{runs} runs are too few to compare measures by"
        return f"{plural(topics, 'topic')} are too few" if topics < FEWEST_TOPICS else ""

    def _choosing(self, chosen: str) -> str:
        """What speaks for it, if anything does."""
        by, many = self.found.by, len(self.candidates)
        rivals = [name for name in self.candidates if name != chosen]
        near = [name for name in rivals if self._close(chosen, name)]
        both = f"the {plural(many, 'measure')} that see both relevance and diversity"
        if chosen == by and near:
            powers = [self.powers.of(name) for name in (chosen, *near)]
            low, high = (pick(powers, key=lambda one: one.power) for pick in (min, max))
            return (
                f"No measure is clearly better here than {by}: {len(powers)} of {both} tell "
                f"{share(low.significant, low.pairs)} to {share(high.significant, high.pairs)} of "
                f"the pairs of runs apart, which may be chance. Staying with {by} is a convention."
            )
        best = self.powers.of(chosen)
        if chosen == by:
            return (
                f"Stay with {by} as the main measure: of {both} it alone tells as many as "
                f"{share(best.significant, best.pairs)} of the pairs of runs apart."
            )
        if by not in self.candidates:
            also = f" ({listed(near)} would do about as well)" if near else ""
            return (
                f"{chosen} would be a better main measure here than {by}, which sees only "
                f"{sees_only(by)}{also}."
            )
        mine = self.powers.of(by)
        also = f"; {listed(near)} would do about as well" if near else ""
        return (
            f"{chosen} would be a better main measure here than {by}: it tells "
            f"{share(best.significant, best.pairs)} of the pairs of runs apart, {by} "
            f"{share(mine.significant, mine.pairs)}{also}."
        )

    def _sentences(self, chosen: str) -> Iterator[str]:
        yield self._agreeing()
        power = self.powers.of(chosen)
        yield (
            f"{chosen} tells {power.significant:,} of {plural(power.pairs, 'pair')} of runs apart "
            f"({share(power.significant, power.pairs)}); the range of all measures is "
            f"{share(*_least(self.powers))} to {share(*_most(self.powers))}."
        )
        if len(self.candidates) > 1:
            yield (
                "The rule: one measure is called clearly better than another only if it tells "
                f"more pairs apart by over {CLOSE:.0%} of all pairs. Unanimity does not count for "
                "it, since a mixture's own parts vote for it."
            )
        yield from self._beside_it(chosen)
        alike = [
            name
            for name in self.found.scores.measures
            if name not in (chosen, *self._beside())
            and self.correlations.of(chosen, name).tau >= ALIKE
        ]
        if alike:
            yield (
                f"Reporting {listed(alike)} beside {chosen} adds little: they rank these runs "
                f"almost alike (tau of {ALIKE:g} or more)."
            )
        yield from self._for_newcomers()

    def _beside_it(self, chosen: str) -> Iterator[str]:
        beside = self._beside()
        if beside and chosen not in beside:
            also = f" and {beside[1]} for relevance alone" if len(beside) > 1 else ""
            yield (
                f"Beside {chosen} report {beside[0]} for diversity alone{also}, not to rank runs "
                "but to say where a difference comes from."
            )

    def _agreeing(self) -> str:
        pairs = [each for each in self.correlations.pairs if each.tau == each.tau]
        if not pairs:
            return "No two measures can be compared: some rank all runs alike."
        low = min(pairs, key=lambda each: each.tau)
        high = max(pairs, key=lambda each: each.tau)
        told = f"Kendall's tau {short(low.tau)}, {interval(low.low, low.high)}"
        if len(pairs) == 1:
            return f"{low.a} and {low.b} {agreement_in_words(low.tau)} ({told})."
        if low.tau == high.tau:
            return f"Any two measures {agreement_in_words(low.tau)} ({told})."
        return (
            f"The measures that differ most, {low.a} and {low.b}, {agreement_in_words(low.tau)} "
            f"({told}); {high.a} and {high.b} agree most (tau {short(high.tau)})."
        )

    def _beside(self) -> tuple[str, ...]:
        """A measure of diversity alone, and one of relevance alone, if both are there."""
        parts = {name: sees_only(name) for name in self.found.scores.measures}
        diverse = [name for name, part in parts.items() if part == "diversity"]
        relevant = [name for name, part in parts.items() if part == "relevance"]
        # a half of the deciding measure says more than another measure does
        relevant.sort(key=lambda name: not name.startswith("D-"))
        return (*diverse[:1], *relevant[:1]) if diverse else ()

    def _for_newcomers(self) -> Iterator[str]:
        judgments = self.found.judgments
        if judgments is None or judgments.left_out is None:
            return
        errors: dict[str, list[int]] = {}
        for each in judgments.left_out.best_estimates:
            if each.view == "raw" and each.base in self.candidates:
                errors.setdefault(each.base, []).append(each.relative_error)
        means = {name: sum(held) / len(held) for name, held in errors.items()}
        if len(means) > 1 and max(means.values()) > 0:
            least, most = (pick(means, key=means.__getitem__) for pick in (min, max))
            yield (
                f"Among the measures that see both, ranks by {least} change least when a "
                f"{'team' if judgments.teams_known else 'run'} is left out ({means[least]:.2f} on "
                f"average, by {most} {means[most]:.2f}): a difference that may be chance."
            )

    def _hedges(self) -> Iterator[str]:
        yield (
            "Power says that a measure tells runs apart, not that it tells them apart rightly; "
            "differences of a few points may be chance."
        )
        yield (
            "Unanimity depends on which measures are taken: many of one kind outvote the others. "
            "Compare it within this table only."
        )
        if any(name.startswith("D#-") for name in self.found.scores.measures):
            yield (
                "Measures that are made of each other agree by construction: D# is a mixture of "
                "I-rec and D, whose votes raise its unanimity and its tau with either."
            )
        if len(self.found.scores.runs) < 10:
            yield (
                f"{plural(len(self.found.scores.runs), 'run')} are few to compare rankings by; "
                + (
                    "there are no intervals of tau for fewer than five."
                    if len(self.found.scores.runs) < 5
                    else "mind the wide intervals of tau."
                )
            )
        yield (
            "Intervals of tau are about other runs drawn like these, not about other topics. They "
            "take runs for independent; those of one team are not, so that true ones are wider."
        )
        yield (
            "Whether a measure sees what users see only people can say: compare it with their "
            "preferences (polyseme agree). And do not choose a measure because your run wins by "
            "it."
        )

    # ---- tables ---------------------------------------------------------------------------------

    def grid(self) -> Grid:
        by = self.found.by
        heads = (
            Head("measure", number=False),
            Head("what it is", number=False),
            Head("sees only", number=False, meaning="empty: relevance and diversity"),
            Head("significant pairs", meaning=f"of {self.powers.powers[0].pairs:,} pairs of runs"),
            Head("power", meaning="their share"),
            Head("smallest significant difference"),
            Head(
                "unanimity",
                meaning="how much likelier than by chance (in powers of 2) it prefers the run that "
                "all others prefer",
            ),
            Head(f"tau with {by}", meaning="1: the same ranking of runs, 0: none in common"),
            Head("from", meaning="low end of tau's 95% interval"),
            Head("to", meaning="high end of tau's 95% interval"),
            Head("tau_ap", meaning="the same with more weight on the best runs"),
        )
        order = sorted(self.found.scores.measures, key=lambda name: -self.powers.of(name).power)
        return Grid(
            "all-measures",
            "Measures, the most discriminative first",
            heads,
            tuple(self._row(name) for name in order),
            about="measure",
            home=True,
            notes=NOTES,
        )

    def _row(self, name: str) -> tuple[Cell, ...]:
        power = self.powers.of(name)
        cells = [
            Cell(name, subject="measure"),
            Cell(summary_of(name)),
            Cell(sees_only(name)),
            Cell(f"{power.significant:,}", order=power.significant),
            Cell(short(power.power)),
            Cell(empty(power.min_delta)),
            Cell(_infinite(self.unanimity.values[name]), order=self.unanimity.values[name]),
        ]
        if name == self.found.by:
            return (*cells, *(Cell("–") for _ in range(4)))
        each = self.correlations.of(self.found.by, name)
        return (*cells, *(Cell(decimals(x)) for x in (each.tau, each.low, each.high, each.tau_ap)))

    def matrix(self) -> Matrix:
        names = self.correlations.names
        taus = {frozenset((each.a, each.b)): each.tau for each in self.correlations.pairs}
        rows = []
        for name in names:
            values = [1.0 if other == name else taus[frozenset((name, other))] for other in names]
            cells = tuple(
                ("" if other == name else short(value), _shade(value) if other != name else "none")
                for other, value in zip(names, values, strict=True)
            )
            rows.append(((name,), cells))
        return Matrix(
            "correlations",
            "Kendall's tau between the rankings of runs by each two measures",
            ("measure",),
            "measure",
            names,
            "measure",
            tuple(rows),
            notes=(
                "The stronger the shade, the more alike: 1 is the same ranking, 0 none in common.",
            ),
            folded=len(names) > 16,
        )

    def pairs(self) -> Grid:
        rows = tuple(
            (
                Cell(each.a, subject="measure"),
                Cell(each.b, subject="measure"),
                *(Cell(decimals(x)) for x in (each.tau, each.low, each.high, each.tau_ap)),
            )
            for each in sorted(self.correlations.pairs, key=lambda each: -_known(each.tau))
        )
        return Grid(
            "correlation-pairs",
            "The same with 95% intervals, and tau_ap, which gives more weight to the best runs",
            (
                Head("a", number=False),
                Head("b", number=False),
                Head("tau"),
                Head("from"),
                Head("to"),
                Head("tau_ap"),
            ),
            rows,
            about="measure",
            folded=True,
        )


def _known(value: float) -> float:
    return -math.inf if math.isnan(value) else value


def _infinite(value: float) -> str:
    return "−∞" if value == -math.inf else empty(value)


def _shade(value: float) -> str:
    if value != value:
        return "none"
    return "0" if value <= 0 else str(1 + min(SHADES - 1, int(value * SHADES)))


def _least(powers: Discrimination) -> tuple[int, int]:
    each = min(powers.powers, key=lambda one: one.significant)
    return each.significant, each.pairs


def _most(powers: Discrimination) -> tuple[int, int]:
    each = max(powers.powers, key=lambda one: one.significant)
    return each.significant, each.pairs
