"""Statistics on scores: how rankings agree, and which differences are more than chance."""

from polyseme.statistics.comparison import Comparison, compare
from polyseme.statistics.correlation import (
    Agreement,
    Correlation,
    agreement,
    correlation,
    kendall_tau,
    symmetric_tau_ap,
    tau_ap,
)
from polyseme.statistics.significance import TukeyHSD, complete_matrix, tukey_hsd

__all__ = [
    "Agreement",
    "Comparison",
    "Correlation",
    "TukeyHSD",
    "agreement",
    "compare",
    "complete_matrix",
    "correlation",
    "kendall_tau",
    "symmetric_tau_ap",
    "tau_ap",
    "tukey_hsd",
]
