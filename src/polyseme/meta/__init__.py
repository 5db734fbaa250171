"""Measuring the measures: how well each tells runs apart, and whether they agree."""

from polyseme.meta.concordance import Concordance, concordance
from polyseme.meta.discrimination import Discrimination, discriminate
from polyseme.meta.grid import GridValues, grid_sensitivity
from polyseme.meta.grid_of_runs import grid_power, grid_tau
from polyseme.meta.selection import Sensitivity, selection_sensitivity
from polyseme.meta.unanimity import Unanimity, unanimity
from polyseme.meta.variants import Grid

__all__ = [
    "Concordance",
    "Discrimination",
    "Grid",
    "GridValues",
    "Sensitivity",
    "Unanimity",
    "concordance",
    "discriminate",
    "grid_power",
    "grid_sensitivity",
    "grid_tau",
    "selection_sensitivity",
    "unanimity",
]
