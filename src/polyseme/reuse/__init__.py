"""Pools and whether the judgments made from them can be used again."""

from polyseme.reuse.merging import Merged, merge
from polyseme.reuse.pools import Contributions, Pool, PoolDepth, pool

__all__ = ["Contributions", "Merged", "Pool", "PoolDepth", "merge", "pool"]
