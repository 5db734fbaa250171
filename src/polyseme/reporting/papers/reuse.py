"""Tables of reusing a collection: teams, leaving them out, one topic explained, pool depths."""

from __future__ import annotations

from collections import defaultdict

from polyseme.errors import PolysemeError
from polyseme.measures.means import TopicMean
from polyseme.reporting.kinds import chosen
from polyseme.reporting.measure_names import without_what_all_share
from polyseme.reuse.estimates import BOUNDS, RAW
from polyseme.reuse.explanation import Explanation, Line, Sheet
from polyseme.reuse.leave_one_out import LeaveOneOut
from polyseme.reuse.pool_depth import DepthSignificance
from polyseme.tables import Cell, Column, Row, Table, labels

_VIEWS = {
    RAW: "Raw-list metrics",
    "condensed": "Condensed-list metrics",
    "discounted": "Discounted-list metrics",
}
_USUAL = ("raw", "condensed")


def teams(found: LeaveOneOut) -> Table:
    """Contributions, runs and best run of each team.

    Sakai 2013, table 2; Sakai et al. 2012, table 3.
    """
    score = _best_scores(found)
    rows: list[Row] = [
        (
            *(team, len(found.removed[team].rows), found.removed[team].relevant),
            *(sum(found.teams.of_run[run] == team for run in found.full.runs), best, score[team]),
        )
        for team, best in sorted(found.best.items(), key=lambda each: -score[each[0]])
    ]
    others = [team for team in found.teams.names if team not in found.best]
    total = (
        *("total", sum(int(row[1] or 0) for row in rows), sum(int(row[2] or 0) for row in rows)),
        *(sum(int(row[3] or 0) for row in rows), None, None),
    )
    columns = (
        *labels("team"),
        *map(Column, ("unique contributions", "unique relevant", "runs")),
        *labels("best run"),
        Column(found.best_by, bare=True),
    )
    return Table(
        columns,
        [*rows, total],
        "Teams and runs, sorted by the best run of each."
        + (f" Teams that contributed only: {', '.join(others)}." if others else ""),
        rules=frozenset({len(rows)}),
        bold=frozenset(),
    )


def leave_one_out(found: LeaveOneOut, *, view: tuple[str, ...] = ()) -> Table:
    """What leaving out each team does to its best run (Sakai 2013, tables 5 and 6).

    Two rows a team, differences of scores and ranks before and after; bold is what is effective.
    """
    for each in view:
        chosen(each, _VIEWS, "view")
    wanted = view or _USUAL
    views = [each for each in found.views if each != BOUNDS and each in wanted]
    told = {(each.team, each.base, each.view): each for each in found.best_estimates}
    shown = [
        (base, seen)
        for seen in views
        for base in found.measures
        if any((team, base, seen) in told for team in found.best)
    ]
    form = {(each.base, each.view): each.measure for each in found.best_estimates}
    names, shared = without_what_all_share([form[each] for each in shown])
    letters = {seen: f"({letter})" for seen, letter in zip(views, "abc", strict=False)}
    columns = (
        *labels("team"),
        *(
            Column(name, group=f"{letters[seen]} {_VIEWS[seen]}")
            for name, (_, seen) in zip(names, shown, strict=True)
        ),
    )
    rows: list[Row] = []
    bold: set[tuple[int, int]] = set()
    score = _best_scores(found)
    for team in sorted(found.best, key=lambda team: -score[team]):
        deltas: list[Cell] = [team]
        ranks: list[Cell] = [None]
        for column, (base, seen) in enumerate(shown, 1):
            held = told.get((team, base, seen))
            if held is None:
                deltas.append(None)
                ranks.append(None)
                continue
            deltas.append(_signed(held.delta))
            ranks.append(_change(held.rank, held.rank_loo))
            if seen != RAW and held.effective_absolute:
                bold.add((len(rows), column))
            if seen != RAW and held.effective_relative:
                bold.add((len(rows) + 1, column))
        rows += [tuple(deltas), tuple(ranks)]
    return Table(
        columns,
        rows,
        f"Leave-one-out results{f' ({shared})' if shared else ''}. "
        f"Each team's best run (by {found.best_by}) is scored without what "
        "only that team contributed: in the first row the difference to its score with all "
        f"judgments, in the second its rank before and after among {len(found.full.runs)} runs. "
        "Bold: smaller errors than those of the raw-list metric.",
        rules=frozenset(range(2, len(rows), 2)),
        bold=frozenset(bold),
    )


def _best_scores(found: LeaveOneOut) -> dict[str, float]:
    """Of each team its best run's mean, by the measure that chose it."""
    place = found.full.measures.index(found.best_by)
    mean = dict(
        zip(found.full.runs, found.full.mean_values(TopicMean())[:, place].tolist(), strict=True)
    )
    return {team: mean[run] for team, run in found.best.items()}


def _signed(delta: float) -> str:
    return f"{delta:+.4f}".replace("0.", ".", 1) if abs(delta) < 1 else f"{delta:+.4f}"


def _change(before: int, after: int) -> str:
    arrow = "↓" if after > before else "↑" if after < before else "→"
    return f"{before}{arrow}{after}"


def explanation(found: Explanation) -> Table:
    """An ideal list and one run's, before and after leaving out a team (Sakai 2013, table 4)."""
    sheets = {sheet.view: sheet for sheet in found.sheets}
    team = next((view.partition(" without ")[2] for view in sheets if " without " in view), "")
    after = f" without {team}" if team else ""
    ideal, raw = sheets["ideal"], sheets["raw"]
    condensed = sheets.get(f"condensed{after}")
    columns = [*labels("Rank"), Column("Global gains of ideal list", "label")]
    columns += [
        *labels("docno"),
        Column("Original global (local) gains", "label"),
        *([Column("LOO global (local) gains", "label")] if team else []),
    ]
    columns[2:] = [_grouped(column, "Raw list") for column in columns[2:]]
    if condensed is not None:
        said = f"Condensed list without {team}" if team else "Condensed list"
        columns += [
            _grouped(Column(name, "label"), said)
            for name in ("docno", "global (local) gains", "rank in raw list")
        ]
    left = sheets.get(f"raw{after}") if team else None
    depth = max(len(each.lines) for each in (ideal, raw, condensed or raw))
    rows: list[Row] = []
    for place in range(depth):
        cells: list[Cell] = [str(place + 1), _gain(ideal, place), *_line(raw, place)]
        if left is not None:
            cells.append(_line(left, place)[1])
        if condensed is not None:
            line = _at(condensed, place)
            original = "" if line is None or line.original_rank is None else line.original_rank
            cells += [*_line(condensed, place), str(original)]
        rows.append(tuple(cells))
    values = [
        f"{sheet.view}: " + ", ".join(f"{name} {value:.4f}" for name, value in sheet.values.items())
        for sheet in (raw, left, condensed)
        if sheet is not None
    ]
    return Table(
        tuple(columns),
        rows,
        f"{found.run} on topic {found.topic} with {len(found.intents)} intents"
        + (f", leaving out team {team}" if team else "")
        + ". "
        + "; ".join(values)
        + ".",
        bold=frozenset(),
    )


def _grouped(column: Column, group: str) -> Column:
    return Column(column.name, column.kind, group=group)


def _at(sheet: Sheet, place: int) -> Line | None:
    return sheet.lines[place] if place < len(sheet.lines) else None


def _gain(sheet: Sheet, place: int) -> str:
    line = _at(sheet, place)
    return "" if line is None else line.grades.partition("(")[0]


def _line(sheet: Sheet, place: int) -> tuple[str, str]:
    line = _at(sheet, place)
    return ("", "") if line is None else (line.document, line.grades)


#: what is significant: with both judgments, with the shallower ones only, with the deeper ones only
_MARKS = {"both": "✓", "false alarm": "X", "missed": "(✓)", "neither": ""}


def significance(found: DepthSignificance) -> Table:
    """Which differences between teams' best runs are significant, and which are false alarms.

    Sakai et al. 2012, table 4: a part a measurement depth, a row a pair of runs.
    """
    verdicts: dict[tuple[int | None, str, str], dict[str, str]] = defaultdict(dict)
    measures: list[str] = []
    for measure, a, b, _, _, verdict in found.verdicts():
        name = str(measure)
        if measure.cutoff is not None:
            name = name.rpartition("@")[0]
        if name not in measures:
            measures.append(name)
        verdicts[measure.cutoff, a, b][name] = verdict
    rows: list[Row] = []
    parts: dict[int, str] = {}
    bold: set[tuple[int, int]] = set()
    for place, cutoff in enumerate(dict.fromkeys(key[0] for key in verdicts)):
        mine = {key: held for key, held in verdicts.items() if key[0] == cutoff}
        told = [key for key, held in mine.items() if any(_MARKS[each] for each in held.values())]
        number = ("(I)", "(II)", "(III)", "(IV)", "(V)")[place] if place < 5 else ""
        depth = "" if cutoff is None else f" l = {cutoff}"
        parts[len(rows)] = f"{number}{depth}".strip()
        for key in told or [(cutoff, "none", "")]:
            for column, name in enumerate(measures, 2):
                if mine.get(key, {}).get(name) == "false alarm":
                    bold.add((len(rows), column))
            held = mine.get(key, {})
            cells = (_MARKS[held.get(name, "neither")] for name in measures)
            rows.append((key[1], key[2], *cells))
    if not rows:
        raise PolysemeError("fewer than two teams have runs, so there is nothing to compare")
    return Table(
        (*labels("run", "other run"), *labels(*measures)),
        rows,
        f"Significant differences between each team's best run (by {found.best_by}; randomised "
        f"Tukey HSD, {found.shallow.level:g}). ✓: with pool {found.pool} and with the deeper "
        "judgments; X: a false alarm, with the pool only; (✓): missed, with the deeper ones only.",
        parts=parts,
        bold=frozenset(bold),
    )
