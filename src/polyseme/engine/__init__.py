"""The same work on many pieces: one after another, in threads or in processes."""

from polyseme.engine.partitions import ENGINES, Engine, map_partitions

__all__ = ["ENGINES", "Engine", "map_partitions"]
