"""What an experiment file declares: collections, options, and steps that are tables and figures."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from polyseme.cli.experiments.commands import ANALYSES, REPORT, Finder, known_options
from polyseme.cli.experiments.places import Document, Path
from polyseme.errors import PolysemeError, did_you_mean
from polyseme.reporting.figures.drawing import FORMATS as FIGURE_FORMATS
from polyseme.reporting.figures.kinds import KINDS as FIGURES
from polyseme.reporting.formats import FORMATS, SUFFIXES
from polyseme.reporting.kinds import Kind
from polyseme.reporting.papers.kinds import KINDS as TABLES

#: of a file as a whole
_TOP = ("title", "folder", "seed", "collection", "collections", "options", "tables", "figures")
#: of a step, besides options
_STEP = ("command", "kind", "formats", "collection", "collections", "variants", "names")
_INPUTS = ("judgments", "runs", "run")
_USUAL = {"tables": ("csv", "markdown"), "figures": ("svg",)}
#: the collection of those who declare one only
ONLY = "collection"


@dataclass(frozen=True)
class Request:
    """One thing to be found: a command with all that is said to it."""

    finder: Finder
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """One table or figure, in some formats."""

    section: str
    name: str
    requests: tuple[Request, ...]
    formats: tuple[str, ...]
    kind: Kind | None = None
    #: what findings are called where several stand side by side
    names: tuple[str, ...] = ()
    #: of the kind, and of figures: theme and scale
    options: Mapping[str, Any] = field(default_factory=dict)
    look: Mapping[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return self.name if self.section == REPORT else f"{self.section}.{self.name}"

    def files(self) -> dict[str, str]:
        """The file of each format, in the experiment's folder."""
        if self.section == REPORT:
            return {form: f"{self.name}.{form}" for form in self.formats}
        endings = {form: f".{form}" for form in FIGURE_FORMATS}
        if self.section == "tables":
            endings = SUFFIXES
        return {form: f"{self.section}/{self.name}{endings[form]}" for form in self.formats}


@dataclass(frozen=True)
class Experiment:
    """All that a file declares."""

    document: Document
    title: str
    folder: str
    seed: int | None
    steps: tuple[Step, ...]


def declared(document: Document) -> Experiment:
    """What a document declares; whatever is wrong with it is told with its line."""
    return _Reader(document).experiment()


@dataclass
class _Reader:
    document: Document

    def __post_init__(self) -> None:
        self.values = self.document.values
        self.root = os.path.dirname(self.document.name) or "."

    # ---- the whole ----------------------------------------------------------------------------

    def experiment(self) -> Experiment:
        for key in self.values:
            if key not in (*_TOP, REPORT):
                raise self.document.unknown((key,), (*_TOP, REPORT), "an experiment")
        self.seed = self._whole("seed")
        self.collections = self._collections()
        self.common = self._table(("options",))
        self._check_options(("options",), self.common, known_options())
        steps = [*self._steps("tables"), *self._steps("figures"), *self._report()]
        if not steps:
            raise self.document.error(
                (),
                "nothing is declared",
                expected="at least one [tables.NAME], [figures.NAME] or [report]",
                remedy="polyseme experiment init writes a file with examples",
            )
        stem = os.path.splitext(os.path.basename(self.document.name))[0]
        return Experiment(
            self.document,
            self._text("title") or stem,
            self._text("folder") or f"{stem}-results",
            self.seed,
            tuple(steps),
        )

    def _text(self, key: str) -> str | None:
        value = self.values.get(key)
        if value is not None and not isinstance(value, str):
            raise self.document.error((key,), f"{key} must be a text. Got {value!r} instead.")
        return value

    def _whole(self, key: str) -> int | None:
        value = self.values.get(key)
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, int) or value < 0
        ):
            raise self.document.error(
                (key,), f"{key} must be a whole number of 0 or more. Got {value!r} instead."
            )
        return value

    def _table(self, path: Path) -> dict[str, Any]:
        held: Any = self.values
        for piece in path:
            held = held.get(piece, {})
            if not isinstance(held, dict):
                raise self.document.error(
                    path,
                    f"{'.'.join(path)} must be a section. Got {held!r} instead.",
                    remedy=f"write [{'.'.join(path)}] on a line of its own, its keys below",
                )
        return dict(held)

    def _collections(self) -> dict[str, tuple[Path, dict[str, Any]]]:
        found: dict[str, tuple[Path, dict[str, Any]]] = {}
        if "collection" in self.values:
            found[ONLY] = ((ONLY,), self._table((ONLY,)))
        for name in self._table(("collections",)):
            found[name] = (("collections", name), self._table(("collections", name)))
        for path, held in found.values():
            self._check_options(path, held, {*known_options(), *_INPUTS[:2]})
        return found

    def _check_options(self, path: Path, held: Mapping[str, Any], known: Any) -> None:
        for key in held:
            if key not in known:
                raise self.document.unknown((*path, key), known, f"[{'.'.join(path)}]")

    # ---- steps --------------------------------------------------------------------------------

    def _steps(self, section: str) -> Iterator[Step]:
        held = self._table((section,))
        shared = {key: value for key, value in held.items() if not isinstance(value, dict)}
        for name, value in held.items():
            if isinstance(value, dict):
                yield self._step(section, name, shared)

    def _step(self, section: str, name: str, shared: Mapping[str, Any]) -> Step:
        path = (section, name)
        said = self._table(path)
        if not name or any(letter in name for letter in "/\\\0") or name.startswith("."):
            raise self.document.error(path, f"{name!r} cannot be the name of a file")
        kind, finder = self._what(path, section, said)
        look = ("theme", "scale") if section == "figures" else ()
        own = {each.name for each in kind.options} if kind else set()
        known = {*_STEP, *_INPUTS, *look, *own, *finder.options}
        self._check_options(path, said, known)
        self._check_options((section,), shared, {"formats", *look, *known_options()})
        merged = {**{key: value for key, value in shared.items() if key in known}, **said}
        kind_options = {
            key.replace("-", "_"): self._kind_option(path, kind, key, merged[key])
            for key in sorted(own - set(finder.options))
            if key in merged
        }
        several = bool(kind and kind.several)
        requests, names = self._requests(path, finder, merged, several=several)
        return Step(
            section,
            name,
            requests,
            self._formats(path, section, merged),
            kind,
            names,
            kind_options,
            {key: merged[key] for key in look if key in merged},
        )

    def _what(
        self, path: Path, section: str, said: Mapping[str, Any]
    ) -> tuple[Kind | None, Finder]:
        """The kind of a step, and the command that finds what it shows."""
        kind, command = said.get("kind"), said.get("command")
        if section == "figures" and command is not None:
            raise self.document.error((*path, "command"), "a figure has a kind, not a command")
        if kind is None and command is None:
            for key in said:
                if did_you_mean(key, ("kind", "command")):
                    raise self.document.unknown((*path, key), _STEP, f"[{'.'.join(path)}]")
        if (kind is None) == (command is None):
            wanted = "kind" if section == "figures" else "kind or command"
            raise self.document.error(
                path,
                f"{'.'.join(path)} must say one {wanted}",
                expected='such as kind = "leave-one-out"'
                + ("" if section == "figures" else ' or command = "evaluate"'),
            )
        kinds = FIGURES if section == "figures" else TABLES
        try:
            if kind is not None:
                known = kinds.said(str(kind))
                return known, Finder.of_kind(known)
            if command not in ANALYSES:
                hint = did_you_mean(str(command), ANALYSES)
                raise PolysemeError(
                    f"there is no analysis {command!r}; "
                    + (hint or f"the analyses are {', '.join(ANALYSES)}")
                )
            return None, Finder.of_command(str(command))
        except PolysemeError as error:
            key = "kind" if kind is not None else "command"
            raise self.document.error((*path, key), str(error)) from None

    def _kind_option(self, path: Path, kind: Kind | None, key: str, value: Any) -> Any:
        option = next(each for each in (kind.options if kind else ()) if each.name == key)
        if option.many:
            return tuple(map(str, value)) if isinstance(value, list) else (str(value),)
        wanted = bool if option.flag else option.type
        if wanted is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
            raise self.document.error(
                (*path, key), f"{key} must be {_NAMES[wanted]}. Got {value!r} instead."
            )
        if option.choices and value not in option.choices:
            raise self.document.error(
                (*path, key),
                f"{key} must be {', '.join(option.choices)}. Got {value!r} instead.",
                remedy=did_you_mean(str(value), option.choices) or None,
            )
        return value

    def _formats(self, path: Path, section: str, said: Mapping[str, Any]) -> tuple[str, ...]:
        given = said.get("formats", list(_USUAL[section]))
        given = [given] if isinstance(given, str) else given
        known = tuple(FIGURE_FORMATS) if section == "figures" else FORMATS
        ending = {form: form for form in known}
        if section == "tables":
            ending.update({suffix.lstrip("."): form for form, suffix in SUFFIXES.items()})
        for each in given:
            if each not in ending:
                raise self.document.error(
                    (*path, "formats"),
                    f"there is no format {each!r}",
                    expected=f"some of {', '.join(known)}",
                    remedy=did_you_mean(str(each), ending) or None,
                )
        return tuple(dict.fromkeys(ending[each] for each in given))

    def _report(self) -> Iterator[Step]:
        if REPORT not in self.values:
            return
        said = self._table((REPORT,))
        finder = Finder.of_command(REPORT)
        self._check_options((REPORT,), said, {*finder.options, *_INPUTS, "collection"})
        requests, _ = self._requests((REPORT,), finder, said, several=False)
        yield Step(REPORT, REPORT, requests, ("html",))

    # ---- what is said to commands -------------------------------------------------------------

    def _requests(
        self,
        path: Path,
        finder: Finder,
        said: Mapping[str, Any],
        *,
        several: bool,
    ) -> tuple[tuple[Request, ...], tuple[str, ...]]:
        """What is to be found: one thing, or one for each collection and variant."""
        chosen = self._chosen_collections(path, said)
        variants = said.get("variants", [{}])
        if not isinstance(variants, list) or not all(isinstance(each, dict) for each in variants):
            raise self.document.error(
                (*path, "variants"),
                "variants must be a list of options",
                expected="such as variants = [{}, {high-agreement = true}]",
            )
        if len(chosen) * len(variants) > 1 and not several:
            raise self.document.error(
                path,
                f"{'.'.join(path)} shows one finding; {len(chosen) * len(variants)} are asked for",
                remedy="declare a step for each collection and variant",
            )
        for each in variants:
            self._check_options((*path, "variants"), each, {*_INPUTS, *finder.options})
        requests, names = [], []
        for collection in chosen:
            for variant in variants:
                requests.append(self._request(path, finder, {**said, **variant}, collection))
                names.append("" if collection == ONLY else collection)
        given = said.get("names", names)
        if len(given) != len(requests):
            raise self.document.error(
                (*path, "names"), f"{len(given)} names for {len(requests)} findings"
            )
        return tuple(requests), tuple(map(str, given))

    def _chosen_collections(self, path: Path, said: Mapping[str, Any]) -> list[str]:
        if "collections" in said:
            wanted, key = list(said["collections"]), "collections"
        elif "collection" in said:
            wanted, key = [said["collection"]], "collection"
        else:
            return list(self.collections)[:1] or [ONLY]
        for each in wanted:
            if each not in self.collections:
                raise self.document.error(
                    (*path, key),
                    f"there is no collection {each!r}",
                    expected=f"one of {', '.join(self.collections)}" if self.collections else None,
                    remedy=did_you_mean(str(each), self.collections)
                    or f"declare it: [collections.{each}]",
                )
        return wanted

    def _request(
        self, path: Path, finder: Finder, said: Mapping[str, Any], collection: str
    ) -> Request:
        where, held = self.collections.get(collection, ((), {}))
        # what is said nearest to the step counts
        layers = (({"seed": self.seed} if self.seed is not None else {}), self.common, held, said)
        places = ((), ("options",), where, path)
        merged: dict[str, tuple[Path, Any]] = {}
        for layer, place in zip(layers, places, strict=True):
            merged.update({key: ((*place, key), value) for key, value in layer.items()})
        arguments = list(self._inputs(path, finder, merged))
        for key, (place, value) in merged.items():
            if key in finder.options and key not in _STEP:
                arguments += self._argument(place, finder, key, value)
        finder.check(arguments, lambda key: merged.get(key, ((*path, key), None))[0], self)
        return Request(finder, tuple(arguments))

    def _argument(self, place: Path, finder: Finder, key: str, value: Any) -> list[str]:
        """An option as one would type it."""
        option = finder.options[key]
        if option.is_flag:
            if not isinstance(value, bool):
                raise self.document.error(
                    place, f"{key} must be true or false. Got {value!r} instead."
                )
            return [f"--{key}"] if value else []
        values = value if isinstance(value, list) else [value]
        if any(isinstance(each, dict | bool) for each in values):
            raise self.document.error(
                place, f"{key} must be a text or a number. Got {value!r} instead."
            )
        texts = [f"{each:g}" if isinstance(each, float) else str(each) for each in values]
        if not option.multiple:
            texts = [",".join(texts)]
        return [piece for text in texts for piece in (f"--{key}", text)]

    def _inputs(
        self, path: Path, finder: Finder, merged: Mapping[str, tuple[Path, Any]]
    ) -> Iterator[str]:
        """Judgments and runs, in the order in which the command takes them."""
        wanted = finder.inputs
        if "files" in wanted and ("scores" in merged or finder.needs_no_scores(merged)):
            return
        if "files" in wanted or "judgments" in wanted:
            place, value = merged.get("judgments", ((*path, "judgments"), None))
            if not isinstance(value, str):
                raise self.document.error(
                    place if value is not None else path,
                    "the judgments are not said" if value is None else "judgments must be one file",
                    expected='judgments = "FILE" in [collection], or in the step',
                )
            yield value
        runs = self._runs(path, merged) if {"files", "runs", "run"} & set(wanted) else []
        if "run" in wanted:
            place, value = merged.get("run", (path, None))
            if not isinstance(value, str):
                raise self.document.error(
                    place, "say which run is explained", expected='run = "FILE"'
                )
            yield value
            if "without-team" in merged:
                yield from (
                    each for each in runs if os.path.normpath(each) != os.path.normpath(value)
                )
        elif not finder.leaves_runs(merged):
            yield from runs

    def _runs(self, path: Path, merged: Mapping[str, tuple[Path, Any]]) -> list[str]:
        place, value = merged.get("runs", ((*path, "runs"), []))
        patterns = [value] if isinstance(value, str) else value
        found: list[str] = []
        for pattern in patterns:
            matching = sorted(glob.glob(str(pattern), root_dir=self.root, recursive=True))
            if not matching:
                raise self.document.error(
                    place,
                    f"no file is called {pattern!r}",
                    expected="files as seen from this file's folder; * stands for anything",
                    remedy="check the path",
                )
            found += matching
        return list(dict.fromkeys(found))


_NAMES: dict[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
}
