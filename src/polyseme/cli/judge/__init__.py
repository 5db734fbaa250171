"""``polyseme judge``: studies that people answer in their browsers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from polyseme.cli import options
from polyseme.cli.late import LateGroup
from polyseme.errors import MissingExtra

if TYPE_CHECKING:
    from polyseme.judging.store import Store

COMMANDS = {
    "new": "Make a study.",
    "invite": "Make secret links for judges.",
    "revoke": "Make a judge's links worthless.",
    "serve": "Serve a study to browsers.",
    "status": "Tell how far judges are, and how they agree.",
    "export": "Write what was answered.",
    "import": "Read what was exported.",
    "check": "Check that a study is whole.",
    "password": "Give the organiser another password.",
}
_NEEDED = ("starlette", "uvicorn", "jinja2", "sqlalchemy", "alembic", "argon2")

study = click.argument("study")
password_file = click.option(
    "--password-file",
    metavar="FILE",
    help="The organiser's password is the first line.  [default: one is made and told]",
)


@click.group(
    cls=LateGroup,
    known=COMMANDS,
    package=__name__,
    short_help="Ask people: preferences, grades and votes, by a web server.",
    epilog=options.examples(
        "polyseme judge status preferences.study",
        "polyseme judge new --help",
    ),
)
def judge() -> None:
    """Ask people which list is better, how relevant documents are, and what queries mean.

    STUDY is a SQLite file, or a PostgreSQL database by its URL
    (postgresql://USER@HOST/DATABASE).
    """
    if not all(map(find_spec, _NEEDED)):
        raise MissingExtra("polyseme judge", "judge")


@contextmanager
def opened(name: str) -> Iterator[Store]:
    """An existing study; what its database complains of is an error of ours."""
    from polyseme.judging.store import Store

    with database_errors(name), Store.open(name) as store:
        yield store


@contextmanager
def database_errors(name: str) -> Iterator[None]:
    """Tell what a database complains of in a line or two."""
    from sqlalchemy.exc import DBAPIError

    from polyseme.errors import InputError
    from polyseme.judging.database import shown

    try:
        yield
    except DBAPIError as error:
        raise InputError(
            f"the study's database refuses ({' '.join(str(error.orig).split())})",
            path=shown(name),
            expected="a database that can be read and written",
            remedy="look at the disk and the database; polyseme judge check tells more",
        ) from None
