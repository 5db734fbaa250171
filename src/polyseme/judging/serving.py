"""Running the application."""

from __future__ import annotations

import ipaddress
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from polyseme.errors import PolysemeError
from polyseme.judging.app import application
from polyseme.judging.store import Store


def origins_of(host: str, port: int, said: str | None) -> list[str]:
    """What browsers call the server: what was said, else its address."""
    if said is not None:
        return [said.rstrip("/").lower()]
    address = _address(host)
    if address is not None and address.is_unspecified:
        raise PolysemeError(
            f"{host} is every address of this machine, and browsers call it by one name\n"
            "  to mend it: say --origin, such as --origin https://study.example.org"
        )
    names = [f"[{host}]" if address is not None and address.version == 6 else host]
    if is_loopback(host):
        names += ["127.0.0.1", "localhost", "[::1]"]
    shown = "" if port == 80 else f":{port}"
    return [f"http://{name}{shown}" for name in dict.fromkeys(names)]


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_loopback(host: str) -> bool:
    """Can only this machine reach it?"""
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def listening(host: str, port: int) -> socket.socket:
    """A socket that takes connections; with port 0 at any free port."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        raise PolysemeError(
            f"nobody can listen at {host}:{port} ({error.strerror or error})\n"
            "  to mend it: choose another --port or --host"
        ) from None


@contextmanager
def _terminated_in_good_order() -> Iterator[None]:
    """Make being terminated like an interrupt: uvicorn hands on what it was ended by."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def serve(
    store: Store,
    host: str,
    port: int,
    *,
    origin: str | None = None,
    proxy: bool = False,
    tell: Callable[[str, str], None],
) -> None:
    """Serve a study until interrupted.

    ``tell`` is given what browsers call the server and where it listens, once it can be reached.
    """
    import uvicorn

    with _terminated_in_good_order(), listening(host, port) as place, store.database.only_server():
        port = place.getsockname()[1]
        origins = origins_of(host, port, origin)
        config = uvicorn.Config(
            application(store, origins),
            http="h11",
            ws="none",
            lifespan="off",
            log_level="warning",
            access_log=False,  # paths hold secrets
            server_header=False,
            proxy_headers=proxy,
            forwarded_allow_ips="127.0.0.1,::1",
            limit_concurrency=1000,
            timeout_keep_alive=75,
            timeout_graceful_shutdown=10,
        )
        tell(origins[0], f"{host}:{port}")
        uvicorn.Server(config).run(sockets=[place])
