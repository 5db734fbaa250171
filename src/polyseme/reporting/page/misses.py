"""Which intents and topics does each run miss?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np

from polyseme.groups import Floats, Ints
from polyseme.reporting.figures import figure
from polyseme.reporting.page.assessment import Assessment, Judgments
from polyseme.reporting.page.intents import first_ranks, found_by_none, most_missed
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
from polyseme.reporting.page.words import decimals, interval, plural, short
from polyseme.statistics.correlation import Correlation, correlation

QUESTION = "Which intents and topics does each run miss?"
#: shades of values, from none to the highest
SHADES = 8
#: what diversity difficulty means
_SCALE = (
    "the higher it is, the easier it is to be diverse: 1 is a topic of which any handful of "
    "relevant documents covers all intents, low values one where some intents have few documents "
    "of their own"
)
#: so many examples stand in sentences
FEW = 5


def misses_section(found: Assessment) -> Section:
    """Topics and intents by runs, the hardest topics, and how diverse topics can be."""
    judgments = found.judgments
    blocks: list[Block] = (
        [] if judgments is None else [_missed(found, judgments), *most_missed(judgments)]
    )
    blocks += [_topics(found), _values(found)]
    if judgments is not None:
        blocks += [
            first_ranks(found, judgments),
            picture(figure(judgments.topics, "difficulty"), "figure-difficulty"),
            *found_by_none(judgments),
        ]
    return Section(_answer(found), tuple(blocks), tuple(_commands(found)))


def _commands(found: Assessment) -> Iterator[str]:
    yield f'polyseme evaluate -m "{found.by}" --per-topic'
    if found.judgments is not None:
        yield f"polyseme evaluate -m I-rec@{found.judgments.coverage.cutoff} --per-intent"
        yield "polyseme describe --per-topic"


def _answer(found: Assessment) -> Answer:
    judgments = found.judgments
    hard, *more = _about_topics(found)
    if judgments is None:
        return Answer(
            "misses",
            QUESTION,
            f"{hard.removesuffix('.')}; which intents are missed cannot be told from scores alone.",
            (hard, *more),
            (
                "Intents, and how diverse topics can be, need judgments and runs: they are left "
                "out.",
            ),
            summary=tuple(more),
        )
    intents = _about_intents(found, judgments)
    hedges = (
        "A missed intent is one without a document judged relevant to it in the top "
        f"{judgments.coverage.cutoff}; an unjudged document there may well serve it.",
        "A topic can be hard because few relevant documents were found for it, because runs fail "
        "on it, or because its judgments are strict: numbers alone do not say which.",
    )
    return Answer(
        "misses",
        QUESTION,
        intents[0],
        (*intents[1:], hard, *more, *_about_difficulty(found, judgments)),
        hedges,
        summary=(*intents[1:2], hard),
    )


def _about_topics(found: Assessment) -> Iterator[str]:
    """The hardest topics first."""
    used, values = _by_topic(found)
    means = np.nanmean(values, axis=0)
    several = len(values) > 1
    runs = "all runs" if several else "the run"
    if len(used) > 1:
        told = [
            f"{_named(found, found.scores.topics[used[n]])} ({decimals(means[n])})"
            for n in np.argsort(means, kind="stable")[:FEW].tolist()
        ]
        yield f"The hardest topics, by the mean {found.by} of {runs}, are {listed(told, FEW)}."
    else:
        yield f"The mean {found.by} of {runs} on the only topic is {decimals(means[0])}."
    nobody = int((values.max(axis=0) <= 0).sum())
    if nobody and several:
        yield f"On {plural(nobody, 'topic')} every run scores 0."
    failing = int((values[found.order[0]] <= 0).sum())
    if failing:
        yield f"{_best(found)} scores 0 on {plural(failing, 'topic')}."


def _about_intents(found: Assessment, judgments: Judgments) -> list[str]:
    seen = judgments.coverage
    total, missed = len(seen.intents), seen.missed
    best, none, several = found.order[0], len(seen.missed_by_all), len(missed) > 1
    nobody = f"; {none} {'is' if none == 1 else 'are'} found by no run at all"
    said = [
        f"{_best(found)} misses {missed[best]} of {plural(total, 'intent')} "
        f"({share(int(missed[best]), total)}) in its top "
        f"{seen.cutoff}{nobody if none and several else ''}."
    ]
    low, high = int(missed.argmin()), int(missed.argmax())
    if missed[low] < missed[high]:
        said.append(
            f"The fewest intents are missed by {seen.runs[low]} ({missed[low]}, "
            f"{share(int(missed[low]), total)}), the most by {seen.runs[high]} ({missed[high]}, "
            f"{share(int(missed[high]), total)})."
        )
    elif several:
        said.append(f"All runs miss equally many intents ({missed[low]}).")
    return said


def _best(found: Assessment) -> str:
    """The best run, if there are others."""
    return f"{found.best}, the best run," if len(found.scores.runs) > 1 else found.best


def _about_difficulty(found: Assessment, judgments: Judgments) -> Iterator[str]:
    used = np.flatnonzero(judgments.coverage.used)
    dd = judgments.topics.difficulty.dd[used]
    if len(dd) == 1:
        yield f"The topic's diversity difficulty is {short(dd[0])}; {_SCALE}."
        return
    hardest = found.scores.topics[int(used[dd.argmin()])]
    yield (
        f"Diversity difficulty runs from {short(dd.min())} (topic {_named(found, hardest)}) to "
        f"{short(dd.max())}, {short(dd.mean())} on average; {_SCALE}."
    )
    related = _difficulty_and_scores(found, judgments)
    if related is None or related.tau != related.tau:
        return
    if not _sure(related):
        said = "are not reliably those on which runs score well"
    else:
        said = f"tend to be those on which runs score {'well' if related.tau > 0 else 'badly'}"
    yield (
        f"Topics on which it is easy to be diverse {said} (Kendall's tau {short(related.tau)}, "
        f"{interval(related.low, related.high)})."
    )


def _sure(related: Correlation) -> bool:
    return related.low > 0 or related.high < 0


def _difficulty_and_scores(found: Assessment, judgments: Judgments) -> Correlation | None:
    used, values = _by_topic(found)
    if len(used) < 5:
        return None
    return correlation(judgments.topics.difficulty.dd[used], np.nanmean(values, axis=0))


def _by_topic(found: Assessment) -> tuple[Ints, Floats]:
    """Topics that enter the mean of any run, and the deciding measure's values: runs x topics."""
    used: Ints = np.flatnonzero(found.scores.entered.any(axis=0))
    values = np.where(found.scores.entered, found.scores.values[:, :, found.place], np.nan)
    return used, values[:, used]


def _named(found: Assessment, topic: str) -> str:
    """A topic with its query, where that is known."""
    texts = found.judgments.texts if found.judgments is not None else {}
    text = texts[topic].query if topic in texts else ""
    return f"{topic} “{text}”" if text else topic


def _topics(found: Assessment) -> Grid:
    judgments = found.judgments
    used, values = _by_topic(found)
    means, best = np.nanmean(values, axis=0), np.nanargmax(values, axis=0)
    texts = judgments.texts if judgments is not None else {}
    heads = [Head("topic", number=False)]
    if texts:
        heads.append(Head("query", number=False))
    heads += [
        Head("mean of runs", meaning=f"mean {found.by} of all runs: the lower, the harder"),
        Head("best value"),
        Head("best run", number=False),
        Head("runs at 0"),
    ]
    if judgments is not None:
        heads += [
            Head("intents"),
            Head("relevant", meaning="relevant documents that are known"),
            Head(
                "xi",
                meaning="how many relevant documents are needed at least to cover all intents that "
                "can be covered: 1, if a single document serves them all",
            ),
            Head("d_max", meaning="share of the intents that have a relevant document"),
            Head(
                "d_mean",
                meaning="share of the intents that xi relevant documents cover on average, "
                "drawn at random",
            ),
            Head(
                "dd",
                meaning="diversity difficulty, a name that misleads: the higher, the easier it is "
                "to be diverse (1: any xi relevant documents cover all intents)",
            ),
        ]
    rows = []
    for n in np.argsort(means, kind="stable").tolist():
        topic = int(used[n])
        name = found.scores.topics[topic]
        cells = [Cell(name, subject="topic")]
        if texts:
            cells.append(Cell(texts[name].query if name in texts else ""))
        cells += [
            Cell(decimals(means[n])),
            Cell(decimals(values[best[n], n])),
            Cell(found.scores.runs[best[n]], subject="run")
            if values[best[n], n] > 0
            else Cell("–"),
            Cell(str(int((values[:, n] <= 0).sum()))),
        ]
        if judgments is not None:
            cells += _described(judgments, topic)
        rows.append(tuple(cells))
    return Grid(
        "topics",
        "Topics, the hardest first",
        tuple(heads),
        tuple(rows),
        about="topic",
        home=True,
    )


def _described(judgments: Judgments, topic: int) -> list[Cell]:
    held, relevance = judgments.topics.difficulty, judgments.description.relevance
    return [
        Cell(str(int(relevance.intent_count[topic]))),
        Cell(str(int(relevance.relevant_in[topic]))),
        Cell(str(int(held.xi[topic]))),
        *(Cell(short(float(each[topic]))) for each in (held.d_max, held.d_mean, held.dd)),
    ]


def _missed(found: Assessment, judgments: Judgments) -> Grid:
    seen = judgments.coverage
    total = len(seen.intents)
    _, values = _by_topic(found)
    rows = []
    for run in found.order:
        missed = int(seen.missed[run])
        rows.append(
            (
                Cell(seen.runs[run], subject="run"),
                Cell(str(missed)),
                Cell(share(missed, total)),
                Cell(str(int((values[run] <= 0).sum()))),
                Cell(_which(judgments, run)),
            )
        )
    return Grid(
        "missed",
        f"Intents that each run misses in its top {seen.cutoff}, of {total}",
        (
            Head("run", number=False),
            Head("missed"),
            Head("share"),
            Head("topics at 0", meaning=f"topics on which its {found.by} is 0"),
            Head("which (topic: intents)", number=False),
        ),
        tuple(rows),
        about="run",
    )


def _which(judgments: Judgments, run: int) -> str:
    """The intents that a run misses: ``151: 2, 3; 153: 1``."""
    seen, relevance = judgments.coverage, judgments.description.relevance
    missed = seen.intents[seen.first[run, seen.intents] == 0].tolist()
    said = []
    for topic, group in groupby(missed, key=lambda intent: int(relevance.topic_of_intent[intent])):
        names = ", ".join(relevance.intents[intent] for intent in group)
        said.append(f"{relevance.topics[topic]}: {names}")
    return "; ".join(said)


def _values(found: Assessment) -> Matrix:
    """The deciding measure's value of every run on every topic; other measures by choice."""
    used, values = _by_topic(found)
    topics = [found.scores.topics[n] for n in used.tolist()]
    runs = [found.scores.runs[run] for run in found.order]
    order = np.argsort(np.nanmean(values, axis=0), kind="stable")
    runs_in_order: Ints = np.array(found.order)
    shown = found.scores.values[np.ix_(runs_in_order, used[order])]
    held = found.scores.entered[np.ix_(runs_in_order, used[order])]
    choices = {
        name: _packed(np.where(held, shown[:, :, n], np.nan).T)
        for n, name in enumerate(found.scores.measures)
    }
    own = np.where(held, shown[:, :, found.place], np.nan).T
    top = max(float(np.nanmax(own)), 1e-9)
    rows = tuple(
        ((topics[n],), tuple((_cell(value), _shade(value, top)) for value in row))
        for n, row in zip(order.tolist(), own.tolist(), strict=True)
    )
    return Matrix(
        "values",
        f"{found.by} of each run on each topic",
        ("topic",),
        "topic",
        tuple(runs),
        "run",
        rows,
        notes=(
            "Runs from the best to the worst, topics from the hardest to the easiest; the "
            "stronger the shade, the higher the value. A row without shade is a topic on which "
            "everybody fails; a cell without shade in a shaded row is a topic that this run "
            "misses.",
        ),
        choices=choices,
        chosen=found.by,
    )


def _packed(values: Floats) -> str:
    """Values as whole numbers of ten-thousandths, just as they are shown; nothing: ``null``."""
    text = np.char.mod("%.4f", values.ravel())
    whole = [each.replace(".", "").lstrip("-0") or "0" for each in text.tolist()]
    signs = [
        "-" if each.startswith("-") and w != "0" else ""
        for each, w in zip(text.tolist(), whole, strict=True)
    ]
    return ",".join(
        "null" if each == "nan" else sign + w
        for each, sign, w in zip(text.tolist(), signs, whole, strict=True)
    )


def _cell(value: float) -> str:
    return "" if value != value else decimals(value)


def _shade(value: float, top: float) -> str:
    """One of the shades; nothing at all is told from a little."""
    if value != value:
        return "none"
    if value <= 0:
        return "0"
    return str(1 + min(SHADES - 1, int(value / top * SHADES)))
