"""Judge x triplet matrices: what they hold, how reliable it is, and what the majority prefers.

Sakai and Zeng 2019, section 6.2: a cell is 1 where the judge found the left list better, 3 where
the right one, 2 where both were irrelevant; it is empty where the judge did not say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from polyseme.errors import PolysemeError, did_you_mean
from polyseme.groups import Bools, Floats, Ints
from polyseme.statistics.reliability import Alpha, krippendorff_alpha, leave_one_out_alphas
from polyseme.tables import Column, Report, Row, Table, labels

NOT_JUDGED, LEFT, BOTH_IRRELEVANT, RIGHT = 0, 1, 2, 3

Cells = npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Preferences:
    """Answers of judges (rows) to one question about triplets (columns)."""

    judges: tuple[str, ...]
    #: the triplets' names
    triplets: tuple[str, ...]
    cells: Cells
    #: what the question is called
    name: str = "preferences"

    def __post_init__(self) -> None:
        if self.cells.shape != (len(self.judges), len(self.triplets)):
            raise PolysemeError(
                f"{self.cells.shape} answers for {len(self.judges)} judges and "
                f"{len(self.triplets)} triplets"
            )
        if self.cells.size and not ((self.cells >= NOT_JUDGED) & (self.cells <= RIGHT)).all():
            raise PolysemeError("an answer must be 1, 2 or 3, or 0 where there is none")
        for names, what in ((self.judges, "judges"), (self.triplets, "triplets")):
            if len(set(names)) < len(names):
                raise PolysemeError(f"two {what} have one name")

    # ---- counts ---------------------------------------------------------------------------------

    @property
    def answers(self) -> Floats:
        """The cells with NaN where there is none."""
        return np.where(self.cells == NOT_JUDGED, np.nan, self.cells.astype(np.float64))

    def counts(self, answer: int) -> Ints:
        """How many judges gave an answer to each triplet."""
        found: Ints = (self.cells == answer).sum(axis=0)
        return found

    @property
    def lead(self) -> Ints:
        """Left less right answers of each triplet."""
        return self.counts(LEFT) - self.counts(RIGHT)

    # ---- reliability ----------------------------------------------------------------------------

    def alpha(self) -> Alpha:
        """Krippendorff's alpha of the answers as nominal ones."""
        return krippendorff_alpha(self.answers)

    def leave_one_out(self) -> dict[str, Alpha]:
        """Alpha without each judge."""
        return dict(zip(self.judges, leave_one_out_alphas(self.answers), strict=True))

    # ---- parts ----------------------------------------------------------------------------------

    @property
    def usual_agreement(self) -> int:
        """How many judges must agree where it is not said: 9 of 15, else three fifths, rounded up.

        Of as many judges as a triplet has at most, since each may be given to some judges only.
        """
        judged = (self.cells != NOT_JUDGED).sum(axis=0)
        return -(-3 * int(judged.max(initial=0)) // 5)

    def high_agreement(self, at_least: int | None = None) -> Preferences:
        """The triplets on which that many judges agree which list is better."""
        wanted = self.usual_agreement if at_least is None else at_least
        if wanted < 1:
            raise PolysemeError(f"at_least must be 1 or more. Got {wanted} instead.")
        return self._kept(np.maximum(self.counts(LEFT), self.counts(RIGHT)) >= wanted)

    def select(self, triplets: Iterable[str]) -> Preferences:
        """Some triplets, in the order asked for."""
        place = {name: number for number, name in enumerate(self.triplets)}
        wanted = list(triplets)
        for name in wanted:
            if name not in place:
                hint = did_you_mean(name, self.triplets)
                raise PolysemeError(f"there is no triplet {name!r}" + (f"; {hint}" if hint else ""))
        chosen = [place[name] for name in wanted]
        return replace(self, triplets=tuple(wanted), cells=self.cells[:, chosen])

    def _kept(self, kept: Bools) -> Preferences:
        names = tuple(name for name, stays in zip(self.triplets, kept, strict=True) if stays)
        return replace(self, triplets=names, cells=self.cells[:, kept])

    # ---- what the majority prefers --------------------------------------------------------------

    def majority(self) -> dict[str, int]:
        """1 or 3 for each triplet: which list more judges found better. Ties are left out."""
        return {
            name: LEFT if lead > 0 else RIGHT
            for name, lead in zip(self.triplets, self.lead.tolist(), strict=True)
            if lead
        }

    @property
    def tied(self) -> int:
        """Triplets for which as many judges said left as said right."""
        return int((self.lead == 0).sum())

    # ---- out ------------------------------------------------------------------------------------

    def report(self) -> Report:
        """The matrix: a row a judge, a column a triplet, empty where there is no answer."""
        columns = (*labels("judge"), *map(Column, self.triplets))
        return Report(Table(columns, list(self._rows())))

    def _rows(self) -> Iterator[Row]:
        for judge, row in zip(self.judges, self.cells.tolist(), strict=True):
            yield judge, *(cell or None for cell in row)


def of_answers(
    judges: Sequence[str],
    triplets: Sequence[str],
    answers: Iterable[tuple[str, str, int]],
    *,
    name: str = "preferences",
) -> Preferences:
    """A matrix from single answers: judge, triplet, and 1, 2 or 3. A later one counts."""
    row = {judge: place for place, judge in enumerate(judges)}
    column = {triplet: place for place, triplet in enumerate(triplets)}
    cells = np.zeros((len(row), len(column)), np.int8)
    for judge, triplet, answer in answers:
        cells[row[judge], column[triplet]] = answer
    return Preferences(tuple(judges), tuple(triplets), cells, name)
