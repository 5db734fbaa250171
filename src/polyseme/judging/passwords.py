"""The organiser's password, stored by Argon2."""

from __future__ import annotations

import asyncio
import secrets

from polyseme.judging.moment import Moment, write_settings
from polyseme.judging.store import Store


def new_password() -> str:
    """One that nobody guesses."""
    return secrets.token_urlsafe(15)


def hashed(password: str) -> str:
    """What is stored of a password."""
    from argon2 import PasswordHasher

    return PasswordHasher().hash(password)


def set_password(moment: Moment, password: str) -> None:
    """Give a study another password, and end the organiser's sessions."""
    from sqlalchemy import delete

    from polyseme.judging.schema import sessions

    write_settings(moment.connection, {"password": hashed(password)})
    moment.connection.execute(delete(sessions).where(sessions.c.invitation.is_(None)))


def _matches(stored: str, password: str) -> bool:
    from argon2 import PasswordHasher
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        return PasswordHasher().verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False


async def is_right(store: Store, password: str) -> bool:
    """Is it the organiser's password?"""
    stored = await store.read(_stored)
    return await asyncio.to_thread(_matches, stored, password)


def _stored(moment: Moment) -> str:
    from polyseme.judging.moment import read_settings

    return read_settings(moment.connection).password
