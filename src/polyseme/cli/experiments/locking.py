"""The lock of an experiment: of what each file was made, and so whether it has to be made again."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from polyseme import __version__
from polyseme.atomic import write_atomically
from polyseme.cli.experiments.declaration import Experiment, Step
from polyseme.cli.installation import version_of

NAME = "experiment.lock.json"
#: what numbers hang on, and what figures hang on besides
_PACKAGES = ("numpy", "scipy")
_DRAWING = ("vl-convert-python",)
#: files that say when they were made, so that no two are alike
_DATED = (".pdf",)
#: files inside of arguments, such as weights=FILE
_INSIDE = re.compile(r"=([^,()\s]+)")


def digest(path: Path | str) -> str:
    """What a file holds, in 64 letters."""
    held = hashlib.sha256()
    with open(path, "rb") as stream:
        while block := stream.read(1 << 20):
            held.update(block)
    return held.hexdigest()


@cache
def versions(*, drawing: bool) -> dict[str, str]:
    """Of polyseme and of what its numbers, or its figures, hang on."""
    packages = (*_PACKAGES, *(_DRAWING if drawing else ()))
    return {"polyseme": __version__, **{name: version_of(name) or "none" for name in packages}}


@dataclass
class Inputs:
    """Digests of files, each read once."""

    held: dict[str, str] = field(default_factory=dict)

    def of(self, step: Step) -> dict[str, str]:
        """Of every file that a step is told of, as seen from the folder in which it works."""
        names = dict.fromkeys(
            name
            for request in step.requests
            for argument in request.arguments
            for name in _names(argument)
        )
        return {name: self._digest(name) for name in sorted(names) if os.path.isfile(name)}

    def _digest(self, name: str) -> str:
        if name not in self.held:
            self.held[name] = digest(name)
        return self.held[name]


def _names(argument: str) -> Iterator[str]:
    yield argument
    yield from _INSIDE.findall(argument)
    # a command line of somebody's program, or a list of files
    yield from argument.replace(",", " ").split()


@dataclass(frozen=True)
class Record:
    """Of what a step's files were made, and what they are."""

    made_of: Mapping[str, Any]
    files: Mapping[str, str]
    notes: tuple[str, ...] = ()

    @classmethod
    def wanted(cls, step: Step, inputs: Inputs) -> Record:
        """What the files of a step should be made of; their digests are not known yet."""
        made_of = {
            "asked": [[each.finder.name, *each.arguments] for each in step.requests],
            "kind": None if step.kind is None else step.kind.name,
            "names": list(step.names),
            "options": {name: step.options[name] for name in sorted(step.options)},
            "look": {name: step.look[name] for name in sorted(step.look)},
            "inputs": inputs.of(step),
            "versions": versions(drawing=step.section != "tables"),
        }
        return cls(json.loads(json.dumps(made_of)), dict.fromkeys(step.files().values(), ""))

    def outdated(self, before: Record | None, folder: Path) -> str | None:
        """Why a step's files have to be made; None where they are there and as they should be."""
        if before is None:
            return "new"
        for name, value in self.made_of["versions"].items():
            old = before.made_of["versions"].get(name)
            if old != value:
                return f"{name} {old} became {value}"
        old_inputs, inputs = before.made_of["inputs"], self.made_of["inputs"]
        for name in sorted({*old_inputs, *inputs}):
            if old_inputs.get(name) != inputs.get(name):
                gone, came = name not in inputs, name not in old_inputs
                return (
                    f"{name} {'is not used any more' if gone else 'is new' if came else 'changed'}"
                )
        if any(before.made_of.get(name) != value for name, value in self.made_of.items()):
            return "its declaration changed"
        for name in self.files:
            if name not in before.files:
                return f"{name} is wanted too"
            if not (folder / name).is_file():
                return f"{name} is gone"
            if before.files[name] and digest(folder / name) != before.files[name]:
                return f"{name} was changed"
        return None

    def written(self, folder: Path, notes: tuple[str, ...]) -> Record:
        """The same once the files are there."""
        files = {
            name: "" if name.endswith(_DATED) else digest(folder / name) for name in self.files
        }
        return Record(self.made_of, files, notes)


@dataclass
class Lock:
    """The records of all steps, by title."""

    head: dict[str, Any] = field(default_factory=dict)
    steps: dict[str, Record] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path) -> Lock:
        """What a folder's lock says; nothing where there is none that can be understood."""
        try:
            held = json.loads((folder / NAME).read_text(encoding="utf-8"))
            steps = {
                title: Record(each["made of"], each["files"], tuple(each["notes"]))
                for title, each in held.pop("steps").items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return cls()
        return cls(held, steps)

    def write(self, folder: Path, experiment: Experiment) -> None:
        """Keep it; it says nothing of times and of the machine."""
        held = {
            "experiment": experiment.title,
            "seed": experiment.seed,
            "versions": {"python": platform.python_version(), **versions(drawing=True)},
            "steps": {
                title: {
                    "made of": each.made_of,
                    "files": each.files,
                    "notes": list(each.notes),
                }
                for title, each in self.steps.items()
            },
        }
        with write_atomically(folder / NAME) as stream:
            json.dump(held, stream, indent=1, ensure_ascii=False)
            stream.write("\n")
