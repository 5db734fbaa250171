"""Statistics: how rankings and judges agree, and which differences are more than chance."""

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
from polyseme.statistics.reliability import (
    Alpha,
    Pearson,
    krippendorff_alpha,
    leave_one_out_alphas,
    pearson,
)
from polyseme.statistics.significance import TukeyHSD, complete_matrix, tukey_hsd

__all__ = [
    "Agreement",
    "Alpha",
    "Comparison",
    "Correlation",
    "Pearson",
    "TukeyHSD",
    "agreement",
    "compare",
    "complete_matrix",
    "correlation",
    "kendall_tau",
    "krippendorff_alpha",
    "leave_one_out_alphas",
    "pearson",
    "symmetric_tau_ap",
    "tau_ap",
    "tukey_hsd",
]
