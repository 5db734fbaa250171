"""Measuring the measures: how well each tells runs apart, and with whom it agrees."""

from polyseme.meta.concordance import Concordance, concordance
from polyseme.meta.discrimination import Discrimination, discriminate
from polyseme.meta.grid import GridValues, grid_sensitivity
from polyseme.meta.grid_of_runs import grid_power, grid_tau
from polyseme.meta.preferences import (
    AgreementTable,
    Choice,
    Preferences,
    Reliability,
    Triplet,
    choose_triplets,
    preference_agreement,
    read_preferences,
    read_triplets,
    reliability,
)
from polyseme.meta.selection import Sensitivity, selection_sensitivity
from polyseme.meta.unanimity import Unanimity, unanimity
from polyseme.meta.variants import Grid

__all__ = [
    "AgreementTable",
    "Choice",
    "Concordance",
    "Discrimination",
    "Grid",
    "GridValues",
    "Preferences",
    "Reliability",
    "Sensitivity",
    "Triplet",
    "Unanimity",
    "choose_triplets",
    "concordance",
    "discriminate",
    "grid_power",
    "grid_sensitivity",
    "grid_tau",
    "preference_agreement",
    "read_preferences",
    "read_triplets",
    "reliability",
    "selection_sensitivity",
    "unanimity",
]
