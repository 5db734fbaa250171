"""Measures of the user's own, from a Python file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from types import ModuleType, TracebackType
from typing import Any

from polyseme.errors import InputError, MeasureError
from polyseme.measures.catalogue import Catalogue
from polyseme.measures.defining import Definition
from polyseme.measures.measure import Family
from polyseme.measures.sets import CATALOGUE

_MODULE = "polyseme_definitions"
_REMEDY = "mend the file; it is Python, and is executed as it stands"


def catalogue_with(paths: Iterable[str], catalogue: Catalogue = CATALOGUE) -> Catalogue:
    """The catalogue, and what the files define."""
    for path in paths:
        for family in _families(path):
            try:
                catalogue = catalogue.with_families([family])
            except MeasureError as error:
                raise InputError(
                    str(error), path=path, remedy="give it another name in the file"
                ) from None
    return catalogue


def _families(path: str) -> list[Family]:
    """What a file defines, in its order, each once."""
    found: dict[int, Family] = {}
    for value in _executed(path).values():
        if isinstance(value, Definition):
            found.update((id(family), family) for family in value.families)
        elif isinstance(value, Family):
            found[id(value)] = value
    # an import of ours into the file defines nothing
    known = {id(family) for family in CATALOGUE}
    families = [family for family in found.values() if id(family) not in known]
    if not families:
        raise InputError(
            "the file defines no measure",
            path=path,
            expected='a line such as mine = polyseme.define("mine", Sum(Cascade(), Log2()))',
            remedy="give what define() returns a name in the file",
        )
    return families


def _executed(path: str) -> dict[str, Any]:
    """The file's names after it was run; what goes wrong in it is told with its line."""
    try:
        with open(path, "rb") as stream:
            source = stream.read()
    except OSError as error:
        raise InputError(
            f"the file cannot be read ({error.strerror})",
            path=path,
            expected="a Python file that defines measures",
            remedy="check the path given to --define",
        ) from None
    # a module like any other while it runs: dataclasses look up their own
    module = ModuleType(_MODULE)
    module.__file__ = path
    folder = os.path.dirname(os.path.abspath(path))
    sys.path.insert(0, folder)
    sys.modules[_MODULE] = module
    try:
        exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
    except SyntaxError as error:
        text = (error.text or "").strip() or None
        raise InputError(
            f"no Python: {error.msg}",
            path=error.filename or path,
            line=error.lineno,
            text=text,
            remedy=_REMEDY,
        ) from None
    except (Exception, SystemExit) as error:
        line, text = _place(error.__traceback__, path)
        said = str(error) if isinstance(error, MeasureError) else _said(error)
        raise InputError(said, path=path, line=line, text=text, remedy=_REMEDY) from None
    finally:
        sys.path.remove(folder)
        del sys.modules[_MODULE]
    return vars(module)


def _said(error: BaseException) -> str:
    import traceback

    return "".join(traceback.format_exception_only(error)).strip()


def _place(trace: TracebackType | None, path: str) -> tuple[int | None, str | None]:
    """The last line of the file that was being run."""
    import traceback

    inside = [frame for frame in traceback.extract_tb(trace) if frame.filename == path]
    return (inside[-1].lineno, inside[-1].line or None) if inside else (None, None)
