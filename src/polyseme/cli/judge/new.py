"""``polyseme judge new``."""

from __future__ import annotations

from typing import Any

import click

from polyseme.cli import options
from polyseme.cli.judge import database_errors, password_file, study
from polyseme.cli.output import Output
from polyseme.errors import InputError
from polyseme.tables import Column, Report, Table, labels

_TASKS = ("preferences", "grades", "votes")
#: what each task must be given, and what it can be given besides
_GIVEN = {
    "preferences": ({"triplets", "runs"}, {"titles", "documents", "topics"}),
    "grades": ({"pool", "intent_texts"}, {"titles", "documents", "topics"}),
    "votes": ({"intent_texts"}, {"topics"}),
}

TOLD_ONCE = "the password is told this once: only a hash of it is kept"


@click.command(
    short_help="Make a study.",
    epilog=options.examples(
        "polyseme judge new preferences.study --task preferences --triplets triplets.csv "
        "--runs runs/*.run --topics topics.csv --titles titles.csv",
        "polyseme judge new grades.study --task grades --pool pool.csv --intent-texts intents.csv",
        "polyseme judge new votes.study --task votes --intent-texts intents.csv --per-item 10",
    ),
)
@study
@click.argument("more_runs", nargs=-1, metavar="[RUN]...")
@click.option("--task", type=click.Choice(_TASKS), required=True, help="What is asked.")
@click.option("--triplets", metavar="FILE", help="What polyseme pairs wrote: lists to compare.")
@click.option(
    "--runs",
    multiple=True,
    metavar="FILE",
    help="The runs of the triplets; more may follow: --runs runs/*.run.",
)
@click.option("--pool", metavar="FILE", help="What polyseme pool wrote: documents to grade.")
@click.option(
    "--intent-texts",
    metavar="FILE",
    help="Intents in words: columns topic,intent,text, or TREC topics with subtopics.",
)
@click.option(
    "--topics",
    metavar="FILE",
    help="Queries: columns topic,query and maybe description, or TREC topics.  "
    "[default: the names of topics]",
)
@click.option("--titles", metavar="FILE", help="Columns doc,title and maybe url.")
@click.option(
    "--documents",
    metavar="FOLDER|FILE",
    help="The documents to read: a folder, JSON lines or WARC. They are read when judges open "
    "them, and must stay where they are.",
)
@click.option("--guidelines", metavar="FILE.md", help="What judges are told, in Markdown.")
@click.option("--title", metavar="TEXT", help="What the study is called.  [default: its file]")
@click.option(
    "--per-item",
    type=click.IntRange(1, 1000),
    metavar="K",
    help="Judges for each item; in grades for each topic.  [default: 15 preferences, 2 grades, "
    "10 votes]",
)
@click.option(
    "--cutoff",
    type=click.IntRange(1, 100),
    default=10,
    show_default=True,
    metavar="N",
    help="How many documents of a list are shown.",
)
@click.option(
    "--lease",
    type=click.FloatRange(0, min_open=True),
    default=4.0,
    show_default=True,
    metavar="HOURS",
    help="How long an item that a judge opened is kept from others.",
)
@password_file
@options.seed
@options.order
@options.duplicates
@options.inputs
@options.output(usual="table")
def new(
    study: str,
    more_runs: tuple[str, ...],
    task: str,
    triplets: str | None,
    runs: tuple[str, ...],
    pool: str | None,
    intent_texts: str | None,
    topics: str | None,
    titles: str | None,
    documents: str | None,
    guidelines: str | None,
    title: str | None,
    per_item: int | None,
    cutoff: int,
    lease: float,
    password_file: str | None,
    seed: int,
    order: Any,
    duplicates: Any,
    input_format: str | None,
    runs_format: str | None,
    run_names: Any,
    output: Output,
) -> None:
    """Make a study: preferences between lists, grades of documents, or votes for intents.

    preferences: judges see a query and two lists of titles, and say which list is more relevant,
    and which will satisfy more users. grades: judges see a document beside the intents of its
    topic, and grade it for each: highly relevant, relevant or not. votes: judges see a query and
    say which of its intents its users may have.

    Which run stands on the left, the order of items and that of questions are drawn for each
    judge and item from the seed.
    """
    from polyseme.judging import making, passwords, sources, tasks
    from polyseme.judging.documents import open_documents
    from polyseme.judging.moment import Settings, now

    runs = (*runs, *more_runs)
    given = {
        "triplets": triplets,
        "runs": runs,
        "pool": pool,
        "intent_texts": intent_texts,
        "topics": topics,
        "titles": titles,
        "documents": documents,
    }
    _check_given(task, given)
    options.check_standard_input(*runs, triplets, pool, intent_texts, topics, titles, guidelines)
    texts = sources.Texts.read(topics, intent_texts, titles)
    if task == "preferences":
        from polyseme.collection.reading import read_runs
        from polyseme.collection.runs import Ordering
        from polyseme.meta.preferences import read_triplets

        content = sources.preferences(
            read_triplets(str(triplets)),
            read_runs(*runs, format=runs_format or input_format, names=run_names),
            texts,
            cutoff=cutoff,
            how=Ordering(order or "score", duplicates),
        )
    elif task == "grades":
        content = sources.grades(sources.read_pool(str(pool)), texts)
    else:
        content = sources.votes(texts)
    if documents is not None:
        open_documents(documents).close()
    password = passwords.new_password() if password_file is None else first_line(password_file)
    settings = Settings(
        title=title or _stem(study),
        task=task,
        wanted=per_item or tasks.of(task).judges,
        seed=seed,
        created=now(),
        cutoff=cutoff,
        lease_ms=round(lease * 3_600_000),
        guidelines="" if guidelines is None else _text(guidelines),
        documents="" if documents is None else _absolute(documents),
        password=passwords.hashed(password),
    )
    with output.opened() as write, database_errors(study):
        making.make(study, settings, content)
        write(_told(study, settings, content, None if password_file else password))


def _check_given(task: str, given: dict[str, Any]) -> None:
    needed, possible = _GIVEN[task]
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        if not value and name in needed:
            raise click.UsageError(f"--task {task} needs {option}")
        if value and name not in needed | possible:
            raise click.UsageError(f"{option} is nothing for --task {task}")


def _told(study: str, settings: Any, content: Any, password: str | None) -> Report:
    from polyseme.judging.database import shown

    rows = [
        ("study", shown(study)),
        ("task", settings.task),
        ("items", len(content.items)),
        ("topics", len(content.topics)),
        ("judges for each", settings.wanted),
    ]
    notes = []
    if password is not None:
        rows.append(("organiser's password", password))
        notes.append(TOLD_ONCE)
    if settings.task == "preferences" and all(d.title == d.doc for d in content.documents.values()):
        notes.append("judges will see identifiers in place of titles: say --titles FILE")
    if all(query == name for name, (query, _) in content.topics.items()):
        notes.append("judges will see names of topics in place of queries: say --topics FILE")
    return Report(Table((*labels("what"), Column("value")), rows), notes=tuple(notes))


def _text(path: str) -> str:
    from polyseme.collection.formats.opening import unreadable

    try:
        with click.open_file(path, encoding="utf-8") as stream:
            held = str(stream.read())
    except UnicodeDecodeError:
        raise InputError(
            "this is no UTF-8", path=path, expected="a text in UTF-8", remedy="convert the file"
        ) from None
    except OSError as error:
        raise unreadable(path, error) from None
    return held.replace("\0", "")


def first_line(path: str) -> str:
    """A password from a file."""
    held = _text(path).partition("\n")[0].rstrip("\r")
    if len(held) < 8:
        raise InputError(
            "the password is short",
            path=path,
            expected="a first line of 8 letters or more",
            remedy="choose a longer one",
        )
    return held


def _stem(study: str) -> str:
    from pathlib import PurePath

    return PurePath(study.partition("?")[0]).stem or "study"


def _absolute(path: str) -> str:
    from pathlib import Path

    return str(Path(path).resolve())
