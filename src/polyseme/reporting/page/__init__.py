"""A report on runs: one page that answers five questions, for readers who have only the page.

``assess`` finds out what there is to tell from judgments and runs, ``assess_scores`` from scores;
the :class:`Assessment` holds it and writes the page.
"""

from polyseme.reporting.page.assessing import assess, assess_scores
from polyseme.reporting.page.assessment import Assessment, Judgments
from polyseme.reporting.page.parts import Answer

__all__ = ["Answer", "Assessment", "Judgments", "assess", "assess_scores"]
