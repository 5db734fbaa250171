"""The same work on many pieces: one after another, in threads, processes or a cluster."""

from polyseme.engine.outcomes import EngineError, PartitionError
from polyseme.engine.partitions import (
    ENGINES,
    EXPECTED_ENGINE,
    Engine,
    check_engine,
    is_cluster,
    map_partitions,
    running,
)

__all__ = [
    "ENGINES",
    "EXPECTED_ENGINE",
    "Engine",
    "EngineError",
    "PartitionError",
    "check_engine",
    "is_cluster",
    "map_partitions",
    "running",
]
