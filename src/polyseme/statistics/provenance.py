"""What every output of a test says of how it was made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def tested(made: Mapping[str, Any], **said: Any) -> dict[str, Any]:
    """The scores' own provenance, and the test's: B, seed, correction."""
    return {**made, **said}
