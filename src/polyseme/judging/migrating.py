"""Bringing a study's tables up to date."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from polyseme.errors import InputError
from polyseme.judging import schema
from polyseme.judging.database import Database

_VERSION = sa.text("SELECT version_num FROM alembic_version")


def version_of(database: Database) -> str | None:
    """The migration that a study is at; None where it is no study."""
    try:
        with database.reading() as connection:
            if not sa.inspect(connection).has_table("alembic_version"):
                return None
            return connection.execute(_VERSION).scalar()
    except DatabaseError as error:
        raise InputError(
            f"the study cannot be opened ({str(error.orig).strip()})",
            path=database.name,
            expected="a study that polyseme judge new made",
            remedy="check its name, and that its database is running",
        ) from None


def upgrade(database: Database) -> None:
    """Bring the tables of a study to the newest version, or refuse what is none of ours."""
    version = version_of(database)
    if version == schema.VERSION:
        return
    if version is None:
        raise InputError(
            "this is no study",
            path=database.name,
            expected="a study that polyseme judge new made",
            remedy="make one with polyseme judge new",
        )
    if version > schema.VERSION:
        raise InputError(
            f"a newer polyseme made this study (version {version} of its tables)",
            path=database.name,
            expected=f"version {schema.VERSION} or older",
            remedy="install that polyseme",
        )
    with database.writing() as connection:
        migrate(connection)


def migrate(connection: sa.Connection, to: str = "head") -> None:
    """Run the migrations that are due."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "polyseme.judging:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, to)
