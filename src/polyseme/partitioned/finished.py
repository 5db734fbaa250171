"""What is finished is written, and found by whoever runs the same again."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from polyseme.collection.formats.places import Folder
from polyseme.engine import Engine, map_partitions
from polyseme.errors import InputError, PolysemeWarning

REQUEST = "request.json"
_NUMBERS = re.compile(r"\d[\d,.]*")


class Keyed(Protocol):
    """What work is done on."""

    @property
    def key(self) -> str:
        """What its result is called."""

    @property
    def name(self) -> str:
        """What people call it."""


Item = TypeVar("Item", bound=Keyed)
Found = dict[str, Any]


@dataclass(frozen=True)
class _Kept:
    """Work whose result is written as soon as it is there, with the warnings on the way."""

    work: Callable[[Any], Found]
    folder: Folder
    stage: str

    def __call__(self, item: Keyed) -> Found:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", PolysemeWarning)
            found = self.work(item)
        told = [str(each.message) for each in caught if issubclass(each.category, PolysemeWarning)]
        found["told"] = told
        self.folder.write(json.dumps(found).encode(), self.stage, f"{item.key}.json")
        return found


@dataclass(frozen=True)
class Workshop:
    """An engine, and the folder where results are kept."""

    folder: Folder
    engine: Engine
    jobs: int
    progress: Callable[[int, int, str], None] | None = None

    def stage(
        self, stage: str, work: Callable[[Item], Found], items: Sequence[Item]
    ) -> list[Found]:
        """The results of all items, those that were there already included."""
        found: dict[str, Found] = {}
        for item in items:
            content = self.folder.read(stage, f"{item.key}.json")
            if content is not None:
                found[item.key] = json.loads(content)
        rest = [item for item in items if item.key not in found]
        kept = _Kept(work, self.folder, stage)
        self._reached(len(found), len(items), stage)
        results = map_partitions(kept, rest, self.engine, self.jobs)
        for item, result in zip(rest, results, strict=True):
            found[item.key] = result
            self._reached(len(found), len(items), stage)
        return [found[item.key] for item in items]

    def _reached(self, done: int, count: int, stage: str) -> None:
        if self.progress is not None:
            self.progress(done, count, stage)


def begin(folder: Folder, request: Mapping[str, Any], *, memory: int) -> dict[str, Any]:
    """Say in the folder what is evaluated there; an error where that was something else.

    Returned is what stood there, or what stands there now: ``memory`` may be less than before.
    """
    wanted = json.loads(json.dumps(request))
    content = folder.read(REQUEST)
    if content is None:
        if not folder.is_empty():
            raise InputError(
                "the folder is not empty, and no evaluation was begun in it",
                path=folder.name,
                expected="a new folder, or one with an evaluation to go on with",
                remedy="name another folder",
            )
        begun = {**wanted, "memory": memory}
        folder.write(json.dumps(begun, indent=1).encode(), REQUEST)
        return begun
    begun = json.loads(content)
    differing = [
        name
        for name in sorted({*begun, *wanted} - {"memory"})
        if begun.get(name) != wanted.get(name)
    ]
    if differing:
        raise InputError(
            f"another evaluation was begun in the folder: {_difference(begun, wanted, differing)}",
            path=folder.name,
            expected="the same inputs, policies and version as when it was begun",
            remedy="name another folder, or remove this one to evaluate anew",
        )
    if memory < begun["memory"]:
        raise InputError(
            f"the evaluation in the folder was begun with {begun['memory'] >> 20} MB for the work "
            f"of each worker, and now there are {memory >> 20} MB",
            path=folder.name,
            expected="as much memory as when it was begun, or more",
            remedy="say a greater --memory or fewer --jobs, or name another folder",
        )
    return dict(begun)


def _difference(begun: Any, wanted: Any, names: Iterable[str]) -> str:
    told = []
    for name in names:
        then, now = begun.get(name), wanted.get(name)
        if isinstance(then, dict) and isinstance(now, dict):
            inner = [each for each in sorted({*then, *now}) if then.get(each) != now.get(each)]
            told += [
                f"{each} was {_short(then.get(each))}, now {_short(now.get(each))}"
                for each in inner
            ]
        else:
            told.append(f"{name} was {_short(then)}, now {_short(now)}")
    return "; ".join(told[:4]) + (f" and {len(told) - 4} more" if len(told) > 4 else "")


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def tell(results: Iterable[Found]) -> None:
    """The warnings of all partitions, those that differ in numbers only once."""
    alike: dict[str, list[str]] = {}
    for result in results:
        for text in result.get("told", ()):
            alike.setdefault(_NUMBERS.sub("#", text), []).append(text)
    for texts in alike.values():
        more = len(texts) - 1
        also = f" (and alike in {more} more partition{'s' if more > 1 else ''})" if more else ""
        warnings.warn(texts[0] + also, PolysemeWarning, stacklevel=3)
