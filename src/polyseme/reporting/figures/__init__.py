"""Figures of findings.

``figure(found)`` makes one, as does ``found.plot()``; ``KINDS`` lists them. A figure is saved as
HTML, SVG, PNG or PDF, and several stand in one page with ``page`` or ``element``.
"""

from polyseme.reporting.figures.kinds import KINDS, figure, kinds_of
from polyseme.reporting.figures.picture import Chart, Drawing, Figure
from polyseme.reporting.kinds import Kind, Option

__all__ = ["KINDS", "Chart", "Drawing", "Figure", "Kind", "Option", "figure", "kinds_of"]
