"""Would a new system be treated fairly here?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from polyseme.measures.sets import parse
from polyseme.reporting.figures import figure
from polyseme.reporting.page.assessment import Assessment, Judgments
from polyseme.reporting.page.left_out import LeftOut, more_than_chance, told_of
from polyseme.reporting.page.parts import (
    Answer,
    Block,
    Cell,
    Grid,
    Head,
    Section,
    Subject,
)
from polyseme.reporting.page.pictures import picture
from polyseme.reporting.page.unjudged import (
    about_pool,
    about_simulation,
    about_unjudged,
    unjudged_grid,
)
from polyseme.reporting.page.words import decimals, plural, signed
from polyseme.reuse.estimates import Estimate, View, bare
from polyseme.reuse.leave_one_out import LeaveOneOut
from polyseme.tables import Table

QUESTION = "Would a new system be treated fairly here?"
#: so many teams must be, for the answer to be yes, or mostly
YES, MOSTLY = 1.0, 0.8
#: changes of a mean below this are next to none
NEGLIGIBLE = 0.0005
#: ranks that a run may move, as a share of the runs; one rank is always allowed
SLACK = 0.05


def fairness_section(found: Assessment) -> Section:
    """Each team left out, with and without condensing, and what is unjudged."""
    judgments = found.judgments
    if judgments is None:
        return Section(
            Answer(
                "fairness",
                QUESTION,
                "This cannot be told from scores: it takes the judgments and the runs.",
                hedges=("Give judgments and runs in place of scores.",),
            )
        )
    left = judgments.left_out
    blocks: list[Block] = []
    if left is None:
        answer = _without_teams(found, judgments)
    else:
        view = _Newcomers(found, judgments, left)
        answer = view.answer()
        blocks = [view.grid(), view.picture(), _summary(left)]
    blocks.append(unjudged_grid(found, judgments))
    return Section(answer, tuple(blocks), tuple(_commands(found)) if left is not None else ())


def _commands(found: Assessment) -> Iterator[str]:
    said, teams = found.said, ""
    if found.judgments is not None and found.judgments.teams_known:
        teams = f" --teams {said['teams'] if isinstance(said['teams'], str) else 'FILE'}"
    depth = f" --depth {said['depth']}" if said.get("depth") is not None else ""
    yield f'polyseme loo -m "{found.by}" --views raw,condensed{teams}{depth}'


def _without_teams(found: Assessment, judgments: Judgments) -> Answer:
    return Answer(
        "fairness",
        QUESTION,
        f"This cannot be told from these runs: {judgments.why_not}.",
        (*about_unjudged(judgments), *about_pool(judgments)),
        (
            "To test it, give runs of several teams that were pooled, and say who made which "
            "(--teams).",
        ),
    )


@dataclass(frozen=True)
class _Newcomers:
    """The teams' best runs as if their teams had not contributed."""

    found: Assessment
    judgments: Judgments
    left: LeaveOneOut

    @cached_property
    def base(self) -> str:
        """The deciding measure as it is, without primes."""
        return (
            str(bare(parse(self.found.by)))
            if self.found.by not in self.left.measures
            else self.found.by
        )

    @cached_property
    def slack(self) -> int:
        return max(1, round(SLACK * len(self.left.full.runs)))

    @cached_property
    def bar(self) -> float:
        """The smallest difference that is significant."""
        powers = self.found.powers
        if powers is None or self.base not in powers.measures:
            return math.nan
        return powers.of(self.base).min_delta

    def view(self, name: View) -> LeftOut:
        mine = tuple(
            each
            for each in self.left.best_estimates
            if each.base == self.base and each.view == name
        )
        return LeftOut(name, mine, self.slack, self.bar)

    def answer(self) -> Answer:
        raw, condensed = self.view("raw"), self.view("condensed")
        if not self.judgments.teams_known:
            return self._without_names(raw, condensed)
        teams, fair = len(raw.estimates), raw.treated_fairly
        told = f"{fair} of {teams} teams, left out in turn, come out about where they belong"
        if fair >= YES * teams:
            short = (
                f"As far as the known teams can tell, yes: all {teams}, left out in turn, come "
                "out about where they belong."
            )
        elif fair >= MOSTLY * teams:
            short = f"Mostly: {told}, but {teams - fair} would have been misjudged."
        else:
            short = f"No: only {told}."
        better = condensed.treated_fairly
        if better > fair:
            short += f" On condensed lists {'all' if better == teams else better} do."
        if fair >= MOSTLY * teams:
            short += " Systems that are really new may fare worse."
        return self._answered(short, raw, condensed)

    def _without_names(self, raw: LeftOut, condensed: LeftOut) -> Answer:
        """What can be said where runs of one team may cover for each other."""
        fair, runs = raw.treated_fairly, len(raw.estimates)
        if fair < runs:
            short = (
                f"Probably not: even with every run left out by itself, only {fair} of {runs} "
                "come out about where they belong, and runs of one team may cover for each other."
            )
        else:
            short = (
                "These runs cannot tell. Each, left out by itself, comes out about where it "
                "belongs; but nobody said which runs are of one team, and those cover for each "
                "other."
            )
        return self._answered(short, raw, condensed)

    def _answered(self, short: str, raw: LeftOut, condensed: LeftOut) -> Answer:
        doubts = tuple(about_simulation(self.judgments, self.left))
        if doubts:
            short = (
                "These runs may tell little about it, since others than they made the pool: "
                f"{'; and '.join(doubts)}. For what it is worth: {short}"
            )
        sentences = tuple(self._sentences(raw, condensed))
        summary = (*about_unjudged(self.judgments), self._advice(raw, condensed))
        return Answer("fairness", QUESTION, short, sentences, tuple(self._hedges()), summary)

    def _sentences(self, raw: LeftOut, condensed: LeftOut) -> Iterator[str]:
        if not self.judgments.teams_known:
            yield (
                "Teams are not known, so each run is taken for a team of its own. Runs of one "
                "team resemble each other: what one has, its siblings have too, and so little is "
                "lost with it. A real newcomer would probably fare worse."
            )
        who = "team's best run" if self.judgments.teams_known else "run"
        yield self._told(raw, f"Scored as it is, a {who}")
        if condensed.estimates:
            seen = "On condensed lists (its unjudged documents left out)"
            yield self._told(condensed, f"{seen}, a {who}")
            if not self._negligible(raw, condensed):
                yield (
                    f"Condensing brings the score {told_of(condensed.by_score)}, and the rank "
                    f"{told_of(condensed.by_rank)}. A score is held against the same score with "
                    "all judgments: the raw one against the raw one, the condensed one against "
                    "the condensed one, each on its own scale."
                )
        bar = ""
        if not math.isnan(self.bar):
            bar = (
                f" and the score by less than {decimals(self.bar)}, the smallest difference that "
                "is significant here"
            )
        yield (
            f"“About where they belong” means: the rank moves by at most {self.slack}{bar}. That "
            "is a rule of thumb of this page, not a law; the table has all numbers."
        )
        yield from about_unjudged(self.judgments)
        yield from about_pool(self.judgments)
        yield self._advice(raw, condensed)

    def _told(self, view: LeftOut, who: str) -> str:
        worst = view.worst
        change = "loses" if view.mean_delta < 0 else "gains"
        if not any(each.absolute_error or each.relative_error for each in view.estimates):
            return f"{who} is scored and ranked exactly as before."
        if view.mean_error < NEGLIGIBLE and not worst.relative_error:
            return (
                f"{who} is scored almost as before (the largest change is {signed(worst.delta)} "
                f"{worst.measure}), and no rank changes."
            )
        moved = (
            f"at worst {worst.run} goes from rank {worst.rank} to {worst.rank_loo}"
            if worst.relative_error
            else "no rank changes"
        )
        return (
            f"{who} {change} {decimals(abs(view.mean_delta))} {view.estimates[0].measure} on "
            "average without what only its own "
            f"{'team' if self.judgments.teams_known else 'list'} contributed, and its rank moves "
            f"by {view.mean_rank_error:.1f}; {moved}. The largest change of a score is "
            f"{signed(view.largest.delta)} ({view.largest.run})."
        )

    def _advice(self, raw: LeftOut, condensed: LeftOut) -> str:
        measure = self.base
        if not condensed.estimates or self.judgments.description.judged.only_relevant:
            return f"Report {measure} of a newcomer with the share of its top that is unjudged."
        low = raw.mean_delta < 0 < condensed.mean_delta
        name = condensed.estimates[0].measure
        if self._negligible(raw, condensed):
            return (
                f"Leaving out changes too little to say whether {measure} or {name} is closer to "
                "the truth for a newcomer: report both."
            )
        if low:
            return (
                f"Of a newcomer report both {measure} and {name}: the first tends to be too low "
                "here, the second too high, so that the truth is probably in between."
            )
        closer, further, _ = condensed.by_score
        errors = f"{decimals(condensed.mean_error)} against {decimals(raw.mean_error)}"
        if more_than_chance(closer, further):
            came = (
                f"{name if closer > further else measure} came closer to its true value here "
                f"(mean error of {name}: {errors})"
            )
        else:
            came = f"neither came clearly closer to its true value here (mean errors: {errors})"
        return (
            f"Of a newcomer report both {measure} and {name}, and compare each with the same of "
            f"the other runs; {came}."
        )

    def _negligible(self, raw: LeftOut, condensed: LeftOut) -> bool:
        """Does leaving out change next to nothing?"""
        views = [view for view in (raw, condensed) if view.estimates]
        return all(not each.mean_rank_error and each.mean_error < NEGLIGIBLE for each in views)

    def _hedges(self) -> Iterator[str]:
        if self.found.topics < 25:
            yield f"{plural(self.found.topics, 'topic')} can hardly tell."
        yield (
            "Those left out did help to choose what was judged, and resemble the others. A "
            "system of a really new kind may have many more unjudged documents, and fare worse "
            "than this."
        )
        if self.left.depth is None:
            yield (
                "No pool depth was said (--depth), so everything judged that a run retrieved at "
                "any rank counts as contributed by it: too much, if the pool was shallow."
            )
        if self.judgments.description.judged.only_relevant:
            yield (
                "The judgments list relevant documents only, so that condensed lists keep "
                "nothing else and score far too high: do not use them here."
            )

    def grid(self) -> Grid:
        known = self.judgments.teams_known
        condensed = {each.run: each for each in self.view("condensed").estimates}
        subject: Subject = "team" if known else "run"
        heads = [
            Head("team" if known else "run", number=False),
            *([Head("best run", number=False)] if known else []),
            Head("alone", meaning="judged documents that nobody else contributed"),
            Head("relevant", meaning="the relevant ones among these"),
            Head("score", meaning=f"mean {self.base} with all judgments"),
            Head("without", meaning="the same without what it alone contributed"),
            Head("change"),
            Head("rank"),
            Head("rank without"),
            Head("fair?", number=False, meaning="by the rule of thumb, as it is"),
        ]
        if condensed:
            name = next(iter(condensed.values())).measure
            heads += [
                Head("condensed score", meaning=f"mean {name} with all judgments"),
                Head("condensed without"),
                Head("condensed change"),
                Head("condensed rank"),
                Head("condensed rank without"),
            ]
        raw = self.view("raw")
        rows = []
        for each in sorted(raw.estimates, key=lambda one: one.rank):
            gone = self.left.removed[each.team]
            cells = [Cell(each.team, subject=subject)]
            cells += [Cell(each.run, subject="run")] if known else []
            cells += [Cell(str(len(gone.rows))), Cell(str(gone.relevant)), *_cells(each)]
            cells.append(Cell("yes" if raw.fair(each) else "no"))
            cells += _cells(condensed[each.run]) if condensed else []
            rows.append(tuple(cells))
        title = "Each team left out" if known else "Each run left out"
        return Grid(
            "teams",
            f"{title}: {'its best run' if known else 'the run'} by {self.base}",
            tuple(heads),
            tuple(rows),
            about=subject,
            home=known,
        )

    def picture(self) -> Block:
        most = self.view("raw").largest
        shown = picture(
            figure(self.left, "leave-one-out", team=most.team, measure=self.base),
            "figure-leave-one-out",
        )
        why = (
            f"{most.team} is shown because leaving it out changes the score of "
            f"{'its best run' if self.judgments.teams_known else 'it'} most."
        )
        return replace(shown, notes=(why, *shown.notes))


def _cells(each: Estimate) -> list[Cell]:
    return [
        Cell(decimals(each.score)),
        Cell(decimals(each.score_loo)),
        Cell(signed(each.delta), order=each.delta),
        Cell(str(each.rank)),
        Cell(str(each.rank_loo)),
    ]


def _summary(left: LeaveOneOut) -> Grid:
    """How far off each measure is, in each view."""
    table: Table = left.report().tables[-1]
    subject: tuple[Subject, ...] = ("measure",)
    rows = tuple(
        tuple(
            Cell(text, subject=subject[0] if place == 0 and row[1] == "raw" else "")
            for place, text in enumerate(shown)
        )
        for row, shown in zip(table.held, table.shown, strict=True)
    )
    meanings = {
        "mean_error": "mean absolute error of the score",
        "mean_rank_error": "mean absolute error of the rank",
        "too_low": "runs scored too low",
        "too_high": "runs scored too high",
        "effective_absolute": "runs whose score is closer than by the raw measure",
        "effective_relative": "runs whose rank is closer than by the raw measure",
        "closest": "runs for which no other view is closer",
    }
    heads = tuple(
        Head(column.name, number=column.kind == "value", meaning=meanings.get(column.name, ""))
        for column in table.columns
    )
    return Grid(
        "estimates",
        "How well each measure stands up to leaving out, as it is and on condensed lists",
        heads,
        rows,
        about="measure",
        folded=len(rows) > 8,
    )
