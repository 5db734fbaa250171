"""polyseme's measures in ir_measures. Importing this has ir_measures know them.

``ir_measures.parse_measure("D_sharp_nDCG(gamma=0.3)@10")`` and the measures here,
``D_sharp_nDCG(gamma=0.3) @ 10``, go wherever measures of ir_measures go. The names are those of the
catalogue in letters, digits and underscores. Where ir_measures has a measure of that name, ours has
``polyseme_`` in front: ``ERR_IA`` is the official program's, ``polyseme_ERR_IA`` the graded one.
"""

from __future__ import annotations

from typing import Any

from polyseme.errors import MissingExtra

try:
    import ir_measures as _ir_measures
except ImportError:
    raise MissingExtra("ir_measures", "ir") from None

from polyseme.ir_measures.measures import ALL, IntentMeasure, register
from polyseme.ir_measures.providers import Evaluator, Provider, prefer

__all__ = ["Evaluator", "IntentMeasure", "Provider", "prefer"]

register()
if _ir_measures.providers.registry.get(Provider.NAME) is None:
    _ir_measures.providers.register(Provider())
    _ir_measures.DefaultPipeline.providers.append(Provider(official=False))

_BY_NAME = {each.__name__: each for each in ALL.values()}


def __getattr__(name: str) -> Any:
    if name not in _BY_NAME:
        raise AttributeError(f"module {__name__!r} has no measure {name!r}")
    return _BY_NAME[name]


def __dir__() -> list[str]:
    return sorted([*__all__, *_BY_NAME])
