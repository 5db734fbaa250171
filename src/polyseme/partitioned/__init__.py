"""Evaluation of collections larger than memory, partition by partition."""

from polyseme.partitioned.evaluation import evaluate_partitions
from polyseme.partitioned.means import PartitionedScores

__all__ = ["PartitionedScores", "evaluate_partitions"]
