"""What was answered: numbers, matrices, and how far the judges agree."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import sqlalchemy as sa

from polyseme.judging import schema
from polyseme.judging.moment import Moment
from polyseme.judging.protocol import Answer
from polyseme.judging.shown import Agreement
from polyseme.judging.tasks import BOTH, LEFT, RIGHT
from polyseme.statistics.reliability import Alpha, krippendorff_alpha, leave_one_out_alphas

#: cells of judge x triplet matrices: 1 the first run is better, 3 the second
CELLS: dict[Answer, int] = {LEFT: 1, BOTH: 2, RIGHT: 3}
_items, _shows = schema.items.c, schema.presentations.c
_judgments = schema.judgments.c


@dataclass(frozen=True)
class Answered:
    """One answer, of the item's own sides and not of those on the page."""

    judge: int
    item: int
    question: str
    answer: int


def answered(moment: Moment, *, finished: bool = False) -> Iterator[Answered]:
    """All answers that stand, as whole numbers; with ``finished`` only of items that are done."""
    states = ("done",) if finished else ("done", "started")
    rows = moment.connection.execute(
        sa.select(schema.judgments, _shows.swapped)
        .join(
            schema.presentations,
            (_shows.judge == _judgments.judge) & (_shows.item == _judgments.item),
        )
        .where(_judgments.state.in_(states))
        .order_by(_judgments.judge, _judgments.item)
    )
    for row in rows:
        for question, answer in json.loads(row.answers).items():
            yield Answered(row.judge, row.item, question, number_of(answer, swapped=row.swapped))


def number_of(answer: Answer, *, swapped: bool) -> int:
    """1, 2 or 3 of a preference as the item has its runs; grades and votes are numbers already."""
    if isinstance(answer, int):
        return answer
    cell = CELLS[answer]
    return 4 - cell if swapped else cell


def agreement(moment: Moment) -> Iterator[Agreement]:
    """Krippendorff's alpha of each question; of grades and votes of all intents together."""
    names = dict(
        moment.connection.execute(
            sa.select(schema.judges.c.judge, schema.judges.c.name).order_by(schema.judges.c.judge)
        ).all()
    )
    rows = {judge: place for place, judge in enumerate(names)}
    by_question: dict[str, list[Answered]] = {}
    questions = moment.settings.kind.questions
    for each in answered(moment):
        by_question.setdefault(each.question if questions else "all", []).append(each)
    for question in questions or ("all",):
        said = by_question.get(question, [])
        columns = {cell: n for n, cell in enumerate({(e.item, e.question): None for e in said})}
        cells = np.full((len(rows), len(columns)), np.nan)
        for each in said:
            cells[rows[each.judge], columns[each.item, each.question]] = each.answer
        active = [place for place in range(len(rows)) if not np.isnan(cells[place]).all()]
        if len(active) < 2:
            yield Agreement(question, None, {})
            continue
        held = cells[active]
        judges = [list(names.values())[place] for place in active]
        without = leave_one_out_alphas(held) if len(active) > 2 else []
        yield Agreement(
            question,
            _value(krippendorff_alpha(held)),
            {j: _value(a) for j, a in zip(judges, without, strict=False)},
        )


def _value(alpha: Alpha) -> float | None:
    return None if alpha.undefined else alpha.value
