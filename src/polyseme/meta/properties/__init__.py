"""Formal properties of measures: which relations between short rankings their scores respect."""

from polyseme.meta.properties.analysis import (
    PropertyAnalysis,
    Truncation,
    check_properties,
    truncation,
)
from polyseme.meta.properties.checking import CounterExample, Finding
from polyseme.meta.properties.files import documents_of, write_lists
from polyseme.meta.properties.programs import Command
from polyseme.meta.properties.rankings import Rankings
from polyseme.meta.properties.relations import PROPERTIES, Relations

__all__ = [
    "PROPERTIES",
    "Command",
    "CounterExample",
    "Finding",
    "PropertyAnalysis",
    "Rankings",
    "Relations",
    "Truncation",
    "check_properties",
    "documents_of",
    "truncation",
    "write_lists",
]
