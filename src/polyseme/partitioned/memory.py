"""How much memory a worker has for its work."""

from __future__ import annotations

import re

from polyseme.engine import Engine, is_cluster
from polyseme.errors import PolysemeError

#: what a process takes before it works: Python, NumPy, Arrow and what they keep for themselves
PROCESS = 150 << 20
#: what Dask takes besides: a nanny for each worker, and the scheduler
NANNY, SCHEDULER = 110 << 20, 60 << 20
#: less is not worth a partition
LEAST = 16 << 20
#: what one worker has where nobody says
USUAL = 1 << 30
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def parse_memory(text: str | int) -> int:
    """Bytes from ``800M``, ``4G``, ``1.5G`` or a number."""
    if isinstance(text, int):
        return text
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise PolysemeError(f"memory must be a size such as 800M or 4G. Got {text!r} instead.")
    return int(float(found[1]) * _UNITS[found[2].upper()])


def room_for_work(memory: int | None, engine: Engine, jobs: int) -> int:
    """The bytes that each worker has once all have begun; an error where there are few."""
    in_cluster = is_cluster(engine) or not isinstance(engine, str)
    alone = engine in ("serial", "threads") or (engine == "processes" and jobs == 1)
    workers = 1 if engine == "serial" else jobs
    fixed = PROCESS
    if not alone:
        fixed += workers * PROCESS
    if in_cluster:
        fixed += SCHEDULER + workers * NANNY
    if memory is None:
        memory = fixed + workers * USUAL
    room = (memory - fixed) // workers
    if room < LEAST:
        least = (fixed + workers * LEAST) >> 20
        raise PolysemeError(
            f"memory must be {least}M or more for {workers} worker{'s' if workers > 1 else ''} "
            f"({engine}). Got {_told(memory)} instead.\n"
            "  to mend it: say more --memory or fewer --jobs"
        )
    return room


def _told(memory: int) -> str:
    """A size, so that whoever forgot the unit sees it."""
    return f"{memory >> 20}M" if memory >> 20 else f"{memory:,} bytes"
