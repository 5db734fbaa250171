"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from polyseme.judging.schema import APPEND_ONLY

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "documents",
        sa.Column("doc", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("doc", name="pk_documents"),
    )
    op.create_table(
        "judges",
        sa.Column("judge", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("judge", name="pk_judges"),
        sa.UniqueConstraint("name", name="uq_judges_name"),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_settings"),
    )
    op.create_table(
        "topics",
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("topic", name="pk_topics"),
        sa.UniqueConstraint("place", name="uq_topics_place"),
    )
    op.create_table(
        "intents",
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("intent", sa.Text(), nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["topic"], ["topics.topic"], name="fk_intents_topic"),
        sa.PrimaryKeyConstraint("topic", "intent", name="pk_intents"),
    )
    op.create_table(
        "invitations",
        sa.Column("invitation", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("judge", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("revoked", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["judge"], ["judges.judge"], name="fk_invitations_judge"),
        sa.PrimaryKeyConstraint("invitation", name="pk_invitations"),
        sa.UniqueConstraint("digest", name="uq_invitations_digest"),
    )
    op.create_index("ix_invitations_judge", "invitations", ["judge"], unique=False)
    op.create_table(
        "rankings",
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("run", sa.Text(), nullable=False),
        sa.Column("rank", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("doc", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["doc"], ["documents.doc"], name="fk_rankings_doc"),
        sa.ForeignKeyConstraint(["topic"], ["topics.topic"], name="fk_rankings_topic"),
        sa.PrimaryKeyConstraint("topic", "run", "rank", name="pk_rankings"),
    )
    op.create_table(
        "units",
        sa.Column("unit", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["topic"], ["topics.topic"], name="fk_units_topic"),
        sa.PrimaryKeyConstraint("unit", name="pk_units"),
    )
    op.create_table(
        "items",
        sa.Column("item", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("unit", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("run_a", sa.Text(), nullable=True),
        sa.Column("run_b", sa.Text(), nullable=True),
        sa.Column("doc", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["doc"], ["documents.doc"], name="fk_items_doc"),
        sa.ForeignKeyConstraint(["topic"], ["topics.topic"], name="fk_items_topic"),
        sa.ForeignKeyConstraint(["unit"], ["units.unit"], name="fk_items_unit"),
        sa.PrimaryKeyConstraint("item", name="pk_items"),
        sa.UniqueConstraint("name", name="uq_items_name"),
    )
    op.create_index("ix_items_unit", "items", ["unit"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("invitation", sa.BigInteger(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["invitation"], ["invitations.invitation"], name="fk_sessions_invitation"
        ),
        sa.PrimaryKeyConstraint("digest", name="pk_sessions"),
    )
    op.create_table(
        "slots",
        sa.Column("unit", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("slot", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("judge", sa.BigInteger(), nullable=True),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["judge"], ["judges.judge"], name="fk_slots_judge"),
        sa.ForeignKeyConstraint(["unit"], ["units.unit"], name="fk_slots_unit"),
        sa.PrimaryKeyConstraint("unit", "slot", name="pk_slots"),
        sa.UniqueConstraint("unit", "judge", name="uq_slots_unit_judge"),
    )
    op.create_index("ix_slots_judge", "slots", ["judge"], unique=False)
    op.create_table(
        "events",
        sa.Column("event", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("judge", sa.BigInteger(), nullable=False),
        sa.Column("item", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("answers", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("ms", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["item"], ["items.item"], name="fk_events_item"),
        sa.ForeignKeyConstraint(["judge"], ["judges.judge"], name="fk_events_judge"),
        sa.PrimaryKeyConstraint("event", name="pk_events"),
        sa.UniqueConstraint("judge", "item", "revision", name="uq_events_judge_item_revision"),
        sa.UniqueConstraint("judge", "key", name="uq_events_judge_key"),
    )
    op.create_table(
        "judgments",
        sa.Column("judge", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("item", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("answers", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("ms", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["item"], ["items.item"], name="fk_judgments_item"),
        sa.ForeignKeyConstraint(["judge"], ["judges.judge"], name="fk_judgments_judge"),
        sa.PrimaryKeyConstraint("judge", "item", name="pk_judgments"),
    )
    op.create_table(
        "presentations",
        sa.Column("judge", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("item", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("swapped", sa.Boolean(), nullable=False),
        sa.Column("questions", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["item"], ["items.item"], name="fk_presentations_item"),
        sa.ForeignKeyConstraint(["judge"], ["judges.judge"], name="fk_presentations_judge"),
        sa.PrimaryKeyConstraint("judge", "item", name="pk_presentations"),
        sa.UniqueConstraint("judge", "place", name="uq_presentations_judge_place"),
    )

    for statement in APPEND_ONLY[op.get_bind().dialect.name]:
        op.execute(statement)
