"""Measuring the measures: how well each tells runs apart, and whether they agree."""

from polyseme.meta.concordance import Concordance, concordance
from polyseme.meta.discrimination import Discrimination, discriminate
from polyseme.meta.unanimity import Unanimity, unanimity

__all__ = [
    "Concordance",
    "Discrimination",
    "Unanimity",
    "concordance",
    "discriminate",
    "unanimity",
]
