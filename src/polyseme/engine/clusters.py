"""Clusters of Dask's that work on partitions; imported only where one is asked for.

Workers always have nannies, which begin them anew when they die. A scheduler that is not on this
machine is spoken to over TLS only. And nothing is waited for in vain: where there is no worker, or
no scheduler any more, that is said within a minute.
"""

from __future__ import annotations

import asyncio
import ipaddress
import os
import pickle
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from polyseme.engine.outcomes import (
    EngineError,
    Outcome,
    PartitionError,
    attempt,
    cause_of,
    name_of,
    outcome,
)
from polyseme.engine.workers import MORE_MEMORY, can_be_sent
from polyseme.errors import MissingExtra

#: Dask's own, which has few types
Client: TypeAlias = Any
Future: TypeAlias = Any
Partition = TypeVar("Partition")
Result = TypeVar("Result")

#: partitions handed out at a time, for each thread of a worker
_AHEAD = 2
#: seconds to find a scheduler, and to wait for a worker
PATIENCE = 30.0
#: seconds between two looks at whether all is well
_LOOK = 0.5
#: and between two looks at whether a partition is done
_NAP = 0.005
#: how Dask is to behave; said before a cluster or a client begins
SETTINGS = {
    "distributed.scheduler.no-workers-timeout": f"{PATIENCE:.0f}s",
    "distributed.scheduler.allowed-failures": 1,
    # a worker is given what it can begin at once: so it is known of what it died
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.comm.timeouts.connect": f"{PATIENCE / 2:.0f}s",
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.target": False,
}
#: one thread a worker: what they call divides work among threads of its own otherwise
_ENVIRONMENT = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_TLS_REMEDY = (
    "begin the scheduler and the workers with --tls-ca-file, --tls-cert and --tls-key, and say "
    "the same files here: DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "
    "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY"
)


@dataclass(frozen=True, eq=False)
class Cluster:
    """A cluster that work can be given to."""

    client: Client
    address: str


def _dask() -> Any:
    try:
        import dask
        import distributed
    except ImportError:
        raise MissingExtra("The engine dask", "dask") from None
    return dask, distributed


@contextmanager
def cluster(name: str, jobs: int) -> Iterator[Cluster]:
    """A cluster on this machine with so many workers, or the one whose scheduler is named."""
    dask, distributed = _dask()
    with dask.config.set(SETTINGS):
        if name == "dask":
            with _local(distributed, jobs) as begun, distributed.Client(begun) as client:
                yield Cluster(client, begun.scheduler_address)
            return
        address, security = _address(distributed, name)
        try:
            client = distributed.Client(
                address, security=security, timeout=PATIENCE / 2, set_as_default=False
            )
        except (OSError, TimeoutError, ValueError) as error:
            raise EngineError(
                f"there is no scheduler of Dask's at {address} ({cause_of(error)})\n"
                "  to mend it: begin one (dask scheduler), check host and port"
            ) from None
        try:
            found = Cluster(client, address)
            _check_nannies(found)
            yield found
        finally:
            with suppress(Exception):
                client.close(timeout=5)


@contextmanager
def _local(distributed: Any, jobs: int) -> Iterator[Any]:
    held = {name: os.environ.get(name) for name in _ENVIRONMENT}
    os.environ.update(_ENVIRONMENT)
    try:
        begun = distributed.LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            silence_logs=50,
        )
    finally:
        for name, value in held.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
    try:
        yield begun
    finally:
        with suppress(Exception):
            begun.close(timeout=10)


def _address(distributed: Any, name: str) -> tuple[str, Any]:
    """Where the scheduler is, and with what certificates to speak to it."""
    scheme, _, place = name.partition("://")
    if ":" not in place:
        raise EngineError(
            f"{name!r} names no port\n  to mend it: say dask://HOST:PORT; a scheduler says where "
            "it is when it begins"
        )
    security = distributed.Security()
    certified = bool(security.tls_client_cert and security.tls_ca_file)
    if scheme == "tls" or (scheme == "dask" and certified):
        if not certified:
            raise EngineError(f"{name} needs certificates\n  to mend it: {_TLS_REMEDY}")
        return f"tls://{place}", security
    if not is_loopback(place.rpartition(":")[0]):
        raise EngineError(
            f"{place} is another machine, and partitions are not sent in the clear\n"
            f"  to mend it: {_TLS_REMEDY}"
        )
    return f"tcp://{place}", None


def is_loopback(host: str) -> bool:
    """Is this machine meant, by an address that no other can reach?"""
    bare = host.strip("[]")
    with suppress(ValueError):
        return ipaddress.ip_address(bare).is_loopback
    try:
        found = {info[4][0] for info in socket.getaddrinfo(bare, None)}
    except OSError:
        return False
    return bool(found) and all(ipaddress.ip_address(each).is_loopback for each in found)


def _check_nannies(found: Cluster) -> None:
    bare = [address for address, known in _workers(found.client).items() if not known.get("nanny")]
    if bare:
        raise EngineError(
            f"the worker {bare[0]} has no nanny, which would begin it anew when it dies\n"
            "  to mend it: begin workers with dask worker --nanny (as is usual)"
        )


def _workers(client: Client) -> dict[str, dict[str, Any]]:
    """The workers that there are, as the scheduler last told."""
    try:
        known = client.scheduler_info(n_workers=-1)
    except TypeError:
        known = client.scheduler_info()
    workers: dict[str, dict[str, Any]] = known.get("workers", {})
    return workers


def in_cluster(
    function: Callable[[Partition], Result], partitions: Sequence[Partition], engine: Any
) -> Iterator[Result]:
    """The work in a cluster, or here where it cannot be sent."""
    found = engine if isinstance(engine, Cluster) else _of_client(engine)
    if not partitions:
        return
    if not can_be_sent(function, partitions[:1]):
        for index, partition in enumerate(partitions):
            yield attempt(function, partition, name_of(partition, index, len(partitions)))
        return
    for each in _Job(found, function, partitions).outcomes():
        yield each.tell()


def _of_client(client: Any) -> Cluster:
    found = Cluster(client, client.scheduler.address if client.scheduler else "the scheduler")
    _check_nannies(found)
    return found


@dataclass(eq=False)
class _Job:
    """One function and its partitions, some of them at the cluster."""

    cluster: Cluster
    function: Callable[[Any], Any]
    partitions: Sequence[Any]

    def outcomes(self) -> Iterator[Outcome]:
        client = self.cluster.client
        self._lonely: float | None = None
        # a task of its own, so that it can be done again where the one who held it died
        self._work: Any = client.submit(
            pickle.loads, pickle.dumps(self.function), pure=False, key=_key("function")
        )
        waiting: deque[tuple[int, Future]] = deque()
        index = 0
        try:
            while index < len(self.partitions) or waiting:
                while index < len(self.partitions) and len(waiting) < self._window():
                    waiting.append((index, self._given(index)))
                    index += 1
                if not waiting:
                    self._check()
                    time.sleep(_LOOK)
                    continue
                place, future = waiting[0]
                found = self._result(place, future, waiting)
                if found is not None:
                    waiting.popleft()
                    yield found
        finally:
            with suppress(Exception):
                client.cancel([future for _, future in waiting])

    def _window(self) -> int:
        threads = sum(known.get("nthreads", 1) for known in _workers(self.cluster.client).values())
        return int(_AHEAD * threads)

    def _given(self, index: int) -> Future:
        name = name_of(self.partitions[index], index, len(self.partitions))
        return self.cluster.client.submit(
            outcome,
            self._work,
            self.partitions[index],
            name,
            pure=False,
            key=_key("partition", index),
        )

    def _result(
        self, index: int, future: Future, waiting: deque[tuple[int, Future]]
    ) -> Outcome | None:
        """What came of a partition; None where it is to be asked for again."""
        distributed: Any = _dask()[1]
        KilledWorker = distributed.KilledWorker

        while True:
            try:
                if not _done([future], _LOOK):
                    raise TimeoutError
                found = future.result(timeout=PATIENCE)
            except KilledWorker as error:
                return self._alone(index, error, waiting)
            except TimeoutError:
                self._check()
                continue
            except (CancelledError, asyncio.CancelledError, OSError) as error:
                raise self._gone(error) from None
            except Exception as error:
                if type(error).__name__ in ("NoValidWorkerError", "NoWorkerError"):
                    raise self._gone(error) from None
                raise PartitionError(self._name(index), cause_of(error)) from error
            assert isinstance(found, Outcome)
            return found

    def _alone(
        self, index: int, error: Exception, waiting: deque[tuple[int, Future]]
    ) -> Outcome | None:
        """Workers died while they had this partition. Was it this one? Nobody else works now."""
        others = [future for _, future in waiting if future.key != waiting[0][1].key]
        _done(others, PATIENCE / 10)
        failed = PartitionError(
            self._name(index),
            f"workers that worked on it died ({' '.join(str(error).split())[:200]})",
            MORE_MEMORY,
        )
        if getattr(self, "_tried", None) == index:
            return Outcome(failure=failed)
        self._tried = index
        waiting[0] = (index, self._given(index))
        return None

    def _name(self, index: int) -> str:
        return name_of(self.partitions[index], index, len(self.partitions))

    def _check(self) -> None:
        """An error where there has been nobody to do the work for a while."""
        client = self.cluster.client
        well = client.status == "running" and bool(_workers(client))
        now = time.monotonic()
        if well:
            self._lonely = None
        elif self._lonely is None:
            self._lonely = now
        elif now - self._lonely > PATIENCE:
            raise self._gone(None)

    def _gone(self, error: BaseException | None) -> EngineError:
        client = self.cluster.client
        who = "no worker is" if client.status == "running" else "the scheduler is no more"
        cause = f" ({cause_of(error)})" if error is not None else ""
        return EngineError(
            f"{who} at {self.cluster.address}{cause}\n"
            "  to mend it: begin it again, then run the same command; what is finished is kept"
        )


def _done(futures: Sequence[Future], seconds: float) -> bool:
    """Whether all have come to an end, now or within so many seconds.

    Dask's own wait asks for a client that is everybody's; ours may not be.
    """
    until = time.monotonic() + seconds
    while not all(future.done() for future in futures):
        if time.monotonic() > until:
            return False
        time.sleep(_NAP)
    return True


def _key(*what: object) -> str:
    return "-".join(("polyseme", *map(str, what), os.urandom(8).hex()))
