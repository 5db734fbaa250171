"""Pools and whether the judgments made from them can be used again."""

from polyseme.reuse.description import Description, describe
from polyseme.reuse.estimates import Estimate
from polyseme.reuse.explanation import Explanation, explain
from polyseme.reuse.leave_one_out import LeaveOneOut, leave_one_out
from polyseme.reuse.merging import Merged, merge
from polyseme.reuse.pool_depth import DepthSignificance, DepthStudy, depth_study
from polyseme.reuse.pools import Contributions, Pool, PoolDepth, pool

__all__ = [
    "Contributions",
    "DepthSignificance",
    "DepthStudy",
    "Description",
    "Estimate",
    "Explanation",
    "LeaveOneOut",
    "Merged",
    "Pool",
    "PoolDepth",
    "depth_study",
    "describe",
    "explain",
    "leave_one_out",
    "merge",
    "pool",
]
