"""``polyseme judge serve``."""

from __future__ import annotations

import re
from contextlib import suppress

import click

from polyseme.cli import options
from polyseme.cli.judge import opened, study


@click.command(
    short_help="Serve a study to browsers.",
    epilog=options.examples(
        "polyseme judge serve preferences.study",
        "polyseme judge serve preferences.study --port 9000 --origin https://study.example.org "
        "--behind-proxy",
    ),
)
@study
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="Port to listen at; 0 is any that is free.",
)
@click.option(
    "--origin",
    metavar="URL",
    help="What browsers call the server, where a proxy stands before it.  [default: its address]",
)
@click.option(
    "--behind-proxy",
    is_flag=True,
    help="A proxy on this machine tells who asks (X-Forwarded-For); without one, anybody could.",
)
@options.quiet
def serve(
    study: str, host: str, port: int, origin: str | None, behind_proxy: bool, quiet: bool
) -> None:
    """Serve a study until Ctrl-C. Judges open their secret links; the organiser /organiser.

    An answer is acknowledged after it is on the disk: killing the server, or pulling the plug,
    loses nothing that a judge saw saved. Beyond this machine, let a proxy speak https in front of
    it, and say --origin.
    """
    from polyseme.judging.serving import is_loopback, serve

    if origin is not None and not re.fullmatch(r"https?://[^/\s?#@]+/?", origin):
        raise click.UsageError("--origin is like https://study.example.org, without a path")

    def tell(address: str, place: str) -> None:
        if quiet:
            return
        click.echo(f"polyseme serves {study_name} at {address}", err=True)
        click.echo(f"listening at {place}; Ctrl-C ends it", err=True)
        click.echo(f"the organiser's page: {address}/organiser", err=True)
        if not is_loopback(host) and not address.startswith("https://"):
            click.echo(
                "warning: without https, secret links and answers can be read on their way",
                err=True,
            )

    with suppress(KeyboardInterrupt), opened(study) as store:
        study_name = store.database.name
        serve(store, host, port, origin=origin, proxy=behind_proxy, tell=tell)
