"""What is installed here: versions, compiled parts, extras, the machine, and a check."""

from __future__ import annotations

import math
import os
import platform
import re
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata, util
from pathlib import Path

from polyseme import __version__

#: what does not work without an extra
NEEDED_FOR = {
    "report": "figures and HTML reports",
    "judge": "the judging server",
    "postgres": "judging on PostgreSQL",
    "parquet": "reading and writing Parquet",
    "dask": "work spread over a Dask cluster",
    "ir": "collections of ir_datasets (irds:...)",
}
#: compiled modules, and what does their work where they are not there
COMPILED = {
    "kernels": ("_kernels", "NumPy"),
    "judgments reader": ("collection.formats._judgment_scan", "plain Python"),
    "runs reader": ("collection.formats._run_scan", "plain Python"),
}
PLAIN = "POLYSEME_PLAIN"
_REQUIREMENT = re.compile(
    r"""(?P<name>[\w.-]+)(?:\[[^]]*\])?\s*(?P<bound>[^;]*)(?:;.*extra\s*==\s*["'](?P<extra>[\w-]+)["'])?"""
)

# A collection whose scores can be worked out by hand: d9 is unjudged.
_JUDGMENTS = {"1": {"A": {"d1": 2, "d2": 0}, "B": {"d2": 1}}, "2": {"A": {"d4": 1, "d5": 0}}}
_PROBABILITIES = {"1": {"A": 0.75, "B": 0.25}, "2": {"A": 1.0}}
_RUN = {"1": ["d1", "d9", "d2"], "2": ["d5", "d4"]}
#: (intents found + ...) / 2 topics, from the formulas
_KNOWN = {
    "I-rec@2": (0.5 + 1.0) / 2,
    "I-rec'@2": 1.0,
    "P@2": 0.5,
    "ERR-IA@3": ((0.75 * 2 / 3 + 0.25 * (1 / 3) / 3) + (1 / 3) / 2) / 2,
    "D-nDCG@3": (
        (1.5 + 0.25 / 2) / (1.5 + 0.25 / math.log2(3)) + 1 / math.log2(3)
    ) / 2,
}  # fmt: skip


def version_of(package: str) -> str | None:
    """The version that is installed, None where there is none."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def requirements() -> dict[str | None, list[str]]:
    """The packages of each extra, and under None those that are always needed."""
    try:
        declared = metadata.requires("polyseme") or []
    except metadata.PackageNotFoundError:
        declared = []
    packages: dict[str | None, list[str]] = {None: []}
    for requirement in declared:
        found = _REQUIREMENT.match(requirement)
        if found is not None and found["name"] != "polyseme":
            packages.setdefault(found["extra"], []).append(found["name"])
    return packages


def compiled_parts() -> Iterator[tuple[str, str, str]]:
    """Each part that may be compiled: its name, which form is in use, and why not the compiled."""
    for name, (module, otherwise) in COMPILED.items():
        full = f"polyseme.{module}"
        built = util.find_spec(full)
        if built is None and not _declared(module):
            continue
        if os.environ.get(PLAIN, "0") not in {"", "0"}:
            yield name, otherwise, f"{PLAIN} is set"
        elif built is None:
            yield name, otherwise, "it was not compiled at installation: there was no C compiler"
        else:
            reason = _refusal(full)
            yield name, otherwise if reason else "compiled", reason


def _declared(module: str) -> bool:
    """Is there such a part in this version, compiled or not?"""
    place = Path(__file__).parent.parent.joinpath(*module.split("."))
    return any(place.with_suffix(suffix).exists() for suffix in (".pyi", ".pyx"))


def _refusal(module: str) -> str:
    from importlib import import_module

    try:
        import_module(module)
    except ImportError as error:
        return f"it cannot be loaded: {' '.join(str(error).split())}"
    return ""


def machine() -> Iterator[tuple[str, str]]:
    """What there is to work with."""
    yield "system", f"{platform.system()} {platform.release()}, {platform.machine()}"
    cores = os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else cores
    yield "cores", f"{cores}" if usable == cores else f"{usable} usable of {cores}"
    memory = _memory()
    if memory:
        yield "memory", memory
    yield "temporary files", tempfile.gettempdir()
    yield "sqlite", _sqlite()
    yield "encoding", f"{sys.stdout.encoding if sys.stdout else None}, files {_file_encoding()}"


def _file_encoding() -> str:
    return sys.getfilesystemencoding()


def _sqlite() -> str:
    """What studies of the judging server are kept in; Python itself may lack it."""
    try:
        import sqlite3
    except ImportError:
        return "lacking: no study of the judging server can be kept in a file"
    return sqlite3.sqlite_version


def _memory() -> str:
    try:
        page = os.sysconf("SC_PAGE_SIZE")
        whole, free = (os.sysconf(f"SC_{name}PHYS_PAGES") * page for name in ("", "AV"))
    except (AttributeError, ValueError, OSError):
        return ""
    return f"{whole / 2**30:.1f} GiB, {free / 2**30:.1f} GiB free"


def self_check() -> list[str]:
    """Sentences on what is computed wrongly here; none where all is well."""
    import warnings

    from polyseme.errors import PolysemeWarning
    from polyseme.evaluation import evaluate

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PolysemeWarning)
            found = evaluate(
                _JUDGMENTS, {"run": _RUN}, list(_KNOWN), probabilities=_PROBABILITIES
            ).mean()["run"]
    except Exception as error:  # whatever it is, it is what this command was asked about
        return [f"{type(error).__name__}: {error}"]
    return [
        f"{name} is {found[name]!r} and should be {known!r}"
        for name, known in _KNOWN.items()
        if not math.isclose(found[name], known, rel_tol=1e-12)
    ]


def checked_measures() -> int:
    """How many measures the self-check looks at."""
    return len(_KNOWN)


def versions() -> Iterator[tuple[str, str]]:
    """polyseme, Python, and the packages that are always needed."""
    yield "polyseme", __version__
    yield "python", f"{platform.python_implementation()} {platform.python_version()}"
    for package in requirements()[None]:
        yield package, version_of(package) or "not installed"
