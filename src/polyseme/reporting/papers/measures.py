"""Tables of measures: how they correlate, agree, discriminate, respond and behave."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import product

from polyseme.errors import PolysemeError
from polyseme.meta.discrimination import Discrimination
from polyseme.meta.grid import GridValues
from polyseme.meta.properties import PropertyAnalysis
from polyseme.meta.properties.analysis import INDUCED
from polyseme.meta.properties.relations import SAID
from polyseme.meta.unanimity import Unanimity
from polyseme.meta.variants import DSHARP
from polyseme.reporting.measure_names import AD_HOC, family_of, without_what_all_share
from polyseme.statistics.correlation import Correlation
from polyseme.statistics.ranking import Correlations
from polyseme.tables import Cell, Column, Row, Table, labels

#: what a cell says of two rankings
SHOWN = ("tau", "tau-ap", "interval")
_ALONE = Column("", bare=True, decimals=3)
_AMONG_OTHERS = Column("", decimals=2)


def correlation(*found: Correlations, names: Sequence[str] = (), show: str | None = None) -> Table:
    """Rank correlations above the diagonal.

    Sakai 2013, table 3 (``tau-ap``), Sakai and Zeng 2019, table 1 (``interval``), Golbus et al.
    2013, tables 5 to 8 (several collections, their values in one cell; a part a mean over topics).
    """
    told = show or ("tau" if len(found) > 1 else "tau-ap")
    if told not in SHOWN:
        raise PolysemeError(f"show must be {', '.join(SHOWN)}. Got {show!r} instead.")
    if any(each.names != found[0].names for each in found):
        raise PolysemeError("rankings of different measures or means cannot stand side by side")
    measures, means = _measures_and_means(found[0].names)
    if len(measures) == 1 or not means:
        corner = measures[0] if len(measures) == 1 else ""
        every = means or measures
        columns, rows = _triangle(found, dict(zip(every, found[0].names, strict=True)), told)
        parts: dict[int, str] = {}
    else:
        corner, rows, parts, columns = "", [], {}, ()
        for mean in means:
            held = {measure: f"{measure} [{mean}]" for measure in measures}
            columns, more = _triangle(found, held, told)
            parts[len(rows)] = mean
            rows += more
    said = {"tau": "Kendall's τ", "tau-ap": "τ/τap", "interval": "Kendall's τ with 95% CIs"}[told]
    over = f" ({' / '.join(names)})" if len(found) > 1 and names else ""
    short, shared = without_what_all_share(measures)
    renamed = dict(zip(measures, short, strict=True))
    return Table(
        (
            Column(renamed.get(corner, corner), "label"),
            *(Column(renamed.get(name, name)) for name in columns),
        ),
        [(renamed.get(str(row[0]), row[0]), *row[1:]) for row in rows],
        f"{said}{over} between rankings of {' / '.join(str(each.runs) for each in found)} runs"
        + (f"; {shared}." if shared else "."),
        parts=parts,
        bold=frozenset(),
    )


def _measures_and_means(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """What rankings are called: measures, or measures with means over topics in brackets."""
    pieces = [re.fullmatch(r"(.*) \[(.*)\]", name) for name in names]
    if not all(pieces):
        return list(names), []
    held = [piece.groups() for piece in pieces if piece]
    return list(dict.fromkeys(m for m, _ in held)), list(dict.fromkeys(m for _, m in held))


def _triangle(
    found: Sequence[Correlations], held: Mapping[str, str], told: str
) -> tuple[tuple[str, ...], list[Row]]:
    """Rows of what is above the diagonal; names are those shown, by those of the rankings."""
    shown = list(held)
    rows: list[Row] = []
    for number, name in enumerate(shown[:-1]):
        cells: list[Cell] = [name]
        for place, other in enumerate(shown[1:], 1):
            pairs = [each.of(held[name], held[other]) for each in found] if place > number else []
            cells.append(" / ".join(_told(pair, told, len(found)) for pair in pairs) or "-")
        rows.append(tuple(cells))
    return tuple(shown[1:]), rows


def _told(pair: Correlation, told: str, several: int) -> str:
    column = _ALONE if several == 1 else _AMONG_OTHERS
    if told == "tau":
        return column.shown(pair.tau)
    if told == "tau-ap":
        return f"{column.shown(pair.tau)}/{column.shown(pair.tau_ap)}"
    return f"{column.shown(pair.tau)} [{column.shown(pair.low)}, {column.shown(pair.high)}]"


def unanimity(found: Unanimity) -> Table:
    """From the most unanimous measure to the least one, in two halves.

    Sakai and Zeng 2019, table 2; ad hoc measures are bold.
    """
    order = sorted(found.values.items(), key=lambda each: -_or_least(each[1]))
    names, shared = without_what_all_share([name for name, _ in order])
    value = Column("", bare=True)
    rows: list[Row] = [
        (short, value.shown(number)) for short, (_, number) in zip(names, order, strict=True)
    ]
    adhoc = {n for n, (name, _) in enumerate(order) if family_of(name) == AD_HOC}
    return _halved(
        (*labels("Measure"), Column("Unanimity")),
        rows,
        {(row, column) for row in adhoc for column in (0, 1)},
        f"Unanimity scores based on all {len(rows)} measures{_also(shared)}. Ad hoc measures are "
        "bold.",
    )


def _halved(
    columns: tuple[Column, ...], rows: list[Row], bold: set[tuple[int, int]], caption: str
) -> Table:
    """The second half of many rows beside the first."""
    if len(rows) < 12:
        return Table(columns, rows, caption, bold=frozenset(bold))
    half, wide = math.ceil(len(rows) / 2), len(columns)
    empty: Row = (None,) * wide
    beside = [(*rows[n], *(rows[half + n] if half + n < len(rows) else empty)) for n in range(half)]
    moved = {(row, column) if row < half else (row - half, column + wide) for row, column in bold}
    return Table((*columns, *columns), beside, caption, bold=frozenset(moved))


def discrimination(found: Discrimination) -> Table:
    """Significantly different pairs and the smallest significant difference.

    Sakai and Zeng 2019, table 3; ad hoc measures are bold.
    """
    order = sorted(found.powers, key=lambda each: -each.power)
    names, shared = without_what_all_share([each.measure for each in order])
    rows: list[Row] = [
        (
            short,
            f"{each.significant}/{each.pairs} = {each.power:.1%}",
            _smallest(each.min_delta),
        )
        for short, each in zip(names, order, strict=True)
    ]
    adhoc = [n for n, each in enumerate(order) if family_of(each.measure) == AD_HOC]
    pairs = order[0].pairs if order else 0
    return Table(
        (
            *labels("Measure"),
            Column("Significantly diff. pairs"),
            Column("Minimum Δ"),
        ),
        rows,
        f"Discriminative power at the {found.level:.0%} significance level for {pairs:,} run pairs"
        f"{_also(shared)}. Ad hoc measures are bold.",
        bold=frozenset((row, column) for row in adhoc for column in range(3)),
    )


def _smallest(delta: float) -> str:
    """Two decimals, as the paper has them; more where these would be nothing."""
    digits = 2 if not 0 < delta < 0.005 else 1 - math.floor(math.log10(delta))
    return Column("", decimals=digits, bare=True).shown(delta)


def maxima(*found: GridValues, names: Sequence[str] = ()) -> Table:
    """The largest values over alpha and lambda.

    Golbus et al. 2013: table 9 for power, with a column a collection, and table 10 for sensitivity.
    """
    first = found[0]
    if any(each.grid != first.grid or each.what != first.what for each in found):
        raise PolysemeError("maxima of different grids cannot stand side by side")
    if len(found) == 1 and first.means != ("",):
        return _sensitivities(first)
    grid = first.grid
    rows: list[Row] = []
    starts = []
    for discount in grid.discounts:
        starts.append(len(rows))
        for average, cutoff, mean in product(grid.averages, grid.cutoffs, first.means):
            said: list[Cell] = [discount if len(rows) == starts[-1] else None, average]
            said += [mean] if len(first.means) > 1 else []
            said += [str(cutoff)] if len(grid.cutoffs) > 1 else []
            values = (each.best(average, discount, cutoff, mean) for each in found)
            rows.append((*said, *values))
    about = [*labels("Discount", "Subtopic")]
    about += labels("Topic") if len(first.means) > 1 else ()
    about += labels("Rank") if len(grid.cutoffs) > 1 else ()
    shown = [f"{name} Max".strip() for name in (*names, *[""] * len(found))[: len(found)]]
    rank = f" at rank {grid.cutoffs[0]}" if len(grid.cutoffs) == 1 else ""
    return Table(
        (*about, *(Column(name, decimals=3) for name in shown)),
        rows,
        f"Maximum {_NOUN[first.what]} observed over α and λ{rank}.",
        rules=frozenset(starts[1:]),
        bold=frozenset(),
    )


_NOUN = {
    "power": "discriminative power",
    "sensitivity": "document selection sensitivity",
    "tau": "rank correlation",
}


def _sensitivities(found: GridValues) -> Table:
    """A row a mean over topics, mean over subtopics and rank; a column a discount."""
    grid = found.grid
    rows: list[Row] = []
    starts = []
    for mean in found.means:
        starts.append(len(rows))
        for average in grid.averages:
            for place, cutoff in enumerate(grid.cutoffs):
                said: Row = (
                    mean if len(rows) == starts[-1] else None,
                    average if not place else None,
                    str(cutoff),
                )
                best = (found.best(average, discount, cutoff, mean) for discount in grid.discounts)
                rows.append((*said, *best))
    return Table(
        (
            *labels("Topic", "Subtopic", "Rank"),
            *(Column(name, decimals=3, group="Max") for name in grid.discounts),
        ),
        rows,
        f"Maximum observed {_NOUN[found.what]}; {DSHARP} has no α.",
        rules=frozenset(starts[1:]),
        bold=frozenset(),
    )


def properties(found: PropertyAnalysis, *, every: bool = False) -> Table:
    """Which measures violate which properties (Albahem et al. 2018, table 1).

    Those that violate nothing are counted in the caption, unless ``every`` one is wanted.
    """
    asked = [
        name
        for name in dict.fromkeys(each.property_name for each in found.findings)
        if not name.startswith(f"{INDUCED}:")
    ]
    said: dict[str, str] = {str(name): text for name, text in SAID.items()}
    heads = [_inequality(said[name]) if name in said else name.capitalize() for name in asked]
    wrong = [n for n in found.names if not all(found.of(n, each).holds for each in asked)]
    rows: list[Row] = [
        (name, *(_verdict(found, name, each) for each in asked))
        for name in (found.names if every else wrong)
    ]
    holding = len(found.names) - len(wrong)
    return Table(
        (*labels("Metric"), *(Column(head, "label", group="Properties") for head in heads)),
        rows,
        f"Violations when considering all rankings of up to {found.rankings.length} documents; "
        f"× and ✓ say whether a property is violated or not. {holding} of {len(found.names)} "
        "measures violate nothing.",
        bold=frozenset(),
    )


def _inequality(said: str) -> str:
    """``S x <= S`` as the paper writes it: m(S·x) ≤ m(S)."""
    low, high = (side.strip().replace(" ", "·") for side in said.split("<="))
    return f"m({low}) ≤ m({high})"


def _verdict(found: PropertyAnalysis, name: str, asked: str) -> str:
    held = found.of(name, asked)
    return "-" if not held.cases else "✓" if held.holds else "×"


def _or_least(value: float) -> float:
    return -math.inf if math.isnan(value) else value


def _also(shared: str) -> str:
    return f" ({shared})" if shared else ""
