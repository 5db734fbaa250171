"""What an analysis finds: a frozen object that people read as tables and programs as rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from polyseme.hypertext import report_html
from polyseme.tables import Report, Table

if TYPE_CHECKING:
    from polyseme.reporting.figures import Figure


class Findings(ABC):
    """What can be told as a report and drawn as a figure."""

    @abstractmethod
    def report(self) -> Report:
        """Rows for programs, tables for people, notes and provenance."""

    def plot(self, kind: str | None = None, **options: Any) -> Figure:
        """A figure of the findings: of the kind that is named, else of the usual one.

        ``save`` writes it as HTML, SVG, PNG or PDF; ``chart()`` is the Altair chart, to be changed
        as one likes. The kinds and their options are those of ``polyseme plot``.
        """
        from polyseme.reporting.figures import figure

        return figure(self, kind, **options)

    def written(self, form: str = "markdown", kind: str | None = None, **options: Any) -> str:
        """As text in a format (table, markdown, latex, html, csv, json), perhaps of a kind."""
        from polyseme.reporting.papers import written

        return written(self, form, kind, **options)


class Result(Findings):
    """The findings of one analysis. Subclasses are frozen dataclasses that say ``report``."""

    def table(self, kind: str | None = None, **options: Any) -> Table:
        """The table that people see first; of a kind, as a paper sets it.

        The kinds and their options are those of ``polyseme table``.
        """
        if kind is None:
            return self.report().seen[0]
        from polyseme.reporting.papers import table_of

        return table_of(self, kind=kind, **options)

    def to_frame(self, backend: str = "pandas") -> Any:
        """The rows as a frame of pandas, polars, pyarrow, modin or duckdb."""
        return self.report().data.to_frame(backend)

    def to_json(self, *, indent: int | None = None) -> str:
        """One object: provenance, notes, what else is known, and the rows."""
        return self.report().to_json(indent=indent)

    def _repr_html_(self) -> str:
        return report_html(self.report())
