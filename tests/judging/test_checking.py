"""check finds what is wrong, says what it runs on, and tables are those of the migrations."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from commands import done, run
from judging import servers
from judging.test_exporting import answered
from polyseme.errors import InputError
from polyseme.judging import migrating, schema
from polyseme.judging.database import Database
from polyseme.judging.store import Store


def test_a_whole_study_passes_and_check_tells_what_it_runs_on(place: str) -> None:
    answered(place)
    found = done("judge", "check", place).stdout
    assert "wrong" not in found
    if place.startswith("postgresql"):
        assert "PostgreSQL" in found
        assert "fsync" in found
    else:
        assert f"SQLite {sqlite3.sqlite_version}" in found
        assert ("3.51.3" in found) is (sqlite3.sqlite_version_info < (3, 51, 3))


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("DELETE FROM judgments WHERE item = 2", "the judgment is missing"),
        ('UPDATE judgments SET answers = \'{"relevance":"left"}\' WHERE item = 2', "answers of"),
        ("UPDATE judgments SET ms = ms + 1 WHERE item = 2", "not the sum"),
        ("UPDATE judgments SET revision = 7 WHERE item = 2", "revision of the judgment"),
        ("DELETE FROM events WHERE event = 4", "event 4 is missing"),
        ("UPDATE slots SET judge = NULL WHERE unit = 3 AND judge = 1", "without a place"),
        ("DELETE FROM slots WHERE unit = 3 AND slot = 9", "unit 3 has 14 places"),
        ("DELETE FROM presentations WHERE judge = 1 AND item = 1", "has 5 of 6 items"),
        ("UPDATE settings SET value = '2' WHERE name = 'wanted'", "more than 2"),
    ],
)
def test_what_is_damaged_is_found(place: str, damage: str, told: str) -> None:
    answered(place)
    with Store.open(place) as store, store.writing() as moment:
        if "events" in damage:
            for name in ("events_no_delete", "events_no_change"):
                on = " ON events" if place.startswith("postgresql") else ""
                moment.connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {name}{on}")
        moment.connection.exec_driver_sql(damage)
    result = run("judge", "check", place)
    assert result.exit_code == 1
    assert told in result.stdout


def test_a_file_with_a_broken_page_is_found(tmp_path: Path) -> None:
    place = tmp_path / "a.study"
    answered(str(place))
    content = bytearray(place.read_bytes())
    for page in range(20, len(content) // 4096):
        content[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    place.write_bytes(content)
    result = run("judge", "check", place)
    assert result.exit_code == 1


# ---- tables -------------------------------------------------------------------------------------


def test_migrations_make_the_tables_that_the_code_knows(place: str) -> None:
    servers.make(place)
    database = Database(place)
    with database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.METADATA) == []
        names = set(sa.inspect(connection).get_table_names())
    database.close()
    assert names == {*schema.METADATA.tables, "alembic_version"}


def test_the_newest_migration_is_the_one_that_the_code_expects() -> None:
    folder = Path(schema.__file__).parent / "migrations"
    assert ScriptDirectory(str(folder)).get_heads() == [schema.VERSION]


def test_a_study_of_a_newer_polyseme_is_refused(place: str) -> None:
    servers.make(place)
    with Store.open(place) as store, store.writing() as moment:
        moment.connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(InputError, match="a newer polyseme made this study"):
        Store.open(place)


def test_an_empty_database_is_no_study(place: str, tmp_path: Path) -> None:
    if not place.startswith("postgresql"):
        sqlite3.connect(place).execute("CREATE TABLE t (x)").connection.close()
    result = run("judge", "status", place)
    assert result.exit_code == 1
    assert "this is no study" in result.stderr


def test_a_migration_that_fails_leaves_the_study_as_it_was(place: str) -> None:
    servers.make(place)
    database = Database(place)
    with pytest.raises(sa.exc.DatabaseError), database.writing() as connection:  # noqa: PT012
        connection.exec_driver_sql("CREATE TABLE half (x INTEGER)")
        connection.exec_driver_sql("CREATE TABLE judges (x INTEGER)")
    with database.reading() as connection:
        assert not sa.inspect(connection).has_table("half")
    assert migrating.version_of(database) == schema.VERSION
    database.close()


# ---- who may not be there -----------------------------------------------------------------------


def test_what_cannot_be_made_leaves_nothing_behind(tmp_path: Path) -> None:
    place = tmp_path / "a.study"
    content = servers.preferences(3)
    broken = type(content)(content.topics, [*content.items, content.items[0]])
    with pytest.raises(sa.exc.IntegrityError):
        servers.make(str(place), broken)
    assert list(tmp_path.iterdir()) == []


def test_a_study_is_never_overwritten(place: str) -> None:
    answered(place)
    before = done("judge", "export", place).stdout
    with pytest.raises(InputError):
        servers.make(place)
    assert done("judge", "export", place).stdout == before


def test_passwords_in_urls_are_not_printed() -> None:
    result = run("judge", "status", "postgresql://somebody:secret@127.0.0.1:1/nothing")
    assert result.exit_code == 1
    assert "secret" not in result.stderr
    assert "***" in result.stderr
