"""Names of measures as identifiers: ``D#-nDCG`` is ``D_sharp_nDCG``."""

from __future__ import annotations

import re

#: in front of names that ir_measures has given to measures of its own
PREFIX = "polyseme_"
#: parameters that are words of Python
_WORDS = {"lambda": "lambda_"}


def identifier(name: str) -> str:
    """The measure's name in letters, digits and underscores."""
    words = re.sub(r"(?<=\w)#", "_sharp", name).replace("+", "_plus_")
    return re.sub(r"\W+", "_", words)


def parameter(name: str) -> str:
    """A parameter's name as it can be said in a call."""
    return _WORDS.get(name, name)
