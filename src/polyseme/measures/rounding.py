"""Numbers as programs hand them to each other: printed with few digits and read again."""

from __future__ import annotations

import numpy as np

from polyseme.groups import Floats
from polyseme.values import Value


class Rounding(Value):
    """How a global gain is written on its way: formats of C's printf.

    The products Pr(i) g_i and their sum are rounded by ``sum``, and the sum once more where it
    stands in a system's list, by ``system``, or in the ideal list, by ``ideal``.
    """

    sum: str = "%.6g"
    system: str = "%.4f"
    ideal: str = "%.6g"


def written(values: Floats, form: str) -> Floats:
    """What is left of each value once it has been printed and read."""
    distinct, place = np.unique(values, return_inverse=True)
    rounded = np.array([float(form % value) for value in distinct.tolist()])
    return rounded[place.reshape(-1)] if len(rounded) else values
