"""Tables as the papers set them, of what polyseme finds.

``table_of(found)`` makes one, as does ``found.table(kind)``; ``KINDS`` lists them.
"""

from polyseme.reporting.papers.kinds import KINDS, report_as, table_of, written

__all__ = ["KINDS", "report_as", "table_of", "written"]
