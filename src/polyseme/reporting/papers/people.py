"""Tables of people's preferences: how they agree with each other, and measures with them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from polyseme.meta.preferences.agreement import AgreementTable, Aligned, Reliability
from polyseme.reporting.measure_names import AD_HOC, family_of, without_what_all_share
from polyseme.tables import Cell, Column, Row, Table, labels

_BARE = Column("", bare=True, decimals=3)


def reliability(found: Reliability) -> Table:
    """Krippendorff's alpha of all judges and without each (Sakai and Zeng 2019, table 4)."""
    judges = list(dict.fromkeys(judge for each in found.matrices for judge in each.without))
    most = max(each.judges for each in found.matrices)
    rows: list[Row] = []
    for each in found.matrices:
        alphas = [each.without.get(judge) for judge in judges]
        cells: list[Cell] = [_BARE.shown(each.alpha.value)]
        cells += ["" if alpha is None else _BARE.shown(alpha.value) for alpha in alphas]
        rows.append((each.name, *cells))
    triplets = sorted({each.triplets for each in found.matrices})
    return Table(
        (
            *labels(""),
            Column(f"All {most}"),
            *(Column(judge, group="Leave One Out") for judge in judges),
        ),
        rows,
        f"Krippendorff's alpha for all {most} judges and leave-one-out data "
        f"({' and '.join(f'{number:,}' for number in triplets)} topic-SERP-SERP triplets).",
        bold=frozenset(),
    )


def agreement(*found: AgreementTable, names: Sequence[str] = ()) -> Table:
    """Agreement of measures with preferences, the best measure first.

    Sakai and Zeng 2019, tables 5 and 6: all data and those of high agreement side by side; ad hoc
    measures are bold.
    """
    every = list(dict.fromkeys(row.measure for each in found for row in each.measures))
    short, shared = without_what_all_share(every)
    called = dict(zip(every, short, strict=True))
    columns: list[Column] = []
    blocks: list[list[Row]] = []
    bold: set[tuple[int, int]] = set()
    for place, each in enumerate(found):
        group = _group(each, place, names) if len(found) > 1 else ""
        heads = ("agree", "disagree", "τ with 95% CI")
        columns += [
            Column("Measure", "label", group=group),
            *(Column(name, group=group) for name in heads),
        ]
        ranked = sorted(each.measures, key=lambda row: _first_the_best(row.tau))
        blocks.append([_row(row, called) for row in ranked])
        for number, row in enumerate(ranked):
            if family_of(row.measure) == AD_HOC:
                bold |= {(number, 4 * place + column) for column in range(4)}
    longest = max(map(len, blocks))
    empty: Row = (None,) * 4
    rows = [
        tuple(cell for block in blocks for cell in (block[n] if n < len(block) else empty))
        for n in range(longest)
    ]
    one = f" (P = {found[0].pairs:,} SERP pairs)" if len(found) == 1 else ""
    return Table(
        tuple(columns),
        rows,
        f"Agreement with {found[0].name} preference data{one}"
        + (f"; {shared}" if shared else "")
        + ". Ad hoc measures are bold.",
        bold=frozenset(bold),
    )


def _group(found: AgreementTable, place: int, names: Sequence[str]) -> str:
    usual = "full data" if found.at_least is None else "high-agreement data"
    said = names[place] if place < len(names) and names[place] else usual
    return f"({'abcdefghij'[place % 10]}) {said} (P = {found.pairs:,} SERP pairs)"


def _row(row: Aligned, called: dict[str, str]) -> Row:
    tau = f"{_BARE.shown(row.tau)} [{_BARE.shown(row.low)}, {_BARE.shown(row.high)}]"
    return called[row.measure], row.agree, row.disagree, tau


def _first_the_best(tau: float) -> float:
    return math.inf if math.isnan(tau) else -tau
